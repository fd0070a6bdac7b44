//! PKCS#8, under experimental object identifiers.
//!
//! The content of the private key's OCTET STRING is the encoded key without further wrapping,
//! and the algorithm parameters are absent, as the IETF draft for FN-DSA in X.509 has it.

use crate::{ParameterSet, PreparedSigningKey, SigningKey};
use pkcs8::{
    KeyError, ObjectIdentifier, PrivateKeyInfoRef,
    der::AnyRef,
    spki::{AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier},
};
use pqsig_comm::fndsa::params::algorithm_identifier;

impl<P: ParameterSet> SigningKey<P> {
    /// The experimental object identifier of the algorithm: sure to change.
    pub const OID: ObjectIdentifier = P::EXPERIMENTAL_OID;
}

impl<P: ParameterSet> TryFrom<PrivateKeyInfoRef<'_>> for SigningKey<P> {
    type Error = pkcs8::Error;

    /// The key is checked as in [`SigningKey::from_bytes`], and the public key must be its own,
    /// if the file has one.
    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        info.algorithm.assert_algorithm_oid(P::EXPERIMENTAL_OID)?;
        if info.algorithm.parameters.is_some() {
            return Err(pkcs8::Error::ParametersMalformed);
        }
        let key = Self::from_bytes(info.private_key.as_bytes()).map_err(|_| KeyError::Invalid)?;
        match info.public_key {
            Some(public) if public.as_bytes() != Some(key.verifying_key().as_bytes()) => {
                Err(KeyError::Invalid.into())
            }
            _ => Ok(key),
        }
    }
}

impl<P: ParameterSet> TryFrom<PrivateKeyInfoRef<'_>> for PreparedSigningKey<P> {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        SigningKey::try_from(info).map(|key| key.prepare())
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

algorithm_identifiers!(SigningKey, PreparedSigningKey);

#[cfg(feature = "alloc")]
mod encode {
    use super::{ParameterSet, PreparedSigningKey, PrivateKeyInfoRef, SigningKey};
    use pkcs8::{EncodePrivateKey, SecretDocument, der::asn1::OctetStringRef};
    use pqsig_comm::fndsa::params::algorithm_identifier;

    impl<P: ParameterSet> EncodePrivateKey for SigningKey<P> {
        fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
            let key = OctetStringRef::new(self.secret().bytes.as_ref())?;
            SecretDocument::try_from(PrivateKeyInfoRef::new(algorithm_identifier::<P>(), key))
        }
    }

    impl<P: ParameterSet> EncodePrivateKey for PreparedSigningKey<P> {
        fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
            self.signing_key().to_pkcs8_der()
        }
    }
}
