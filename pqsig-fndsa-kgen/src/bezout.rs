//! The integers of the deepest level (Falcon, Algorithm 6): one modular inverse.
//!
//! `x u - y v = 1` with `0 <= v < x` has `v = -1/y mod x`, and only v is needed. The inverse is
//! computed by the division steps of Bernstein and Yang (CHES 2019, "Fast constant-time gcd
//! computation and modular inversion"): 62 steps at a time on the low digits alone, then one pass
//! over the long numbers. The number of steps depends on the size only.

use crate::zint::{DIGIT_BITS, MASK, WORD_BITS, digits, extend};
use pqsig_comm::ct;

/// Numbers of `digits(words)` digits that [`solve`] works on.
pub(crate) const SCRATCH_NUMBERS: usize = 4;

/// `F = q v` in `out`, as an integer of `words` words whose top bit is a sign; or nothing useful
/// and `false` if x or y is even, if they have a common divisor, or if `q v` has more bits.
///
/// In: `x`, `y` not negative, below 2^(31 words).
pub(crate) fn solve(
    out: &mut [i64],
    x: &[i64],
    y: &[i64],
    words: usize,
    scratch: &mut [i64],
) -> bool {
    let len = digits(words);
    debug_assert!(x.len() == len && y.len() == len && out.len() == len);
    let odd = ct::public_flag(x[0] & y[0] & 1 == 1);
    if !odd {
        return false;
    }
    let mut numbers = scratch.chunks_exact_mut(len);
    let mut next = || numbers.next().unwrap_or_default();
    let (f, g, d, e) = (next(), next(), next(), next());
    f.copy_from_slice(x);
    g.copy_from_slice(y);
    d.fill(0);
    e.fill(0);
    e[0] = 1;
    let modulus_inverse = invert_digit(x[0]);
    let mut eta = -1;
    for _ in 0..division_steps(WORD_BITS * words).div_ceil(DIGIT_BITS) {
        let matrix = Matrix::of_steps(&mut eta, f[0], g[0]);
        matrix.apply(f, g);
        matrix.apply_modulo(d, e, x, modulus_inverse);
    }
    // Now g = 0, f = +-gcd and d = f/y modulo x.
    let sign = f[len - 1] >> 63;
    let coprime = ct::public_flag(is_unit(f, sign));
    if !coprime {
        return false;
    }
    // d is in (-2x, x); with the sign of -f, and reduced, it is v.
    add_masked(d, x, d[len - 1] >> 63);
    negate_masked(d, !sign);
    add_masked(d, x, d[len - 1] >> 63);
    let fits = times_q(out, d, words);
    ct::public_flag(fits)
}

/// Division steps that end with g = 0 for inputs of `bits` bits (Theorem 11.2 of the paper).
const fn division_steps(bits: usize) -> usize {
    (49 * bits + if bits < 46 { 80 } else { 57 }) / 17
}

/// `1/x` modulo 2^62 for odd x.
const fn invert_digit(x: i64) -> i64 {
    let mut inverse = x;
    let mut i = 0;
    while i < 5 {
        inverse = inverse.wrapping_mul(2i64.wrapping_sub(x.wrapping_mul(inverse)));
        i += 1;
    }
    inverse & MASK
}

/// What 62 division steps do: `2^62 (f', g') = (u f + v g, q f + r g)`, with
/// `|u| + |v| <= 2^62` and `|q| + |r| <= 2^62`.
struct Matrix {
    u: i64,
    v: i64,
    q: i64,
    r: i64,
}

impl Matrix {
    /// 62 division steps on the low digits of f and g. `eta` is the paper's delta, negated.
    #[inline(always)]
    fn of_steps(eta: &mut i64, mut f: i64, mut g: i64) -> Self {
        let (mut u, mut v, mut q, mut r) = (1i64, 0i64, 0i64, 1i64);
        for _ in 0..DIGIT_BITS {
            // Masks: delta > 0; g odd; both, in which case f and g change places.
            let positive = ct::barrier(*eta >> 63);
            let odd = ct::barrier(-(g & 1));
            let signed = |x: i64| (x ^ positive).wrapping_sub(positive);
            g = g.wrapping_add(signed(f) & odd);
            q = q.wrapping_add(signed(u) & odd);
            r = r.wrapping_add(signed(v) & odd);
            let swap = positive & odd;
            *eta = (*eta ^ swap) - (swap + 1);
            f = f.wrapping_add(g & swap);
            u = u.wrapping_add(q & swap);
            v = v.wrapping_add(r & swap);
            g >>= 1;
            u <<= 1;
            v <<= 1;
        }
        Self { u, v, q, r }
    }

    /// `(f, g)` after the steps.
    #[inline(always)]
    fn apply(&self, f: &mut [i64], g: &mut [i64]) {
        let (u, v) = (i128::from(self.u), i128::from(self.v));
        let (q, r) = (i128::from(self.q), i128::from(self.r));
        let (mut cf, mut cg) = (0, 0);
        for i in 0..f.len() {
            let (x, y) = (i128::from(f[i]), i128::from(g[i]));
            cf += u * x + v * y;
            cg += q * x + r * y;
            // The low digit is zero.
            if i > 0 {
                f[i - 1] = cf as i64 & MASK;
                g[i - 1] = cg as i64 & MASK;
            }
            cf >>= DIGIT_BITS;
            cg >>= DIGIT_BITS;
        }
        f[f.len() - 1] = cf as i64;
        g[g.len() - 1] = cg as i64;
    }

    /// `(u d + v e, q d + r e) / 2^62` modulo `modulus`.
    ///
    /// In, out: d, e in `(-2 modulus, modulus)`.
    #[inline(always)]
    fn apply_modulo(&self, d: &mut [i64], e: &mut [i64], modulus: &[i64], inverse: i64) {
        let len = d.len();
        let (u, v) = (i128::from(self.u), i128::from(self.v));
        let (q, r) = (i128::from(self.q), i128::from(self.r));
        // Multiples of the modulus to add: one for each negative input, to keep the range, and
        // what makes the low digit zero.
        let (d_sign, e_sign) = (d[len - 1] >> 63, e[len - 1] >> 63);
        let (x, y) = (i128::from(d[0]), i128::from(e[0]));
        let clear = |sum: i128, multiple: i64| {
            let low = (sum as i64).wrapping_mul(inverse).wrapping_add(multiple) & MASK;
            i128::from(multiple - low)
        };
        let md = clear(u * x + v * y, (self.u & d_sign) + (self.v & e_sign));
        let me = clear(q * x + r * y, (self.q & d_sign) + (self.r & e_sign));
        let (mut cd, mut ce) = (0, 0);
        for i in 0..len {
            let (x, y, m) = (i128::from(d[i]), i128::from(e[i]), i128::from(modulus[i]));
            cd += u * x + v * y + m * md;
            ce += q * x + r * y + m * me;
            if i > 0 {
                d[i - 1] = cd as i64 & MASK;
                e[i - 1] = ce as i64 & MASK;
            }
            cd >>= DIGIT_BITS;
            ce >>= DIGIT_BITS;
        }
        d[len - 1] = cd as i64;
        e[len - 1] = ce as i64;
    }
}

/// Whether `f` is 1 or -1; `sign` is its sign mask.
fn is_unit(f: &[i64], sign: i64) -> bool {
    let last = f.len() - 1;
    let mut difference = 0;
    for (i, &digit) in f.iter().enumerate() {
        let one = i64::from(i == 0);
        let minus_one = if i == last { -1 } else { MASK };
        difference |= digit ^ ((one & !sign) | (minus_one & sign));
    }
    difference == 0
}

/// `a += b` under a mask.
fn add_masked(a: &mut [i64], b: &[i64], mask: i64) {
    let mask = ct::barrier(mask);
    let (mut carry, last) = (0, a.len() - 1);
    for (i, (a, &b)) in a.iter_mut().zip(b).enumerate() {
        // The top digits may use all 64 bits, but their sum does not overflow: it is in range.
        carry += a.wrapping_add(b & mask);
        *a = if i == last { carry } else { carry & MASK };
        carry >>= DIGIT_BITS;
    }
}

/// `a = -a` under a mask.
fn negate_masked(a: &mut [i64], mask: i64) {
    let mask = ct::barrier(mask);
    let (mut carry, last) = (0, a.len() - 1);
    for (i, a) in a.iter_mut().enumerate() {
        carry += (*a ^ mask) - mask;
        *a = if i == last { carry } else { carry & MASK };
        carry >>= DIGIT_BITS;
    }
}

/// `out = q v`; whether it fits `words` words, read as unsigned.
fn times_q(out: &mut [i64], v: &[i64], words: usize) -> bool {
    let mut carry = 0;
    for (out, &digit) in out.iter_mut().zip(v) {
        carry += i128::from(digit) * i128::from(pqsig_comm::fndsa::params::Q);
        *out = carry as i64 & MASK;
        carry >>= DIGIT_BITS;
    }
    let top = &mut out[v.len() - 1];
    let bits = if words.is_multiple_of(2) {
        DIGIT_BITS
    } else {
        WORD_BITS
    };
    let excess = carry as i64 | *top >> bits;
    *top = extend(*top, words);
    excess == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Lcg, big, to_digits};
    use num_bigint::BigInt;
    use num_integer::Integer;
    use std::{vec, vec::Vec};

    fn check(x: &BigInt, y: &BigInt, words: usize) -> bool {
        let len = digits(words);
        let mut out = vec![0; len];
        let mut scratch = vec![-1; SCRATCH_NUMBERS * len];
        let (x_digits, y_digits) = (to_digits_unsigned(x, len), to_digits_unsigned(y, len));
        let found = solve(&mut out, &x_digits, &y_digits, words, &mut scratch);

        if x.is_even() || y.is_even() {
            assert!(!found);
            return false;
        }
        let gcd = x.extended_gcd(y);
        // v = -1/y modulo x.
        let v = (-gcd.y).mod_floor(x);
        let product: BigInt = &v * 12289;
        let fits = (&product >> (31 * words)) == BigInt::from(0);
        let expected = gcd.gcd == BigInt::from(1) && fits;
        assert_eq!(found, expected, "{x} {y}");
        if found {
            let bits = BigInt::from(1) << (31 * words);
            assert_eq!(big(&out).mod_floor(&bits), product);
            assert_eq!(out[len - 1], extend(out[len - 1], words));
        }
        found
    }

    fn to_digits_unsigned(x: &BigInt, len: usize) -> Vec<i64> {
        to_digits(x, len + 1)[..len].to_vec()
    }

    #[test]
    fn solves_or_says_why_not() {
        let mut rng = Lcg::new(8);
        let (mut found, mut rounds) = (0, 0);
        for words in [2, 3, 4, 8, 14, 27, 53, 104, 207] {
            for round in 0..60u64 {
                let mut random = |bits: usize| {
                    let bytes: Vec<u8> = (0..bits / 8).map(|_| rng.next() as u8).collect();
                    let x = BigInt::from_bytes_le(num_bigint::Sign::Plus, &bytes);
                    (x << 1u32) + u32::from(round % 10 != 9)
                };
                let x = random(31 * words - if round % 2 == 0 { 0 } else { 30 }) >> (round % 3 * 7);
                let y = random(31 * words / (1 + round as usize % 3) - 20);
                let (x, y) = if round % 5 == 4 { (y, x) } else { (x, y) };
                let limit = BigInt::from(1) << (31 * words);
                found += u32::from(check(&x.mod_floor(&limit), &y.mod_floor(&limit), words));
                rounds += 1;
            }
        }
        assert!(found > 150 && rounds == 540, "{found}");
    }

    #[test]
    fn smallest_numbers() {
        for x in (1u32..60).step_by(2) {
            for y in 0u32..60 {
                check(&x.into(), &y.into(), 2);
                check(&x.into(), &y.into(), 3);
            }
        }
        // x = 1 leaves v = 0; y = 1 leaves v = x - 1.
        assert!(check(&1.into(), &5.into(), 2) && check(&5.into(), &1.into(), 2));
        let largest: BigInt = (BigInt::from(1) << 62) - 1;
        check(&largest, &(&largest - 2), 2);
    }
}
