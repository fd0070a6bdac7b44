#!/usr/bin/env bash
# check-features.sh
#
# Compiles every library crate without features and with each of its features alone; a warning is
# an error. Features only add API, so each has to work without the others.
set -euo pipefail
cd "$(dirname "$0")/.."
export RUSTFLAGS="${RUSTFLAGS:-} -D warnings"

features() { # CRATE: the names in [features], but for `default`
    awk '/^\[/ { inside = $0 == "[features]"; next }
         inside && /^[a-z][a-z0-9-]* *=/ && $1 != "default" { print $1 }' "$1/Cargo.toml"
}

count=0
for crate in pqsig-comm pqsig-mldsa pqsig-fndsa-kgen pqsig-fndsa-vrfy pqsig-fndsa-sign pqsig; do
    for feature in "" $(features $crate); do
        cargo check --quiet -p $crate --lib --no-default-features --features "$feature" || {
            echo "check-features: $crate with only '$feature' does not compile" >&2
            exit 1
        }
        count=$((count + 1))
    done
    # The facade's features mean something together with a family.
    if [ $crate = pqsig ]; then
        for family in mldsa fndsa; do
            for feature in $(features $crate); do
                cargo check --quiet -p $crate --lib --no-default-features --features "$family,$feature"
                count=$((count + 1))
            done
        done
    fi
done
echo "check-features: $count combinations compile without a warning"
