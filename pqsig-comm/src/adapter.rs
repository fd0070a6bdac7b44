//! Keys with a context or a pre-hash, and the `signature` traits on top of them.
//!
//! A key implements three small traits ([`KeyHash`], [`MuSigner`], [`MuVerifier`]); everything
//! else follows here, once for all families: [`WithContext`] and [`Prehashed`] implement each
//! `signature` trait generically, and the macros [`signing_key_api!`](crate::signing_key_api), [`signer_traits!`](crate::signer_traits) and
//! [`verifying_key_api!`](crate::verifying_key_api) give the keys themselves the same by way of an empty context.

use crate::{
    Error, PreHash, PrehashDigest,
    encoding::ByteArray,
    mu::{self, Context, Mu, MuBuilder},
    prehash::MAX_DIGEST_LEN,
};
use core::{fmt, marker::PhantomData};
use digest::{ExtendableOutput, Update, XofReader};
use signature::{
    DigestSigner, DigestVerifier, KeypairRef, MultipartSigner, MultipartVerifier,
    RandomizedDigestSigner, RandomizedMultipartSigner, RandomizedSigner, Signer, Verifier,
    rand_core::TryCryptoRng,
};
use zeroize::Zeroizing;

/// A key that knows the hash of the encoded verifying key: `tr` in FIPS 204, `hvk` in FN-DSA.
pub trait KeyHash {
    /// The 64-byte hash.
    fn key_hash(&self) -> &[u8; 64];
}

/// A key that signs a message representative.
pub trait MuSigner: KeyHash {
    /// What it makes.
    type Signature;
    /// The random bytes that one signature takes: 32 for ML-DSA, 40 for FN-DSA.
    type Randomness: ByteArray;

    /// Signs `mu`.
    ///
    /// # Errors
    /// [`Error::SigningFailed`] if the bounded number of attempts did not suffice.
    fn sign_mu_with_randomness(
        &self,
        mu: &Mu,
        randomness: &Self::Randomness,
    ) -> Result<Self::Signature, Error>;
}

/// A key that can sign without being handed a random number generator.
pub trait ImplicitRandomness: MuSigner {
    /// The random bytes for a signature of `Signer`: zeros for deterministic ML-DSA, fresh bytes
    /// from the operating system for FN-DSA.
    ///
    /// # Errors
    /// [`Error::RngFailed`] if the operating system does not deliver.
    fn implicit_randomness() -> Result<Self::Randomness, Error>;
}

/// A key that verifies a signature of a message representative.
pub trait MuVerifier: KeyHash {
    /// What it verifies.
    type Signature;

    /// Verifies `signature` on `mu`.
    ///
    /// # Errors
    /// [`Error::InvalidSignature`] if it does not verify.
    fn check_mu(&self, mu: &Mu, signature: &Self::Signature) -> Result<(), Error>;
}

/// Signs `mu` with random bytes from `rng`, in one call.
///
/// # Errors
/// [`Error::RngFailed`] if `rng` fails; [`Error::SigningFailed`] as in [`MuSigner`].
#[inline(always)]
pub fn sign_mu_with_rng<K: MuSigner, R: TryCryptoRng + ?Sized>(
    key: &K,
    rng: &mut R,
    mu: &Mu,
) -> Result<K::Signature, Error> {
    let mut randomness = Zeroizing::new(K::Randomness::ZERO);
    rng.try_fill_bytes(randomness.as_mut())
        .map_err(|_| Error::RngFailed)?;
    key.sign_mu_with_randomness(mu, &randomness)
}

// Inlined, so that the signature is not copied on its way out.
#[inline(always)]
fn sign_mu_implicitly<K: ImplicitRandomness>(key: &K, mu: &Mu) -> Result<K::Signature, Error> {
    let randomness = Zeroizing::new(K::implicit_randomness()?);
    key.sign_mu_with_randomness(mu, &randomness)
}

/// A key together with a context string of at most 255 bytes.
///
/// Made by the `with_context` method of the keys. It signs or verifies with the traits of
/// `signature` as the key itself does with the empty context.
pub struct WithContext<'a, K> {
    key: &'a K,
    context: Context<'a>,
}

impl<'a, K> WithContext<'a, K> {
    /// Ties `key` to `context`.
    ///
    /// # Errors
    /// [`Error::ContextTooLong`] for a context of more than 255 bytes.
    pub fn new(key: &'a K, context: &'a [u8]) -> Result<Self, Error> {
        let context = Context::new(context)?;
        Ok(Self { key, context })
    }

    /// Ties `key` to the empty context.
    #[must_use]
    pub fn empty(key: &'a K) -> Self {
        Self {
            key,
            context: Context::default(),
        }
    }

    /// The key.
    #[must_use]
    pub fn key(&self) -> &'a K {
        self.key
    }

    /// The context string.
    #[must_use]
    pub fn context(&self) -> &'a [u8] {
        self.context.as_bytes()
    }

    /// The same key and context, over the digest `D` of the message (HashML-DSA, HashFN-DSA).
    #[must_use]
    pub fn prehash<D: PrehashDigest>(self) -> Prehashed<'a, K, D> {
        Prehashed {
            inner: self,
            digest: PhantomData,
        }
    }
}

impl<K: KeyHash> WithContext<'_, K> {
    fn mu(&self, parts: &[&[u8]]) -> Mu {
        mu::pure(self.key.key_hash(), self.context, parts)
    }

    /// mu of a digest computed elsewhere.
    ///
    /// # Errors
    /// [`Error::DigestLength`] if `digest` is not of the length of `hash`.
    pub fn mu_prehashed(&self, hash: PreHash, digest: &[u8]) -> Result<Mu, Error> {
        mu::prehashed(self.key.key_hash(), self.context, hash, digest)
    }

    /// mu of the message that `feed` writes.
    fn mu_streamed(
        &self,
        feed: impl Fn(&mut shake::Shake256) -> Result<(), signature::Error>,
    ) -> Result<Mu, signature::Error> {
        let mut digest = shake::Shake256::default();
        digest.update(self.key.key_hash());
        digest.update(&self.context.header(false));
        digest.update(self.context.as_bytes());
        feed(&mut digest)?;
        let mut mu = [0; mu::MU_LEN];
        digest.finalize_xof().read(&mut mu);
        Ok(mu)
    }
}

/// A key and a context over the digest `D` of the message: HashML-DSA (FIPS 204, Algorithms 4
/// and 5) and HashFN-DSA.
///
/// Made by the `prehash` method of the keys and of [`WithContext`]. `Signer` and `Verifier` take
/// the message and hash it; `DigestSigner<D, _>` and `DigestVerifier<D, _>` let it stream in.
pub struct Prehashed<'a, K, D> {
    inner: WithContext<'a, K>,
    digest: PhantomData<fn() -> D>,
}

impl<K: KeyHash, D: PrehashDigest> Prehashed<'_, K, D> {
    fn mu(&self, parts: &[&[u8]]) -> Mu {
        let mut digest = D::default();
        parts.iter().for_each(|part| digest.update(part));
        self.mu_of(digest)
    }

    fn mu_streamed(
        &self,
        feed: impl Fn(&mut D) -> Result<(), signature::Error>,
    ) -> Result<Mu, signature::Error> {
        let mut digest = D::default();
        feed(&mut digest)?;
        Ok(self.mu_of(digest))
    }

    fn mu_of(&self, digest: D) -> Mu {
        let mut bytes = [0; MAX_DIGEST_LEN];
        let bytes = &mut bytes[..D::PREHASH.digest_len()];
        digest.finalize_prehash(bytes);
        let mut builder = MuBuilder::prehash(self.inner.key.key_hash(), self.inner.context);
        builder.update(&D::PREHASH.oid_der());
        builder.update(bytes);
        builder.finalize()
    }
}

/// Implements the traits of `signature` for an adapter whose methods `mu` and `mu_streamed` say
/// what is signed, and passes the traits about the key through.
macro_rules! adapter_traits {
    ($adapter:ident<$($param:ident $(: $bound:ident)?),*>, key: $($key:ident).+, digest: $digest:ty) => {
        impl<K: ImplicitRandomness $(, $param $(: $bound)?)*> Signer<K::Signature>
            for $adapter<'_, K $(, $param)*>
        {
            fn try_sign(&self, msg: &[u8]) -> Result<K::Signature, signature::Error> {
                self.try_multipart_sign(&[msg])
            }
        }

        impl<K: ImplicitRandomness $(, $param $(: $bound)?)*> MultipartSigner<K::Signature>
            for $adapter<'_, K $(, $param)*>
        {
            fn try_multipart_sign(&self, msg: &[&[u8]]) -> Result<K::Signature, signature::Error> {
                Ok(sign_mu_implicitly(self.$($key).+, &self.mu(msg))?)
            }
        }

        impl<K: ImplicitRandomness $(, $param $(: $bound)?)*> DigestSigner<$digest, K::Signature>
            for $adapter<'_, K $(, $param)*>
        {
            fn try_sign_digest<F: Fn(&mut $digest) -> Result<(), signature::Error>>(
                &self,
                f: F,
            ) -> Result<K::Signature, signature::Error> {
                Ok(sign_mu_implicitly(self.$($key).+, &self.mu_streamed(f)?)?)
            }
        }

        impl<K: MuSigner $(, $param $(: $bound)?)*> RandomizedSigner<K::Signature>
            for $adapter<'_, K $(, $param)*>
        {
            fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                msg: &[u8],
            ) -> Result<K::Signature, signature::Error> {
                self.try_multipart_sign_with_rng(rng, &[msg])
            }
        }

        impl<K: MuSigner $(, $param $(: $bound)?)*> RandomizedMultipartSigner<K::Signature>
            for $adapter<'_, K $(, $param)*>
        {
            fn try_multipart_sign_with_rng<R: TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                msg: &[&[u8]],
            ) -> Result<K::Signature, signature::Error> {
                Ok(sign_mu_with_rng(self.$($key).+, rng, &self.mu(msg))?)
            }
        }

        impl<K: MuSigner $(, $param $(: $bound)?)*> RandomizedDigestSigner<$digest, K::Signature>
            for $adapter<'_, K $(, $param)*>
        {
            fn try_sign_digest_with_rng<
                R: TryCryptoRng + ?Sized,
                F: Fn(&mut $digest) -> Result<(), signature::Error>,
            >(
                &self,
                rng: &mut R,
                f: F,
            ) -> Result<K::Signature, signature::Error> {
                Ok(sign_mu_with_rng(self.$($key).+, rng, &self.mu_streamed(f)?)?)
            }
        }

        impl<K: MuVerifier $(, $param $(: $bound)?)*> Verifier<K::Signature>
            for $adapter<'_, K $(, $param)*>
        {
            fn verify(&self, msg: &[u8], signature: &K::Signature) -> Result<(), signature::Error> {
                self.multipart_verify(&[msg], signature)
            }
        }

        impl<K: MuVerifier $(, $param $(: $bound)?)*> MultipartVerifier<K::Signature>
            for $adapter<'_, K $(, $param)*>
        {
            fn multipart_verify(
                &self,
                msg: &[&[u8]],
                signature: &K::Signature,
            ) -> Result<(), signature::Error> {
                Ok(self.$($key).+.check_mu(&self.mu(msg), signature)?)
            }
        }

        impl<K: MuVerifier $(, $param $(: $bound)?)*> DigestVerifier<$digest, K::Signature>
            for $adapter<'_, K $(, $param)*>
        {
            fn verify_digest<F: Fn(&mut $digest) -> Result<(), signature::Error>>(
                &self,
                f: F,
                signature: &K::Signature,
            ) -> Result<(), signature::Error> {
                Ok(self.$($key).+.check_mu(&self.mu_streamed(f)?, signature)?)
            }
        }

        impl<K: KeypairRef $(, $param)*> AsRef<K::VerifyingKey> for $adapter<'_, K $(, $param)*> {
            fn as_ref(&self) -> &K::VerifyingKey {
                self.$($key).+.as_ref()
            }
        }

        impl<K: KeypairRef $(, $param)*> KeypairRef for $adapter<'_, K $(, $param)*> {
            type VerifyingKey = K::VerifyingKey;
        }

        #[cfg(all(feature = "pkcs8", feature = "alloc"))]
        impl<K: pkcs8::EncodePrivateKey $(, $param)*> pkcs8::EncodePrivateKey
            for $adapter<'_, K $(, $param)*>
        {
            fn to_pkcs8_der(&self) -> pkcs8::Result<pkcs8::SecretDocument> {
                self.$($key).+.to_pkcs8_der()
            }
        }

        #[cfg(all(feature = "pkcs8", feature = "alloc"))]
        impl<K: spki::EncodePublicKey $(, $param)*> spki::EncodePublicKey
            for $adapter<'_, K $(, $param)*>
        {
            fn to_public_key_der(&self) -> spki::Result<spki::Document> {
                self.$($key).+.to_public_key_der()
            }
        }

        impl<K $(, $param)*> Clone for $adapter<'_, K $(, $param)*> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<K $(, $param)*> Copy for $adapter<'_, K $(, $param)*> {}

        impl<K: fmt::Debug $(, $param)*> fmt::Debug for $adapter<'_, K $(, $param)*> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.debug_struct(stringify!($adapter))
                    .field("key", self.$($key).+)
                    .finish_non_exhaustive()
            }
        }
    };
}

adapter_traits!(WithContext<>, key: key, digest: shake::Shake256);
adapter_traits!(Prehashed<D: PrehashDigest>, key: inner.key, digest: D);

/// The pure form with a context keeps the algorithm identifier of the key. The pre-hash form has
/// none: RFC 9881 allows pure signatures only.
#[cfg(feature = "pkcs8")]
impl<K: spki::SignatureAlgorithmIdentifier> spki::SignatureAlgorithmIdentifier
    for WithContext<'_, K>
{
    type Params = K::Params;

    const SIGNATURE_ALGORITHM_IDENTIFIER: spki::AlgorithmIdentifier<Self::Params> =
        K::SIGNATURE_ALGORITHM_IDENTIFIER;
}

/// Gives a generic signing key (`$key<P>`, a [`MuSigner`]) the methods and traits that need a
/// random number generator.
#[macro_export]
macro_rules! signing_key_api {
    ($key:ident<P: $params:path>) => {
        impl<P: $params> $key<P> {
            /// This key with a context string of at most 255 bytes, as a signer.
            ///
            /// # Errors
            /// [`Error::ContextTooLong`]($crate::Error::ContextTooLong).
            pub fn with_context<'a>(
                &'a self,
                context: &'a [u8],
            ) -> Result<$crate::WithContext<'a, Self>, $crate::Error> {
                $crate::WithContext::new(self, context)
            }

            /// This key over the digest `D` of the message, with the empty context.
            #[must_use]
            pub fn prehash<D: $crate::PrehashDigest>(&self) -> $crate::Prehashed<'_, Self, D> {
                $crate::WithContext::empty(self).prehash()
            }

            /// Signs a digest that was computed elsewhere (the pre-hash variant).
            ///
            /// # Errors
            /// [`Error::DigestLength`]($crate::Error::DigestLength) if `digest` is not of the
            /// length of `hash`, [`Error::ContextTooLong`]($crate::Error::ContextTooLong),
            /// [`Error::RngFailed`]($crate::Error::RngFailed),
            /// [`Error::SigningFailed`]($crate::Error::SigningFailed).
            pub fn sign_prehashed<R>(
                &self,
                hash: $crate::PreHash,
                digest: &[u8],
                context: &[u8],
                rng: &mut R,
            ) -> Result<<Self as $crate::adapter::MuSigner>::Signature, $crate::Error>
            where
                R: $crate::signature::rand_core::TryCryptoRng + ?Sized,
            {
                let mu = self.with_context(context)?.mu_prehashed(hash, digest)?;
                self.sign_mu_with_rng(rng, &mu)
            }

            /// Starts the message representative of a message that arrives in pieces.
            ///
            /// # Errors
            /// [`Error::ContextTooLong`]($crate::Error::ContextTooLong).
            pub fn mu_builder(&self, context: &[u8]) -> Result<$crate::MuBuilder, $crate::Error> {
                $crate::MuBuilder::new($crate::adapter::KeyHash::key_hash(self), context)
            }

            /// Signs a message representative that was computed elsewhere ("external mu").
            ///
            /// # Errors
            /// [`Error::RngFailed`]($crate::Error::RngFailed),
            /// [`Error::SigningFailed`]($crate::Error::SigningFailed).
            pub fn sign_mu_with_rng<R>(
                &self,
                rng: &mut R,
                mu: &[u8; 64],
            ) -> Result<<Self as $crate::adapter::MuSigner>::Signature, $crate::Error>
            where
                R: $crate::signature::rand_core::TryCryptoRng + ?Sized,
            {
                $crate::adapter::sign_mu_with_rng(self, rng, mu)
            }
        }

        impl<P: $params>
            $crate::signature::RandomizedSigner<<$key<P> as $crate::adapter::MuSigner>::Signature>
            for $key<P>
        {
            fn try_sign_with_rng<R: $crate::signature::rand_core::TryCryptoRng + ?Sized>(
                &self,
                rng: &mut R,
                msg: &[u8],
            ) -> Result<<Self as $crate::adapter::MuSigner>::Signature, $crate::signature::Error>
            {
                let key = $crate::WithContext::empty(self);
                $crate::signature::RandomizedSigner::try_sign_with_rng(&key, rng, msg)
            }
        }

        impl<P: $params>
            $crate::signature::RandomizedMultipartSigner<
                <$key<P> as $crate::adapter::MuSigner>::Signature,
            > for $key<P>
        {
            fn try_multipart_sign_with_rng<
                R: $crate::signature::rand_core::TryCryptoRng + ?Sized,
            >(
                &self,
                rng: &mut R,
                msg: &[&[u8]],
            ) -> Result<<Self as $crate::adapter::MuSigner>::Signature, $crate::signature::Error>
            {
                let key = $crate::WithContext::empty(self);
                $crate::signature::RandomizedMultipartSigner::try_multipart_sign_with_rng(
                    &key, rng, msg,
                )
            }
        }

        impl<P: $params>
            $crate::signature::RandomizedDigestSigner<
                $crate::Shake256Digest,
                <$key<P> as $crate::adapter::MuSigner>::Signature,
            > for $key<P>
        {
            fn try_sign_digest_with_rng<
                R: $crate::signature::rand_core::TryCryptoRng + ?Sized,
                F: Fn(&mut $crate::Shake256Digest) -> Result<(), $crate::signature::Error>,
            >(
                &self,
                rng: &mut R,
                f: F,
            ) -> Result<<Self as $crate::adapter::MuSigner>::Signature, $crate::signature::Error>
            {
                let key = $crate::WithContext::empty(self);
                $crate::signature::RandomizedDigestSigner::try_sign_digest_with_rng(&key, rng, f)
            }
        }
    };
}

/// Gives a generic signing key (`$key<P>`, with [`ImplicitRandomness`]) the traits that sign
/// without a random number generator.
#[macro_export]
macro_rules! signer_traits {
    ($key:ident<P: $params:path>) => {
        impl<P: $params>
            $crate::signature::Signer<<$key<P> as $crate::adapter::MuSigner>::Signature>
            for $key<P>
        {
            fn try_sign(
                &self,
                msg: &[u8],
            ) -> Result<<Self as $crate::adapter::MuSigner>::Signature, $crate::signature::Error>
            {
                let key = $crate::WithContext::empty(self);
                $crate::signature::Signer::try_sign(&key, msg)
            }
        }

        impl<P: $params>
            $crate::signature::MultipartSigner<<$key<P> as $crate::adapter::MuSigner>::Signature>
            for $key<P>
        {
            fn try_multipart_sign(
                &self,
                msg: &[&[u8]],
            ) -> Result<<Self as $crate::adapter::MuSigner>::Signature, $crate::signature::Error>
            {
                let key = $crate::WithContext::empty(self);
                $crate::signature::MultipartSigner::try_multipart_sign(&key, msg)
            }
        }

        impl<P: $params>
            $crate::signature::DigestSigner<
                $crate::Shake256Digest,
                <$key<P> as $crate::adapter::MuSigner>::Signature,
            > for $key<P>
        {
            fn try_sign_digest<
                F: Fn(&mut $crate::Shake256Digest) -> Result<(), $crate::signature::Error>,
            >(
                &self,
                f: F,
            ) -> Result<<Self as $crate::adapter::MuSigner>::Signature, $crate::signature::Error>
            {
                let key = $crate::WithContext::empty(self);
                $crate::signature::DigestSigner::try_sign_digest(&key, f)
            }
        }
    };
}

/// Gives a generic verifying key (`$key<P>`, a [`MuVerifier`]) its methods and traits.
#[macro_export]
macro_rules! verifying_key_api {
    ($key:ident<P: $params:path>) => {
        impl<P: $params> $key<P> {
            /// This key with a context string of at most 255 bytes, as a verifier.
            ///
            /// # Errors
            /// [`Error::ContextTooLong`]($crate::Error::ContextTooLong).
            pub fn with_context<'a>(
                &'a self,
                context: &'a [u8],
            ) -> Result<$crate::WithContext<'a, Self>, $crate::Error> {
                $crate::WithContext::new(self, context)
            }

            /// This key over the digest `D` of the message, with the empty context.
            #[must_use]
            pub fn prehash<D: $crate::PrehashDigest>(&self) -> $crate::Prehashed<'_, Self, D> {
                $crate::WithContext::empty(self).prehash()
            }

            /// Verifies a signature of a digest that was computed elsewhere (the pre-hash
            /// variant).
            ///
            /// # Errors
            /// [`Error::DigestLength`]($crate::Error::DigestLength) if `digest` is not of the
            /// length of `hash`, [`Error::ContextTooLong`]($crate::Error::ContextTooLong),
            /// [`Error::InvalidSignature`]($crate::Error::InvalidSignature).
            pub fn verify_prehashed(
                &self,
                hash: $crate::PreHash,
                digest: &[u8],
                context: &[u8],
                signature: &<Self as $crate::adapter::MuVerifier>::Signature,
            ) -> Result<(), $crate::Error> {
                let mu = self.with_context(context)?.mu_prehashed(hash, digest)?;
                self.verify_mu(&mu, signature)
            }

            /// Starts the message representative of a message that arrives in pieces.
            ///
            /// # Errors
            /// [`Error::ContextTooLong`]($crate::Error::ContextTooLong).
            pub fn mu_builder(&self, context: &[u8]) -> Result<$crate::MuBuilder, $crate::Error> {
                $crate::MuBuilder::new($crate::adapter::KeyHash::key_hash(self), context)
            }

            /// Verifies a signature of a message representative ("external mu").
            ///
            /// # Errors
            /// [`Error::InvalidSignature`]($crate::Error::InvalidSignature).
            pub fn verify_mu(
                &self,
                mu: &[u8; 64],
                signature: &<Self as $crate::adapter::MuVerifier>::Signature,
            ) -> Result<(), $crate::Error> {
                $crate::adapter::MuVerifier::check_mu(self, mu, signature)
            }
        }

        impl<P: $params>
            $crate::signature::Verifier<<$key<P> as $crate::adapter::MuVerifier>::Signature>
            for $key<P>
        {
            fn verify(
                &self,
                msg: &[u8],
                signature: &<Self as $crate::adapter::MuVerifier>::Signature,
            ) -> Result<(), $crate::signature::Error> {
                let key = $crate::WithContext::empty(self);
                $crate::signature::Verifier::verify(&key, msg, signature)
            }
        }

        impl<P: $params>
            $crate::signature::MultipartVerifier<
                <$key<P> as $crate::adapter::MuVerifier>::Signature,
            > for $key<P>
        {
            fn multipart_verify(
                &self,
                msg: &[&[u8]],
                signature: &<Self as $crate::adapter::MuVerifier>::Signature,
            ) -> Result<(), $crate::signature::Error> {
                let key = $crate::WithContext::empty(self);
                $crate::signature::MultipartVerifier::multipart_verify(&key, msg, signature)
            }
        }

        impl<P: $params>
            $crate::signature::DigestVerifier<
                $crate::Shake256Digest,
                <$key<P> as $crate::adapter::MuVerifier>::Signature,
            > for $key<P>
        {
            fn verify_digest<
                F: Fn(&mut $crate::Shake256Digest) -> Result<(), $crate::signature::Error>,
            >(
                &self,
                f: F,
                signature: &<Self as $crate::adapter::MuVerifier>::Signature,
            ) -> Result<(), $crate::signature::Error> {
                let key = $crate::WithContext::empty(self);
                $crate::signature::DigestVerifier::verify_digest(&key, f, signature)
            }
        }
    };
}
