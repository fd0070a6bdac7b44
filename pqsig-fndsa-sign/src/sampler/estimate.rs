//! Estimates that decide nearly all trials, several side by side.
use super::{Shape, queue::Window};
use crate::flr::{Real, constants};

/// What is known about trials: bit `i` for trial `i`.
#[derive(Clone, Copy)]
pub(super) struct Verdicts {
    /// Accepted for sure.
    pub(super) accepted: u32,
    /// Neither accepted nor rejected for sure.
    pub(super) open: u32,
}

const MARGIN: f64 = 0.0625;
const LN_2: f64 = core::f64::consts::LN_2;
const FOURTH: f64 = LN_2 * LN_2 * LN_2 * LN_2 / 24.0;
const C0: u64 = (1.0 - FOURTH / 128.0).to_bits();
const C1: u64 = (-LN_2).to_bits();
const C2: u64 = (LN_2 * LN_2 / 2.0 + FOURTH / 4.0).to_bits();
const C3: u64 = (-LN_2 * LN_2 * LN_2 / 6.0).to_bits();
const MAGIC: u64 = 0x4338_0000_0000_0000;

#[inline(always)]
pub(super) fn estimate<R: Real, const N: usize>(
    window: Window<'_, R, N>,
    r: R,
    shape: Shape<R>,
) -> Verdicts {
    if !R::ESTIMATES {
        return Verdicts { accepted: 0, open: 1 };
    }
    let dss = shape.dss * R::from_bits(constants::INV_LOG2);
    let scale = shape.ccs * R::from_bits(256f64.to_bits());
    let magic = R::from_bits(MAGIC);
    let mut high = [R::ZERO; N];
    let mut low = [R::ZERO; N];
    for i in 0..N {
        let d = window.value[i] - r;
        let u = d * d * dss - window.weight[i];
        let m = u + magic;
        let f = u - (m - magic);
        let f2 = f * f;
        let p = (f * R::from_bits(C1) + R::from_bits(C0))
            + f2 * (f * R::from_bits(C3) + R::from_bits(C2));
        let s = R::from_bits(scale.to_bits().wrapping_sub(m.to_bits() << 52));
        let t = p * s - window.byte[i];
        high[i] = t - R::from_bits((1.0 + MARGIN).to_bits());
        low[i] = t + R::from_bits(MARGIN.to_bits());
    }
    let below_high = R::signs(&high);
    let below_low = R::signs(&low);
    Verdicts { accepted: !below_high & ((1<<N)-1), open: below_high & !below_low }
}
