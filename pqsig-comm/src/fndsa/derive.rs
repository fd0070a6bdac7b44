//! Hashes of keys, and the seeds and streams of signing. All are SHAKE256.

use super::params::{KEY_HASH_LEN, ParameterSet, SIGN_SEED_LEN};
use crate::{
    arch::Arch,
    mu::Mu,
    shake::{RATE_256, Reader, Shake256},
};

/// The hash of an encoded verifying key, header included, that every mu starts with.
#[inline(always)]
#[must_use]
pub fn key_hash<A: Arch, P: ParameterSet>(
    arch: A,
    vk: &P::VerifyingKeyBytes,
) -> [u8; KEY_HASH_LEN] {
    let mut hash = [0; KEY_HASH_LEN];
    Shake256::digest(arch, &[vk.as_ref()], &mut hash);
    hash
}

/// The secret that hedges signing: the hash of the encoded f and g, without header and F.
#[inline(always)]
pub fn hedge_secret<A: Arch>(arch: A, fg: &[u8], secret: &mut [u8; SIGN_SEED_LEN]) {
    Shake256::digest(arch, &[fg], secret);
}

/// The seed of one signature: the secret of [`hedge_secret`], mu and 40 random bytes.
#[inline(always)]
pub fn sign_seed<A: Arch>(
    arch: A,
    secret: &[u8; SIGN_SEED_LEN],
    mu: &Mu,
    randomness: &[u8; SIGN_SEED_LEN],
    seed: &mut [u8; SIGN_SEED_LEN],
) {
    Shake256::digest(arch, &[secret, mu, randomness], seed);
}

/// The stream of one attempt: the nonce, then what the sampler reads.
#[inline(always)]
pub fn attempt_stream<A: Arch>(
    arch: A,
    seed: &[u8; SIGN_SEED_LEN],
    attempt: u8,
) -> Reader<A, RATE_256> {
    let mut shake = Shake256::new(arch);
    shake.absorb(seed);
    shake.absorb(&[attempt]);
    shake.finish()
}
