//! Every kernel against a model in 64-bit integers, on every backend, at the bounds.

extern crate std;

use super::{portable::*, *};
use crate::fndsa::params::Q;
use sha2::{Digest, Sha256};
use std::{vec, vec::Vec};

const QI: i64 = Q as i64;

fn modulo(a: impl Into<i64>) -> i64 {
    a.into().rem_euclid(QI)
}

fn power(base: i64, exponent: u64) -> i64 {
    (0..exponent).fold(1, |product, _| product * base % QI)
}

fn reversed(bits: u32, i: usize) -> u64 {
    (i as u64).reverse_bits() >> (64 - bits)
}

/// A generator good enough for test inputs (xorshift).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn within(&mut self, bound: i16) -> i16 {
        let bound = i64::from(bound);
        ((self.next() >> 1) as i64 % (2 * bound + 1) - bound) as i16
    }
}

/// Inputs with |a| <= bound: constant at the bound, alternating, a single one, random.
fn inputs(n: usize, bound: i16) -> Vec<Vec<i16>> {
    let mut random = Random(n as u64 + 1);
    let mut inputs = vec![
        vec![bound; n],
        vec![-bound; n],
        (0..n)
            .map(|i| if i % 2 == 0 { bound } else { -bound })
            .collect(),
        (0..n).map(|i| i16::from(i == 1)).collect(),
        (0..n)
            .map(|i| if i < n / 2 { bound } else { -bound })
            .collect(),
    ];
    for _ in 0..10 {
        inputs.push((0..n).map(|_| random.within(bound)).collect());
        // Extremes at random: this is what drives sums up.
        inputs.push(
            (0..n)
                .map(|_| {
                    if random.next().is_multiple_of(2) {
                        bound
                    } else {
                        -bound
                    }
                })
                .collect(),
        );
    }
    inputs
}

/// The value number `i` of the NTT, by its definition.
fn evaluate(a: &[i16], i: usize) -> i64 {
    let n = a.len();
    let logn = n.trailing_zeros();
    let x = power(7, (2 * reversed(logn, i) + 1) * (1024 / n as u64));
    a.iter()
        .rev()
        .fold(0, |sum, &c| modulo(sum * x + i64::from(c)))
}

/// The product mod X^n + 1.
fn product(a: &[i16], b: &[i16]) -> Vec<i64> {
    let n = a.len();
    let mut out = vec![0_i64; n];
    for i in 0..n {
        for j in 0..n {
            let term = i64::from(a[i]) * i64::from(b[j]);
            out[(i + j) % n] += if i + j < n { term } else { -term };
        }
    }
    out.into_iter().map(modulo).collect()
}

/// Runs a kernel under every token of this machine.
macro_rules! on_every_backend {
    ($check:ident) => {{
        $check(Portable);
        if let Some(token) = crate::arch::Simd::detect() {
            $check(token);
        }
    }};
}

#[test]
fn scalar_functions_for_every_input() {
    for a in i16::MIN..=i16::MAX {
        let expected = modulo(a);
        assert_eq!(modulo(reduce(a)), expected);
        assert!((-1636..=INV_NTT_BOUND).contains(&reduce(a)));
        assert_eq!(i64::from(canonical(a)), expected);
        assert_eq!(modulo(center(a)), expected);
        assert!((-6144..=6144).contains(&center(a)));
        // a (1/a) = 1; the inverse of zero is zero.
        let mut quotient = [1, a];
        let invertible = divide(&mut quotient, &[a, a]);
        assert_eq!(invertible, expected != 0);
        assert_eq!(
            modulo(i64::from(quotient[0]) * i64::from(a)),
            i64::from(invertible)
        );
        assert_eq!(modulo(quotient[1]), i64::from(invertible));
    }
}

#[test]
fn montgomery_products_at_every_first_factor() {
    let two_to_16 = 1 << 16;
    let mut random = Random(7);
    for a in i16::MIN..=i16::MAX {
        let q = Q as i16;
        for b in [1 - q, -6144, -1, 0, 1, 6144, q - 1, random.within(q - 1)] {
            let v = montgomery(a, b);
            assert_eq!(
                modulo(i64::from(v) * two_to_16),
                modulo(i64::from(a) * i64::from(b))
            );
            assert!(v.abs() <= MUL_BOUND);
        }
    }
}

#[test]
fn roots_are_those_of_the_specification() {
    // SHA-256 of the powers 7^brv_10(i), as the specification gives it (section 6.1).
    let mut hash = Sha256::new();
    for i in 0..1024 {
        hash.update((power(7, reversed(10, i)) as u16).to_le_bytes());
    }
    let expected = "6997fa00a44ea55acafd275fadfc3daa55be472411af088dbc1762298483db9f";
    let digest = std::format!("{:?}", crate::encoding::Hex(&hash.finalize()));
    assert_eq!(digest, expected);
}

#[test]
fn positions_are_a_permutation() {
    for logn in 2..=10 {
        let mut seen = vec![false; 1 << logn];
        for i in 0..1 << logn {
            assert!(!core::mem::replace(&mut seen[position(logn, i)], true));
        }
    }
}

fn transform<B: Backend>(b: B) {
    for logn in 2..=10_u32 {
        let n = 1 << logn;
        for a in inputs(n, NTT_INPUT_BOUND) {
            let mut a_hat = vec![0; n];
            b.ntt(&mut a.clone(), &mut a_hat);
            assert!(
                a_hat
                    .iter()
                    .all(|v| v.unsigned_abs() <= NTT_BOUND.unsigned_abs())
            );
            // All values of the small degrees, some of the others.
            for i in (0..n).step_by(n.div_ceil(64) | 1) {
                assert_eq!(
                    modulo(a_hat[position(logn, i)]),
                    evaluate(&a, i),
                    "n {n} value {i}"
                );
            }

            // There and back, by way of a product with 1.
            let mut one = vec![1; n];
            b.prescale(&mut one);
            b.multiply(&mut a_hat, &one);
            let mut back = vec![0; n];
            b.inv_ntt(&mut a_hat, &mut back);
            assert!(
                back.iter().zip(&a).all(|(&x, &y)| modulo(x) == modulo(y)),
                "n {n}"
            );
            assert!(back.iter().all(|v| v.abs() <= INV_NTT_BOUND));
        }
    }
}

#[test]
fn transforms_equal_the_definition() {
    on_every_backend!(transform);
}

fn inverse_at_the_bounds<B: Backend>(b: B) {
    for logn in 2..=10 {
        let n = 1 << logn;
        for v in inputs(n, MUL_BOUND) {
            let mut a = vec![0; n];
            b.inv_ntt(&mut v.clone(), &mut a);
            assert!(a.iter().all(|v| v.abs() <= INV_NTT_BOUND));
            // The transform of the (centred) result is n v.
            for i in (0..n).step_by(n.div_ceil(16) | 1) {
                let expected = modulo(i64::from(v[position(logn, i)]) * n as i64);
                assert_eq!(evaluate(&a, i), expected);
            }
        }
    }
}

#[test]
fn inverse_transform_keeps_its_bounds() {
    on_every_backend!(inverse_at_the_bounds);
}

fn products<B: Backend>(b: B) {
    for logn in 2..=10_u32 {
        let n = 1 << logn;
        let factors = inputs(n, 840);
        for (x, y) in factors
            .iter()
            .zip(factors.iter().rev())
            .take(if n > 256 { 3 } else { 25 })
        {
            let (mut x_hat, mut y_hat) = (vec![0; n], vec![0; n]);
            b.ntt(&mut x.clone(), &mut x_hat);
            b.ntt(&mut y.clone(), &mut y_hat);
            b.prescale(&mut y_hat);
            b.multiply(&mut x_hat, &y_hat);
            assert!(x_hat.iter().all(|v| v.abs() <= MUL_BOUND));
            let mut xy = vec![0; n];
            b.inv_ntt(&mut x_hat, &mut xy);
            let xy: Vec<i64> = xy.into_iter().map(modulo).collect();
            assert_eq!(xy, product(x, y));
        }
    }
}

#[test]
fn products_equal_schoolbook() {
    on_every_backend!(products);
}

fn quotients<B: Backend>(b: B) {
    let mut random = Random(99);
    for n in [4, 32, 512, 1024] {
        let mut x: Vec<i16> = (0..n).map(|_| random.within(NTT_BOUND)).collect();
        let mut y: Vec<i16> = (0..n).map(|_| random.within(NTT_BOUND)).collect();
        y.iter_mut()
            .filter(|y| modulo(**y) == 0)
            .for_each(|y| *y = 1);
        let dividend = x.clone();
        assert!(b.divide(&mut x, &y));
        for i in 0..n {
            assert_eq!(
                modulo(i64::from(x[i]) * i64::from(y[i])),
                modulo(dividend[i])
            );
        }
        // A single zero is noticed wherever it is, in each of its forms.
        for i in 0..n {
            for zero in [0, Q as i16, -(Q as i16), 2 * Q as i16] {
                let kept = core::mem::replace(&mut y[i], zero);
                assert!(!b.divide(&mut x.clone(), &y));
                y[i] = kept;
            }
        }
    }
}

#[test]
fn quotients_and_zero_divisors() {
    on_every_backend!(quotients);
}

fn norms<B: Backend>(b: B) {
    let mut random = Random(5);
    for len in [1, 4, 63, 68] {
        for _ in 0..200 {
            // s1 in range, so that the norm is asked for; one of them then at or over the bound.
            let mut s1: Vec<i16> = (0..len).map(|_| random.within(840)).collect();
            let at = random.next() as usize % len;
            for extreme in [840, -840, 841, -841, 6144, -6144] {
                s1[at] = extreme;
                let t: Vec<i16> = (0..len).map(|_| random.within(INV_NTT_BOUND)).collect();
                let c: Vec<u16> = t
                    .iter()
                    .zip(&s1)
                    .map(|(t, s)| modulo(t + s) as u16)
                    .collect();
                let norm = s1
                    .iter()
                    .map(|&s| (i32::from(s) * i32::from(s)) as u32)
                    .sum();
                let expected = (extreme.abs() <= 840).then_some(norm);
                assert_eq!(b.difference_norm(&c, &t), expected);
            }
        }
    }
    // L55: residues are centred in [-6144, 6144], on both sides of the turn.
    for c in 0..Q {
        let s1 = if c > 6144 {
            c as i16 - Q as i16
        } else {
            c as i16
        };
        let expected = (s1.abs() <= 840).then_some((i32::from(s1) * i32::from(s1)) as u32);
        assert_eq!(b.difference_norm(&[c], &[0]), expected);
        assert_eq!(center(c as i16), s1);
    }
    // Nothing overflows if everything is as wrong as can be.
    assert_eq!(b.difference_norm(&[6144; 68], &[0; 68]), None);
    assert_eq!(b.difference_norm(&[Q - 1; 68], &[-INV_NTT_BOUND; 68]), None);
}

#[test]
fn norms_equal_a_model() {
    on_every_backend!(norms);
}
