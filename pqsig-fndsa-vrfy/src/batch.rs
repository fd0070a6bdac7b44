//! Verification of many signatures.

use crate::{ParameterSet, Signature, VerifyingKey};
use pqsig_comm::Error;
use signature::Verifier;

/// Verifies signatures of messages with the empty context; `verdicts[i]` tells of `items[i]`.
///
/// `Ok` if all verify (also if there are none).
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
    for ((key, message, signature), verdict) in items.iter().zip(verdicts.iter_mut()) {
        *verdict = key.verify(message, signature).is_ok();
    }
    if verdicts.iter().all(|&verdict| verdict) {
        Ok(())
    } else {
        Err(Error::InvalidSignature)
    }
}
