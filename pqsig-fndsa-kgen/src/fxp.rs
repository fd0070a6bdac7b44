//! Fixed-point numbers: a 64-bit two's complement integer `x` stands
//! for `x / 2^32`. Everything wraps modulo 2^64, as the reference does.
//!
//! The type is plain `i64`: arrays of these numbers share the solver's scratch memory with
//! arrays of digits and residues.

/// The number `x`.
#[inline(always)]
pub(crate) const fn from_int(x: i64) -> i64 {
    x << 32
}

/// Bits 32 to 95 of the product.
#[inline(always)]
pub(crate) const fn mul(x: i64, y: i64) -> i64 {
    ((x as i128 * y as i128) >> 32) as i64
}

/// `mul(x, x)`.
#[inline(always)]
pub(crate) const fn sqr(x: i64) -> i64 {
    mul(x, x)
}

/// Half of `x`, rounded up.
#[inline(always)]
pub(crate) const fn half(x: i64) -> i64 {
    x.wrapping_add(1) >> 1
}

/// The nearest integer; a fraction of one half goes up. Out: 32 bits, signed.
#[inline(always)]
pub(crate) const fn round(x: i64) -> i64 {
    x.wrapping_add(1 << 31) >> 32
}

/// A complex number.
pub(crate) type Complex = (i64, i64);

/// The complex product, in the one form (three multiplications) whose roundings are normative.
#[inline(always)]
pub(crate) const fn mul_complex((a, b): Complex, (c, d): Complex) -> Complex {
    let z0 = mul(a, c);
    let z1 = mul(b, d);
    let z2 = mul(a.wrapping_add(b), c.wrapping_add(d));
    (z0.wrapping_sub(z1), z2.wrapping_sub(z0.wrapping_add(z1)))
}

/// A divisor, with its reciprocal: dividing several numbers by one pays for it once.
#[derive(Clone, Copy)]
pub(crate) struct Divisor {
    y: i64,
    /// `|y|` shifted left by `shift` so that its top bit is set (meaningless for y = 0).
    normal: u64,
    shift: u32,
    /// About 2^126 / normal, at most about 2^63, with a relative error below 2^-58.
    reciprocal: u64,
}

impl Divisor {
    #[inline(always)]
    pub(crate) fn new(y: i64) -> Self {
        let magnitude = y.unsigned_abs();
        let shift = (magnitude | 1).leading_zeros();
        let normal = magnitude << shift;
        // Newton's iteration for 1/d with d = normal / 2^64 in [1/2, 1), from the linear
        // approximation 48/17 - 32/17 d (off by 1/17 at most): the error squares each time.
        // Scale 2^62; 1/d is at most 2.
        const SCALE: u32 = 62;
        const C48: u64 = ((48u128 << SCALE) / 17) as u64;
        const C32: u64 = ((32u128 << SCALE) / 17) as u64;
        let mut r = C48.wrapping_sub(high(C32, normal));
        let mut i = 0;
        while i < 4 {
            let error = (1i64 << SCALE).wrapping_sub(high(r, normal) as i64);
            r = r.wrapping_add(((i128::from(r) * i128::from(error)) >> SCALE) as u64);
            i += 1;
        }
        Self {
            y,
            normal,
            shift,
            reciprocal: r,
        }
    }

    /// `x / y`, rounded to nearest, halves away from zero.
    ///
    /// Where the quotient does not fit, the result is that of the bit-serial
    /// procedure. That happens only for candidates that are about to be dropped, so the branch
    /// tells nothing about a key.
    #[inline(always)]
    pub(crate) fn divide(&self, x: i64) -> i64 {
        let fits = (x.unsigned_abs() >> 31) < self.y.unsigned_abs() && self.y != i64::MIN;
        pqsig_comm::ct::public(&fits);
        if fits {
            self.divide_in_range(x)
        } else {
            divide_serial(x, self.y)
        }
    }

    /// In: `floor(2^32 |x| / |y|) < 2^63` and `0 < |y| < 2^63`.
    #[inline(always)]
    fn divide_in_range(&self, x: i64) -> i64 {
        let numerator = (u128::from(x.unsigned_abs()) << 33) + u128::from(self.y.unsigned_abs());
        // The quotient by 2|y| is that of u by `normal`; shift >= 1 as |y| < 2^63, and
        // u < 2^63 normal < 2^127.
        let u = numerator << (self.shift - 1);
        // First estimate: dropping the low half of u costs less than 2, the error of the
        // reciprocal less than 2^5.
        let q = ((u128::from((u >> 64) as u64) * u128::from(self.reciprocal)) >> 62) as u64;
        // |rest| < 2^6 normal < 2^70, so it survives the wrapping.
        let rest = u.wrapping_sub(u128::from(q) * u128::from(self.normal)) as i128;
        let step = (i128::from((rest >> 8) as i64) * i128::from(self.reciprocal)) >> 118;
        let q = q.wrapping_add(step as u64);
        let rest = rest - step * i128::from(self.normal);
        // Now off by one at most, either way.
        let low = (rest >> 127) as u64;
        let high = !((rest - i128::from(self.normal)) >> 127) as u64 & 1;
        let q = q.wrapping_add(low).wrapping_add(high) as i64;
        let sign = (x ^ self.y) >> 63;
        (q ^ sign).wrapping_sub(sign)
    }
}

/// High half of a product.
#[inline(always)]
const fn high(a: u64, b: u64) -> u64 {
    ((a as u128 * b as u128) >> 64) as u64
}

/// The bit-serial division that defines the result where the quotient overflows.
#[cold]
fn divide_serial(x: i64, y: i64) -> i64 {
    let (sign, x, y) = ((x ^ y) >> 63, x.unsigned_abs(), y.unsigned_abs());
    let mut num = x >> 31;
    let mut q = 0u64;
    for i in (0..64).rev() {
        let bit = u64::from(num.wrapping_sub(y) as i64 >= 0);
        q |= bit << i;
        num = num.wrapping_sub(y & bit.wrapping_neg()).wrapping_mul(2);
        if i >= 33 {
            num |= (x >> (i - 33)) & 1;
        }
    }
    q = q.wrapping_add(u64::from(num.wrapping_sub(y) as i64 >= 0));
    (q as i64 ^ sign).wrapping_sub(sign)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::Lcg;

    #[test]
    fn rounding_goes_up_at_one_half() {
        assert_eq!(round(from_int(5) + (1 << 31)), 6);
        assert_eq!(round(from_int(5) + (1 << 31) - 1), 5);
        assert_eq!(round(from_int(-5) - (1 << 31)), -5);
        assert_eq!(round(i64::MAX), -(1 << 31));
        assert_eq!((half(3), half(-3), half(i64::MAX)), (2, -1, -(1 << 62)));
        assert_eq!(mul(-1, 1), -1);
        assert_eq!(mul(from_int(-7), from_int(9)), from_int(-63));
    }

    #[test]
    fn division_equals_the_bit_serial_procedure() {
        let mut rng = Lcg::new(1);
        let mut in_range = 0;
        for round in 0..400_000 {
            let x = rng.next() as i64 >> (round % 64);
            let y = rng.next() as i64 >> (round / 64 % 64);
            let divisor = Divisor::new(y);
            assert_eq!(divisor.divide(x), divide_serial(x, y), "{x} / {y}");
            in_range += u32::from((x.unsigned_abs() >> 31) < y.unsigned_abs());
        }
        assert!(in_range > 250_000);
    }

    #[test]
    fn division_at_the_edges() {
        let mut cases = 0;
        let mut edges = std::vec::Vec::new();
        for bit in 0..64 {
            for d in [-2, -1, 0, 1, 2] {
                edges.push((1i64 << bit).wrapping_add(d));
                edges.push((1i64 << bit).wrapping_add(d).wrapping_neg());
            }
        }
        for &x in &edges {
            for &y in &edges {
                assert_eq!(Divisor::new(y).divide(x), divide_serial(x, y), "{x} / {y}");
                cases += 1;
            }
        }
        // Exact multiples and exact halves.
        for y in 1..500i64 {
            for q in [1, 2, 3, 1000, (1 << 40) + 1] {
                assert_eq!(Divisor::new(y << 32).divide(y * q), q);
                assert_eq!(Divisor::new(y << 33).divide(y * q), (q + 1) / 2);
                assert_eq!(Divisor::new(-y << 33).divide(y * q), -((q + 1) / 2));
                cases += 3;
            }
        }
        assert!(cases > 400_000);
    }
}
