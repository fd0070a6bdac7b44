//! Polynomials of degree below 256 over Z_q, marked with the domain they are in.

use crate::params::{N, Q};
use core::marker::PhantomData;
use zeroize::Zeroize;

/// What the 256 numbers of a [`Poly`] are.
pub trait Domain: Copy + Send + Sync + Unpin + 'static {}

/// Coefficients of X^i.
#[derive(Clone, Copy, Debug)]
pub struct Normal;
/// Values of the number-theoretic transform (FIPS 204, Algorithm 41), in the backend's order.
#[derive(Clone, Copy, Debug)]
pub struct Ntt;
/// Values of the transform times 2^-32 mod q: what a Montgomery product leaves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Product;

impl Domain for Normal {}
impl Domain for Ntt {}
impl Domain for Product {}

/// A polynomial. The bounds of its numbers are stated where it is made and used.
#[derive(Clone)]
#[repr(C, align(32))]
pub struct Poly<T: Domain> {
    pub(crate) coeffs: [i32; N],
    domain: PhantomData<T>,
}

impl<T: Domain> Poly<T> {
    pub(crate) const fn new(coeffs: [i32; N]) -> Self {
        Self {
            coeffs,
            domain: PhantomData,
        }
    }
}

/// Opaque: most polynomials are secret.
impl<T: Domain> core::fmt::Debug for Poly<T> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Poly").finish_non_exhaustive()
    }
}

impl Poly<Normal> {
    /// Adds `other`.
    #[inline(always)]
    pub(crate) fn add(&mut self, other: &Self) {
        for (a, b) in self.coeffs.iter_mut().zip(&other.coeffs) {
            *a += b;
        }
    }

    /// Subtracts `other`.
    #[inline(always)]
    pub(crate) fn sub(&mut self, other: &Self) {
        for (a, b) in self.coeffs.iter_mut().zip(&other.coeffs) {
            *a -= b;
        }
    }

    /// In: (-q, q). Out: [0, q).
    #[inline(always)]
    pub(crate) fn add_q_if_negative(&mut self) {
        for a in &mut self.coeffs {
            *a += (*a >> 31) & Q;
        }
    }

    /// Whether a coefficient is `bound` or more in absolute value. In: (-2^31, 2^31).
    ///
    /// Looks at every coefficient whatever the first ones are.
    #[inline(always)]
    pub(crate) fn reaches(&self, bound: i32) -> bool {
        let below = |a: i32| a.abs() - bound;
        let all_negative = self.coeffs.iter().fold(-1, |acc, &a| acc & below(a));
        all_negative >= 0
    }
}

impl Poly<Product> {
    /// Rounds every number to the nearest multiple of 2^23, which q is close to, and takes that
    /// many q off. In: (-8q, 8q). Out: (-q, q).
    #[inline(always)]
    pub(crate) fn reduce(&mut self) {
        for a in &mut self.coeffs {
            *a -= ((*a + (1 << 22)) >> 23) * Q;
        }
    }
}

impl<T: Domain> Zeroize for Poly<T> {
    #[inline]
    fn zeroize(&mut self) {
        self.coeffs.fill(0);
        zeroize::optimization_barrier(&self.coeffs);
    }
}

impl<T: Domain> Element for Poly<T> {
    const ZERO: Self = Self::new([0; N]);
}

/// What vectors and matrices are made of.
pub trait Element: Zeroize + Clone + Send + Sync + Unpin + 'static {
    /// All coefficients zero.
    const ZERO: Self;
}

/// An array of polynomials: a vector or a matrix.
pub trait PolyVec<T: Element>:
    AsRef<[T]> + AsMut<[T]> + Clone + Zeroize + Send + Sync + Unpin + 'static
{
    /// All coefficients zero.
    const ZERO: Self;
}

impl<T: Element, const M: usize> PolyVec<T> for [T; M] {
    const ZERO: Self = [const { T::ZERO }; M];
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reaches_is_exact_at_the_bound_in_every_position() {
        for bound in [1, 78, 196, 95_232, 131_072 - 78, 523_776 / 2, 524_288 - 196] {
            for i in 0..N {
                for (value, expected) in [(bound - 1, false), (bound, true), (bound + 1, true)] {
                    for sign in [-1, 1] {
                        let mut poly = Poly::<Normal>::ZERO;
                        poly.coeffs[i] = sign * value;
                        assert_eq!(poly.reaches(bound), expected);
                    }
                }
            }
        }
    }
}
