//! Verification of many signatures.

use crate::{ParameterSet, Signature, VerifyingKey, verify};
use pqsig_comm::{
    Error,
    adapter::KeyHash,
    mu::{self, Context},
};

/// Verifies signatures of messages with the empty context; `verdicts[i]` tells of `items[i]`.
///
/// `Ok` if all verify (also if there are none). Four at a time share the work of hashing where
/// the CPU has vectors for it, which needs 8 kB of stack for 512 and 13 kB for 1024.
///
/// # Errors
/// [`Error::InvalidLength`] if `verdicts` and `items` differ in length: nothing is verified then
/// and all verdicts are false. [`Error::InvalidSignature`] if a signature does not verify.
pub fn verify_batch<P: ParameterSet>(
    items: &[(&VerifyingKey<P>, &[u8], &Signature<P>)],
    verdicts: &mut [bool],
) -> Result<(), Error> {
    verdicts.fill(false);
    if verdicts.len() != items.len() {
        return Err(Error::InvalidLength);
    }
    for (items, verdicts) in items.chunks(4).zip(verdicts.chunks_mut(4)) {
        if let [first, second, third, fourth] = items {
            let results = verify::verify_four(&[first, second, third, fourth].map(item));
            for (verdict, result) in verdicts.iter_mut().zip(results) {
                *verdict = result.is_ok();
            }
        } else {
            for (verdict, item) in verdicts.iter_mut().zip(items.iter().map(item)) {
                *verdict = verify::verify_encoded(item.vk, &item.mu, item.signature).is_ok();
            }
        }
    }
    if verdicts.iter().all(|&verdict| verdict) {
        Ok(())
    } else {
        Err(Error::InvalidSignature)
    }
}

fn item<'a, P: ParameterSet>(
    &(key, message, signature): &(&'a VerifyingKey<P>, &[u8], &'a Signature<P>),
) -> verify::Item<'a, P> {
    verify::Item {
        vk: key.as_array(),
        mu: mu::pure(key.key_hash(), Context::default(), &[message]),
        signature,
    }
}
