//! Estimates of the chance that a trial is accepted, for four trials side by side.
//!
//! A trial compares a random byte, and more bytes as long as they are equal, with the chance in
//! 64 bits. An estimate of the chance decides all but two values of the byte: about once in 128
//! trials the caller computes the chance to the last bit. What the estimate is made of is free,
//! then, as long as it is good enough: a rounding more or less does not show in any sample.
//!
//! That an estimate leaves a trial open tells nothing. The byte is uniform and known to nobody,
//! and two of its values are left open whatever the chance is.

use super::{Shape, queue::Window};
use crate::flr::{Real, constants};
use core::f64::consts::LN_2;

/// Trials side by side.
pub(super) const LANES: usize = 4;

/// What is known of trials, bit `i` for trial number `i`. The others are rejected.
#[derive(Clone, Copy)]
pub(super) struct Verdicts {
    accepted: u32,
    /// Not decided.
    open: u32,
}

impl Verdicts {
    /// Nothing is known: the first trial is open.
    const NONE: Self = Self {
        accepted: 0,
        open: 1,
    };

    /// `self`, then `next`.
    #[inline(always)]
    pub(super) fn then(self, next: Self) -> Self {
        Self {
            accepted: self.accepted | next.accepted << LANES,
            open: self.open | next.open << LANES,
        }
    }

    /// The same trials as seen from `trials` before.
    #[inline(always)]
    pub(super) fn delayed(self, trials: u32) -> Self {
        Self {
            accepted: self.accepted << trials,
            open: self.open << trials,
        }
    }

    /// Rejects the trials up to the one of `last`, which [`Verdicts::first`] gave.
    #[inline(always)]
    pub(super) fn after(self, last: u32) -> Self {
        let later = !(last | last.wrapping_sub(1));
        Self {
            accepted: self.accepted & later,
            open: self.open & later,
        }
    }

    /// The bit of the first trial that is not rejected, or no bit; and whether it is accepted.
    #[inline(always)]
    pub(super) fn first(self) -> (u32, bool) {
        let candidates = self.accepted | self.open;
        let first = candidates & candidates.wrapping_neg();
        (first, first & self.accepted != 0)
    }
}

/// Estimates [`LANES`] trials for one sample.
#[inline(always)]
pub(super) fn estimate<R: Real>(
    window: Window<'_, R, LANES>,
    rest: R,
    shape: Shape<R>,
) -> Verdicts {
    if !R::ESTIMATES {
        return Verdicts::NONE;
    }
    let byte = window.byte;
    let chances = chances(window, rest, shape);
    // The chance is within half a byte, and a little for its error, of the nearest integer. So a
    // byte two below that is accepted, one above it is rejected. The two between are left open;
    // where one of them is no byte, -1 or 256, it is 255 or 0 that is left open for it.
    let magic = number::<R>(constants::RINT_MAGIC);
    let half = |twice: i16| number::<R>((f64::from(twice) / 2.0).to_bits());
    let mut accepts = [R::ZERO; LANES];
    let mut rejects = [R::ZERO; LANES];
    let mut wraps = [R::ZERO; LANES];
    for i in 0..LANES {
        let difference = (chances[i] + magic - magic) - byte[i];
        accepts[i] = difference - half(3);
        rejects[i] = difference + half(1);
        wraps[i] = (difference + half(509)) * (half(511) - difference);
    }
    let wrapped = R::signs(&wraps);
    let not_accepted = R::signs(&accepts) | wrapped;
    let rejected = R::signs(&rejects) & !wrapped;
    Verdicts {
        accepted: !not_accepted & ((1 << LANES) - 1),
        open: not_accepted & !rejected,
    }
}

/// 256 times the chances.
#[inline(always)]
fn chances<R: Real>(window: Window<'_, R, LANES>, rest: R, shape: Shape<R>) -> [R; LANES] {
    let scale = shape.ccs * number((256.0f64).to_bits());
    let dss = shape.dss * number(constants::INV_LOG2);
    let magic = number::<R>(constants::RINT_MAGIC);
    let mut chances = [R::ZERO; LANES];
    for i in 0..LANES {
        // The chance is scale * 2^-x.
        let distance = window.value[i] - rest;
        let x = distance * distance * dss - window.weight[i];
        // x = k + f, k the nearest integer, which is in the low bits of the sum.
        let sum = x + magic;
        let f = x - (sum - magic);
        let power = (number::<R>(POWER[0]) + number::<R>(POWER[1]) * f)
            + f * f * (number::<R>(POWER[2]) + number::<R>(POWER[3]) * f);
        // Takes k off the exponent.
        let scale = R::from_bits(scale.to_bits().wrapping_sub(sum.to_bits() << 52));
        chances[i] = power * scale;
    }
    chances
}

#[inline(always)]
fn number<R: Real>(bits: u64) -> R {
    R::from_bits(bits)
}

/// The coefficients of a cubic that is within 2^-13 of 2^-f, for f in [-1/2, 1/2]: the Taylor
/// polynomial of degree 4 with `f^4` replaced by `f^2 / 4 - 1 / 128`, which is within 1 / 128 of
/// it.
const POWER: [u64; 4] = {
    let square = LN_2 * LN_2;
    let fourth = square * square / 24.0;
    [
        (1.0 - fourth / 128.0).to_bits(),
        (-LN_2).to_bits(),
        (square / 2.0 + fourth / 4.0).to_bits(),
        (-square * LN_2 / 6.0).to_bits(),
    ]
};

#[cfg(test)]
mod tests {
    extern crate std;

    use super::*;
    use crate::flr::{Selected, emulated::Emulated};
    use core::array;
    use pqsig_comm::fndsa::params::Element;

    /// `ROUNDS` times [`LANES`] trials, over all that a valid key can give.
    fn check<R: Real>(rounds: u64) {
        let real = |x: f64| R::from_bits(x.to_bits());
        let mut state = 1u64;
        let mut uniform = move || {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
            (state >> 11) as f64 / 9_007_199_254_740_992.0
        };
        let (mut accepted, mut open, mut rejected) = (0, 0, 0);
        let mut worst = 0.0f64;
        for round in 0..rounds {
            // sigma to the ends of its range and inside. Key generation accepts keys with sigma
            // from sigma_min / 0.999 to 0.999 * 1.17^2 sigma_min; this is the one of 1024.
            let sigma_min = 1.298_280_334_344_292;
            let (least, most) = (1.001 * sigma_min, 0.999 * 1.3689 * sigma_min);
            let sigma = least + (most - least) * (2.0 * uniform() - 0.5).clamp(0.0, 1.0);
            let shape = Shape::<R>::new(real(1.0 / sigma), real(sigma_min));
            let rest = real((1.5 * uniform() - 0.25).clamp(0.0, 1.0));
            let magnitudes: [i32; LANES] = array::from_fn(|i| (round as i32 + i as i32) % 19);
            let value = magnitudes.map(|m| if uniform() < 0.5 { -m } else { 1 + m });
            let weight = magnitudes.map(|m| {
                R::from_i32(m * m)
                    * R::from_bits(constants::INV_2SQRSIGMA0)
                    * R::from_bits(constants::INV_LOG2)
            });
            let value = value.map(R::from_i32);
            let exact = value.map(|value| shape.threshold(value, rest));
            // Bytes around the first byte of the chance.
            let byte = exact.map(|exact| {
                let near = (exact >> 56) as f64 + f64::floor(5.0 * uniform()) - 2.0;
                near.clamp(0.0, 255.0)
            });
            let bytes = byte.map(real);
            let window = || Window {
                value: &value,
                weight: &weight,
                byte: &bytes,
            };
            for (chance, exact) in chances(window(), rest, shape).into_iter().zip(exact) {
                let error = f64::from_bits(chance.to_bits()) - exact as f64 * f64::exp2(-56.0);
                worst = worst.max(error.abs());
            }
            if !R::ESTIMATES {
                continue;
            }
            let verdicts = estimate(window(), rest, shape);
            assert_eq!(verdicts.accepted & verdicts.open, 0);
            for i in 0..LANES {
                let (byte, exact) = (byte[i] as u8, (exact[i] >> 56) as u8);
                if verdicts.accepted >> i & 1 == 1 {
                    accepted += 1;
                    assert!(byte < exact);
                } else if verdicts.open >> i & 1 == 1 {
                    open += 1;
                } else {
                    rejected += 1;
                    assert!(byte > exact);
                }
            }
        }
        // Below one half is good enough.
        assert!(worst < 1.0 / 32.0, "{worst}");
        // All verdicts came up.
        if R::ESTIMATES {
            let tenth = rounds as u32 * LANES as u32 / 10;
            assert!(accepted > tenth && open > tenth && rejected > tenth);
        }
    }

    #[test]
    fn estimates_never_contradict_the_chance() {
        check::<Selected>(400_000);
        check::<Emulated>(20_000);
    }

    /// Whatever the chance, two bytes are left open.
    #[test]
    fn openness_is_independent_of_the_chance() {
        type R = Selected;
        if !R::ESTIMATES {
            return;
        }
        let real = |x: f64| R::from_bits(x.to_bits());
        let shape = Shape::<R>::new(real(1.0 / 1.3), real(1.299));
        let mut rounded = [false; 257];
        for step in 0..4000 {
            // From the centre to far out: chances from 1 to 0.
            let value = [real(f64::from(step) / 500.0); LANES];
            let mut open = 0;
            for quarter in 0..256 / LANES {
                let byte = array::from_fn(|i| real((LANES * quarter + i) as f64));
                let window = || Window {
                    value: &value,
                    weight: &[R::ZERO; LANES],
                    byte: &byte,
                };
                open += estimate(window(), R::ZERO, shape).open.count_ones();
                let chance = f64::from_bits(chances(window(), R::ZERO, shape)[0].to_bits());
                rounded[chance.round_ties_even() as usize] = true;
            }
            assert_eq!(open, 2, "step {step}");
        }
        assert!(rounded.iter().filter(|&&seen| seen).count() > 200);
        assert!(rounded[0] && rounded[1] && rounded[255] && rounded[256]);
    }

    #[test]
    fn verdicts_are_read_in_order() {
        let verdicts = |accepted, open| Verdicts { accepted, open };
        assert_eq!(verdicts(0, 0).first(), (0, false));
        assert_eq!(verdicts(0b1010, 0).first(), (0b10, true));
        assert_eq!(verdicts(0b1000, 0b0100).first(), (0b100, false));
        assert_eq!(
            verdicts(0b1000, 0b0100).after(0b100).first(),
            (0b1000, true)
        );
        assert_eq!(verdicts(0b1000, 0b0100).after(0b1000).first(), (0, false));
        // No trial was the last one.
        assert_eq!(verdicts(0b1000, 0b0100).after(0).first(), (0, false));
        assert_eq!(verdicts(1, 0).delayed(2).first(), (0b100, true));
        let both = verdicts(0, 0).then(verdicts(0b10, 0b1000));
        assert_eq!((both.accepted, both.open), (0b10_0000, 0b1000_0000));
    }
}
