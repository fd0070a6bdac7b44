//! How signing ends when it does not end well.

extern crate std;

use super::*;
use crate::{
    flr::{Selected, emulated::Emulated},
    tests::vectors::{generate, import},
};
use pqsig_comm::fndsa::{FnDsa512, params::Element};
use std::{boxed::Box, vec, vec::Vec};

const MU: Mu = [3; 64];

const REQUEST: Request<'_> = Request {
    hedge: &[1; 40],
    mu: &MU,
    randomness: &[2; 40],
};

/// Each attempt has a stream of its own, and after 27 of them signing gives up.
#[test]
fn attempts_are_bounded() {
    let mut workspace = Box::new(Workspace::<FnDsa512, Selected>::ZERO);
    let basis = vec![Selected::ZERO; 2048];
    let mut counters = Vec::new();
    let result = workspace.sign(REQUEST, &basis, |_, _, counter| {
        counters.push(counter);
        Ok(false)
    });
    assert_eq!(result, Err(Error::SigningFailed));
    assert_eq!(counters, (0..27).collect::<Vec<_>>());

    // So does an s2 that never fits: 512 coefficients of 840 take 14 bits each and more.
    let mut count = 0;
    let result = workspace.sign(REQUEST, &basis, |attempt, _, _| {
        count += 1;
        attempt.s2.fill(840);
        Ok(true)
    });
    assert_eq!(result, Err(Error::SigningFailed));
    assert_eq!(count, 27);
}

/// A corrupted expanded key ends in an error and in time, whatever its numbers are.
#[test]
fn corrupted_keys_end_in_an_error() {
    fn check<R: Real>(number: impl Fn(usize, u64) -> u64) {
        let (sk, _, _) = generate::<FnDsa512>(0);
        let (secret, _, _) = import::<FnDsa512>(&sk);
        let mut expanded = Box::new(Expanded::<FnDsa512, R>::ZERO);
        expanded.fill(&secret);
        let mut workspace = Box::new(Workspace::ZERO);
        assert!(expanded.sign(&mut workspace, REQUEST).is_ok());
        for (i, x) in expanded.tree_mut().iter_mut().enumerate() {
            *x = R::from_bits(number(i, x.to_bits()));
        }
        let result = expanded.sign(&mut workspace, REQUEST);
        assert_eq!(result, Err(Error::SigningFailed));
    }
    fn each<R: Real>() {
        check::<R>(|_, _| 0);
        check::<R>(|_, _| 1 << 63);
        // A large, a huge and an infinite number, and none at all.
        check::<R>(|_, _| 1000f64.to_bits());
        check::<R>(|_, _| 0x7FE0 << 48);
        check::<R>(|_, _| 0x7FF0 << 48);
        check::<R>(|_, _| 0x7FF8 << 48);
        check::<R>(|_, bits| !bits);
        check::<R>(|i, bits| bits.rotate_left(i as u32));
        // Deviations far too large: samples are never accepted or never short.
        check::<R>(|_, bits| bits.wrapping_sub(10 << 52));
        check::<R>(|_, bits| bits.wrapping_sub(100 << 52));
    }
    each::<Selected>();
    each::<Emulated>();
}

/// A fault in the compact form: f, g, F or G are not those of the key.
#[test]
fn corrupted_compact_keys_end_in_an_error() {
    let (sk, _, _) = generate::<FnDsa512>(0);
    for fill in [0x00, 0x11, 0x5A, 0xFF] {
        let (mut secret, _, _) = import::<FnDsa512>(&sk);
        secret.bytes[1..700].fill(fill);
        let mut memory = Box::new(Decomposing::<FnDsa512, Selected>::ZERO);
        let mut workspace = Box::new(Workspace::ZERO);
        let result = memory.sign(&secret, &mut workspace, REQUEST);
        assert_eq!(result, Err(Error::SigningFailed), "{fill:x}");
    }
}
