#!/usr/bin/env bash
# Counts the instructions of our operations on AArch64 under emulation, for want of an Arm machine:
# NEON with and without the SHA-3 instructions against the portable backend, which compilers
# vectorise with NEON too. A count is not a time, but it is repeatable and tells what a kernel saves.
#
#   scripts/count-instructions.sh [SET/OPERATION...]
#
# Needs root for apt-get where gcc for AArch64 or qemu-user is missing. qemu-user-static will not do:
# it loads no plugins.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_DEBUG=0
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
triple=aarch64-unknown-linux-gnu
target=${CARGO_TARGET_DIR:-$PWD/target}/count
packages=(gcc gcc-aarch64-linux-gnu libc6-dev-arm64-cross qemu-user)
operations=("$@")
if [ $# -eq 0 ]; then
    for set in ml-dsa-44 ml-dsa-65 ml-dsa-87 fn-dsa-512 fn-dsa-1024; do
        for operation in keygen sign sign-prepared verify verify-prepared; do
            operations+=("$set/$operation")
        done
    done
fi

dpkg -s "${packages[@]}" >/dev/null 2>&1 ||
    { apt-get update -q && apt-get install -y -q --no-install-recommends "${packages[@]}"; } >&2
rustup target list --installed | grep -qx "$triple" || rustup target add "$triple"
mkdir -p "$target"
gcc -O2 -Wall -Wextra -shared -fPIC -o "$target/count.so" scripts/count-instructions.c
build() { # NAME RUSTFLAGS
    RUSTFLAGS=$2 CARGO_TARGET_DIR=$target/$1 \
        cargo build --quiet --release --target "$triple" -p pqsig-benches --bin repeat
}
build neon ''
build portable '--cfg pqsig_backend="portable"'

total() { # FLAVOUR CPU SET/OPERATION COUNT
    qemu-aarch64 -cpu "$2" -L /usr/aarch64-linux-gnu -plugin "$target/count.so" \
        "$target/$1/$triple/release/repeat" "$3" "$4" 2>&1 | awk '/ instructions$/ { print $1 }'
}

each() { # FLAVOUR CPU SET/OPERATION: instructions for one, over the same 40 for all
    echo $((($(total "$1" "$2" "$3" 41) - $(total "$1" "$2" "$3" 1)) / 40))
}

printf '%-28s %12s %12s %12s %8s %8s\n' instructions portable NEON SHA-3 NEON SHA-3
for operation in "${operations[@]}"; do
    portable=$(each portable cortex-a53 "$operation")
    neon=$(each neon cortex-a53 "$operation")
    sha3=$(each neon max "$operation")
    awk -v name="$operation" -v p="$portable" -v n="$neon" -v s="$sha3" \
        'BEGIN { printf "%-28s %12d %12d %12d %8.2f %8.2f\n", name, p, n, s, p / n, p / s }'
done
