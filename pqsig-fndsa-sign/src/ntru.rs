//! Whether f, g, F and G solve the NTRU equation `f G - g F = q` over the integers.
//!
//! G is computed from the others mod q, so the equation holds mod q whatever the key is. Its two
//! sides differ by less than `2 n 127^2 + q < 2^26`, so it holds over the integers if it holds
//! mod the prime 65537 too, for which `2^16 = -1` makes reduction a subtraction.

use pqsig_comm::fndsa::params::{ParameterSet, PolyArray, Q};
use zeroize::Zeroizing;

/// The second modulus, 2^16 + 1.
const MODULUS: i32 = 65_537;

const _: () = {
    let difference = 2 * 1024 * 127 * 127 + Q as i64;
    assert!(difference < Q as i64 * MODULUS as i64);
};

/// Checks the equation. Constant-time. In: any coefficients.
#[inline(always)]
pub(crate) fn is_solution<P: ParameterSet>(
    f: &P::Poly<i8>,
    g: &P::Poly<i8>,
    capital_f: &P::Poly<i8>,
    capital_g: &P::Poly<i8>,
) -> bool {
    let mut hats = Zeroizing::new([P::Poly::<i32>::ZERO; 4]);
    for (hat, a) in hats.iter_mut().zip([f, capital_g, g, capital_f]) {
        for (x, a) in hat.as_mut().iter_mut().zip(a.as_ref()) {
            *x = i32::from(*a);
        }
        ntt(hat.as_mut());
    }
    let [f, capital_g, g, capital_f] = &*hats;
    let mut wrong = 0;
    for i in 0..P::N {
        let f_g = fold(fold(f.as_ref()[i]) * fold(capital_g.as_ref()[i]));
        let g_f = fold(fold(g.as_ref()[i]) * fold(capital_f.as_ref()[i]));
        // Twice folded it is below the modulus, and zero only as 0.
        wrong |= fold(fold(f_g - g_f - i32::from(Q)));
    }
    pqsig_comm::ct::public_flag(wrong == 0)
}

/// In: |x| <= 2^31 - 2^15. Out: congruent mod 2^16 + 1, at most `2^15 + |x| / 2^16 + 1` in
/// absolute value.
#[inline(always)]
const fn fold(x: i32) -> i32 {
    let low = x as i16 as i32;
    low - ((x - low) >> 16)
}

/// The NTT mod 2^16 + 1, in bit-reversed order.
///
/// In: |a| <= 127. Out: below 2^20. A layer adds at most a folded product, below 3 * 2^14.
#[inline(always)]
fn ntt(a: &mut [i32]) {
    let mut len = a.len() / 2;
    let mut root = 1;
    while len > 0 {
        for block in a.chunks_exact_mut(2 * len) {
            let w = ROOTS[root];
            root += 1;
            let (low, high) = block.split_at_mut(len);
            for (x, y) in low.iter_mut().zip(high) {
                let z = fold(fold(*y) * w);
                *y = *x - z;
                *x += z;
            }
        }
        len /= 2;
    }
}

/// Entry k is the power brv_10(k) of a primitive 2048-th root of unity, in [-2^15, 2^15].
static ROOTS: [i32; 1024] = roots();

const fn roots() -> [i32; 1024] {
    let modulus = MODULUS as i64;
    // 3 generates the multiplicative group, of order 2^16.
    let mut root = 3;
    let mut order = 1 << 16;
    while order > 2048 {
        root = root * root % modulus;
        order /= 2;
    }
    let mut out = [0; 1024];
    let mut power = 1;
    let mut i: u16 = 0;
    while i < 1024 {
        let centered = if power > modulus / 2 {
            power - modulus
        } else {
            power
        };
        out[(i.reverse_bits() >> 6) as usize] = centered as i32;
        power = power * root % modulus;
        i += 1;
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use pqsig_comm::fndsa::FnDsa512;

    #[test]
    fn the_equation_is_checked_in_every_coefficient() {
        // 1 * G - g F = q with constants: g = -97, F = 126, G = 12289 - 97 * 126 = 67.
        let constant = |value: i8| {
            let mut poly = [0; 512];
            poly[0] = value;
            poly
        };
        let (f, g) = (constant(1), constant(-97));
        let (big_f, big_g) = (constant(126), constant(67));
        assert!(is_solution::<FnDsa512>(&f, &g, &big_f, &big_g));
        for i in 0..512 {
            for change in [1, -1, 7] {
                let mut bad = big_g;
                bad[i] += change;
                assert!(!is_solution::<FnDsa512>(&f, &g, &big_f, &bad), "{i}");
                let mut bad = big_f;
                bad[i] -= change.abs();
                assert!(!is_solution::<FnDsa512>(&f, &g, &bad, &big_g), "{i}");
            }
        }
        // A multiple of f and g added to F and G solves it as well.
        let mut big_f = big_f;
        let mut big_g = big_g;
        big_f[3] = 1;
        big_g[3] = -97;
        assert!(is_solution::<FnDsa512>(&f, &g, &big_f, &big_g));
    }

    #[test]
    fn extremes_do_not_overflow() {
        for value in [127, -127, -128] {
            let poly = [value; 1024];
            assert!(!is_solution::<pqsig_comm::fndsa::FnDsa1024>(
                &poly, &poly, &poly, &poly
            ));
        }
    }

    #[test]
    fn fold_is_congruent() {
        const MAX: i32 = i32::MAX - (1 << 15);
        for x in [0, 1, -1, 32_767, 32_768, 65_536, 65_537, MAX, -MAX] {
            let difference = i64::from(x) - i64::from(fold(x));
            assert_eq!(difference % i64::from(MODULUS), 0, "{x}");
        }
    }
}
