//! Small known answers, in the source.
//!
//! The accumulated test is that of CCTV (C2SP): seeds from SHAKE128 of nothing, verifying key
//! and deterministic signature of the empty message absorbed into another SHAKE128.

use crate::common::{Set, Stream, hex, long, sign_with_rnd};
use pqsig_mldsa::{MlDsa44, MlDsa65, MlDsa87, SigningKey};
use shake::{
    Shake128, Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};
use signature::{Signer, Verifier};

/// The first vector of pq-crystals' `test_vectors`: message, seed and rnd are the first 96 bytes
/// of SHAKE128 of nothing, the context is `test_vectors` and a NUL; SHAKE256 of each output.
fn pq_crystals<P: Set>(expected: [&str; 3]) {
    let mut stream = Stream::new("");
    let [message, seed, rnd]: [[u8; 32]; 3] = core::array::from_fn(|_| stream.array());
    let key = SigningKey::<P>::from_seed(&seed);
    let signature = sign_with_rnd(&key, b"test_vectors\0", &message, &rnd);
    let outputs = [
        key.verifying_key().as_bytes(),
        key.to_expanded_bytes().as_ref(),
        signature.as_bytes(),
    ]
    .map(shake256);
    assert_eq!(outputs, expected);
}

fn shake256(bytes: &[u8]) -> String {
    let mut shake = Shake256::default();
    shake.update(bytes);
    let mut result = [0; 32];
    shake.finalize_xof().read(&mut result);
    hex(&result)
}

#[test]
fn first_of_pq_crystals() {
    pq_crystals::<MlDsa44>([
        "030116e37de6921adade6bbe80ea940ca24ff5a51153ed0f52c40873f947b9d6",
        "798e76ae4ac99e7cb6c3aa4b62951fd9b71b8d86eade71baee5742199e1cef01",
        "f90926772cb59d35f2898fcb1e8eab7adf7e0268a53600542781b8064772725f",
    ]);
    pq_crystals::<MlDsa65>([
        "b1043ca0ab60b411fbb1bf6fcc852fd54ee1339d90e877b5b032c3b3d0f167e2",
        "320e90c853d708e52b91dc57d29f75fb63b82a1261c1eb491ce5cd1397d872aa",
        "4d08b5b628e125dbefaec5c62f105bf6a93c48ca84c62c9b5d7334108f998f21",
    ]);
    pq_crystals::<MlDsa87>([
        "39f5d1b3e15e1d0d5d26571140e5f9d63e6a128751f0581756d9144264328d2f",
        "d61328c2ec6eb79eb45990fc95f749fd7834c9e4b44f28bc934b894ed8ebd0dc",
        "d154a3ffaefab2526e95324d1ce06e2e96a5cd62599c3a548ac44a9c21142a28",
    ]);
}

/// SHAKE128 of all verifying keys and signatures of `rounds` rounds.
pub(crate) fn accumulated<P: Set>(rounds: usize) -> String {
    accumulate(rounds, |seed| {
        let key = SigningKey::<P>::from_seed(seed);
        let signature = key.sign(b"");
        assert!(key.verifying_key().verify(b"", &signature).is_ok());
        let verifying_key = key.verifying_key().as_bytes().to_vec();
        (verifying_key, signature.as_bytes().to_vec())
    })
}

fn accumulate(rounds: usize, sign_empty: impl Fn(&[u8; 32]) -> (Vec<u8>, Vec<u8>)) -> String {
    let mut seeds = Stream::new("");
    let mut accumulator = Shake128::default();
    for _ in 0..rounds {
        let (verifying_key, signature) = sign_empty(&seeds.array());
        accumulator.update(&verifying_key);
        accumulator.update(&signature);
    }
    let mut result = [0; 32];
    accumulator.finalize_xof().read(&mut result);
    hex(&result)
}

#[test]
fn accumulated_100() {
    assert_eq!(
        accumulated::<MlDsa44>(100),
        "d51148e1f9f4fa1a723a6cf42e25f2a99eb5c1b378b3d2dbbd561b1203beeae4"
    );
    assert_eq!(
        accumulated::<MlDsa65>(100),
        "8358a1843220194417cadbc2651295cd8fc65125b5a5c1a239a16dc8b57ca199"
    );
    assert_eq!(
        accumulated::<MlDsa87>(100),
        "8c3ad714777622b8f21ce31bb35f71394f23bc0fcf3c78ace5d608990f3b061b"
    );
}

/// Nobody published hashes for 1,000 rounds, so the crate `fips204` computes them here.
macro_rules! accumulated_1000 {
    ($($set:ident, $peer:ident),*) => {
        mod accumulated_1000 {$(
            #[test]
            fn $peer() {
                use fips204::{$peer, traits::{KeyGen, SerDes, Signer}};
                let expected = super::accumulate(1_000, |seed| {
                    let (pk, sk) = $peer::KG::keygen_from_seed(seed);
                    let signature = sk.try_sign_with_seed(&[0; 32], &[], &[]).expect("signs");
                    (pk.into_bytes().to_vec(), signature.to_vec())
                });
                assert_eq!(super::accumulated::<pqsig_mldsa::$set>(1_000), expected);
            }
        )*}
    };
}

accumulated_1000!(MlDsa44, ml_dsa_44, MlDsa65, ml_dsa_65, MlDsa87, ml_dsa_87);

/// 10,000 rounds, as published, in the long form and in release builds.
mod accumulated_10000 {
    use super::*;

    fn check<P: Set>(expected: &str) {
        if long() || !cfg!(debug_assertions) {
            assert_eq!(accumulated::<P>(10_000), expected);
        } else {
            eprintln!("accumulated_10000: for PQSIG_LONG=1 and release builds");
        }
    }

    #[test]
    fn ml_dsa_44() {
        check::<MlDsa44>("e7fd21f6a59bcba60d65adc44404bb29a7c00e5d8d3ec06a732c00a306a7d143");
    }

    #[test]
    fn ml_dsa_65() {
        check::<MlDsa65>("5ff5e196f0b830c3b10a9eb5358e7c98a3a20136cb677f3ae3b90175c3ace329");
    }

    #[test]
    fn ml_dsa_87() {
        check::<MlDsa87>("80a8cf39317f7d0be0e24972c51ac152bd2a3e09bc0c32ce29dd82c4e7385e60");
    }
}
