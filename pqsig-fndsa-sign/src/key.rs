//! The signing key.

use crate::{
    ParameterSet, PreparedSigningKey, Scratch, Signature, VerifyingKey,
    secret::{self, Secret},
    sign::Request,
};
use core::fmt;
use pqsig_comm::{
    Error,
    adapter::{KeyHash, MuSigner},
    ct,
    encoding::ByteArray,
    mu::Mu,
};
use signature::{KeypairRef, rand_core::TryCryptoRng};
use zeroize::{ZeroizeOnDrop, Zeroizing};

/// An FN-DSA signing key: the encoded key, G and the verifying key: 3 kB (512) or 5 kB (1024; 1
/// kB is 1024 bytes) in memory. Wiped on drop.
///
/// FIPS 206 is not published: the scheme is the best guess that the crate `fn-dsa` 0.4.0
/// implements, and it will change with the standard.
///
/// There is no deterministic signer. With the feature `getrandom`, `Signer` draws fresh
/// randomness from the operating system; `RandomizedSigner` draws 40 bytes from the caller's
/// generator. See the [security notes](crate#why-there-is-no-deterministic-signer).
#[derive(Clone)]
pub struct SigningKey<P: ParameterSet> {
    secret: Secret<P>,
    verifying_key: VerifyingKey<P>,
}

impl<P: ParameterSet> SigningKey<P> {
    /// Length of the encoding in bytes.
    pub const LEN: usize = P::SIGNING_KEY_LEN;

    /// The key with this encoding (see [`Self::to_bytes`]).
    ///
    /// Refused is what could not sign: coefficients out of range, f that is not invertible, f and
    /// g that are too long, F that does not solve the NTRU equation with a G in range, a hash
    /// that is not that of the verifying key.
    ///
    /// # Errors
    /// [`Error::InvalidLength`] unless `bytes` has [`SigningKey::LEN`] bytes (1345 or 2369);
    /// [`Error::InvalidKey`] if a check fails.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        ct::secret(bytes);
        let mut secret = Secret::ZERO;
        secret.bytes = P::SigningKeyBytes::from_slice(bytes)?;
        let mut vk = P::VerifyingKeyBytes::ZERO;
        secret::import::<P>(&mut secret, &mut vk)?;
        let verifying_key = VerifyingKey::from_bytes(vk.as_ref())?;
        let hash = secret.stored_key_hash().ok_or(Error::InvalidKey)?;
        if ct::public_flag(ct::eq(verifying_key.key_hash(), hash)) {
            Ok(Self {
                secret,
                verifying_key,
            })
        } else {
            Err(Error::InvalidKey)
        }
    }

    /// The encoding: 1345 (512) or 2369 bytes (1024). A secret: wipe it after use.
    #[must_use]
    pub fn to_bytes(&self) -> P::SigningKeyBytes {
        self.secret.bytes
    }

    /// The verifying key.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }

    /// Computes what depends on the key alone, for signing many messages with it.
    ///
    /// The result is large: 63 kB (512) and 125 kB (1024). Keep it in a `Box`; best, let
    /// [`SigningKey::prepare_boxed`] make it there.
    #[must_use]
    pub fn prepare(&self) -> PreparedSigningKey<P> {
        PreparedSigningKey::new(self)
    }

    /// As [`SigningKey::prepare`], on the heap: 100 kB (512) or 180 kB (1024) of stack do.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn prepare_boxed(&self) -> alloc::boxed::Box<PreparedSigningKey<P>> {
        PreparedSigningKey::new_boxed(self)
    }

    /// Signs a message representative in memory of the caller's, with 40 bytes of `rng`, drawn in
    /// one call. The representative comes from [`SigningKey::mu_builder`].
    ///
    /// # Errors
    /// [`Error::RngFailed`]; [`Error::SigningFailed`], with a probability below 2^-240.
    pub fn sign_with_scratch<R: TryCryptoRng + ?Sized>(
        &self,
        scratch: &mut Scratch<P>,
        rng: &mut R,
        mu: &[u8; 64],
    ) -> Result<Signature<P>, Error> {
        self.sign_in(scratch, mu, &*draw(rng)?)
    }

    pub(crate) const fn secret(&self) -> &Secret<P> {
        &self.secret
    }

    fn sign_in(
        &self,
        scratch: &mut Scratch<P>,
        mu: &Mu,
        randomness: &[u8; 40],
    ) -> Result<Signature<P>, Error> {
        ct::secret(randomness);
        let request = Request {
            hedge: &self.secret.hedge,
            mu,
            randomness,
        };
        (scratch.decomposing).sign(&self.secret, &mut scratch.workspace, request)
    }
}

#[cfg(feature = "kgen")]
mod generate {
    use super::{ParameterSet, Secret, SigningKey, TryCryptoRng, VerifyingKey};
    use pqsig_fndsa_kgen::GeneratedKey;
    use signature::rand_core::CryptoRng;

    impl<P: ParameterSet> SigningKey<P> {
        /// A fresh key from 32 bytes of `rng`, drawn in one call.
        #[must_use]
        pub fn generate_from_rng<R: CryptoRng + ?Sized>(rng: &mut R) -> Self {
            let Ok(key) = Self::try_generate_from_rng(rng);
            key
        }

        /// A fresh key from 32 bytes of `rng`, drawn in one call.
        ///
        /// # Errors
        /// That of `rng`.
        pub fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(
            rng: &mut R,
        ) -> Result<Self, R::Error> {
            loop {
                let generated = GeneratedKey::<P>::try_generate_from_rng(rng)?;
                // The verifying key of a generated key is valid: there is no second turn.
                if let Ok(verifying_key) =
                    VerifyingKey::from_bytes(generated.verifying_key().as_ref())
                {
                    return Ok(Self {
                        secret: Secret::of_generated(&generated),
                        verifying_key,
                    });
                }
            }
        }

        /// A fresh key from the operating system's random number generator.
        ///
        /// # Panics
        /// If the operating system delivers no random bytes; [`SigningKey::try_generate`] does
        /// not.
        #[cfg(feature = "getrandom")]
        #[must_use]
        pub fn generate() -> Self {
            Self::try_generate().expect("the operating system's random number generator failed")
        }

        /// A fresh key from the operating system's random number generator.
        ///
        /// # Errors
        /// [`Error::RngFailed`](crate::Error::RngFailed).
        #[cfg(feature = "getrandom")]
        pub fn try_generate() -> Result<Self, crate::Error> {
            Self::try_generate_from_rng(&mut getrandom::SysRng).map_err(|_| crate::Error::RngFailed)
        }
    }

    impl<P: ParameterSet> crypto_common::Generate for SigningKey<P> {
        fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
            Self::try_generate_from_rng(rng)
        }
    }
}

impl<P: ParameterSet> KeyHash for SigningKey<P> {
    fn key_hash(&self) -> &[u8; 64] {
        self.verifying_key.key_hash()
    }
}

impl<P: ParameterSet> MuSigner for SigningKey<P> {
    type Signature = Signature<P>;
    type Randomness = [u8; 40];

    fn sign_mu_with_randomness(
        &self,
        mu: &Mu,
        randomness: &[u8; 40],
    ) -> Result<Signature<P>, Error> {
        let mut scratch = Scratch::new();
        self.sign_in(&mut scratch, mu, randomness)
    }
}

pqsig_comm::signing_key_api!(SigningKey<P: ParameterSet>);

/// Fresh randomness each time, whatever a caller might expect of a signer without a generator.
#[cfg(feature = "getrandom")]
impl<P: ParameterSet> pqsig_comm::adapter::ImplicitRandomness for SigningKey<P> {
    fn implicit_randomness() -> Result<[u8; 40], Error> {
        draw(&mut getrandom::SysRng).map(|randomness| *randomness)
    }
}

#[cfg(feature = "getrandom")]
pqsig_comm::signer_traits!(SigningKey<P: ParameterSet>);

/// The random bytes of one signature, in one call.
pub(crate) fn draw<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Zeroizing<[u8; 40]>, Error> {
    let mut randomness = Zeroizing::new([0; 40]);
    rng.try_fill_bytes(&mut *randomness)
        .map_err(|_| Error::RngFailed)?;
    Ok(randomness)
}

impl<P: ParameterSet> AsRef<VerifyingKey<P>> for SigningKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        &self.verifying_key
    }
}

impl<P: ParameterSet> KeypairRef for SigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
}

impl<P: ParameterSet> TryFrom<&[u8]> for SigningKey<P> {
    type Error = Error;

    fn try_from(bytes: &[u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

/// Constant-time.
impl<P: ParameterSet> PartialEq for SigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        ct::public_flag(ct::eq(
            self.secret.bytes.as_ref(),
            other.secret.bytes.as_ref(),
        ))
    }
}

impl<P: ParameterSet> Eq for SigningKey<P> {}

/// The secret part wipes itself.
impl<P: ParameterSet> ZeroizeOnDrop for SigningKey<P> {}

impl<P: ParameterSet> fmt::Debug for SigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningKey")
            .field("set", &P::NAME)
            .finish_non_exhaustive()
    }
}
