//! SubjectPublicKeyInfo, under experimental object identifiers.
//!
//! The key is the content of the BIT STRING without further wrapping, and the algorithm
//! parameters are absent, as the IETF draft for FN-DSA in X.509 has it.

use crate::{ParameterSet, PreparedVerifyingKey, VerifyingKey};
use pqsig_comm::{
    fndsa::params::algorithm_identifier,
    pkcs8::{ObjectIdentifier, der::AnyRef},
    spki::{
        self, AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier,
        SubjectPublicKeyInfoRef,
    },
};

impl<P: ParameterSet> VerifyingKey<P> {
    /// The experimental object identifier of the algorithm: sure to change.
    pub const OID: ObjectIdentifier = P::EXPERIMENTAL_OID;
}

impl<P: ParameterSet> TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey<P> {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        info.algorithm.assert_algorithm_oid(P::EXPERIMENTAL_OID)?;
        // The parameters must be absent, NULL included.
        if info.algorithm.parameters.is_some() {
            return Err(spki::Error::KeyMalformed);
        }
        let bytes = info
            .subject_public_key
            .as_bytes()
            .ok_or(spki::Error::KeyMalformed)?;
        Self::from_bytes(bytes).map_err(|_| spki::Error::KeyMalformed)
    }
}

impl<P: ParameterSet> TryFrom<SubjectPublicKeyInfoRef<'_>> for PreparedVerifyingKey<P> {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        VerifyingKey::try_from(info).map(|key| key.prepare())
    }
}

macro_rules! algorithm_identifiers {
    ($($type:ident),*) => {$(
        impl<P: ParameterSet> AssociatedAlgorithmIdentifier for $type<P> {
            type Params = AnyRef<'static>;
            const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> =
                algorithm_identifier::<P>();
        }

        impl<P: ParameterSet> SignatureAlgorithmIdentifier for $type<P> {
            type Params = AnyRef<'static>;
            const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> =
                algorithm_identifier::<P>();
        }
    )*};
}

algorithm_identifiers!(VerifyingKey, PreparedVerifyingKey);

#[cfg(feature = "alloc")]
mod encode {
    use super::{ParameterSet, PreparedVerifyingKey, VerifyingKey, algorithm_identifier, spki};
    use pqsig_comm::pkcs8::{
        Document, EncodePublicKey, SubjectPublicKeyInfo, der::asn1::BitStringRef,
    };

    impl<P: ParameterSet> EncodePublicKey for VerifyingKey<P> {
        fn to_public_key_der(&self) -> spki::Result<Document> {
            let subject_public_key = BitStringRef::from_bytes(self.as_bytes())?;
            Document::try_from(SubjectPublicKeyInfo {
                algorithm: algorithm_identifier::<P>(),
                subject_public_key,
            })
        }
    }

    impl<P: ParameterSet> EncodePublicKey for PreparedVerifyingKey<P> {
        fn to_public_key_der(&self) -> spki::Result<Document> {
            self.verifying_key().to_public_key_der()
        }
    }
}
