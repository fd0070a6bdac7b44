//! 64-bit steps that are constant-time on 32-bit cores too.
//!
//! There a shift of a 64-bit word by a secret distance becomes a branch or a library call, and a
//! full product a call of its own.

/// `x >> n`. In: `n` below 64.
#[inline(always)]
pub(crate) const fn shr(x: u64, n: u32) -> u64 {
    if cfg!(target_pointer_width = "64") {
        return x >> (n & 63);
    }
    let far = ((n >> 5) as u64).wrapping_neg();
    let x = x ^ ((x ^ (x >> 32)) & far);
    x >> (n & 31)
}

/// `x << n`. In: `n` below 64.
#[inline(always)]
pub(crate) const fn shl(x: u64, n: u32) -> u64 {
    if cfg!(target_pointer_width = "64") {
        return x << (n & 63);
    }
    let far = ((n >> 5) as u64).wrapping_neg();
    let x = x ^ ((x ^ (x << 32)) & far);
    x << (n & 31)
}

/// The upper and the lower word of a product.
#[inline(always)]
pub(crate) const fn mul_wide(a: u64, b: u64) -> (u64, u64) {
    if cfg!(target_pointer_width = "64") {
        let product = a as u128 * b as u128;
        return ((product >> 64) as u64, product as u64);
    }
    by_halves(a, b)
}

/// [`mul_wide`] from four 32-bit products.
#[inline(always)]
const fn by_halves(a: u64, b: u64) -> (u64, u64) {
    const LOW: u64 = 0xFFFF_FFFF;
    let (a1, a0) = (a >> 32, a & LOW);
    let (b1, b0) = (b >> 32, b & LOW);
    let low = a0 * b0;
    let middle = a1 * b0 + (low >> 32);
    let other = a0 * b1 + (middle & LOW);
    let high = a1 * b1 + (middle >> 32) + (other >> 32);
    (high, (other << 32) | (low & LOW))
}

/// The upper word of a product.
#[inline(always)]
pub(crate) const fn mul_high(a: u64, b: u64) -> u64 {
    mul_wide(a, b).0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_equal_the_plain_operators() {
        let words = [
            0,
            1,
            2,
            0x7FFF_FFFF,
            0x8000_0000,
            0xFFFF_FFFF,
            0x1_0000_0000,
            0x0123_4567_89AB_CDEF,
            1 << 63,
            u64::MAX,
        ];
        for a in words {
            for b in words {
                let product = u128::from(a) * u128::from(b);
                let expected = ((product >> 64) as u64, product as u64);
                assert_eq!(mul_wide(a, b), expected);
                assert_eq!(by_halves(a, b), expected);
                assert_eq!(mul_high(a, b), expected.0);
            }
            for n in 0..64 {
                assert_eq!(shr(a, n), a >> n);
                assert_eq!(shl(a, n), a << n);
            }
        }
    }
}
