//! Every kernel of every SIMD backend against the portable one: the same numbers, or the same
//! residues where only those are promised, on 100,000 random inputs (2,000 with debug assertions).

use super::{Random, residues};
use crate::{
    backend::{Backend, portable::NTT_BOUND},
    params::{D, Eta, Gamma2, N, Q},
    poly::{Domain, Element as _, Normal, Ntt, Poly, Product},
    sparse::{Challenge, Medium, Small},
};
use pqsig_comm::arch::Portable;

const CASES: usize = if cfg!(debug_assertions) {
    2_000
} else {
    100_000
};

macro_rules! equal_to_portable {
    ($($name:ident)*) => {$(
        #[test]
        fn $name() {
            if let Some(simd) = pqsig_comm::arch::Simd::detect() {
                kernels::$name(simd);
            }
        }
    )*};
}

equal_to_portable! {
    transforms
    dot_products
    sparse_products
    uniform_candidates
    bounded_candidates
    rounding
    hints
    packing
}

impl Random {
    /// Random coefficients, one in four of them at an end of the range.
    fn poly<T: Domain>(&mut self, low: i32, high: i32) -> Poly<T> {
        let ends = self.next() & self.next();
        let mut poly = Poly::new([0; N]);
        for (i, c) in poly.coeffs.iter_mut().enumerate() {
            *c = match ends.rotate_left(i as u32) & 3 {
                3 => low,
                2 if i % 2 == 0 => high,
                _ => self.within(low, high),
            };
        }
        poly
    }

    fn bytes<const LEN: usize>(&mut self) -> [u8; LEN] {
        let mut bytes = [0; LEN];
        for chunk in bytes.chunks_mut(8) {
            chunk.copy_from_slice(&self.next().to_le_bytes()[..chunk.len()]);
        }
        // Runs of bytes that are refused, or taken, in a row.
        let from = self.next() as usize % LEN;
        let run = &mut bytes[from..LEN.min(from + self.next() as usize % 48)];
        match self.next() % 4 {
            0 => run.fill(0xFF),
            1 => run.fill(0),
            _ => {}
        }
        bytes
    }

    fn challenge(&mut self) -> Challenge {
        let mut c = [0; N];
        for _ in 0..1 + self.next() % 60 {
            c[self.next() as usize % N] = 1 - 2 * (self.next() & 1) as i8;
        }
        let mut challenge = Challenge::ZERO;
        challenge.set(&c);
        challenge
    }
}

/// What `of` makes with either backend; `out` is the same garbage for both.
fn both<B: Backend, O: Clone>(b: B, garbage: &O, of: impl Fn(Either<B>, &mut O)) -> [O; 2] {
    let (mut ours, mut portable) = (garbage.clone(), garbage.clone());
    of(Either::Simd(b), &mut ours);
    of(Either::Portable, &mut portable);
    [ours, portable]
}

/// A closure cannot be generic, so it gets to know which backend it is for.
#[derive(Clone, Copy)]
enum Either<B> {
    Simd(B),
    Portable,
}

/// Calls the same method on the one or on the other.
macro_rules! call {
    ($either:expr, $method:ident $(::<$width:ident>)? ($($argument:expr),*)) => {
        match $either {
            Either::Simd(b) => b.$method$(::<$width>)?($($argument),*),
            Either::Portable => Portable.$method$(::<$width>)?($($argument),*),
        }
    };
}

mod kernels {
    use super::*;

    pub(super) fn transforms<B: Backend>(b: B) {
        let mut random = Random(1);
        for _ in 0..CASES {
            let poly = random.poly(1 - Q, Q - 1);
            let hats = both(b, &Poly::<Ntt>::ZERO, |b, out| call!(b, ntt(&poly, out)));
            let [ours, portable] = hats.map(|hat| residues(&hat.coeffs));
            assert_eq!(ours, portable);
            let product = random.poly::<Product>(1 - Q, Q - 1);
            let polys = both(b, &poly, |b, out| call!(b, inv_ntt(&product, out)));
            let [ours, portable] = polys.map(|poly| residues(&poly.coeffs));
            assert_eq!(ours, portable);
        }
    }

    pub(super) fn dot_products<B: Backend>(b: B) {
        let mut random = Random(2);
        let bound = (NTT_BOUND - 1) as i32;
        for case in 0..CASES {
            let row: [_; 7] = core::array::from_fn(|_| random.poly(1 - Q, Q - 1));
            let vector: [_; 7] = core::array::from_fn(|_| random.poly(-bound, bound));
            let (row, vector) = (&row[case % 7..], &vector[case % 7..]);
            let garbage = random.poly(1 - Q, Q - 1);
            let sums = both(b, &garbage, |b, out| call!(b, dot(row, vector, out)));
            let [ours, portable] = sums.map(|sum| residues(&sum.coeffs));
            assert_eq!(ours, portable);
            let (c, t) = (random.poly(-bound, bound), random.poly(-bound, bound));
            let sums = both(b, &garbage, |b, out| {
                call!(b, dot_minus(row, vector, (&c, &t), out));
            });
            let [ours, portable] = sums.map(|sum| residues(&sum.coeffs));
            assert_eq!(ours, portable);
        }
    }

    pub(super) fn sparse_products<B: Backend>(b: B) {
        let mut random = Random(3);
        let (mut small, mut medium) = (Small::ZERO, Medium::ZERO);
        for case in 0..CASES {
            let challenge = random.challenge();
            let eta = [Eta::Two, Eta::Four][case % 2];
            small.set(&random.poly(-eta.value(), eta.value()));
            medium.set(&random.poly(1 - (1 << (D - 1)), 1 << (D - 1)));
            let garbage = random.poly(-9, 9);
            let [ours, portable] = both(b, &garbage, |b, out| {
                call!(b, multiply_small(eta, &challenge, &small, out));
            });
            assert_eq!(ours.coeffs, portable.coeffs);
            let [ours, portable] = both(b, &garbage, |b, out| {
                call!(b, multiply_medium(&challenge, &medium, out));
            });
            assert_eq!(ours.coeffs, portable.coeffs);
        }
    }

    pub(super) fn uniform_candidates<B: Backend>(b: B) {
        let mut random = Random(4);
        for case in 0..CASES {
            let bytes = random.bytes::<168>();
            let filled = [0, 200, 250, 255, random.next() as usize % N][case % 5];
            let garbage = (random.poly::<Ntt>(0, Q - 1), 0);
            let [ours, portable] = both(b, &garbage, |b, (out, count)| {
                *count = call!(b, rej_uniform(&bytes, out, filled));
            });
            // What lies behind the count is of no account.
            assert_eq!(ours.1, portable.1);
            assert_eq!(ours.0.coeffs[..ours.1], portable.0.coeffs[..ours.1]);
        }
    }

    pub(super) fn bounded_candidates<B: Backend>(b: B) {
        let mut random = Random(5);
        for case in 0..CASES {
            let bytes = random.bytes::<136>();
            let eta = [Eta::Two, Eta::Four][case % 2];
            let filled = [0, 200, 250, 255, random.next() as usize % N][case % 5];
            let garbage = (random.poly::<Normal>(-4, 4), 0);
            let [ours, portable] = both(b, &garbage, |b, (out, count)| {
                *count = call!(b, rej_bounded(eta, &bytes, out, filled));
            });
            assert_eq!(ours.1, portable.1);
            assert_eq!(ours.0.coeffs[..ours.1], portable.0.coeffs[..ours.1]);
        }
    }

    pub(super) fn rounding<B: Backend>(b: B) {
        let mut random = Random(6);
        for case in 0..CASES {
            let both_parts = (random.poly(0, Q - 1), random.poly::<Normal>(0, 1));
            let gamma2 = [Gamma2::Q88, Gamma2::Q32][case % 2];
            let [ours, portable] = both(b, &both_parts, |b, (low, high)| {
                call!(b, decompose(gamma2, low, high));
            });
            assert_eq!(ours.0.coeffs, portable.0.coeffs);
            assert_eq!(ours.1.coeffs, portable.1.coeffs);
            let [ours, portable] = both(b, &both_parts, |b, (low, high)| {
                call!(b, power2round(low, high));
            });
            assert_eq!(ours.0.coeffs, portable.0.coeffs);
            assert_eq!(ours.1.coeffs, portable.1.coeffs);
        }
    }

    pub(super) fn hints<B: Backend>(b: B) {
        let mut random = Random(7);
        for case in 0..CASES {
            let gamma2 = [Gamma2::Q88, Gamma2::Q32][case % 2];
            let bound = 2 * gamma2.value() - 1;
            let (r0, w1) = (
                random.poly(-bound, bound),
                random.poly(0, gamma2.intervals() - 1),
            );
            let [ours, portable] = both(b, &([7; 256], 0), |b, (hint, ones)| {
                *ones = call!(b, make_hint(gamma2, &r0, &w1, hint));
            });
            assert_eq!(ours, portable);
            let hint = ours.0;
            let r = random.poly::<Normal>(0, Q - 1);
            let [ours, portable] = both(b, &r, |b, r| call!(b, use_hint(gamma2, &hint, r)));
            assert_eq!(ours.coeffs, portable.coeffs);
        }
    }

    pub(super) fn packing<B: Backend>(b: B) {
        width::<B, 3>(b, 2);
        width::<B, 4>(b, 4);
        width::<B, 6>(b, 43);
        width::<B, 10>(b, 0);
        width::<B, 13>(b, 1 << 12);
        width::<B, 18>(b, 1 << 17);
        width::<B, 20>(b, 1 << 19);
    }

    fn width<B: Backend, const BITS: usize>(b: B, top: i32) {
        let mut random = Random(BITS as u64);
        for _ in 0..CASES {
            let poly = random.poly::<Normal>(0, (1 << BITS) - 1);
            let mut below = poly.clone();
            below.coeffs.iter_mut().for_each(|c| *c = top - *c);
            let [ours, portable] = both(b, &[7; 640], |b, out| {
                call!(b, pack::<BITS>(&poly, &mut out[..32 * BITS]));
            });
            assert_eq!(ours, portable);
            let [ours, portable] = both(b, &[7; 640], |b, out| {
                call!(b, pack_below::<BITS>(top, &below, &mut out[..32 * BITS]));
            });
            assert_eq!(ours, portable);
            let bytes = &ours[..32 * BITS];
            let [ours, portable] = both(b, &below, |b, out| call!(b, unpack::<BITS>(bytes, out)));
            assert_eq!(ours.coeffs, portable.coeffs);
            let [ours, portable] = both(b, &poly, |b, out| {
                call!(b, unpack_below::<BITS>(top, bytes, out));
            });
            assert_eq!(ours.coeffs, portable.coeffs);
        }
    }
}
