//! Fast Fourier sampling: a lattice point near the target, by a walk over the tree of LDL
//! decompositions (Falcon, Algorithms 9 and 11).
//!
//! Falcon says it as a recursion. Here it is a loop over the leaves, [`walk`], so that
//! it stays inside the function that entered the CPU's features, and so that signing and the
//! precomputation of the tree are two walkers ([`Sampling`], [`Record`]) of one path. What the
//! tree holds comes from a [`Tree`]: [`Dynamic`] decomposes as it goes, [`Stored`] reads what
//! [`Record`] wrote.
//!
//! A node of level l works on transforms of degree 2^l. Working memory for all levels is one
//! array of 4n numbers, level l at `2^(l+1)..2^(l+2)`: the targets t0 and t1, or for the tree
//! g00, g11 (both real) and g01.

use crate::{complex::Complex, flr::Real, roots, sampler::Sampler};
use pqsig_comm::arch::Arch;

/// Numbers in a stored tree of degree 2^logn: l10 at each level, and the leaves.
pub(crate) const fn tree_len(logn: u32) -> usize {
    (logn as usize + 1) << logn
}

/// Where level `level` starts in a working memory, and its length.
const fn offset(level: u32) -> usize {
    2 << level
}

/// The memory of the level below `level` and of `level` itself.
#[inline(always)]
fn levels<R>(memory: &mut [R], level: u32) -> (&mut [R], &mut [R]) {
    let (below, node) = memory.split_at_mut(offset(level));
    (&mut below[offset(level - 1)..], &mut node[..offset(level)])
}

/// The memory of the top level. In: 4n numbers.
#[inline(always)]
pub(crate) fn top<R>(memory: &mut [R]) -> &mut [R] {
    let half = memory.len() / 2;
    &mut memory[half..]
}

/// What a walk does. Nodes have levels from 2 up; a leaf is a node of level 1.
trait Walker {
    /// Before the right subtree of a node.
    fn enter(&mut self, level: u32);
    /// Between the right and the left subtree.
    fn between(&mut self, level: u32);
    /// After the left subtree.
    fn leave(&mut self, level: u32);
    /// At a leaf.
    fn leaf(&mut self);
}

/// Walks over the tree of degree 2^logn, right subtrees first.
#[inline(always)]
fn walk<W: Walker>(walker: &mut W, logn: u32) {
    let mut level = logn;
    for leaf in 0u32..1 << (logn - 1) {
        while level > 1 {
            walker.enter(level);
            level -= 1;
        }
        walker.leaf();
        // A one at the end of the number of a leaf is a subtree that ends with it.
        for _ in 0..leaf.trailing_ones() {
            level += 1;
            walker.leave(level);
        }
        if level < logn {
            walker.between(level + 1);
        }
    }
}

/// The values of the tree along a walk.
pub(crate) trait Tree<R> {
    /// Called where a walk enters a node.
    fn enter(&mut self, level: u32);
    /// Called between the subtrees. Out: l10, 2^level numbers.
    fn between(&mut self, level: u32) -> &[R];
    /// Out: 1/sigma of the right leaf, l10 (two parts), 1/sigma of the left leaf.
    fn leaf(&mut self) -> [R; 4];
}

/// A tree that is decomposed as the walk goes (the "dynamic" tree).
pub(crate) struct Dynamic<'a, R> {
    memory: &'a mut [R],
    inv_sigma: R,
}

impl<'a, R: Real> Dynamic<'a, R> {
    /// In: 4n numbers, the Gram matrix in the [`top`] of it; 1/sigma of the
    /// parameter set.
    #[inline(always)]
    pub(crate) fn new(memory: &'a mut [R], inv_sigma: R) -> Self {
        Self { memory, inv_sigma }
    }
}

impl<R: Real> Tree<R> for Dynamic<'_, R> {
    #[inline(always)]
    fn enter(&mut self, level: u32) {
        let (child, node) = levels(self.memory, level);
        decompose(node);
        let (g00, rest) = node.split_at_mut(node.len() / 4);
        split_gram(&rest[..g00.len()], child);
    }

    #[inline(always)]
    fn between(&mut self, level: u32) -> &[R] {
        let (child, node) = levels(self.memory, level);
        let (reals, l10) = node.split_at(node.len() / 2);
        split_gram(&reals[..l10.len() / 2], child);
        l10
    }

    #[inline(always)]
    fn leaf(&mut self) -> [R; 4] {
        let node = &mut self.memory[offset(1)..offset(2)];
        decompose(node);
        let sigma = |d: R| d.sqrt() * self.inv_sigma;
        [sigma(node[1]), node[2], node[3], sigma(node[0])]
    }
}

/// The LDL decomposition of a Gram matrix, in place: g11 becomes d11 and g01 becomes l10.
#[inline(always)]
fn decompose<R: Real>(node: &mut [R]) {
    let half = node.len() / 4;
    let (g00, rest) = node.split_at_mut(half);
    let (g11, g01) = rest.split_at_mut(half);
    let (g01_re, g01_im) = g01.split_at_mut(half);
    let one = R::from_bits(crate::flr::constants::ONE);
    for k in 0..half {
        let g01 = Complex::load(g01_re, g01_im, k);
        let mu = g01.scale(one.div(g00[k]));
        g11[k] = g11[k] - (mu.re * g01.re + mu.im * g01.im);
        g01_re[k] = mu.re;
        g01_im[k] = -mu.im;
    }
}

/// The Gram matrix of the level below that a real diagonal entry splits into.
#[inline(always)]
fn split_gram<R: Real>(d: &[R], child: &mut [R]) {
    let quarter = d.len() / 2;
    let twiddles = roots::layer(quarter).cut(quarter);
    let (d_0, d_1) = d.split_at(quarter);
    let (g00, rest) = child.split_at_mut(quarter);
    let (g11, rest) = rest.split_at_mut(quarter);
    let (g01_re, g01_im) = rest.split_at_mut(quarter);
    for i in 0..quarter {
        let w: Complex<R> = twiddles.get(i);
        let mean = (d_0[i] + d_1[i]).half();
        let t = (d_0[i] - d_1[i]).half();
        g00[i] = mean;
        g11[i] = mean;
        g01_re[i] = t * w.re;
        g01_im[i] = t * -w.im;
    }
}

/// A tree that [`record`] wrote, in the order in which a walk wants it.
pub(crate) struct Stored<'a, R> {
    rest: &'a [R],
}

impl<'a, R> Stored<'a, R> {
    /// In: `tree_len(logn)` numbers.
    #[inline(always)]
    pub(crate) fn new(tree: &'a [R]) -> Self {
        Self { rest: tree }
    }

    #[inline(always)]
    fn next(&mut self, len: usize) -> &'a [R] {
        let (head, tail) = self.rest.split_at(len);
        self.rest = tail;
        head
    }
}

impl<R: Real> Tree<R> for Stored<'_, R> {
    #[inline(always)]
    fn enter(&mut self, _: u32) {}

    #[inline(always)]
    fn between(&mut self, level: u32) -> &[R] {
        self.next(1 << level)
    }

    #[inline(always)]
    fn leaf(&mut self) -> [R; 4] {
        let leaf = self.next(4);
        [leaf[0], leaf[1], leaf[2], leaf[3]]
    }
}

/// Writes the tree down for [`Stored`].
struct Record<'a, R> {
    source: Dynamic<'a, R>,
    rest: &'a mut [R],
}

impl<R: Real> Record<'_, R> {
    #[inline(always)]
    fn write(rest: &mut &mut [R], values: &[R]) {
        let (head, tail) = core::mem::take(rest).split_at_mut(values.len());
        head.copy_from_slice(values);
        *rest = tail;
    }
}

impl<R: Real> Walker for Record<'_, R> {
    #[inline(always)]
    fn enter(&mut self, level: u32) {
        self.source.enter(level);
    }

    #[inline(always)]
    fn between(&mut self, level: u32) {
        Self::write(&mut self.rest, self.source.between(level));
    }

    #[inline(always)]
    fn leave(&mut self, _: u32) {}

    #[inline(always)]
    fn leaf(&mut self) {
        Self::write(&mut self.rest, &self.source.leaf());
    }
}

/// Computes the whole tree. In: `tree_len(logn)` numbers for it.
#[inline(always)]
pub(crate) fn record<R: Real>(source: Dynamic<'_, R>, tree: &mut [R], logn: u32) {
    let mut recorder = Record { source, rest: tree };
    walk(&mut recorder, logn);
}

/// Samples: targets become sampled coordinates, in place.
struct Sampling<'a, R: Real, T, A: Arch> {
    memory: &'a mut [R],
    tree: T,
    sampler: &'a mut Sampler<R, A>,
}

/// Samples integer coordinates (z0, z1) near the target (t0, t1).
///
/// In: 4n numbers, t0 and t1 in the [`top`] of them. Out: z0 and z1 there.
#[inline(always)]
pub(crate) fn sample<R: Real, T: Tree<R>, A: Arch>(
    memory: &mut [R],
    tree: T,
    sampler: &mut Sampler<R, A>,
    logn: u32,
) {
    let mut walker = Sampling {
        memory,
        tree,
        sampler,
    };
    walk(&mut walker, logn);
}

impl<R: Real, T: Tree<R>, A: Arch> Walker for Sampling<'_, R, T, A> {
    #[inline(always)]
    fn enter(&mut self, level: u32) {
        self.tree.enter(level);
        let (child, node) = levels(self.memory, level);
        let (_, t1) = node.split_at(node.len() / 2);
        split(t1, child);
    }

    #[inline(always)]
    fn between(&mut self, level: u32) {
        let l10 = self.tree.between(level);
        let (child, node) = levels(self.memory, level);
        let (t0, t1) = node.split_at_mut(node.len() / 2);
        merge_reduce_split(l10, t0, t1, child);
    }

    #[inline(always)]
    fn leave(&mut self, level: u32) {
        let (child, node) = levels(self.memory, level);
        let (t0, _) = node.split_at_mut(node.len() / 2);
        merge(child, t0);
    }

    #[inline(always)]
    fn leaf(&mut self) {
        let [right, l10_re, l10_im, left] = self.tree.leaf();
        let node = &mut self.memory[offset(1)..offset(2)];
        let t1 = Complex {
            re: node[2],
            im: node[3],
        };
        let z1 = self.sampler.pair(t1, right);
        let l10 = Complex {
            re: l10_re,
            im: l10_im,
        };
        let t0 = Complex {
            re: node[0],
            im: node[1],
        };
        let z0 = self.sampler.pair(t0 + (t1 - z1) * l10, left);
        node.copy_from_slice(&[z0.re, z0.im, z1.re, z1.im]);
    }
}

/// Splits a transform into the two of half its degree: `f(x) = f0(x^2) + x f1(x^2)`.
#[inline(always)]
fn split<R: Real>(f: &[R], child: &mut [R]) {
    let half = f.len() / 2;
    let quarter = half / 2;
    let twiddles = roots::layer(quarter).cut(quarter);
    let (re, im) = f.split_at(half);
    let (re_0, re_1) = re.split_at(quarter);
    let (im_0, im_1) = im.split_at(quarter);
    let (f0_re, rest) = child.split_at_mut(quarter);
    let (f0_im, rest) = rest.split_at_mut(quarter);
    let (f1_re, f1_im) = rest.split_at_mut(quarter);
    for i in 0..quarter {
        let a = Complex::load(re_0, im_0, i);
        let b = Complex::load(re_1, im_1, i);
        (a + b).half().store(f0_re, f0_im, i);
        let difference = (a - b).half();
        difference.mul_conj(twiddles.get(i)).store(f1_re, f1_im, i);
    }
}

/// The inverse of [`split`].
#[inline(always)]
fn merge<R: Real>(child: &[R], f: &mut [R]) {
    let half = f.len() / 2;
    let quarter = half / 2;
    let twiddles = roots::layer(quarter).cut(quarter);
    let (f0_re, rest) = child.split_at(quarter);
    let (f0_im, rest) = rest.split_at(quarter);
    let (f1_re, f1_im) = rest.split_at(quarter);
    let (re, im) = f.split_at_mut(half);
    let (re_0, re_1) = re.split_at_mut(quarter);
    let (im_0, im_1) = im.split_at_mut(quarter);
    for i in 0..quarter {
        let a = Complex::load(f0_re, f0_im, i);
        let b = Complex::load(f1_re, f1_im, i) * twiddles.get(i);
        (a + b).store(re_0, im_0, i);
        (a - b).store(re_1, im_1, i);
    }
}

/// What lies between two subtrees, in one pass: z1 is merged from the right one and takes the
/// place of t1; then `t0 + l10 (t1 - z1)` is split for the left one.
#[inline(always)]
fn merge_reduce_split<R: Real>(l10: &[R], t0: &[R], t1: &mut [R], child: &mut [R]) {
    let half = t1.len() / 2;
    let quarter = half / 2;
    let twiddles = roots::layer(quarter).cut(quarter);
    let (l10_re, l10_im) = l10.split_at(half);
    let (l10_re_0, l10_re_1) = l10_re.split_at(quarter);
    let (l10_im_0, l10_im_1) = l10_im.split_at(quarter);
    let (t0_re, t0_im) = t0.split_at(half);
    let (t0_re_0, t0_re_1) = t0_re.split_at(quarter);
    let (t0_im_0, t0_im_1) = t0_im.split_at(quarter);
    let (t1_re, t1_im) = t1.split_at_mut(half);
    let (t1_re_0, t1_re_1) = t1_re.split_at_mut(quarter);
    let (t1_im_0, t1_im_1) = t1_im.split_at_mut(quarter);
    let (f0_re, rest) = child.split_at_mut(quarter);
    let (f0_im, rest) = rest.split_at_mut(quarter);
    let (f1_re, f1_im) = rest.split_at_mut(quarter);
    for i in 0..quarter {
        let w = twiddles.get(i);
        let a = Complex::load(f0_re, f0_im, i);
        let b = Complex::load(f1_re, f1_im, i) * w;
        let (z1_0, z1_1) = (a + b, a - b);
        let d_0 = Complex::load(t1_re_0, t1_im_0, i) - z1_0;
        let d_1 = Complex::load(t1_re_1, t1_im_1, i) - z1_1;
        z1_0.store(t1_re_0, t1_im_0, i);
        z1_1.store(t1_re_1, t1_im_1, i);
        let t0_0 = Complex::load(t0_re_0, t0_im_0, i);
        let t0_1 = Complex::load(t0_re_1, t0_im_1, i);
        let a = t0_0 + Complex::load(l10_re_0, l10_im_0, i) * d_0;
        let b = t0_1 + Complex::load(l10_re_1, l10_im_1, i) * d_1;
        (a + b).half().store(f0_re, f0_im, i);
        (a - b).half().mul_conj(w).store(f1_re, f1_im, i);
    }
}
