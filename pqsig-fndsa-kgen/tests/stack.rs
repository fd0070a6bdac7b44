//! Key generation fits the stack that the crate docs promise.

use core::convert::Infallible;
use pqsig_fndsa_kgen::{FnDsa512, FnDsa1024, GeneratedKey, ParameterSet, rand_core};
use std::thread;

/// Every call gives the same bytes.
struct Constant(u8);

impl rand_core::TryRng for Constant {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from(self.0))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from(self.0))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.fill(self.0);
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Constant {}

fn generate_in_thread<P: ParameterSet>(stack: usize) {
    let generate = || {
        for byte in 0..6 {
            let Ok(key) = GeneratedKey::<P>::try_generate_from_rng(&mut Constant(byte));
            assert_eq!(key.verifying_key().as_ref()[0], P::LOGN as u8);
        }
    };
    thread::Builder::new()
        .stack_size(stack)
        .spawn(generate)
        .unwrap()
        .join()
        .unwrap();
}

/// An unoptimised build (of the crate, that is; a test build may optimise) needs more.
#[test]
fn keys_are_generated_on_small_stacks() {
    generate_in_thread::<FnDsa512>(160 * 1024);
    generate_in_thread::<FnDsa1024>(224 * 1024);
}
