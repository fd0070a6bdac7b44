//! LESSONS L72: what is dropped is wiped, working memory included.

use crate::common::Rng;
use core::mem::{MaybeUninit, size_of};
use pqsig_fndsa_sign::{FnDsa512, Scratch, SigningKey};

/// Drops a value in place and returns how many of the bytes it lay in are not zero.
fn nonzero_after_drop<T>(value: T, public: usize) -> (usize, usize) {
    let mut place = Box::new(MaybeUninit::new(value));
    let bytes = |place: &MaybeUninit<T>| -> usize {
        let start = core::ptr::from_ref(place).cast::<u8>();
        (0..size_of::<T>())
            // SAFETY: the box owns this memory, and it was written as a whole: the types tested
            // here have no padding that matters, and volatile reads take what is there.
            .filter(|i| unsafe { start.add(*i).read_volatile() } != 0)
            .count()
    };
    let before = bytes(&place);
    // SAFETY: the value is there and is not used again.
    unsafe { place.assume_init_drop() };
    let after = bytes(&place);
    assert!(after <= public, "{after} bytes are left of {before}");
    (before, after)
}

#[test]
fn scratch_is_wiped() {
    let key = SigningKey::<FnDsa512>::generate_from_rng(&mut Rng(20));
    let mut scratch = Scratch::new();
    key.sign_with_scratch(&mut scratch, &mut Rng(21), &[1; 64])
        .expect("a signature");
    let (before, after) = nonzero_after_drop(scratch, 0);
    assert!(before > 40_000, "{before}");
    assert_eq!(after, 0);
}

/// What is left is the verifying key and its hash, and at most 15 bytes between fields, which
/// hold whatever lay there before: fewer than the shortest secret, of 40 bytes.
#[test]
fn keys_are_wiped() {
    const LEFT: usize = 897 + 64 + 15;
    let key = SigningKey::<FnDsa512>::generate_from_rng(&mut Rng(20));
    let prepared = key.prepare();
    nonzero_after_drop(key, LEFT);
    let (before, _) = nonzero_after_drop(prepared, LEFT);
    assert!(before > 50_000, "{before}");
}
