//! The top level of the tower, depth 0 (Falcon, Algorithm 6): the last reduction, G from F,
//! and the range check. All of it modulo the first prime, which the coefficients cannot leave.

use super::{Failure, take};
use crate::{
    fxp::{self, Divisor},
    mp31::{Prime, RNS},
    poly::{intt, ntt, set_small},
    vect::{fft, ifft},
};
use pqsig_comm::ct;
use pqsig_comm::fndsa::params::Q;

/// Largest coefficient of F and G.
const LIMIT: i64 = 127;

/// F and G from F of depth 1.
pub(super) fn finish(
    f: &[i8],
    g: &[i8],
    deeper: &[i64],
    capital_f: &mut [i8],
    capital_g: &mut [i8],
    mut rest: &mut [i64],
) -> Result<(), Failure> {
    let (n, field) = (f.len(), &RNS[0]);
    let mut next = || take(&mut rest, n);
    let (f_hat, g_hat, f_inverse) = (next(), next(), next());
    let (capital_f_hat, capital_g_hat) = (next(), next());
    let (numerator, denominator) = (next(), next());

    let transform = |out: &mut [i64], x: &[i8]| {
        set_small(out, x.iter().map(|&x| i64::from(x)), field);
        ntt(out, 0);
    };
    transform(f_hat, f);
    transform(g_hat, g);
    invert_all(f_inverse, f_hat, numerator)?;

    // F = F_deeper(X^2) g(-X), and G.
    let deeper_hat = &mut numerator[..n / 2];
    set_small(deeper_hat, deeper.iter().copied(), field);
    ntt(deeper_hat, 0);
    for i in 0..n {
        capital_f_hat[i] = product(field, deeper_hat[i / 2], g_hat[i ^ 1]);
    }
    complete(field, capital_g_hat, capital_f_hat, g_hat, f_inverse);

    // k = round((F adj f + G adj g) / (f adj f + g adj g)); value i of an adjoint is value
    // n - 1 - i of the polynomial.
    let pair = |a: &[i64], b: &[i64], i: usize| {
        let j = n - 1 - i;
        let sum = field.add(
            product(field, a[i], f_hat[j]) as u64,
            product(field, b[i], g_hat[j]) as u64,
        );
        sum as i64
    };
    for i in 0..n {
        numerator[i] = pair(capital_f_hat, capital_g_hat, i);
        denominator[i] = pair(f_hat, g_hat, i);
    }
    for x in [&mut *numerator, &mut *denominator] {
        intt(x, 0);
        x.iter_mut()
            .for_each(|x| *x = field.center(*x as u64) << SCALE);
        fft(x);
    }
    let (re, im) = numerator.split_at_mut(n / 2);
    for ((re, im), &d) in re.iter_mut().zip(im).zip(denominator.iter()) {
        let divisor = Divisor::new(d);
        *re = divisor.divide(*re);
        *im = divisor.divide(*im);
    }
    ifft(numerator);
    for x in numerator.iter_mut() {
        *x = field.residue(fxp::round(*x)) as i64;
    }
    ntt(numerator, 0);

    // F -= k f, and G once more.
    for ((capital_f, &k), &f) in capital_f_hat
        .iter_mut()
        .zip(numerator.iter())
        .zip(f_hat.iter())
    {
        *capital_f = field.sub(*capital_f as u64, product(field, k, f) as u64) as i64;
    }
    complete(field, capital_g_hat, capital_f_hat, g_hat, f_inverse);

    let fits = extract(capital_f, capital_f_hat, field) & extract(capital_g, capital_g_hat, field);
    if ct::public_flag(fits == -1) {
        Ok(())
    } else {
        Err(Failure::Range)
    }
}

/// Both sides of the last division are taken at 2^-10, so that they fit.
const SCALE: u32 = 32 - 10;

/// `a b`, none in Montgomery form.
#[inline(always)]
fn product(field: &Prime, a: i64, b: i64) -> i64 {
    field.mul(field.enter(a as u64), b as u64) as i64
}

/// `G = (q + g F) / f`, all transformed, with `1/f` in Montgomery form.
fn complete(field: &Prime, capital_g: &mut [i64], capital_f: &[i64], g: &[i64], f_inverse: &[i64]) {
    for (i, out) in capital_g.iter_mut().enumerate() {
        let sum = field.add(product(field, g[i], capital_f[i]) as u64, Q.into());
        *out = field.mul(sum, f_inverse[i] as u64) as i64;
    }
}

/// `1/x` in Montgomery form for every `x`, at the price of one inversion: each prefix product
/// gives an inverse back. Fails if some `x` is zero.
fn invert_all(out: &mut [i64], x: &[i64], prefixes: &mut [i64]) -> Result<(), Failure> {
    let field = &RNS[0];
    let mut product = field.enter(1);
    for (prefix, &x) in prefixes.iter_mut().zip(x) {
        *prefix = product as i64;
        product = field.mul(product, field.enter(x as u64));
    }
    if ct::public_flag(product == 0) {
        return Err(Failure::Range);
    }
    let mut inverse = field.invert(product);
    for ((out, &prefix), &x) in out.iter_mut().zip(&*prefixes).zip(x).rev() {
        *out = field.mul(inverse, prefix as u64) as i64;
        inverse = field.mul(inverse, field.enter(x as u64));
    }
    Ok(())
}

/// Coefficients from values; -1 if all are in range, else 0.
fn extract(out: &mut [i8], values: &mut [i64], field: &Prime) -> i64 {
    intt(values, 0);
    let mut outside = 0;
    for (out, &x) in out.iter_mut().zip(&*values) {
        let x = field.center(x as u64);
        outside |= (LIMIT - x) | (LIMIT + x);
        *out = x as i8;
    }
    !(outside >> 63)
}
