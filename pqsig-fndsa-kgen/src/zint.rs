//! Integers of many digits, radix 2^62.
//!
//! The crate `fn-dsa` counts "words" of 31 bits; a digit here is two words, so every size and
//! shift of section 4.8 falls on a digit or on half of one. Digits are `i64`: all but the last
//! in `[0, 2^62)`, the last with the sign. Products of digits then add up in an `i128` without
//! carries between them, and signed numbers multiply as they are.
//!
//! Upstream keeps these numbers modulo primes of 31 bits. On levels of small degree that costs
//! more than the plain product (rebuilding is quadratic in the size, whatever the degree), so
//! this crate multiplies digits there; [`products`] says where upstream's residues would have
//! wrapped.

use crate::mp31::{PRIME_COUNT, PRIMES, RNS_COUNT};

/// Bits of a digit.
pub(crate) const DIGIT_BITS: usize = 62;

/// Bits of a word of `fn-dsa`.
pub(crate) const WORD_BITS: usize = 31;

/// The value bits of a digit.
pub(crate) const MASK: i64 = (1 << DIGIT_BITS) - 1;

/// Digits of an integer of `words` words.
#[inline(always)]
pub(crate) const fn digits(words: usize) -> usize {
    words.div_ceil(2)
}

/// The last digit of an integer of `words` words, its sign extended.
#[inline(always)]
pub(crate) const fn extend(digit: i64, words: usize) -> i64 {
    let unused = if words.is_multiple_of(2) { 2 } else { 33 };
    (digit << unused) >> unused
}

/// -1 if `a < b`, else 0. Both have `a.len()` digits; `b` may have more, which are ignored.
#[inline(always)]
pub(crate) fn sign_of_difference(a: &[i64], b: &[i64]) -> i64 {
    let mut carry = 0;
    let mut sign = 0;
    for (&a, &b) in a.iter().zip(b) {
        carry += a - b;
        sign = carry >> 63;
        carry >>= DIGIT_BITS;
    }
    sign
}

/// -1 if `|value| <= bound`, else 0, for `bound >= 0`, which may have fewer digits.
#[inline(always)]
pub(crate) fn is_within(value: &[i64], bound: &[i64]) -> i64 {
    let (mut above, mut below) = (0, 0);
    let (mut too_big, mut too_small) = (0, 0);
    for (i, &x) in value.iter().enumerate() {
        let h = bound.get(i).copied().unwrap_or(0);
        above += h - x;
        too_big = above >> 63;
        above >>= DIGIT_BITS;
        below += h + x;
        too_small = below >> 63;
        below >>= DIGIT_BITS;
    }
    !(too_big | too_small)
}

/// `value` into `out`, which may have more digits, or fewer if they suffice.
#[inline(always)]
pub(crate) fn copy_resized(out: &mut [i64], value: &[i64]) {
    let top = out.len() - 1;
    if out.len() <= value.len() {
        out.copy_from_slice(&value[..=top]);
        out[top] = extend(out[top], 2);
    } else {
        let (last, sign) = (value.len() - 1, value[value.len() - 1] >> 63);
        out[..=last].copy_from_slice(value);
        out[last] &= MASK;
        out[last + 1..].fill(sign & MASK);
        out[top] = sign;
    }
}

/// A product that enters a sum.
#[derive(Clone, Copy)]
pub(crate) struct Term<'a> {
    /// Whether it is subtracted.
    pub(crate) minus: bool,
    /// Whether it counts twice.
    pub(crate) twice: bool,
    pub(crate) factors: [&'a [i64]; 2],
}

/// The sum of the products, in `out.len()` digits, which must suffice.
#[inline(always)]
pub(crate) fn sum_of_products<'a>(out: &mut [i64], terms: impl Iterator<Item = Term<'a>> + Clone) {
    let last = out.len() - 1;
    let mut carry = 0;
    for (c, out) in out.iter_mut().enumerate() {
        let (mut low, mut high) = (0, 0);
        for term in terms.clone() {
            let [a, b] = term.factors;
            let (mut l, mut h) = column(a, b, c);
            if term.twice {
                (l, h) = (2 * l, 2 * h);
            }
            (low, high) = if term.minus {
                (low - l, high - h)
            } else {
                (low + l, high + h)
            };
        }
        carry += low;
        let digit = carry as i64 & MASK;
        *out = if c == last { extend(digit, 2) } else { digit };
        carry = (carry >> DIGIT_BITS) + high;
    }
}

/// The sum of the products of digits of `a` and `b` whose places add up to `c`, as
/// `low + 2^62 high`.
///
/// In: digits up to 2^62 in magnitude. Out: low below 2^72.
#[inline(always)]
fn column(a: &[i64], b: &[i64], c: usize) -> (i128, i128) {
    /// A product is up to 2^124 in magnitude; 6 of them fit into an `i128`.
    const GROUP: usize = 6;
    let start = (c + 1).saturating_sub(b.len());
    let end = a.len().min(c + 1);
    if start >= end {
        return (0, 0);
    }
    let a = &a[start..end];
    let b = &b[c + 1 - end..c + 1 - start];
    let (mut low, mut high) = (0, 0);
    let mut add = |sum: i128| {
        low += i128::from(sum as i64 & MASK);
        high += sum >> DIGIT_BITS;
    };
    let (a_groups, b_groups) = (a.chunks_exact(GROUP), b.rchunks_exact(GROUP));
    let rest = (a_groups.remainder().iter()).zip(b_groups.remainder().iter().rev());
    for (a, b) in a_groups.zip(b_groups) {
        let mut sum = 0;
        for j in 0..GROUP {
            sum += i128::from(a[j]) * i128::from(b[GROUP - 1 - j]);
        }
        add(sum);
    }
    let mut sum = 0;
    for (&a, &b) in rest {
        sum += i128::from(a) * i128::from(b);
    }
    add(sum);
    (low, high)
}

/// A run of words inside an integer, read at half-digit steps.
#[derive(Clone, Copy)]
pub(crate) struct Run {
    /// Digits of the whole integer.
    digits: usize,
    /// The digit where the run starts.
    first: usize,
    /// Whether it starts at the upper half of that digit.
    odd: bool,
}

impl Run {
    /// All words from number `from` on, in an integer of `words` words.
    #[inline(always)]
    pub(crate) const fn new(words: usize, from: usize) -> Self {
        Self {
            digits: digits(words),
            first: from / 2,
            odd: from % 2 == 1,
        }
    }

    /// Digit `j` of the run, in `[0, 2^62)`; beyond the end, the sign.
    #[inline(always)]
    pub(crate) fn digit(&self, x: &[i64], j: usize) -> i64 {
        let i = self.first + j;
        if self.odd {
            (self.extended(x, i) >> WORD_BITS | self.extended(x, i + 1) << WORD_BITS) & MASK
        } else {
            self.extended(x, i) & MASK
        }
    }

    #[inline(always)]
    fn extended(&self, x: &[i64], i: usize) -> i64 {
        let top = x[self.digits - 1];
        if i < self.digits - 1 {
            x[i]
        } else if i == self.digits - 1 {
            top
        } else {
            top >> 63
        }
    }

    /// -1 if the run is negative, else 0.
    #[inline(always)]
    fn sign(&self, x: &[i64]) -> i64 {
        x[self.digits - 1] >> 63
    }
}

/// Most digits of a run that is looked at: 8 words, and a half digit at the start.
const RUN_DIGITS: usize = 6;

/// The greatest bit length of the runs of the integers of `poly`: of `x`, or of `-x - 1` if `x`
/// is negative. The result is secret.
#[inline(always)]
pub(crate) fn bit_length(poly: &[i64], stride: usize, run: Run, words: usize) -> u32 {
    let mut all = [0; RUN_DIGITS];
    for x in poly.chunks_exact(stride) {
        let sign = run.sign(x) & MASK;
        for (j, all) in all[..digits(words)].iter_mut().enumerate() {
            *all |= run.digit(x, j) ^ sign;
        }
    }
    let mut length = 0;
    for (j, &bits) in all.iter().enumerate() {
        let here = (DIGIT_BITS * j) as i64 + 64 - i64::from((bits | 1).leading_zeros());
        let nonzero = pqsig_comm::ct::barrier((bits | bits.wrapping_neg()) >> 63);
        length = (length & !nonzero) | (here & nonzero);
    }
    length as u32
}

/// The fixed-point number `x / 2^scale` of each run, rounded down: `tofix` of the
/// reference. The scale is secret, its greatest value `longest` is not.
#[inline(always)]
pub(crate) fn to_fixed(
    out: &mut [i64],
    poly: &[i64],
    stride: usize,
    run: Run,
    longest: usize,
    scale: u32,
) {
    // The result is the 64 bits from bit `position` on of the run, put one digit higher.
    let position = scale + DIGIT_BITS as u32 - 32;
    let (at, bit) = divide_by_62(position);
    let last = (longest + DIGIT_BITS - 32) / DIGIT_BITS;
    let mut chosen = [0; RUN_DIGITS];
    for (j, mask) in chosen.iter_mut().enumerate() {
        *mask = pqsig_comm::ct::barrier(-i64::from(j as u32 == at));
    }
    let reaches_third = pqsig_comm::ct::barrier(-i64::from(bit == DIGIT_BITS as u32 - 1));
    let copies_sign = pqsig_comm::ct::barrier(-i64::from(is_multiple_of_31(scale)));
    for (out, x) in out.iter_mut().zip(poly.chunks_exact(stride)) {
        let (mut d0, mut d1, mut d2) = (0, 0, 0);
        let (mut x0, mut x1) = (0, run.digit(x, 0));
        for (j, &mask) in chosen[..=last].iter().enumerate() {
            let x2 = run.digit(x, j + 1);
            d0 |= x0 & mask;
            d1 |= x1 & mask;
            d2 |= x2 & mask;
            (x0, x1) = (x1, x2);
        }
        let value = d0 >> bit | d1 << (DIGIT_BITS as u32 - bit) | (d2 << 63 & reaches_third);
        // Bit 63 becomes a copy of bit 62 where `fn-dsa` makes it one.
        let copied = value << 1 >> 1;
        *out = value ^ ((value ^ copied) & copies_sign);
    }
}

/// Quotient and remainder by 62, without a division: exact below 1000.
#[inline(always)]
const fn divide_by_62(x: u32) -> (u32, u32) {
    let quotient = (x * 1058) >> 16;
    (quotient, x - 62 * quotient)
}

/// Exact below 1000.
#[inline(always)]
const fn is_multiple_of_31(x: u32) -> bool {
    x == 31 * ((x * 2115) >> 16)
}

/// Products of the primes of [`crate::mp31`]: `P(k) = p_0 ... p_(k-1)`.
///
/// Upstream's residues hold integers up to `(P(k)-1)/2` in magnitude and wrap beyond.
pub(crate) mod products {
    use super::{DIGIT_BITS, MASK, PRIME_COUNT, PRIMES, RNS_COUNT, digits};

    /// The `k` for which `(P(k)-1)/2` is needed: sizes of f and g, sizes of F before its
    /// reduction, and sizes of k f on levels of degree 16 and more.
    const SIZES: [usize; 20] = [
        1, 2, 3, 4, 5, 6, 8, 9, 11, 14, 15, 21, 27, 40, 53, 78, 104, 155, 207, 308,
    ];

    const STARTS: [usize; SIZES.len() + 1] = {
        let mut starts = [0; SIZES.len() + 1];
        let mut i = 0;
        while i < SIZES.len() {
            starts[i + 1] = starts[i] + digits(SIZES[i]);
            i += 1;
        }
        starts
    };

    const TOTAL: usize = STARTS[SIZES.len()];

    const LONGEST: usize = digits(PRIME_COUNT);

    /// `x *= p`.
    const fn mul_assign<const N: usize>(x: &mut [i64; N], p: u32) {
        let (mut carry, mut i) = (0u128, 0);
        while i < N {
            carry += x[i] as u128 * p as u128;
            x[i] = carry as i64 & MASK;
            carry >>= DIGIT_BITS;
            i += 1;
        }
    }

    static HALVES: [i64; TOTAL] = {
        let mut table = [0; TOTAL];
        let mut product = [0; LONGEST];
        product[0] = 1;
        let (mut k, mut next) = (0, 0);
        while next < SIZES.len() {
            mul_assign(&mut product, PRIMES[k]);
            k += 1;
            if k == SIZES[next] {
                let (start, count) = (STARTS[next], digits(k));
                let mut i = 0;
                while i < count {
                    let above = if i + 1 < LONGEST {
                        product[i + 1] & 1
                    } else {
                        0
                    };
                    table[start + i] = product[i] >> 1 | above << (DIGIT_BITS - 1);
                    i += 1;
                }
                next += 1;
            }
        }
        table
    };

    static SMALL: [[i64; digits(RNS_COUNT)]; RNS_COUNT] = {
        let mut table = [[0; digits(RNS_COUNT)]; RNS_COUNT];
        let mut product = [0; digits(RNS_COUNT)];
        product[0] = 1;
        let mut k = 0;
        while k < RNS_COUNT {
            table[k] = product;
            mul_assign(&mut product, PRIMES[k]);
            k += 1;
        }
        table
    };

    /// `(P(k)-1)/2`.
    ///
    /// # Panics
    /// If `k` is not in the table, which no caller asks for.
    #[inline(always)]
    pub(crate) fn half(k: usize) -> &'static [i64] {
        let at = SIZES.iter().position(|&size| size == k);
        let at = at.expect("a size of the solver");
        &HALVES[STARTS[at]..STARTS[at + 1]]
    }

    /// `P(k)` for `k < RNS_COUNT`.
    #[inline(always)]
    pub(crate) fn small(k: usize) -> &'static [i64; digits(RNS_COUNT)] {
        &SMALL[k]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Lcg, big, to_digits};
    use num_bigint::{BigInt, Sign};
    use std::{vec, vec::Vec};

    fn random(rng: &mut Lcg, bits: usize) -> BigInt {
        let bytes: Vec<u8> = (0..bits / 8 + 1).map(|_| rng.next() as u8).collect();
        let value = BigInt::from_signed_bytes_le(&bytes) >> (rng.next() % 8);
        let excess = (bytes.len() * 8) as u64 - bits as u64;
        value >> excess
    }

    #[test]
    fn products_are_products() {
        for k in [
            1, 2, 3, 4, 5, 6, 8, 9, 11, 14, 15, 21, 27, 40, 53, 78, 104, 155, 207, 308,
        ] {
            let product: BigInt = PRIMES[..k].iter().map(|&p| BigInt::from(p)).product();
            assert_eq!(big(products::half(k)), (&product - 1) / 2);
            assert_eq!(products::half(k).len(), digits(k));
            if k < RNS_COUNT {
                assert_eq!(big(products::small(k)), product);
            }
        }
    }

    #[test]
    fn sums_of_products_match_big_integers() {
        let mut rng = Lcg::new(5);
        for round in 0..300 {
            let (la, lb) = (1 + round % 13, 1 + round / 13 % 17);
            let mut operands = Vec::new();
            let mut expected = BigInt::from(0);
            for t in 0..1 + round % 7 {
                let a = random(&mut rng, 62 * la);
                let b = random(&mut rng, 62 * lb);
                let minus = (t + round) % 3 == 0;
                expected += if minus { -(&a * &b) } else { &a * &b };
                let twice = round % 5 == 0;
                if twice {
                    expected += if minus { -(&a * &b) } else { &a * &b };
                }
                operands.push((minus, twice, to_digits(&a, la), to_digits(&b, lb)));
            }
            let mut out = vec![0; la + lb + 1];
            let terms = operands.iter().map(|(minus, twice, a, b)| Term {
                minus: *minus,
                twice: *twice,
                factors: [a, b],
            });
            sum_of_products(&mut out, terms);
            assert_eq!(out, to_digits(&expected, la + lb + 1));
        }
        // The most negative and the most positive operands.
        for len in 1..9 {
            let low = -BigInt::from(1) * (BigInt::from(1) << (62 * len - 1));
            let top: BigInt = -&low - 1;
            for (a, b) in [(&low, &low), (&low, &top), (&top, &top)] {
                let (a_digits, b_digits) = (to_digits(a, len), to_digits(b, len));
                let mut out = vec![0; 2 * len + 1];
                let term = Term {
                    minus: false,
                    twice: false,
                    factors: [&a_digits, &b_digits],
                };
                sum_of_products(&mut out, [term; 5].into_iter());
                assert_eq!(big(&out), a * b * 5);
            }
        }
    }

    #[test]
    fn comparisons() {
        let mut rng = Lcg::new(6);
        for round in 0..2000 {
            let len = 1 + round % 5;
            let bound = random(&mut rng, 62 * len - 70 * usize::from(len > 2));
            let bound = BigInt::from_biguint(Sign::Plus, bound.magnitude() >> 1);
            let value = match round % 7 {
                0 => bound.clone(),
                1 => -bound.clone(),
                2 => &bound + 1,
                3 => -&bound - 1,
                _ => random(&mut rng, 62 * len) >> (round % 50),
            };
            let h = to_digits(&bound, if len > 2 { len - 1 } else { len });
            let x = to_digits(&value, len + 1);
            assert_eq!(
                is_within(&x, &h) == -1,
                value.magnitude() <= bound.magnitude()
            );
            let y = to_digits(&bound, len + 1);
            assert_eq!(sign_of_difference(&x, &y) == -1, value < bound);
        }
    }

    #[test]
    fn fixed_point_windows_match_the_definition() {
        let mut rng = Lcg::new(7);
        let mut cases = 0;
        for words in 1..=8usize {
            for from in 0..4 {
                for scale in 0..=31 * words as u32 + 30 {
                    // Values of many lengths, up to one more word than the window.
                    let total = from + words;
                    let len = digits(total);
                    let values: Vec<BigInt> = (0..8)
                        .map(|i| random(&mut rng, 31 * total) >> (i * 31 * words / 8))
                        .collect();
                    let poly: Vec<i64> = values.iter().flat_map(|v| to_digits(v, len)).collect();
                    let run = Run::new(total, from);
                    let mut out = [0; 8];
                    to_fixed(&mut out, &poly, len, run, 31 * words + 30, scale);
                    for (value, out) in values.iter().zip(out) {
                        let run = value >> (31 * from);
                        let fixed: BigInt = (run << 32) >> scale;
                        let low = fixed & BigInt::from(u64::MAX);
                        let mut expected = u64::try_from(low).unwrap();
                        if scale % 31 == 0 {
                            expected = (expected << 1 >> 63 << 63) | (expected << 1 >> 1);
                        }
                        assert_eq!(out as u64, expected, "{words} {from} {scale}");
                        cases += 1;
                    }
                }
                let total = from + words;
                let values: Vec<BigInt> = (0..3)
                    .map(|_| random(&mut rng, 31 * total) >> (rng.next() % 31 * words as u64))
                    .collect();
                let length = values.iter().map(|v| {
                    let run: BigInt = v >> (31 * from);
                    if run < BigInt::from(0) {
                        (-run - 1i32).bits()
                    } else {
                        run.bits()
                    }
                });
                let poly: Vec<i64> = values
                    .iter()
                    .flat_map(|v| to_digits(v, digits(total)))
                    .collect();
                let run = Run::new(total, from);
                let found = bit_length(&poly, digits(total), run, words);
                assert_eq!(u64::from(found), length.max().unwrap());
            }
        }
        assert!(cases > 30_000);
    }

    #[test]
    fn small_divisions_are_exact() {
        for x in 0..1000 {
            assert_eq!(divide_by_62(x), (x / 62, x % 62));
            assert_eq!(is_multiple_of_31(x), x % 31 == 0);
        }
    }
}
