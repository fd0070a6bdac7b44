//! Arithmetic modulo 31-bit primes, and the constants of the
//! primes, all derived at compile time.
//!
//! The primes are the 308 largest below 2^31 that are 1 modulo 2048. Upstream computes modulo
//! all of them; this crate computes modulo the first six, on the levels of the solver whose
//! degree is large, and uses the others only through their products `P(k) = p_0 ... p_(k-1)`,
//! which say when a coefficient is too large for its level (see [`crate::zint`]).
//!
//! Residues live in 64-bit lanes (`i64`, in `[0, p)`): a vectoriser multiplies those without
//! shuffling. Multiplication is Montgomery's with radix 2^32.

/// How many primes there are.
pub(crate) const PRIME_COUNT: usize = 308;

/// How many primes are computed with: the words of the unreduced F at depth 3.
pub(crate) const RNS_COUNT: usize = 6;

/// Transform sizes that are needed modulo each of the [`RNS_COUNT`] primes, at degree 1024:
/// depth 0 for the first, then what depths 1, 2 and 3 have more than the depth above.
const RNS_SIZES: [usize; RNS_COUNT] = [1024, 512, 256, 128, 128, 128];

const ROOT_COUNT: usize = sum(&RNS_SIZES);

/// Low 32 bits.
const M32: u64 = 0xFFFF_FFFF;

/// A prime and what computing modulo it needs.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Prime {
    /// The prime.
    pub(crate) p: u64,
    /// -1/p modulo 2^32.
    p0i: u64,
    /// 2^64 modulo p: multiplication by it enters Montgomery form.
    pub(crate) r2: u64,
}

impl Prime {
    const fn new(p: u32) -> Self {
        // Newton: each step doubles the number of correct low bits of 1/p; p is its own inverse
        // modulo 8.
        let mut inverse = p;
        let mut i = 0;
        while i < 4 {
            inverse = inverse.wrapping_mul(2u32.wrapping_sub(p.wrapping_mul(inverse)));
            i += 1;
        }
        let r = (1u64 << 32) % p as u64;
        Self {
            p: p as u64,
            p0i: inverse.wrapping_neg() as u64,
            r2: r * r % p as u64,
        }
    }

    /// `x` if it is not negative as a two's complement number, else `x + p`.
    #[inline(always)]
    const fn wrap(&self, x: u64) -> u64 {
        x.wrapping_add(self.p & ((x as i64 >> 63) as u64))
    }

    /// In: `a * b < 2^32 p`. Out: `a b / 2^32` modulo p, in `[0, p)`.
    #[inline(always)]
    pub(crate) const fn mul(&self, a: u64, b: u64) -> u64 {
        let z = a * b;
        let w = ((z & M32) * self.p0i) & M32;
        // z + w p < 2^32 p + 2^32 p < 2^64, so the quotient is below 2p.
        let r = (z + w * self.p) >> 32;
        self.wrap(r.wrapping_sub(self.p))
    }

    /// In: `[0, p)`. Out: `[0, p)`.
    #[inline(always)]
    pub(crate) const fn add(&self, a: u64, b: u64) -> u64 {
        self.wrap((a + b).wrapping_sub(self.p))
    }

    /// In: `[0, p)`. Out: `[0, p)`.
    #[inline(always)]
    pub(crate) const fn sub(&self, a: u64, b: u64) -> u64 {
        self.wrap(a.wrapping_sub(b))
    }

    /// In: `|x| <= 2^31`. Out: x modulo p, in `[0, p)`.
    #[inline(always)]
    pub(crate) const fn residue(&self, x: i64) -> u64 {
        // Since 2^30 < p, the sum is in [0, 2p).
        let x = (x as u64).wrapping_add((2 * self.p) & ((x >> 63) as u64));
        self.wrap(x.wrapping_sub(self.p))
    }

    /// In: `[0, p)`. Out: the same residue in `[-(p-1)/2, (p-1)/2]`.
    #[inline(always)]
    pub(crate) const fn center(&self, x: u64) -> i64 {
        let half = (self.p - 1) / 2;
        let above = half.wrapping_sub(x) as i64 >> 63;
        x as i64 - (self.p as i64 & above)
    }

    /// Out: `x` in Montgomery form. In: `[0, p)`.
    #[inline(always)]
    pub(crate) const fn enter(&self, x: u64) -> u64 {
        self.mul(x, self.r2)
    }

    /// `base^exponent` for a public exponent; base and result in Montgomery form.
    pub(crate) const fn pow(&self, base: u64, mut exponent: u64) -> u64 {
        let mut result = self.enter(1);
        let mut square = base;
        while exponent != 0 {
            if exponent & 1 == 1 {
                result = self.mul(result, square);
            }
            square = self.mul(square, square);
            exponent >>= 1;
        }
        result
    }

    /// `1/x`, both in Montgomery form; 0 for 0.
    pub(crate) const fn invert(&self, x: u64) -> u64 {
        self.pow(x, self.p - 2)
    }

    /// A primitive 2048th root of unity in Montgomery form: the smallest non-square to the power
    /// (p-1)/2048. (Which root it is does not show in any result.)
    const fn root(&self) -> u64 {
        let minus_one = self.p - self.enter(1);
        let mut x = 2;
        while self.pow(self.enter(x), (self.p - 1) / 2) != minus_one {
            x += 1;
        }
        self.pow(self.enter(x), (self.p - 1) / 2048)
    }
}

const fn sum(values: &[usize]) -> usize {
    let mut total = 0;
    let mut i = 0;
    while i < values.len() {
        total += values[i];
        i += 1;
    }
    total
}

/// `brv_10`: the ten low bits of `i` in the other order.
pub(crate) const fn reverse_10(i: usize) -> usize {
    ((i as u32).reverse_bits() >> 22) as usize
}

/// Miller-Rabin with the bases 2, 3, 5 and 7, which decides below 3.2 * 10^9.
const fn is_prime(n: u32) -> bool {
    // Most candidates have a small divisor.
    let mut divisor = 3;
    while divisor < 100 {
        if n.is_multiple_of(divisor) {
            return false;
        }
        divisor += 2;
    }
    let field = Prime::new(n);
    let one = field.enter(1);
    let twos = (n - 1).trailing_zeros();
    let bases = [2, 3, 5, 7];
    let mut i = 0;
    while i < bases.len() {
        let mut x = field.pow(field.enter(bases[i]), (n >> twos) as u64);
        let mut passes = x == one;
        let mut round = 0;
        while round < twos {
            passes |= x == n as u64 - one;
            x = field.mul(x, x);
            round += 1;
        }
        if !passes {
            return false;
        }
        i += 1;
    }
    true
}

const fn primes() -> [u32; PRIME_COUNT] {
    let mut primes = [0; PRIME_COUNT];
    let mut candidate = (1u32 << 31) + 1;
    let mut found = 0;
    while found < PRIME_COUNT {
        candidate -= 2048;
        if is_prime(candidate) {
            primes[found] = candidate;
            found += 1;
        }
    }
    primes
}

/// The primes, in decreasing order.
pub(crate) static PRIMES: [u32; PRIME_COUNT] = primes();

const fn rns() -> [Prime; RNS_COUNT] {
    let mut rns = [Prime::new(PRIMES[0]); RNS_COUNT];
    let mut k = 1;
    while k < RNS_COUNT {
        rns[k] = Prime::new(PRIMES[k]);
        k += 1;
    }
    rns
}

/// The primes that are computed with.
pub(crate) static RNS: [Prime; RNS_COUNT] = rns();

/// `w^brv_10(i)` in Montgomery form for each prime of [`RNS`], w the root of that prime: the
/// twiddle factors of its transforms, one prime after the other.
static ROOTS: [u32; ROOT_COUNT] = {
    let mut table = [0; ROOT_COUNT];
    let (rns, mut start, mut k) = (rns(), 0, 0);
    while k < RNS_COUNT {
        let root = rns[k].root();
        let mut power = rns[k].enter(1);
        let mut e = 0;
        while e < 1024 {
            let i = reverse_10(e);
            if i < RNS_SIZES[k] {
                table[start + i] = power as u32;
            }
            power = rns[k].mul(power, root);
            e += 1;
        }
        start += RNS_SIZES[k];
        k += 1;
    }
    table
};

/// The twiddle factors of prime number `k`.
#[inline(always)]
pub(crate) fn roots(k: usize) -> &'static [u32] {
    let start = sum(&RNS_SIZES[..k]);
    &ROOTS[start..start + RNS_SIZES[k]]
}

/// `1/P(k)` modulo `p_k` in Montgomery form.
pub(crate) static GARNER: [u64; RNS_COUNT] = {
    let (rns, mut table, mut k) = (rns(), [0; RNS_COUNT], 0);
    while k < RNS_COUNT {
        let field = rns[k];
        let mut product = field.enter(1);
        let mut j = 0;
        while j < k {
            product = field.mul(product, field.enter(rns[j].p % field.p));
            j += 1;
        }
        table[k] = field.invert(product);
        k += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{sha256_hex, shared_json};

    #[test]
    fn primes_are_those_of_the_reference() {
        assert_eq!(PRIMES[..3], [2_147_473_409, 2_147_389_441, 2_147_387_393]);
        assert_eq!(PRIMES[307], 2_140_653_569);
        let bytes: std::vec::Vec<u8> = PRIMES.iter().flat_map(|p| p.to_le_bytes()).collect();
        assert_eq!(
            sha256_hex(&bytes),
            "383babc06a50dafbc446cecc9043ee30ac56d598e3ef057f4ab88e0ef0368f54"
        );
    }

    #[test]
    fn constants_are_those_of_the_shared_table() {
        let Some(table) = shared_json("primes.json") else {
            return;
        };
        for (k, row) in table.as_array().unwrap()[..RNS_COUNT].iter().enumerate() {
            assert_eq!(row["p"], RNS[k].p);
            assert_eq!(row["p0i"], RNS[k].p0i);
            assert_eq!(row["R2"], RNS[k].r2);
            assert_eq!(row["g_mont"], RNS[k].root());
            if k > 0 {
                assert_eq!(row["s_mont"], GARNER[k]);
            }
        }
    }

    #[test]
    fn arithmetic_matches_wide_integers() {
        for field in &RNS {
            let p = field.p;
            let r = (1 << 32) % p;
            let values = [0, 1, 2, p / 2, p / 2 + 1, p - 2, p - 1, 0x1234_5678];
            for a in values {
                for b in values {
                    assert_eq!(field.add(a, b), (a + b) % p);
                    assert_eq!(field.sub(a, b), (a + p - b) % p);
                    assert_eq!(field.mul(a, b) * r % p, a * b % p);
                }
                assert_eq!(field.mul(M32, a) * r % p, M32 * a % p);
                let signed = field.center(a);
                assert_eq!(signed.rem_euclid(p as i64) as u64, a);
                assert!(signed.unsigned_abs() <= (p - 1) / 2);
                if a != 0 {
                    assert_eq!(field.mul(a, field.invert(a)), r);
                }
            }
            for x in [0, 1, -1, 1 << 31, -(1 << 31), p as i64, -(p as i64)] {
                assert_eq!(field.residue(x) as i64, x.rem_euclid(p as i64));
            }
        }
    }

    #[test]
    fn roots_are_primitive_and_in_the_order_of_the_transform() {
        for (k, field) in RNS.iter().enumerate() {
            let minus_one = field.p - field.enter(1);
            assert_eq!(field.pow(field.root(), 1024), minus_one);
            for (i, root) in roots(k).iter().enumerate() {
                let expected = field.pow(field.root(), reverse_10(i) as u64);
                assert_eq!(u64::from(*root), expected);
            }
        }
    }
}
