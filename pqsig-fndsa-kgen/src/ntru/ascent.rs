//! Up the tower (Falcon, Algorithms 6 and 7, at depths logn - 1 to 1): F of one level from F of the
//! level below, then Babai's reduction, which makes it as small as f.

use super::{Failure, Level, WINDOW_WORDS, Work, products, zint};
use crate::{
    fxp::{self, Divisor, sqr},
    mp31::RNS,
    poly::{intt, ntt, rebuild, rebuild_each, reduce as residues_of, set_small},
    vect::{fft, ifft, mul_assign},
};
use pqsig_comm::ct;
use zeroize::Zeroize;
use zint::{DIGIT_BITS, MASK, Run, Term, WORD_BITS, digits};

/// `F = F_deeper(X^2) g(-X)`, from `work.deeper` to `work.current`.
pub(super) fn lift(level: &Level, g: &[i64], work: &mut Work<'_>) -> Result<(), Failure> {
    if level.uses_residues() {
        lift_by_residues(level, g, work);
        Ok(())
    } else {
        lift_by_digits(level, g, work)
    }
}

fn lift_by_residues(level: &Level, g: &[i64], work: &mut Work<'_>) {
    let (n, words) = (level.n, level.large_words());
    let deeper_digits = digits(super::SMALL_WORDS[level.depth + 1]);
    let deeper = &work.deeper[..n / 2 * deeper_digits];
    let [deeper_values, g_values] = &mut work.fixed;
    let (deeper_values, g_values) = (&mut deeper_values[..n / 2], &mut g_values[..n]);
    let residues = &mut work.large[0][..words * n];
    for (k, residues) in residues.chunks_exact_mut(n).enumerate() {
        let field = &RNS[k];
        residues_of(deeper_values, deeper, deeper_digits, field);
        ntt(deeper_values, k);
        residues_of(g_values, g, level.small(), field);
        ntt(g_values, k);
        // Values 2i and 2i + 1 of g are those at x and -x, where x^2 is the point of value i.
        let pairs = residues.chunks_exact_mut(2).zip(g_values.chunks_exact(2));
        for ((out, g), &value) in pairs.zip(deeper_values.iter()) {
            let value = field.enter(value as u64);
            out[0] = field.mul(value, g[1] as u64) as i64;
            out[1] = field.mul(value, g[0] as u64) as i64;
        }
        intt(residues, k);
    }
    let out = &mut work.current[..n * level.large()];
    rebuild(out, level.large(), residues, words);
}

fn lift_by_digits(level: &Level, g: &[i64], work: &mut Work<'_>) -> Result<(), Failure> {
    /// Digits of a product at the deepest lift, with one to spare.
    const MAX_DIGITS: usize = digits(207) + digits(104) + 1;
    let (n, len) = (level.n, level.small());
    let deeper_digits = digits(super::SMALL_WORDS[level.depth + 1]);
    let deeper = |j: usize| &work.deeper[j * deeper_digits..][..deeper_digits];
    let half = products::half(level.large_words());
    let mut sum = [0; MAX_DIGITS];
    let sum = &mut sum[..deeper_digits + len + 1];
    let mut fits = -1;
    let out = &mut work.current[..n * level.large()];
    for (i, out) in out.chunks_exact_mut(level.large()).enumerate() {
        // The term of F_j X^(2j) and (-1)^t g_t X^t with 2j + t = i or n + i; t and i have the
        // same parity.
        let terms = (0..n / 2).map(|j| {
            let t = (n + i - 2 * j) % n;
            Term {
                minus: (i % 2 == 1) != (2 * j > i),
                twice: false,
                factors: [&g[t * len..][..len], deeper(j)],
            }
        });
        zint::sum_of_products(sum, terms);
        fits &= zint::is_within(sum, half);
        zint::copy_resized(out, sum);
    }
    sum.zeroize();
    if ct::public_flag(fits == -1) {
        Ok(())
    } else {
        Err(Failure::Size(level.depth))
    }
}

/// Makes F of `work.current` small modulo f, and moves it to `work.deeper`.
pub(super) fn reduce(level: &Level, f: &[i64], work: &mut Work<'_>) -> Result<(), Failure> {
    let (n, small, large) = (level.n, level.small_words(), level.large_words());
    let window = WINDOW_WORDS[level.depth];
    let [inverse, quotient] = &mut work.fixed;
    let (inverse, quotient) = (&mut inverse[..n], &mut quotient[..n]);
    let current = &mut work.current[..n * level.large()];
    let [prepared, temporary] = &mut work.large;

    let length = invert(level, f, inverse, window);
    let multiplier = Multiplier::new(level, f, prepared);

    // Scale of f, and of F as it shrinks, in bits; `longest` bounds `fraction` below.
    let longest = WORD_BITS * (window + 1) - 1;
    let f_scale = WORD_BITS * (small - window);
    let mut scale = WORD_BITS * large;
    let mut words = large;
    loop {
        let (from, bits) = (scale / WORD_BITS, scale % WORD_BITS);
        if from < words {
            let run = Run::new(words, from);
            let fraction = length + bits as u32;
            zint::to_fixed(quotient, current, level.large(), run, longest, fraction);
            fft(quotient);
            mul_assign(quotient, inverse);
            ifft(quotient);
            quotient.iter_mut().for_each(|x| *x = fxp::round(*x));
            multiplier.subtract(level, current, words, quotient, scale - f_scale, temporary)?;
        }
        if scale <= f_scale {
            break;
        }
        scale = f_scale.max(scale.saturating_sub(level.round_bits));
        while words > small && WORD_BITS * (words - small) > scale - f_scale + 30 {
            words -= 1;
            if !drop_word(current, level.large(), words) {
                return Err(Failure::Reduction(level.depth));
            }
        }
    }
    for (out, x) in work
        .deeper
        .chunks_exact_mut(level.small())
        .zip(current.chunks_exact(level.large()))
    {
        out.copy_from_slice(&x[..level.small()]);
        out[level.small() - 1] = zint::extend(x[level.small() - 1], small);
    }
    Ok(())
}

/// `2^length / f` at the scale of the top words of f, transformed; returns the length, which is
/// the bit length of those words, and secret.
fn invert(level: &Level, f: &[i64], inverse: &mut [i64], window: usize) -> u32 {
    let words = level.small_words();
    let run = Run::new(words, words - window);
    let length = zint::bit_length(f, level.small(), run, window);
    let shift = minimum(15 - level.logn as u32, length);
    zint::to_fixed(
        inverse,
        f,
        level.small(),
        run,
        WORD_BITS * window,
        length - shift,
    );
    fft(inverse);
    let (re, im) = inverse.split_at_mut(level.n / 2);
    for (re, im) in re.iter_mut().zip(im) {
        let norm = Divisor::new(sqr(*re).wrapping_add(sqr(*im)));
        *re = norm.divide(*re << shift);
        *im = norm.divide(im.wrapping_neg() << shift);
    }
    length
}

/// The smaller of two secret numbers below 2^31.
fn minimum(a: u32, b: u32) -> u32 {
    let mask = ct::barrier(((a.wrapping_sub(b) as i32) >> 31) as u32);
    (a & mask) | (b & !mask)
}

/// Forgets the top word of every coefficient, `words` are left; `false` if one was not a mere
/// sign.
fn drop_word(current: &mut [i64], stride: usize, words: usize) -> bool {
    let last = digits(words) - 1;
    let mut difference = 0;
    for x in current.chunks_exact_mut(stride) {
        let low = zint::extend(x[last], words);
        // What is dropped is the upper half of the digit, or the digit above.
        difference |= if words % 2 == 1 {
            low ^ x[last]
        } else {
            (low >> 63) ^ x[last + 1]
        };
        x[last] = low;
    }
    ct::public_flag(difference == 0)
}

/// f, prepared for `F -= k f 2^shift`.
enum Multiplier<'a> {
    /// Values modulo the first primes, in Montgomery form, one prime after the other.
    Values(&'a [i64]),
    /// Digits, one polynomial after the other.
    Digits(&'a [i64]),
}

impl<'a> Multiplier<'a> {
    fn new(level: &Level, f: &[i64], memory: &'a mut [i64]) -> Self {
        let (n, len) = (level.n, level.small());
        if level.uses_residues() {
            let values = &mut memory[..n * (level.small_words() + 1)];
            for (k, values) in values.chunks_exact_mut(n).enumerate() {
                residues_of(values, f, len, &RNS[k]);
                ntt(values, k);
                for x in values {
                    *x = RNS[k].enter(*x as u64) as i64;
                }
            }
            Self::Values(values)
        } else {
            let transposed = &mut memory[..n * len];
            for (w, digits) in transposed.chunks_exact_mut(n).enumerate() {
                for (out, x) in digits.iter_mut().zip(f.chunks_exact(len)) {
                    *out = x[w];
                }
            }
            Self::Digits(transposed)
        }
    }

    /// `F -= k f 2^shift`, kept to `words` words.
    fn subtract(
        &self,
        level: &Level,
        current: &mut [i64],
        words: usize,
        k: &[i64],
        shift: usize,
        memory: &mut [i64],
    ) -> Result<(), Failure> {
        match self {
            Self::Values(f) if level.depth == 1 => {
                subtract_at_depth_1(level.n, current, words, f, k, shift, memory);
            }
            Self::Values(f) => {
                let residues = multiply_by_residues(level, f, k, memory);
                rebuild_each(residues, level.small_words() + 1, |i, product| {
                    let x = &mut current[i * level.large()..][..level.large()];
                    subtract_shifted(x, words, product.len(), shift, |w| product[w].into());
                });
            }
            Self::Digits(f) => {
                let wrapped = &mut memory[..2 * level.n];
                wrap_around(wrapped, k);
                if may_exceed(level, k) && exceeds(level, f, wrapped) {
                    return Err(Failure::Size(level.depth));
                }
                let current = &mut current[..level.n * level.large()];
                match level.n {
                    2 => subtract_by_digits::<2>(current, words, f, wrapped, shift),
                    4 => subtract_by_digits::<4>(current, words, f, wrapped, shift),
                    _ => subtract_by_digits::<8>(current, words, f, wrapped, shift),
                }
            }
        }
        Ok(())
    }
}

/// Modulo `p_0 ... p_(words-1)`, the only level where F is kept so. F has one digit.
fn subtract_at_depth_1(
    n: usize,
    current: &mut [i64],
    words: usize,
    f: &[i64],
    k: &[i64],
    shift: usize,
    memory: &mut [i64],
) {
    let residues = &mut memory[..words * n];
    for (index, residues) in residues.chunks_exact_mut(n).enumerate() {
        let field = &RNS[index];
        if index == 1 && shift == 32 {
            // Section 4.9: here upstream takes k / 2^32 modulo p_0 for k. Only degrees up to 256
            // come here, and only degree 4 with k other than 0.
            let odd = k.iter().map(|&k| {
                let k = RNS[0].residue(k);
                RNS[0].center(RNS[0].mul(k, 1))
            });
            set_small(residues, odd, field);
        } else {
            set_small(residues, k.iter().copied(), field);
        }
        ntt(residues, index);
        // The factor -2^shift joins f.
        let factor = field.pow(field.enter(2), shift as u64);
        let factor = field.sub(0, factor);
        for (x, &f) in residues.iter_mut().zip(&f[index * n..]) {
            let f = field.mul(f as u64, factor);
            *x = field.mul(*x as u64, f) as i64;
        }
        intt(residues, index);
        let (low_scale, high_scale) = (field.enter(1), field.enter((1 << WORD_BITS) - field.p));
        for (x, &big) in residues.iter_mut().zip(current.iter()) {
            let low = field.mul((big & 0x7FFF_FFFF) as u64, low_scale);
            let high = field.mul(field.residue(big >> WORD_BITS), high_scale);
            *x = field.add(*x as u64, field.add(low, high)) as i64;
        }
    }
    rebuild(current, 1, residues, words);
}

/// `k f` modulo one prime more than f has words.
fn multiply_by_residues<'a>(
    level: &Level,
    f: &[i64],
    k: &[i64],
    memory: &'a mut [i64],
) -> &'a mut [i64] {
    let n = level.n;
    let residues = &mut memory[..(level.small_words() + 1) * n];
    for (index, residues) in residues.chunks_exact_mut(n).enumerate() {
        let field = &RNS[index];
        set_small(residues, k.iter().copied(), field);
        ntt(residues, index);
        for (x, &f) in residues.iter_mut().zip(&f[index * n..]) {
            *x = field.mul(*x as u64, f as u64) as i64;
        }
        intt(residues, index);
    }
    residues
}

/// `F -= k f 2^shift`, kept to `words` words. Both f and k are of degree n, a multiple of
/// `GROUP`; k comes from [`wrap_around`].
fn subtract_by_digits<const GROUP: usize>(
    current: &mut [i64],
    words: usize,
    f: &[i64],
    wrapped: &[i64],
    shift: usize,
) {
    let n = wrapped.len() / 2;
    let (stride, len) = (current.len() / n, f.len() / n);
    for (i, x) in current.chunks_exact_mut(stride).enumerate() {
        let k = &wrapped[n - 1 - i..][..n];
        subtract_shifted(x, words, len, shift, |w| dot::<GROUP>(&f[w * n..][..n], k));
    }
}

/// `x -= product 2^shift`, kept to `words` words. `product` gives digits, which need not be
/// normalised; there are `len` of them.
///
/// In: digits of the product below 2^110 in magnitude.
#[inline(always)]
fn subtract_shifted(
    x: &mut [i64],
    words: usize,
    len: usize,
    shift: usize,
    product: impl Fn(usize) -> i128,
) {
    let last = digits(words) - 1;
    let (start, bits) = (shift / DIGIT_BITS, shift % DIGIT_BITS);
    let (mut carry, mut borrow, mut high) = (0i128, 0, 0);
    let mut step = |x: &mut i64, carry: &mut i128| {
        let digit = *carry as i64 & MASK;
        *carry >>= DIGIT_BITS;
        // The shifted digit in two parts: `high` is below 2^bits, the other has zeros there.
        borrow += *x - ((digit << bits & MASK) | high);
        high = digit >> (DIGIT_BITS - bits);
        *x = borrow & MASK;
        borrow >>= DIGIT_BITS;
    };
    let (with_product, rest) = x[start..=last].split_at_mut(len.min(last + 1 - start));
    for (w, x) in with_product.iter_mut().enumerate() {
        carry += product(w);
        step(x, &mut carry);
    }
    for x in rest {
        step(x, &mut carry);
    }
    x[last] = zint::extend(x[last], words);
}

/// k and then -k, both reversed: entries `n - 1 - i` and so on are what coefficients 0 to n - 1 of f
/// are multiplied by in coefficient i of the product.
fn wrap_around(out: &mut [i64], k: &[i64]) {
    let (first, second) = out.split_at_mut(k.len());
    for ((first, second), &k) in first.iter_mut().zip(second).zip(k.iter().rev()) {
        *first = k;
        *second = -k;
    }
}

/// The scalar product.
///
/// In: lengths a multiple of `GROUP`; k up to 2^31 in magnitude, f up to 2^62, at most 2^7 terms.
#[inline(always)]
fn dot<const GROUP: usize>(f: &[i64], k: &[i64]) -> i128 {
    let mut sum = 0;
    for (f, k) in f.chunks_exact(GROUP).zip(k.chunks_exact(GROUP)) {
        for j in 0..GROUP {
            sum += i128::from(f[j]) * i128::from(k[j]);
        }
    }
    sum
}

/// Whether a coefficient of k is so large that upstream's residues of `k f`, modulo one prime
/// more than f has words, could wrap around. On levels below degree 16 it does not use them.
///
/// Large k is seen with candidates that are about to fail only, so that it may show.
fn may_exceed(level: &Level, k: &[i64]) -> bool {
    if level.logn < 4 {
        return false;
    }
    // |k f| <= n max|k| (P(words)-1)/2, less than (P(words+1)-1)/2 unless n max|k| >= p_words.
    let largest = k.iter().fold(0, |largest, &k| largest | (k ^ (k >> 63)));
    let limit = 1 << (30 - level.logn);
    ct::public_flag(largest >= limit)
}

/// Whether upstream's residues of `k f` do wrap around.
#[cold]
fn exceeds(level: &Level, f: &[i64], wrapped: &[i64]) -> bool {
    let len = level.small();
    let half = products::half(level.small_words() + 1);
    let mut fits = -1;
    let mut product = [0; 16];
    for i in 0..level.n {
        let k = &wrapped[level.n - 1 - i..][..level.n];
        let mut carry = 0;
        for w in 0..len + 2 {
            if w < len {
                carry += dot::<2>(&f[w * level.n..][..level.n], k);
            }
            let digit = carry as i64;
            product[w] = if w == len + 1 { digit } else { digit & MASK };
            carry >>= DIGIT_BITS;
        }
        fits &= zint::is_within(&product[..len + 2], half);
    }
    product.zeroize();
    ct::public_flag(fits != -1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Lcg, big, to_digits};
    use num_bigint::BigInt;
    use num_integer::Integer;
    use std::{vec, vec::Vec};

    fn random(rng: &mut Lcg, bits: u64) -> BigInt {
        let sum = (0..bits / 64 + 2).fold(BigInt::from(rng.next() as i64), |sum, _| {
            (sum << 64u32) + rng.next()
        });
        let excess = sum.bits().saturating_sub(bits - 1);
        sum >> excess
    }

    /// `k f` modulo X^n + 1.
    fn product(f: &[BigInt], k: &[i64]) -> Vec<BigInt> {
        let n = f.len();
        let term = |i: usize, j: usize| {
            let term = &f[(n + i - j) % n] * k[j];
            if j <= i { term } else { -term }
        };
        (0..n).map(|i| (0..n).map(|j| term(i, j)).sum()).collect()
    }

    fn truncate(x: &BigInt, bits: usize) -> BigInt {
        let half: BigInt = BigInt::from(1) << (bits - 1);
        let mask: BigInt = (BigInt::from(1) << bits) - 1;
        ((x + &half) & mask) - half
    }

    /// Every way to subtract `k f 2^shift`, against big integers: digits and residues, small k
    /// and k of 32 bits, all word counts and shifts of half digits.
    #[test]
    fn subtraction_matches_big_integers() {
        let mut rng = Lcg::new(9);
        let mut cases = 0;
        for (top, depth) in [
            (10, 2),
            (10, 3),
            (10, 4),
            (10, 6),
            (10, 9),
            (9, 6),
            (5, 3),
            (4, 2),
        ] {
            let level = Level::new(top, depth);
            let (small, large) = (level.small_words(), level.large_words());
            for round in 0..12 {
                let polynomial = |rng: &mut Lcg, words: usize| -> Vec<BigInt> {
                    (0..level.n)
                        .map(|_| random(rng, 31 * words as u64 - 2))
                        .collect()
                };
                let flat = |x: &[BigInt], len: usize| -> Vec<i64> {
                    x.iter().flat_map(|x| to_digits(x, len)).collect()
                };
                let f = polynomial(&mut rng, small);
                let words = large - round % (large - small + 1);
                let x = polynomial(&mut rng, words);
                let unused_bits = if round % 4 == 3 { 33 } else { 48 };
                let k: Vec<i64> = (0..level.n)
                    .map(|_| rng.next() as i64 >> unused_bits)
                    .collect();
                let shift = rng.next() as usize % (31 * (words - 1));

                let mut prepared = vec![0; level.n * (small + 1)];
                let multiplier = Multiplier::new(&level, &flat(&f, level.small()), &mut prepared);
                let mut current = flat(&x, level.large());
                let mut memory = vec![-1; level.n * (small + 2)];
                let done = multiplier.subtract(&level, &mut current, words, &k, shift, &mut memory);
                let mut kf = product(&f, &k);
                let primes = crate::mp31::PRIMES[..=small].iter();
                let half: BigInt = primes.map(|&p| BigInt::from(p)).product::<BigInt>() / 2;
                if level.uses_residues() {
                    // There a product that is too large wraps around, as upstream's does.
                    let modulus = 2 * &half + 1;
                    for x in &mut kf {
                        let shifted: BigInt = &*x + &half;
                        *x = shifted.mod_floor(&modulus) - &half;
                    }
                }
                if done.is_err() {
                    assert!(kf.iter().any(|x| x.magnitude() > half.magnitude()));
                    continue;
                }
                let len = digits(words);
                for ((x, kf), found) in x.iter().zip(kf).zip(current.chunks(level.large())) {
                    let expected = truncate(&(x - (kf << shift)), 31 * words);
                    assert_eq!(found[..len], to_digits(&expected, len));
                }
                cases += 1;
            }
        }
        assert!(cases > 80, "{cases}");
    }

    #[test]
    fn products_that_upstream_would_wrap_are_seen() {
        let mut rng = Lcg::new(10);
        let (mut wraps, mut fits) = (0, 0);
        for (top, depth) in [(10, 4), (10, 5), (10, 6), (9, 4), (8, 3), (6, 2)] {
            let level = Level::new(top, depth);
            let words = level.small_words();
            let half = big(products::half(words + 1));
            for round in 0..40u64 {
                let bits = 31 * words as u64 - round % 8;
                let f: Vec<BigInt> = (0..level.n).map(|_| random(&mut rng, bits)).collect();
                let k: Vec<i64> = (0..level.n).map(|_| rng.next() as i64 >> 33).collect();
                let expected = product(&f, &k)
                    .iter()
                    .any(|x| x.magnitude() > half.magnitude());
                let digits: Vec<i64> = f.iter().flat_map(|x| to_digits(x, level.small())).collect();
                let mut prepared = vec![0; level.n * level.small()];
                let Multiplier::Digits(f) = Multiplier::new(&level, &digits, &mut prepared) else {
                    panic!("this level works with digits");
                };
                let mut wrapped = vec![0; 2 * level.n];
                wrap_around(&mut wrapped, &k);
                assert_eq!(exceeds(&level, f, &wrapped), expected);
                assert!(may_exceed(&level, &k) || !expected);
                if expected { wraps += 1 } else { fits += 1 }
            }
        }
        assert!(wraps > 20 && fits > 20, "{wraps} {fits}");
        let level = Level::new(10, 4);
        let mut k = [0; 64];
        assert!(!may_exceed(&level, &k));
        k[5] = 1 << 24;
        assert!(may_exceed(&level, &k));
        k[5] = -(1 << 24);
        assert!(!may_exceed(&level, &k));
        k[5] -= 1;
        assert!(may_exceed(&level, &k));
    }

    #[test]
    fn dropping_a_word_wants_it_to_be_a_sign() {
        let mut rng = Lcg::new(11);
        let mut dropped = 0;
        for round in 0..400usize {
            let words = 1 + round % 7;
            let stride = digits(words + 1) + round % 2;
            let values: Vec<BigInt> = (0..3)
                .map(|_| random(&mut rng, 31 * words as u64 + round as u64 % 3))
                .collect();
            let mut current: Vec<i64> = values.iter().flat_map(|x| to_digits(x, stride)).collect();
            for x in current.chunks_exact_mut(stride) {
                let last = digits(words + 1) - 1;
                x[last] = zint::extend(x[last], words + 1);
            }
            let expected = values.iter().all(|x| truncate(x, 31 * words) == *x);
            assert_eq!(drop_word(&mut current, stride, words), expected);
            if expected {
                dropped += 1;
                for (x, value) in current.chunks_exact(stride).zip(&values) {
                    let len = digits(words);
                    assert_eq!(x[..len], to_digits(value, len));
                }
            }
        }
        assert!((100..350).contains(&dropped), "{dropped}");
    }
}
