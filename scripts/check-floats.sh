#!/usr/bin/env bash
# check-floats.sh
#
# Disassembles FN-DSA as it is compiled for x86-64 and fails if
#   - a build with `--cfg pqsig_fpr="emulated"` has a floating-point arithmetic instruction, or
#   - any build has a fused multiply-add.
# Functions are told apart by their crate: what `core` or another dependency does is not judged.
# CARGO_TARGET_DIR says where to build (default: target/floats).
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}/floats
crates='pqsig_comm|pqsig_fndsa_kgen|pqsig_fndsa_sign|pqsig_fndsa_vrfy'
packages=(-p pqsig-fndsa-kgen -p pqsig-fndsa-sign -p pqsig-fndsa-vrfy)
# Scalar and packed: SSE (addsd), AVX (vaddpd), single precision too, and the x87 (fadd, fmulp).
arithmetic='v?(add|sub|mul|div|sqrt|min|max|round|cmp|cmp[a-z_]+|dp|hadd|hsub|addsub|u?comi)[sp][sd]'
conversion='v?cvt[a-z0-9]*'
fused='v?fn?m(add|sub|addsub|subadd)[0-9]*[sp][sd]'
x87='f(add|sub|mul|div|sqrt|prem|scale|rndint|ild|ist|comp?|ucom)[a-z0-9]*'

type objdump > /dev/null || { echo "check-floats: objdump is not installed" >&2; exit 1; }

# Prints "function: instruction" for each matching instruction in functions of our crates.
offenders() { # PATTERN BINARY
    objdump -d --no-show-raw-insn "$2" | awk -v pattern="^($1)\$" -v crates="($crates)" '
        /^[0-9a-f]+ <.*>:$/ { ours = $0 ~ crates; name = $2; if (ours) functions++; next }
        ours && $2 ~ pattern { print name, $2 }
        END { print functions + 0, "functions" > "/dev/stderr" }'
}

# All code that the crates can be made to generate: their unit and integration tests, which
# instantiate every generic function, in release mode.
binaries() { # NAME FLAGS
    RUSTFLAGS="$2" CARGO_TARGET_DIR="$target-$1" CARGO_PROFILE_RELEASE_DEBUG=0 \
        cargo test --release --no-run --all-features --lib "${packages[@]}" \
        --message-format=json 2> /dev/null |
        grep -o '"executable":"[^"]*"' | cut -d '"' -f 4
}

status=0
check() { # NAME FLAGS PATTERN MEANING
    local list binary found
    list=$(binaries "$1" "$2")
    [ "$(wc -l <<< "$list")" -eq 3 ] || { echo "check-floats: $1: 3 binaries expected: $list" >&2; exit 1; }
    while read -r binary; do
        found=$(offenders "$3" "$binary" 2> "$target-$1/count")
        echo "$1: $(basename "$binary"): $(cat "$target-$1/count") of ours read, $(grep -c . <<< "$found" || true) $4"
        grep -q '^[1-9]' "$target-$1/count" || { echo "check-floats: found no function of ours" >&2; exit 1; }
        if [ -n "$found" ]; then
            sort <<< "$found" | uniq -c | sort -rn | head -n 20
            status=1
        fi
    done <<< "$list"
}

check emulated '--cfg pqsig_fpr="emulated"' "$arithmetic|$conversion|$fused|$x87" 'floating-point instructions'
check native '' "$fused" 'fused multiply-adds'
check native-cpu '-C target-feature=+avx2,+fma' "$fused" 'fused multiply-adds'
exit $status
