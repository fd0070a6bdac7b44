//! Keys of any algorithm: everything that the typed keys do, and no confusion between algorithms.

#![cfg(all(
    feature = "alloc",
    feature = "getrandom",
    any(feature = "fndsa", feature = "mldsa")
))]

use core::{convert::Infallible, fmt::Debug, hash::Hash};
use pqsig::{
    Error, Keypair, MultipartSigner, MultipartVerifier, PreHash, RandomizedMultipartSigner,
    RandomizedSigner, SignatureEncoding, Signer, Verifier,
    any::{Algorithm, Signature, SigningKey, VerifyingKey, WithContext},
    rand_core::{TryCryptoRng, TryRng},
    signature,
};
use std::collections::HashSet;

/// Name, verifying key, signature, signing key (expanded for ML-DSA).
const TABLE: [(&str, usize, usize, usize); 5] = [
    ("ML-DSA-44", 1312, 2420, 2560),
    ("ML-DSA-65", 1952, 3309, 4032),
    ("ML-DSA-87", 2592, 4627, 4896),
    ("FN-DSA-512", 897, 666, 1345),
    ("FN-DSA-1024", 1793, 1280, 2369),
];

/// A generator that counts.
struct Counting(u64);

impl TryRng for Counting {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.try_next_u64()? as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0 += 1;
        Ok(self.0.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        for chunk in out.chunks_mut(8) {
            chunk.copy_from_slice(&self.try_next_u64()?.to_le_bytes()[..chunk.len()]);
        }
        Ok(())
    }
}

impl TryCryptoRng for Counting {}

/// A generator that always fails.
struct Broken;

impl TryRng for Broken {
    type Error = Error;

    fn try_next_u32(&mut self) -> Result<u32, Error> {
        Err(Error::RngFailed)
    }

    fn try_next_u64(&mut self) -> Result<u64, Error> {
        Err(Error::RngFailed)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Error> {
        Err(Error::RngFailed)
    }
}

impl TryCryptoRng for Broken {}

fn keys() -> Vec<SigningKey> {
    Algorithm::ALL
        .iter()
        .map(|algorithm| algorithm.generate(&mut Counting(0)))
        .collect()
}

#[test]
fn names_and_sizes() {
    let mut seen = 0;
    for algorithm in Algorithm::ALL {
        let (name, vk, sig, sk) = *TABLE
            .iter()
            .find(|row| row.0 == algorithm.name())
            .expect("in the table");
        assert_eq!(algorithm.to_string(), name);
        assert_eq!(format!("{algorithm:>12}").len(), 12);
        assert_eq!(name.parse(), Ok(*algorithm));
        assert_eq!(name.to_lowercase().parse(), Ok(*algorithm));
        assert_eq!(algorithm.verifying_key_len(), vk);
        assert_eq!(algorithm.signature_len(), sig);
        assert_eq!(algorithm.signing_key_len(), sk);
        seen += 1;
    }
    let expected =
        3 * usize::from(cfg!(feature = "mldsa")) + 2 * usize::from(cfg!(feature = "fndsa"));
    assert_eq!(seen, expected);
    for unknown in [
        "",
        "ML-DSA",
        "ML-DSA-65 ",
        "MLDSA65",
        "ML-DSA-65-IPD",
        "FN-DSA-256",
    ] {
        assert_eq!(unknown.parse::<Algorithm>(), Err(Error::UnknownAlgorithm));
    }
}

/// One message under every pair of ways to sign and to verify.
#[test]
fn all_ways_agree() {
    for key in keys() {
        let vk = key.verifying_key();
        let algorithm = key.algorithm();
        assert_eq!(vk.algorithm(), algorithm);
        assert_eq!(Keypair::verifying_key(&key), vk);
        assert_eq!(vk.as_bytes().len(), algorithm.verifying_key_len());
        let again = VerifyingKey::from_bytes(algorithm, vk.as_bytes());
        assert_eq!(again.as_ref(), Ok(&vk));

        for context in [&b""[..], b"c", &[0xff; 255]] {
            let signer = key.with_context(context).expect("short enough");
            let verifier = vk.with_context(context).expect("short enough");
            assert_eq!(signer.context(), context);
            assert_eq!(Keypair::verifying_key(&signer), vk);
            let mut mu = key.mu_builder(context).expect("short enough");
            mu.update(b"mess");
            mu.update(b"age");
            let mu = mu.finalize();
            let mut rng = Counting(7);
            let signatures = [
                signer.try_sign(b"message").expect("signs"),
                signer
                    .try_multipart_sign(&[b"mes", b"sage"])
                    .expect("signs"),
                signer
                    .try_sign_with_rng(&mut rng, b"message")
                    .expect("signs"),
                signer
                    .try_multipart_sign_with_rng(&mut rng, &[b"", b"message"])
                    .expect("signs"),
                key.sign_mu(&mu).expect("signs"),
                key.sign_mu_with_rng(&mut rng, &mu).expect("signs"),
            ];
            let distinct: HashSet<_> = signatures.iter().collect();
            // Of ML-DSA, the ways without a generator all give the same.
            let expected = if algorithm.signs_deterministically() {
                4
            } else {
                6
            };
            assert_eq!(distinct.len(), expected, "{algorithm}");
            for signature in &signatures {
                assert_eq!(signature.algorithm(), algorithm);
                assert_eq!(signature.as_bytes().len(), algorithm.signature_len());
                verifier.verify(b"message", signature).expect("verifies");
                verifier
                    .multipart_verify(&[b"m", b"", b"essage"], signature)
                    .expect("verifies");
                vk.verify_mu(&mu, signature).expect("verifies");
                assert!(verifier.verify(b"massage", signature).is_err());
                assert_eq!(vk.verify(b"message", signature).is_ok(), context.is_empty());
                assert_eq!(
                    vk.multipart_verify(&[b"message"], signature).is_ok(),
                    context.is_empty()
                );
            }
        }
        let plain = Signer::try_sign(&key, b"message").expect("signs");
        vk.verify(b"message", &plain).expect("verifies");
        let plain = key.try_multipart_sign(&[b"message"]).expect("signs");
        vk.verify(b"message", &plain).expect("verifies");
        let hedged = key
            .try_sign_with_rng(&mut Counting(1), b"message")
            .expect("signs");
        let pieces = key
            .try_multipart_sign_with_rng(&mut Counting(1), &[b"mess", b"age"])
            .expect("signs");
        assert_eq!(hedged, pieces);
        vk.verify(b"message", &hedged).expect("verifies");
    }
}

#[test]
fn long_contexts_are_refused() {
    for key in keys() {
        let vk = key.verifying_key();
        for len in [256, 257, 511, (1 << 16) + 1] {
            let context = vec![0; len];
            let refused = Some(Error::ContextTooLong);
            assert_eq!(key.with_context(&context).err(), refused);
            assert_eq!(vk.with_context(&context).err(), refused);
            assert_eq!(key.mu_builder(&context).err(), refused);
            assert_eq!(vk.mu_builder(&context).err(), refused);
        }
    }
}

#[test]
fn prehashed() {
    for key in keys() {
        let vk = key.verifying_key();
        for hash in PreHash::ALL {
            let digest = vec![0xa5; hash.digest_len()];
            let signature = key
                .sign_prehashed(hash, &digest, b"c", &mut Counting(2))
                .expect("signs");
            assert!(vk.verify_prehashed(hash, &digest, b"c", &signature).is_ok());
            assert!(
                vk.verify_prehashed(hash, &digest, b"d", &signature)
                    .is_err()
            );
            assert!(vk.verify(&digest, &signature).is_err());
            let short = &digest[1..];
            assert_eq!(
                key.sign_prehashed(hash, short, b"c", &mut Counting(2)),
                Err(Error::DigestLength)
            );
            assert_eq!(
                vk.verify_prehashed(hash, short, b"c", &signature),
                Err(Error::DigestLength)
            );
        }
    }
}

/// A signature of one algorithm is refused by the keys of all others, whatever its bytes.
#[test]
fn algorithms_do_not_mix() {
    let mut refused = 0;
    for key in keys() {
        let signature = key.try_sign(b"message").expect("signs");
        for other in keys() {
            let result = other.verifying_key().verify(b"message", &signature);
            assert_eq!(result.is_ok(), other.algorithm() == key.algorithm());
            refused += usize::from(result.is_err());
            if other.algorithm() != key.algorithm() {
                assert!(other != key);
                let bytes = signature.as_bytes();
                assert!(Signature::from_bytes(other.algorithm(), bytes).is_err());
                let vk = key.verifying_key();
                assert!(VerifyingKey::from_bytes(other.algorithm(), vk.as_bytes()).is_err());
            }
        }
    }
    let all = Algorithm::ALL.len();
    assert_eq!(refused, all * (all - 1));
}

#[test]
fn the_length_tells_the_algorithm_of_a_signature() {
    for key in keys() {
        let signature = key.try_sign(b"message").expect("signs");
        assert_eq!(
            Signature::try_from(signature.as_bytes()).as_ref(),
            Ok(&signature)
        );
        assert_eq!(signature.to_bytes(), signature.as_bytes());
        assert_eq!(signature.to_vec(), signature.as_ref());
        assert_eq!(signature.encoded_len(), key.algorithm().signature_len());
    }
    let lengths: HashSet<_> = Algorithm::ALL.iter().map(|a| a.signature_len()).collect();
    assert_eq!(lengths.len(), Algorithm::ALL.len());
    let mut known = 0;
    for len in 0..5_000 {
        let bytes = vec![0x39; len];
        match Signature::try_from(bytes.as_slice()) {
            Ok(_) => known += 1,
            Err(error) if lengths.contains(&len) => assert_eq!(error, Error::InvalidSignature),
            Err(error) => assert_eq!(error, Error::InvalidLength),
        }
    }
    // FN-DSA-1024 has another header than 0x39.
    assert_eq!(
        known,
        Algorithm::ALL.len() - usize::from(cfg!(feature = "fndsa"))
    );
}

#[test]
fn a_generator_that_fails_is_an_error() {
    for key in keys() {
        let failed = Some(Error::RngFailed);
        assert_eq!(key.algorithm().try_generate(&mut Broken).err(), failed);
        assert_eq!(key.sign_mu_with_rng(&mut Broken, &[0; 64]).err(), failed);
        assert!(key.try_sign_with_rng(&mut Broken, b"message").is_err());
        let digest = [0; 32];
        let result = key.sign_prehashed(PreHash::Sha2_256, &digest, b"", &mut Broken);
        assert_eq!(result.err(), failed);
    }
}

/// The keys of the operating system's generator differ.
#[cfg(feature = "getrandom")]
#[test]
fn generated_keys_differ() {
    for &algorithm in Algorithm::ALL {
        let [a, b] = [(); 2].map(|()| SigningKey::try_generate(algorithm).expect("generates"));
        assert!(a != b && a == a.clone());
        assert!(a.verifying_key() != b.verifying_key());
    }
}

#[cfg(feature = "mldsa")]
#[test]
fn typed_and_untyped_keys_sign_alike() {
    use pqsig::mldsa::{MlDsa44, MlDsa65, MlDsa87, ParameterSet};

    fn check<P: ParameterSet>()
    where
        SigningKey: From<pqsig::mldsa::SigningKey<P>>,
        VerifyingKey: From<pqsig::mldsa::VerifyingKey<P>>,
    {
        let typed = pqsig::mldsa::SigningKey::<P>::from_seed(&[3; 32]);
        let key = SigningKey::from(typed.clone());
        assert_eq!(key.algorithm().name(), P::NAME);
        assert_eq!(key.verifying_key(), typed.verifying_key().clone().into());
        let context = b"context";
        let expected: pqsig::mldsa::Signature<P> = typed
            .with_context(context)
            .and_then(|key| key.try_sign(b"message").map_err(|_| Error::SigningFailed))
            .expect("signs");
        let signature = key
            .with_context(context)
            .and_then(|key| key.try_sign(b"message").map_err(|_| Error::SigningFailed))
            .expect("signs");
        assert_eq!(signature.as_bytes(), expected.as_bytes());
        // Fixed randomness reproduces through either.
        let expected: pqsig::mldsa::Signature<P> = typed
            .try_sign_with_rng(&mut Counting(9), b"message")
            .expect("signs");
        let signature = key
            .try_sign_with_rng(&mut Counting(9), b"message")
            .expect("signs");
        assert_eq!(signature.as_bytes(), expected.as_bytes());
        // The seed is not in the debug output.
        let debug = format!("{key:?} {:?}", key.with_context(b"c"));
        assert!(
            !debug.contains("030303") && !debug.contains("3, 3"),
            "{debug}"
        );
    }

    check::<MlDsa44>();
    check::<MlDsa65>();
    check::<MlDsa87>();
}

/// Checked by the compiler.
#[test]
fn trait_surface() {
    fn value<T: Clone + Debug + Eq + Send + Sync + Unpin + 'static>() {}
    fn public<T: Hash>() {}
    fn wiped<T: zeroize::ZeroizeOnDrop>() {}
    fn signs<K>()
    where
        K: Signer<Signature>
            + MultipartSigner<Signature>
            + RandomizedSigner<Signature>
            + RandomizedMultipartSigner<Signature>
            + Keypair<VerifyingKey = VerifyingKey>,
    {
    }
    fn verifies<K: Verifier<Signature> + MultipartVerifier<Signature>>() {}
    fn adapter<T: Copy + Debug + Send + Sync>() {}
    fn error<T: core::error::Error + Into<signature::Error>>() {}

    value::<Algorithm>();
    value::<SigningKey>();
    value::<VerifyingKey>();
    value::<Signature>();
    public::<Algorithm>();
    public::<VerifyingKey>();
    public::<Signature>();
    wiped::<SigningKey>();
    signs::<SigningKey>();
    signs::<WithContext<'_, SigningKey>>();
    verifies::<VerifyingKey>();
    verifies::<WithContext<'_, VerifyingKey>>();
    adapter::<WithContext<'_, SigningKey>>();
    error::<Error>();
}

#[cfg(feature = "pem")]
mod files {
    use super::*;
    use pqsig::{
        pkcs8::{
            AlgorithmIdentifierRef, DecodePrivateKey, EncodePrivateKey, LineEnding,
            ObjectIdentifier, PrivateKeyInfoRef, SecretDocument,
            der::{AnyRef, Encode, asn1::BitStringRef},
        },
        spki::{
            self, DecodePublicKey, Document, DynAssociatedAlgorithmIdentifier,
            DynSignatureAlgorithmIdentifier, EncodePublicKey, SignatureBitStringEncoding,
            SubjectPublicKeyInfo,
        },
    };

    const OIDS: [(&str, &str); 5] = [
        ("ML-DSA-44", "2.16.840.1.101.3.4.3.17"),
        ("ML-DSA-65", "2.16.840.1.101.3.4.3.18"),
        ("ML-DSA-87", "2.16.840.1.101.3.4.3.19"),
        ("FN-DSA-512", "2.25.1831233816.9"),
        ("FN-DSA-1024", "2.25.1831233816.10"),
    ];

    fn in_files(algorithm: Algorithm) -> bool {
        algorithm.name().starts_with("ML") || cfg!(feature = "fndsa-experimental-oid")
    }

    #[test]
    fn object_identifiers() {
        for &algorithm in Algorithm::ALL {
            let row = OIDS.iter().find(|row| row.0 == algorithm.name());
            let oid = algorithm.oid();
            assert_eq!(oid.to_string(), row.expect("in the table").1);
            let found = Algorithm::from_oid(&oid);
            assert_eq!(
                found.is_ok_and(|found| found == algorithm),
                in_files(algorithm)
            );
        }
        // HashML-DSA-65, Ed25519, SLH-DSA-SHA2-128s.
        for oid in [
            "2.16.840.1.101.3.4.3.33",
            "1.3.101.112",
            "2.16.840.1.101.3.4.3.20",
        ] {
            let oid = ObjectIdentifier::new_unwrap(oid);
            assert_eq!(Algorithm::from_oid(&oid), Err(Error::UnknownAlgorithm));
        }
    }

    #[test]
    fn files_round_trip() {
        let mut written = 0;
        for key in keys() {
            let vk = key.verifying_key();
            if !in_files(key.algorithm()) {
                assert!(key.to_pkcs8_der().is_err());
                assert!(vk.to_public_key_der().is_err());
                assert!(key.signature_algorithm_identifier().is_err());
                continue;
            }
            let der = key.to_pkcs8_der().expect("encodes");
            assert!(SigningKey::from_pkcs8_der(der.as_bytes()).expect("loads") == key);
            let pem = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
            assert!(SigningKey::from_pkcs8_pem(&pem).expect("loads") == key);
            let der = vk.to_public_key_der().expect("encodes");
            let loaded = VerifyingKey::from_public_key_der(der.as_bytes());
            assert_eq!(loaded.as_ref(), Ok(&vk));
            let pem = vk.to_public_key_pem(LineEnding::LF).expect("encodes");
            assert_eq!(VerifyingKey::from_public_key_pem(&pem).as_ref(), Ok(&vk));

            let signature = key.try_sign(b"message").expect("signs");
            let bits = signature.to_bitstring().expect("encodes");
            assert_eq!(bits.as_bytes(), Some(signature.as_bytes()));
            let with_context = key.with_context(b"c").expect("short enough");
            for identifier in [
                key.signature_algorithm_identifier(),
                vk.signature_algorithm_identifier(),
                with_context.signature_algorithm_identifier(),
                key.algorithm_identifier(),
                vk.algorithm_identifier(),
                signature.algorithm_identifier(),
            ] {
                let identifier = identifier.expect("known");
                assert_eq!(identifier.oid, key.algorithm().oid());
                assert_eq!(identifier.parameters, None);
            }
            written += 1;
        }
        let expected = Algorithm::ALL
            .iter()
            .filter(|&&algorithm| in_files(algorithm))
            .count();
        assert_eq!(written, expected);
    }

    #[cfg(feature = "mldsa")]
    #[test]
    fn private_key_formats() {
        use pqsig::mldsa::PrivateKeyFormat::{Both, Expanded, Seed};
        for key in keys() {
            for format in [Seed, Expanded, Both] {
                let encoded = key.to_pkcs8_der_with(format);
                if !key.algorithm().signs_deterministically() {
                    assert!(encoded.is_err());
                    continue;
                }
                let der = encoded.expect("encodes");
                assert_eq!(der.as_bytes().len() == 54, format == Seed);
                let loaded = SigningKey::from_pkcs8_der(der.as_bytes()).expect("loads");
                assert!(loaded == key);
                // Without its seed, a key cannot be written in the forms that have one.
                assert_eq!(loaded.to_pkcs8_der_with(Seed).is_err(), format == Expanded);
                assert_eq!(loaded.to_pkcs8_der_with(Both).is_err(), format == Expanded);
            }
        }
    }

    fn public_key(
        algorithm: AlgorithmIdentifierRef<'_>,
        bytes: &[u8],
    ) -> spki::Result<VerifyingKey> {
        let info = SubjectPublicKeyInfo {
            algorithm,
            subject_public_key: BitStringRef::from_bytes(bytes).expect("encodes"),
        };
        let der = Document::try_from(info).expect("encodes");
        VerifyingKey::from_public_key_der(der.as_bytes())
    }

    #[test]
    fn wrong_files_are_refused() {
        let ours = || keys().into_iter().filter(|key| in_files(key.algorithm()));
        let null = Some(AnyRef::NULL);
        let parameters = None;
        for key in ours() {
            let (vk, oid) = (key.verifying_key(), key.algorithm().oid());
            let bytes = vk.as_bytes();
            assert!(public_key(AlgorithmIdentifierRef { oid, parameters }, bytes).is_ok());
            let refused = Err(spki::Error::KeyMalformed);
            let with_null = AlgorithmIdentifierRef {
                oid,
                parameters: null,
            };
            assert_eq!(public_key(with_null, bytes), refused);
            let short = AlgorithmIdentifierRef { oid, parameters };
            assert_eq!(public_key(short, &bytes[1..]), refused);
            let hash = ObjectIdentifier::new_unwrap("2.16.840.1.101.3.4.3.32");
            let other = AlgorithmIdentifierRef {
                oid: hash,
                parameters,
            };
            let unknown = Err(spki::Error::OidUnknown { oid: hash });
            assert_eq!(public_key(other, bytes), unknown);

            let der = key.to_pkcs8_der().expect("encodes");
            let mut info = PrivateKeyInfoRef::try_from(der.as_bytes()).expect("loads");
            info.algorithm.parameters = null;
            assert!(SigningKey::try_from(info.clone()).is_err());
            info.algorithm.parameters = None;
            assert!(SigningKey::try_from(info.clone()).is_ok());
            info.algorithm.oid = hash;
            assert!(SigningKey::try_from(info.clone()).is_err());
            let document = SecretDocument::try_from(info).expect("encodes");
            assert!(SigningKey::from_pkcs8_der(document.as_bytes()).is_err());
            // A key cut anywhere, or with something after it.
            for len in 0..der.as_bytes().len() {
                assert!(SigningKey::from_pkcs8_der(&der.as_bytes()[..len]).is_err());
            }
            let longer = [der.as_bytes(), &[0]].concat();
            assert!(SigningKey::from_pkcs8_der(&longer).is_err());
        }
        let key = ours().next();
        if let Some(key) = key {
            let pem = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
            for label in ["ML-DSA PRIVATE KEY", "EC PRIVATE KEY", "PUBLIC KEY"] {
                assert!(SigningKey::from_pkcs8_pem(&pem.replace("PRIVATE KEY", label)).is_err());
            }
        }
    }

    /// The bounds of the certificate builder of `x509-cert`, and a certificate for each algorithm.
    #[test]
    fn certificates() {
        use core::{str::FromStr, time::Duration};
        use x509_cert::{
            builder::{Builder, CertificateBuilder, profile::cabf::Root},
            name::Name,
            serial_number::SerialNumber,
            spki::SubjectPublicKeyInfoOwned,
            time::Validity,
        };
        let mut made = 0;
        for key in keys() {
            let name = Name::from_str("CN=any,O=pqsig,C=CH").expect("a name");
            let Ok(public) = SubjectPublicKeyInfoOwned::from_key(&key.verifying_key()) else {
                assert!(!in_files(key.algorithm()));
                continue;
            };
            let builder = CertificateBuilder::new(
                Root::new(false, name).expect("a profile"),
                SerialNumber::from(1_u32),
                Validity::from_now(Duration::from_secs(60)).expect("in range"),
                public,
            );
            let certificate = builder
                .expect("a builder")
                .build::<_, Signature>(&key)
                .expect("builds");
            let tbs = certificate.tbs_certificate();
            let spki = tbs.subject_public_key_info().to_der().expect("encodes");
            let vk = VerifyingKey::from_public_key_der(&spki).expect("loads");
            let bits = certificate.signature().as_bytes().expect("whole bytes");
            let signature = Signature::from_bytes(vk.algorithm(), bits).expect("right length");
            let message = tbs.to_der().expect("encodes");
            vk.verify(&message, &signature).expect("verifies");
            made += 1;
        }
        let expected = Algorithm::ALL
            .iter()
            .filter(|&&algorithm| in_files(algorithm))
            .count();
        assert_eq!(made, expected);
    }
}

/// Other crates can convert our signatures into types of their own: no impl of ours overlaps.
#[test]
fn conversions_leave_room_for_those_of_other_crates() {
    struct Foreign(Vec<u8>);

    #[cfg(feature = "mldsa")]
    impl From<pqsig::mldsa::Signature<pqsig::mldsa::MlDsa65>> for Foreign {
        fn from(signature: pqsig::mldsa::Signature<pqsig::mldsa::MlDsa65>) -> Self {
            Self(signature.as_bytes().into())
        }
    }

    #[cfg(feature = "fndsa")]
    impl From<pqsig::fndsa::Signature<pqsig::fndsa::FnDsa512>> for Foreign {
        fn from(signature: pqsig::fndsa::Signature<pqsig::fndsa::FnDsa512>) -> Self {
            Self(signature.as_bytes().into())
        }
    }

    #[cfg(feature = "mldsa")]
    {
        let bytes = [7; 3309];
        let signature = pqsig::mldsa::Signature::<pqsig::mldsa::MlDsa65>::from(bytes);
        assert_eq!(Foreign::from(signature).0, bytes);
    }
}
