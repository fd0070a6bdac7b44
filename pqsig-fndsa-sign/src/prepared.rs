//! Signing keys with everything computed that depends on the key alone, and working memory that
//! the caller owns.

use crate::{
    Error, ParameterSet, Signature, SigningKey, VerifyingKey,
    flr::Selected,
    key::draw,
    sign::{Decomposing, Expanded, Request, Workspace},
};
use core::fmt;
use pqsig_comm::{
    adapter::{KeyHash, MuSigner},
    ct,
    mu::Mu,
};
use signature::{KeypairRef, rand_core::TryCryptoRng};
use zeroize::ZeroizeOnDrop;

/// A signing key with the transformed basis and the whole tree of its LDL decompositions: 63 kB
/// (512) or 125 kB (1024; 1 kB is 1024 bytes). Keep it in a `Box`. Wiped on drop.
///
/// Signs and exports like the [`SigningKey`] it was made from, with the same bytes. Signing does
/// no division and no square root.
pub struct PreparedSigningKey<P: ParameterSet> {
    expanded: Expanded<P, Selected>,
    key: SigningKey<P>,
}

impl<P: ParameterSet> PreparedSigningKey<P> {
    /// Prepares `key`.
    ///
    /// The value is built on the stack and returned by way of it: 160 kB of stack (512) or 300 kB
    /// (1024). With the feature `alloc`, `new_boxed` needs 100 or 180 kB.
    // Inlined it would cost the caller the stack for one more.
    #[inline(never)]
    #[must_use]
    pub fn new(key: &SigningKey<P>) -> Self {
        let mut prepared = Self::unprepared(key);
        prepared.expanded.fill(key.secret());
        prepared
    }

    /// Prepares `key` on the heap.
    #[cfg(feature = "alloc")]
    #[must_use]
    pub fn new_boxed(key: &SigningKey<P>) -> alloc::boxed::Box<Self> {
        let mut prepared = alloc::boxed::Box::new(Self::unprepared(key));
        prepared.expanded.fill(key.secret());
        prepared
    }

    #[inline(always)]
    fn unprepared(key: &SigningKey<P>) -> Self {
        Self {
            expanded: Expanded::ZERO,
            key: key.clone(),
        }
    }

    /// The key that this was made from.
    #[must_use]
    pub fn signing_key(&self) -> &SigningKey<P> {
        &self.key
    }

    /// The verifying key.
    #[must_use]
    pub fn verifying_key(&self) -> &VerifyingKey<P> {
        self.key.verifying_key()
    }

    /// As [`SigningKey::to_bytes`].
    #[must_use]
    pub fn to_bytes(&self) -> P::SigningKeyBytes {
        self.key.to_bytes()
    }

    /// As [`SigningKey::sign_with_scratch`].
    ///
    /// # Errors
    /// [`Error::RngFailed`]; [`Error::SigningFailed`], with a probability below 2^-240.
    pub fn sign_with_scratch<R: TryCryptoRng + ?Sized>(
        &self,
        scratch: &mut Scratch<P>,
        rng: &mut R,
        mu: &[u8; 64],
    ) -> Result<Signature<P>, Error> {
        self.sign_in(&mut scratch.workspace, mu, &*draw(rng)?)
    }

    fn sign_in(
        &self,
        workspace: &mut Workspace<P, Selected>,
        mu: &Mu,
        randomness: &[u8; 40],
    ) -> Result<Signature<P>, Error> {
        ct::secret(randomness);
        let request = Request {
            hedge: &self.key.secret().hedge,
            mu,
            randomness,
        };
        self.expanded.sign(workspace, request)
    }
}

impl<P: ParameterSet> KeyHash for PreparedSigningKey<P> {
    fn key_hash(&self) -> &[u8; 64] {
        self.key.key_hash()
    }
}

impl<P: ParameterSet> MuSigner for PreparedSigningKey<P> {
    type Signature = Signature<P>;
    type Randomness = [u8; 40];

    fn sign_mu_with_randomness(
        &self,
        mu: &Mu,
        randomness: &[u8; 40],
    ) -> Result<Signature<P>, Error> {
        let mut workspace = Workspace::ZERO;
        self.sign_in(&mut workspace, mu, randomness)
    }
}

pqsig_comm::signing_key_api!(PreparedSigningKey<P: ParameterSet>);

/// Fresh randomness each time, whatever a caller might expect of a signer without a generator.
#[cfg(feature = "getrandom")]
impl<P: ParameterSet> pqsig_comm::adapter::ImplicitRandomness for PreparedSigningKey<P> {
    fn implicit_randomness() -> Result<[u8; 40], Error> {
        draw(&mut getrandom::SysRng).map(|randomness| *randomness)
    }
}

#[cfg(feature = "getrandom")]
pqsig_comm::signer_traits!(PreparedSigningKey<P: ParameterSet>);

impl<P: ParameterSet> From<&SigningKey<P>> for PreparedSigningKey<P> {
    fn from(key: &SigningKey<P>) -> Self {
        Self::new(key)
    }
}

impl<P: ParameterSet> AsRef<VerifyingKey<P>> for PreparedSigningKey<P> {
    fn as_ref(&self) -> &VerifyingKey<P> {
        self.verifying_key()
    }
}

impl<P: ParameterSet> KeypairRef for PreparedSigningKey<P> {
    type VerifyingKey = VerifyingKey<P>;
}

/// Constant-time.
impl<P: ParameterSet> PartialEq for PreparedSigningKey<P> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<P: ParameterSet> Eq for PreparedSigningKey<P> {}

/// Its parts wipe themselves.
impl<P: ParameterSet> ZeroizeOnDrop for PreparedSigningKey<P> {}

impl<P: ParameterSet> fmt::Debug for PreparedSigningKey<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PreparedSigningKey")
            .field("set", &P::NAME)
            .finish_non_exhaustive()
    }
}

/// Working memory of one signature: 50 kB (512) or 100 kB (1024; 1 kB is 1024 bytes). Wiped on
/// drop; between signatures it holds secrets of the last one.
///
/// The methods without it put the same memory on the stack, and wipe it each time.
pub struct Scratch<P: ParameterSet> {
    pub(crate) workspace: Workspace<P, Selected>,
    pub(crate) decomposing: Decomposing<P, Selected>,
}

impl<P: ParameterSet> Scratch<P> {
    /// Fresh memory, for a `static` or a `Box`.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            workspace: Workspace::ZERO,
            decomposing: Decomposing::ZERO,
        }
    }
}

impl<P: ParameterSet> Default for Scratch<P> {
    fn default() -> Self {
        Self::new()
    }
}

/// Its parts wipe themselves.
impl<P: ParameterSet> ZeroizeOnDrop for Scratch<P> {}

impl<P: ParameterSet> fmt::Debug for Scratch<P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scratch").finish_non_exhaustive()
    }
}
