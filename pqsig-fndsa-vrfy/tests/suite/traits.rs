//! The trait surface.

use crate::common::{Oracle, Stream, for_each_set};
use core::{fmt::Debug, hash::Hash};
use fn_dsa::HASH_ID_RAW;
use pqsig_fndsa_vrfy::{
    FnDsa512, FnDsa1024, ParameterSet, PreparedVerifyingKey, Signature, VerifyingKey,
};
use sha3::{Digest as _, Sha3_256};
use shake::Shake256;
use signature::{DigestVerifier, MultipartVerifier, SignatureEncoding, Verifier};

/// What every value type has.
fn plain_data<T: Clone + Eq + Hash + Debug + Send + Sync + Unpin + 'static>() {}

fn verifier<P: ParameterSet, K>()
where
    K: Verifier<Signature<P>> + MultipartVerifier<Signature<P>>,
    K: DigestVerifier<Shake256, Signature<P>>,
{
}

#[test]
fn surface() {
    fn check<P: ParameterSet>() {
        plain_data::<VerifyingKey<P>>();
        plain_data::<PreparedVerifyingKey<P>>();
        plain_data::<Signature<P>>();
        verifier::<P, VerifyingKey<P>>();
        verifier::<P, PreparedVerifyingKey<P>>();
        verifier::<P, pqsig_fndsa_vrfy::WithContext<'static, VerifyingKey<P>>>();
    }
    check::<FnDsa512>();
    check::<FnDsa1024>();

    fn encoding<S: SignatureEncoding<Repr = [u8; N]>, const N: usize>() {}
    encoding::<Signature<FnDsa512>, 666>();
    encoding::<Signature<FnDsa1024>, 1280>();
    assert_eq!(VerifyingKey::<FnDsa512>::LEN, 897);
    assert_eq!(VerifyingKey::<FnDsa1024>::LEN, 1793);
    assert_eq!(size_of::<PreparedVerifyingKey<FnDsa512>>(), 1986);
    assert_eq!(size_of::<PreparedVerifyingKey<FnDsa1024>>(), 3906);
}

/// All ways to verify agree.
fn ways<P: ParameterSet>() {
    let mut rng = Stream::of::<P>("ways");
    let oracle = Oracle::<P>::new(&mut rng);
    let key = &oracle.key;
    let prepared = key.prepare();
    let parse = |bytes: Vec<u8>| Signature::<P>::from_bytes(&bytes).expect("a good header");
    let pure = parse(oracle.sign(&mut rng, b"", HASH_ID_RAW.0, b"a message"));
    let with_context = parse(oracle.sign(&mut rng, b"ctx", HASH_ID_RAW.0, b"a message"));
    let digest = Sha3_256::digest(b"a message");
    let id = fn_dsa::HASH_ID_SHA3_256.0;
    let hashed = parse(oracle.sign(&mut rng, b"ctx", id, &digest));

    macro_rules! check {
        ($key:expr, $good:expr) => {
            for signature in [pure, with_context, hashed] {
                let good = signature == $good;
                assert_eq!($key.verify(b"a message", &signature).is_ok(), good);
                assert_eq!(
                    $key.multipart_verify(&[b"a m", b"", b"essage"], &signature)
                        .is_ok(),
                    good
                );
            }
        };
    }
    check!(key, pure);
    check!(prepared, pure);
    check!(key.with_context(b"ctx").expect("short"), with_context);
    check!(prepared.with_context(b"ctx").expect("short"), with_context);
    check!(
        key.with_context(b"ctx")
            .expect("short")
            .prehash::<Sha3_256>(),
        hashed
    );
    check!(
        prepared
            .with_context(b"ctx")
            .expect("short")
            .prehash::<Sha3_256>(),
        hashed
    );

    let stream = |digest: &mut Shake256| {
        shake::digest::Update::update(digest, b"a mess");
        shake::digest::Update::update(digest, b"age");
        Ok(())
    };
    key.verify_digest(stream, &pure).expect("good");
    prepared.verify_digest(stream, &pure).expect("good");
    assert!(key.verify_digest(stream, &with_context).is_err());

    assert_eq!(&prepared, &PreparedVerifyingKey::from(key));
    assert_eq!(prepared.verifying_key(), key);
    assert_eq!(
        VerifyingKey::try_from(prepared.as_bytes()).as_ref(),
        Ok(key)
    );
    assert_eq!(Signature::try_from(pure.as_ref()), Ok(pure));
    assert_eq!(pure.to_array().as_ref(), pure.as_bytes());
    assert!(format!("{key:?}").contains(P::NAME));
    assert!(format!("{pure:?}").contains(P::NAME));
}

for_each_set!(ways);

#[test]
fn signatures_are_arrays() {
    let mut rng = Stream::of::<FnDsa512>("arrays");
    let bytes = Oracle::<FnDsa512>::new(&mut rng).sign(&mut rng, b"", HASH_ID_RAW.0, b"");
    let signature = Signature::<FnDsa512>::from_bytes(&bytes).expect("a good header");
    let array: [u8; 666] = signature.into();
    assert_eq!(array[..], bytes);
    assert_eq!(signature.to_bytes(), array);
    assert_eq!(signature.encoded_len(), 666);
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;

    fn round_trips<P: ParameterSet>() {
        let mut rng = Stream::of::<P>("serde");
        let oracle = Oracle::<P>::new(&mut rng);
        let bytes = oracle.sign(&mut rng, b"", HASH_ID_RAW.0, b"");
        let signature = Signature::<P>::from_bytes(&bytes).expect("a good header");

        let text = serde_json::to_string(&oracle.key).expect("writes");
        let hex: String = oracle.vk.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(text, format!("\"{hex}\""));
        assert_eq!(
            serde_json::from_str::<VerifyingKey<P>>(&text).expect("reads"),
            oracle.key
        );
        let text = serde_json::to_string(&signature).expect("writes");
        assert_eq!(
            serde_json::from_str::<Signature<P>>(&text).expect("reads"),
            signature
        );

        let binary = postcard::to_stdvec(&oracle.key).expect("writes");
        assert!(binary.len() <= oracle.vk.len() + 2);
        let key: VerifyingKey<P> = postcard::from_bytes(&binary).expect("reads");
        assert_eq!(key, oracle.key);
        let binary = postcard::to_stdvec(&signature).expect("writes");
        assert_eq!(
            postcard::from_bytes::<Signature<P>>(&binary).expect("reads"),
            signature
        );

        // Wrong lengths, headers and values.
        let mut vk = oracle.vk.clone();
        vk[1] = 0xFF;
        vk[2] = 0xFF;
        for bad in [
            &oracle.vk[1..],
            &vk,
            &[&oracle.vk[..], &[0]].concat(),
            &bytes,
        ] {
            let hex: String = bad.iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(serde_json::from_str::<VerifyingKey<P>>(&format!("\"{hex}\"")).is_err());
        }
        let mut other = bytes.clone();
        other[0] ^= 1;
        for bad in [
            &bytes[1..],
            &other,
            &[&bytes[..], &[0]].concat(),
            &oracle.vk,
        ] {
            let hex: String = bad.iter().map(|byte| format!("{byte:02x}")).collect();
            assert!(serde_json::from_str::<Signature<P>>(&format!("\"{hex}\"")).is_err());
        }
    }

    for_each_set!(round_trips);
}

#[cfg(all(feature = "fndsa-experimental-oid", feature = "pem"))]
mod key_files {
    use super::*;
    use pqsig_comm::{
        pkcs8::{
            DecodePublicKey, EncodePublicKey, ObjectIdentifier,
            der::{Decode, Encode, asn1::AnyRef, pem::LineEnding},
        },
        spki::{
            AlgorithmIdentifierRef, AssociatedAlgorithmIdentifier, SignatureAlgorithmIdentifier,
            SignatureBitStringEncoding, SubjectPublicKeyInfoRef,
        },
    };

    fn round_trips<P: ParameterSet>() {
        let mut rng = Stream::of::<P>("files");
        let oracle = Oracle::<P>::new(&mut rng);
        let der = oracle.key.to_public_key_der().expect("writes");
        assert_eq!(
            VerifyingKey::<P>::from_public_key_der(der.as_bytes()),
            Ok(oracle.key.clone())
        );
        let pem = oracle
            .key
            .to_public_key_pem(LineEnding::LF)
            .expect("writes");
        assert!(pem.starts_with("-----BEGIN PUBLIC KEY-----\n"));
        assert_eq!(
            VerifyingKey::<P>::from_public_key_pem(&pem),
            Ok(oracle.key.clone())
        );
        let prepared = PreparedVerifyingKey::<P>::from_public_key_der(der.as_bytes());
        assert_eq!(prepared, Ok(oracle.key.prepare()));
        assert_eq!(
            prepared
                .expect("good")
                .to_public_key_der()
                .expect("writes")
                .as_bytes(),
            der.as_bytes()
        );

        // Another algorithm, parameters that are there, and a key that is none.
        let info = SubjectPublicKeyInfoRef::from_der(der.as_bytes()).expect("good DER");
        assert_eq!(info.algorithm.oid, VerifyingKey::<P>::OID);
        assert_eq!(info.algorithm, Signature::<P>::ALGORITHM_IDENTIFIER);
        assert_eq!(info.algorithm, VerifyingKey::<P>::ALGORITHM_IDENTIFIER);
        assert_eq!(
            info.algorithm,
            VerifyingKey::<P>::SIGNATURE_ALGORITHM_IDENTIFIER
        );
        let refused = |algorithm: AlgorithmIdentifierRef<'_>| {
            let info = SubjectPublicKeyInfoRef {
                algorithm,
                ..info.clone()
            };
            let der = info.to_der().expect("writes");
            assert!(VerifyingKey::<P>::from_public_key_der(&der).is_err());
        };
        for oid in [
            "2.16.840.1.101.3.4.3.17",
            "1.3.9999.3.11",
            "2.25.1831233816.8",
        ] {
            let oid = ObjectIdentifier::new_unwrap(oid);
            refused(AlgorithmIdentifierRef {
                oid,
                parameters: None,
            });
        }
        let parameters = Some(AnyRef::NULL);
        refused(AlgorithmIdentifierRef {
            parameters,
            ..info.algorithm
        });
        let mut longer = der.as_bytes().to_vec();
        longer.push(0);
        assert!(VerifyingKey::<P>::from_public_key_der(&longer).is_err());
        let mut other = der.as_bytes().to_vec();
        other[der.as_bytes().len() - P::VERIFYING_KEY_LEN] ^= 1;
        assert!(VerifyingKey::<P>::from_public_key_der(&other).is_err());

        let bytes = oracle.sign(&mut rng, b"", HASH_ID_RAW.0, b"");
        let signature = Signature::<P>::from_bytes(&bytes).expect("a good header");
        assert_eq!(
            signature.to_bitstring().expect("writes").as_bytes(),
            Some(&bytes[..])
        );
    }

    for_each_set!(round_trips);
}
