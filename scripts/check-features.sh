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
failed=()
check() { # CRATE FEATURES
    count=$((count + 1))
    cargo check --quiet -p "$1" --lib --no-default-features --features "$2" || failed+=("$1 with '$2'")
}

for crate in pqsig-comm pqsig-mldsa pqsig-fndsa-kgen pqsig-fndsa-vrfy pqsig-fndsa-sign pqsig; do
    for feature in "" $(features $crate); do
        check $crate "$feature"
    done
done
# The facade's features mean something together with a family.
for family in mldsa fndsa; do
    for feature in $(features pqsig); do
        check pqsig "$family,$feature"
    done
done

if [ ${#failed[@]} -gt 0 ]; then
    printf 'check-features: does not compile without a warning: %s\n' "${failed[@]}" >&2
    exit 1
fi
echo "check-features: $count combinations compile without a warning"
