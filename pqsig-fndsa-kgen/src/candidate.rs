//! The tests that f and g must pass before the solver sees them (Falcon, Algorithm 5).

use crate::{
    fxp::{Divisor, from_int, sqr},
    vect::{conjugate_and_scale, fft, from_ints, ifft, norm_at},
};
use pqsig_comm::ct;
use pqsig_comm::fndsa::params::Q;

/// `(1.17)^2 q`, rounded up: the squared norm of (f, g) must be below.
const NORM_LIMIT: i32 = 16_823;

/// `(0.999 * 1.17)^2 q` in fixed point: the squared norm of the orthogonalised vector must be
/// below.
const ORTHOGONAL_LIMIT: i64 = 72_107_278_641_426;

/// Whether the squared norm of (f, g) is small enough.
pub(crate) fn is_short(f: &[i8], g: &[i8]) -> bool {
    let square = |x: &i8| i32::from(*x) * i32::from(*x);
    // At most 2^11 * 2^14.
    let sum: i32 = f.iter().map(square).sum::<i32>() + g.iter().map(square).sum::<i32>();
    ct::public_flag(sum < NORM_LIMIT)
}

/// Numbers of scratch memory that [`is_orthogonal_short`] wants.
pub(crate) const fn scratch_len(n: usize) -> usize {
    2 * n + n / 2
}

/// Whether the second vector of the orthogonalised basis is short enough.
pub(crate) fn is_orthogonal_short(f: &[i8], g: &[i8], scratch: &mut [i64]) -> bool {
    let n = f.len();
    let (fx, rest) = scratch.split_at_mut(n);
    let (gx, rest) = rest.split_at_mut(n);
    let inverse = &mut rest[..n / 2];
    from_ints(fx, f);
    from_ints(gx, g);
    fft(fx);
    fft(gx);
    for (k, inverse) in inverse.iter_mut().enumerate() {
        *inverse = Divisor::new(norm_at(fx, gx, k)).divide(from_int(1));
    }
    let mut sum = 0i64;
    for x in [fx, gx] {
        conjugate_and_scale(x, from_int(Q.into()), inverse);
        ifft(x);
        for &x in &*x {
            sum = sum.wrapping_add(sqr(x));
        }
    }
    ct::public_flag(sum < ORTHOGONAL_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_the_rounded_formulas() {
        // 1.17^2 q = 13689 q / 10^4.
        assert_eq!(NORM_LIMIT as u64, (13_689 * 12_289u64).div_ceil(10_000));
        // (0.999 * 1.17)^2 q = 1168.83^2 q / 10^6.
        let exact = (116_883u128 * 116_883 * 12_289) << 32;
        let scale = 10u128.pow(10);
        assert_eq!(ORTHOGONAL_LIMIT as u128, (exact + scale / 2) / scale);
    }

    #[test]
    fn norm_at_its_limit() {
        // 129^2 + 13^2 + 3^2 + 1 + 1 + 1 = 16822 = 16823 - 1, in pieces that fit.
        let mut f = [0i8; 8];
        f[..5].copy_from_slice(&[127, 26, 4, 1, 0]);
        // 16129 + 676 + 16 + 1 = 16822.
        assert!(is_short(&f, &[0; 8]));
        f[4] = 1;
        assert!(!is_short(&f, &[0; 8]));
        assert!(!is_short(&[-128; 8], &[-128; 8]));
    }
}
