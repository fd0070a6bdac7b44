//! Verification of many signatures.
//!
//! Four at a time share the hashing that is not the key's own: mu, the challenge and the
//! commitment, and the hashes of keys. A is sampled four polynomials at a time in any case.

use crate::{
    ParameterSet, PreparedVerifyingKey, Signature, VerifyingKey,
    verifying::{self, Encoded, Expanded, Item, Source},
};
use pqsig_comm::{
    Error,
    adapter::KeyHash,
    encoding::ByteArray,
    mu::{self, Context},
};

/// Verifies signatures of messages with the empty context; `verdicts[i]` tells of `items[i]`.
/// Keys may differ, and so may the lengths of messages.
///
/// `Ok` if all verify (also if there are none). Nothing is allocated and no thread is started:
/// callers who have threads give each a part of the items.
///
/// # Errors
/// [`Error::InvalidLength`] if `verdicts` and `items` differ in length: nothing is verified then
/// and all verdicts are false. [`Error::InvalidSignature`] if a signature does not verify.
pub fn verify_batch<P: ParameterSet>(
    items: &[(&VerifyingKey<P>, &[u8], &Signature<P>)],
    verdicts: &mut [bool],
) -> Result<(), Error> {
    in_fours(
        items,
        verdicts,
        |four| verifying::verify_four::<P, _>(&four.each_ref().map(held)),
        |one| verify_one(&held(one)),
    )
}

/// As [`verify_batch`], with prepared keys.
///
/// # Errors
/// As [`verify_batch`].
pub fn verify_batch_prepared<P: ParameterSet>(
    items: &[(&PreparedVerifyingKey<P>, &[u8], &Signature<P>)],
    verdicts: &mut [bool],
) -> Result<(), Error> {
    in_fours(
        items,
        verdicts,
        |four| verifying::verify_four::<P, _>(&four.each_ref().map(prepared)),
        |one| verify_one(&prepared(one)),
    )
}

/// As [`verify_batch`], with keys and signatures in their encoded form (FIPS 204, Algorithms 22
/// and 26), as they arrive: `(key, message, signature)`. The keys' hashes are shared work too,
/// so this is faster than to make keys first.
///
/// A key or a signature of the wrong length does not verify.
///
/// # Errors
/// As [`verify_batch`].
pub fn verify_batch_encoded<P: ParameterSet>(
    items: &[(&[u8], &[u8], &[u8])],
    verdicts: &mut [bool],
) -> Result<(), Error> {
    in_fours(
        items,
        verdicts,
        |four| match four.each_ref().map(parse::<P>) {
            [Some(first), Some(second), Some(third), Some(fourth)] => {
                verify_four_encoded::<P>([first, second, third, fourth])
            }
            parsed => parsed.map(|item| item.is_some_and(verify_one_encoded::<P>)),
        },
        |one| parse::<P>(one).is_some_and(verify_one_encoded::<P>),
    )
}

fn held<'a, P: ParameterSet>(
    &(key, message, signature): &(&'a VerifyingKey<P>, &'a [u8], &'a Signature<P>),
) -> Item<'a, P, Encoded<'a, P>> {
    Item {
        key: Encoded(key.as_array()),
        key_hash: key.key_hash(),
        message,
        signature: signature.as_array(),
    }
}

fn prepared<'a, P: ParameterSet>(
    &(key, message, signature): &(&'a PreparedVerifyingKey<P>, &'a [u8], &'a Signature<P>),
) -> Item<'a, P, &'a Expanded<P>> {
    Item {
        key: key.expanded(),
        key_hash: key.key_hash(),
        message,
        signature: signature.as_array(),
    }
}

/// Key, message, signature.
type Parsed<'a, P> = (
    &'a <P as ParameterSet>::VerifyingKeyBytes,
    &'a [u8],
    &'a <P as ParameterSet>::SignatureBytes,
);

fn parse<'a, P: ParameterSet>(
    &(key, message, signature): &(&'a [u8], &'a [u8], &'a [u8]),
) -> Option<Parsed<'a, P>> {
    let key = P::VerifyingKeyBytes::ref_from_slice(key).ok()?;
    let signature = P::SignatureBytes::ref_from_slice(signature).ok()?;
    Some((key, message, signature))
}

fn encoded_item<'a, P: ParameterSet>(
    (key, message, signature): Parsed<'a, P>,
    key_hash: &'a [u8; 64],
) -> Item<'a, P, Encoded<'a, P>> {
    Item {
        key: Encoded(key),
        key_hash,
        message,
        signature,
    }
}

fn verify_four_encoded<P: ParameterSet>(four: [Parsed<'_, P>; 4]) -> [bool; 4] {
    let mut hashes = [[0; 64]; 4];
    verifying::key_hashes::<P>(four.map(|(key, _, _)| key), &mut hashes);
    let items = core::array::from_fn(|lane| encoded_item::<P>(four[lane], &hashes[lane]));
    verifying::verify_four::<P, _>(&items)
}

fn verify_one_encoded<P: ParameterSet>(one: Parsed<'_, P>) -> bool {
    let mut hash = [0; 64];
    verifying::key_hash::<P>(one.0, &mut hash);
    verify_one(&encoded_item::<P>(one, &hash))
}

fn verify_one<P: ParameterSet, S: Source<P>>(item: &Item<'_, P, S>) -> bool {
    let mu = mu::pure(item.key_hash, Context::default(), &[item.message]);
    verifying::verify::<P, S>(item.key, &mu, item.signature).is_ok()
}

/// Four at a time, and what is left one by one.
fn in_fours<T>(
    items: &[T],
    verdicts: &mut [bool],
    verify_four: impl Fn(&[T; 4]) -> [bool; 4],
    verify_one: impl Fn(&T) -> bool,
) -> Result<(), Error> {
    verdicts.fill(false);
    if verdicts.len() != items.len() {
        return Err(Error::InvalidLength);
    }
    for (items, verdicts) in items.chunks(4).zip(verdicts.chunks_mut(4)) {
        match items.try_into() {
            // Four commitments take memory.
            Ok(four) if cfg!(not(pqsig_small)) => verdicts.copy_from_slice(&verify_four(four)),
            _ => {
                for (item, verdict) in items.iter().zip(verdicts) {
                    *verdict = verify_one(item);
                }
            }
        }
    }
    if verdicts.iter().all(|&verdict| verdict) {
        Ok(())
    } else {
        Err(Error::InvalidSignature)
    }
}
