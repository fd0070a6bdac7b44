#!/usr/bin/env bash
# check-instructions.sh
#
# Disassembles what is compiled for x86-64 and fails if
#   - FN-DSA with `--cfg pqsig_fpr="emulated"` has a floating-point arithmetic instruction,
#   - FN-DSA has a fused multiply-add in any build,
#   - anything with `--cfg pqsig_backend="portable"` has an instruction of AVX or BMI,
#   - an integer division divides by something else than a degree or a length of slices, or
#   - a kernel that has loops only has a conditional jump that does not end a loop.
# Functions are told apart by their crate: what `core` or another dependency does is not judged.
# The programs read are `fndsa_whole` and `report` of `pqsig-benches`.
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

# Every integer division, by its line in the source: `chunks` of core, and lines of ours that divide
# by what is named below, all of it public.
public_divisors='(n|m|words|groups)'
divisions() { # BINARY
    local address line text
    objdump -d --no-show-raw-insn "$1" | awk -v crates="($crates)" '
        /^[0-9a-f]+ <.*>:$/ { ours = $0 ~ crates; next }
        ours && $2 ~ /^i?div[bwlq]?$/ { sub(":", "", $1); print $1 }' > "$target/divisions"
    [ "$(wc -l < "$target/divisions")" -ge 50 ] ||
        { echo "check-instructions: where are the divisions?" >&2; exit 1; }
    addr2line -e "$1" < "$target/divisions" | sed 's/ (discriminator.*//' | sort -u |
        while IFS=: read -r line address; do
            [[ $line == */library/core/src/slice/iter.rs ]] && continue
            text=$(sed -n "${address}p" "$line")
            grep -qE "[/%] $public_divisors( as u64)?[;),]" <<< "$text" || echo "$line:$address:$text"
        done
}
CARGO_TARGET_DIR=$target/lines CARGO_PROFILE_RELEASE_DEBUG=line-tables-only \
    cargo build --quiet --release -p pqsig-benches --bin report
found=$(divisions "$target/lines/release/report")
echo "default: $(wc -l < "$target/divisions") integer divisions, $(grep -c . <<< "$found" || true) by other than a degree or a length"
[ -z "$found" ] || { echo "$found"; status=1; }

# Straight lines and loops: nothing to decide.
kernels=(
    'keccak::avx2::f1600_x4'
    'Avx2>::f1600::bmi'
    'Portable as pqsig_comm::arch::Arch>::f1600'
    'pqsig_mldsa::backend::avx2::ntt::forward'
    'pqsig_mldsa::backend::avx2::ntt::inverse'
    'pqsig_mldsa::backend::portable::ntt'
    'pqsig_mldsa::backend::portable::inv_ntt'
)
for kernel in "${kernels[@]}"; do
    found=$(objdump -d --no-show-raw-insn -C "$target/lines/release/report" | awk -v kernel="$kernel>:" '
        /^[0-9a-f]+ <.*>:$/ { inside = substr($0, length($0) - length(kernel) + 1) == kernel
                              if (inside) seen = 1; next }
        # Addresses have the same length, so that they compare as text.
        inside && $2 ~ /^j/ && $2 != "jmp" && "x" $3 > "x" substr($1, 1, length($1) - 1) { print }
        END { if (!seen) print "not found" }')
    [ -z "$found" ] || { echo "check-instructions: $kernel: $found"; status=1; }
done
echo "default: ${#kernels[@]} kernels read, which have no conditional jump but the ends of loops"

# The patterns do find what they look for.
for pattern in "$arithmetic" "$vector"; do
    [ -n "$(offenders "$pattern" "$target/default/release/fndsa_whole" 2> /dev/null)" ] ||
        { echo "check-instructions: found no $pattern in the default build" >&2; exit 1; }
done
exit $status
