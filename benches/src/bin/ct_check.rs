//! The operations that handle secrets, for `scripts/ct-check.sh`, which runs this under valgrind
//! with every secret marked as undefined: `ct_check [CASE...]`, all of them without a name.
//!
//! `planted-branch`, `planted-index` and `planted-early-exit` do what the library must not do.

use pqsig_comm::ct;
use pqsig_fndsa_sign as fndsa;
use pqsig_mldsa as mldsa;
use rand_core::{TryCryptoRng, TryRng};
use signature::{RandomizedSigner, Signer, Verifier};
use std::{env, hint::black_box, process::ExitCode};

const MESSAGES: u8 = 3;

fn main() -> ExitCode {
    let wanted: Vec<_> = env::args().skip(1).collect();
    let cases: [(&str, fn()); 8] = [
        ("ml-dsa-44", ml_dsa::<mldsa::MlDsa44>),
        ("ml-dsa-65", ml_dsa::<mldsa::MlDsa65>),
        ("ml-dsa-87", ml_dsa::<mldsa::MlDsa87>),
        ("fn-dsa-512", fn_dsa::<fndsa::FnDsa512>),
        ("fn-dsa-1024", fn_dsa::<fndsa::FnDsa1024>),
        ("planted-branch", planted_branch),
        ("planted-index", planted_index),
        ("planted-early-exit", planted_early_exit),
    ];
    let mut run = 0;
    for (name, case) in cases {
        let planted = name.starts_with("planted");
        if wanted.iter().any(|wanted| wanted == name) || (wanted.is_empty() && !planted) {
            println!("{name}");
            case();
            run += 1;
        }
    }
    if run > 0 && (wanted.is_empty() || run == wanted.len()) {
        ExitCode::SUCCESS
    } else {
        eprintln!("unknown case");
        ExitCode::FAILURE
    }
}

/// Key generation, signing in every way, export and import. The library itself marks seeds,
/// imported keys and randomness as secret.
fn ml_dsa<P: mldsa::ParameterSet>() {
    let mut rng = SecretBytes(1);
    let key = mldsa::SigningKey::<P>::generate_from_rng(&mut rng);
    let imported = mldsa::SigningKey::<P>::from_expanded_bytes(key.to_expanded_bytes().as_ref());
    let imported = imported.expect("a valid key");
    assert!(imported == key);
    let prepared = [
        Box::new(key.prepare()),
        Box::new(mldsa::PreparedSigningKey::from_seed(
            key.seed().expect("generated"),
        )),
        Box::new(
            mldsa::PreparedSigningKey::from_expanded_bytes(key.to_expanded_bytes().as_ref())
                .expect("a valid key"),
        ),
    ];
    let mut spoilt = key.to_expanded_bytes();
    spoilt.as_mut()[200] ^= 1;
    assert!(mldsa::SigningKey::<P>::from_expanded_bytes(spoilt.as_ref()).is_err());
    for i in 0..MESSAGES {
        let message = [i; 40];
        let mut signatures = vec![
            key.sign(&message),
            imported.sign(&message),
            key.sign_with_rng(&mut rng, &message),
        ];
        for key in &prepared {
            signatures.push(key.sign(&message));
            signatures.push(key.sign_with_rng(&mut rng, &message));
        }
        for signature in signatures {
            assert!(key.verifying_key().verify(&message, &signature).is_ok());
        }
    }
}

fn fn_dsa<P: fndsa::ParameterSet>() {
    let mut rng = SecretBytes(2);
    let key = fndsa::SigningKey::<P>::generate_from_rng(&mut rng);
    let imported = fndsa::SigningKey::<P>::from_bytes(key.to_bytes().as_ref());
    let imported = imported.expect("a valid key");
    assert!(imported == key);
    let prepared = Box::new(key.prepare());
    for i in 0..MESSAGES {
        let message = [i; 40];
        for signature in [
            key.sign_with_rng(&mut rng, &message),
            imported.sign_with_rng(&mut rng, &message),
            prepared.sign_with_rng(&mut rng, &message),
        ] {
            assert!(key.verifying_key().verify(&message, &signature).is_ok());
        }
    }
}

/// A generator whose output is secret.
struct SecretBytes(u64);

impl TryRng for SecretBytes {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        self.try_next_u64().map(|word| word as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        self.0 = (self.0)
            .wrapping_mul(0x2545_f491_4f6c_dd1d)
            .wrapping_add(0x9e37_79b9_7f4a_7c15);
        Ok(self.0)
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        for byte in &mut *out {
            *byte = (self.try_next_u64()? >> 56) as u8;
        }
        ct::secret(out);
        Ok(())
    }
}

impl TryCryptoRng for SecretBytes {}

fn secret_bytes() -> [u8; 32] {
    let bytes = black_box([7; 32]);
    ct::secret(&bytes);
    black_box(bytes)
}

#[inline(never)]
fn planted_branch() {
    if secret_bytes()[5] & 1 == 1 {
        println!("one");
    }
}

#[inline(never)]
fn planted_index() {
    let table: [u8; 256] = black_box(core::array::from_fn(|i| i as u8));
    black_box(table[usize::from(secret_bytes()[6])]);
}

#[inline(never)]
fn planted_early_exit() {
    let (secret, guess) = (secret_bytes(), black_box([7; 32]));
    for (secret, guess) in secret.iter().zip(&guess) {
        if black_box(secret) != black_box(guess) {
            return;
        }
    }
    println!("equal");
}
