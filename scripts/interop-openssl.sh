#!/usr/bin/env bash
# interop-openssl.sh [FOLDER]
#
# The tool `pqsig` against OpenSSL 3.5 or newer, which `setup-openssl.sh` puts into FOLDER (default:
# target/openssl) unless OPENSSL names one: for each set of ML-DSA, keys in the three forms of
# RFC 9881, public keys, signatures with and without context, and certificates, each in both
# directions; and what was tampered with must be refused by both.
#
# If no such OpenSSL can be had, nothing is tested. With STRICT=1 that is a failure.
set -euo pipefail
cd "$(dirname "$0")/.."

if [ -z "${OPENSSL:-}" ]; then
    status=0
    OPENSSL=$(scripts/setup-openssl.sh "${1:-target/openssl}") || status=$?
    if [ "$status" -eq 3 ]; then
        echo "SKIPPED: all checks against OpenSSL (keys, signatures, certificates): no OpenSSL 3.5 here" >&2
        [ -n "${STRICT:-}" ] || exit 0
        exit 1
    fi
    [ "$status" -eq 0 ] || exit "$status"
fi

cargo build --quiet --release -p pqsig --example pqsig --example x509_self_signed
examples=$(realpath "${CARGO_TARGET_DIR:-target}")/release/examples
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

passed=0
failed=0

# expect STATUS WHAT COMMAND...: STATUS is 0, another code, or `nonzero`.
expect() {
    local wanted=$1 what=$2 status=0
    shift 2
    "$@" > "$folder/log" 2>&1 || status=$?
    if [ "$wanted" = "$status" ] || { [ "$wanted" = nonzero ] && [ "$status" -ne 0 ]; }; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "FAILED: $set: $what (status $status, expected $wanted): $*"
        sed 's/^/    /' "$folder/log"
    fi
}
accepts() { expect 0 "$@"; }

ours() { "$examples/pqsig" "$@"; }
openssl() { "$OPENSSL" "$@"; }

our_sign() { # KEY FILE OUT [OPTION...]
    ours sign --key "$1" --out "$3" "${@:4}" "$2"
}
our_verify() { # KEY FILE SIGNATURE [OPTION...]
    ours verify --key "$1" --signature "$3" "${@:4}" "$2"
}
openssl_sign() { # KEY FILE OUT [OPTION...]
    openssl pkeyutl -sign -rawin -inkey "$1" -in "$2" -out "$3" "${@:4}"
}
openssl_verify() { # KEY FILE SIGNATURE [OPTION...]
    openssl pkeyutl -verify -rawin -pubin -inkey "$1" -in "$2" -sigfile "$3" "${@:4}"
}

# A copy of FILE with one bit of the byte at OFFSET flipped.
flip() { # FILE OFFSET COPY
    local byte
    byte=$(od -An -tu1 -j "$2" -N 1 "$1")
    cp "$1" "$3"
    printf '%b' "\\x$(printf '%02x' $((byte ^ 1)))" |
        dd of="$3" bs=1 seek="$2" conv=notrunc status=none
}

# Both programs make the same deterministic signature with two files of one key.
same_signature() { # OUR_KEY THEIR_KEY FILE
    our_sign "$1" "$3" "$folder/a.sig" --deterministic &&
        openssl_sign "$2" "$3" "$folder/b.sig" -pkeyopt deterministic:1 &&
        cmp "$folder/a.sig" "$folder/b.sig"
}

same_public_key() { # PEM PRIVATE_PEM
    openssl pkey -in "$2" -pubout -out "$folder/pub" && cmp "$1" "$folder/pub"
}

# What is signed in a certificate, and the signature.
split_certificate() { # PEM TBS SIGNATURE
    local tbs signature
    tbs=$(openssl asn1parse -in "$1" | awk -F: '$2 ~ /d=1 / { print $1 + 0; exit }')
    signature=$(openssl asn1parse -in "$1" | awk -F: '$2 ~ /d=1 / { at = $1 + 0 } END { print at }')
    openssl asn1parse -in "$1" -noout -strparse "$tbs" -out "$2" &&
        openssl asn1parse -in "$1" -noout -strparse "$signature" -out "$3"
}

our_keys() {
    local format
    for format in seed expanded both; do
        ours keygen --algorithm "$set" --format $format --out our-$format.pem --pub our-$format.pub > log
        accepts "our $format key: OpenSSL derives the same public key" \
            same_public_key our-$format.pub our-$format.pem
        accepts "our $format key signs alike" \
            same_signature our-$format.pem our-$format.pem message
        both_verify our-$format.pem our-$format.pem our-$format.pub
    done
}

their_keys() {
    local form
    for form in seed-only priv-only seed-priv; do
        openssl genpkey -algorithm "$set" -provparam ml-dsa.output_formats=$form \
            -out their-$form.pem > log 2>&1
        openssl pkey -in their-$form.pem -pubout -out their-$form.pub
        accepts "$form key of OpenSSL signs alike" \
            same_signature their-$form.pem their-$form.pem message
        accepts "$form key of OpenSSL is understood" ours inspect their-$form.pem
        both_verify their-$form.pem their-$form.pem their-$form.pub
    done
}

# Signatures of one key in both directions, without and with a context.
both_verify() { # OUR_KEY THEIR_KEY PUBLIC
    local context file # not an empty file: `openssl pkeyutl` cannot read one
    for file in message byte big; do
        accepts "OpenSSL signs $file" openssl_sign "$2" $file theirs.sig
        accepts "we verify OpenSSL's signature of $file" our_verify "$3" $file theirs.sig
        accepts "we sign $file" our_sign "$1" $file ours.sig
        accepts "OpenSSL verifies our signature of $file" openssl_verify "$3" $file ours.sig
    done
    for context in c "a context of some length"; do
        accepts "OpenSSL signs in a context" \
            openssl_sign "$2" message theirs.sig -pkeyopt context-string:"$context"
        accepts "we verify in a context" \
            our_verify "$3" message theirs.sig --context "$context"
        accepts "we sign in a context" \
            our_sign "$1" message ours.sig --context "$context"
        accepts "OpenSSL verifies in a context" \
            openssl_verify "$3" message ours.sig -pkeyopt context-string:"$context"
        expect 1 "we refuse a missing context" our_verify "$3" message theirs.sig
        expect nonzero "OpenSSL refuses a missing context" openssl_verify "$3" message ours.sig
        expect 1 "we refuse another context" our_verify "$3" message theirs.sig --context other
        expect nonzero "OpenSSL refuses another context" \
            openssl_verify "$3" message ours.sig -pkeyopt context-string:other
    done
}

tampering() {
    local offset size
    our_sign our-seed.pem message good.sig > log
    size=$(stat -c %s good.sig)
    for offset in 0 40 $((size / 2)) $((size - 90)) $((size - 1)); do
        flip good.sig "$offset" bad.sig
        expect 1 "we refuse a flipped bit in byte $offset" our_verify our-seed.pub message bad.sig
        expect nonzero "OpenSSL refuses a flipped bit in byte $offset" \
            openssl_verify our-seed.pub message bad.sig
    done
    head -c $((size - 1)) good.sig > short.sig
    { cat good.sig; printf x; } > long.sig
    flip message 3 changed
    for offset in short long; do
        expect 1 "we refuse a $offset signature" our_verify our-seed.pub message $offset.sig
        expect nonzero "OpenSSL refuses a $offset signature" \
            openssl_verify our-seed.pub message $offset.sig
    done
    expect 1 "we refuse a changed file" our_verify our-seed.pub changed good.sig
    expect nonzero "OpenSSL refuses a changed file" openssl_verify our-seed.pub changed good.sig
    expect 1 "we refuse another key" our_verify our-both.pub message good.sig
    expect nonzero "OpenSSL refuses another key" openssl_verify our-both.pub message good.sig
}

certificates() {
    local key=our-seed.pem
    accepts "we make a certificate" sh -c "'$examples/x509_self_signed' $key > our.crt"
    accepts "OpenSSL verifies our certificate" openssl verify -CAfile our.crt our.crt
    accepts "our certificate holds our key" \
        sh -c "'$OPENSSL' x509 -in our.crt -noout -pubkey | cmp - our-seed.pub"
    flip_certificate our.crt bad.crt
    expect nonzero "OpenSSL refuses a certificate that was tampered with" \
        openssl verify -check_ss_sig -CAfile bad.crt bad.crt

    for key in our-seed.pem their-seed-priv.pem; do
        accepts "OpenSSL makes a certificate with $key" \
            openssl req -x509 -new -key $key -subj /CN=interop -days 2 -out their.crt
        accepts "the certificate comes apart" split_certificate their.crt tbs certificate.sig
        accepts "we verify OpenSSL's certificate" our_verify their.crt tbs certificate.sig
        accepts "we read OpenSSL's certificate" ours inspect their.crt
        flip tbs 30 changed
        expect 1 "we refuse a certificate that was tampered with" \
            our_verify their.crt changed certificate.sig
    done
}

# The last byte of a certificate belongs to the signature.
flip_certificate() { # PEM COPY
    openssl x509 -in "$1" -outform DER -out flip.der
    flip flip.der $(($(stat -c %s flip.der) - 1)) flipped.der
    openssl x509 -inform DER -in flipped.der -out "$2"
}

OPENSSL=$(realpath "$OPENSSL")
cd "$folder"
printf 'A message to be signed.\n' > message
printf x > byte
head -c 300000 /dev/zero | tr '\0' 'm' > big
for set in ML-DSA-44 ML-DSA-65 ML-DSA-87; do
    mkdir "$set"
    cd "$set"
    cp ../message ../byte ../big .
    before=$passed
    our_keys
    their_keys
    tampering
    certificates
    echo "$set: $((passed - before)) checks passed"
    cd ..
done

echo "interop with $("$OPENSSL" version | cut -d ' ' -f 1-2): $passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -eq 636 ]
