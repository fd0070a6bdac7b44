//! `fn-dsa`.

use super::{Peer, of};
use crate::{Contestant, Keys, Set};
use fn_dsa::{
    DOMAIN_NONE, HASH_ID_RAW, KeyPairGenerator, KeyPairGeneratorStandard, SigningKey,
    SigningKeyStandard, VerifyingKey, VerifyingKeyStandard, sign_key_size, signature_size,
    vrfy_key_size,
};
use fn_dsa_comm::{CryptoRng, RngCore, RngError};

pub(super) fn peer(set: Set) -> Option<Contestant> {
    Some(match set {
        Set::FnDsa512 => of::<FnDsa<9>>(),
        Set::FnDsa1024 => of::<FnDsa<10>>(),
        _ => return None,
    })
}

struct FnDsa<const LOGN: u32>;

impl<const LOGN: u32> Peer for FnDsa<LOGN> {
    const NAME: &'static str = if cfg!(feature = "peers-without-avx2") {
        "fn-dsa 0.4.0 without AVX2"
    } else {
        "fn-dsa 0.4.0"
    };
    type SigningKey = SigningKeyStandard;
    type VerifyingKey = VerifyingKeyStandard;

    fn generate(seed: &[u8; 32]) -> Keys {
        let mut signing = vec![0; sign_key_size(LOGN)];
        let mut verifying = vec![0; vrfy_key_size(LOGN)];
        KeyPairGeneratorStandard::default().keygen(
            LOGN,
            &mut Fixed(seed),
            &mut signing,
            &mut verifying,
        );
        Keys { signing, verifying }
    }

    fn load_signing(bytes: &[u8]) -> Self::SigningKey {
        SigningKeyStandard::decode(bytes).expect("a valid key")
    }

    fn sign(key: &mut Self::SigningKey, message: &[u8]) -> Vec<u8> {
        let mut signature = vec![0; signature_size(LOGN)];
        key.sign(
            &mut Fixed(message),
            &DOMAIN_NONE,
            &HASH_ID_RAW,
            message,
            &mut signature,
        );
        signature
    }

    fn load_verifying(bytes: &[u8]) -> Self::VerifyingKey {
        VerifyingKeyStandard::decode(bytes).expect("a valid key")
    }

    fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool {
        key.verify(signature, &DOMAIN_NONE, &HASH_ID_RAW, message)
    }
}

/// A generator that repeats its bytes from the start at every call, as `ours::Fixed` does.
struct Fixed<'a>(&'a [u8]);

impl RngCore for Fixed<'_> {
    fn next_u32(&mut self) -> u32 {
        let mut word = [0; 4];
        self.fill_bytes(&mut word);
        u32::from_le_bytes(word)
    }

    fn next_u64(&mut self) -> u64 {
        let mut word = [0; 8];
        self.fill_bytes(&mut word);
        u64::from_le_bytes(word)
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        for (byte, value) in out.iter_mut().zip(self.0.iter().cycle()) {
            *byte = *value;
        }
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(out);
        Ok(())
    }
}

impl CryptoRng for Fixed<'_> {}
