//! All of FN-DSA in one program without floating point of its own, for `scripts/check-instructions.sh`,
//! which reads its machine code. Run, it checks what it does.

use pqsig_fndsa_sign::{FnDsa512, FnDsa1024, ParameterSet, Scratch, Signature, SigningKey};
use pqsig_fndsa_vrfy::verify_batch;
use rand_core::{TryCryptoRng, TryRng};
use signature::{RandomizedSigner, Verifier};
use std::{hint::black_box, process::ExitCode};

fn main() -> ExitCode {
    let works = whole::<FnDsa512>() && whole::<FnDsa1024>();
    if works {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

#[inline(never)]
fn whole<P: ParameterSet>() -> bool {
    let rng = &mut Counter(1);
    let message = black_box(b"message".as_slice());
    let generated = SigningKey::<P>::generate_from_rng(rng);
    let encoded = generated.to_bytes();
    let Ok(key) = SigningKey::<P>::from_bytes(black_box(encoded.as_ref())) else {
        return false;
    };
    let prepared = Box::new(key.prepare());
    let mut scratch = Box::new(Scratch::new());
    let mu = {
        let Ok(mut builder) = key.verifying_key().mu_builder(b"") else {
            return false;
        };
        builder.update(message);
        builder.finalize()
    };
    let signatures: [Option<Signature<P>>; 4] = [
        key.try_sign_with_rng(rng, message).ok(),
        prepared.try_sign_with_rng(rng, message).ok(),
        key.sign_with_scratch(&mut scratch, rng, &mu).ok(),
        prepared.sign_with_scratch(&mut scratch, rng, &mu).ok(),
    ];
    let verifying = Box::new(key.verifying_key().prepare());
    let all = signatures
        .iter()
        .flatten()
        .map(|signature| (key.verifying_key(), message, signature));
    let all: Vec<_> = all.collect();
    all.len() == 4
        && verify_batch(&all, &mut [false; 4]).is_ok()
        && all.iter().all(|(key, message, signature)| {
            key.verify(message, signature).is_ok() && verifying.verify(message, signature).is_ok()
        })
}

/// Enough of a generator for this program.
struct Counter(u64);

impl TryRng for Counter {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = self
            .0
            .wrapping_mul(0x2545_f491_4f6c_dd1d)
            .wrapping_add(0x9e37_79b9_7f4a_7c15);
        Ok(self.0)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for byte in out {
            *byte = (self.try_next_u64()? >> 56) as u8;
        }
        Ok(())
    }
}

impl TryCryptoRng for Counter {}
