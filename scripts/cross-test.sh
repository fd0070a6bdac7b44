#!/usr/bin/env bash
# Runs the tests of the libraries on other processors, under qemu-user where this one cannot run
# them, and builds for bare metal.
#
#   scripts/cross-test.sh [--full] [TARGET...]
#
# Without --full: unit tests of the kernels and the digests of keys and signatures of all sets,
# 20 seeds each. With it: every test of every library, and 500 seeds. TARGET is a Rust triple or
# one of
#   x86_64-no-avx512, x86_64-no-avx2   this machine's own tests on a CPU that has less
#   aarch64-sha3                       aarch64 with the SHA3 instructions (cortex-a53 has none)
# and all of them if none is named. Needs apt-get and rustup, or what they would install. What
# cannot be run is listed at the end, on lines that begin with SKIPPED.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0
export CARGO_PROFILE_RELEASE_DEBUG=0
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/cross
unset RUSTFLAGS

all=(aarch64-unknown-linux-gnu aarch64-sha3 i686-unknown-linux-gnu armv7-unknown-linux-gnueabihf
    riscv64gc-unknown-linux-gnu s390x-unknown-linux-gnu wasm32-wasip1 x86_64-no-avx512
    x86_64-no-avx2 thumbv7em-none-eabihf thumbv6m-none-eabi)
libraries=(pqsig-comm pqsig-mldsa pqsig-fndsa-kgen pqsig-fndsa-vrfy pqsig-fndsa-sign pqsig)
full=
targets=()
for argument in "$@"; do
    case $argument in
    --full) full=1 ;;
    -*) sed -n '2,/^set /{/^#/p}' "$0"; exit 2 ;;
    *) targets+=("$argument") ;;
    esac
done
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")
skipped=()

skip() {
    echo "SKIPPED: $*"
    skipped+=("$*")
}

updated=
install() { # PACKAGE...
    dpkg -s "$@" >/dev/null 2>&1 && return
    [ -n "$updated" ] || apt-get update -q || true
    updated=1
    apt-get install -y -q --no-install-recommends "$@"
}

add_target() { # TRIPLE
    rustup target list --installed | grep -qx "$1" || rustup target add "$1"
}

# The compiler, the C library and the emulator for a target, as cargo's variables.
linux() { # TRIPLE DEBIAN-TRIPLE DEBIAN-NAME QEMU [QEMU-OPTION...]
    local triple=$1 gnu=$2 name=$3 qemu=$4
    shift 4
    add_target "$triple" && install "gcc-${gnu//_/-}" "libc6-dev-$name-cross" qemu-user-static || return
    local variable=${triple^^}
    variable=CARGO_TARGET_${variable//-/_}
    export "${variable}_LINKER=$gnu-gcc"
    export "${variable}_RUNNER=qemu-$qemu-static $* -L /usr/$gnu"
}

wasi() {
    add_target wasm32-wasip1 || return
    command -v node >/dev/null || install nodejs || return
    export CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/scripts/wasi.mjs"
}

run_tests() { # TRIPLE
    local features=alloc,pem,serde,hazmat
    if [ -n "$full" ]; then
        # The interop programs and the command line are for the machine itself.
        PQSIG_LONG_DIGESTS=1 cargo test --release --target "$1" -p pqsig-comm -p pqsig-mldsa \
            -p pqsig-fndsa-kgen -p pqsig-fndsa-vrfy -p pqsig-fndsa-sign --lib --tests &&
            PQSIG_LONG=1 cargo test --release --target "$1" -p pqsig --test digests --test any
    else
        cargo test --release --target "$1" -p pqsig-comm -p pqsig-mldsa -p pqsig-fndsa-kgen \
            -p pqsig-fndsa-vrfy -p pqsig-fndsa-sign --lib &&
            cargo test --release --target "$1" -p pqsig --test digests
    fi
}

echo placeholder
