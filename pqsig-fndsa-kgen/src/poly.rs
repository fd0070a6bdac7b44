//! Polynomials modulo the small primes: transforms, and the way to residues and back.
//!
//! A polynomial of multi-digit integers has `digits` digits per coefficient, one coefficient
//! after the other (see [`crate::zint`]). In residue form it is one array of n residues per
//! prime, one prime after the other.
//!
//! The transforms pick the CPU features themselves, once per call: with AVX2 the compiler makes
//! vectors of their lanes.

use crate::{
    mp31::{GARNER, Prime, RNS, RNS_COUNT, roots},
    zint::{self, DIGIT_BITS, MASK, products},
};

use pqsig_comm::{arch::Arch, entry};

/// Most digits of a coefficient in residue form: six words.
const MAX_DIGITS: usize = zint::digits(RNS_COUNT);

entry! {
    /// Coefficients to values modulo prime number `k`, in place. Value i is that at
    /// `w^(2 brv(i) + 1)`, w a root of order 2n; so values `2i` and `2i + 1` are those at some x
    /// and -x, and value `n - 1 - i` is that at the inverse of the point of value i.
    ///
    /// In, out: `[0, p)`.
    pub(crate) fn ntt[](a: &mut [i64], k: usize) = ntt_on
}

#[inline(always)]
fn ntt_on<A: Arch>(_: A, a: &mut [i64], k: usize) {
    let field = &RNS[k];
    let (mut blocks, mut t) = (1, a.len());
    while t > 1 {
        let roots = &roots(k)[blocks..2 * blocks];
        for (a, &s) in a.chunks_exact_mut(t).zip(roots) {
            let (low, high) = a.split_at_mut(t / 2);
            for (x, y) in low.iter_mut().zip(high) {
                let z = field.mul(*y as u64, u64::from(s));
                *y = field.sub(*x as u64, z) as i64;
                *x = field.add(*x as u64, z) as i64;
            }
        }
        t /= 2;
        blocks *= 2;
    }
}

entry! {
    /// Values to coefficients modulo prime number `k`, in place.
    ///
    /// In, out: `[0, p)`.
    pub(crate) fn intt[](a: &mut [i64], k: usize) = intt_on
}

#[inline(always)]
fn intt_on<A: Arch>(_: A, a: &mut [i64], k: usize) {
    let field = &RNS[k];
    let n = a.len();
    let (mut blocks, mut t) = (n / 2, 2);
    while blocks > 0 {
        // 1/w^brv(blocks + i) is -w^brv(2 blocks + blocks - 1 - i): the exponents add up to the
        // order of -1.
        let roots = roots(k)[blocks..2 * blocks].iter().rev();
        for (a, &s) in a.chunks_exact_mut(t).zip(roots) {
            let (low, high) = a.split_at_mut(t / 2);
            for (x, y) in low.iter_mut().zip(high) {
                let difference = field.sub(*y as u64, *x as u64);
                *x = field.add(*x as u64, *y as u64) as i64;
                *y = field.mul(difference, u64::from(s)) as i64;
            }
        }
        t *= 2;
        blocks /= 2;
    }
    // 1/n in Montgomery form: n (p-1)/n = -1.
    let scale = field.enter(field.p - (field.p - 1) / n as u64);
    a.iter_mut()
        .for_each(|x| *x = field.mul(*x as u64, scale) as i64);
}

/// Residues of small integers.
///
/// In: `|x| <= 2^31`. Out: `[0, p)`.
#[inline(always)]
pub(crate) fn set_small(out: &mut [i64], values: impl Iterator<Item = i64>, field: &Prime) {
    for (out, x) in out.iter_mut().zip(values) {
        *out = field.residue(x) as i64;
    }
}

/// Residues of multi-digit integers modulo one prime.
///
/// Out: `[0, p)`.
#[inline(always)]
pub(crate) fn reduce(out: &mut [i64], poly: &[i64], digits: usize, field: &Prime) {
    /// 2^31 - 1.
    const M31: i64 = 0x7FFF_FFFF;
    // 2^(31 i) modulo p, in Montgomery form.
    let mut powers = [0; 2 * MAX_DIGITS];
    let mut power = field.enter(1);
    for slot in &mut powers[..2 * digits] {
        *slot = power;
        power = field.mul(power, field.enter((1 << 31) - field.p));
    }
    for (out, x) in out.iter_mut().zip(poly.chunks_exact(digits)) {
        let (top, rest) = (x[digits - 1], &x[..digits - 1]);
        let mut sum = field.mul((top & M31) as u64, powers[2 * digits - 2]);
        let sign = field.residue(top >> 31);
        sum = field.add(sum, field.mul(sign, powers[2 * digits - 1]));
        for (&digit, powers) in rest.iter().zip(powers.chunks_exact(2)) {
            sum = field.add(sum, field.mul((digit & M31) as u64, powers[0]));
            sum = field.add(sum, field.mul((digit >> 31) as u64, powers[1]));
        }
        *out = sum as i64;
    }
}

/// The integers in `[-(P-1)/2, (P-1)/2]` that have the given residues modulo the first `words`
/// primes, P their product. Overwrites `residues`.
#[inline(always)]
pub(crate) fn rebuild(out: &mut [i64], digits: usize, residues: &mut [i64], words: usize) {
    let mut out = out.chunks_exact_mut(digits);
    rebuild_each(residues, words, |_, value| {
        if let Some(out) = out.next() {
            zint::copy_resized(out, value);
        }
    });
}

/// As [`rebuild`], each coefficient given to `sink` with its number, in `digits(words)` digits.
#[inline(always)]
pub(crate) fn rebuild_each(
    residues: &mut [i64],
    words: usize,
    mut sink: impl FnMut(usize, &[i64]),
) {
    let n = residues.len() / words;
    mixed_radix(residues, words, n);
    let half = products::half(words);
    for i in 0..n {
        let mut value = [0; MAX_DIGITS];
        for k in 0..words {
            let (mut carry, v) = (0, i128::from(residues[k * n + i]));
            for (value, &p) in value.iter_mut().zip(products::small(k)) {
                carry += i128::from(*value) + v * i128::from(p);
                *value = carry as i64 & MASK;
                carry >>= DIGIT_BITS;
            }
        }
        // Subtract P = 2 (P-1)/2 + 1 where the value is above (P-1)/2.
        let above = pqsig_comm::ct::barrier(zint::sign_of_difference(half, &value));
        let (mut carry, last) = (above, half.len() - 1);
        for (j, &h) in half.iter().enumerate() {
            carry += value[j] - 2 * (h & above);
            value[j] = if j == last { carry } else { carry & MASK };
            carry >>= DIGIT_BITS;
        }
        sink(i, &value[..half.len()]);
    }
}

/// Residues `r_k` to mixed-radix digits `v_k` with value `sum v_k P(k)`, in place (Garner).
#[inline(always)]
fn mixed_radix(residues: &mut [i64], words: usize, n: usize) {
    for k in 1..words {
        let field = &RNS[k];
        let (known, rest) = residues.split_at_mut(k * n);
        for (i, r) in rest[..n].iter_mut().enumerate() {
            // Horner, from the top digit; a digit below p_j is below 2 p_k.
            let digit = |j: usize| field.residue(known[j * n + i]);
            let mut value = digit(k - 1);
            for j in (0..k - 1).rev() {
                let p = field.enter(RNS[j].p - field.p);
                value = field.add(field.mul(value, p), digit(j));
            }
            *r = field.mul(field.sub(*r as u64, value), GARNER[k]) as i64;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Lcg, big, to_digits};
    use num_bigint::BigInt;
    use num_integer::Integer;
    use std::{vec, vec::Vec};

    #[test]
    fn transforms_are_inverse_and_multiply() {
        let mut rng = Lcg::new(3);
        for (k, max) in [10, 9, 8, 7, 7, 7].into_iter().enumerate() {
            let field = &RNS[k];
            for logn in 0..=max {
                let n = 1 << logn;
                let mut random =
                    || -> Vec<i64> { (0..n).map(|_| (rng.next() % field.p) as i64).collect() };
                let (a, b) = (random(), random());
                let mut fa = a.clone();
                ntt(&mut fa, k);
                assert!(logn == 0 || fa != a);
                let mut back = fa.clone();
                intt(&mut back, k);
                assert_eq!(back, a);

                let mut fb = b.clone();
                ntt(&mut fb, k);
                let mut product: Vec<i64> = (fa.iter().zip(&fb))
                    .map(|(&x, &y)| field.mul(field.enter(x as u64), y as u64) as i64)
                    .collect();
                intt(&mut product, k);
                for i in (0..n).step_by(1 + n / 16) {
                    let mut expected = 0;
                    for j in 0..n {
                        let term = i128::from(a[j]) * i128::from(b[(n + i - j) % n]);
                        expected += if j <= i { term } else { -term };
                    }
                    assert_eq!(i128::from(product[i]), expected.rem_euclid(field.p.into()));
                }

                // Values 2i and 2i+1 are at x and -x; value n-1-i is at 1/x.
                if n > 1 {
                    let mut minus = a.clone();
                    for x in minus.iter_mut().skip(1).step_by(2) {
                        *x = field.sub(0, *x as u64) as i64;
                    }
                    ntt(&mut minus, k);
                    let mut adjoint = vec![a[0]; n];
                    for i in 1..n {
                        adjoint[i] = field.sub(0, a[n - i] as u64) as i64;
                    }
                    ntt(&mut adjoint, k);
                    for i in 0..n {
                        assert_eq!(minus[i], fa[i ^ 1]);
                        assert_eq!(adjoint[i], fa[n - 1 - i]);
                    }
                }
            }
        }
    }

    #[test]
    fn rebuild_inverts_reduce_at_the_bounds_and_inside() {
        let mut rng = Lcg::new(4);
        for words in 1..=RNS_COUNT {
            let digits = zint::digits(words);
            let half = big(products::half(words));
            let mut poly = Vec::new();
            let mut expected = Vec::new();
            for case in 0..300 {
                let value: BigInt = match case {
                    0 => half.clone(),
                    1 => -&half,
                    2 => BigInt::from(0),
                    3 => BigInt::from(-1),
                    4 => &half - 1,
                    _ => {
                        let mut v = BigInt::from(rng.next() as i64 >> (case % 64));
                        for _ in 1..case % words.max(2) {
                            v = (v << 31) + (rng.next() as i64 >> 20);
                        }
                        v
                    }
                };
                if value.magnitude() > half.magnitude() {
                    continue;
                }
                poly.extend(to_digits(&value, digits));
                expected.push(value);
            }
            let n = expected.len();
            assert!(n > 100);
            let mut residues = vec![0; words * n];
            for k in 0..words {
                reduce(&mut residues[k * n..][..n], &poly, digits, &RNS[k]);
                for (r, value) in residues[k * n..][..n].iter().zip(&expected) {
                    assert_eq!(BigInt::from(*r), value.mod_floor(&RNS[k].p.into()));
                }
            }
            // More digits than needed are filled with the sign.
            let mut out = vec![7; n * (digits + 1)];
            rebuild(&mut out, digits + 1, &mut residues.clone(), words);
            for (x, value) in out.chunks_exact(digits + 1).zip(&expected) {
                assert_eq!(x, to_digits(value, digits + 1));
            }
            rebuild(&mut out[..n * digits], digits, &mut residues, words);
            assert_eq!(out[..n * digits], poly);
        }
    }
}
