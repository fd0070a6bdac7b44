//! The kernels in plain Rust, written so that the compiler makes vectors of 16-bit lanes of them.
//!
//! Products are Montgomery products with R = 2^16: they need the low and the high half of a
//! 16-bit product, which every SIMD instruction set has. Nothing is reduced before it must be;
//! the bounds below follow the values through the transforms.

use super::{
    super::params::{MAX_COEFFICIENT, Q},
    LANES,
};

const Q16: i16 = Q as i16;

/// The largest degree.
const MAX_N: usize = 1024;
const MAX_LOGN: u32 = 10;

/// The largest absolute value that [`Backend::ntt`](super::Backend::ntt) takes.
pub const NTT_INPUT_BOUND: i16 = 2047;
/// The largest absolute value that [`Backend::ntt`](super::Backend::ntt) gives.
pub const NTT_BOUND: i16 = forward_bound(MAX_LOGN);
/// The largest absolute value of a product with a factor below q.
pub const MUL_BOUND: i16 = product_bound(1 << 15, Q as i32 - 1);
/// The largest absolute value that [`Backend::inv_ntt`](super::Backend::inv_ntt) gives.
pub const INV_NTT_BOUND: i16 = REDUCED_MAX;

/// The largest value that [`reduce`] gives.
const REDUCED_MAX: i16 = 13_925;

/// The largest absolute value of a root of unity in Montgomery form: (q - 1) / 2.
const ROOT_BOUND: i32 = (Q as i32 - 1) / 2;

/// The largest `|montgomery(a, b)|`: `(|a b| + 2^15 q) / 2^16`, rounded down.
const fn product_bound(a: i32, b: i32) -> i16 {
    ((a * b + ((Q as i32) << 15)) >> 16) as i16
}

/// Whether the forward transform reduces before layer `layer`.
const fn reduces_before(layer: u32) -> bool {
    layer >= 4 && layer.is_multiple_of(2)
}

/// The largest absolute value after `layers` layers of the forward transform.
const fn forward_bound(layers: u32) -> i16 {
    let mut bound = NTT_INPUT_BOUND as i32;
    let mut layer = 0;
    while layer < layers {
        let product = product_bound(bound, ROOT_BOUND) as i32;
        let other = if reduces_before(layer) {
            REDUCED_MAX as i32
        } else {
            bound
        };
        bound = other + product;
        assert!(bound <= i16::MAX as i32);
        layer += 1;
    }
    bound as i16
}

// One layer of the inverse transform keeps within its own bound and its sums and differences
// within 16 bits.
const _: () = {
    assert!(MUL_BOUND <= REDUCED_MAX);
    assert!(2 * (REDUCED_MAX as i32) <= i16::MAX as i32);
    assert!(product_bound(2 * REDUCED_MAX as i32, ROOT_BOUND) <= REDUCED_MAX);
};

/// `a b / 2^16 mod q`.
///
/// In: any a, |b| < q. Out: |v| <= [`product_bound`] of the bounds of a and b.
#[inline(always)]
pub(super) const fn montgomery(a: i16, b: i16) -> i16 {
    /// 1/q mod 2^16
    const Q_INV: i16 = 53_249_u16 as i16;
    let factor = a.wrapping_mul(b).wrapping_mul(Q_INV);
    // a b and factor q agree in the low half, so the difference of the high halves is exact.
    high(a, b) - high(factor, Q16)
}

/// The high half of `a b`.
#[inline(always)]
const fn high(a: i16, b: i16) -> i16 {
    ((a as i32 * b as i32) >> 16) as i16
}

/// A value congruent to `a` mod q.
///
/// The quotient is `5 a / 2^16`, rounded down: 5 / 2^16 is a little less than 1 / q.
///
/// In: any. Out: from -1636 to [`REDUCED_MAX`].
#[inline(always)]
pub(super) const fn reduce(a: i16) -> i16 {
    // Modulo 2^16: with a below -2 q, the product alone is out of range.
    a.wrapping_sub(high(a, 5).wrapping_mul(Q16))
}

/// The representative in [-(q-1)/2, (q-1)/2].
///
/// In: any.
#[inline(always)]
#[must_use]
pub const fn center(a: i16) -> i16 {
    let a = reduce(a);
    // All ones if a > (q-1)/2.
    let above = (ROOT_BOUND as i16 - a) >> 15;
    a - (Q16 & above)
}

/// The representative in [0, q).
///
/// In: any.
#[inline(always)]
#[must_use]
pub const fn canonical(a: i16) -> u16 {
    let a = center(a);
    (a + (Q16 & (a >> 15))) as u16
}

/// See [`super::Backend::ntt`].
#[inline(always)]
pub(super) fn ntt(a: &mut [i16], a_hat: &mut [i16]) {
    let n = a.len();
    debug_assert_eq!(n, a_hat.len());
    let mut layer = 0;

    // While groups are at least as long as the lanes: one root for each group.
    let mut groups = 1;
    while groups < LANES.min(n) {
        let roots = &ROOTS[groups..2 * groups];
        for (group, &root) in a.chunks_exact_mut(n / groups).zip(roots) {
            let (x, y) = group.split_at_mut(n / groups / 2);
            if reduces_before(layer) {
                uniform(x, y, root, forward::<true>);
            } else {
                uniform(x, y, root, forward::<false>);
            }
        }
        groups *= 2;
        layer += 1;
    }

    columns_from_rows(a, a_hat);

    // Then the columns: a root for each lane.
    let columns = n.div_ceil(LANES);
    let mut groups = 1;
    while groups < columns {
        let roots = &ROOTS[LANES * groups..2 * LANES * groups];
        let groups_of_columns = a_hat.chunks_exact_mut(n / groups);
        for (group, roots) in groups_of_columns.zip(lanes(roots)) {
            let (x, y) = group.split_at_mut(n / groups / 2);
            if reduces_before(layer) {
                by_lane(x, y, roots, forward::<true>);
            } else {
                by_lane(x, y, roots, forward::<false>);
            }
        }
        groups *= 2;
        layer += 1;
    }
}

/// See [`super::Backend::inv_ntt`].
#[inline(always)]
pub(super) fn inv_ntt(a_hat: &mut [i16], a: &mut [i16]) {
    let n = a.len();
    debug_assert_eq!(n, a_hat.len());

    let mut groups = n.div_ceil(LANES) / 2;
    while groups > 0 {
        let roots = &INVERSE_ROOTS[LANES * groups..2 * LANES * groups];
        let groups_of_columns = a_hat.chunks_exact_mut(n / groups);
        for (group, roots) in groups_of_columns.zip(lanes(roots)) {
            let (x, y) = group.split_at_mut(n / groups / 2);
            by_lane(x, y, roots, backward);
        }
        groups /= 2;
    }

    rows_from_columns(a_hat, a);

    let mut groups = LANES.min(n) / 2;
    while groups > 0 {
        let roots = &INVERSE_ROOTS[groups..2 * groups];
        for (group, &root) in a.chunks_exact_mut(n / groups).zip(roots) {
            let (x, y) = group.split_at_mut(n / groups / 2);
            uniform(x, y, root, backward);
        }
        groups /= 2;
    }
}

/// See [`super::Backend::prescale`].
#[inline(always)]
pub(super) fn prescale(a_hat: &mut [i16]) {
    let factor = PRESCALE[a_hat.len().trailing_zeros() as usize];
    for a in a_hat {
        *a = montgomery(*a, factor);
    }
}

/// See [`super::Backend::multiply`].
#[inline(always)]
pub(super) fn multiply(a_hat: &mut [i16], b_hat: &[i16]) {
    for (a, &b) in a_hat.iter_mut().zip(b_hat) {
        *a = montgomery(*a, b);
    }
}

/// See [`super::Backend::divide`].
#[inline(always)]
pub(super) fn divide(a_hat: &mut [i16], b_hat: &[i16]) -> bool {
    let mut zeros = 0;
    for (a, &b) in a_hat.iter_mut().zip(b_hat) {
        // One if b is zero.
        zeros |= canonical(b).wrapping_sub(1) >> 15;
        *a = montgomery(*a, inverse(b));
    }
    zeros == 0
}

/// `2^16 / b mod q`, or zero if b is.
///
/// In: any. Out: |v| < q.
#[inline(always)]
const fn inverse(b: i16) -> i16 {
    // b^(q-2) with q - 2 = 3 (2^12 - 1) + 2; every power carries one factor 2^16.
    let b = montgomery(b, montgomery_form(1 << 16));
    let b2 = montgomery(b, b);
    let b3 = montgomery(b2, b);
    let b7 = montgomery(montgomery(b3, b3), b);
    let b63 = montgomery(squared(b7, 3), b7);
    let b4095 = montgomery(squared(b63, 6), b63);
    let b12285 = montgomery(montgomery(b4095, b4095), b4095);
    montgomery(b12285, b2)
}

#[inline(always)]
const fn squared(mut a: i16, times: u32) -> i16 {
    let mut i = 0;
    while i < times {
        a = montgomery(a, a);
        i += 1;
    }
    a
}

/// See [`super::Backend::difference_norm`].
#[inline(always)]
pub(super) fn difference_norm(c: &[u16], t: &[i16]) -> Option<u32> {
    // The sum stays below 2^32 for out-of-range values too.
    const _: () = assert!(68 * (ROOT_BOUND as u64).pow(2) < 1 << 32);
    debug_assert!(c.len() <= 68 && c.len() == t.len());
    let mut norm = 0_u32;
    let mut outside = 0;
    for (&c, &t) in c.iter().zip(t) {
        // |c - t| < q + INV_NTT_BOUND < 2^15.
        let s1 = center(c as i16 - t);
        outside |= (MAX_COEFFICIENT - s1) | (MAX_COEFFICIENT + s1);
        norm += (i32::from(s1) * i32::from(s1)) as u32;
    }
    (outside >= 0).then_some(norm)
}

/// The butterfly `(x + root y, x - root y)`.
#[inline(always)]
fn forward<const REDUCE: bool>(x: i16, y: i16, root: i16) -> (i16, i16) {
    let product = montgomery(y, root);
    let x = if REDUCE { reduce(x) } else { x };
    (x + product, x - product)
}

/// The butterfly `(x + y, (x - y) root)`.
#[inline(always)]
fn backward(x: i16, y: i16, root: i16) -> (i16, i16) {
    (reduce(x + y), montgomery(x - y, root))
}

/// Applies a butterfly to each pair, in runs of 16 where there are as many: loops of a fixed
/// length over arrays of their own compile to whole vectors without a rest.
#[inline(always)]
fn uniform(
    x: &mut [i16],
    y: &mut [i16],
    root: i16,
    butterfly: impl Fn(i16, i16, i16) -> (i16, i16),
) {
    const RUN: usize = 16;
    if x.len() >= RUN {
        for (x, y) in runs::<RUN>(x).zip(runs::<RUN>(y)) {
            pairs(x, y, &[root; RUN], &butterfly);
        }
    } else {
        for (x, y) in x.iter_mut().zip(y) {
            (*x, *y) = butterfly(*x, *y, root);
        }
    }
}

/// Applies a butterfly to each pair of columns with a root for each lane.
#[inline(always)]
fn by_lane(
    x: &mut [i16],
    y: &mut [i16],
    roots: &[i16; LANES],
    butterfly: impl Fn(i16, i16, i16) -> (i16, i16),
) {
    for (x, y) in runs::<LANES>(x).zip(runs::<LANES>(y)) {
        pairs(x, y, roots, &butterfly);
    }
}

#[inline(always)]
fn pairs<const RUN: usize>(
    x: &mut [i16; RUN],
    y: &mut [i16; RUN],
    roots: &[i16; RUN],
    butterfly: impl Fn(i16, i16, i16) -> (i16, i16),
) {
    let (mut a, mut b) = (*x, *y);
    for j in 0..RUN {
        (a[j], b[j]) = butterfly(a[j], b[j], roots[j]);
    }
    (*x, *y) = (a, b);
}

#[inline(always)]
fn runs<const RUN: usize>(values: &mut [i16]) -> impl Iterator<Item = &mut [i16; RUN]> {
    values
        .chunks_exact_mut(RUN)
        .filter_map(|chunk| chunk.try_into().ok())
}

#[inline(always)]
fn lanes(roots: &[i16]) -> impl Iterator<Item = &[i16; LANES]> {
    roots
        .chunks_exact(LANES)
        .filter_map(|chunk| chunk.try_into().ok())
}

/// Transposes [`LANES`] rows of n / [`LANES`].
#[inline(always)]
fn columns_from_rows(rows: &[i16], columns: &mut [i16]) {
    let width = rows.len().div_ceil(LANES);
    for (r, column) in columns.chunks_mut(LANES).enumerate() {
        for (lane, value) in column.iter_mut().enumerate() {
            *value = rows[lane * width + r];
        }
    }
}

/// Inverse of [`columns_from_rows`].
#[inline(always)]
fn rows_from_columns(columns: &[i16], rows: &mut [i16]) {
    let width = rows.len().div_ceil(LANES);
    for (r, column) in columns.chunks(LANES).enumerate() {
        for (lane, value) in column.iter().enumerate() {
            rows[lane * width + r] = *value;
        }
    }
}

/// 7: the primitive 2048-th root of unity.
const ROOT: u32 = 7;

/// The roots of the forward transform in Montgomery form: that of group i in the layer with m
/// groups is `7^brv_10(m + i)`. At `m + i` where m < 32; in the layers over columns, at
/// `32 g + lane` for `m + i = 32 2^k + (lane 2^k + g - 2^k)` with g from 2^k on.
static ROOTS: [i16; MAX_N] = roots(ROOT);

/// The inverses of [`ROOTS`]. 7^-1 = 7^2047.
static INVERSE_ROOTS: [i16; MAX_N] = roots(power(ROOT, 2047));

const fn roots(root: u32) -> [i16; MAX_N] {
    let mut table = [0; MAX_N];
    let mut i = 1;
    while i < MAX_N {
        let index = if i < LANES {
            i
        } else {
            // i = 32 g + lane, and 2^k is the power of two at or below g.
            let (g, lane) = (i / LANES, i % LANES);
            let k = g.ilog2();
            (LANES << k) + (lane << k) + (g - (1 << k))
        };
        let exponent = (index as u32).reverse_bits() >> (32 - MAX_LOGN);
        table[i] = montgomery_form(power(root, exponent));
        i += 1;
    }
    table
}

/// `2^32 / n mod q`, for each `n = 2^logn`: by way of [`montgomery`], multiplies by `2^16 / n`.
static PRESCALE: [i16; MAX_LOGN as usize + 1] = {
    let mut table = [0; MAX_LOGN as usize + 1];
    let mut logn = 0;
    while logn <= MAX_LOGN {
        table[logn as usize] = montgomery_form(power(2, 16 - logn));
        logn += 1;
    }
    table
};

/// `2^16 a mod q`, in [-(q-1)/2, (q-1)/2].
const fn montgomery_form(a: u32) -> i16 {
    let value = (((a as u64) << 16) % Q as u64) as i32;
    (if value > ROOT_BOUND {
        value - Q as i32
    } else {
        value
    }) as i16
}

/// `base^exponent mod q`.
const fn power(base: u32, exponent: u32) -> u32 {
    let mut result = 1;
    let mut i = 0;
    while i < exponent {
        result = result * base % Q as u32;
        i += 1;
    }
    result
}
