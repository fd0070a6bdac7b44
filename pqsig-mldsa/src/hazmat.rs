//! The internal functions of FIPS 204 (section 6), for test vectors and for protocols that build
//! `M'` themselves.
//!
//! <div class="warning">
//!
//! Signatures made here have no domain separation of their own: an `M'` that begins with the
//! wrong bytes is a signature of some other message or context. FIPS 204 allows these functions
//! for testing only. Use the `signature` traits, contexts and pre-hashing instead.
//!
//! </div>

use crate::{ParameterSet, Signature, SigningKey, VerifyingKey};
use pqsig_comm::{
    Error,
    adapter::{KeyHash, MuSigner},
    mu,
};

/// FIPS 204, Algorithm 7 (`ML-DSA.Sign_internal`). `m_prime` is M' in pieces, concatenated.
///
/// # Errors
/// [`Error::SigningFailed`], with a probability below 2^-256.
pub fn sign_internal<P: ParameterSet>(
    key: &SigningKey<P>,
    m_prime: &[&[u8]],
    rnd: &[u8; 32],
) -> Result<Signature<P>, Error> {
    key.sign_mu_with_randomness(&mu::internal(key.key_hash(), m_prime), rnd)
}

/// FIPS 204, Algorithm 8 (`ML-DSA.Verify_internal`). `m_prime` is M' in pieces, concatenated.
///
/// # Errors
/// [`Error::InvalidSignature`].
pub fn verify_internal<P: ParameterSet>(
    key: &VerifyingKey<P>,
    m_prime: &[&[u8]],
    signature: &Signature<P>,
) -> Result<(), Error> {
    key.verify_mu(&mu::internal(key.key_hash(), m_prime), signature)
}

/// Signs a message representative with the given `rnd`: line 7 on of Algorithm 7.
///
/// # Errors
/// [`Error::SigningFailed`], with a probability below 2^-256.
pub fn sign_mu_with_rnd<P: ParameterSet>(
    key: &SigningKey<P>,
    mu: &[u8; 64],
    rnd: &[u8; 32],
) -> Result<Signature<P>, Error> {
    key.sign_mu_with_randomness(mu, rnd)
}
