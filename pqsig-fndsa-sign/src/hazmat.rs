//! Signing with a given seed, for test vectors.
//!
//! <div class="warning">
//!
//! Two different signatures of one message under one key and one seed give the key away, and it
//! takes one rounding difference between two machines, compilers or versions of this crate to
//! make them. Never sign the same message representative with the same seed in two places, and
//! never derive the seed from the message.
//!
//! </div>

use crate::{ParameterSet, Signature, SigningKey};
use pqsig_comm::{Error, adapter::MuSigner};

/// Signs a message representative with the 40 bytes that a random number generator would have
/// given.
///
/// # Errors
/// [`Error::SigningFailed`], with a probability below 2^-240.
pub fn sign_with_seed<P: ParameterSet>(
    key: &SigningKey<P>,
    mu: &[u8; 64],
    seed: &[u8; 40],
) -> Result<Signature<P>, Error> {
    key.sign_mu_with_randomness(mu, seed)
}
