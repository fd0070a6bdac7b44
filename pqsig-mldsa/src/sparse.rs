//! Products with the challenge c, which has few non-zero coefficients, all of them 1 or -1.
//!
//! c s1, c s2 and c t0 are sums of tau rotated copies of the secret: no multiplication, no
//! transform, and small enough numbers for 8 or 16 bits. Which copies are added depends on c
//! alone, which is public.

use crate::{
    params::N,
    poly::{Element, Normal, Poly},
};
use zeroize::Zeroize;

/// A secret polynomial s, as the coefficients of -s followed by those of s: the product
/// X^j s mod X^256 + 1 is the window of 256 numbers that starts at 256 - j.
#[derive(Clone)]
#[repr(C, align(32))]
pub(crate) struct Rotatable<T>(pub(crate) [T; 2 * N]);

/// s1 and s2: coefficients in [-4, 4].
pub(crate) type Small = Rotatable<i8>;
/// t0: coefficients in [-2^12, 2^12].
pub(crate) type Medium = Rotatable<i16>;

impl Element for Small {
    const ZERO: Self = Self([0; 2 * N]);
}

impl Element for Medium {
    const ZERO: Self = Self([0; 2 * N]);
}

impl Small {
    /// In: within the range of `i8`.
    #[inline(always)]
    pub(crate) fn set(&mut self, s: &Poly<Normal>) {
        let (negated, plain) = self.0.split_at_mut(N);
        for ((negated, plain), &s) in negated.iter_mut().zip(plain).zip(&s.coeffs) {
            (*negated, *plain) = (-s as i8, s as i8);
        }
    }
}

impl Medium {
    /// In: within the range of `i16`.
    #[inline(always)]
    pub(crate) fn set(&mut self, s: &Poly<Normal>) {
        let (negated, plain) = self.0.split_at_mut(N);
        for ((negated, plain), &s) in negated.iter_mut().zip(plain).zip(&s.coeffs) {
            (*negated, *plain) = (-s as i16, s as i16);
        }
    }
}

impl<T: Copy> Rotatable<T> {
    /// X^j times the polynomial.
    #[inline(always)]
    pub(crate) fn window(&self, j: u8) -> &[T] {
        let start = N - usize::from(j);
        &self.0[start..start + N]
    }
}

impl<T: Copy + Default> Zeroize for Rotatable<T> {
    #[inline]
    fn zeroize(&mut self) {
        self.0.fill(T::default());
        zeroize::optimization_barrier(&self.0);
    }
}

impl<T> core::fmt::Debug for Rotatable<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Rotatable").finish_non_exhaustive()
    }
}

/// The places of the ones of c, followed by those of its minus ones.
#[derive(Clone, Debug)]
pub(crate) struct Challenge {
    places: [u8; 64],
    ones: usize,
    len: usize,
}

impl Challenge {
    pub(crate) const ZERO: Self = Self {
        places: [0; 64],
        ones: 0,
        len: 0,
    };

    /// In: coefficients -1, 0, 1, at most 64 of them not 0.
    pub(crate) fn set(&mut self, c: &[i8; N]) {
        // Ones from the front, minus ones from the back.
        let mut places = [0; 64];
        let (mut ones, mut rest) = (0, 64);
        for (chunk, bytes) in c.chunks_exact(8).enumerate() {
            let mut bits = u64::from_le_bytes(core::array::from_fn(|i| bytes[i] as u8));
            while bits != 0 {
                let place = bits.trailing_zeros() & !7;
                let next = if bits >> place & 2 == 0 {
                    ones += 1;
                    ones - 1
                } else {
                    rest -= 1;
                    rest
                };
                places[next] = (8 * chunk) as u8 + (place / 8) as u8;
                bits &= !(0xFF << place);
            }
        }
        let minus_ones = 64 - rest;
        self.places[..ones].copy_from_slice(&places[..ones]);
        self.places[ones..ones + minus_ones].copy_from_slice(&places[rest..]);
        (self.ones, self.len) = (ones, ones + minus_ones);
    }

    /// The places, at most `limit` at a time: those of ones, and those of minus ones.
    #[inline(always)]
    pub(crate) fn groups(&self, limit: usize) -> impl Iterator<Item = (&[u8], &[u8])> {
        let places = &self.places[..self.len];
        places.chunks(limit).enumerate().map(move |(i, group)| {
            let ones = self.ones.saturating_sub(i * limit).min(group.len());
            group.split_at(ones)
        })
    }
}

/// How many numbers of at most `bound` in absolute value may be added in `i8`.
pub(crate) const fn small_limit(bound: i32) -> usize {
    (i8::MAX as i32 / bound) as usize
}

/// How many coefficients of t0 may be added in `i16`.
pub(crate) const MEDIUM_LIMIT: usize = i16::MAX as usize >> 12;
