//! The message representative mu (FIPS 204, Algorithm 7, line 6; FN-DSA alike).
//!
//! Both families sign `mu = SHAKE256(H(vk) || M', 64)`, where `H(vk)` is the 64-byte hash of
//! the encoded verifying key and `M'` is
//!
//! ```text
//! 0x00 || len(ctx) || ctx || message              pure         (FIPS 204, Algorithms 2 and 3)
//! 0x01 || len(ctx) || ctx || OID || digest        pre-hash     (FIPS 204, Algorithms 4 and 5)
//! ```

use crate::{Error, PreHash, arch::Detected, shake::Shake256};

/// Length of mu in bytes.
pub const MU_LEN: usize = 64;

/// What precedes the message in the pure form with the empty context.
pub const PURE_HEADER: [u8; 2] = Context(&[]).header(false);

/// The longest context string, in bytes.
pub const MAX_CONTEXT_LEN: usize = 255;

/// A message representative.
pub type Mu = [u8; MU_LEN];

/// A context string of 0 to 255 bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Context<'a>(&'a [u8]);

impl<'a> Context<'a> {
    /// Checks the length.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`] for more than 255 bytes.
    pub fn new(bytes: &'a [u8]) -> Result<Self, Error> {
        if bytes.len() <= MAX_CONTEXT_LEN {
            Ok(Self(bytes))
        } else {
            Err(Error::ContextTooLong)
        }
    }

    /// The bytes.
    #[must_use]
    pub fn as_bytes(self) -> &'a [u8] {
        self.0
    }

    /// What precedes the context in `M'`: whether the message is hashed, and the length.
    pub(crate) const fn header(self, prehashed: bool) -> [u8; 2] {
        // At most 255 by construction.
        [prehashed as u8, self.0.len() as u8]
    }
}

/// Computes mu of a message that arrives in pieces of any length.
///
/// ```text
/// let mut builder = verifying_key.mu_builder(b"context")?;
/// builder.update(b"first piece, ");
/// builder.update(b"second piece");
/// verifying_key.verify_mu(&builder.finalize(), &signature)?;
/// ```
#[derive(Clone, Debug)]
pub struct MuBuilder(Shake256<Detected>);

impl MuBuilder {
    /// Starts the pure form. `key_hash` is the 64-byte hash of the verifying key; keys have a
    /// `mu_builder` method that passes their own.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`] for a context of more than 255 bytes.
    pub fn new(key_hash: &[u8; 64], context: &[u8]) -> Result<Self, Error> {
        Ok(Self::pure(key_hash, Context::new(context)?))
    }

    pub(crate) fn pure(key_hash: &[u8; 64], context: Context<'_>) -> Self {
        Self::start(key_hash, context, false)
    }

    pub(crate) fn prehash(key_hash: &[u8; 64], context: Context<'_>) -> Self {
        Self::start(key_hash, context, true)
    }

    fn start(key_hash: &[u8; 64], context: Context<'_>, prehashed: bool) -> Self {
        let mut shake = Shake256::new(Detected);
        shake.absorb(key_hash);
        shake.absorb(&context.header(prehashed));
        shake.absorb(context.as_bytes());
        Self(shake)
    }

    /// Appends a piece of the message.
    pub fn update(&mut self, data: &[u8]) {
        self.0.absorb(data);
    }

    /// Ends the message.
    #[must_use]
    pub fn finalize(self) -> Mu {
        let mut mu = [0; MU_LEN];
        self.0.finish().read(&mut mu);
        mu
    }
}

/// mu of the message `parts`, concatenated.
#[must_use]
pub fn pure(key_hash: &[u8; 64], context: Context<'_>, parts: &[&[u8]]) -> Mu {
    let mut builder = MuBuilder::pure(key_hash, context);
    parts.iter().for_each(|part| builder.update(part));
    builder.finalize()
}

/// mu of a message that was hashed beforehand.
///
/// # Errors
/// [`Error::DigestLength`] if `digest` is not of the length of `hash`.
pub fn prehashed(
    key_hash: &[u8; 64],
    context: Context<'_>,
    hash: PreHash,
    digest: &[u8],
) -> Result<Mu, Error> {
    hash.check(digest)?;
    let mut builder = MuBuilder::prehash(key_hash, context);
    builder.update(&hash.oid_der());
    builder.update(digest);
    Ok(builder.finalize())
}

/// mu of `M'` given in pieces (FIPS 204, Algorithms 7 and 8): no context, no header.
#[must_use]
pub fn internal(key_hash: &[u8; 64], m_prime: &[&[u8]]) -> Mu {
    let mut shake = Shake256::new(Detected);
    shake.absorb(key_hash);
    m_prime.iter().for_each(|part| shake.absorb(part));
    let mut mu = [0; MU_LEN];
    shake.finish().read(&mut mu);
    mu
}
