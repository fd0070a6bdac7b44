//! Object identifiers, PKCS#8 and SubjectPublicKeyInfo.

use super::{Algorithm, Signature, SigningKey, VerifyingKey, WithContext};
use crate::{
    pkcs8::{
        self, EncodePrivateKey, ObjectIdentifier, PrivateKeyInfoRef, SecretDocument,
        der::{
            self,
            asn1::{BitString, BitStringRef},
        },
    },
    spki::{
        self, AlgorithmIdentifierOwned, Document, DynAssociatedAlgorithmIdentifier,
        DynSignatureAlgorithmIdentifier, EncodePublicKey, SignatureBitStringEncoding,
        SubjectPublicKeyInfo, SubjectPublicKeyInfoRef,
    },
};

impl Algorithm {
    /// The object identifier.
    ///
    /// That of FN-DSA is experimental and sure to change: none is assigned yet. Key files and
    /// certificates with it are read and written with the feature `fndsa-experimental-oid` only.
    #[must_use]
    pub const fn oid(self) -> ObjectIdentifier {
        match self {
            #[cfg(feature = "mldsa")]
            Self::MlDsa44 => crate::mldsa::VerifyingKey::<crate::mldsa::MlDsa44>::OID,
            #[cfg(feature = "mldsa")]
            Self::MlDsa65 => crate::mldsa::VerifyingKey::<crate::mldsa::MlDsa65>::OID,
            #[cfg(feature = "mldsa")]
            Self::MlDsa87 => crate::mldsa::VerifyingKey::<crate::mldsa::MlDsa87>::OID,
            #[cfg(feature = "fndsa")]
            Self::FnDsa512 => experimental::<crate::fndsa::FnDsa512>(),
            #[cfg(feature = "fndsa")]
            Self::FnDsa1024 => experimental::<crate::fndsa::FnDsa1024>(),
        }
    }

    /// The algorithm with this object identifier.
    ///
    /// # Errors
    /// [`Error::UnknownAlgorithm`](crate::Error::UnknownAlgorithm), also for FN-DSA without the
    /// feature `fndsa-experimental-oid`.
    pub fn from_oid(oid: &ObjectIdentifier) -> Result<Self, crate::Error> {
        Self::ALL
            .iter()
            .copied()
            .find(|algorithm| algorithm.in_files() && algorithm.oid() == *oid)
            .ok_or(crate::Error::UnknownAlgorithm)
    }

    /// Whether key files may name it.
    const fn in_files(self) -> bool {
        cfg!(feature = "fndsa-experimental-oid") || self.signs_deterministically()
    }

    fn identifier(self) -> spki::Result<AlgorithmIdentifierOwned> {
        let oid = self.oid();
        if self.in_files() {
            Ok(AlgorithmIdentifierOwned {
                oid,
                parameters: None,
            })
        } else {
            Err(spki::Error::OidUnknown { oid })
        }
    }
}

#[cfg(feature = "fndsa")]
const fn experimental<P: crate::fndsa::ParameterSet>() -> ObjectIdentifier {
    P::EXPERIMENTAL_OID
}

impl TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey {
    type Error = spki::Error;

    /// Reads a key of any algorithm. The algorithm parameters must be absent.
    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        let oid = info.algorithm.oid;
        let algorithm = Algorithm::from_oid(&oid).map_err(|_| spki::Error::OidUnknown { oid })?;
        match (
            info.algorithm.parameters,
            info.subject_public_key.as_bytes(),
        ) {
            (None, Some(bytes)) => {
                Self::from_bytes(algorithm, bytes).map_err(|_| spki::Error::KeyMalformed)
            }
            _ => Err(spki::Error::KeyMalformed),
        }
    }
}

impl EncodePublicKey for VerifyingKey {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        Document::try_from(SubjectPublicKeyInfo {
            algorithm: self.algorithm().identifier()?,
            subject_public_key: BitStringRef::from_bytes(self.as_bytes())?,
        })
    }
}

impl TryFrom<PrivateKeyInfoRef<'_>> for SigningKey {
    type Error = pkcs8::Error;

    /// Reads a key of any algorithm, with the checks of the typed keys.
    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        let oid = info.algorithm.oid;
        match Algorithm::from_oid(&oid) {
            #[cfg(feature = "mldsa")]
            Ok(Algorithm::MlDsa44) => read::<crate::mldsa::SigningKey<crate::mldsa::MlDsa44>>(info),
            #[cfg(feature = "mldsa")]
            Ok(Algorithm::MlDsa65) => read::<crate::mldsa::SigningKey<crate::mldsa::MlDsa65>>(info),
            #[cfg(feature = "mldsa")]
            Ok(Algorithm::MlDsa87) => read::<crate::mldsa::SigningKey<crate::mldsa::MlDsa87>>(info),
            #[cfg(all(feature = "fndsa", feature = "fndsa-experimental-oid"))]
            Ok(Algorithm::FnDsa512) => {
                read::<crate::fndsa::SigningKey<crate::fndsa::FnDsa512>>(info)
            }
            #[cfg(all(feature = "fndsa", feature = "fndsa-experimental-oid"))]
            Ok(Algorithm::FnDsa1024) => {
                read::<crate::fndsa::SigningKey<crate::fndsa::FnDsa1024>>(info)
            }
            _ => Err(spki::Error::OidUnknown { oid }.into()),
        }
    }
}

#[cfg(any(feature = "mldsa", feature = "fndsa-experimental-oid"))]
fn read<'a, K>(info: PrivateKeyInfoRef<'a>) -> pkcs8::Result<SigningKey>
where
    K: TryFrom<PrivateKeyInfoRef<'a>, Error = pkcs8::Error> + Into<SigningKey>,
{
    K::try_from(info).map(Into::into)
}

impl EncodePrivateKey for SigningKey {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        match self {
            #[cfg(feature = "mldsa")]
            Self::MlDsa44(key) => key.to_pkcs8_der(),
            #[cfg(feature = "mldsa")]
            Self::MlDsa65(key) => key.to_pkcs8_der(),
            #[cfg(feature = "mldsa")]
            Self::MlDsa87(key) => key.to_pkcs8_der(),
            #[cfg(all(feature = "fndsa", feature = "fndsa-experimental-oid"))]
            Self::FnDsa512(key) => key.to_pkcs8_der(),
            #[cfg(all(feature = "fndsa", feature = "fndsa-experimental-oid"))]
            Self::FnDsa1024(key) => key.to_pkcs8_der(),
            #[cfg(all(feature = "fndsa", not(feature = "fndsa-experimental-oid")))]
            Self::FnDsa512(_) | Self::FnDsa1024(_) => {
                let oid = self.algorithm().oid();
                Err(spki::Error::OidUnknown { oid }.into())
            }
        }
    }
}

#[cfg(feature = "mldsa")]
impl SigningKey {
    /// Encodes an ML-DSA key in the given form of RFC 9881.
    ///
    /// # Errors
    /// A [`KeyError`](pkcs8::KeyError) if the form needs a seed that is not known, or if the key
    /// is not one of ML-DSA.
    pub fn to_pkcs8_der_with(
        &self,
        format: crate::mldsa::PrivateKeyFormat,
    ) -> pkcs8::Result<SecretDocument> {
        match self {
            Self::MlDsa44(key) => key.to_pkcs8_der_with(format),
            Self::MlDsa65(key) => key.to_pkcs8_der_with(format),
            Self::MlDsa87(key) => key.to_pkcs8_der_with(format),
            #[cfg(feature = "fndsa")]
            Self::FnDsa512(_) | Self::FnDsa1024(_) => Err(pkcs8::KeyError::Invalid.into()),
        }
    }
}

impl SignatureBitStringEncoding for Signature {
    fn to_bitstring(&self) -> der::Result<BitString> {
        BitString::from_bytes(self.as_bytes())
    }
}

macro_rules! algorithm_identifiers {
    ($($type:ty),*) => {$(
        impl DynSignatureAlgorithmIdentifier for $type {
            fn signature_algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
                self.algorithm().identifier()
            }
        }

        impl DynAssociatedAlgorithmIdentifier for $type {
            fn algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
                self.algorithm().identifier()
            }
        }
    )*};
}

algorithm_identifiers!(SigningKey, VerifyingKey);

impl DynAssociatedAlgorithmIdentifier for Signature {
    fn algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
        self.algorithm().identifier()
    }
}

impl DynSignatureAlgorithmIdentifier for WithContext<'_, SigningKey> {
    fn signature_algorithm_identifier(&self) -> spki::Result<AlgorithmIdentifierOwned> {
        self.key.algorithm().identifier()
    }
}
