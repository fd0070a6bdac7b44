//! The search for a key (Falcon, Algorithm 5): candidates from the stream until one has a
//! solution.

use crate::{
    candidate,
    gauss::{self, Stream},
    ntru::{self, Failure},
};
use pqsig_comm::{
    ct, entry,
    fndsa::mq::{self, Backend},
};

/// What became of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outcome {
    /// f has no inverse modulo q.
    Singular,
    /// (f, g) is too long.
    Norm,
    /// The orthogonalised vector is too long.
    Orthogonal,
    /// The solver failed.
    Unsolved(Failure),
    /// A coefficient of f or g does not fit its encoding (degrees up to 256 only, and rarer than
    /// 2^-24). Upstream's key cannot be decoded then; here the search goes on.
    Unencodable,
    /// A key.
    Found,
}

/// f, g, F and G: coefficients.
pub(crate) struct Basis<'a> {
    pub(crate) f: &'a mut [i8],
    pub(crate) g: &'a mut [i8],
    pub(crate) capital_f: &'a mut [i8],
    pub(crate) capital_g: &'a mut [i8],
}

/// What the search works with.
pub(crate) struct Memory<'a> {
    /// [`scratch_len`] numbers.
    pub(crate) scratch: &'a mut [i64],
    /// In the end the NTT of h = g/f modulo q.
    pub(crate) h_hat: &'a mut [i16],
    /// The NTT of f.
    pub(crate) values: &'a mut [i16],
    pub(crate) temporary: &'a mut [i16],
}

/// Numbers of scratch memory for degree 2^logn.
pub(crate) const fn scratch_len(logn: usize) -> usize {
    let solver = ntru::scratch_len(logn);
    let test = candidate::scratch_len(1 << logn);
    if solver > test { solver } else { test }
}

entry! {
    /// Looks for a key in the stream of `seed`, with f and g of `fg_bits` bits.
    pub(crate) fn search[](
        seed: &[u8],
        fg_bits: u32,
        basis: &mut Basis<'_>,
        memory: &mut Memory<'_>,
    ) = search_silently
}

#[inline(always)]
fn search_silently<A: Backend>(
    arch: A,
    seed: &[u8],
    fg_bits: u32,
    basis: &mut Basis<'_>,
    memory: &mut Memory<'_>,
) {
    let mut stream = Stream::new(arch, seed);
    search_in(
        arch,
        &mut stream,
        fg_bits,
        basis,
        memory,
        |_| {},
        |_, _, _| {},
    );
}

/// As [`search`]; tests see the outcome of each candidate, and what [`ntru::solve`] shows.
#[inline(always)]
pub(crate) fn search_in<A: Backend>(
    arch: A,
    stream: &mut Stream<A>,
    fg_bits: u32,
    basis: &mut Basis<'_>,
    memory: &mut Memory<'_>,
    mut observe: impl FnMut(Outcome),
    mut observe_f: impl FnMut(usize, &[i64], usize),
) {
    loop {
        let outcome = attempt(arch, stream, fg_bits, basis, memory, &mut observe_f);
        observe(outcome);
        if outcome == Outcome::Found {
            break;
        }
    }
    transform(arch, basis.g, memory.temporary, memory.h_hat);
    // f has an inverse.
    let _ = arch.divide(memory.h_hat, memory.values);
}

/// One candidate. Which test it fails may show: it is then forgotten.
#[inline(always)]
fn attempt<A: Backend>(
    arch: A,
    stream: &mut Stream<A>,
    fg_bits: u32,
    basis: &mut Basis<'_>,
    memory: &mut Memory<'_>,
    observe_f: impl FnMut(usize, &[i64], usize),
) -> Outcome {
    gauss::sample(basis.f, stream);
    transform(arch, basis.f, memory.temporary, memory.values);
    if has_zero(memory.values) {
        return Outcome::Singular;
    }
    gauss::sample(basis.g, stream);
    if !candidate::is_short(basis.f, basis.g) {
        return Outcome::Norm;
    }
    if !candidate::is_orthogonal_short(basis.f, basis.g, memory.scratch) {
        return Outcome::Orthogonal;
    }
    let solved = ntru::solve(
        basis.f,
        basis.g,
        basis.capital_f,
        basis.capital_g,
        memory.scratch,
        observe_f,
    );
    if let Err(failure) = solved {
        return Outcome::Unsolved(failure);
    }
    if fits(basis.f, fg_bits) && fits(basis.g, fg_bits) {
        Outcome::Found
    } else {
        Outcome::Unencodable
    }
}

/// The NTT modulo q of a small polynomial.
#[inline(always)]
fn transform<A: Backend>(arch: A, f: &[i8], temporary: &mut [i16], out: &mut [i16]) {
    for (t, &x) in temporary.iter_mut().zip(f) {
        *t = i16::from(x);
    }
    arch.ntt(temporary, out);
}

/// Whether a value is zero modulo q. It may show: the candidate is then dropped.
#[inline(always)]
fn has_zero(values: &[i16]) -> bool {
    let mut zero = 0;
    for &v in values {
        // Set only by 0: all other representatives are in [1, q - 1].
        zero |= (mq::canonical(v) as i16) - 1;
    }
    ct::public_flag(zero < 0)
}

/// Whether every coefficient has a code of `bits` bits.
fn fits(f: &[i8], bits: u32) -> bool {
    let limit = (1 << (bits - 1)) - 1;
    let outside = f.iter().fold(0, |outside, &x| {
        outside | (limit - i32::from(x)) | (limit + i32::from(x))
    });
    ct::public_flag(outside >= 0)
}
