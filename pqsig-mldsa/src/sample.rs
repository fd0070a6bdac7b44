//! Pseudorandom sampling (FIPS 204, section 7.3, Algorithms 29 to 34).

use crate::{
    backend::{Backend, portable},
    encode,
    params::{Eta, Gamma1, N, ParameterSet},
    poly::{Element as _, Normal, Ntt, Poly},
};
use pqsig_comm::{
    shake::{RATE_128, RATE_256, Reader, Shake128, Shake256},
    shake_x4::{Shake128x4, Shake256x4},
};
use zeroize::Zeroizing;

/// FIPS 204, Algorithm 32 (`ExpandA`). Out: [0, q).
#[inline(always)]
pub(crate) fn expand_a<B: Backend, P: ParameterSet>(b: B, rho: &[u8; 32], a: &mut [Poly<Ntt>]) {
    for (group, polys) in a.chunks_mut(4).enumerate() {
        expand_a_part::<B, P>(b, rho, 4 * group, polys);
    }
}

/// Up to four polynomials of A, row by row, from polynomial `first` on.
#[inline(always)]
pub(crate) fn expand_a_part<B: Backend, P: ParameterSet>(
    b: B,
    rho: &[u8; 32],
    first: usize,
    polys: &mut [Poly<Ntt>],
) {
    if polys.len() >= B::X4_PAYS_FROM {
        let nonces = core::array::from_fn(|lane| nonce_of_a::<P>(first + lane));
        rej_ntt_poly_x4(b, rho, &nonces, polys);
    } else {
        for (i, poly) in polys.iter_mut().enumerate() {
            rej_ntt_poly(b, rho, nonce_of_a::<P>(first + i), poly);
        }
    }
}

/// The nonce of polynomial `index` of A, row by row.
fn nonce_of_a<P: ParameterSet>(index: usize) -> [u8; 2] {
    [(index % P::L) as u8, (index / P::L) as u8]
}

/// FIPS 204, Algorithm 30 (`RejNTTPoly`), for up to four seeds at once.
#[inline(always)]
fn rej_ntt_poly_x4<B: Backend>(
    b: B,
    rho: &[u8; 32],
    nonces: &[[u8; 2]; 4],
    polys: &mut [Poly<Ntt>],
) {
    let mut streams = Shake128x4::new(b, rho, nonces);
    let mut blocks = [[0; RATE_128]; 4];
    let mut filled = [0; 4];
    while filled[..polys.len()].iter().any(|&filled| filled < N) {
        streams.read_blocks(&mut blocks);
        for ((poly, block), filled) in polys.iter_mut().zip(&blocks).zip(&mut filled) {
            *filled = b.rej_uniform(block, poly, *filled);
        }
    }
}

/// FIPS 204, Algorithm 30 (`RejNTTPoly`).
#[inline(always)]
fn rej_ntt_poly<B: Backend>(b: B, rho: &[u8; 32], nonce: [u8; 2], poly: &mut Poly<Ntt>) {
    rej_ntt(b, rho, nonce, |block, filled| {
        b.rej_uniform(block, poly, filled)
    });
}

/// Adds the product of polynomial `index` of A, row by row, and `vector` to `sum`, without that
/// polynomial in memory.
///
/// In: |vector| < `portable::NTT_BOUND`. The sum grows by less than 3q/4.
#[inline(always)]
pub(crate) fn add_product_with_a<B: Backend, P: ParameterSet>(
    b: B,
    rho: &[u8; 32],
    index: usize,
    vector: &Poly<Ntt>,
    sum: &mut [i32; N],
) {
    rej_ntt(b, rho, nonce_of_a::<P>(index), |block, filled| {
        portable::add_uniform_product(block, vector, sum, filled)
    });
}

/// Hands block after block of a stream to `take`, which returns how many of the 256 coefficients
/// there are, until there are all.
#[inline(always)]
fn rej_ntt<B: Backend>(
    b: B,
    rho: &[u8; 32],
    nonce: [u8; 2],
    mut take: impl FnMut(&[u8; RATE_128], usize) -> usize,
) {
    let mut shake = Shake128::new(b);
    shake.absorb(rho);
    shake.absorb(&nonce);
    let mut stream = shake.finish();
    let mut block = [0; RATE_128];
    let mut filled = 0;
    while filled < N {
        stream.read_block(&mut block);
        filled = take(&block, filled);
    }
}

/// FIPS 204, Algorithm 33 (`ExpandS`): polynomial `i` of s1 followed by s2, in groups of `GROUP`,
/// at most four, to `put(i, poly)`. Coefficients in [-eta, eta].
#[inline(always)]
pub(crate) fn expand_s<B: Backend, P: ParameterSet, const GROUP: usize>(
    b: B,
    rho_prime: &[u8; 64],
    mut put: impl FnMut(usize, &Poly<Normal>),
) {
    let mut polys = Zeroizing::new([const { Poly::ZERO }; GROUP]);
    let total = P::K + P::L;
    for at in (0..total).step_by(GROUP) {
        let polys = &mut polys[..GROUP.min(total - at)];
        // The first condition is known at compile time.
        if GROUP >= B::X4_PAYS_FROM && polys.len() >= B::X4_PAYS_FROM {
            rej_bounded_poly_x4(b, P::ETA, rho_prime, at as u8, polys);
        } else {
            for (i, poly) in polys.iter_mut().enumerate() {
                rej_bounded_poly(b, P::ETA, rho_prime, (at + i) as u8, poly);
            }
        }
        for (i, poly) in polys.iter().enumerate() {
            put(at + i, poly);
        }
    }
}

/// FIPS 204, Algorithm 31 (`RejBoundedPoly`), for up to four consecutive nonces at once.
#[inline(always)]
fn rej_bounded_poly_x4<B: Backend>(
    b: B,
    eta: Eta,
    rho_prime: &[u8; 64],
    nonce: u8,
    polys: &mut [Poly<Normal>],
) {
    let nonces = core::array::from_fn(|lane| [nonce + lane as u8, 0]);
    let mut streams = Shake256x4::new(b, rho_prime, &nonces);
    let mut blocks = Zeroizing::new([[0; RATE_256]; 4]);
    let mut filled = [0; 4];
    while filled[..polys.len()].iter().any(|&filled| filled < N) {
        streams.read_blocks(&mut blocks);
        for ((poly, block), filled) in polys.iter_mut().zip(blocks.iter()).zip(&mut filled) {
            *filled = b.rej_bounded(eta, block, poly, *filled);
        }
    }
}

/// FIPS 204, Algorithm 31 (`RejBoundedPoly`).
#[inline(always)]
fn rej_bounded_poly<B: Backend>(
    b: B,
    eta: Eta,
    rho_prime: &[u8; 64],
    nonce: u8,
    poly: &mut Poly<Normal>,
) {
    let mut stream = stream_256(b, rho_prime, [nonce, 0]);
    let mut block = Zeroizing::new([0; RATE_256]);
    let mut filled = 0;
    while filled < N {
        stream.read_block(&mut block);
        filled = b.rej_bounded(eta, &*block, poly, filled);
    }
}

/// SHAKE256 of a seed and a nonce.
#[inline(always)]
fn stream_256<B: Backend>(b: B, seed: &[u8; 64], nonce: [u8; 2]) -> Reader<B, RATE_256> {
    let mut shake = Shake256::new(b);
    shake.absorb(seed);
    shake.absorb(&nonce);
    shake.finish()
}

/// One polynomial of FIPS 204, Algorithm 34 (`ExpandMask`). Out: (-gamma1, gamma1].
#[inline(always)]
pub(crate) fn expand_mask<B: Backend>(
    b: B,
    gamma1: Gamma1,
    rho_double_prime: &[u8; 64],
    nonce: u16,
    y: &mut Poly<Normal>,
) {
    let mut bytes = Zeroizing::new([0; MASK_LEN]);
    let bytes = &mut bytes[..gamma1.encoded_len()];
    stream_256(b, rho_double_prime, nonce.to_le_bytes()).read(bytes);
    encode::unpack_gamma1(b, gamma1, bytes, y);
}

/// Bytes of an encoded mask polynomial of the larger size.
const MASK_LEN: usize = Gamma1::Pow19.encoded_len();

/// The mask polynomials y of all attempts at one signature (FIPS 204, Algorithm 34,
/// `ExpandMask`). Wiped on drop.
///
/// Attempt `i` uses the nonces `i l` to `i l + l - 1`, so the polynomials form one sequence,
/// which is computed four at a time; what one attempt leaves of a group serves the next.
pub(crate) struct Masks<'a, B: Backend> {
    b: B,
    gamma1: Gamma1,
    rho_double_prime: &'a [u8; 64],
    /// Nonce of the next polynomial.
    next: u16,
    /// The group of `next`, where `next` is not a multiple of four.
    group: [MaskBytes; 4],
}

/// Enough whole blocks for an encoded mask polynomial of either size: 5 x 136 >= 640.
type MaskBytes = [u8; 5 * RATE_256];

impl<'a, B: Backend> Masks<'a, B> {
    #[inline(always)]
    pub(crate) fn new(b: B, gamma1: Gamma1, rho_double_prime: &'a [u8; 64]) -> Self {
        let group = [[0; 5 * RATE_256]; 4];
        Self {
            b,
            gamma1,
            rho_double_prime,
            next: 0,
            group,
        }
    }

    /// The next polynomial. Out: (-gamma1, gamma1].
    #[inline(always)]
    pub(crate) fn next(&mut self, y: &mut Poly<Normal>) {
        let lane = usize::from(self.next % 4);
        if lane == 0 {
            self.refill();
        }
        encode::unpack_gamma1(self.b, self.gamma1, &self.group[lane], y);
        self.next += 1;
    }

    #[inline(always)]
    fn refill(&mut self) {
        let nonces = core::array::from_fn(|lane| (self.next + lane as u16).to_le_bytes());
        let mut streams = Shake256x4::new(self.b, self.rho_double_prime, &nonces);
        let mut blocks = Zeroizing::new([[0; RATE_256]; 4]);
        for at in (0..5).map(|block| block * RATE_256) {
            streams.read_blocks(&mut blocks);
            for (bytes, block) in self.group.iter_mut().zip(blocks.iter()) {
                bytes[at..at + RATE_256].copy_from_slice(block);
            }
        }
    }
}

impl<B: Backend> Drop for Masks<'_, B> {
    #[inline(always)]
    fn drop(&mut self) {
        self.group.as_flattened_mut().fill(0);
        zeroize::optimization_barrier(&self.group);
    }
}

/// FIPS 204, Algorithm 29 (`SampleInBall`): tau coefficients of 1 or -1, the rest zero.
///
/// Branches and indices depend on `c_tilde`, which is public wherever this is called.
#[inline(always)]
pub(crate) fn sample_in_ball<B: Backend, P: ParameterSet>(
    b: B,
    c_tilde: &P::CTilde,
    c: &mut [i8; N],
) {
    let mut block = [0; RATE_256];
    Shake256::digest(b, &[c_tilde.as_ref()], &mut block);
    sample_in_ball_from::<B, P>(b, c_tilde, &block, c);
}

/// As [`sample_in_ball`], for a caller who has the first block of the stream.
#[inline(always)]
pub(crate) fn sample_in_ball_from<B: Backend, P: ParameterSet>(
    b: B,
    c_tilde: &P::CTilde,
    first: &[u8; RATE_256],
    c: &mut [i8; N],
) {
    let mut block = *first;
    let mut blocks = 1;
    let mut signs = u64::from_le_bytes(core::array::from_fn(|i| block[i]));
    let mut at = 8;

    c.fill(0);
    for i in N - P::TAU..N {
        let j = loop {
            if at == RATE_256 {
                block = block_of::<B, P>(b, c_tilde, blocks);
                blocks += 1;
                at = 0;
            }
            let j = usize::from(block[at]);
            at += 1;
            if j <= i {
                break j;
            }
        };
        c[i] = c[j];
        c[j] = 1 - 2 * (signs & 1) as i8;
        signs >>= 1;
    }
}

/// Block `index` of the stream of [`sample_in_ball`], from the start again: it takes up to 60 of
/// the first block's 128 positions, and refuses less than a quarter of those that it looks at.
#[cold]
#[inline(never)]
fn block_of<B: Backend, P: ParameterSet>(
    b: B,
    c_tilde: &P::CTilde,
    index: usize,
) -> [u8; RATE_256] {
    let mut shake = Shake256::new(b);
    shake.absorb(c_tilde.as_ref());
    let mut stream = shake.finish();
    let mut block = [0; RATE_256];
    for _ in 0..=index {
        stream.read_block(&mut block);
    }
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{MlDsa44, MlDsa65, MlDsa87};
    use pqsig_comm::{arch::Portable, encoding::ByteArray};

    /// A first block that gives fewer positions than are needed: the second block goes on.
    fn second_block<P: ParameterSet>() {
        let c_tilde = P::CTilde::ZERO;
        let mut stream = [0; 2 * RATE_256];
        Shake256::digest(Portable, &[c_tilde.as_ref()], &mut stream);
        let (first, _) = stream.split_at_mut(RATE_256);
        // 255 is refused for every i but the last.
        first[8 + P::TAU - 2..].fill(255);
        let first: [u8; RATE_256] = core::array::from_fn(|i| first[i]);

        let mut expected = [0; N];
        let mut positions = stream[8..].iter().map(|&byte| usize::from(byte));
        let signs = u64::from_le_bytes(core::array::from_fn(|i| stream[i]));
        for (bit, i) in (N - P::TAU..N).enumerate() {
            let j = positions.find(|&j| j <= i).expect("272 bytes are enough");
            expected[i] = expected[j];
            expected[j] = if signs >> bit & 1 == 1 { -1 } else { 1 };
        }
        assert!(positions.len() < RATE_256, "the second block was used");
        let mut c = [0; N];
        sample_in_ball_from::<_, P>(Portable, &c_tilde, &first, &mut c);
        assert_eq!(c, expected);
    }

    #[test]
    fn the_challenge_goes_on_in_the_second_block() {
        second_block::<MlDsa44>();
        second_block::<MlDsa65>();
        second_block::<MlDsa87>();
    }
}
