//! The library against the oracle, on random inputs: keys, signatures, and the verdict on valid,
//! mutated and made-up signatures and keys.

use crate::{
    common::{Set, Stream, for_each_set, rounds, sign_with_rnd, signature},
    fips204,
};
use pqsig_mldsa::{PreHash, SigningKey, VerifyingKey};
use signature::{Signer, Verifier};

for_each_set!(
    keys_and_signatures_agree,
    prehash_agrees,
    verdicts_agree_on_mutations,
    verdicts_agree_on_unrelated_keys,
    expanded_keys_agree,
);

fn keys_and_signatures_agree<P: Set>() {
    let mut stream = Stream::of::<P>("keys and signatures");
    let rounds = rounds(60, 1_000);
    let mut attempts = 0;
    for _ in 0..rounds {
        let seed = stream.array();
        let (pk, sk) = P::NUMBERS.key_gen_internal(&seed);
        let key = SigningKey::<P>::from_seed(&seed);
        assert!(key.to_expanded_bytes().as_ref() == sk, "signing key");
        assert!(key.verifying_key().as_bytes() == pk, "verifying key");

        let message = stream.bytes_of(0..=300);
        let context = stream.bytes_of(0..=255);
        let rnd: [u8; 32] = stream.array();
        let m_prime = fips204::pure(&context, &message);
        for rnd in [rnd, [0; 32]] {
            let mu = fips204::h(&[&sk[64..128], &m_prime], 64);
            let (expected, needed) = P::NUMBERS.sign_mu(&sk, &mu, &rnd);
            attempts += needed;
            let made = sign_with_rnd(&key, &context, &message, &rnd);
            assert!(made.as_bytes() == expected, "signature");
            let verifier = key.verifying_key().with_context(&context).expect("fits");
            assert!(verifier.verify(&message, &made).is_ok());
            assert!(P::NUMBERS.verify_internal(&pk, &m_prime, &expected));
        }
        let deterministic = key.with_context(&context).expect("fits").sign(&message);
        let expected = P::NUMBERS.sign_internal(&sk, &m_prime, &[0; 32]);
        assert!(deterministic.as_bytes() == expected);
    }
    assert!(attempts > 2 * 2 * rounds, "rejections were among them");
}

fn prehash_agrees<P: Set>() {
    let mut stream = Stream::of::<P>("prehash");
    let seed = stream.array();
    let (pk, sk) = P::NUMBERS.key_gen_internal(&seed);
    let key = SigningKey::<P>::from_seed(&seed);
    let mut cases = 0;
    for hash in PreHash::ALL {
        let digest = stream.bytes(hash.digest_len());
        let context = stream.bytes_of(0..=255);
        let m_prime = fips204::prehashed(&context, &hash.oid_der(), &digest);
        let expected = P::NUMBERS.sign_internal(&sk, &m_prime, &[0; 32]);
        let made = key
            .sign_prehashed_deterministic(hash, &digest, &context)
            .expect("signs");
        assert!(made.as_bytes() == expected, "{hash:?}");
        assert!(P::NUMBERS.verify_internal(&pk, &m_prime, &expected));
        let vk = key.verifying_key();
        assert_eq!(vk.verify_prehashed(hash, &digest, &context, &made), Ok(()));
        for other in PreHash::ALL.into_iter().filter(|&other| other != hash) {
            assert!(
                vk.verify_prehashed(other, &digest, &context, &made)
                    .is_err()
            );
        }
        cases += 1;
    }
    assert_eq!(cases, 12);
}

/// Where in a signature a mutation lands: each part gets its share.
fn mutate_signature<P: Set>(stream: &mut Stream, bytes: &mut [u8]) {
    let numbers = P::NUMBERS;
    let hint = bytes.len() - numbers.omega - numbers.k;
    match stream.number(0..=4) {
        0 => stream.mutate(&mut bytes[..numbers.lambda / 4]),
        1 => stream.mutate(&mut bytes[numbers.lambda / 4..hint]),
        2 => stream.mutate(&mut bytes[hint..]),
        3 => {
            // Moves a counter of the hint: often still decodes.
            let at = bytes.len() - stream.number(1..=numbers.k);
            bytes[at] = stream.number(0..=numbers.omega + 2) as u8;
        }
        _ => {
            // Swaps two neighbouring hint positions, or makes them equal.
            let at = hint + stream.number(0..=numbers.omega - 2);
            if stream.number(0..=1) == 0 {
                bytes.swap(at, at + 1);
            } else {
                bytes[at] = bytes[at + 1];
            }
        }
    }
}

fn verdicts_agree_on_mutations<P: Set>() {
    let mut stream = Stream::of::<P>("mutations");
    let (mut accepted, mut decoded) = (0, 0);
    for _ in 0..rounds(10, 100) {
        let key = SigningKey::<P>::from_seed(&stream.array());
        let mu: [u8; 64] = stream.array();
        let good = key.sign_mu_deterministic(&mu).expect("signs");
        for _ in 0..60 {
            let mut bytes = good.as_bytes().to_vec();
            let mut pk = key.verifying_key().as_bytes().to_vec();
            if stream.number(0..=5) == 0 {
                stream.mutate(&mut pk);
            } else {
                mutate_signature::<P>(&mut stream, &mut bytes);
            }
            decoded += usize::from(P::NUMBERS.sig_decode(&bytes).is_some());
            let expected = P::NUMBERS.verify_mu(&pk, &mu, &bytes, true);
            let vk = VerifyingKey::<P>::from_bytes(&pk).expect("right length");
            let verdict = vk.verify_mu(&mu, &signature(&bytes)).is_ok();
            assert_eq!(verdict, expected);
            assert_eq!(
                vk.prepare().verify_mu(&mu, &signature(&bytes)).is_ok(),
                expected
            );
            // Strong unforgeability. A changed key may still verify, since mu is given here and
            // does not depend on it: an addition to t1 may be too small to change a high bit.
            if pk == key.verifying_key().as_bytes() {
                assert_eq!(verdict, bytes == good.as_bytes());
            }
            accepted += usize::from(verdict);
        }
    }
    // Some of the swaps change nothing, and a good part gets past the decoder.
    assert!(accepted > 0 && decoded > 200);
}

/// Random keys, among them t1 = 0, with signatures that are valid but for the challenge: the
/// whole arithmetic runs, and its result is compared by way of the challenge that would fit.
fn verdicts_agree_on_unrelated_keys<P: Set>() {
    let mut stream = Stream::of::<P>("unrelated keys");
    let numbers = P::NUMBERS;
    let mut accepted = 0;
    for round in 0..rounds(30, 500) {
        let mut pk = stream.bytes(VerifyingKey::<P>::LEN);
        if round % 2 == 0 {
            pk[32..].fill(0);
        }
        let mu: [u8; 64] = stream.array();
        let bound = (numbers.gamma1 - numbers.beta() - 1) as usize;
        let mut coefficient = || match round % 3 {
            0 => 0,
            1 => stream.number(0..=2 * bound) as i64 - bound as i64,
            _ => [bound as i64, -(bound as i64)][stream.number(0..=1)],
        };
        let z = (0..numbers.l)
            .map(|_| (0..256).map(|_| coefficient()).collect())
            .collect();
        let mut hint = vec![vec![0; 256]; numbers.k];
        for _ in 0..stream.number(0..=numbers.omega) {
            hint[stream.number(0..=numbers.k - 1)][stream.number(0..=255)] = 1;
        }
        // With t1 = 0 the challenge does not enter w': the fitting one can be computed.
        let (rho, t1) = numbers.pk_decode(&pk);
        let mut c_tilde = stream.bytes(numbers.lambda / 4);
        if t1.iter().flatten().all(|&t| t == 0) {
            let z_hat: fips204::Vector = z_transform(&z);
            let az = fips204::matrix_vector_ntt(&numbers.expand_a(&rho), &z_hat);
            let w: fips204::Vector = az.iter().map(fips204::inverse_ntt).collect();
            let w1 = w.iter().zip(&hint).map(|(w, h)| {
                let pairs = w.iter().zip(h);
                pairs.map(|(&r, &h)| numbers.use_hint(h == 1, r)).collect()
            });
            let w1 = numbers.w1_encode(&w1.collect());
            c_tilde = fips204::h(&[&mu, &w1], numbers.lambda / 4);
        }
        let bytes = numbers.sig_encode(&c_tilde, &z, &hint);
        let expected = numbers.verify_mu(&pk, &mu, &bytes, true);
        let vk = VerifyingKey::<P>::from_bytes(&pk).expect("any string of the length");
        assert_eq!(vk.verify_mu(&mu, &signature(&bytes)).is_ok(), expected);
        assert_eq!(expected, round % 2 == 0);
        accepted += usize::from(expected);
    }
    assert!(accepted > 0);
}

fn z_transform(z: &fips204::Vector) -> fips204::Vector {
    z.iter().map(fips204::ntt).collect()
}

/// Import accepts exactly the keys that are what key generation could have made of some secrets.
fn expanded_keys_agree<P: Set>() {
    let mut stream = Stream::of::<P>("expanded keys");
    let numbers = P::NUMBERS;
    let consistent = |sk: &[u8]| {
        let secret = numbers.sk_decode(sk);
        let (t1, t0) = numbers.t_of(&secret.rho, &secret.s1, &secret.s2);
        let in_range = [&secret.s1, &secret.s2]
            .iter()
            .all(|s| fips204::norm(s) <= numbers.eta);
        let tr = fips204::h(&[&numbers.pk_encode(&secret.rho, &t1)], 64);
        in_range && t0 == secret.t0 && tr == secret.tr
    };
    let (mut accepted, mut refused) = (0, 0);
    for _ in 0..rounds(8, 100) {
        let (_, sk) = numbers.key_gen_internal(&stream.array());
        for _ in 0..20 {
            let mut bytes = sk.clone();
            match stream.number(0..=3) {
                0 => stream.mutate(&mut bytes[..128]),
                1 => stream.mutate(&mut bytes[128..]),
                // K is free: any value is consistent.
                2 => stream.mutate(&mut bytes[32..64]),
                _ => bytes = stream.bytes(sk.len()),
            }
            let imported = SigningKey::<P>::from_expanded_bytes(&bytes);
            assert_eq!(imported.is_ok(), consistent(&bytes));
            match imported {
                Ok(key) => {
                    accepted += 1;
                    assert!(key.to_expanded_bytes().as_ref() == bytes);
                    assert_eq!(key.seed(), None);
                    let mu = stream.array();
                    let made = key.sign_mu_deterministic(&mu).expect("signs");
                    let (expected, _) = numbers.sign_mu(&bytes, &mu, &[0; 32]);
                    assert!(made.as_bytes() == expected);
                }
                Err(_) => refused += 1,
            }
        }
    }
    assert!(accepted > 0 && refused > accepted);
}
