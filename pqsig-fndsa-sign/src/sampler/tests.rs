//! The distribution, and the parts that the known answers do not tell apart.

extern crate std;

use super::*;
use crate::flr::{Selected, emulated::Emulated};
use pqsig_comm::{
    arch::Portable,
    fndsa::{derive, params::NONCE_LEN},
};
use std::vec::Vec;

fn stream(seed: u8) -> Reader<Portable, RATE_256> {
    let mut stream = derive::attempt_stream(Portable, &[seed; 40], 0);
    stream.read(&mut [0; NONCE_LEN]);
    stream
}

fn real<R: Real>(x: f64) -> R {
    R::from_bits(x.to_bits())
}

/// Chi-squared against the discrete Gaussian, for deviations and centres all over the range.
#[test]
fn samples_are_gaussian() {
    const SAMPLES: usize = 100_000;
    const SIGMA_MIN: f64 = 1.277_833_696_912_833_6;
    let mut sets = 0;
    for (i, sigma) in [1.28, 1.5, 1.82].into_iter().enumerate() {
        for (j, centre) in [0.0, 0.25, 0.5, 0.77, 0.99, -7.3, 1000.5]
            .into_iter()
            .enumerate()
        {
            let mut sampler = Sampler::new(stream((8 * i + j) as u8), real(SIGMA_MIN), 9);
            let floor = f64::floor(centre);
            let mut counts = [0u32; 41];
            for _ in 0..SAMPLES {
                sampler.trials = 1000;
                let z = sampler.one(real::<Selected>(centre), real(1.0 / sigma));
                let slot = f64::from(z) - floor + 20.0;
                assert!((0.0..41.0).contains(&slot), "{z} near {centre}");
                counts[slot as usize] += 1;
            }
            let weight = |slot: usize| {
                let distance = slot as f64 - 20.0 + floor - centre;
                f64::exp(-distance * distance / (2.0 * sigma * sigma))
            };
            let total: f64 = (0..41).map(weight).sum();
            let mut statistic = 0.0;
            let mut degrees = -1.0;
            for (slot, count) in counts.iter().enumerate() {
                let expected = SAMPLES as f64 * weight(slot) / total;
                if expected >= 10.0 {
                    let difference = f64::from(*count) - expected;
                    statistic += difference * difference / expected;
                    degrees += 1.0;
                } else {
                    // The far tail: a handful at most.
                    assert!(f64::from(*count) <= expected + 30.0);
                }
            }
            // About 6 standard deviations above the mean of the distribution.
            let limit = degrees + 6.0 * f64::sqrt(2.0 * degrees);
            assert!(
                statistic < limit,
                "{sigma} {centre}: {statistic} of {degrees}"
            );
            sets += 1;
        }
    }
    assert_eq!(sets, 21);
}

/// The rate of acceptance does not depend on sigma or the centre: ccs sees to that.
#[test]
fn trials_tell_nothing_about_sigma() {
    let mut rates = Vec::new();
    for sigma in [1.2779, 1.4, 1.6, 1.82] {
        for centre in [0.0, 0.5, 0.9] {
            let mut sampler = Sampler::new(stream(77), real(1.277_833_696_912_833_6), 9);
            let mut trials = 0;
            for _ in 0..40_000 {
                sampler.trials = 1000;
                sampler.one(real::<Selected>(centre), real(1.0 / sigma));
                trials += 1000 - sampler.trials;
            }
            rates.push(trials as f64 / 40_000.0);
        }
    }
    for rate in &rates {
        assert!((rate - rates[0]).abs() < 0.04, "{rates:?}");
    }
}

#[test]
fn comparisons_are_lazy_and_end() {
    let threshold = 0x0102_0304_0506_0708u64;
    for equal in 0..8 {
        let mut bytes = threshold.to_be_bytes();
        bytes[equal] -= 1;
        assert_eq!(is_below(&bytes, threshold), (true, equal + 1));
        bytes[equal] += 2;
        assert_eq!(is_below(&bytes, threshold), (false, equal + 1));
    }
    let bytes = threshold.to_be_bytes();
    assert_eq!(is_below(&bytes, threshold), (false, 8));
}

/// `exp_minus` to 45 bits and more, over its range.
#[test]
fn exponential_is_precise() {
    for i in 0..1000u32 {
        let x = f64::from(i) / 1000.0 * core::f64::consts::LN_2;
        let y = exp_minus(to_64_bits(real::<Selected>(x))) as f64 / 9_223_372_036_854_775_808.0;
        assert!((y - f64::exp(-x)).abs() < f64::exp2(-45.0), "{x}");
    }
}

/// Without a stop, an acceptance rate near zero would keep the sampler busy for ever.
#[test]
fn trials_run_out() {
    fn check<R: Real>() {
        let mut sampler = Sampler::new(stream(5), real::<R>(1e-12), 9);
        let mut samples = 0;
        while !sampler.is_exhausted() {
            sampler.one(real(0.5), real(0.6));
            samples += 1;
        }
        assert!(samples < 100, "{samples}");
    }
    check::<Selected>();
    check::<Emulated>();
}
