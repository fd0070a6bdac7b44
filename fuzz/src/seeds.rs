//! Valid inputs for every target, to start from.

use crate::known;
use pqsig::{
    any::{Signature, SigningKey},
    mldsa::PrivateKeyFormat::{Both, Expanded, Seed},
    pkcs8::{EncodePrivateKey, LineEnding},
    spki::EncodePublicKey,
};
use serde::Serialize;

/// Inputs, one after the other.
pub type Seeds = Vec<Vec<u8>>;

/// The names of the targets and what makes their inputs.
pub const TARGETS: [(&str, fn() -> Seeds); 7] = [
    ("backends", signing),
    ("private_key", private_keys),
    ("public_key", public_keys),
    ("raw_key", raw_keys),
    ("serde", encodings_of_serde),
    ("sign", signing),
    ("verify", signatures),
];

pub(crate) fn private_keys() -> Seeds {
    let mut seeds = Vec::new();
    for (key, _) in known() {
        let pem = key.to_pkcs8_pem(LineEnding::LF).expect("encodes");
        seeds.push(pem.as_bytes().to_vec());
        seeds.push(key.to_pkcs8_der().expect("encodes").as_bytes().to_vec());
        for format in [Seed, Expanded, Both] {
            let der = key.to_pkcs8_der_with(format);
            seeds.extend(der.map(|der| der.as_bytes().to_vec()));
        }
    }
    assert_eq!(seeds.len(), 5 * 2 + 3 * 3);
    seeds
}

pub(crate) fn public_keys() -> Seeds {
    let mut seeds = Vec::new();
    for (key, _) in known() {
        let key = key.verifying_key();
        let pem = key.to_public_key_pem(LineEnding::LF).expect("encodes");
        seeds.push(pem.into_bytes());
        seeds.push(key.to_public_key_der().expect("encodes").into_vec());
    }
    seeds
}

pub(crate) fn raw_keys() -> Seeds {
    let mut seeds = Vec::new();
    for (key, _) in known() {
        seeds.push(key.verifying_key().as_bytes().to_vec());
        seeds.push(match key {
            SigningKey::MlDsa44(key) => key.to_expanded_bytes().to_vec(),
            SigningKey::MlDsa65(key) => key.to_expanded_bytes().to_vec(),
            SigningKey::MlDsa87(key) => key.to_expanded_bytes().to_vec(),
            SigningKey::FnDsa512(key) => key.to_bytes().to_vec(),
            SigningKey::FnDsa1024(key) => key.to_bytes().to_vec(),
            _ => continue,
        });
    }
    assert_eq!(seeds.len(), 10);
    seeds
}

pub(crate) fn signatures() -> Seeds {
    let mut seeds = Vec::new();
    for (i, (_, signature)) in known().iter().enumerate() {
        let pick = [i as u8];
        seeds.push([&pick, signature.as_bytes()].concat());
        // No difference, one, and one in the middle.
        seeds.push(pick.to_vec());
        seeds.push([&pick[..], &[1]].concat());
        let middle = signature.as_bytes().len() / 2;
        seeds.push([&pick[..], &vec![0; middle], &[0x10]].concat());
    }
    seeds
}

pub(crate) fn signing() -> Seeds {
    (0..8)
        .flat_map(|pick| [0, 1, 255].map(|length| (pick, length)))
        .map(|(pick, length)| [&[pick, length][..], &[7; 32], &[b'm'; 300]].concat())
        .collect()
}

pub(crate) fn encodings_of_serde() -> Seeds {
    fn seeds<T: Serialize>(value: &T) -> [Vec<u8>; 2] {
        [
            serde_json::to_vec(value).expect("encodes"),
            postcard::to_stdvec(value).expect("encodes"),
        ]
    }
    let mut all = Vec::new();
    for (key, signature) in known() {
        if let (SigningKey::MlDsa44(key), Signature::MlDsa44(signature)) = (key, signature) {
            all.extend(seeds(&**key));
            all.extend(seeds(key.verifying_key()));
            all.extend(seeds(&**signature));
        }
        if let (SigningKey::FnDsa512(key), Signature::FnDsa512(signature)) = (key, signature) {
            all.extend(seeds(&**key));
            all.extend(seeds(key.verifying_key()));
            all.extend(seeds(&**signature));
        }
    }
    assert_eq!(all.len(), 12);
    all
}
