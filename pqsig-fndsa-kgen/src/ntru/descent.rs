//! Down the tower (Falcon, Algorithm 6): `N(a)(X^2) = a(X) a(-X)`.

use super::{Failure, Level, RESIDUE_DEGREE, Work, products, zint};
use crate::{
    mp31::RNS,
    poly::{intt, ntt, rebuild, reduce, set_small},
};
use pqsig_comm::ct;
use zeroize::Zeroize;
use zint::Term;

/// Fills the tower from f and g.
pub(super) fn descend(
    f: &[i8],
    g: &[i8],
    tower: &mut [i64],
    work: &mut Work<'_>,
) -> Result<(), Failure> {
    let top = f.len().ilog2() as usize;
    for depth in 0..top {
        let (from, to) = (Level::new(top, depth), Level::new(top, depth + 1));
        let (known, rest) = tower.split_at_mut(to.start());
        let len = to.n * to.small();
        let (to_f, to_g) = rest[..2 * len].split_at_mut(len);
        if depth == 0 {
            norm_of_small(f, to_f, work);
            norm_of_small(g, to_g, work);
            continue;
        }
        let (from_f, from_g) = from.of_tower(known);
        if from.n >= RESIDUE_DEGREE {
            norm_by_residues(&from, &to, from_f, to_f, work);
            norm_by_residues(&from, &to, from_g, to_g, work);
        } else {
            norm_by_digits(&from, &to, depth + 1 == top, from_f, to_f)?;
            norm_by_digits(&from, &to, depth + 1 == top, from_g, to_g)?;
        }
    }
    Ok(())
}

/// From depth 0, modulo one prime.
fn norm_of_small(from: &[i8], to: &mut [i64], work: &mut Work<'_>) {
    let values = &mut work.large[0][..from.len()];
    set_small(values, from.iter().map(|&x| i64::from(x)), &RNS[0]);
    ntt(values, 0);
    multiply_pairs(to, values, 0);
    intt(to, 0);
    for x in to {
        *x = RNS[0].center(*x as u64);
    }
}

/// Modulo as many primes as the result has words.
fn norm_by_residues(from: &Level, to: &Level, a: &[i64], out: &mut [i64], work: &mut Work<'_>) {
    let words = to.small_words();
    let [residues, values] = &mut work.large;
    let residues = &mut residues[..words * to.n];
    let values = &mut values[..from.n];
    for (k, residues) in residues.chunks_exact_mut(to.n).enumerate() {
        reduce(values, a, from.small(), &RNS[k]);
        ntt(values, k);
        multiply_pairs(residues, values, k);
        intt(residues, k);
    }
    rebuild(out, to.small(), residues, words);
}

/// Values at x^2 of the norm from the values at x and -x.
fn multiply_pairs(out: &mut [i64], values: &[i64], k: usize) {
    let field = &RNS[k];
    for (out, pair) in out.iter_mut().zip(values.chunks_exact(2)) {
        let first = field.enter(pair[0] as u64);
        *out = field.mul(first, pair[1] as u64) as i64;
    }
}

/// As `e^2 - Y o^2`, e and o the even and the odd half of a.
///
/// At the deepest level the result is the integer itself, which is positive, up to `P(words)`.
fn norm_by_digits(
    from: &Level,
    to: &Level,
    deepest: bool,
    a: &[i64],
    out: &mut [i64],
) -> Result<(), Failure> {
    let (m, len) = (to.n, from.small());
    let coefficient = |i: usize| &a[i * len..][..len];
    let words = to.small_words();
    let half = products::half(words);
    let mut sum = [0; 2 * MAX_DIGITS + 1];
    let sum = &mut sum[..2 * len + 1];
    let mut fits = -1;
    for (i, out) in out.chunks_exact_mut(to.small()).enumerate() {
        let terms = square_terms(m, i, 0, coefficient).chain(square_terms(m, i, 1, coefficient));
        zint::sum_of_products(sum, terms);
        let kept = out.len().min(sum.len());
        if deepest {
            // 0 <= sum <= P - 1, as two halves.
            let mut lower = [0; 2 * MAX_DIGITS + 1];
            let lower = &mut lower[..sum.len()];
            subtract(lower, sum, half);
            fits &= zint::is_within(lower, half);
            lower.zeroize();
            out[..kept].copy_from_slice(&sum[..kept]);
            out[kept..].fill(0);
        } else {
            fits &= zint::is_within(sum, half);
            out[..kept].copy_from_slice(&sum[..kept]);
            let top = kept - 1;
            out[top] = zint::extend(out[top], words);
        }
    }
    sum.zeroize();
    if ct::public_flag(fits == -1) {
        Ok(())
    } else {
        Err(Failure::Size(to.depth))
    }
}

/// What coefficient i of `e^2` (half 0) or of `-Y o^2` (half 1) is the sum of, with
/// `Y^m = -1`. The products `x_j x_l` and `x_l x_j` are one term.
#[inline(always)]
fn square_terms<'a>(
    m: usize,
    i: usize,
    half: usize,
    coefficient: impl Fn(usize) -> &'a [i64] + Clone,
) -> impl Iterator<Item = Term<'a>> + Clone {
    // j + l is `i - half`, or m more; Y itself is one more.
    (0..m).filter_map(move |j| {
        let l = (2 * m + i - half - j) % m;
        let wraps = j + l + half != i;
        (j <= l).then(|| Term {
            minus: wraps != (half == 1),
            twice: j != l,
            factors: [coefficient(2 * j + half), coefficient(2 * l + half)],
        })
    })
}

/// Most digits of a factor: f one level above the deepest.
const MAX_DIGITS: usize = zint::digits(104);

/// `out = a - b`; `b` may have fewer digits.
fn subtract(out: &mut [i64], a: &[i64], b: &[i64]) {
    let (mut carry, last) = (0, a.len() - 1);
    for (i, (out, &a)) in out.iter_mut().zip(a).enumerate() {
        carry += a - b.get(i).copied().unwrap_or(0);
        *out = if i == last { carry } else { carry & zint::MASK };
        carry >>= zint::DIGIT_BITS;
    }
}
