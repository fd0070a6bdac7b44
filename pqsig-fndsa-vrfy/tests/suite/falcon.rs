//! Falcon of round 3. Its keys and signatures have our lengths and headers, and are refused; its
//! known answers check our arithmetic, by way of a decoder of their format.

use crate::common::{folder, hex};
use pqsig_comm::{
    arch::Portable,
    fndsa::{
        codec,
        mq::{self, Backend},
        params::Q,
    },
};
use pqsig_fndsa_vrfy::{Error, FnDsa512, FnDsa1024, ParameterSet, Signature, VerifyingKey};
use shake::{
    Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};
use signature::Verifier;
use std::{collections::HashMap, fs, path::Path};

/// Bits, most significant first.
struct Bits<'a>(&'a [u8], usize);

impl Bits<'_> {
    fn take(&mut self, count: usize) -> u32 {
        (0..count).fold(0, |value, _| {
            let bit = self.0[self.1 / 8] >> (7 - self.1 % 8) & 1;
            self.1 += 1;
            value << 1 | u32::from(bit)
        })
    }
}

struct Case {
    pk: Vec<u8>,
    message: Vec<u8>,
    nonce: [u8; 40],
    /// Compressed s2, without header.
    field: Vec<u8>,
}

/// The entries of a response file.
fn entries(path: &Path) -> Vec<HashMap<String, String>> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{path:?}: {error}"));
    let mut entries: Vec<HashMap<_, _>> = Vec::new();
    for line in text.lines() {
        if let Some((name, value)) = line.split_once(" = ") {
            if name == "count" {
                entries.push(HashMap::new());
            }
            let entry = entries.last_mut().expect("count comes first");
            entry.insert(name.to_owned(), value.to_owned());
        }
    }
    entries
}

/// Entries whose signed message is the length of the signature, nonce, message, signature.
fn unpadded<P: ParameterSet>(path: &Path) -> Vec<Case> {
    let case = |entry: HashMap<String, String>| {
        let signed = hex(&entry["sm"]);
        let signature_len = usize::from(u16::from_be_bytes([signed[0], signed[1]]));
        let (rest, signature) = signed.split_at(signed.len() - signature_len);
        assert_eq!(signature[0], 0x20 | P::LOGN as u8);
        assert_eq!(rest[42..], hex(&entry["msg"]));
        Case {
            pk: hex(&entry["pk"]),
            message: rest[42..].to_vec(),
            nonce: rest[2..42].try_into().expect("40 bytes"),
            field: signature[1..].to_vec(),
        }
    };
    entries(path).into_iter().map(case).collect()
}

/// Entries whose signed message is a padded signature of our form, then the message.
fn padded<P: ParameterSet>(path: &Path) -> Vec<Case> {
    let case = |entry: HashMap<String, String>| {
        let signed = hex(&entry["sm"]);
        let (signature, message) = signed.split_at(P::SIGNATURE_LEN);
        assert_eq!(signature[0], P::SIGNATURE_HEADER);
        assert_eq!(message, hex(&entry["msg"]));
        Case {
            pk: hex(&entry["pk"]),
            message: message.to_vec(),
            nonce: signature[1..41].try_into().expect("40 bytes"),
            field: signature[41..].to_vec(),
        }
    };
    entries(path).into_iter().map(case).collect()
}

/// h, as Falcon encodes it.
fn falcon_h<P: ParameterSet>(pk: &[u8]) -> Vec<i16> {
    assert_eq!((pk.len(), pk[0]), (P::VERIFYING_KEY_LEN, P::LOGN as u8));
    let mut bits = Bits(&pk[1..], 0);
    (0..P::N).map(|_| bits.take(14) as i16).collect()
}

/// s2, as Falcon compresses it.
fn falcon_s2<P: ParameterSet>(field: &[u8]) -> Vec<i16> {
    let mut bits = Bits(field, 0);
    let coefficient = |_| {
        let negative = bits.take(1) == 1;
        let mut magnitude = bits.take(7) as i16;
        while bits.take(1) == 0 {
            magnitude += 128;
        }
        if negative { -magnitude } else { magnitude }
    };
    (0..P::N).map(coefficient).collect()
}

/// c, as Falcon hashes to it.
fn falcon_c<P: ParameterSet>(nonce: &[u8], message: &[u8]) -> Vec<u16> {
    let mut shake = Shake256::default();
    shake.update(nonce);
    shake.update(message);
    let mut stream = shake.finalize_xof();
    let mut c = Vec::new();
    while c.len() < P::N {
        let mut word = [0; 2];
        stream.read(&mut word);
        let word = u16::from_be_bytes(word);
        if word < 5 * Q {
            c.push(word % Q);
        }
    }
    c
}

/// h in NTT form. The transform takes short polynomials, and h is not: it goes in two halves,
/// `h = low + 128 high`.
fn transformed(h: &[i16]) -> Vec<i16> {
    let transform = |part: Vec<i16>| {
        let mut out = vec![0; part.len()];
        Portable.ntt(&mut part.clone(), &mut out);
        out
    };
    let low = transform(h.iter().map(|h| h % 128).collect());
    let high = transform(h.iter().map(|h| h / 128).collect());
    let sum = |(&low, &high): (&i16, &i16)| {
        (i32::from(low) + 128 * i32::from(high)).rem_euclid(i32::from(Q)) as i16
    };
    low.iter().zip(&high).map(sum).collect()
}

fn check<P: ParameterSet>(case: &Case) {
    let s2 = falcon_s2::<P>(&case.field);
    let c = falcon_c::<P>(&case.nonce, &case.message);
    let h_hat = transformed(&falcon_h::<P>(&case.pk));

    // Verified by the rules of Falcon with our arithmetic, it is good.
    let (mut factor, mut s2_hat) = (h_hat.clone(), vec![0; P::N]);
    Portable.prescale(&mut factor);
    Portable.ntt(&mut s2.clone(), &mut s2_hat);
    Portable.multiply(&mut s2_hat, &factor);
    let mut t = vec![0; P::N];
    Portable.inv_ntt(&mut s2_hat, &mut t);
    let s1 = c.iter().zip(&t).map(|(&c, &t)| mq::center(c as i16 - t));
    let norm: i64 = s1.chain(s2.clone()).map(|s| i64::from(s).pow(2)).sum();
    assert!(norm <= i64::from(P::MAX_SQUARED_NORM));

    // The key as it is: read in our bit order, some value is not below q.
    assert_eq!(
        VerifyingKey::<P>::from_bytes(&case.pk),
        Err(Error::InvalidKey)
    );

    // The key in our encoding, with the signature as it is and in our encoding.
    let mut vk = P::VerifyingKeyBytes::try_from(&case.pk)
        .ok()
        .expect("our length");
    codec::encode_verifying_key::<P>(&h_hat, &mut vk);
    let key = VerifyingKey::<P>::from_bytes(vk.as_ref()).expect("a good key");
    let mut bytes = vec![P::SIGNATURE_HEADER];
    bytes.extend(case.nonce);
    bytes.extend(&case.field);
    bytes.resize(P::SIGNATURE_LEN, 0);
    let raw = Signature::<P>::from_bytes(&bytes).expect("our length");
    let translated = Signature::<P>::encode(&case.nonce, &s2).expect("fits");
    for signature in [raw, translated] {
        assert!(key.verify(&case.message, &signature).is_err());
        assert!(key.prepare().verify(&case.message, &signature).is_err());
    }
    // With its own header, of whatever length, it is no signature.
    let mut own = vec![0x20 | P::LOGN as u8];
    own.extend(case.nonce);
    own.extend(&case.field);
    assert!(Signature::<P>::from_bytes(&own).is_err());
    own.resize(P::SIGNATURE_LEN, 0);
    assert_eq!(
        Signature::<P>::from_bytes(&own),
        Err(Error::InvalidSignature)
    );
}

#[test]
fn known_answers_of_round_3() {
    let Some(folder) = folder() else { return };
    let small = unpadded::<FnDsa512>(&folder.join("falcon-round3/falcon512-KAT.rsp"));
    let large = unpadded::<FnDsa1024>(&folder.join("falcon-round3/falcon1024-KAT.rsp"));
    assert_eq!((small.len(), large.len()), (50, 50));
    small.iter().for_each(check::<FnDsa512>);
    large.iter().for_each(check::<FnDsa1024>);
}

#[test]
fn padded_signatures_of_pqclean() {
    let Some(folder) = folder() else { return };
    let small = padded::<FnDsa512>(&folder.join("falcon-pqclean/nistkat_falcon-padded-512.rsp"));
    let large = padded::<FnDsa1024>(&folder.join("falcon-pqclean/nistkat_falcon-padded-1024.rsp"));
    assert_eq!((small.len(), large.len()), (1, 1));
    small.iter().for_each(check::<FnDsa512>);
    large.iter().for_each(check::<FnDsa1024>);
}
