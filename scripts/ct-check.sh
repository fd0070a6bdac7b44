#!/usr/bin/env bash
# Runs every operation that handles secrets under valgrind's memcheck, with all secrets marked as
# undefined: a branch or an address that depends on one is an error. Release profile.
#
#   scripts/ct-check.sh [FLAVOUR...]
#
# FLAVOUR: avx2 (what a CPU with AVX2 runs), portable, emulated (floating point in integers, with
# AVX2), portable-emulated, small (ML-DSA in least memory); all of them without one. What the
# library declassifies, and why, is in docs/side-channels.md. AVX-512 is hidden by valgrind: its one
# use, Keccak, has neither branch nor index that depends on data.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0
# Line tables, so that a report says where.
export CARGO_PROFILE_RELEASE_DEBUG=line-tables-only
target=${CARGO_TARGET_DIR:-$PWD/target}/ct
flavours=("$@")
[ $# -gt 0 ] || flavours=(avx2 portable emulated portable-emulated small)
command -v valgrind >/dev/null || apt-get install -y -q --no-install-recommends valgrind libc6-dbg

check() { # PROGRAM [CASE]: 0 without an error, 9 with one
    valgrind -q --error-exitcode=9 --error-limit=no --num-callers=30 "$@"
}

for flavour in "${flavours[@]}"; do
    flags='--cfg pqsig_ctgrind'
    case $flavour in
    avx2) ;;
    portable) flags+=' --cfg pqsig_backend="portable"' ;;
    emulated) flags+=' --cfg pqsig_fpr="emulated"' ;;
    portable-emulated) flags+=' --cfg pqsig_backend="portable" --cfg pqsig_fpr="emulated"' ;;
    small) flags+=' --cfg pqsig_backend="portable" --cfg pqsig_small' ;;
    *) echo "unknown flavour $flavour" >&2; exit 2 ;;
    esac
    RUSTFLAGS=$flags CARGO_TARGET_DIR=$target/$flavour \
        cargo build --quiet --release -p pqsig-benches --bin ct_check
    program=$target/$flavour/release/ct_check
    # The marks reach memcheck, and memcheck sees what it is to see.
    for planted in planted-branch planted-index planted-early-exit; do
        status=0
        check "$program" "$planted" >/dev/null 2>&1 || status=$?
        [ $status -eq 9 ] || { echo "ct-check: $flavour: $planted was not found" >&2; exit 1; }
    done
    echo "$flavour: the planted faults are found"
    check "$program" || { echo "ct-check: $flavour: see the reports above" >&2; exit 1; }
    echo "$flavour: no branch and no address depends on a secret"
done
