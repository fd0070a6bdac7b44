#!/usr/bin/env bash
# setup-openssl.sh [DIR] [SUITE...]
#
# Puts an `openssl` command of version 3.5 or newer into DIR (default: target/openssl) from Debian
# packages with their own C library and loader. Nothing of the system is changed. Running it again
# costs nothing. Prints the path of the command on stdout, all else on stderr.
#
# The mirror is the one that this machine's own apt uses. SUITE names the Debian releases to try, in
# order. Exit status 3: the packages cannot be had here (no apt, no mirror, no network).
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
dir=${1:-$root/target/openssl}
shift || true
suites=("$@")
[ ${#suites[@]} -gt 0 ] || suites=(trixie stable sid)

packages=(openssl libssl3t64 libc6 zlib1g libzstd1)
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

log() { echo "setup-openssl: $*" >&2; }
unavailable() { log "$*"; exit 3; }

new_enough() { # COMMAND
    local version
    version=$("$1" version 2>/dev/null | awk '{ print $2 }') || return 1
    [ -n "$version" ] && printf '3.5\n%s\n' "$version" | sort -VC
}

# The address that apt has for the archive itself (not for security updates), from either of the
# two formats that apt reads.
mirror() {
    local files=(/etc/apt/sources.list.d/*.sources)
    awk '
        function flush(  i) {
            for (i = 1; i <= count && uri != ""; i++)
                if (suite[i] !~ /[-\/]/) { print uri; exit }
        }
        FNR == 1 || /^[[:space:]]*$/ { flush(); uri = ""; count = 0 }
        /^URIs:/ { uri = $2 }
        /^Suites:/ { count = NF - 1; for (i = 1; i <= count; i++) suite[i] = $(i + 1) }
        END { flush() }
    ' "${files[@]}" 2>/dev/null | head -n 1 | grep . && return
    awk '$1 == "deb" {
        for (i = 2; i < NF; i++) if ($i ~ /:\/\//) { if ($(i + 1) !~ /[-\/]/) print $i; break }
    }' /etc/apt/sources.list /etc/apt/sources.list.d/*.list 2>/dev/null | head -n 1 | grep .
}

# Runs an apt command on a state of its own under $state.
private_apt() {
    local command=$1
    shift
    "$command" \
        -o Dir::State="$state" -o Dir::State::lists="$state/lists" \
        -o Dir::State::status="$state/status" -o Dir::Cache="$state/cache" \
        -o Dir::Cache::pkgcache=pkgcache.bin -o Dir::Cache::srcpkgcache=srcpkgcache.bin \
        -o Dir::Etc::sourcelist="$state/sources.list" -o Dir::Etc::sourceparts=- \
        -o Dir::Etc::preferencesparts=- \
        -o APT::Architecture="$arch" -o APT::Architectures="$arch" -o APT::Sandbox::User=root \
        -o Acquire::Languages=none -o Acquire::Retries=3 -o Acquire::http::Timeout=30 "$@"
}

download() { # into $state/debs, from the first suite that has what we need
    local suite
    for suite in "${suites[@]}"; do
        echo "deb [signed-by=$keyring] $uri $suite main" > "$state/sources.list"
        rm -rf "$state/debs"
        mkdir -p "$state/debs"
        if private_apt apt-get update -qq > "$state/log" 2>&1 &&
            (cd "$state/debs" && private_apt apt-get download -qq "${packages[@]}") >> "$state/log" 2>&1
        then
            log "packages of $suite"
            return
        fi
        log "$suite: $(tail -n 1 "$state/log")"
    done
    return 1
}

write_command() { # PATH: runs the unpacked program with the unpacked loader and libraries
    local libraries loader
    loader=$(find "$dir" -name 'ld-linux*.so.*' -path '*/lib/*' | head -n 1)
    [ -n "$loader" ] || loader=$(find "$dir" -name 'ld-linux*.so.*' | head -n 1)
    libraries=$(dirname "$(find "$dir" -name 'libcrypto.so.3' | head -n 1)")
    cat > "$1" <<WRAPPER
#!/bin/sh
: "\${OPENSSL_CONF:=$dir/etc/ssl/openssl.cnf}"
OPENSSL_MODULES=$libraries/ossl-modules
export OPENSSL_CONF OPENSSL_MODULES
exec $loader --library-path $libraries $dir/usr/bin/openssl "\$@"
WRAPPER
    chmod +x "$1"
}

mkdir -p "$dir"
dir=$(cd "$dir" && pwd)
command=$dir/bin/openssl
if ! new_enough "$command"; then
    for tool in apt-get dpkg dpkg-deb; do
        type "$tool" > /dev/null 2>&1 || unavailable "no $tool on this machine"
    done
    [ -r "$keyring" ] || unavailable "no Debian keyring ($keyring)"
    uri=$(mirror) || unavailable "no Debian mirror in /etc/apt"
    arch=$(dpkg --print-architecture)
    state=$dir/apt
    mkdir -p "$state"/{lists/partial,cache/archives/partial} "$dir/bin"
    : > "$state/status"
    download || unavailable "the package mirror cannot be reached"
    for package in "$state"/debs/*.deb; do
        dpkg-deb -x "$package" "$dir"
    done
    rm -rf "$state"
    write_command "$command"
    new_enough "$command" || { log "unpacked, but too old or not running"; exit 1; }
fi
"$command" version >&2
echo "$command"
