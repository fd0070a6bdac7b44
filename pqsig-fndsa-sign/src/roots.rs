//! The roots of unity of the floating-point transform, each rounded once.
//!
//! Entry `b + i`, for `b` a power of two and `i < b`, is `exp(pi i (1 + 4i) / 4b)`, the twiddle
//! `i` of a butterfly layer between `b` and `2b` blocks in their natural order. The whole table
//! is computed here at compile time in 120-bit fixed point.

use crate::{complex::Complex, flr::Real};

/// Entries for the largest transform: `b` up to 256.
const LEN: usize = 512;

/// The twiddles of a layer between `b` and `2b` blocks. In: `b` a power of two, at most 256.
#[inline(always)]
pub(crate) fn layer(b: usize) -> Layer {
    Layer {
        re: &RE[b..2 * b],
        im: &IM[b..2 * b],
    }
}

/// Twiddles as bits, real and imaginary parts apart.
#[derive(Clone, Copy)]
pub(crate) struct Layer {
    re: &'static [u64],
    im: &'static [u64],
}

impl Layer {
    /// Twiddle `i`.
    #[inline(always)]
    pub(crate) fn get<R: Real>(self, i: usize) -> Complex<R> {
        Complex {
            re: R::from_bits(self.re[i]),
            im: R::from_bits(self.im[i]),
        }
    }

    /// The same, cut to `len` entries, so that a loop needs one check of its bounds.
    #[inline(always)]
    pub(crate) fn cut(self, len: usize) -> Self {
        Self {
            re: &self.re[..len],
            im: &self.im[..len],
        }
    }
}

static RE: [u64; LEN] = table(0);
static IM: [u64; LEN] = table(512);

/// The cosines of the angles of the table, less `quarter`, 0 or 512 (sines).
const fn table(quarter: usize) -> [u64; LEN] {
    let cosines = cosines();
    let mut out = [0; LEN];
    let mut b = 1;
    while b < LEN {
        let mut i = 0;
        while i < b {
            // pi (1 + 4i) / 4b in units of pi / 1024.
            let angle = (1 + 4 * i) * (256 / b);
            out[b + i] = signed_cosine(&cosines, angle.abs_diff(quarter));
            i += 1;
        }
        b *= 2;
    }
    out
}

/// The encoding of cos(pi k / 1024). In: `k` at most 1024. Out: -0.0 for none.
const fn signed_cosine(cosines: &[u64; 513], k: usize) -> u64 {
    if k <= 512 {
        cosines[k]
    } else {
        cosines[1024 - k] | 1 << 63
    }
}

/// Fixed point with 120 fractional bits.
const ONE: u128 = 1 << 120;

/// The encodings of cos(pi k / 1024) for k from 0 to 512.
const fn cosines() -> [u64; 513] {
    let (cosine, sine) = first_angle();
    let mut out = [0; 513];
    let (mut x, mut y) = (ONE, 0);
    out[0] = round(x);
    let mut k = 1;
    // The last one is zero.
    while k < 512 {
        // Each step errs by less than 2^-118, all of them by less than 2^-109.
        let next = mul(x, cosine) - mul(y, sine);
        y = mul(x, sine) + mul(y, cosine);
        x = next;
        out[k] = round(x);
        k += 1;
    }
    out
}

/// Cosine and sine of pi / 1024, from their power series.
const fn first_angle() -> (u128, u128) {
    /// pi / 1024: the hexadecimal digits are those of pi, 112 bits of them fractional.
    const ANGLE: u128 = 0x3_243F_6A88_85A3_08D3_1319_8A2E_0370 >> 2;
    let square = mul(ANGLE, ANGLE);
    let (mut cosine, mut sine) = (ONE, ANGLE);
    let (mut c_term, mut s_term) = (ONE, ANGLE);
    let mut i = 1;
    // The terms shrink by 2^-16 each time and more.
    while i < 8 {
        c_term = mul(c_term, square) / ((2 * i - 1) * 2 * i);
        s_term = mul(s_term, square) / (2 * i * (2 * i + 1));
        if i % 2 == 1 {
            cosine -= c_term;
            sine -= s_term;
        } else {
            cosine += c_term;
            sine += s_term;
        }
        i += 1;
    }
    (cosine, sine)
}

/// The product in fixed point. In: at most one.
const fn mul(a: u128, b: u128) -> u128 {
    const HALF: u128 = (1 << 60) - 1;
    let (a1, a0) = (a >> 60, a & HALF);
    let (b1, b0) = (b >> 60, b & HALF);
    a1 * b1 + ((a1 * b0 + a0 * b1 + ((a0 * b0) >> 60)) >> 60)
}

/// The encoding of a fixed-point number, rounded to nearest. In: not zero, at most one, and never
/// near a tie (the check value of the test vectors covers the whole table).
const fn round(x: u128) -> u64 {
    let top = 127 - x.leading_zeros();
    let dropped = top - 52;
    let significand = ((x >> (dropped - 1)) + 1) >> 1;
    let field = 1023 + top as u64 - 120;
    ((field - 1) << 52) + significand as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use pqsig_comm::{arch::Portable, shake::Shake256};

    /// Entry k of the table in the order of Falcon: the angle is
    /// pi brv_10(k) / 1024.
    fn spec_entry(cosines: &[u64; 513], k: usize) -> (u64, u64) {
        let angle = (k as u16).reverse_bits() as usize >> 6;
        let re = if angle == 512 {
            1 << 63
        } else {
            signed_cosine(cosines, angle)
        };
        (re, signed_cosine(cosines, angle.abs_diff(512)))
    }

    /// The check value covers every root, correctly rounded, in the order of the specification.
    #[test]
    fn roots_have_the_check_value_of_the_reference() {
        let cosines = cosines();
        let mut shake = Shake256::new(Portable);
        shake.absorb(&[0; 16]);
        for k in 1..1024 {
            let (re, im) = spec_entry(&cosines, k);
            shake.absorb(&re.to_le_bytes());
            shake.absorb(&im.to_le_bytes());
        }
        let mut hash = [0; 32];
        shake.finish().read(&mut hash);
        let hex = "f45a496cf56ccc6e3e3395a20209206d81d71a7905a661447bd5bc0e24e0af1e";
        assert_eq!(crate::tests::hex(&hash), hex);
    }

    #[test]
    fn entries_are_those_of_the_specification_in_natural_order() {
        let cosines = cosines();
        for log in 0..9 {
            let b = 1 << log;
            for i in 0..b {
                let reversed = crate::tests::reverse(i, log);
                let expected = spec_entry(&cosines, 2 * b + reversed);
                assert_eq!((RE[b + i], IM[b + i]), expected, "{b} {i}");
            }
        }
    }
}
