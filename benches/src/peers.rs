//! The other implementations.

mod aws_lc;
mod fips204;
mod fndsa;
mod libcrux;
#[cfg(pqsig_peer_mldsa_native)]
mod mldsa_native;
mod pqclean;
mod rustcrypto;

use crate::{Contestant, Keys, PORTABLE, Scheme, Set};
use core::marker::PhantomData;

/// A peer: a key is used from its bytes, or loaded, with whatever it can keep of it.
///
/// [`FromPeer`] makes it a [`Scheme`].
trait Peer: 'static {
    const NAME: &'static str;
    const DETERMINISTIC: bool = true;
    const INTEROPERATES: bool = true;
    type SigningKey: 'static;
    type VerifyingKey: 'static;

    fn generate(seed: &[u8; 32]) -> Keys;
    fn load_signing(bytes: &[u8]) -> Self::SigningKey;
    fn sign(key: &mut Self::SigningKey, message: &[u8]) -> Vec<u8>;
    fn load_verifying(bytes: &[u8]) -> Self::VerifyingKey;
    fn verify(key: &Self::VerifyingKey, message: &[u8], signature: &[u8]) -> bool;
}

struct FromPeer<T>(PhantomData<T>);

impl<T: Peer> Scheme for FromPeer<T> {
    const NAME: &'static str = T::NAME;
    const DETERMINISTIC: bool = T::DETERMINISTIC;
    const INTEROPERATES: bool = T::INTEROPERATES;
    type SigningKey = Vec<u8>;
    type PreparedSigningKey = Box<T::SigningKey>;
    type VerifyingKey = Vec<u8>;
    type PreparedVerifyingKey = Box<T::VerifyingKey>;

    fn generate(seed: &[u8; 32]) -> Keys {
        T::generate(seed)
    }

    fn import_signing(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    fn sign(key: &Vec<u8>, message: &[u8]) -> Vec<u8> {
        T::sign(&mut T::load_signing(key), message)
    }

    fn prepare_signing(key: &Vec<u8>) -> Self::PreparedSigningKey {
        Box::new(T::load_signing(key))
    }

    fn sign_prepared(key: &mut Self::PreparedSigningKey, message: &[u8]) -> Vec<u8> {
        T::sign(key, message)
    }

    fn import_verifying(bytes: &[u8]) -> Vec<u8> {
        bytes.to_vec()
    }

    fn verify(key: &Vec<u8>, message: &[u8], signature: &[u8]) -> bool {
        T::verify(&T::load_verifying(key), message, signature)
    }

    fn prepare_verifying(key: &Vec<u8>) -> Self::PreparedVerifyingKey {
        Box::new(T::load_verifying(key))
    }

    fn verify_prepared(key: &Self::PreparedVerifyingKey, message: &[u8], signature: &[u8]) -> bool {
        T::verify(key, message, signature)
    }
}

fn of<T: Peer>() -> Contestant {
    Contestant::of::<FromPeer<T>>()
}

/// The peers of `set`. A portable build leaves out those that always use SIMD or assembly.
pub(crate) fn contestants(set: Set) -> Vec<Contestant> {
    let portable = [
        fndsa::peer(set),
        rustcrypto::peer(set),
        fips204::peer(set),
        libcrux::portable(set),
    ];
    let mut all: Vec<Contestant> = portable.into_iter().flatten().collect();
    if !PORTABLE {
        all.extend(
            [libcrux::avx2(set), pqclean::peer(set), aws_lc::peer(set)]
                .into_iter()
                .flatten(),
        );
        #[cfg(pqsig_peer_mldsa_native)]
        all.extend(mldsa_native::peer(set));
    }
    all
}
