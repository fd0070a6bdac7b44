#!/usr/bin/env bash
# check-instructions.sh
#
# Disassembles what is compiled for x86-64 and fails if
#   - FN-DSA with `--cfg pqsig_fpr="emulated"` has a floating-point arithmetic instruction,
#   - FN-DSA has a fused multiply-add in any build, or
#   - anything with `--cfg pqsig_backend="portable"` has an instruction of AVX or BMI.
# Functions are told apart by their crate: what `core` or another dependency does is not judged.
# The programs read are `fndsa_whole`, and for the last check `report`, of `pqsig-benches`.
# CARGO_TARGET_DIR says where to build (default: target/floats).
set -euo pipefail
cd "$(dirname "$0")/.."

target=${CARGO_TARGET_DIR:-target}/floats
crates='pqsig_comm|pqsig_mldsa|pqsig_fndsa_kgen|pqsig_fndsa_sign|pqsig_fndsa_vrfy|fndsa_whole'
# Scalar and packed: SSE (addsd), AVX (vaddpd), single precision too, and the x87 (fadd, fmulp).
arithmetic='v?(add|sub|mul|div|sqrt|min|max|round|cmp|cmp[a-z_]+|dp|hadd|hsub|addsub|u?comi)[sp][sd]'
conversion='v?cvt[a-z0-9]*'
fused='v?fn?m(add|sub|addsub|subadd)[0-9]*[sp][sd]'
# Every instruction of AVX, AVX2 and AVX-512 begins with a v, as no other one of user code does.
vector='v[a-z0-9]+|andn|bextr|bls(i|r|msk)|bzhi|mulx|pdep|pext|rorx|sarx|shlx|shrx'
x87='f(add|sub|mul|div|sqrt|prem|scale|rndint|ild|ist|comp?|ucom)[a-z0-9]*'

type objdump > /dev/null || { echo "check-instructions: objdump is not installed" >&2; exit 1; }

# Prints "function: instruction" for each matching instruction in functions of our crates.
offenders() { # PATTERN BINARY
    objdump -d --no-show-raw-insn "$2" | awk -v pattern="^($1)\$" -v crates="($crates)" '
        /^[0-9a-f]+ <.*>:$/ { ours = $0 ~ crates; name = $2; if (ours) functions++; next }
        ours && $2 ~ pattern { print name, $2 }
        END { print functions + 0, "functions" > "/dev/stderr" }'
}

# `fndsa_whole` uses all of FN-DSA and has no floats of its own.
binary() { # NAME FLAGS PROGRAM
    RUSTFLAGS="$2" CARGO_TARGET_DIR="$target/$1" CARGO_PROFILE_RELEASE_DEBUG=0 \
        cargo build --quiet --release -p pqsig-benches --bin "$3" >&2
    echo "$target/$1/release/$3"
}

status=0
check() { # NAME FLAGS PATTERN MEANING [PROGRAM [ARG...]]
    local file found functions
    file=$(binary "$1" "$2" "${5:-fndsa_whole}")
    "$file" "${@:6}" > /dev/null || { echo "check-instructions: $1: $file does not work" >&2; exit 1; }
    found=$(offenders "$3" "$file" 2> "$target/count")
    functions=$(cat "$target/count")
    echo "$1: $functions of ours read, $(grep -c . <<< "$found" || true) $4"
    [ "${functions%% *}" -ge 20 ] || { echo "check-instructions: where are our functions?" >&2; exit 1; }
    if [ -n "$found" ]; then
        sort <<< "$found" | uniq -c | sort -rn | head -n 20
        status=1
    fi
}

check emulated '--cfg pqsig_fpr="emulated"' "$arithmetic|$conversion|$fused|$x87" 'floating-point instructions'
check default '' "$fused" 'fused multiply-adds'
check portable '--cfg pqsig_backend="portable"' "$fused" 'fused multiply-adds'
check portable '--cfg pqsig_backend="portable"' "$vector" 'instructions of AVX or BMI' report --help
check cpu-with-fma '-C target-feature=+avx2,+fma' "$fused" 'fused multiply-adds'
# The patterns do find what they look for.
for pattern in "$arithmetic" "$vector"; do
    [ -n "$(offenders "$pattern" "$target/default/release/fndsa_whole" 2> /dev/null)" ] ||
        { echo "check-instructions: found no $pattern in the default build" >&2; exit 1; }
done
exit $status
