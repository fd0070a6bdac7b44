//! The trait surface: which type implements what (checked by the compiler), and that all ways to
//! sign and to verify one message agree.

#[cfg(feature = "pem")]
mod x509;

use crate::common::{Broken, Fixed, OutOfOrder, Set, Stream, for_each_set};
use core::{fmt::Debug, hash::Hash};
use pqsig_mldsa::{
    Error, MlDsa44, MlDsa65, MlDsa87, MuBuilder, ParameterSet, PreHash, PrehashDigest, Prehashed,
    PreparedSigningKey, PreparedVerifyingKey, Signature, SigningKey, VerifyingKey, WithContext,
};
use shake::{Shake256, digest::Update};
use signature::{
    DigestSigner, DigestVerifier, Keypair, KeypairRef, MultipartSigner, MultipartVerifier,
    RandomizedDigestSigner, RandomizedMultipartSigner, RandomizedSigner, SignatureEncoding, Signer,
    Verifier,
};
use zeroize::ZeroizeOnDrop;

/// Nothing but markers: what every public type is.
fn any<T: Send + Sync + Unpin + Debug + 'static>() {}

/// A type that signs; `D` is the digest that streams into it.
fn signer<P: ParameterSet, D: Update, K>()
where
    K: Signer<Signature<P>>
        + MultipartSigner<Signature<P>>
        + DigestSigner<D, Signature<P>>
        + RandomizedSigner<Signature<P>>
        + RandomizedMultipartSigner<Signature<P>>
        + RandomizedDigestSigner<D, Signature<P>>
        + KeypairRef<VerifyingKey = VerifyingKey<P>>
        + Keypair<VerifyingKey = VerifyingKey<P>>
        + AsRef<VerifyingKey<P>>
        + Send
        + Sync
        + Debug,
{
}

fn verifier<P: ParameterSet, D: Update, K>()
where
    K: Verifier<Signature<P>>
        + MultipartVerifier<Signature<P>>
        + DigestVerifier<D, Signature<P>>
        + Clone
        + Send
        + Sync
        + Debug,
{
}

fn secret<T: ZeroizeOnDrop + PartialEq>() {}
fn public<T: Clone + Eq + Hash>() {}
fn adapter<T: Copy>() {}

/// Compiles, for every set at once: generic code needs no list of sets.
fn generic_surface<P: Set>() {
    any::<SigningKey<P>>();
    any::<PreparedSigningKey<P>>();
    any::<VerifyingKey<P>>();
    any::<PreparedVerifyingKey<P>>();
    any::<Signature<P>>();
    any::<MuBuilder>();
    any::<PreHash>();
    any::<Error>();

    signer::<P, Shake256, SigningKey<P>>();
    signer::<P, Shake256, PreparedSigningKey<P>>();
    signer::<P, Shake256, WithContext<'static, SigningKey<P>>>();
    signer::<P, Shake256, WithContext<'static, PreparedSigningKey<P>>>();
    verifier::<P, Shake256, VerifyingKey<P>>();
    verifier::<P, Shake256, PreparedVerifyingKey<P>>();
    verifier::<P, Shake256, WithContext<'static, VerifyingKey<P>>>();
    verifier::<P, Shake256, WithContext<'static, PreparedVerifyingKey<P>>>();
    prehash_surface::<P, sha2::Sha224>();
    prehash_surface::<P, sha2::Sha256>();
    prehash_surface::<P, sha2::Sha384>();
    prehash_surface::<P, sha2::Sha512>();
    prehash_surface::<P, sha2::Sha512_224>();
    prehash_surface::<P, sha2::Sha512_256>();
    prehash_surface::<P, sha3::Sha3_224>();
    prehash_surface::<P, sha3::Sha3_256>();
    prehash_surface::<P, sha3::Sha3_384>();
    prehash_surface::<P, sha3::Sha3_512>();
    prehash_surface::<P, shake::Shake128>();
    prehash_surface::<P, Shake256>();

    secret::<SigningKey<P>>();
    secret::<PreparedSigningKey<P>>();
    public::<VerifyingKey<P>>();
    public::<PreparedVerifyingKey<P>>();
    public::<Signature<P>>();
    adapter::<WithContext<'static, SigningKey<P>>>();
    adapter::<WithContext<'static, VerifyingKey<P>>>();

    fn from_bytes<T: for<'a> TryFrom<&'a [u8], Error = Error> + AsRef<[u8]>>() {}
    from_bytes::<VerifyingKey<P>>();
    from_bytes::<Signature<P>>();
    fn generate<T: crypto_common::Generate>() {}
    generate::<SigningKey<P>>();

    #[cfg(feature = "pem")]
    pkcs8_surface::<P>();
    #[cfg(feature = "serde")]
    {
        fn serde<T: serde_core::Serialize + serde_core::de::DeserializeOwned>() {}
        serde::<VerifyingKey<P>>();
        serde::<Signature<P>>();
        serde::<SigningKey<P>>();
    }
}

fn prehash_surface<P: ParameterSet, D: PrehashDigest>() {
    signer::<P, D, Prehashed<'static, SigningKey<P>, D>>();
    signer::<P, D, Prehashed<'static, PreparedSigningKey<P>, D>>();
    verifier::<P, D, Prehashed<'static, VerifyingKey<P>, D>>();
    verifier::<P, D, Prehashed<'static, PreparedVerifyingKey<P>, D>>();
    adapter::<Prehashed<'static, SigningKey<P>, D>>();
}

#[cfg(feature = "pem")]
fn pkcs8_surface<P: ParameterSet>() {
    use pkcs8::{
        DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey,
        spki::{
            AssociatedAlgorithmIdentifier, DynSignatureAlgorithmIdentifier,
            SignatureAlgorithmIdentifier, SignatureBitStringEncoding,
        },
    };

    fn private_key<T>()
    where
        T: EncodePrivateKey
            + DecodePrivateKey
            + SignatureAlgorithmIdentifier
            + DynSignatureAlgorithmIdentifier
            + AssociatedAlgorithmIdentifier,
    {
    }
    fn public_key<T>()
    where
        T: EncodePublicKey + DecodePublicKey + AssociatedAlgorithmIdentifier,
    {
    }
    fn signs_certificates<T: DynSignatureAlgorithmIdentifier + EncodePrivateKey>() {}
    fn signature<T: SignatureBitStringEncoding + AssociatedAlgorithmIdentifier>() {}

    private_key::<SigningKey<P>>();
    private_key::<PreparedSigningKey<P>>();
    public_key::<VerifyingKey<P>>();
    public_key::<PreparedVerifyingKey<P>>();
    signs_certificates::<WithContext<'static, SigningKey<P>>>();
    fn encodes<T: EncodePublicKey>() {}
    encodes::<WithContext<'static, VerifyingKey<P>>>();
    signature::<Signature<P>>();
}

/// What the compiler takes set by set.
macro_rules! set_surface {
    ($($name:ident: $set:ty, $vk:literal, $sig:literal, $sk:literal, $label:literal;)*) => {$(
        #[test]
        fn $name() {
            fn encoding<S>()
            where
                S: SignatureEncoding<Repr = [u8; $sig]> + From<[u8; $sig]> + Into<[u8; $sig]>,
            {
            }
            encoding::<Signature<$set>>();
            assert_eq!(<$set>::NAME, $label);
            assert_eq!(VerifyingKey::<$set>::LEN, $vk);
            assert_eq!(Signature::<$set>::LEN, $sig);
            let key = SigningKey::<$set>::from_seed(&[0; 32]);
            let expanded: [u8; $sk] = key.to_expanded_bytes();
            let made = key.sign(b"");
            assert_eq!(made.encoded_len(), $sig);
            assert!(made.to_vec() == made.as_bytes() && made.to_bytes() == made.as_bytes());
            let array: [u8; $sig] = made.into();
            assert!(Signature::<$set>::from(array) == made);
            assert!(SigningKey::from_expanded_bytes(&expanded).is_ok_and(|k| k == key));
        }
    )*};
}

set_surface! {
    surface_44: MlDsa44, 1312, 2420, 2560, "ML-DSA-44";
    surface_65: MlDsa65, 1952, 3309, 4032, "ML-DSA-65";
    surface_87: MlDsa87, 2592, 4627, 4896, "ML-DSA-87";
}

for_each_set!(
    generic_surface,
    all_ways_to_sign_agree,
    all_prehash_ways_agree,
    failing_generator_is_an_error,
    failing_message_is_an_error,
    debug_shows_no_secret,
    equality_and_hash,
);

/// Code that has never heard of ML-DSA.
fn sign_generically<S, K: Signer<S>>(key: &K, message: &[u8]) -> S {
    key.sign(message)
}

fn verify_generically<S, K: Keypair>(key: &K, message: &[u8], signature: &S) -> bool
where
    K::VerifyingKey: Verifier<S>,
{
    key.verifying_key().verify(message, signature).is_ok()
}

/// Every deterministic and every hedged way over one key form and context.
fn ways<P: Set, K>(key: &K, message: &[u8], rnd: &[u8; 32]) -> [Vec<Signature<P>>; 2]
where
    K: Signer<Signature<P>>
        + MultipartSigner<Signature<P>>
        + DigestSigner<Shake256, Signature<P>>
        + RandomizedSigner<Signature<P>>
        + RandomizedMultipartSigner<Signature<P>>
        + RandomizedDigestSigner<Shake256, Signature<P>>,
{
    let (head, tail) = message.split_at(message.len() / 3);
    let parts = [head, &[], tail];
    let feed = |digest: &mut Shake256| {
        digest.update(tail_first_half(tail).0);
        digest.update(tail_first_half(tail).1);
    };
    let feed_all = |digest: &mut Shake256| {
        digest.update(head);
        feed(digest);
    };
    let deterministic = vec![
        sign_generically(key, message),
        key.try_sign(message).expect("signs"),
        key.multipart_sign(&parts),
        key.multipart_sign(&[message]),
        key.sign_digest(feed_all),
    ];
    let hedged = vec![
        key.sign_with_rng(&mut Fixed(rnd), message),
        key.multipart_sign_with_rng(&mut Fixed(rnd), &parts),
        key.sign_digest_with_rng(&mut Fixed(rnd), feed_all),
    ];
    [deterministic, hedged]
}

fn tail_first_half(tail: &[u8]) -> (&[u8], &[u8]) {
    tail.split_at(tail.len() / 2)
}

fn all_equal<P: Set>(signatures: Vec<Signature<P>>) -> Signature<P> {
    assert!(signatures.windows(2).all(|pair| pair[0] == pair[1]));
    signatures[0]
}

/// Every way to verify over one key form and context.
#[track_caller]
fn verifies<P: Set, K>(key: &K, message: &[u8], signature: &Signature<P>) -> bool
where
    K: Verifier<Signature<P>>
        + MultipartVerifier<Signature<P>>
        + DigestVerifier<Shake256, Signature<P>>,
{
    let (head, tail) = message.split_at(message.len() / 2);
    let verdicts = [
        key.verify(message, signature).is_ok(),
        key.multipart_verify(&[head, tail, &[]], signature).is_ok(),
        key.verify_digest(
            |digest: &mut Shake256| {
                digest.update(head);
                digest.update(tail);
                Ok(())
            },
            signature,
        )
        .is_ok(),
    ];
    assert!(verdicts.iter().all(|&verdict| verdict == verdicts[0]));
    verdicts[0]
}

fn all_ways_to_sign_agree<P: Set>() {
    let mut stream = Stream::of::<P>("all ways");
    let key = SigningKey::<P>::generate_from_rng(&mut stream);
    let prepared = key.prepare();
    let (vk, prepared_vk) = (key.verifying_key(), key.verifying_key().prepare());
    let mut cases = 0;
    for (context_len, message_len) in [(0, 0), (0, 1), (5, 100), (255, 1_000), (0, 20_000)] {
        let (context, message) = (stream.bytes(context_len), stream.bytes(message_len));
        let rnd = stream.array();
        let with_context = key.with_context(&context).expect("fits");
        let prepared_with_context = prepared.with_context(&context).expect("fits");
        assert_eq!(with_context.context(), context);
        let mut all = [
            ways(&with_context, &message, &rnd),
            ways(&prepared_with_context, &message, &rnd),
        ]
        .to_vec();
        if context.is_empty() {
            all.push(ways(&key, &message, &rnd));
            all.push(ways(&prepared, &message, &rnd));
        }
        let mut mu = vk.mu_builder(&context).expect("fits");
        message.chunks(97).for_each(|chunk| mu.update(chunk));
        let mu = mu.finalize();
        all.push([
            vec![
                key.sign_mu_deterministic(&mu).expect("signs"),
                prepared.sign_mu_deterministic(&mu).expect("signs"),
            ],
            vec![
                key.sign_mu_with_rng(&mut Fixed(&rnd), &mu).expect("signs"),
                prepared
                    .sign_mu_with_rng(&mut Fixed(&rnd), &mu)
                    .expect("signs"),
            ],
        ]);
        #[cfg(feature = "hazmat")]
        {
            use pqsig_mldsa::hazmat::{sign_internal, verify_internal};
            let header = [0, context_len as u8];
            let m_prime = [&header[..], &context, &message];
            let internal = |rnd| sign_internal(&key, &m_prime, rnd).expect("signs");
            all.push([vec![internal(&[0; 32])], vec![internal(&rnd)]]);
            assert_eq!(verify_internal(vk, &m_prime, &internal(&rnd)), Ok(()));
        }
        let (deterministic, hedged) = all.into_iter().map(|[d, h]| (d, h)).unzip();
        let concat = |lists: Vec<Vec<_>>| lists.concat();
        let deterministic = all_equal(concat(deterministic));
        let hedged = all_equal(concat(hedged));
        assert!(deterministic != hedged);

        for made in [deterministic, hedged] {
            assert!(verifies(
                &vk.with_context(&context).expect("fits"),
                &message,
                &made
            ));
            let prepared_vk_with_context = prepared_vk.with_context(&context).expect("fits");
            assert!(verifies(&prepared_vk_with_context, &message, &made));
            assert!(verify_generically(&with_context, &message, &made) == context.is_empty());
            assert_eq!(verifies(vk, &message, &made), context.is_empty());
            assert_eq!(verifies(&prepared_vk, &message, &made), context.is_empty());
            assert_eq!(vk.verify_mu(&mu, &made), Ok(()));
            assert_eq!(prepared_vk.verify_mu(&mu, &made), Ok(()));
            cases += 1;
        }
    }
    assert_eq!(cases, 10);
}

fn all_prehash_ways_agree<P: Set>() {
    prehash_ways::<P, sha2::Sha224>();
    prehash_ways::<P, sha2::Sha256>();
    prehash_ways::<P, sha2::Sha384>();
    prehash_ways::<P, sha2::Sha512>();
    prehash_ways::<P, sha2::Sha512_224>();
    prehash_ways::<P, sha2::Sha512_256>();
    prehash_ways::<P, sha3::Sha3_224>();
    prehash_ways::<P, sha3::Sha3_256>();
    prehash_ways::<P, sha3::Sha3_384>();
    prehash_ways::<P, sha3::Sha3_512>();
    prehash_ways::<P, shake::Shake128>();
    prehash_ways::<P, Shake256>();
}

fn prehash_ways<P: Set, D: PrehashDigest>() {
    let key = SigningKey::<P>::from_seed(&[1; 32]);
    let (vk, prepared) = (key.verifying_key(), key.prepare());
    let message = b"a message in two parts";
    let (head, tail) = message.split_at(9);
    let mut digest = D::default();
    digest.update(message);
    let mut bytes = vec![0; D::PREHASH.digest_len()];
    digest.finalize_prehash(&mut bytes);
    let feed = |digest: &mut D| {
        digest.update(head);
        digest.update(tail);
    };
    for context in [&b""[..], b"context"] {
        let typed = key.with_context(context).expect("fits").prehash::<D>();
        let typed_prepared = prepared.with_context(context).expect("fits").prehash::<D>();
        let rnd = [7; 32];
        let mut deterministic = vec![
            typed.sign(message),
            typed.multipart_sign(&[head, tail]),
            typed.sign_digest(feed),
            typed_prepared.sign(message),
            typed_prepared.sign_digest(feed),
        ];
        deterministic.extend([
            key.sign_prehashed_deterministic(D::PREHASH, &bytes, context)
                .expect("signs"),
            prepared
                .sign_prehashed_deterministic(D::PREHASH, &bytes, context)
                .expect("signs"),
        ]);
        let mut hedged = vec![
            typed.sign_with_rng(&mut Fixed(&rnd), message),
            typed.multipart_sign_with_rng(&mut Fixed(&rnd), &[head, tail]),
            typed.sign_digest_with_rng(&mut Fixed(&rnd), feed),
        ];
        let by_digest = key.sign_prehashed(D::PREHASH, &bytes, context, &mut Fixed(&rnd));
        hedged.push(by_digest.expect("signs"));
        if context.is_empty() {
            deterministic.push(key.prehash::<D>().sign(message));
            deterministic.push(prepared.prehash::<D>().sign(message));
        }
        for made in [all_equal(deterministic), all_equal(hedged)] {
            let typed = vk.with_context(context).expect("fits").prehash::<D>();
            assert!(typed.verify(message, &made).is_ok());
            assert!(typed.multipart_verify(&[head, tail], &made).is_ok());
            let streamed = |digest: &mut D| {
                feed(digest);
                Ok(())
            };
            assert!(typed.verify_digest(streamed, &made).is_ok());
            assert_eq!(
                vk.verify_prehashed(D::PREHASH, &bytes, context, &made),
                Ok(())
            );
            assert_eq!(
                vk.prehash::<D>().verify(message, &made).is_ok(),
                context.is_empty()
            );
            // A pre-hash signature is none of the pure variant, nor of the bare digest.
            let pure = vk.with_context(context).expect("fits");
            assert!(pure.verify(message, &made).is_err());
            assert!(pure.verify(&bytes, &made).is_err());
        }
    }
}

fn failing_generator_is_an_error<P: Set>() {
    let generated = SigningKey::<P>::try_generate_from_rng(&mut Broken);
    assert_eq!(generated.err(), Some(OutOfOrder));
    let generated = <SigningKey<P> as crypto_common::Generate>::try_generate_from_rng(&mut Broken);
    assert_eq!(generated.err(), Some(OutOfOrder));

    let key = SigningKey::<P>::from_seed(&[2; 32]);
    let prepared = key.prepare();
    let context = key.with_context(b"context").expect("fits");
    let prehash = context.prehash::<sha2::Sha256>();
    let results = [
        key.try_sign_with_rng(&mut Broken, b"").is_err(),
        prepared.try_sign_with_rng(&mut Broken, b"").is_err(),
        context.try_sign_with_rng(&mut Broken, b"").is_err(),
        prehash.try_sign_with_rng(&mut Broken, b"").is_err(),
        key.try_multipart_sign_with_rng(&mut Broken, &[b""])
            .is_err(),
        key.try_sign_digest_with_rng(&mut Broken, |_: &mut Shake256| Ok(()))
            .is_err(),
        prehash
            .try_sign_digest_with_rng(&mut Broken, |_: &mut sha2::Sha256| Ok(()))
            .is_err(),
    ];
    assert_eq!(results, [true; 7]);
    let results = [
        key.sign_mu_with_rng(&mut Broken, &[0; 64]).err(),
        prepared.sign_mu_with_rng(&mut Broken, &[0; 64]).err(),
        key.sign_prehashed(PreHash::Sha2_256, &[0; 32], b"", &mut Broken)
            .err(),
    ];
    assert_eq!(results, [Some(Error::RngFailed); 3]);
}

/// A message source that fails makes no signature and verifies nothing.
fn failing_message_is_an_error<P: Set>() {
    let key = SigningKey::<P>::from_seed(&[3; 32]);
    let vk = key.verifying_key();
    let made = key.sign(b"");
    let fails = |_: &mut Shake256| Err(signature::Error::new());
    assert!(key.try_sign_digest(fails).is_err());
    assert!(key.prepare().try_sign_digest(fails).is_err());
    assert!(vk.verify_digest(fails, &made).is_err());
    assert!(vk.verify_digest(|_: &mut Shake256| Ok(()), &made).is_ok());
    let fails = |_: &mut sha2::Sha512| Err(signature::Error::new());
    assert!(
        key.prehash::<sha2::Sha512>()
            .try_sign_digest(fails)
            .is_err()
    );
    assert!(
        vk.prehash::<sha2::Sha512>()
            .verify_digest(fails, &made)
            .is_err()
    );
}

fn debug_shows_no_secret<P: Set>() {
    let key = SigningKey::<P>::from_seed(&Stream::of::<P>("debug").array());
    let prepared = key.prepare();
    let context = key.with_context(b"context").expect("fits");
    let texts = [
        format!("{key:?} {key:#?}"),
        format!("{prepared:?}"),
        format!("{context:?}"),
        format!("{:?}", key.prehash::<sha2::Sha256>()),
    ];
    let sk = key.to_expanded_bytes();
    let secrets = [
        key.seed().expect("a seed"),
        &sk.as_ref()[32..64],
        &sk.as_ref()[128..160],
    ];
    for text in texts {
        assert!(text.len() < 400, "{text}");
        assert!(text.contains(P::NAME), "{text}");
        for secret in secrets {
            assert!(
                !text
                    .to_lowercase()
                    .contains(&crate::common::hex(&secret[..4]))
            );
            assert!(!text.contains(&format!("{}, {}, {}", secret[0], secret[1], secret[2])));
        }
    }
    let vk = format!("{:?}", key.verifying_key());
    assert!(vk.contains(&crate::common::hex(key.verifying_key().as_bytes())));
}

fn equality_and_hash<P: Set>() {
    let keys: Vec<_> = (0..4)
        .map(|n| SigningKey::<P>::from_seed(&[n / 2; 32]))
        .collect();
    let mut vks = std::collections::HashSet::new();
    let mut prepared_vks = std::collections::HashSet::new();
    let mut signatures = std::collections::HashSet::new();
    for (i, a) in keys.iter().enumerate() {
        for (j, b) in keys.iter().enumerate() {
            let equal = i / 2 == j / 2;
            assert_eq!(a == b, equal);
            assert_eq!(a.prepare() == b.prepare(), equal);
            assert_eq!(a.verifying_key() == b.verifying_key(), equal);
            assert_eq!(
                a.verifying_key().prepare() == b.verifying_key().prepare(),
                equal
            );
            assert_eq!(a.sign(b"") == b.sign(b""), equal);
        }
        vks.insert(a.verifying_key().clone());
        prepared_vks.insert(a.verifying_key().prepare());
        signatures.insert(a.sign(b""));
        assert!(*a == a.clone());
    }
    assert_eq!((vks.len(), prepared_vks.len(), signatures.len()), (2, 2, 2));
}

#[cfg(feature = "getrandom")]
mod operating_system {
    use super::*;

    for_each_set!(generated_keys_differ);

    fn generated_keys_differ<P: Set>() {
        let (a, b) = (SigningKey::<P>::generate(), SigningKey::<P>::try_generate());
        let b = b.expect("the operating system delivers");
        assert!(a != b && a.seed().is_some());
        let made = a.sign(b"message");
        assert!(a.verifying_key().verify(b"message", &made).is_ok());
        assert!(b.verifying_key().verify(b"message", &made).is_err());
    }
}
