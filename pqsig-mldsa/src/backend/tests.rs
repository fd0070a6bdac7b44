//! Every kernel of every backend against a slow model written from FIPS 204: exhaustively for
//! functions of one coefficient, else at the ends of the stated bounds and on random inputs.

extern crate std;

mod equality;

use super::{Backend, portable::NTT_BOUND};
use crate::{
    params::{D, Eta, Gamma2, N, Q},
    poly::{Element as _, Normal, Ntt, Poly, Product},
    sparse::{Challenge, Medium, Small},
};
use core::fmt::Write as _;
use std::{string::String, vec, vec::Vec};

/// Runs a generic check on each backend that this machine has.
macro_rules! on_every_backend {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            checks::$name(pqsig_comm::arch::Portable);
            if let Some(simd) = pqsig_comm::arch::Simd::detect() {
                checks::$name(simd);
            }
        }
    )*};
}

on_every_backend! {
    ntt_values_are_those_of_the_standard
    products_are_negacyclic
    sparse_products_are_negacyclic
    dot_products_hold_at_the_bounds
    inverse_transform_is_exact_on_small_values
    uniform_candidates
    bounded_candidates
    power2round_for_every_coefficient
    decompose_for_every_coefficient
    use_hint_for_every_coefficient
    make_hint_says_whether_the_high_bits_change
    packing_is_bit_by_bit
    field_operations_hash
}

/// A small generator of test inputs (SplitMix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A value in `low..=high`.
    fn within(&mut self, low: i32, high: i32) -> i32 {
        (i64::from(low) + (self.next() % (i64::from(high) - i64::from(low) + 1) as u64) as i64)
            as i32
    }
}

/// Polynomials with coefficients in `low..=high`: the ends, their mixtures, and random ones.
fn samples(low: i32, high: i32) -> Vec<[i32; N]> {
    let mut random = Random(low as u64 ^ (high as u64) << 32);
    let mut polys = vec![
        [low; N],
        [high; N],
        core::array::from_fn(|i| [low, high][i % 2]),
    ];
    for _ in 0..4 {
        polys.push(core::array::from_fn(|_| {
            [low, high][(random.next() % 2) as usize]
        }));
        polys.push(core::array::from_fn(|_| random.within(low, high)));
    }
    polys
}

/// All of [0, q), 256 coefficients at a time; the last polynomial is filled up with zeros.
fn every_coefficient() -> impl Iterator<Item = [i32; N]> {
    (0..Q).step_by(N).map(|start| {
        core::array::from_fn(|i| {
            if start + (i as i32) < Q {
                start + i as i32
            } else {
                0
            }
        })
    })
}

fn modulo(a: i128) -> i32 {
    a.rem_euclid(i128::from(Q)) as i32
}

/// `r mod+- alpha`: in (-alpha / 2, alpha / 2].
fn centred(r: i32, alpha: i32) -> i32 {
    let r = r.rem_euclid(alpha);
    if r > alpha / 2 { r - alpha } else { r }
}

/// FIPS 204, Algorithm 36.
fn decompose(gamma2: Gamma2, r: i32) -> (i32, i32) {
    let r = r.rem_euclid(Q);
    let r0 = centred(r, 2 * gamma2.value());
    if r - r0 == Q - 1 {
        (0, r0 - 1)
    } else {
        ((r - r0) / (2 * gamma2.value()), r0)
    }
}

/// FIPS 204, Algorithm 40.
fn use_hint(gamma2: Gamma2, hint: u8, r: i32) -> i32 {
    let m = (Q - 1) / (2 * gamma2.value());
    match (hint, decompose(gamma2, r)) {
        (1, (r1, r0)) if r0 > 0 => (r1 + 1).rem_euclid(m),
        (1, (r1, _)) => (r1 - 1).rem_euclid(m),
        (_, (r1, _)) => r1,
    }
}

fn negacyclic(a: &[i32; N], b: &[i32; N]) -> [i32; N] {
    let mut sums = [0i128; N];
    for (i, &a) in a.iter().enumerate() {
        for (j, &b) in b.iter().enumerate() {
            let sign = if i + j < N { 1 } else { -1 };
            sums[(i + j) % N] += sign * i128::from(a) * i128::from(b);
        }
    }
    sums.map(modulo)
}

fn residues(coeffs: &[i32; N]) -> [i32; N] {
    coeffs.map(|c| modulo(i128::from(c)))
}

const GAMMA2: [Gamma2; 2] = [Gamma2::Q88, Gamma2::Q32];

mod checks {
    use super::*;

    pub(super) fn ntt_values_are_those_of_the_standard<B: Backend>(b: B) {
        let mut powers = vec![1i128];
        for i in 1..512 {
            powers.push(powers[i - 1] * 1753 % i128::from(Q));
        }
        for coeffs in samples(1 - Q, Q - 1) {
            let mut out = Poly::ZERO;
            b.ntt(&Poly::new(coeffs), &mut out);
            for (i, &value) in out.coeffs.iter().enumerate() {
                assert!(i64::from(value).abs() < NTT_BOUND);
                // Value i is the polynomial at zeta^(2 BitRev8(i) + 1).
                let exponent = 2 * usize::from((i as u8).reverse_bits()) + 1;
                let terms = coeffs.iter().enumerate();
                let sum = terms
                    .map(|(j, &c)| i128::from(c) * powers[exponent * j % 512])
                    .sum();
                assert_eq!(modulo(i128::from(value)), modulo(sum));
            }
        }
    }

    pub(super) fn products_are_negacyclic<B: Backend>(b: B) {
        let inputs = samples(1 - Q, Q - 1);
        for (x, y) in inputs.iter().zip(inputs.iter().rev()) {
            let mut hats: [[Poly<Ntt>; 1]; 2] = [[Poly::ZERO], [Poly::ZERO]];
            b.ntt(&Poly::new(*x), &mut hats[0][0]);
            b.ntt(&Poly::new(*y), &mut hats[1][0]);
            let mut product = Poly::ZERO;
            b.dot(&hats[0], &hats[1], &mut product);
            assert!(product.coeffs.iter().all(|v| v.abs() < Q));
            let mut out = Poly::ZERO;
            b.inv_ntt(&product, &mut out);
            assert!(
                out.coeffs
                    .iter()
                    .all(|c| 4 * i64::from(c.abs()) < 3 * i64::from(Q))
            );
            assert_eq!(residues(&out.coeffs), negacyclic(x, y));
        }
    }

    pub(super) fn sparse_products_are_negacyclic<B: Backend>(b: B) {
        let mut random = Random(5);
        for round in 0..40 {
            let tau = [39, 49, 60][round % 3];
            let mut c = [0i8; N];
            let mut count = 0;
            while count < tau {
                let place = (random.next() % 256) as usize;
                if c[place] == 0 {
                    // Some rounds have only ones, or only minus ones.
                    c[place] = [1, -1, [1, -1][(random.next() % 2) as usize]][round % 4 % 3];
                    count += 1;
                }
            }
            let mut challenge = Challenge::ZERO;
            challenge.set(&c);
            let centre = |product: [i32; N]| product.map(|v| centred(v, Q));
            for (eta, bound) in [(Eta::Two, 2), (Eta::Four, 4)] {
                for s in samples(-bound, bound) {
                    let (mut small, mut out) = (Small::ZERO, Poly::new([9; N]));
                    small.set(&Poly::new(s));
                    b.multiply_small(eta, &challenge, &small, &mut out);
                    assert_eq!(out.coeffs, centre(negacyclic(&c.map(i32::from), &s)));
                }
            }
            for t in samples(-(1 << 12), 1 << 12) {
                let (mut medium, mut out) = (Medium::ZERO, Poly::new([9; N]));
                medium.set(&Poly::new(t));
                b.multiply_medium(&challenge, &medium, &mut out);
                assert_eq!(out.coeffs, centre(negacyclic(&c.map(i32::from), &t)));
            }
        }
    }

    pub(super) fn dot_products_hold_at_the_bounds<B: Backend>(b: B) {
        let bound = (NTT_BOUND - 1) as i32;
        let (rows, vectors) = (samples(1 - Q, Q - 1), samples(-bound, bound));
        for (row, vector) in rows.iter().zip(&vectors) {
            for sign in [1, -1] {
                let row: Vec<Poly<Ntt>> = vec![Poly::new(*row); 7];
                let vector: Vec<Poly<Ntt>> = vec![Poly::new(vector.map(|v| sign * v)); 7];
                let c = &vector[0];
                let t = &Poly::new(vector[0].coeffs.map(|v| -sign * v));
                for len in [4, 5, 7] {
                    let (row, vector) = (&row[..len], &vector[..len]);
                    let (mut plain, mut less) = (Poly::ZERO, Poly::ZERO);
                    b.dot(row, vector, &mut plain);
                    b.dot_minus(row, vector, (c, t), &mut less);
                    for i in 0..N {
                        let at = |poly: &Poly<Ntt>| i128::from(poly.coeffs[i]);
                        let sum = len as i128 * at(&row[0]) * at(&vector[0]);
                        let check = |found: &Poly<Product>, expected: i128| {
                            assert!(found.coeffs[i].abs() < Q);
                            let scaled = i128::from(found.coeffs[i]) << 32;
                            assert_eq!(modulo(scaled), modulo(expected));
                        };
                        check(&plain, sum);
                        check(&less, sum - at(c) * at(t));
                    }
                }
            }
        }
    }

    pub(super) fn inverse_transform_is_exact_on_small_values<B: Backend>(b: B) {
        let one = {
            let mut coeffs = [0; N];
            coeffs[0] = 1;
            let mut one = [Poly::ZERO];
            b.ntt(&Poly::new(coeffs), &mut one[0]);
            one
        };
        for coeffs in samples(-Q / 4, Q / 4) {
            let (mut hat, mut product, mut out) = ([Poly::ZERO], Poly::ZERO, Poly::ZERO);
            b.ntt(&Poly::new(coeffs), &mut hat[0]);
            b.dot(&hat, &one, &mut product);
            b.inv_ntt(&product, &mut out);
            assert_eq!(out.coeffs, coeffs);
        }
        // The largest inputs that are allowed.
        for coeffs in samples(1 - Q, Q - 1) {
            let mut out = Poly::ZERO;
            b.inv_ntt(&Poly::new(coeffs), &mut out);
            assert!(
                out.coeffs
                    .iter()
                    .all(|c| 4 * i64::from(c.abs()) < 3 * i64::from(Q))
            );
        }
    }

    pub(super) fn uniform_candidates<B: Backend>(b: B) {
        let mut random = Random(1);
        for round in 0..200 {
            let mut bytes = [0u8; 168];
            for candidate in bytes.chunks_exact_mut(3) {
                // Mostly around q, where the decision is made; the top bit is ignored.
                let value = match random.next() % 4 {
                    0 => random.within(0, (1 << 24) - 1),
                    1 => random.within(Q - 3, Q + 3),
                    2 => random.within(Q - 3, Q + 3) | 1 << 23,
                    _ => random.within(0, Q - 1),
                };
                candidate.copy_from_slice(&value.to_le_bytes()[..3]);
            }
            let start = if round % 2 == 0 {
                0
            } else {
                random.within(150, 256) as usize
            };
            let mut expected = [7; N];
            let mut count = start;
            for candidate in bytes.chunks_exact(3) {
                let top = i32::from(candidate[2] & 127);
                let z = (top << 16) + (i32::from(candidate[1]) << 8) + i32::from(candidate[0]);
                if z < Q && count < N {
                    expected[count] = z;
                    count += 1;
                }
            }
            let mut found = Poly::new([7; N]);
            assert_eq!(b.rej_uniform(&bytes, &mut found, start), count);
            assert_eq!(found.coeffs[..count], expected[..count]);
        }
    }

    pub(super) fn bounded_candidates<B: Backend>(b: B) {
        // FIPS 204, Algorithm 15.
        let model = |eta: Eta, half: u8| match eta {
            Eta::Two if half < 15 => Some(2 - i32::from(half) % 5),
            Eta::Four if half < 9 => Some(4 - i32::from(half)),
            _ => None,
        };
        for eta in [Eta::Two, Eta::Four] {
            for start in [0, 100, 200, 255, 256] {
                // Every byte, in blocks as they are squeezed.
                for first in 0..=255u8 {
                    let bytes: [u8; 136] = core::array::from_fn(|i| first.wrapping_add(i as u8));
                    let mut found = Poly::new([7; N]);
                    let halves = bytes.iter().flat_map(|byte| [byte & 15, byte >> 4]);
                    let accepted: Vec<i32> = halves.filter_map(|half| model(eta, half)).collect();
                    let count = accepted.len().min(N - start);
                    assert_eq!(b.rej_bounded(eta, &bytes, &mut found, start), start + count);
                    assert_eq!(found.coeffs[start..start + count], accepted[..count]);
                }
            }
        }
    }

    pub(super) fn power2round_for_every_coefficient<B: Backend>(b: B) {
        for coeffs in every_coefficient() {
            let (mut t, mut t1) = (Poly::new(coeffs), Poly::ZERO);
            b.power2round(&mut t, &mut t1);
            for i in 0..N {
                let low = centred(coeffs[i], 1 << D);
                assert_eq!(t.coeffs[i], low);
                assert_eq!(t1.coeffs[i], (coeffs[i] - low) >> D);
            }
        }
    }

    pub(super) fn decompose_for_every_coefficient<B: Backend>(b: B) {
        for gamma2 in GAMMA2 {
            for coeffs in every_coefficient() {
                let (mut r, mut r1) = (Poly::new(coeffs), Poly::ZERO);
                b.decompose(gamma2, &mut r, &mut r1);
                for i in 0..N {
                    assert_eq!((r1.coeffs[i], r.coeffs[i]), decompose(gamma2, coeffs[i]));
                }
            }
        }
    }

    pub(super) fn use_hint_for_every_coefficient<B: Backend>(b: B) {
        for gamma2 in GAMMA2 {
            for coeffs in every_coefficient() {
                for bit in 0..2 {
                    let mut r = Poly::new(coeffs);
                    b.use_hint(gamma2, &[bit; N], &mut r);
                    for i in 0..N {
                        assert_eq!(r.coeffs[i], use_hint(gamma2, bit, coeffs[i]));
                    }
                }
            }
        }
    }

    pub(super) fn make_hint_says_whether_the_high_bits_change<B: Backend>(b: B) {
        for gamma2 in GAMMA2 {
            let width = gamma2.value();
            let mut random = Random(3);
            for _ in 0..2000 {
                // w - c s2 = w1 alpha + r0 with r0 well inside its interval, and a c t0.
                let mut w1 = [0; N];
                let (mut moved, mut expected) = ([0; N], [0; N]);
                for i in 0..N {
                    let r = random.within(0, Q - 1);
                    let (high, r0) = decompose(gamma2, r);
                    let target = [width, -width, width + 1, -width - 1, width - 1];
                    let ct0 = match random.next() % 3 {
                        0 => target[(random.next() % 5) as usize] - r0,
                        _ => random.within(1 - width, width - 1),
                    };
                    if ct0.abs() >= width {
                        continue;
                    }
                    w1[i] = high;
                    moved[i] = r0 + ct0;
                    // FIPS 204, Algorithm 39, of (-ct0, w - cs2 + ct0).
                    expected[i] = u8::from(decompose(gamma2, r + ct0).0 != high);
                }
                let mut hint = [9; N];
                let ones = b.make_hint(gamma2, &Poly::new(moved), &Poly::new(w1), &mut hint);
                assert_eq!(hint, expected);
                assert_eq!(ones, expected.iter().filter(|&&bit| bit == 1).count());
            }
        }
    }

    pub(super) fn packing_is_bit_by_bit<B: Backend>(b: B) {
        check_width::<B, 3>(b, 2);
        check_width::<B, 4>(b, 4);
        check_width::<B, 6>(b, 43);
        check_width::<B, 10>(b, 1 << 9);
        check_width::<B, 13>(b, 1 << 12);
        check_width::<B, 18>(b, 1 << 17);
        check_width::<B, 20>(b, 1 << 19);
    }

    fn check_width<B: Backend, const BITS: usize>(b: B, top: i32) {
        for values in samples(0, (1 << BITS) - 1) {
            let mut expected = vec![0u8; 32 * BITS];
            for bit in 0..N * BITS {
                let value = values[bit / BITS] >> (bit % BITS) & 1;
                expected[bit / 8] |= (value as u8) << (bit % 8);
            }
            let mut bytes = vec![0xA5; 32 * BITS];
            b.pack::<BITS>(&Poly::new(values), &mut bytes);
            assert_eq!(bytes, expected);
            let below = Poly::<Normal>::new(values.map(|value| top - value));
            bytes.fill(0xA5);
            b.pack_below::<BITS>(top, &below, &mut bytes);
            assert_eq!(bytes, expected);

            let mut found = Poly::ZERO;
            b.unpack::<BITS>(&bytes, &mut found);
            assert_eq!(found.coeffs, values);
            b.unpack_below::<BITS>(top, &bytes, &mut found);
            assert_eq!(found.coeffs, below.coeffs);
        }
    }

    /// C2SP/CCTV's hash of the functions of one coefficient, over all of [0, q): the definition
    /// is in the repository of that name, under ML-DSA/accumulated.
    pub(super) fn field_operations_hash<B: Backend>(b: B) {
        let mut shake = pqsig_comm::shake::Shake128::new(b);
        let mut text = String::new();
        let mut lines = 0;
        for (block, coeffs) in every_coefficient().enumerate() {
            let (mut t0, mut t1) = (Poly::new(coeffs), Poly::ZERO);
            b.power2round(&mut t0, &mut t1);
            let parts = GAMMA2.map(|gamma2| {
                let (mut low, mut high) = (Poly::new(coeffs), Poly::ZERO);
                b.decompose(gamma2, &mut low, &mut high);
                let mut hinted = Poly::new(coeffs);
                b.use_hint(gamma2, &[1; N], &mut hinted);
                (high, hinted, low)
            });
            text.clear();
            for i in 0..N.min(Q as usize - block * N) {
                let r = centred(coeffs[i], Q);
                let t0 = t0.coeffs[i].rem_euclid(Q);
                write!(text, "{r}\n{}\n{}\n{t0}\n", r.abs(), t1.coeffs[i]).expect("a string");
                for (high, hinted, low) in &parts {
                    let (high, hinted, low) = (high.coeffs[i], hinted.coeffs[i], low.coeffs[i]);
                    write!(text, "{high}\n{hinted}\n{low}\n{}\n", low.abs()).expect("a string");
                }
                lines += 12;
            }
            shake.absorb(text.as_bytes());
        }
        assert_eq!(lines, 12 * Q);
        let mut hash = [0; 32];
        shake.finish().read(&mut hash);
        let hex = std::format!("{:?}", pqsig_comm::encoding::Hex(&hash));
        assert_eq!(
            hex,
            "f930663417278156ab05d940294a77210a809c924d8ab63ec72f4526247602c7"
        );
    }
}
