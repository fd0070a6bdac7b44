//! Entries B: context, mu, pre-hash.

use crate::{
    common::{Fixed, Set, Stream, for_each_set},
    fips204,
};
use pqsig_mldsa::{Error, PreHash, Signature, SigningKey, VerifyingKey};
use signature::{Signer, Verifier};

for_each_set!(
    l19_context_of_more_than_255_bytes,
    l21_public_functions_are_the_external_ones,
    l22_contexts_bind_and_empty_is_absent,
    l25_digest_of_the_wrong_length,
    l26_mu_has_64_bytes,
);

fn l19_context_of_more_than_255_bytes<P: Set>() {
    let key = SigningKey::<P>::from_seed(&[19; 32]);
    let prepared = key.prepare();
    let (vk, prepared_vk) = (key.verifying_key(), key.verifying_key().prepare());
    let digest = [0; 32];
    let hash = PreHash::Sha2_256;
    let made = key
        .sign_prehashed_deterministic(hash, &digest, &[])
        .expect("signs");
    let mut cases = 0;
    for len in [256, 257, 511, 512, 65_535, 65_536, 65_537] {
        let context = vec![0; len];
        // The 11 entry points that take a context.
        let errors = [
            key.with_context(&context).err(),
            prepared.with_context(&context).err(),
            vk.with_context(&context).err(),
            prepared_vk.with_context(&context).err(),
            key.mu_builder(&context).err(),
            prepared.mu_builder(&context).err(),
            vk.mu_builder(&context).err(),
            prepared_vk.mu_builder(&context).err(),
            key.sign_prehashed_deterministic(hash, &digest, &context)
                .err(),
            prepared
                .sign_prehashed_deterministic(hash, &digest, &context)
                .err(),
            key.sign_prehashed(hash, &digest, &context, &mut Fixed(&[0; 32]))
                .err(),
            prepared
                .sign_prehashed(hash, &digest, &context, &mut Fixed(&[0; 32]))
                .err(),
            vk.verify_prehashed(hash, &digest, &context, &made).err(),
            prepared_vk
                .verify_prehashed(hash, &digest, &context, &made)
                .err(),
        ];
        for error in errors {
            assert_eq!(error, Some(Error::ContextTooLong), "{len}");
            cases += 1;
        }
    }
    assert_eq!(cases, 7 * 14);
    assert!(key.with_context(&[0; 255]).is_ok() && vk.with_context(&[0; 255]).is_ok());
}

fn l21_public_functions_are_the_external_ones<P: Set>() {
    let key = SigningKey::<P>::from_seed(&[21; 32]);
    let pk = key.verifying_key().as_bytes();
    let sk = key.to_expanded_bytes();
    let (message, context) = (b"message", b"context");
    let signers = [
        (key.sign(message), fips204::pure(b"", message)),
        (
            key.with_context(context).expect("fits").sign(message),
            fips204::pure(context, message),
        ),
    ];
    for (made, m_prime) in signers {
        let expected = P::NUMBERS.sign_internal(sk.as_ref(), &m_prime, &[0; 32]);
        assert!(made.as_bytes() == expected);
        // Not Algorithm 8 of the bare message.
        assert!(P::NUMBERS.verify_internal(pk, &m_prime, made.as_bytes()));
        assert!(!P::NUMBERS.verify_internal(pk, message, made.as_bytes()));
    }
    // And what Algorithm 7 makes of the bare message is not accepted by the public function.
    let internal = P::NUMBERS.sign_internal(sk.as_ref(), message, &[0; 32]);
    let internal = Signature::<P>::from_bytes(&internal).expect("right length");
    assert!(key.verifying_key().verify(message, &internal).is_err());
}

/// All pairs of 2 contexts of each length, absent and empty alike: only equal ones verify.
fn l22_contexts_bind_and_empty_is_absent<P: Set>() {
    let mut stream = Stream::of::<P>("L22");
    let key = SigningKey::<P>::from_seed(&[22; 32]);
    let vk = key.verifying_key();
    let message = b"one message";
    let mut contexts = vec![vec![]];
    for len in [1, 2, 254, 255] {
        contexts.push(stream.bytes(len));
        contexts.push(vec![0; len]);
    }
    let signed: Vec<_> = contexts
        .iter()
        .map(|context| key.with_context(context).expect("fits").sign(message))
        .collect();
    let mut verified = 0;
    for (i, made) in signed.iter().enumerate() {
        for (j, context) in contexts.iter().enumerate() {
            let verifier = vk.with_context(context).expect("fits");
            assert_eq!(verifier.verify(message, made).is_ok(), i == j, "{i} {j}");
            let prepared = vk.prepare();
            let prepared = prepared.with_context(context).expect("fits");
            assert_eq!(prepared.verify(message, made).is_ok(), i == j);
            verified += usize::from(i == j);
        }
        assert_eq!(vk.verify(message, made).is_ok(), i == 0);
    }
    assert_eq!(verified, contexts.len());
    assert!(key.sign(message) == signed[0]);

    // The boundary between context and message is part of what is signed.
    let moved = key.with_context(b"ab").expect("fits").sign(b"c");
    let verifier = vk.with_context(b"a").expect("fits");
    assert!(verifier.verify(b"bc", &moved).is_err());
}

fn l25_digest_of_the_wrong_length<P: Set>() {
    let key = SigningKey::<P>::from_seed(&[25; 32]);
    let vk = key.verifying_key();
    let bytes = [0x25; 130];
    let mut cases = 0;
    for hash in PreHash::ALL {
        let right = &bytes[..hash.digest_len()];
        let made = key
            .sign_prehashed_deterministic(hash, right, b"")
            .expect("signs");
        assert_eq!(vk.verify_prehashed(hash, right, b"", &made), Ok(()));
        for len in (0..=130).filter(|&len| len != hash.digest_len()) {
            let digest = &bytes[..len];
            let hedged = key.sign_prehashed(hash, digest, b"", &mut Fixed(&[0; 32]));
            let deterministic = key.sign_prehashed_deterministic(hash, digest, b"");
            assert_eq!(hedged.err(), Some(Error::DigestLength));
            assert_eq!(deterministic.err(), Some(Error::DigestLength));
            let verdict = vk.verify_prehashed(hash, digest, b"", &made);
            assert_eq!(verdict, Err(Error::DigestLength));
            cases += 1;
        }
    }
    assert_eq!(cases, 12 * 130);
}

/// The types say so, and nothing but the 64 bytes enters.
fn l26_mu_has_64_bytes<P: Set>() {
    type Verify<P> = fn(&VerifyingKey<P>, &[u8; 64], &Signature<P>) -> Result<(), Error>;
    type Sign<P> = fn(&SigningKey<P>, &[u8; 64]) -> Result<Signature<P>, Error>;
    let verify: Verify<P> = VerifyingKey::verify_mu;
    let sign: Sign<P> = SigningKey::sign_mu_deterministic;

    let key = SigningKey::<P>::from_seed(&[26; 32]);
    let vk = key.verifying_key();
    let mut builder = vk.mu_builder(b"context").expect("fits");
    builder.update(b"mess");
    builder.update(b"");
    builder.update(b"age");
    let mu: [u8; 64] = builder.finalize();
    let made = sign(&key, &mu).expect("signs");
    assert!(made == key.with_context(b"context").expect("fits").sign(b"message"));
    assert_eq!(verify(vk, &mu, &made), Ok(()));
    for bit in 0..512 {
        let mut changed = mu;
        changed[bit / 8] ^= 1 << (bit % 8);
        assert_eq!(verify(vk, &changed, &made), Err(Error::InvalidSignature));
    }
}

/// Only the pure algorithms have keys in SubjectPublicKeyInfo and PKCS#8.
#[cfg(feature = "pem")]
mod l28 {
    use super::*;
    use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};

    for_each_set!(l28_object_identifiers_of_others_are_refused);

    fn l28_object_identifiers_of_others_are_refused<P: Set>() {
        let key = SigningKey::<P>::from_seed(&[28; 32]);
        let oid = |last| [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x03, last];
        let ours = match P::NAME {
            "ML-DSA-44" => 17,
            "ML-DSA-65" => 18,
            _ => 19,
        };
        let public = key.verifying_key().to_public_key_der().expect("encodes");
        let private = key.to_pkcs8_der().expect("encodes");
        let find = |der: &[u8]| der.windows(9).position(|window| window == oid(ours));
        let (at_public, at_private) = (find(public.as_bytes()), find(private.as_bytes()));
        let last = |at: Option<usize>| at.expect("the identifier") + 8;
        let (at_public, at_private) = (last(at_public), last(at_private));
        let mut refused = 0;
        // 32 to 34 are HashML-DSA, the other two of 17 to 19 the wrong set.
        for other in (0..128).filter(|&other| other != ours) {
            let mut der = public.as_bytes().to_vec();
            der[at_public] = other;
            assert!(VerifyingKey::<P>::from_public_key_der(&der).is_err());
            let mut der = private.as_bytes().to_vec();
            der[at_private] = other;
            assert!(SigningKey::<P>::from_pkcs8_der(&der).is_err());
            refused += 1;
        }
        assert_eq!(refused, 127);
    }
}
