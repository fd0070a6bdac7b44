//! Known answers.

use crate::common::{Oracle, Stream, field, folder, hex, json, verifies};
use fn_dsa::{HASH_ID_RAW, HASH_ID_SHA3_256, RngCore as _};
use pqsig_fndsa_vrfy::{
    Error, FnDsa512, FnDsa1024, ParameterSet, PreHash, Signature, VerifyingKey,
};
use sha3::{Digest as _, Sha3_256};

/// The signature is good for the context "context" and the message "message", has this mu, and
/// no flip of a bit in signature or key is accepted.
fn check<P: ParameterSet>(vk: &[u8], mu: &[u8], signature: &[u8]) {
    let key = VerifyingKey::<P>::from_bytes(vk).expect("a good key");
    let parsed = Signature::<P>::from_bytes(signature).expect("a good header");
    assert_eq!(key.as_bytes(), vk);
    assert_eq!(parsed.as_bytes(), signature);

    let mut builder = key.mu_builder(b"context").expect("short context");
    builder.update(b"mess");
    builder.update(b"age");
    let expected: [u8; 64] = mu.try_into().expect("64 bytes");
    assert_eq!(builder.finalize(), expected);
    assert_eq!(key.verify_mu(&expected, &parsed), Ok(()));
    assert!(verifies::<P>(vk, signature, b"context", b"message"));
    assert!(!verifies::<P>(vk, signature, b"", b"message"));
    assert!(!verifies::<P>(vk, signature, b"context", b"message "));

    let key = key.prepare();
    let mut flips = 0;
    for bit in 0..8 * signature.len() {
        let mut flipped = signature.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        let result = Signature::<P>::from_bytes(&flipped)
            .and_then(|flipped| key.verify_mu(&expected, &flipped));
        assert_eq!(result, Err(Error::InvalidSignature), "bit {bit}");
        flips += 1;
    }
    assert_eq!(flips, 8 * P::SIGNATURE_LEN);
    for bit in 0..8 * vk.len() {
        let mut flipped = vk.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        assert!(
            !verifies::<P>(&flipped, signature, b"context", b"message"),
            "bit {bit}"
        );
    }
}

fn check_degree(logn: u64, vk: &[u8], mu: &[u8], signature: &[u8]) {
    match logn {
        9 => check::<FnDsa512>(vk, mu, signature),
        10 => check::<FnDsa1024>(vk, mu, signature),
        other => panic!("degree {other}"),
    }
}

#[test]
fn signatures_of_fn_dsa_vrfy() {
    let Some(folder) = folder() else { return };
    let file = json(&folder.join("fn-dsa/v040_verify.json"));
    let cases = file["kat"].as_array().expect("a list");
    for case in cases {
        let logn = case["logn"].as_u64().expect("a number");
        check_degree(
            logn,
            &field(case, "VK"),
            &field(case, "MU"),
            &field(case, "SIG"),
        );
    }
    assert_eq!(cases.len(), 2);
}

#[test]
fn signature_of_fn_dsa_sign() {
    let Some(folder) = folder() else { return };
    let case = json(&folder.join("fn-dsa/v040_sign_512.json"));
    check::<FnDsa512>(
        &field(&case, "VK"),
        &field(&case, "MU"),
        &field(&case, "SIG"),
    );
}

#[test]
fn signatures_of_the_specification() {
    let Some(folder) = folder() else { return };
    let file = json(&folder.join("../fndsa/kats.json"));
    for (name, logn) in [("fixed_512", 9), ("fixed_1024", 10)] {
        let case = &file[name];
        check_degree(
            logn,
            &field(case, "vk"),
            &field(case, "mu"),
            &field(case, "sig"),
        );
    }
}

/// Signatures whose first attempt was rejected.
#[test]
fn restarted_signatures() {
    let Some(folder) = folder() else { return };
    let file = json(&folder.join("../fndsa/restart_vectors.json"));
    let cases = file.as_array().expect("a list");
    let mut count = 0;
    for case in cases {
        let logn = case["logn"].as_u64().expect("a number") as u8;
        let signature = field(case, "sig");
        let good = match logn {
            9 => verifies::<FnDsa512>(&vk_of_kat::<FnDsa512>(), &signature, b"", b"restart"),
            _ => verifies::<FnDsa1024>(&vk_of_kat::<FnDsa1024>(), &signature, b"", b"restart"),
        };
        assert!(good);
        count += 1;
    }
    assert_eq!(count, 6);
}

/// The key of full vector number 0.
fn vk_of_kat<P: ParameterSet>() -> Vec<u8> {
    Oracle::<P>::new(&mut kat_stream::<P>(0)).vk
}

/// Seeds of full vector number `j`: 32 bytes for the key, then 40 for the signature.
fn kat_stream<P: ParameterSet>(j: u32) -> Stream {
    let mut seed = vec![P::LOGN as u8];
    seed.extend(j.to_le_bytes());
    Stream::new(&seed)
}

/// The full vectors: key and signature come from `fn-dsa` and are checked by their hash.
fn full_vectors<P: ParameterSet>() {
    let Some(folder) = folder() else { return };
    let file = json(&folder.join("../fndsa/kats.json"));
    let hashes = file["full_kat"][P::LOGN.to_string()]
        .as_array()
        .expect("a list");
    assert_eq!(hashes.len(), 10);
    let digest = Sha3_256::digest(b"message");
    for (j, hash) in (0..).zip(hashes) {
        let mut rng = kat_stream::<P>(j);
        let oracle = Oracle::<P>::new(&mut rng);
        let (id, hv): (_, &[u8]) = if j % 2 == 0 {
            (HASH_ID_RAW, b"message")
        } else {
            (HASH_ID_SHA3_256, &digest)
        };
        let signature = oracle.sign(&mut rng, b"domain", id.0, hv);
        let found = Sha3_256::digest([&oracle.sk[..], &oracle.vk, &signature].concat());
        assert_eq!(found[..], hex(hash.as_str().expect("text")));

        let signature = Signature::<P>::from_bytes(&signature).expect("a good header");
        let pure = verifies::<P>(&oracle.vk, signature.as_bytes(), b"domain", b"message");
        let prehashed =
            oracle
                .key
                .verify_prehashed(PreHash::Sha3_256, &digest, b"domain", &signature);
        assert_eq!(pure, j % 2 == 0);
        assert_eq!(prehashed.is_ok(), j % 2 == 1);
        assert_ne!(rng.next_u64(), 0);
    }
}

crate::common::for_each_set!(full_vectors);

#[cfg(feature = "toy")]
#[test]
fn full_vectors_of_the_toys() {
    use pqsig_fndsa_vrfy::FnDsaToy;
    full_vectors::<FnDsaToy<2>>();
    full_vectors::<FnDsaToy<3>>();
    full_vectors::<FnDsaToy<4>>();
    full_vectors::<FnDsaToy<5>>();
    full_vectors::<FnDsaToy<6>>();
    full_vectors::<FnDsaToy<7>>();
    full_vectors::<FnDsaToy<8>>();
}

/// The worked example of the specification (appendix E), which needs no folder.
#[cfg(feature = "toy")]
#[test]
fn worked_example() {
    use pqsig_fndsa_vrfy::FnDsaToy;
    let vk = hex("034a980095968e2ed0142b1a6d4687");
    let signature = hex(
        "3339ef9add5d543e181a21b75ffb5d2c6cc338643cf1b9d4d1f3dd79dd43acb43f96d1bcaf344def49\
         cdf33e1718f6a504530300",
    );
    let key = VerifyingKey::<FnDsaToy<3>>::from_bytes(&vk).expect("a good key");
    let mut mu = key.mu_builder(b"domain").expect("short context");
    mu.update(b"message");
    let expected = hex(
        "7c90f100dbb252a25c394e75db0bc82a290548f5610cccd59515c3b59df4b697\
         c688aaab986efaa16225e2015fe091c039409fe339fb96dd4463754f46707255",
    );
    assert_eq!(mu.finalize()[..], expected);
    assert!(verifies::<FnDsaToy<3>>(
        &vk, &signature, b"domain", b"message"
    ));
}
