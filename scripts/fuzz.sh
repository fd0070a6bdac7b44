#!/usr/bin/env bash
# Fuzzes every target of `fuzz/` with libFuzzer, from valid inputs that are written first.
#
#   scripts/fuzz.sh [SECONDS] [TARGET...]      default: 60 seconds each, all targets
#
# Needs a nightly toolchain and cargo-fuzz, and installs them. What is found lies in
# `fuzz/artifacts`, and the exit code is not 0. The target `backends` compares with a portable build
# that has emulated floats and the least memory.
set -euo pipefail
cd "$(dirname "$0")/.."

export CARGO_TERM_COLOR=never CARGO_INCREMENTAL=0
unset RUSTFLAGS CARGO_TARGET_DIR
seconds=${1:-60}
shift || true
targets=("$@")
[ $# -gt 0 ] || targets=(backends private_key public_key raw_key serde sign verify)

rustup run nightly rustc --version || rustup toolchain install nightly --profile minimal
cargo fuzz --version 2>/dev/null || cargo install cargo-fuzz --locked
cd fuzz
cargo run --quiet --release --bin corpus
flags='--cfg pqsig_backend="portable" --cfg pqsig_fpr="emulated" --cfg pqsig_small'
RUSTFLAGS=$flags CARGO_TARGET_DIR=target/peer cargo build --quiet --release --bin backends
export PQSIG_FUZZ_PEER=$PWD/target/peer/release/backends
for target in "${targets[@]}"; do
    printf '\n=== %s\n' "$target"
    # Long enough for every kind of input. -len_control=0: short inputs lead nowhere here.
    cargo +nightly fuzz run "$target" -- -max_total_time="$seconds" -max_len=12000 -len_control=0 \
        -timeout=30 -rss_limit_mb=4096 -print_final_stats=1
done
