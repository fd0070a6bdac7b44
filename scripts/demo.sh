#!/usr/bin/env bash
# demo.sh [FILE [ALGORITHM]]
#
# What the command-line tool is for, on a real file: makes a key, signs FILE (README.md if none is
# given), verifies it, and shows that a changed copy does not verify. Everything it makes goes
# into a temporary folder. Needs cargo and nothing else.
set -euo pipefail

root=$(cd "$(dirname "$0")/.." && pwd)
file=$(realpath "${1:-$root/README.md}")
algorithm=${2:-ML-DSA-65}
cd "$root"

cargo build --quiet --release -p pqsig --example pqsig --features fndsa-experimental-oid
tool=${CARGO_TARGET_DIR:-target}/release/examples/pqsig
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

run() {
    printf '$ pqsig %s\n' "${*//"$folder/"/}"
    "$tool" "$@" | sed "s|$folder/||"
}

run keygen --algorithm "$algorithm" --out "$folder/key.pem" --pub "$folder/pub.pem"
run sign --key "$folder/key.pem" --out "$folder/file.sig" "$file"
run verify --key "$folder/pub.pem" --signature "$folder/file.sig" "$file"
run inspect "$folder/pub.pem"

cp "$file" "$folder/changed"
echo "one more line" >> "$folder/changed"
code=0
run verify --key "$folder/pub.pem" --signature "$folder/file.sig" "$folder/changed" || code=$?
[ "$code" -eq 1 ] || { echo "demo: a changed file must not verify (exit code $code)" >&2; exit 1; }
echo "demo: signed and verified $(basename "$file") with $algorithm; a changed copy is refused"
