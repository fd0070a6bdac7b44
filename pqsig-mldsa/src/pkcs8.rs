//! PKCS#8 and SubjectPublicKeyInfo (RFC 9881).

use crate::{
    ParameterSet, PreparedSigningKey, PreparedVerifyingKey, Signature, SigningKey, VerifyingKey,
    params::sealed::Params,
};
use pkcs8::{
    AlgorithmIdentifierRef, KeyError, ObjectIdentifier, PrivateKeyInfoRef,
    der::{
        AnyRef, Decode, Reader, SliceReader, Tag, TagNumber,
        asn1::{ContextSpecific, OctetStringRef},
    },
    spki::{
        self, AlgorithmIdentifier, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier,
        SubjectPublicKeyInfoRef,
    },
};

/// The forms of a private key (RFC 9881, section 6).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PrivateKeyFormat {
    /// The 32-byte seed: 54 bytes of DER for every set. The recommended form.
    Seed,
    /// The expanded key alone.
    Expanded,
    /// Seed and expanded key.
    Both,
}

/// The tag of the seed form: `[0] IMPLICIT OCTET STRING`.
const SEED_TAG: TagNumber = TagNumber(0);

const fn algorithm<P: ParameterSet>() -> AlgorithmIdentifierRef<'static> {
    AlgorithmIdentifier {
        oid: P::OID,
        parameters: None,
    }
}

/// RFC 9881, section 2: the parameters must be absent, NULL included.
fn check_algorithm<P: ParameterSet>(found: &AlgorithmIdentifierRef<'_>) -> spki::Result<()> {
    found.assert_algorithm_oid(P::OID)?;
    match found.parameters {
        None => Ok(()),
        Some(_) => Err(spki::Error::KeyMalformed),
    }
}

impl<P: ParameterSet> TryFrom<SubjectPublicKeyInfoRef<'_>> for VerifyingKey<P> {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        check_algorithm::<P>(&info.algorithm)?;
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
        let key = VerifyingKey::try_from(info)?;
        Ok(Self::new(&key))
    }
}

impl<P: ParameterSet> TryFrom<PrivateKeyInfoRef<'_>> for SigningKey<P> {
    type Error = pkcs8::Error;

    /// Reads the three forms of RFC 9881. An expanded key is checked as in
    /// [`SigningKey::from_expanded_bytes`], seed and expanded key must agree where both are
    /// there, and so must the public key, if the file has one.
    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        let mut key = Self::EMPTY;
        key.load(info)?;
        Ok(key)
    }
}

impl<P: ParameterSet> SigningKey<P> {
    /// Reads a key file in place: these keys are not to be moved from frame to frame.
    pub(crate) fn load(&mut self, info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<()> {
        check_algorithm::<P>(&info.algorithm).map_err(|error| match error {
            spki::Error::KeyMalformed => pkcs8::Error::ParametersMalformed,
            error => error.into(),
        })?;
        self.load_choice(info.private_key.as_bytes())?;
        match info.public_key {
            Some(public) if public.as_bytes() != Some(self.verifying_key().as_bytes()) => {
                Err(KeyError::Invalid.into())
            }
            _ => Ok(()),
        }
    }

    /// The CHOICE of RFC 9881, section 6, by its tag.
    fn load_choice(&mut self, der: &[u8]) -> pkcs8::Result<()> {
        let mut reader = SliceReader::new(der)?;
        match Tag::peek(&reader)? {
            Tag::ContextSpecific { .. } => self.set_seed(seed_of(seed_field(&mut reader)?)?),
            Tag::OctetString => {
                let bytes = <&OctetStringRef>::decode(&mut reader)?.as_bytes();
                self.set_expanded(bytes).map_err(|_| KeyError::Invalid)?;
            }
            Tag::Sequence => {
                let (seed, expanded) = reader.sequence(|both| {
                    let seed = <&OctetStringRef>::decode(both)?.as_bytes();
                    let expanded = <&OctetStringRef>::decode(both)?.as_bytes();
                    Ok::<_, pkcs8::Error>((seed, expanded))
                })?;
                self.set_seed(seed_of(seed)?);
                if !pqsig_comm::ct::eq(self.expanded().as_ref(), expanded) {
                    return Err(KeyError::Invalid.into());
                }
            }
            tag => return Err(pkcs8::der::Error::from(tag.unexpected_error(None)).into()),
        }
        Ok(reader.finish()?)
    }
}

impl<P: ParameterSet> TryFrom<PrivateKeyInfoRef<'_>> for PreparedSigningKey<P> {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        let mut prepared = Self::EMPTY;
        prepared.load(info)?;
        Ok(prepared)
    }
}

fn seed_field<'a>(reader: &mut SliceReader<'a>) -> pkcs8::Result<&'a [u8]> {
    let field = ContextSpecific::<&OctetStringRef>::decode_implicit(reader, SEED_TAG)?;
    Ok(field.ok_or(KeyError::Invalid)?.value.as_bytes())
}

fn seed_of(bytes: &[u8]) -> pkcs8::Result<&[u8; 32]> {
    Ok(bytes.try_into().map_err(|_| KeyError::Invalid)?)
}

macro_rules! algorithm_identifiers {
    ($($type:ident),*) => {$(
        impl<P: ParameterSet> AssociatedAlgorithmIdentifier for $type<P> {
            type Params = AnyRef<'static>;
            const ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> = algorithm::<P>();
        }
    )*};
}

algorithm_identifiers!(
    SigningKey,
    PreparedSigningKey,
    VerifyingKey,
    PreparedVerifyingKey,
    Signature
);

macro_rules! signature_algorithm_identifiers {
    ($($type:ident),*) => {$(
        impl<P: ParameterSet> SignatureAlgorithmIdentifier for $type<P> {
            type Params = AnyRef<'static>;
            const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifierRef<'static> =
                algorithm::<P>();
        }
    )*};
}

signature_algorithm_identifiers!(SigningKey, PreparedSigningKey, VerifyingKey);

impl<P: ParameterSet> VerifyingKey<P> {
    /// The object identifier of the algorithm (RFC 9881, section 2).
    pub const OID: ObjectIdentifier = <P as Params>::OID;
}

#[cfg(feature = "alloc")]
mod encode {
    use super::*;
    use pkcs8::der::asn1::BitStringRef;
    use pkcs8::{
        EncodePrivateKey, SecretDocument,
        der::{Encode, TagMode, asn1::BitString, zeroize::Zeroizing},
        spki::{Document, EncodePublicKey, SignatureBitStringEncoding, SubjectPublicKeyInfo},
    };

    extern crate alloc;

    impl<P: ParameterSet> SigningKey<P> {
        /// Encodes the key in the given form of RFC 9881.
        ///
        /// # Errors
        /// A [`KeyError`] if the form needs the seed and [`SigningKey::seed`] is `None`.
        pub fn to_pkcs8_der_with(&self, format: PrivateKeyFormat) -> pkcs8::Result<SecretDocument> {
            let seed = || self.seed().ok_or(pkcs8::Error::from(KeyError::Invalid));
            let octets = |bytes| OctetStringRef::new(bytes);
            let expanded = octets(self.expanded().as_ref())?;
            let private_key = Zeroizing::new(match format {
                PrivateKeyFormat::Seed => ContextSpecific {
                    tag_number: SEED_TAG,
                    tag_mode: TagMode::Implicit,
                    value: octets(seed()?)?,
                }
                .to_der()?,
                PrivateKeyFormat::Expanded => expanded.to_der()?,
                PrivateKeyFormat::Both => alloc::vec![octets(seed()?)?, expanded].to_der()?,
            });
            let info = PrivateKeyInfoRef::new(algorithm::<P>(), octets(&private_key)?);
            SecretDocument::try_from(info)
        }
    }

    /// Writes the seed form where the seed is known, else the expanded form.
    impl<P: ParameterSet> EncodePrivateKey for SigningKey<P> {
        fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
            self.to_pkcs8_der_with(match self.seed() {
                Some(_) => PrivateKeyFormat::Seed,
                None => PrivateKeyFormat::Expanded,
            })
        }
    }

    impl<P: ParameterSet> EncodePrivateKey for PreparedSigningKey<P> {
        fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
            self.signing_key().to_pkcs8_der()
        }
    }

    impl<P: ParameterSet> EncodePublicKey for VerifyingKey<P> {
        fn to_public_key_der(&self) -> spki::Result<Document> {
            let subject_public_key = BitStringRef::from_bytes(self.as_bytes())?;
            Document::try_from(SubjectPublicKeyInfo {
                algorithm: algorithm::<P>(),
                subject_public_key,
            })
        }
    }

    impl<P: ParameterSet> EncodePublicKey for PreparedVerifyingKey<P> {
        fn to_public_key_der(&self) -> spki::Result<Document> {
            self.verifying_key().to_public_key_der()
        }
    }

    impl<P: ParameterSet> SignatureBitStringEncoding for Signature<P> {
        fn to_bitstring(&self) -> pkcs8::der::Result<BitString> {
            BitString::from_bytes(self.as_bytes())
        }
    }
}
