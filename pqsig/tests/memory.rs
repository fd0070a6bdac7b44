//! How much stack every operation takes, and how large the objects are: measured, held to limits,
//! and printed as the tables of `docs/memory.md`:
//!
//! ```text
//! cargo test --release -p pqsig --all-features --test memory -- --nocapture --test-threads=1
//! ```
//!
//! Optimised builds only: `tests/stack.rs` of each crate is about those that are not.
#![cfg(all(feature = "mldsa", feature = "fndsa"))]
#![cfg(not(debug_assertions))]
#![cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]

use core::{convert::Infallible, hint::black_box};
use pqsig::{
    fndsa, mldsa,
    rand_core::{TryCryptoRng, TryRng},
    signature::{RandomizedSigner, Signer, Verifier},
};

/// What a test thread has.
const STACK: usize = 1 << 20;
/// What is painted of it.
const PAINTED: usize = 600 << 10;
const PAINT: u8 = 0xA5;

/// Bytes of stack that `operation` takes below the frame of its caller, in a thread of its own.
fn stack_of(operation: impl FnOnce() + Send) -> usize {
    std::thread::scope(|scope| {
        std::thread::Builder::new()
            .stack_size(STACK)
            .spawn_scoped(scope, || painted(operation))
            .expect("starts")
            .join()
            .expect("does not panic")
    })
}

#[inline(never)]
fn painted(operation: impl FnOnce()) -> usize {
    let marker = black_box(0u8);
    // Beyond what the two calls of this function itself need.
    let top = (&raw const marker).addr() - 256;
    let bottom = top - PAINTED;
    paint(bottom, top);
    run(operation);
    top - first_unpainted(bottom, top)
}

/// A frame of its own for what `operation` has in its own.
#[inline(never)]
fn run(operation: impl FnOnce()) {
    operation();
}

#[inline(never)]
fn paint(bottom: usize, top: usize) {
    let _ = black_box(0u8);
    for address in bottom..top {
        // SAFETY: the stack of this thread, below every frame that is in use.
        unsafe { core::ptr::with_exposed_provenance_mut::<u8>(address).write_volatile(PAINT) };
    }
}

#[inline(never)]
fn first_unpainted(bottom: usize, top: usize) -> usize {
    (bottom..top)
        .find(|&address| {
            // SAFETY: as in `paint`, which initialised it.
            unsafe { core::ptr::with_exposed_provenance::<u8>(address).read_volatile() != PAINT }
        })
        .unwrap_or(top)
}

/// Makes something and drops it, in one place.
#[inline(always)]
fn make<T>(value: T) {
    black_box(&value);
}

/// Enough of a generator for this test.
struct Counter(u8);

impl TryRng for Counter {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        for byte in bytes {
            self.0 = self.0.wrapping_mul(5).wrapping_add(1);
            *byte = self.0;
        }
        Ok(())
    }
}

impl TryCryptoRng for Counter {}

/// The operations that are measured.
const OPERATIONS: [&str; 6] = [
    "key generation",
    "import",
    "signing",
    "verification",
    "prepared signing",
    "prepared verification",
];

/// What was measured of a set, in bytes.
struct Figures {
    set: &'static str,
    /// Of [`OPERATIONS`], beside the key or the signature that is made.
    stack: [usize; 6],
    /// Verifying key, signing key, signature, prepared verifying key, prepared signing key.
    objects: [usize; 5],
}

fn mldsa<P: mldsa::ParameterSet>() -> Figures {
    type Key<P> = mldsa::SigningKey<P>;
    let key = Box::new(Key::<P>::from_seed(&[1; 32]));
    let prepared = Box::new(key.prepare());
    let vk = Box::new(key.verifying_key().clone());
    let prepared_vk = Box::new(vk.prepare());
    let signature = Box::new(key.sign(b"message"));
    let expanded = Box::new(key.to_expanded_bytes());
    let expanded = (*expanded).as_ref();
    let (key_size, signature_size) = (size_of::<Key<P>>(), size_of::<mldsa::Signature<P>>());
    Figures {
        set: P::NAME,
        stack: [
            stack_of(|| make(Key::<P>::from_seed(&[2; 32]))) - key_size,
            stack_of(|| make(Key::<P>::from_expanded_bytes(expanded))) - key_size,
            // More than one attempt is needed for some.
            stack_of(|| (0..20u8).for_each(|i| make(key.sign(&[i])))) - signature_size,
            stack_of(|| make(vk.verify(b"message", &signature))),
            stack_of(|| (0..20u8).for_each(|i| make(prepared.sign(&[i])))) - signature_size,
            stack_of(|| make(prepared_vk.verify(b"message", &signature))),
        ],
        objects: [
            size_of::<mldsa::VerifyingKey<P>>(),
            key_size,
            signature_size,
            size_of::<mldsa::PreparedVerifyingKey<P>>(),
            size_of::<mldsa::PreparedSigningKey<P>>(),
        ],
    }
}

fn fndsa<P: fndsa::ParameterSet>() -> Figures {
    type Key<P> = fndsa::SigningKey<P>;
    let key = Box::new(Key::<P>::generate_from_rng(&mut Counter(1)));
    let prepared = key.prepare_boxed();
    let vk = Box::new(key.verifying_key().clone());
    let prepared_vk = Box::new(vk.prepare());
    let signature = Box::new(key.sign_with_rng(&mut Counter(2), b"message"));
    let encoded = Box::new(key.to_bytes());
    let encoded = (*encoded).as_ref();
    let sign = |i| make(key.sign_with_rng(&mut Counter(i), b"message"));
    let sign_prepared = |i| make(prepared.sign_with_rng(&mut Counter(i), b"message"));
    let (key_size, signature_size) = (size_of::<Key<P>>(), size_of::<fndsa::Signature<P>>());
    Figures {
        set: P::NAME,
        stack: [
            stack_of(|| make(Key::<P>::generate_from_rng(&mut Counter(3)))) - key_size,
            stack_of(|| make(Key::<P>::from_bytes(encoded))) - key_size,
            stack_of(|| (0..5).for_each(sign)) - signature_size,
            stack_of(|| make(vk.verify(b"message", &signature))),
            stack_of(|| (0..5).for_each(sign_prepared)) - signature_size,
            stack_of(|| make(prepared_vk.verify(b"message", &signature))),
        ],
        objects: [
            size_of::<fndsa::VerifyingKey<P>>(),
            key_size,
            signature_size,
            size_of::<fndsa::PreparedVerifyingKey<P>>(),
            size_of::<fndsa::PreparedSigningKey<P>>(),
        ],
    }
}

/// A row of a table.
fn row(set: &str, numbers: &[usize]) -> String {
    let numbers: Vec<_> = numbers.iter().map(usize::to_string).collect();
    format!("| {set} | {} |", numbers.join(" | "))
}

#[test]
fn stack_stays_within_limits() {
    let figures = [
        mldsa::<mldsa::MlDsa44>(),
        mldsa::<mldsa::MlDsa65>(),
        mldsa::<mldsa::MlDsa87>(),
        fndsa::<fndsa::FnDsa512>(),
        fndsa::<fndsa::FnDsa1024>(),
    ];
    // In kB, of OPERATIONS.
    let limits: [[usize; 6]; 5] = if cfg!(pqsig_small) {
        [
            [11, 13, 16, 8, 32, 13],
            [13, 15, 20, 8, 40, 15],
            [15, 17, 26, 8, 52, 20],
            [52, 22, 66, 4, 32, 4],
            [98, 42, 122, 6, 54, 6],
        ]
    } else {
        [
            [26, 38, 60, 27, 32, 13],
            [30, 42, 88, 29, 40, 15],
            [33, 46, 132, 34, 52, 20],
            [52, 22, 66, 4, 32, 4],
            [98, 42, 122, 6, 54, 6],
        ]
    };

    println!("\n| bytes of stack | {} |", OPERATIONS.join(" | "));
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for set in &figures {
        println!("{}", row(set.set, &set.stack));
    }
    println!(
        "\n| bytes | verifying key | signing key | signature | prepared verifying key | prepared signing key |"
    );
    println!("| --- | --- | --- | --- | --- | --- |");
    for set in &figures {
        println!("{}", row(set.set, &set.objects));
    }
    for (set, limits) in figures.iter().zip(limits) {
        for ((operation, bytes), limit) in OPERATIONS.iter().zip(set.stack).zip(limits) {
            let set = set.set;
            assert!(bytes > 1000, "{set}, {operation}: not measured");
            assert!(
                bytes <= limit << 10,
                "{set}, {operation}: {bytes} bytes, limit {limit} kB"
            );
        }
    }
}
