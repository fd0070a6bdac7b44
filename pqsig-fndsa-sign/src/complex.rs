//! Complex numbers, with the order of operations that the specification fixes.

use crate::flr::Real;
use core::ops::{Add, Mul, Sub};

/// A complex number.
#[derive(Clone, Copy)]
pub(crate) struct Complex<R> {
    pub(crate) re: R,
    pub(crate) im: R,
}

impl<R: Real> Complex<R> {
    /// Entry `i` of an array that is given in two parts.
    #[inline(always)]
    pub(crate) fn load(re: &[R], im: &[R], i: usize) -> Self {
        Self {
            re: re[i],
            im: im[i],
        }
    }

    /// Sets entry `i` of an array that is given in two parts.
    #[inline(always)]
    pub(crate) fn store(self, re: &mut [R], im: &mut [R], i: usize) {
        re[i] = self.re;
        im[i] = self.im;
    }

    /// `self * conj(other)`.
    #[inline(always)]
    pub(crate) fn mul_conj(self, other: Self) -> Self {
        Self {
            re: self.re * other.re + self.im * other.im,
            im: self.im * other.re - self.re * other.im,
        }
    }

    /// Both parts times a real number.
    #[inline(always)]
    pub(crate) fn scale(self, factor: R) -> Self {
        Self {
            re: self.re * factor,
            im: self.im * factor,
        }
    }

    /// `|self|^2`.
    #[inline(always)]
    pub(crate) fn norm(self) -> R {
        self.re * self.re + self.im * self.im
    }

    /// Half of it; exact.
    #[inline(always)]
    pub(crate) fn half(self) -> Self {
        Self {
            re: self.re.half(),
            im: self.im.half(),
        }
    }
}

impl<R: Real> Add for Complex<R> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self {
            re: self.re + other.re,
            im: self.im + other.im,
        }
    }
}

impl<R: Real> Sub for Complex<R> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self {
            re: self.re - other.re,
            im: self.im - other.im,
        }
    }
}

impl<R: Real> Mul for Complex<R> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self {
            re: self.re * other.re - self.im * other.im,
            im: self.re * other.im + self.im * other.re,
        }
    }
}
