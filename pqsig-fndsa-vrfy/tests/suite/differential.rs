//! Verdicts against `fn-dsa` 0.4.0.

use crate::common::{Oracle, Stream, for_each_set, oracle_verifies, rounds, verifies};
use fn_dsa::{HASH_ID_EXTMU, HASH_ID_RAW, RngCore as _};
use pqsig_comm::encoding::ByteArray as _;
use pqsig_fndsa_vrfy::{ParameterSet, PreHash, Signature, VerifyingKey};

const RAW: &[u8] = HASH_ID_RAW.0;

/// Signatures made by the oracle, in every form, verify.
fn honest<P: ParameterSet>() {
    let mut rng = Stream::of::<P>("honest");
    let oracle = Oracle::<P>::new(&mut rng);
    let mut forms = 0;
    for round in 0..rounds(20, 2000) {
        let ctx_len = [0, 1, 254, 255, rng.below(256)][round % 5];
        let (ctx, message) = (rng.bytes(ctx_len), rng.bytes(round * 7));
        let signature = oracle.sign(&mut rng, &ctx, RAW, &message);
        assert!(verifies::<P>(&oracle.vk, &signature, &ctx, &message));
        assert!(!verifies::<P>(
            &oracle.vk,
            &signature,
            &ctx,
            &[&message[..], &[0]].concat()
        ));

        let mu: [u8; 64] = rng.bytes(64).try_into().expect("64 bytes");
        let signature = oracle.sign(&mut rng, &[], HASH_ID_EXTMU.0, &mu);
        let parsed = Signature::from_bytes(&signature).expect("a good header");
        assert_eq!(oracle.key.verify_mu(&mu, &parsed), Ok(()));

        for hash in PreHash::ALL {
            // Only the length of a digest counts; the oracle takes any identifier.
            let digest = rng.bytes(hash.digest_len());
            let signature = oracle.sign(&mut rng, &ctx, &hash.oid_der(), &digest);
            let parsed = Signature::from_bytes(&signature).expect("a good header");
            let result = oracle.key.verify_prehashed(hash, &digest, &ctx, &parsed);
            assert_eq!(result, Ok(()), "{hash:?}");
            forms += 1;
        }
    }
    assert_eq!(forms, 12 * rounds(20, 2000));
}

/// Changed inputs get the same verdict from both.
fn mutated<P: ParameterSet>() {
    let mut rng = Stream::of::<P>("mutated");
    let oracle = Oracle::<P>::new(&mut rng);
    let signature = oracle.sign(&mut rng, b"ctx", RAW, b"message");
    let mut keys = 0;
    for round in 0..rounds(3000, 300_000) {
        let (mut vk, mut sig) = (oracle.vk.clone(), signature.clone());
        let (mut ctx, mut message) = (b"ctx".to_vec(), b"message".to_vec());
        let bit = |rng: &mut Stream, bytes: &mut Vec<u8>| {
            let at = rng.below(8 * bytes.len());
            bytes[at / 8] ^= 1 << (at % 8);
        };
        match round % 10 {
            0 => bit(&mut rng, &mut vk),
            1 | 2 => bit(&mut rng, &mut sig),
            3 => sig.truncate(rng.below(sig.len())),
            4 => sig.extend(rng.bytes(1 + round % 3)),
            5 => sig[0] = rng.next_u32() as u8,
            6 => vk[0] = rng.next_u32() as u8,
            7 if round % 20 == 7 => bit(&mut rng, &mut ctx),
            7 => bit(&mut rng, &mut message),
            8 => {
                // Another canonical s2.
                let mut s2 = vec![0; P::N];
                let parsed = Signature::<P>::from_bytes(&sig).expect("a good header");
                assert!(parsed.decode_s2(&mut s2));
                let at = rng.below(P::N);
                s2[at] += if rng.below(2) == 0 { 1 } else { -1 };
                if let Some(other) = Signature::<P>::encode(parsed.nonce(), &s2) {
                    sig = other.as_bytes().to_vec();
                }
            }
            _ => {
                let len = rng.below(vk.len() + 2);
                vk.resize(len, 0);
            }
        }
        let expected = oracle_verifies::<P>(&vk, &sig, &ctx, RAW, &message);
        assert_eq!(
            verifies::<P>(&vk, &sig, &ctx, &message),
            expected,
            "round {round}"
        );
        keys += usize::from(VerifyingKey::<P>::from_bytes(&vk).is_ok());
    }
    assert!(keys > rounds(2000, 200_000));
}

/// Random fields behind a good header: for the small degrees many are canonical.
fn random_signatures<P: ParameterSet>() {
    let mut rng = Stream::of::<P>("random");
    let oracle = Oracle::<P>::new(&mut rng);
    for _ in 0..rounds(1000, 100_000) {
        let mut sig = rng.bytes(P::SIGNATURE_LEN);
        sig[0] = P::SIGNATURE_HEADER;
        let expected = oracle_verifies::<P>(&oracle.vk, &sig, b"", RAW, b"message");
        assert_eq!(verifies::<P>(&oracle.vk, &sig, b"", b"message"), expected);
    }
}

/// Honest signatures are not refused (L55).
fn many_honest<P: ParameterSet>() {
    let mut rng = Stream::of::<P>("many");
    let oracle = Oracle::<P>::new(&mut rng);
    let key = oracle.key.prepare();
    for round in 0..rounds(400, 100_000) as u64 {
        let mut mu = [0; 64];
        mu[..8].copy_from_slice(&round.to_le_bytes());
        let signature = oracle.sign(&mut rng, &[], HASH_ID_EXTMU.0, &mu);
        let signature = Signature::from_bytes(&signature).expect("a good header");
        assert_eq!(key.verify_mu(&mu, &signature), Ok(()));
    }
}

for_each_set!(honest, mutated, random_signatures, many_honest);

#[cfg(feature = "toy")]
mod toys {
    use super::*;
    use pqsig_fndsa_vrfy::FnDsaToy;

    fn all<P: ParameterSet>() {
        honest::<P>();
        mutated::<P>();
        random_signatures::<P>();
    }

    #[test]
    fn every_degree() {
        all::<FnDsaToy<2>>();
        all::<FnDsaToy<3>>();
        all::<FnDsaToy<4>>();
        all::<FnDsaToy<5>>();
        all::<FnDsaToy<6>>();
        all::<FnDsaToy<7>>();
        all::<FnDsaToy<8>>();
    }

    /// With h = 0, s1 is c: for degree 4 enough random hashes are short to meet both bounds.
    ///
    /// (s2 is not zero: the oracle refuses that whatever s1 is, by the way it excludes overflow.
    /// The specification does not, and it takes a short hash to meet the difference.)
    #[test]
    fn verdicts_at_the_bounds() {
        type Set = FnDsaToy<2>;
        let vk = [2, 0, 0, 0, 0, 0, 0, 0];
        let key = VerifyingKey::<Set>::from_bytes(&vk).expect("a good key");
        let prepared = key.prepare();
        let mut rng = Stream::new(b"bounds");
        let (mut good, mut exact) = (0, 0);
        for _ in 0..rounds(150_000, 5_000_000) {
            let mu: [u8; 64] = rng.bytes(64).try_into().expect("64 bytes");
            let signature = Signature::<Set>::encode(&[7; 40], &[1, 0, 0, 0]).expect("fits");
            let verdict = prepared.verify_mu(&mu, &signature).is_ok();
            let expected =
                oracle_verifies::<Set>(&vk, signature.as_bytes(), b"", HASH_ID_EXTMU.0, &mu);
            assert_eq!(verdict, expected);
            if !verdict {
                continue;
            }
            good += 1;

            // The bound is inclusive: with an s2 that makes up the difference it is good, with
            // one more it is not.
            let mut c = [0; 4];
            let portable = pqsig_comm::arch::Portable;
            pqsig_comm::fndsa::hash_to_point::hash_to_point(portable, &[7; 40], &mu, &mut c);
            let norm: u32 = c
                .map(|c| i32::from(pqsig_comm::fndsa::mq::center(c as i16)).pow(2) as u32)
                .iter()
                .sum();
            for (over, expected) in [(0, true), (1, false)] {
                let s2 = four_squares(Set::MAX_SQUARED_NORM - norm + over);
                let signature = Signature::<Set>::encode(&[7; 40], &s2).expect("fits");
                let verdict = prepared.verify_mu(&mu, &signature).is_ok();
                let oracle =
                    oracle_verifies::<Set>(&vk, signature.as_bytes(), b"", HASH_ID_EXTMU.0, &mu);
                assert_eq!((verdict, oracle), (expected, expected));
                exact += 1;
            }
        }
        assert!(good > 0, "{good}");
        assert_eq!(exact, 2 * good);
    }

    /// Four numbers whose squares have this sum.
    fn four_squares(sum: u32) -> [i16; 4] {
        let below = |rest: u32| (0..=rest.isqrt()).rev();
        for a in below(sum) {
            for b in below(sum - a * a) {
                for c in below(sum - a * a - b * b) {
                    let rest = sum - a * a - b * b - c * c;
                    let d = rest.isqrt();
                    if d * d == rest {
                        return [a, b, c, d].map(|x| x as i16);
                    }
                }
            }
        }
        unreachable!("Lagrange")
    }
}

#[test]
fn lengths_equal_those_of_the_oracle() {
    fn check<P: ParameterSet>() {
        assert_eq!(P::SIGNING_KEY_LEN, fn_dsa::sign_key_size(P::LOGN));
        assert_eq!(P::VERIFYING_KEY_LEN, fn_dsa::vrfy_key_size(P::LOGN));
        assert_eq!(P::SIGNATURE_LEN, fn_dsa::signature_size(P::LOGN));
        assert_eq!(P::SignatureBytes::LEN, P::SIGNATURE_LEN);
    }
    check::<pqsig_fndsa_vrfy::FnDsa512>();
    check::<pqsig_fndsa_vrfy::FnDsa1024>();
}
