//! The NTRU equation (Falcon, Algorithm 6): F and G with `f G - g F = q`, small.
//!
//! The solver goes down a tower of norms, from degree n to two integers, solves there, and comes
//! up again, making F small at every level. Sizes are fixed per level, so that nothing but
//! success or failure shows; failures are part of the function, since another candidate and so
//! another key follows.
//!
//! | levels | integers | products |
//! | --- | --- | --- |
//! | 0 | one prime | transforms |
//! | 1, and those of degree 128 and more | up to 6 primes | transforms, then rebuilt |
//! | all others | digits of 62 bits | term by term |
//!
//! Where upstream's residues wrap around, on integers larger than a level provides for, F is no
//! longer a solution modulo f, and no later step can repair that: such a candidate fails, at
//! the latest when F and G are not small in the end. This solver fails as soon as it sees it.

mod ascent;
mod bottom;
mod descent;

use crate::{
    bezout,
    zint::{self, digits, products},
};

/// Words of f and g, and of a reduced F, at each depth.
const SMALL_WORDS: [usize; 11] = [1, 1, 2, 3, 4, 8, 14, 27, 53, 104, 207];

/// Words of F before its reduction.
const LARGE_WORDS: [usize; 10] = [1, 2, 3, 6, 11, 21, 40, 78, 155, 308];

/// Top words of f that guide the reduction.
const WINDOW_WORDS: [usize; 10] = [1, 1, 2, 2, 2, 3, 3, 4, 5, 7];

/// From this degree on residues are faster than products of digits.
const RESIDUE_DEGREE: usize = 128;

/// Why a candidate has no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    /// The integers of the deepest level: even, not coprime, or F too large.
    Gcd,
    /// An integer of this depth is larger than provided for.
    Size(usize),
    /// The reduction of F at this depth did not shrink it fast enough.
    Reduction(usize),
    /// f is zero somewhere modulo the first prime, or F or G has a coefficient beyond 127.
    Range,
}

/// One level of the tower between the top and the bottom.
#[derive(Clone, Copy)]
struct Level {
    depth: usize,
    /// Logarithm of the degree.
    logn: usize,
    /// Degree.
    n: usize,
    /// Bits that one round of the reduction removes.
    round_bits: usize,
}

impl Level {
    const fn new(top: usize, depth: usize) -> Self {
        Self {
            depth,
            logn: top - depth,
            n: 1 << (top - depth),
            round_bits: match top {
                10 => 8,
                9 => 9,
                _ => 10,
            },
        }
    }

    /// Words of f and g, and of a reduced F.
    const fn small_words(&self) -> usize {
        SMALL_WORDS[self.depth]
    }

    /// Digits of f and g, and of a reduced F.
    const fn small(&self) -> usize {
        digits(self.small_words())
    }

    /// Words of F before its reduction.
    const fn large_words(&self) -> usize {
        LARGE_WORDS[self.depth]
    }

    /// Digits of F before its reduction.
    const fn large(&self) -> usize {
        digits(self.large_words())
    }

    const fn uses_residues(&self) -> bool {
        self.depth <= 1 || self.n >= RESIDUE_DEGREE
    }

    /// Where f of this level starts in the tower; g follows.
    const fn start(&self) -> usize {
        tower_len(self.logn + self.depth, self.depth)
    }

    /// f and g of this level.
    fn of_tower<'a>(&self, tower: &'a [i64]) -> (&'a [i64], &'a [i64]) {
        let len = self.n * self.small();
        tower[self.start()..][..2 * len].split_at(len)
    }
}

/// Numbers that f and g take at depths 1 to `end - 1`, for degree 2^top.
const fn tower_len(top: usize, end: usize) -> usize {
    let (mut len, mut depth) = (0, 1);
    while depth < end {
        len += (2 * digits(SMALL_WORDS[depth])) << (top - depth);
        depth += 1;
    }
    len
}

/// Numbers of scratch memory that [`solve`] wants at degree 2^logn.
pub(crate) const fn scratch_len(logn: usize) -> usize {
    let n = 1 << logn;
    // Two buffers of n/2 for F, two of n/2 for fixed point, two of n for residues; at the top
    // level, one buffer for F and seven of n.
    let levels = tower_len(logn, logn + 1) + 4 * n;
    let top = 7 * n + n / 2;
    if levels > top { levels } else { top }
}

/// Takes the first `len` numbers.
fn take<'a>(rest: &mut &'a mut [i64], len: usize) -> &'a mut [i64] {
    let (taken, left) = core::mem::take(rest).split_at_mut(len);
    *rest = left;
    taken
}

/// Working memory of a level.
struct Work<'a> {
    /// F of the level below, then the reduced F of this level. n/2 at most, n the top degree.
    deeper: &'a mut [i64],
    /// F of this level. n/2.
    current: &'a mut [i64],
    /// Fixed point. n/2 each.
    fixed: [&'a mut [i64]; 2],
    /// Residues and the like. n each.
    large: [&'a mut [i64]; 2],
}

/// F and G for f and g.
///
/// `observe` sees F after each depth, with its digits per coefficient, for tests.
pub(crate) fn solve(
    f: &[i8],
    g: &[i8],
    capital_f: &mut [i8],
    capital_g: &mut [i8],
    scratch: &mut [i64],
    mut observe: impl FnMut(usize, &[i64], usize),
) -> Result<(), Failure> {
    let n = f.len();
    let logn = n.ilog2() as usize;
    let mut rest = scratch;
    // First of all, since it outlives the tower.
    let deeper = take(&mut rest, n / 2);
    {
        let (tower, mut rest) = rest.split_at_mut(tower_len(logn, logn + 1));
        let rest = &mut rest;
        let mut work = Work {
            deeper,
            current: take(rest, n / 2),
            fixed: [take(rest, n / 2), take(rest, n / 2)],
            large: [take(rest, n), take(rest, n)],
        };
        descent::descend(f, g, tower, &mut work)?;

        let deepest = Level::new(logn, logn);
        let len = deepest.small();
        let (x, y) = deepest.of_tower(tower);
        let solved = bezout::solve(
            &mut work.deeper[..len],
            x,
            y,
            deepest.small_words(),
            &mut work.large[0][..bezout::SCRATCH_NUMBERS * len],
        );
        if !solved {
            return Err(Failure::Gcd);
        }
        observe(logn, &work.deeper[..len], len);

        for depth in (1..logn).rev() {
            let level = Level::new(logn, depth);
            let (small_f, small_g) = level.of_tower(tower);
            ascent::lift(&level, small_g, &mut work)?;
            ascent::reduce(&level, small_f, &mut work)?;
            let len = level.small();
            observe(depth, &work.deeper[..level.n * len], len);
        }
    }
    bottom::finish(f, g, deeper, capital_f, capital_g, rest)
}
