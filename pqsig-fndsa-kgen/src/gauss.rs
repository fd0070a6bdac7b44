//! The Gaussian sampler of f and g.

use pqsig_comm::{
    arch::Arch,
    ct,
    shake::{RATE_256, Reader, Shake256},
};
use zeroize::Zeroize;

/// `round(2^15 P(|X| > j))` for j = 0, 1, .. while not 0, X the discrete Gaussian with deviation
/// `1.17 sqrt(q / 2n)`; n = 512.
static KGDIST_512: [u16; 17] = [
    29543, 23286, 17574, 12669, 8706, 5692, 3535, 2083, 1164, 615, 308, 146, 65, 28, 11, 4, 1,
];

/// The same for n = 1024.
static KGDIST_1024: [u16; 12] = [
    28207, 19623, 12472, 7198, 3753, 1761, 742, 280, 94, 28, 8, 2,
];

/// The stream that f and g are drawn from: SHAKE256 of the seed, never rewound. Wiped on drop.
pub(crate) struct Stream<A: Arch> {
    reader: Reader<A, RATE_256>,
    block: [u8; RATE_256],
    /// Bytes of the block that are used up.
    used: usize,
    /// Bytes read in all.
    #[cfg(test)]
    pub(crate) total: usize,
}

impl<A: Arch> Stream<A> {
    pub(crate) fn new(arch: A, seed: &[u8]) -> Self {
        let mut shake = Shake256::new(arch);
        shake.absorb(seed);
        Self {
            reader: shake.finish(),
            block: [0; RATE_256],
            used: RATE_256,
            #[cfg(test)]
            total: 0,
        }
    }

    /// The next 16-bit numbers.
    #[inline(always)]
    fn fill(&mut self, mut out: &mut [u16]) {
        #[cfg(test)]
        {
            self.total += 2 * out.len();
        }
        while !out.is_empty() {
            if self.used == RATE_256 {
                self.reader.read_block(&mut self.block);
                self.used = 0;
            }
            // A block has an even number of bytes, and so has everything that is taken.
            let count = out.len().min((RATE_256 - self.used) / 2);
            let (head, tail) = out.split_at_mut(count);
            let bytes = &self.block[self.used..][..2 * count];
            for (out, pair) in head.iter_mut().zip(bytes.chunks_exact(2)) {
                *out = u16::from_le_bytes([pair[0], pair[1]]);
            }
            self.used += 2 * count;
            out = tail;
        }
    }
}

impl<A: Arch> Drop for Stream<A> {
    fn drop(&mut self) {
        self.block.zeroize();
    }
}

/// Numbers that are drawn at a time.
const BATCH: usize = 256;

/// A polynomial of degree `out.len()` (4 to 1024) with an odd sum of coefficients.
pub(crate) fn sample<A: Arch>(out: &mut [i8], stream: &mut Stream<A>) {
    match out.len() {
        1024 => sample_with(&KGDIST_1024, 1, out, stream),
        n => sample_with(&KGDIST_512, 512 / n, out, stream),
    }
}

/// Each coefficient is the sum of `draws` numbers of one table.
#[inline(always)]
fn sample_with<A: Arch>(table: &[u16], draws: usize, out: &mut [i8], stream: &mut Stream<A>) {
    let last = out.len() - 1;
    let mut parity = 0;
    if draws == 1 {
        let mut words = [0; BATCH];
        for out in out[..last].chunks_mut(BATCH) {
            let words = &mut words[..out.len()];
            stream.fill(words);
            for (out, &word) in out.iter_mut().zip(&*words) {
                *out = one_draw(table, word) as i8;
                parity ^= *out;
            }
        }
        words.zeroize();
    } else {
        for out in &mut out[..last] {
            *out = coefficient(table, draws, stream);
            parity ^= *out;
        }
    }
    // Only the last coefficient is drawn again until the sum is odd. How often shows; the
    // parity of a single coefficient does not.
    loop {
        let x = coefficient(table, draws, stream);
        if ct::public_flag((parity ^ x) & 1 == 1) {
            out[last] = x;
            return;
        }
    }
}

/// One coefficient, drawn again while it does not fit.
fn coefficient<A: Arch>(table: &[u16], draws: usize, stream: &mut Stream<A>) -> i8 {
    let mut words = [0; 128];
    let words = &mut words[..draws];
    loop {
        stream.fill(words);
        let sum: i16 = words.iter().map(|&word| one_draw(table, word)).sum();
        // Whether it is out of range (degrees up to 64 only) may show, as with any rejection.
        if ct::public_flag((-127..=127).contains(&sum)) {
            words.zeroize();
            return sum as i8;
        }
    }
}

/// The sign is the low bit, the magnitude the number of table entries above the others.
#[inline(always)]
fn one_draw(table: &[u16], word: u16) -> i16 {
    let v = (word >> 1) as i16;
    let mut magnitude = 0;
    for &threshold in table {
        // Both are below 2^15, so the difference keeps its sign.
        magnitude -= (v - threshold as i16) >> 15;
    }
    let sign = -((word & 1) as i16);
    (magnitude ^ sign) - sign
}

#[cfg(test)]
mod tests {
    use super::*;

    /// exp(-x) to within 2^-100 or so, as a fraction of 2^120, for rational x = a/b.
    fn exp_minus(a: u128, b: u128) -> num_bigint::BigUint {
        use num_bigint::BigUint;
        let scale = 200u32;
        // exp(-a/b) = exp(-a/(b 2^k))^(2^k) with a small argument.
        let k = 12;
        let one = BigUint::from(1u32) << scale;
        let mut term = one.clone();
        let (mut even, mut odd) = (one.clone(), BigUint::from(0u32));
        for i in 1..40u32 {
            term = (term * a / b / i) >> k;
            if i % 2 == 0 {
                even += &term;
            } else {
                odd += &term;
            }
        }
        let mut result = even - odd;
        for _ in 0..k {
            result = (&result * &result) >> scale;
        }
        result
    }

    #[test]
    fn tables_are_the_rounded_tails_of_the_gaussian() {
        // 2 sigma^2 = 1.17^2 q / n.
        for (n, table) in [(512u128, &KGDIST_512[..]), (1024, &KGDIST_1024[..])] {
            let weight = |k: u128| exp_minus(k * k * n * 10_000, 13_689 * 12_289);
            let weights: std::vec::Vec<_> = (0..60).map(weight).collect();
            let tails: std::vec::Vec<_> = (0..60)
                .map(|j| weights[j + 1..].iter().sum::<num_bigint::BigUint>() * 2u32)
                .collect();
            let total = &tails[0] + &weights[0];
            let rounded = tails
                .iter()
                .map(|t| (t * 65_536u32 + &total) / (2u32 * &total));
            let expected: std::vec::Vec<u16> = rounded
                .map(|t| u16::try_from(t).unwrap())
                .take_while(|&t| t > 0)
                .collect();
            assert_eq!(table, expected);
        }
    }

    #[test]
    fn every_draw_equals_the_definition() {
        for table in [&KGDIST_512[..], &KGDIST_1024] {
            for word in 0..=u16::MAX {
                let magnitude = table.iter().filter(|&&t| word >> 1 < t).count() as i16;
                let sign = if word & 1 == 1 { -1 } else { 1 };
                assert_eq!(one_draw(table, word), sign * magnitude);
            }
        }
    }
}
