#!/usr/bin/env bash
# Runs the tests on other processors, under qemu-user where this one cannot run them, and builds
# for bare metal.
#
#   scripts/cross-test.sh [--quick|--full] [TARGET...]
#
# --quick: the digests of keys and signatures of all sets, 20 seeds each. Without it: the unit
# tests of the libraries too. --full: every test of the libraries, and 500 seeds.
#
# TARGET is one of these, and without one they all are run:
#   aarch64 aarch64-sha3 i686 armv7 riscv64gc s390x wasm32
#   x86_64-avx2 x86_64-sse2        this machine's own code on a CPU that has no more than that
#   thumbv7em thumbv6m             built only
#
# Needs root for apt-get where a compiler or qemu is missing. What cannot be run is listed at the
# end, on lines that begin with SKIPPED; the exit code tells of failures only.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0 CARGO_PROFILE_RELEASE_DEBUG=0
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}/cross
unset RUSTFLAGS

all=(aarch64 aarch64-sha3 i686 armv7 riscv64gc s390x wasm32 x86_64-avx2 x86_64-sse2 thumbv7em
    thumbv6m)
libraries=(pqsig-comm pqsig-mldsa pqsig-fndsa-kgen pqsig-fndsa-vrfy pqsig-fndsa-sign pqsig)
mode=
targets=()
for argument in "$@"; do
    case $argument in
    --quick | --full) mode=$argument ;;
    -*) sed -n '2,/^set /s/^# \{0,1\}//p' "$0"; exit 2 ;;
    *) targets+=("$argument") ;;
    esac
done
[ ${#targets[@]} -gt 0 ] || targets=("${all[@]}")

skipped=()
skip() {
    echo "SKIPPED: $*"
    skipped+=("$*")
}

# Mirrors fail now and then, and a run that was cut off leaves dpkg half done.
install() { # PACKAGE...
    local attempt log
    for attempt in 1 2 3; do
        dpkg -s "$@" >/dev/null 2>&1 && return
        [ $attempt -eq 1 ] || sleep 10
        log=$({ dpkg --configure -a; apt-get update -q; } 2>&1) || printf '%s\n' "$log"
        log=$(DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" 2>&1) ||
            { echo "apt-get install $*, attempt $attempt:"; tail -n 20 <<<"$log"; }
    done
    dpkg -s "$@" >/dev/null 2>&1
}

add_target() { # TRIPLE
    local attempt
    for attempt in 1 2 3; do
        rustup target list --installed | grep -qx "$1" && return
        [ $attempt -eq 1 ] || sleep 10
        rustup target add "$1" || true
    done
    rustup target list --installed | grep -qx "$1"
}

# Tells cargo how to link and run for a Linux of another kind.
linux() { # TRIPLE DEBIAN'S-TRIPLE DEBIAN'S-NAME RUNNER
    local variable=${1^^}
    variable=CARGO_TARGET_${variable//-/_}
    add_target "$1" || { skip "$1: rustup does not have it"; return 1; }
    install "gcc-${2//_/-}" "libc6-dev-$3-cross" qemu-user-static ||
        { skip "$1: its compiler, library or emulator cannot be installed"; return 1; }
    export "${variable}_LINKER=$2-gcc" "${variable}_RUNNER=$4"
}

run_tests() { # TRIPLE
    local crates=(-p pqsig-comm -p pqsig-mldsa -p pqsig-fndsa-kgen -p pqsig-fndsa-vrfy
        -p pqsig-fndsa-sign)
    case $mode in
    --quick) ;;
    --full) cargo test --release --target "$1" "${crates[@]}" --lib --tests ;;
    *) cargo test --release --target "$1" "${crates[@]}" --lib ;;
    esac
    if [ "$mode" = --full ]; then
        PQSIG_LONG=1 cargo test --release --target "$1" -p pqsig --test digests
    else
        cargo test --release --target "$1" -p pqsig --test digests
    fi
}

linux_tests() { # as linux()
    if linux "$@"; then run_tests "$1"; fi
}

wasm_tests() {
    add_target wasm32-wasip1 || { skip "wasm32-wasip1: rustup does not have it"; return; }
    command -v node >/dev/null || install nodejs || { skip "wasm32-wasip1: no node"; return; }
    # No threads there, so no tests that need one.
    CARGO_TARGET_WASM32_WASIP1_RUNNER="node --no-warnings $PWD/scripts/wasi.mjs" \
        mode=${mode/--full/} run_tests wasm32-wasip1
}

own_tests() { # CPU
    install qemu-user-static || { skip "$1: no qemu-x86_64-static"; return; }
    CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="qemu-x86_64-static -cpu $1" \
        run_tests x86_64-unknown-linux-gnu
}

bare_metal() { # TRIPLE
    add_target "$1" || { skip "$1: rustup does not have it"; return; }
    local crate
    for crate in "${libraries[@]}"; do
        cargo build --release -p "$crate" --lib --no-default-features --target "$1"
    done
    cargo build --release -p pqsig --lib --no-default-features \
        --features mldsa,fndsa,hazmat,pkcs8,serde --target "$1"
}

for target in "${targets[@]}"; do
    printf '\n=== %s\n' "$target"
    case $target in
    aarch64) linux_tests aarch64-unknown-linux-gnu aarch64-linux-gnu arm64 \
        'qemu-aarch64-static -cpu cortex-a53 -L /usr/aarch64-linux-gnu' ;;
    aarch64-sha3) linux_tests aarch64-unknown-linux-gnu aarch64-linux-gnu arm64 \
        'qemu-aarch64-static -cpu max -L /usr/aarch64-linux-gnu' ;;
    # The machine's own kernel runs these.
    i686) linux_tests i686-unknown-linux-gnu i686-linux-gnu i386 \
        '/usr/i686-linux-gnu/lib/ld-linux.so.2 --library-path /usr/i686-linux-gnu/lib' ;;
    armv7) linux_tests armv7-unknown-linux-gnueabihf arm-linux-gnueabihf armhf \
        'qemu-arm-static -L /usr/arm-linux-gnueabihf' ;;
    riscv64gc) linux_tests riscv64gc-unknown-linux-gnu riscv64-linux-gnu riscv64 \
        'qemu-riscv64-static -L /usr/riscv64-linux-gnu' ;;
    s390x) linux_tests s390x-unknown-linux-gnu s390x-linux-gnu s390x \
        'qemu-s390x-static -L /usr/s390x-linux-gnu' ;;
    wasm32) wasm_tests ;;
    x86_64-avx2) own_tests max ;;
    x86_64-sse2) own_tests qemu64 ;;
    thumbv7em) bare_metal thumbv7em-none-eabihf ;;
    thumbv6m) bare_metal thumbv6m-none-eabi ;;
    *) echo "unknown target $target"; exit 2 ;;
    esac
    echo "--- $target done ($SECONDS s in all)"
done
printf '\n'
[ ${#skipped[@]} -eq 0 ] || printf 'SKIPPED: %s\n' "${skipped[@]}"
