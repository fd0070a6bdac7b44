//! The kernels in plain integer arithmetic: no branch, index or division depends on a secret.
//!
//! Multiplication mod q is Montgomery's with R = 2^32 and signed remainders: for |a b| < 2^31 q,
//! `reduce(a b)` is a b / R mod q with absolute value at most |a b| / R + q / 2.

use crate::{
    params::{D, Eta, Gamma2, N, Q},
    poly::{Ntt, Poly, Product},
    sparse::{self, Challenge, Medium, Small},
};

/// Bound of transformed values, below 5.2 q: eight layers add at most q / 2 + |a| q / (2 R) each
/// to an input below q.
pub(crate) const NTT_BOUND: i64 = 5 * Q as i64 + Q as i64 / 5;

// Seven products with A (below q) and one with a transformed t stay below 2^31 q, where one
// reduction suffices; its result is below q.
const _: () = {
    let sum = 7 * Q as i64 * NTT_BOUND + NTT_BOUND * NTT_BOUND;
    assert!(sum < (1 << 31) * Q as i64);
    assert!((sum >> 32) + (Q as i64) / 2 + 1 < Q as i64);
};

// The bound that products on their own need.
const _: () = assert!(NTT_BOUND * NTT_BOUND < (1 << 29) * Q as i64);

/// q^-1 mod 2^32, by Newton's iteration.
pub(super) const Q_INV: i32 = {
    let mut inverse: i32 = 1;
    let mut i = 0;
    while i < 5 {
        inverse = inverse.wrapping_mul(2i32.wrapping_sub(Q.wrapping_mul(inverse)));
        i += 1;
    }
    assert!(inverse.wrapping_mul(Q) == 1);
    inverse
};

/// A constant factor, ready for Montgomery multiplication.
#[derive(Clone, Copy)]
#[repr(C)]
pub(super) struct Factor {
    /// The factor times R mod q, centred: at most q / 2 in absolute value.
    pub(super) value: i32,
    /// `value` times q^-1 mod 2^32.
    pub(super) value_q_inv: i32,
}

impl Factor {
    /// The factor `a R^power` for `a` in [0, q).
    const fn new(a: i64, power: u32) -> Self {
        let mut value = a;
        let mut i = 0;
        while i < power {
            value = (value << 32) % Q as i64;
            i += 1;
        }
        if value > Q as i64 / 2 {
            value -= Q as i64;
        }
        Self {
            value: value as i32,
            value_q_inv: (value as i32).wrapping_mul(Q_INV),
        }
    }

    /// The product with `a`. Out: at most |a| q / (2 R) + q / 2 in absolute value.
    #[inline(always)]
    const fn times(self, a: i32) -> i32 {
        let product = a as i64 * self.value as i64;
        let multiple = a.wrapping_mul(self.value_q_inv) as i64 * Q as i64;
        // Both have the same low half, so the high halves differ by the exact quotient.
        ((product >> 32) - (multiple >> 32)) as i32
    }
}

/// Montgomery reduction. In: |a| < 2^31 q. Out: at most |a| / R + q / 2 in absolute value.
#[inline(always)]
const fn reduce(a: i64) -> i32 {
    let multiple = (a as i32).wrapping_mul(Q_INV) as i64 * Q as i64;
    ((a >> 32) - (multiple >> 32)) as i32
}

/// 1753, the 512th root of unity of FIPS 204, to the power `BitRev8(i)` (Appendix B).
pub(super) static ZETAS: [Factor; N] = {
    let mut powers = [1i64; N];
    let mut i = 1;
    while i < N {
        powers[i] = powers[i - 1] * 1753 % Q as i64;
        i += 1;
    }
    let mut zetas = [Factor::new(1, 1); N];
    let mut i = 0;
    while i < N {
        zetas[i] = Factor::new(powers[(i as u8).reverse_bits() as usize], 1);
        i += 1;
    }
    zetas
};

/// R / 256: scales the inverse transform and removes the R^-1 of a [`Product`].
pub(super) const INV_NTT_SCALE: Factor = {
    // 256^-1 = -(q - 1) / 256 mod q.
    let inverse = Q as i64 - (Q as i64 - 1) / 256;
    assert!(inverse * 256 % Q as i64 == 1);
    Factor::new(inverse, 2)
};

pub(crate) fn ntt(src: &[i32; N], dst: &mut [i32; N]) {
    *dst = *src;
    ntt_layer::<128>(dst);
    ntt_layer::<64>(dst);
    ntt_layer::<32>(dst);
    ntt_layer::<16>(dst);
    ntt_layer::<8>(dst);
    ntt_layer::<4>(dst);
    ntt_layer::<2>(dst);
    ntt_layer::<1>(dst);
}

/// Butterflies between coefficients `LEN` apart.
#[inline(always)]
fn ntt_layer<const LEN: usize>(poly: &mut [i32; N]) {
    let zetas = &ZETAS[N / 2 / LEN..];
    for (block, zeta) in poly.chunks_exact_mut(2 * LEN).zip(zetas) {
        let (low, high) = block.split_at_mut(LEN);
        for (a, b) in low.iter_mut().zip(high) {
            let t = zeta.times(*b);
            *b = *a - t;
            *a += t;
        }
    }
}

pub(crate) fn inv_ntt(src: &[i32; N], dst: &mut [i32; N]) {
    *dst = *src;
    // A sum doubles the bound at each layer: 256 q < 2^31 after the last one.
    inv_ntt_layer::<1>(dst);
    inv_ntt_layer::<2>(dst);
    inv_ntt_layer::<4>(dst);
    inv_ntt_layer::<8>(dst);
    inv_ntt_layer::<16>(dst);
    inv_ntt_layer::<32>(dst);
    inv_ntt_layer::<64>(dst);
    inv_ntt_layer::<128>(dst);
    for a in dst {
        *a = INV_NTT_SCALE.times(*a);
    }
}

#[inline(always)]
fn inv_ntt_layer<const LEN: usize>(poly: &mut [i32; N]) {
    // The inverse roots, from the top down: -zeta[m - 1 - i] for block i of m / 2 blocks.
    let zetas = ZETAS[N / 2 / LEN..N / LEN].iter().rev();
    for (block, zeta) in poly.chunks_exact_mut(2 * LEN).zip(zetas) {
        let (low, high) = block.split_at_mut(LEN);
        for (a, b) in low.iter_mut().zip(high) {
            let difference = *b - *a;
            *a += *b;
            *b = zeta.times(difference);
        }
    }
}

pub(crate) fn multiply_small(eta: Eta, c: &Challenge, s: &Small, out: &mut [i32; N]) {
    out.fill(0);
    for (ones, minus_ones) in c.groups(sparse::small_limit(eta.value())) {
        let mut sum = [0i8; N];
        for &place in ones {
            sum.iter_mut()
                .zip(s.window(place))
                .for_each(|(sum, s)| *sum += s);
        }
        for &place in minus_ones {
            sum.iter_mut()
                .zip(s.window(place))
                .for_each(|(sum, s)| *sum -= s);
        }
        out.iter_mut()
            .zip(sum)
            .for_each(|(out, sum)| *out += i32::from(sum));
    }
}

pub(crate) fn multiply_medium(c: &Challenge, t: &Medium, out: &mut [i32; N]) {
    out.fill(0);
    for (ones, minus_ones) in c.groups(sparse::MEDIUM_LIMIT) {
        let mut sum = [0i16; N];
        for &place in ones {
            sum.iter_mut()
                .zip(t.window(place))
                .for_each(|(sum, t)| *sum += t);
        }
        for &place in minus_ones {
            sum.iter_mut()
                .zip(t.window(place))
                .for_each(|(sum, t)| *sum -= t);
        }
        out.iter_mut()
            .zip(sum)
            .for_each(|(out, sum)| *out += i32::from(sum));
    }
}

pub(crate) fn dot(
    row: &[Poly<Ntt>],
    vector: &[Poly<Ntt>],
    minus: Option<(&Poly<Ntt>, &Poly<Ntt>)>,
    out: &mut Poly<Product>,
) {
    /// Sums that stay in registers.
    const WIDTH: usize = 8;
    for (block, out) in out.coeffs.chunks_exact_mut(WIDTH).enumerate() {
        let at = block * WIDTH;
        let part = |poly: &Poly<Ntt>, i: usize| i64::from(poly.coeffs[at + i]);
        let mut sums = [0i64; WIDTH];
        for (a, b) in row.iter().zip(vector) {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum += part(a, i) * part(b, i);
            }
        }
        if let Some((c, t)) = minus {
            for (i, sum) in sums.iter_mut().enumerate() {
                *sum -= part(c, i) * part(t, i);
            }
        }
        for (out, sum) in out.iter_mut().zip(sums) {
            *out = reduce(sum);
        }
    }
}

/// Takes the product `a b` off `sum`, which grows by less than 3q/4.
///
/// In: |a b| < 2^29 q, as for any two transforms.
#[inline(always)]
pub(crate) fn sub_product(a: &Poly<Ntt>, b: &Poly<Ntt>, sum: &mut [i32; N]) {
    for ((sum, a), b) in sum.iter_mut().zip(&a.coeffs).zip(&b.coeffs) {
        *sum -= reduce(i64::from(*a) * i64::from(*b));
    }
}

/// What [`rej_uniform`] would write to `dst[filled..]` is multiplied by `b` and added to `sum`,
/// which grows by less than 3q/4; returns the new `filled`.
///
/// In: |b| < [`NTT_BOUND`].
#[inline(always)]
pub(crate) fn add_uniform_product(
    bytes: &[u8],
    b: &Poly<Ntt>,
    sum: &mut [i32; N],
    mut filled: usize,
) -> usize {
    for value in bytes
        .chunks_exact(3)
        .map(uniform)
        .filter(|&value| value < Q)
    {
        if filled == N {
            break;
        }
        sum[filled] += reduce(i64::from(value) * i64::from(b.coeffs[filled]));
        filled += 1;
    }
    filled
}

/// A candidate for a uniform value (FIPS 204, Algorithm 14, lines 1 to 5).
#[inline(always)]
fn uniform(bytes: &[u8]) -> i32 {
    i32::from(bytes[0]) | i32::from(bytes[1]) << 8 | i32::from(bytes[2] & 0x7F) << 16
}

pub(crate) fn rej_uniform(bytes: &[u8], dst: &mut [i32; N], mut filled: usize) -> usize {
    for candidate in bytes.chunks_exact(3) {
        if filled == N {
            break;
        }
        let value = uniform(candidate);
        dst[filled] = value;
        filled += usize::from(value < Q);
    }
    filled
}

pub(crate) fn rej_bounded(eta: Eta, bytes: &[u8], dst: &mut [i32; N], mut filled: usize) -> usize {
    let halves = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
    for half in halves {
        if filled == N {
            break;
        }
        let half = i32::from(half);
        let (accepted, value) = match eta {
            // 2 - half mod 5; 205 / 1024 is 1 / 5, exactly enough for half < 15.
            Eta::Two => (half < 15, 2 - (half - ((half * 205) >> 10) * 5)),
            Eta::Four => (half < 9, 4 - half),
        };
        dst[filled] = value;
        // Which candidates are accepted may be seen: it says nothing about those that are.
        filled += usize::from(pqsig_comm::ct::public_flag(accepted));
    }
    filled
}

#[inline(always)]
pub(crate) fn power2round(t: &mut [i32; N], t1: &mut [i32; N]) {
    for (t, t1) in t.iter_mut().zip(t1) {
        *t1 = (*t + (1 << (D - 1)) - 1) >> D;
        *t -= *t1 << D;
    }
}

/// r1 and r0 of one coefficient in [0, q).
#[inline(always)]
const fn decompose_one(gamma2: Gamma2, r: i32) -> (i32, i32) {
    let alpha = 2 * gamma2.value();
    // The nearest multiple of alpha, half down, by a reciprocal that is exact for all r in
    // [0, q): both alphas are multiples of 128, and `r / 128` rounded up has 16 bits.
    let high = (r + 127) >> 7;
    let mut r1 = match gamma2 {
        // 11275 / 2^24 ~ 128 / alpha, 1025 / 2^22 = 128 / alpha to 22 bits.
        Gamma2::Q88 => (high * 11275 + (1 << 23)) >> 24,
        Gamma2::Q32 => (high * 1025 + (1 << 21)) >> 22,
    };
    // The last interval wraps round to zero.
    let last = gamma2.intervals() - 1;
    r1 &= !((last - r1) >> 31);
    let mut r0 = r - r1 * alpha;
    // After a wrap, r0 is near q: make it r - q.
    r0 -= (((Q - 1) / 2 - r0) >> 31) & Q;
    (r1, r0)
}

#[inline(always)]
pub(crate) fn decompose(gamma2: Gamma2, r: &mut [i32; N], r1: &mut [i32; N]) {
    for (r, r1) in r.iter_mut().zip(r1) {
        (*r1, *r) = decompose_one(gamma2, *r);
    }
}

#[inline(always)]
pub(crate) fn make_hint(gamma2: Gamma2, r0: &[i32; N], w1: &[i32; N], hint: &mut [u8; N]) -> usize {
    let bound = gamma2.value();
    let mut ones = 0;
    for ((r0, w1), hint) in r0.iter().zip(w1).zip(hint) {
        // The high bits change outside [-gamma2, gamma2], and at -gamma2 unless w1 = 0: there
        // the interval of zero, which also holds the top of the range, ends.
        let outside = (r0.abs() > bound) | ((*r0 == -bound) & (*w1 != 0));
        *hint = u8::from(outside);
        ones += usize::from(outside);
    }
    ones
}

#[inline(always)]
pub(crate) fn use_hint(gamma2: Gamma2, hint: &[u8; N], r: &mut [i32; N]) {
    let intervals = gamma2.intervals();
    for (r, hint) in r.iter_mut().zip(hint) {
        let (r1, r0) = decompose_one(gamma2, *r);
        let step = if r0 > 0 { 1 } else { -1 };
        let moved = r1 + step * i32::from(*hint);
        *r = if moved < 0 {
            intervals - 1
        } else if moved == intervals {
            0
        } else {
            moved
        };
    }
}

/// How many coefficients fill a whole number of bytes and at most 128 bits.
const fn group(bits: usize) -> usize {
    if bits.is_multiple_of(2) { 4 } else { 8 }
}

pub(crate) fn pack<const BITS: usize>(coeffs: &[i32; N], out: &mut [u8], map: impl Fn(i32) -> i32) {
    let (count, len) = (group(BITS), group(BITS) * BITS / 8);
    for (group, out) in coeffs.chunks_exact(count).zip(out.chunks_exact_mut(len)) {
        let mut bits = 0u128;
        for (i, c) in group.iter().enumerate() {
            bits |= u128::from(map(*c) as u32) << (BITS * i);
        }
        out.copy_from_slice(&bits.to_le_bytes()[..len]);
    }
}

pub(crate) fn unpack<const BITS: usize>(
    bytes: &[u8],
    coeffs: &mut [i32; N],
    map: impl Fn(i32) -> i32,
) {
    let (count, len) = (group(BITS), group(BITS) * BITS / 8);
    for (group, bytes) in coeffs.chunks_exact_mut(count).zip(bytes.chunks_exact(len)) {
        let mut padded = [0; 16];
        padded[..len].copy_from_slice(bytes);
        let bits = u128::from_le_bytes(padded);
        for (i, c) in group.iter_mut().enumerate() {
            *c = map((bits >> (BITS * i)) as i32 & ((1 << BITS) - 1));
        }
    }
}
