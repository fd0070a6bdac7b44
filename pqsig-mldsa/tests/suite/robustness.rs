//! Many rounds, every bit flip, random and mutated inputs. Nothing panics: these run with
//! overflow checks and debug assertions on, in the test profile.

use crate::common::{Set, Stream, for_each_set, rounds, signature};
use pqsig_mldsa::{
    Error, PreHash, PreparedSigningKey, Signature, SigningKey, VerifyingKey, verify_batch,
    verify_batch_encoded, verify_batch_prepared,
};
use signature::{RandomizedSigner, Signer, Verifier};

for_each_set!(
    many_rounds,
    every_bit_flip_of_a_signature_is_rejected,
    every_bit_flip_of_key_and_message_is_rejected,
    any_bytes_as_signature,
    any_bytes_as_verifying_key,
    any_bytes_as_expanded_key,
    any_lengths,
    batches,
    batches_with_wrong_lengths,
);

/// Inputs for an entry point, of the hundred thousand that the three sets share.
const INPUTS: usize = 34_000;

/// 10,000 signatures, hedged and deterministic, of many keys, all verified.
fn many_rounds<P: Set>() {
    let mut stream = Stream::of::<P>("rounds");
    let mut verified = 0;
    for _ in 0..500 {
        let key = SigningKey::<P>::generate_from_rng(&mut stream);
        let (prepared, vk) = (key.prepare(), key.verifying_key());
        let prepared_vk = vk.prepare();
        for round in 0..20 {
            let message = stream.bytes_of(0..=200);
            let made = match round {
                0 => key.sign(&message),
                1 => key.sign_with_rng(&mut stream, &message),
                _ if round % 2 == 0 => prepared.sign(&message),
                _ => prepared.sign_with_rng(&mut stream, &message),
            };
            let decoded = signature::<P>(made.as_bytes());
            let verdict = match round {
                0 | 1 => vk.verify(&message, &decoded),
                _ => prepared_vk.verify(&message, &decoded),
            };
            assert!(verdict.is_ok());
            verified += 1;
        }
    }
    assert_eq!(verified, 10_000);
}

fn every_bit_flip_of_a_signature_is_rejected<P: Set>() {
    let mut stream = Stream::of::<P>("bit flips");
    let key = SigningKey::<P>::generate_from_rng(&mut stream);
    let mu = stream.array();
    let good = key.sign_mu_deterministic(&mu).expect("signs");
    let vk = key.verifying_key().prepare();
    assert_eq!(vk.verify_mu(&mu, &good), Ok(()));
    let mut rejected = 0;
    for bit in 0..8 * Signature::<P>::LEN {
        let mut bytes = good.as_bytes().to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        let verdict = vk.verify_mu(&mu, &signature(&bytes));
        assert_eq!(verdict, Err(Error::InvalidSignature), "bit {bit}");
        rejected += 1;
    }
    assert_eq!(rejected, 8 * good.as_bytes().len());
}

fn every_bit_flip_of_key_and_message_is_rejected<P: Set>() {
    let mut stream = Stream::of::<P>("key flips");
    let key = SigningKey::<P>::generate_from_rng(&mut stream);
    let (message, context) = (stream.bytes(100), stream.bytes(20));
    let with_context = key.with_context(&context).expect("fits");
    let made = with_context.sign(&message);
    let verify = |vk: &VerifyingKey<P>, context: &[u8], message: &[u8]| {
        let verifier = vk.with_context(context).expect("fits");
        verifier.verify(message, &made).is_ok()
    };
    let vk = key.verifying_key();
    assert!(verify(vk, &context, &message));
    let flipped = |bytes: &[u8], bit: usize| {
        let mut bytes = bytes.to_vec();
        bytes[bit / 8] ^= 1 << (bit % 8);
        bytes
    };
    for bit in 0..8 * message.len() {
        assert!(!verify(vk, &context, &flipped(&message, bit)));
    }
    for bit in 0..8 * context.len() {
        assert!(!verify(vk, &flipped(&context, bit), &message));
    }
    // The hash of the key is in mu, so each bit of it counts.
    for bit in (0..8 * VerifyingKey::<P>::LEN).step_by(rounds(3, 1)) {
        let vk = VerifyingKey::from_bytes(&flipped(vk.as_bytes(), bit)).expect("loads");
        assert!(!verify(&vk, &context, &message), "bit {bit}");
    }
}

/// Random and mutated signatures, by every way to verify one.
fn any_bytes_as_signature<P: Set>() {
    let mut stream = Stream::of::<P>("any signature");
    let key = SigningKey::<P>::generate_from_rng(&mut stream);
    let message = stream.bytes(50);
    let good = key.sign(&message);
    let vk = key.verifying_key();
    let prepared = vk.prepare();
    let mut mu = vk.mu_builder(&[]).expect("fits");
    mu.update(&message);
    let mu = mu.finalize();
    let hint = Signature::<P>::LEN - P::NUMBERS.omega - P::NUMBERS.k;
    for input in 0..INPUTS {
        let mut bytes = good.as_bytes().to_vec();
        match input % 5 {
            0 => stream.fill(&mut bytes),
            1 => stream.fill(&mut bytes[..hint]),
            2 => stream.fill(&mut bytes[hint..]),
            3 => stream.mutate(&mut bytes[hint..]),
            _ => stream.mutate(&mut bytes),
        }
        let made = signature::<P>(&bytes);
        if made == good {
            continue;
        }
        // The prepared key is cheap; each of the others gets its share.
        assert!(prepared.verify_mu(&mu, &made).is_err());
        match input % 50 {
            0..10 => assert!(vk.verify(&message, &made).is_err()),
            10..15 => assert!(vk.verify_mu(&mu, &made).is_err()),
            15..20 => {
                let typed = vk.prehash::<sha2::Sha256>();
                assert!(typed.verify(&message, &made).is_err());
            }
            20..25 => {
                let mut verdicts = [true; 2];
                let items = [(vk, &message[..], &made), (vk, &message[..], &good)];
                assert!(verify_batch(&items, &mut verdicts).is_err());
                assert_eq!(verdicts, [false, true]);
            }
            _ => assert!(prepared.verify(&message, &made).is_err()),
        }
    }
}

/// Random and mutated keys; all load, and verify nothing.
fn any_bytes_as_verifying_key<P: Set>() {
    let mut stream = Stream::of::<P>("any key");
    let key = SigningKey::<P>::generate_from_rng(&mut stream);
    let good = key.sign(b"message");
    for input in 0..INPUTS {
        let mut bytes = key.verifying_key().as_bytes().to_vec();
        match input % 3 {
            0 => stream.fill(&mut bytes),
            1 => stream.fill(&mut bytes[32..]),
            _ => stream.mutate(&mut bytes),
        }
        let vk = VerifyingKey::<P>::from_bytes(&bytes).expect("loads");
        assert!(vk.verify(b"message", &good).is_err());
    }
}

/// Random and mutated expanded keys; those that differ in K alone load, and sign.
fn any_bytes_as_expanded_key<P: Set>() {
    let mut stream = Stream::of::<P>("any expanded key");
    let good = SigningKey::<P>::generate_from_rng(&mut stream).to_expanded_bytes();
    let good = good.as_ref();
    let mut accepted = 0;
    for input in 0..INPUTS {
        let mut bytes = good.to_vec();
        match input % 5 {
            0 => stream.fill(&mut bytes),
            1 => stream.fill(&mut bytes[128..]),
            2 => stream.mutate(&mut bytes[128..]),
            3 => stream.mutate(&mut bytes[..128]),
            _ => stream.mutate(&mut bytes),
        }
        let but_for_key = |sk: &[u8]| [&sk[..32], &sk[64..]].concat();
        let expected = but_for_key(&bytes) == but_for_key(good);
        let imported = SigningKey::<P>::from_expanded_bytes(&bytes);
        let prepared = PreparedSigningKey::<P>::from_expanded_bytes(&bytes);
        assert_eq!(imported.is_ok(), expected);
        assert_eq!(
            prepared.as_ref().map(|key| key.signing_key()),
            imported.as_ref()
        );
        if let (Ok(key), Ok(prepared)) = (imported, prepared) {
            let made = key.sign(b"message");
            assert_eq!(prepared.sign(b"message"), made);
            assert!(key.verifying_key().verify(b"message", &made).is_ok());
            accepted += 1;
        }
    }
    assert!(accepted > 100);
}

/// Inputs of every length: the wrong ones are errors everywhere.
fn any_lengths<P: Set>() {
    let mut stream = Stream::of::<P>("any length");
    let bytes = stream.bytes(6_000);
    let key = SigningKey::<P>::generate_from_rng(&mut stream);
    let (vk, len) = (key.verifying_key(), key.to_expanded_bytes().as_ref().len());
    let mut cases = 0;
    for n in 0..=6_000 {
        let bytes = &bytes[..n];
        assert_eq!(
            Signature::<P>::from_bytes(bytes).is_ok(),
            n == Signature::<P>::LEN
        );
        assert_eq!(
            Signature::<P>::try_from(bytes).is_ok(),
            n == Signature::<P>::LEN
        );
        assert_eq!(
            VerifyingKey::<P>::from_bytes(bytes).is_ok(),
            n == VerifyingKey::<P>::LEN
        );
        assert_eq!(
            VerifyingKey::<P>::try_from(bytes).is_ok(),
            n == VerifyingKey::<P>::LEN
        );
        if n != len {
            let imported = SigningKey::<P>::from_expanded_bytes(bytes);
            assert_eq!(imported.err(), Some(Error::InvalidLength));
        }
        assert_eq!(key.with_context(bytes).is_ok(), n <= 255);
        assert_eq!(vk.with_context(bytes).is_ok(), n <= 255);
        assert_eq!(key.mu_builder(bytes).is_ok(), n <= 255);
        assert_eq!(vk.mu_builder(bytes).is_ok(), n <= 255);
        for hash in PreHash::ALL {
            assert_eq!(hash.check(bytes).is_ok(), n == hash.digest_len());
        }
        cases += 1;
    }
    assert_eq!(cases, 6_001);
    // Messages of every length around the block size of SHAKE256, whole and in pieces.
    for n in (0..=300).chain([5_999, 6_000]) {
        let made = key.sign(&bytes[..n]);
        let mut mu = vk.mu_builder(&[]).expect("fits");
        bytes[..n].chunks(7).for_each(|piece| mu.update(piece));
        assert_eq!(vk.verify_mu(&mu.finalize(), &made), Ok(()));
    }
}

fn batches<P: Set>() {
    let mut stream = Stream::of::<P>("batches");
    let keys: Vec<_> = (0..3)
        .map(|_| SigningKey::<P>::generate_from_rng(&mut stream))
        .collect();
    let prepared: Vec<_> = keys
        .iter()
        .map(|key| key.verifying_key().prepare())
        .collect();
    for size in 0..=9 {
        let messages: Vec<_> = (0..size).map(|_| stream.bytes_of(0..=400)).collect();
        let made = messages.iter().zip(keys.iter().cycle());
        let mut made: Vec<_> = made.map(|(message, key)| key.sign(message)).collect();
        let vks = keys.iter().cycle().map(SigningKey::verifying_key);
        for bad in [None].into_iter().chain((0..size).map(Some)) {
            let kept = bad.map(|bad| (bad, made[bad]));
            if let Some(bad) = bad {
                let mut bytes = made[bad].as_bytes().to_vec();
                stream.mutate(&mut bytes);
                made[bad] = signature(&bytes);
            }
            let signed = messages.iter().map(Vec::as_slice).zip(&made);
            let encoded = vks.clone().zip(signed.clone());
            let encoded = encoded.map(|(vk, (m, s))| (vk.as_bytes(), m, s.as_bytes()));
            let items = vks
                .clone()
                .zip(signed.clone())
                .map(|(vk, (m, s))| (vk, m, s));
            let ready = prepared
                .iter()
                .cycle()
                .zip(signed)
                .map(|(vk, (m, s))| (vk, m, s));
            let items: Vec<_> = items.collect();
            let expected: Vec<_> = (0..size).map(|i| Some(i) != bad).collect();
            let mut verdicts = vec![false; 3 * size];
            let (first, rest) = verdicts.split_at_mut(size);
            let (second, third) = rest.split_at_mut(size);
            let results = [
                verify_batch(&items, first),
                verify_batch_encoded::<P>(&encoded.collect::<Vec<_>>(), second),
                verify_batch_prepared(&ready.collect::<Vec<_>>(), third),
            ];
            assert_eq!(results.map(|result| result.is_ok()), [bad.is_none(); 3]);
            assert_eq!([first, second, third], [&*expected; 3]);
            for wrong in [size + 1, size + 7, size.wrapping_sub(1)] {
                if wrong < 100 {
                    assert!(verify_batch(&items, &mut vec![false; wrong]).is_err());
                }
            }
            if let Some((bad, good)) = kept {
                made[bad] = good;
            }
        }
    }
}

/// Keys and signatures that are too short or too long spoil their own verdict only.
fn batches_with_wrong_lengths<P: Set>() {
    let key = SigningKey::<P>::from_seed(&[5; 32]);
    let (vk, made) = (key.verifying_key().as_bytes(), key.sign(b"message"));
    let longer = |bytes: &[u8]| [bytes, &[0]].concat();
    let (long_vk, long_made) = (longer(vk), longer(made.as_bytes()));
    let good = (vk, &b"message"[..], made.as_bytes());
    let wrong = [
        (&long_vk[..], good.1, good.2),
        (&vk[1..], good.1, good.2),
        (&[], good.1, good.2),
        (vk, good.1, &long_made),
        (vk, good.1, &made.as_bytes()[..made.as_bytes().len() - 1]),
        (vk, good.1, &[]),
    ];
    for (bad, wrong) in wrong.into_iter().cycle().take(18).enumerate() {
        let mut items = [good; 6];
        items[bad % 6] = wrong;
        let mut verdicts = [false; 6];
        assert_eq!(
            verify_batch_encoded::<P>(&items, &mut verdicts),
            Err(Error::InvalidSignature)
        );
        assert_eq!(verdicts, core::array::from_fn(|i| i != bad % 6));
        let mut verdicts = [true; 5];
        assert_eq!(
            verify_batch_encoded::<P>(&items, &mut verdicts),
            Err(Error::InvalidLength)
        );
        assert_eq!(verdicts, [false; 5]);
    }
}

#[cfg(feature = "pem")]
mod files {
    use super::*;
    use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding};
    use pqsig_mldsa::PrivateKeyFormat;

    for_each_set!(any_bytes_as_private_key_file, any_bytes_as_public_key_file);

    /// Cuts, lengthens, mutates or replaces a file; the header more often than its share.
    fn spoil(stream: &mut Stream, file: &[u8]) -> Vec<u8> {
        let mut bytes = file.to_vec();
        let header = file.len().min(60) - 1;
        match stream.number(0..=6) {
            0 => bytes.truncate(stream.number(0..=file.len() - 1)),
            1 => bytes.extend(stream.bytes_of(1..=40)),
            2 => {
                let at = stream.number(0..=header);
                bytes.remove(at);
            }
            3 => {
                let at = stream.number(0..=header);
                bytes.insert(at, stream.number(0..=255) as u8);
            }
            4 => stream.mutate(&mut bytes),
            5 => bytes = stream.bytes_of(0..=80),
            _ => stream.mutate(&mut bytes[..=header]),
        }
        bytes
    }

    fn any_bytes_as_private_key_file<P: Set>() {
        let mut stream = Stream::of::<P>("any private key file");
        let key = SigningKey::<P>::generate_from_rng(&mut stream);
        let formats = [
            PrivateKeyFormat::Seed,
            PrivateKeyFormat::Expanded,
            PrivateKeyFormat::Both,
        ];
        let files = formats.map(|format| key.to_pkcs8_der_with(format).expect("encodes"));
        let pem = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
        let (mut loaded, mut refused) = (0, 0);
        for input in 0..INPUTS {
            let result = if input % 4 == 3 {
                let bytes = spoil(&mut stream, pem.as_bytes());
                SigningKey::<P>::from_pkcs8_pem(&String::from_utf8_lossy(&bytes))
            } else {
                let bytes = spoil(&mut stream, files[input % 4].as_bytes());
                SigningKey::<P>::from_pkcs8_der(&bytes)
            };
            match result {
                // Another seed is another key; both are whole.
                Ok(key) => {
                    loaded += 1;
                    assert!(key.to_pkcs8_der().is_ok());
                }
                Err(_) => refused += 1,
            }
        }
        assert!(loaded > 100 && refused > loaded, "{loaded} {refused}");
    }

    fn any_bytes_as_public_key_file<P: Set>() {
        let mut stream = Stream::of::<P>("any public key file");
        let key = SigningKey::<P>::generate_from_rng(&mut stream);
        let vk = key.verifying_key();
        let der = vk.to_public_key_der().expect("encodes");
        let pem = vk.to_public_key_pem(LineEnding::LF).expect("encodes");
        let (mut loaded, mut refused) = (0, 0);
        for input in 0..INPUTS {
            let result = if input % 4 == 3 {
                let bytes = spoil(&mut stream, pem.as_bytes());
                VerifyingKey::<P>::from_public_key_pem(&String::from_utf8_lossy(&bytes))
            } else {
                VerifyingKey::<P>::from_public_key_der(&spoil(&mut stream, der.as_bytes()))
            };
            match result {
                Ok(key) => {
                    loaded += 1;
                    assert_eq!(key.as_bytes().len(), VerifyingKey::<P>::LEN);
                }
                Err(_) => refused += 1,
            }
        }
        assert!(loaded > 100 && refused > loaded, "{loaded} {refused}");
    }
}

#[cfg(feature = "serde")]
mod serde {
    use super::*;

    for_each_set!(any_bytes_as_serialized_value);

    fn any_bytes_as_serialized_value<P: Set>() {
        let mut stream = Stream::of::<P>("any serialized value");
        let key = SigningKey::<P>::generate_from_rng(&mut stream);
        let made = key.sign(b"message");
        let binary = [
            postcard::to_stdvec(&key).expect("serializes"),
            postcard::to_stdvec(key.verifying_key()).expect("serializes"),
            postcard::to_stdvec(&made).expect("serializes"),
        ];
        let text = [
            serde_json::to_vec(&key).expect("serializes"),
            serde_json::to_vec(key.verifying_key()).expect("serializes"),
            serde_json::to_vec(&made).expect("serializes"),
        ];
        let mut refused = 0;
        for input in 0..INPUTS {
            let (which, is_text) = (input % 3, input % 2 == 0);
            let mut bytes = if is_text { &text } else { &binary }[which].clone();
            if stream.number(0..=1) == 0 {
                bytes.truncate(stream.number(0..=bytes.len() - 1));
            } else {
                let header = bytes.len().min(8);
                stream.mutate(&mut bytes[..header]);
            }
            let result = match (which, is_text) {
                (0, true) => serde_json::from_slice::<SigningKey<P>>(&bytes).is_ok(),
                (0, false) => postcard::from_bytes::<SigningKey<P>>(&bytes).is_ok(),
                (1, true) => serde_json::from_slice::<VerifyingKey<P>>(&bytes).is_ok(),
                (1, false) => postcard::from_bytes::<VerifyingKey<P>>(&bytes).is_ok(),
                (_, true) => serde_json::from_slice::<Signature<P>>(&bytes).is_ok(),
                (_, false) => postcard::from_bytes::<Signature<P>>(&bytes).is_ok(),
            };
            refused += usize::from(!result);
        }
        assert!(refused > INPUTS / 2);
    }
}
