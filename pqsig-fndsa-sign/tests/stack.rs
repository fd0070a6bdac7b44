//! LESSONS L73: everything works in a thread with 512 kB of stack, and in one with 256 kB if the
//! code is optimised.
#![cfg(feature = "kgen")]

use core::convert::Infallible;
use pqsig_fndsa_sign::{FnDsa512, FnDsa1024, ParameterSet, Scratch, Signature, SigningKey};
use signature::{
    RandomizedSigner, Verifier,
    rand_core::{TryCryptoRng, TryRng},
};

struct Constant;

impl TryRng for Constant {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(1)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(1)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(1);
        Ok(())
    }
}

impl TryCryptoRng for Constant {}

/// The workspace optimises its test profile; `PQSIG_STACK_KB=512` is for a run that does not.
fn small() -> usize {
    std::env::var("PQSIG_STACK_KB").map_or(256, |kb| kb.parse().expect("a number"))
}

fn in_thread(kilobytes: usize, work: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new()
        .stack_size(kilobytes << 10)
        .spawn(work)
        .expect("a thread")
        .join()
        .expect("it works");
}

fn everything<P: ParameterSet>(by_value: usize) {
    in_thread(small(), || {
        let key = SigningKey::<P>::generate_from_rng(&mut Constant);
        let copy = SigningKey::<P>::from_bytes(key.to_bytes().as_ref()).expect("a key");
        assert!(key.clone() == copy);
        let signature: Signature<P> = key.sign_with_rng(&mut Constant, b"message");
        let verdict = key.verifying_key().verify(b"message", &signature);
        assert!(verdict.is_ok());
    });
    in_thread(small(), || {
        let key = SigningKey::<P>::generate_from_rng(&mut Constant);
        let mut scratch = Box::new(Scratch::new());
        let signature = key.sign_with_scratch(&mut scratch, &mut Constant, &[1; 64]);
        assert!(signature.is_ok());
    });
    #[cfg(feature = "alloc")]
    in_thread(small(), || {
        let prepared = SigningKey::<P>::generate_from_rng(&mut Constant).prepare_boxed();
        let signature: Signature<P> = prepared.sign_with_rng(&mut Constant, b"message");
        let verdict = prepared.verifying_key().verify(b"message", &signature);
        assert!(verdict.is_ok());
    });
    // By value, in a thread of the size that the documentation states, and 16 kB for the rest.
    in_thread(small() - 256 + by_value + 16, || {
        let key = SigningKey::<P>::generate_from_rng(&mut Constant);
        assert!(key.prepare().signing_key() == &key);
    });
}

#[test]
fn stack_of_512() {
    everything::<FnDsa512>(160);
}

#[test]
fn stack_of_1024() {
    everything::<FnDsa1024>(300);
}
