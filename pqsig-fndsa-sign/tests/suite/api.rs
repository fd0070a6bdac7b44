//! The trait surface.

use crate::common::{Replay, Rng};
use pqsig_fndsa_sign::{
    Error, FnDsa512, FnDsa1024, ParameterSet, PreHash, PreparedSigningKey, Scratch, Signature,
    SigningKey, VerifyingKey,
};
use signature::{
    Keypair, KeypairRef, MultipartVerifier, RandomizedDigestSigner, RandomizedMultipartSigner,
    RandomizedSigner, Verifier,
};
use std::sync::OnceLock;
use zeroize::ZeroizeOnDrop;

fn key() -> &'static SigningKey<FnDsa512> {
    static KEY: OnceLock<SigningKey<FnDsa512>> = OnceLock::new();
    KEY.get_or_init(|| SigningKey::generate_from_rng(&mut Rng(8)))
}

fn is_a_signing_key<K, P>()
where
    P: ParameterSet,
    K: RandomizedSigner<Signature<P>>
        + RandomizedMultipartSigner<Signature<P>>
        + RandomizedDigestSigner<shake::Shake256, Signature<P>>
        + KeypairRef<VerifyingKey = VerifyingKey<P>>
        + Keypair
        + ZeroizeOnDrop
        + core::fmt::Debug
        + Eq
        + Send
        + Sync,
{
}

#[test]
fn keys_have_their_traits() {
    is_a_signing_key::<SigningKey<FnDsa512>, FnDsa512>();
    is_a_signing_key::<SigningKey<FnDsa1024>, FnDsa1024>();
    is_a_signing_key::<PreparedSigningKey<FnDsa512>, FnDsa512>();
    fn generates<K: crypto_common::Generate>() {}
    generates::<SigningKey<FnDsa512>>();
    fn wiped<T: ZeroizeOnDrop + Send + Sync + Default>() {}
    wiped::<Scratch<FnDsa1024>>();
}

#[test]
fn debug_shows_no_secret() {
    let prepared = Box::new(key().prepare());
    assert_eq!(
        format!("{:?} {prepared:?} {:?}", key(), Scratch::<FnDsa512>::new()),
        "SigningKey { set: \"FN-DSA-512\", .. } PreparedSigningKey { set: \"FN-DSA-512\", .. } \
         Scratch { .. }"
    );
}

#[test]
fn equality_is_that_of_the_encoding() {
    let other = SigningKey::<FnDsa512>::generate_from_rng(&mut Rng(9));
    assert!(*key() == key().clone());
    assert!(*key() != other);
    assert!(key().prepare() == key().prepare());
    assert!(key().prepare() != other.prepare());
    let bytes = key().to_bytes();
    assert_eq!(bytes.len(), SigningKey::<FnDsa512>::LEN);
    assert!(SigningKey::try_from(&bytes[..]).as_ref() == Ok(key()));
    assert_eq!(key().prepare().to_bytes(), bytes);
}

/// One seed, one signature, whichever way it is asked for.
#[test]
fn all_ways_to_sign_agree() {
    let seed = [5; 40];
    let prepared = Box::new(key().prepare());
    let expected: Signature<FnDsa512> = key().sign_with_rng(&mut Replay::new(&seed), b"message");
    let verifying_key = key().verifying_key();
    assert_eq!(verifying_key.verify(b"message", &expected).ok(), Some(()));
    assert_eq!(
        verifying_key
            .multipart_verify(&[b"mess", b"age"], &expected)
            .ok(),
        Some(())
    );

    let mut builder = key().mu_builder(b"").expect("short");
    builder.update(b"mes");
    builder.update(b"sage");
    let mu = builder.finalize();
    let mut scratch = Box::new(Scratch::new());
    let mut all = vec![
        prepared.sign_with_rng(&mut Replay::new(&seed), b"message"),
        key().multipart_sign_with_rng(&mut Replay::new(&seed), &[b"mess", b"age"]),
        prepared.multipart_sign_with_rng(&mut Replay::new(&seed), &[b"mess", b"age"]),
        key().sign_digest_with_rng(&mut Replay::new(&seed), |digest| {
            shake::digest::Update::update(digest, b"message");
        }),
    ];
    for result in [
        key().sign_mu_with_rng(&mut Replay::new(&seed), &mu),
        prepared.sign_mu_with_rng(&mut Replay::new(&seed), &mu),
        key().sign_with_scratch(&mut scratch, &mut Replay::new(&seed), &mu),
        prepared.sign_with_scratch(&mut scratch, &mut Replay::new(&seed), &mu),
        key().sign_with_scratch(&mut scratch, &mut Replay::new(&seed), &mu),
    ] {
        all.push(result.expect("a signature"));
    }
    #[cfg(feature = "hazmat")]
    all.push(pqsig_fndsa_sign::hazmat::sign_with_seed(key(), &mu, &seed).expect("a signature"));
    for signature in all {
        assert_eq!(signature, expected);
    }
}

#[test]
fn contexts_separate() {
    let mut rng = Rng(10);
    let lengths = [0, 1, 254, 255];
    for i in lengths {
        let context = vec![0; i];
        let signer = key().with_context(&context).expect("short");
        let signature = signer.sign_with_rng(&mut rng, b"message");
        for j in lengths {
            let context = vec![0; j];
            let verifier = key().verifying_key().with_context(&context).expect("short");
            assert_eq!(verifier.verify(b"message", &signature).is_ok(), i == j);
        }
    }
    for length in [256, 257, 511, 65_537] {
        let context = vec![0; length];
        let too_long = Some(Error::ContextTooLong);
        assert_eq!(key().with_context(&context).err(), too_long);
        assert_eq!(key().mu_builder(&context).err(), too_long);
        let result = key().sign_prehashed(PreHash::Sha2_256, &[0; 32], &context, &mut rng);
        assert_eq!(result.err(), too_long);
    }
}

#[test]
fn digests_of_a_wrong_length_are_refused() {
    for length in [0, 5, 31, 33, 64] {
        let digest = vec![0; length];
        let result = key().sign_prehashed(PreHash::Sha2_256, &digest, b"", &mut Rng(11));
        assert_eq!(result, Err(Error::DigestLength));
    }
}

#[test]
fn the_typed_prehash_form_is_the_untyped_one() {
    use sha3::{Digest, Sha3_256};
    let seed = [6; 40];
    let digest = Sha3_256::digest(b"message");
    let expected = key()
        .sign_prehashed(PreHash::Sha3_256, &digest, b"ctx", &mut Replay::new(&seed))
        .expect("a signature");
    let signer = key().with_context(b"ctx").expect("short");
    let signature = signer
        .prehash::<Sha3_256>()
        .sign_with_rng(&mut Replay::new(&seed), b"message");
    assert_eq!(signature, expected);
}

/// LESSONS L63: `Signer` draws fresh randomness; without the feature there is none.
#[cfg(feature = "getrandom")]
#[test]
fn signer_is_randomised() {
    use signature::{MultipartSigner, Signer};
    let prepared = Box::new(key().prepare());
    let mut nonces = std::collections::HashSet::new();
    for _ in 0..5 {
        let signatures: [Signature<FnDsa512>; 3] = [
            key().sign(b"message"),
            prepared.sign(b"message"),
            key().multipart_sign(&[b"message"]),
        ];
        for signature in signatures {
            let verdict = key().verifying_key().verify(b"message", &signature);
            assert!(verdict.is_ok());
            assert!(nonces.insert(*signature.nonce()));
        }
    }
    assert!(SigningKey::<FnDsa512>::try_generate().is_ok());
    assert!(SigningKey::<FnDsa512>::generate() != SigningKey::generate());
}

/// LESSONS L63: this compiles only if `SigningKey` is no `Signer`.
#[cfg(not(feature = "getrandom"))]
#[test]
fn there_is_no_signer() {
    trait Ambiguous<A> {
        fn check() {}
    }
    impl<T> Ambiguous<()> for T {}
    struct Signs;
    impl<T: signature::Signer<Signature<FnDsa512>>> Ambiguous<Signs> for T {}
    <SigningKey<FnDsa512> as Ambiguous<_>>::check();
    <PreparedSigningKey<FnDsa512> as Ambiguous<_>>::check();
}

#[cfg(feature = "serde")]
#[test]
fn serde_round_trips_and_checks() {
    let json = serde_json::to_string(key()).expect("text");
    assert_eq!(json.len(), 2 + 2 * 1345);
    assert!(serde_json::from_str::<SigningKey<FnDsa512>>(&json).expect("a key") == *key());
    assert!(serde_json::from_str::<SigningKey<FnDsa512>>(&json[..200]).is_err());
    assert!(serde_json::from_str::<SigningKey<FnDsa1024>>(&json).is_err());
    let mut bytes = postcard::to_stdvec(key()).expect("bytes");
    assert!(postcard::from_bytes::<SigningKey<FnDsa512>>(&bytes).expect("a key") == *key());
    *bytes.last_mut().expect("bytes") ^= 1;
    assert!(postcard::from_bytes::<SigningKey<FnDsa512>>(&bytes).is_err());
}

#[cfg(all(feature = "fndsa-experimental-oid", feature = "alloc"))]
#[test]
fn pkcs8_round_trips_and_checks() {
    use pqsig_comm::pkcs8::{
        DecodePrivateKey, EncodePrivateKey, PrivateKeyInfoRef,
        der::Encode,
        der::asn1::{BitStringRef, OctetStringRef},
    };
    let der = key().to_pkcs8_der().expect("a document");
    assert!(SigningKey::<FnDsa512>::from_pkcs8_der(der.as_bytes()).expect("a key") == *key());
    assert!(PreparedSigningKey::<FnDsa512>::from_pkcs8_der(der.as_bytes()).is_ok());
    assert!(SigningKey::<FnDsa1024>::from_pkcs8_der(der.as_bytes()).is_err());
    assert_eq!(
        key()
            .prepare()
            .to_pkcs8_der()
            .expect("a document")
            .as_bytes(),
        der.as_bytes()
    );
    let mut bad = der.as_bytes().to_vec();
    *bad.last_mut().expect("bytes") ^= 1;
    assert!(SigningKey::<FnDsa512>::from_pkcs8_der(&bad).is_err());
    // LESSONS L35: a public key in the file must be the right one.
    let mut info = PrivateKeyInfoRef::try_from(der.as_bytes()).expect("a document");
    let right = key().verifying_key().as_bytes();
    let mut wrong = right.to_vec();
    wrong[5] ^= 1;
    for (public, valid) in [(right, true), (&wrong, false), (&right[..10], false)] {
        info.public_key = Some(BitStringRef::from_bytes(public).expect("bits"));
        let file = info.to_der().expect("a document");
        assert_eq!(SigningKey::<FnDsa512>::from_pkcs8_der(&file).is_ok(), valid);
    }
    info.public_key = None;
    let short = &key().to_bytes()[..1344];
    info.private_key = OctetStringRef::new(short).expect("octets");
    let file = info.to_der().expect("a document");
    assert!(SigningKey::<FnDsa512>::from_pkcs8_der(&file).is_err());
}
