//! What broke in other libraries, one test for each entry of the project's list of lessons that
//! a test of the public API can hold. The number of the entry is in the name.
//!
//! Elsewhere: L02 in `robustness` (10,000 rounds), L12, L42 and L43 in `wycheproof` and
//! `vectors`, L15 in the counts of every harness, L17 in the kernel tests of each backend, L41
//! in the unit tests of the prepared key, L46 in the constant-time runs, L73 in `stack.rs`, L77
//! in `traits`.

mod context;
mod decoding;
mod keys;
mod signing;

use crate::{
    common::{Set, Stream, signature},
    fips204::{self, Poly, Vector},
};
use pqsig_mldsa::{PreparedVerifyingKey, VerifyingKey};

/// The key with t1 = 0, for which anyone can sign: the challenge does not enter w'. With it
/// every part of a signature can be chosen freely and the rest made to fit.
struct ZeroKey<P: Set> {
    plain: VerifyingKey<P>,
    prepared: PreparedVerifyingKey<P>,
    rho: [u8; 32],
    mu: [u8; 64],
}

impl<P: Set> ZeroKey<P> {
    fn new(stream: &mut Stream) -> Self {
        let rho: [u8; 32] = stream.array();
        let mut bytes = vec![0; VerifyingKey::<P>::LEN];
        bytes[..32].copy_from_slice(&rho);
        let plain = VerifyingKey::from_bytes(&bytes).expect("any bytes are a key");
        Self {
            prepared: plain.prepare(),
            plain,
            rho,
            mu: stream.array(),
        }
    }

    /// The challenge that fits w1 = UseHint(h, A z).
    fn challenge(&self, z: &Vector, hint: &Vector) -> Vec<u8> {
        let w = if z.iter().flatten().all(|&c| c == 0) {
            vec![vec![0; 256]; P::NUMBERS.k]
        } else {
            let z_hat = z.iter().map(fips204::ntt).collect();
            let w_hat = fips204::matrix_vector_ntt(&P::NUMBERS.expand_a(&self.rho), &z_hat);
            w_hat.iter().map(fips204::inverse_ntt).collect()
        };
        self.challenge_for(&w, |r, h| P::NUMBERS.use_hint(h, r), hint)
    }

    fn challenge_for(
        &self,
        w: &Vector,
        use_hint: impl Fn(i64, bool) -> i64,
        hint: &Vector,
    ) -> Vec<u8> {
        let high = |(w, h): (&Poly, &Poly)| {
            let pairs = w.iter().zip(h);
            pairs.map(|(&r, &h)| use_hint(r, h == 1)).collect()
        };
        let w1 = P::NUMBERS.w1_encode(&w.iter().zip(hint).map(high).collect());
        fips204::h(&[&self.mu, &w1], P::NUMBERS.lambda / 4)
    }

    /// A valid signature with z = 0 and this hint.
    fn sign(&self, hint: &Vector) -> Vec<u8> {
        let z = zero_z::<P>();
        P::NUMBERS.sig_encode(&self.challenge(&z, hint), &z, hint)
    }

    /// The verdict on `bytes`, of the plain and the prepared key and of the oracle.
    #[track_caller]
    fn verdict(&self, bytes: &[u8]) -> bool {
        let signature = signature::<P>(bytes);
        let verdict = self.plain.verify_mu(&self.mu, &signature).is_ok();
        let prepared = self.prepared.verify_mu(&self.mu, &signature).is_ok();
        assert_eq!(prepared, verdict, "plain and prepared key disagree");
        verdict
    }

    fn oracle(&self, bytes: &[u8]) -> bool {
        P::NUMBERS.verify_mu(self.plain.as_bytes(), &self.mu, bytes, true)
    }
}

fn zero_z<P: Set>() -> Vector {
    vec![vec![0; 256]; P::NUMBERS.l]
}

/// A hint with the given positions set, polynomial by polynomial.
fn hint_at<P: Set>(positions: &[(usize, usize)]) -> Vector {
    let mut hint = vec![vec![0; 256]; P::NUMBERS.k];
    for &(i, j) in positions {
        hint[i][j] = 1;
    }
    hint
}

/// The encoded hint at the end of a signature.
fn hint_bytes<P: Set>(signature: &mut [u8]) -> &mut [u8] {
    let len = P::NUMBERS.omega + P::NUMBERS.k;
    let start = signature.len() - len;
    &mut signature[start..]
}
