//! What broke in other libraries.

use crate::common::{Oracle, Stream, for_each_set, verifies};
use fn_dsa::{HASH_ID_RAW, RngCore as _};
use pqsig_fndsa_vrfy::{
    Error, FnDsa512, FnDsa1024, ParameterSet, PreHash, Signature, VerifyingKey, verify_batch,
};
use signature::Verifier;

const RAW: &[u8] = HASH_ID_RAW.0;

fn signed<P: ParameterSet>(label: &str, ctx: &[u8], message: &[u8]) -> (Oracle<P>, Vec<u8>) {
    let mut rng = Stream::of::<P>(label);
    let oracle = Oracle::<P>::new(&mut rng);
    let signature = oracle.sign(&mut rng, ctx, RAW, message);
    (oracle, signature)
}

/// A context is at most 255 bytes, at every entry point (L19).
fn contexts_have_255_bytes_at_most<P: ParameterSet>() {
    let (oracle, signature) = signed::<P>("L19", b"", b"message");
    let (key, signature) = (
        &oracle.key,
        Signature::from_bytes(&signature).expect("good"),
    );
    let prepared = key.prepare();
    for len in [256, 257, 511, 512, 65_537] {
        let ctx = vec![0; len];
        let too_long = Some(Error::ContextTooLong);
        assert_eq!(key.with_context(&ctx).err(), too_long);
        assert_eq!(key.mu_builder(&ctx).err(), too_long);
        assert_eq!(prepared.with_context(&ctx).err(), too_long);
        assert_eq!(prepared.mu_builder(&ctx).err(), too_long);
        let hash = PreHash::Sha2_256;
        assert_eq!(
            key.verify_prehashed(hash, &[0; 32], &ctx, &signature).err(),
            too_long
        );
        assert_eq!(
            prepared
                .verify_prehashed(hash, &[0; 32], &ctx, &signature)
                .err(),
            too_long
        );
    }
    assert!(key.with_context(&[0; 255]).is_ok());
}

/// No context is the empty context; only the right one verifies (L22).
fn only_the_right_context_verifies<P: ParameterSet>() {
    let mut rng = Stream::of::<P>("L22");
    let oracle = Oracle::<P>::new(&mut rng);
    let contexts = [0, 1, 254, 255].map(|len| vec![0x5A; len]);
    for signing in &contexts {
        let signature = oracle.sign(&mut rng, signing, RAW, b"message");
        for verifying in &contexts {
            let verdict = verifies::<P>(&oracle.vk, &signature, verifying, b"message");
            assert_eq!(verdict, signing == verifying);
        }
        let signature = Signature::<P>::from_bytes(&signature).expect("a good header");
        let verdict = oracle.key.verify(b"message", &signature).is_ok();
        assert_eq!(verdict, signing.is_empty());
    }
}

/// A digest has the length of its hash function (L25).
fn digests_have_their_length<P: ParameterSet>() {
    let (oracle, signature) = signed::<P>("L25", b"", b"message");
    let signature = Signature::from_bytes(&signature).expect("a good header");
    for hash in PreHash::ALL {
        for len in 0..=80 {
            let result = oracle
                .key
                .verify_prehashed(hash, &vec![0; len], b"", &signature);
            let expected = if len == hash.digest_len() {
                Error::InvalidSignature
            } else {
                Error::DigestLength
            };
            assert_eq!(result, Err(expected), "{hash:?}, {len} bytes");
        }
    }
}

/// Minus zero and non-zero padding are refused (L52).
fn another_encoding_is_refused<P: ParameterSet>() {
    // Among some signatures, one has a zero coefficient.
    let mut rng = Stream::of::<P>("L52");
    let oracle = Oracle::<P>::new(&mut rng);
    let mut zeros = 0;
    let mut padding = 0;
    for _ in 0..20 {
        let signature = oracle.sign(&mut rng, b"", RAW, b"message");
        let parsed = Signature::<P>::from_bytes(&signature).expect("a good header");
        let mut s2 = vec![0; P::N];
        assert!(parsed.decode_s2(&mut s2));
        let mut position = 8 * 41;
        let refused = |bit: usize| {
            let mut other = signature.clone();
            other[bit / 8] ^= 1 << (bit % 8);
            assert!(
                !verifies::<P>(&oracle.vk, &other, b"", b"message"),
                "bit {bit}"
            );
            let other = Signature::<P>::from_bytes(&other).expect("a good header");
            assert!(!other.decode_s2(&mut vec![0; P::N]), "bit {bit}");
        };
        for s in s2 {
            if s == 0 {
                refused(position);
                zeros += 1;
            }
            position += 9 + usize::from(s.unsigned_abs() / 128);
        }
        for bit in position..8 * signature.len() {
            refused(bit);
            padding += 1;
        }
    }
    assert!(zeros > 0 && padding > 0);
}

/// A key with a value of q or more is refused, wherever it is (L54).
fn key_values_are_below_q<P: ParameterSet>() {
    let (oracle, _) = signed::<P>("L54", b"", b"");
    for at in 0..P::N {
        for value in [12_289_u32, 16_383] {
            let mut vk = oracle.vk.clone();
            for bit in 0..14 {
                let to = 8 + 14 * at + bit;
                vk[to / 8] &= !(1 << (to % 8));
                vk[to / 8] |= ((value >> bit & 1) as u8) << (to % 8);
            }
            assert_eq!(VerifyingKey::<P>::from_bytes(&vk), Err(Error::InvalidKey));
        }
    }
}

/// Lengths are exact; headers are those of the set and of no smaller degree (L59, L62).
fn lengths_and_headers_are_exact<P: ParameterSet>() {
    let (oracle, signature) = signed::<P>("L59", b"", b"message");
    for len in 0..=2 * P::SIGNATURE_LEN {
        let mut other = signature.clone();
        other.resize(len, 0);
        let result = Signature::<P>::from_bytes(&other).map(|_| ());
        let expected = if len == P::SIGNATURE_LEN {
            Ok(())
        } else {
            Err(Error::InvalidLength)
        };
        assert_eq!(result, expected);
    }
    for len in 0..=2 * P::VERIFYING_KEY_LEN {
        let mut other = oracle.vk.clone();
        other.resize(len, 0);
        let result = VerifyingKey::<P>::from_bytes(&other).map(|_| ());
        let expected = if len == P::VERIFYING_KEY_LEN {
            Ok(())
        } else {
            Err(Error::InvalidLength)
        };
        assert_eq!(result, expected);
    }
    for header in 0..=255 {
        let mut other = signature.clone();
        other[0] = header;
        let result = Signature::<P>::from_bytes(&other);
        assert_eq!(result.is_ok(), header == P::SIGNATURE_HEADER);
        let mut other = oracle.vk.clone();
        other[0] = header;
        let result = VerifyingKey::<P>::from_bytes(&other);
        assert_eq!(result.is_ok(), u32::from(header) == P::LOGN);
    }
}

/// Keys of all zeros, all ones, and random bytes never panic (L14, for FN-DSA).
fn any_bytes_are_handled<P: ParameterSet>() {
    let mut rng = Stream::of::<P>("bytes");
    let mut zero = vec![0; P::VERIFYING_KEY_LEN];
    zero[0] = P::LOGN as u8;
    assert!(VerifyingKey::<P>::from_bytes(&zero).is_ok());
    for _ in 0..200 {
        let mut signature = rng.bytes(P::SIGNATURE_LEN);
        signature[0] = P::SIGNATURE_HEADER;
        assert!(!verifies::<P>(&zero, &signature, b"", b"message"));
        let byte = rng.next_u32() as u8;
        signature[1..].fill(byte);
        assert!(!verifies::<P>(&zero, &signature, b"", b"message"));
        let vk = rng.bytes(P::VERIFYING_KEY_LEN);
        assert!(!verifies::<P>(&vk, &signature, b"", b"message"));
    }
}

/// A batch says of each signature what the key says (and does nothing on a mismatch).
fn batches<P: ParameterSet>() {
    let mut rng = Stream::of::<P>("batch");
    let oracles = [Oracle::<P>::new(&mut rng), Oracle::<P>::new(&mut rng)];
    let messages: Vec<Vec<u8>> = (0..11).map(|i| rng.bytes(50 * i)).collect();
    let signatures: Vec<Signature<P>> = messages
        .iter()
        .enumerate()
        .map(|(i, message)| oracles[i % 2].sign(&mut rng, b"", RAW, message))
        .map(|signature| Signature::from_bytes(&signature).expect("a good header"))
        .collect();
    for len in 0..=messages.len() {
        let items = |wrong: Option<usize>| -> Vec<(&VerifyingKey<P>, &[u8], &Signature<P>)> {
            let item = |i: usize| {
                let key = &oracles[(i + usize::from(wrong == Some(i))) % 2].key;
                (key, &messages[i][..], &signatures[i])
            };
            (0..len).map(item).collect()
        };
        let mut verdicts = vec![false; len];
        assert_eq!(verify_batch(&items(None), &mut verdicts), Ok(()));
        assert_eq!(verdicts, vec![true; len]);
        for wrong in 0..len {
            let result = verify_batch(&items(Some(wrong)), &mut verdicts);
            assert_eq!(result, Err(Error::InvalidSignature));
            assert!((0..len).all(|i| verdicts[i] == (i != wrong)));
        }
        let mut verdicts = vec![true; len + 1];
        assert_eq!(
            verify_batch(&items(None), &mut verdicts),
            Err(Error::InvalidLength)
        );
        assert_eq!(verdicts, vec![false; len + 1]);
    }
}

for_each_set!(
    contexts_have_255_bytes_at_most,
    only_the_right_context_verifies,
    digests_have_their_length,
    another_encoding_is_refused,
    key_values_are_below_q,
    lengths_and_headers_are_exact,
    any_bytes_are_handled,
    batches,
);

/// Keys and signatures of one set are not those of another.
#[test]
fn sets_do_not_mix() {
    let (oracle, signature) = signed::<FnDsa512>("mix", b"", b"message");
    assert_eq!(
        VerifyingKey::<FnDsa1024>::from_bytes(&oracle.vk),
        Err(Error::InvalidLength)
    );
    assert_eq!(
        Signature::<FnDsa1024>::from_bytes(&signature),
        Err(Error::InvalidLength)
    );
    let mut longer = signature;
    longer.resize(1280, 0);
    assert_eq!(
        Signature::<FnDsa1024>::from_bytes(&longer),
        Err(Error::InvalidSignature)
    );
}

/// Verification fits a small stack (L73): 32 kB, optimised as the tests are.
#[test]
fn stack_is_small() {
    fn check<P: ParameterSet>() {
        let (oracle, signature) = signed::<P>("stack", b"", b"message");
        let small = move || {
            let key = VerifyingKey::<P>::from_bytes(&oracle.vk).expect("a good key");
            let signature = Signature::from_bytes(&signature).expect("a good header");
            key.verify(b"message", &signature).expect("good");
            key.prepare().verify(b"message", &signature).expect("good");
        };
        let size = if cfg!(debug_assertions) { 64 } else { 32 };
        std::thread::Builder::new()
            .stack_size(size << 10)
            .spawn(small)
            .expect("starts")
            .join()
            .expect("ends well");
    }
    check::<FnDsa512>();
    check::<FnDsa1024>();
}
