//! Verification (FIPS 204, Algorithm 8). Everything here is public.

use crate::{
    backend::Backend,
    encode::{self, T1_LEN, layout},
    hint::Hint,
    params::{D, N, ParameterSet},
    poly::{Element as _, Normal, Ntt, Poly, PolyVec, Product},
    rows::{Kept, Once, Rows, Vector as _},
    sample,
};
use pqsig_comm::{
    Error, ct,
    encoding::ByteArray,
    mu::{Mu, PURE_HEADER},
    shake::{RATE_256, Shake256},
    shake_x4::digests_256,
};

/// What verification needs of a key, row by row.
pub(crate) trait Source<P: ParameterSet>: Copy {
    type Rows<B: Backend>: Rows<B>;

    /// A (line 5).
    fn rows<B: Backend>(self, b: B) -> Self::Rows<B>;

    /// The transform of t1 2^d (line 9), row `row`; it may lie in `space`, by way of `t1`.
    fn t1_hat<'a, B: Backend>(
        self,
        b: B,
        row: usize,
        t1: &mut Poly<Normal>,
        space: &'a mut Poly<Ntt>,
    ) -> &'a Poly<Ntt>
    where
        Self: 'a;
}

/// A key as its bytes, for use once: nothing is kept of what is computed from it.
pub(crate) struct Encoded<'k, P: ParameterSet>(pub(crate) &'k P::VerifyingKeyBytes);

impl<P: ParameterSet> Clone for Encoded<'_, P> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<P: ParameterSet> Copy for Encoded<'_, P> {}

impl<P: ParameterSet> Source<P> for Encoded<'_, P> {
    type Rows<B: Backend> = Once<P>;

    #[inline(always)]
    fn rows<B: Backend>(self, _: B) -> Once<P> {
        Once::new(layout::verifying_key::<P>(self.0).0)
    }

    #[inline(always)]
    fn t1_hat<'a, B: Backend>(
        self,
        b: B,
        row: usize,
        t1: &mut Poly<Normal>,
        space: &'a mut Poly<Ntt>,
    ) -> &'a Poly<Ntt>
    where
        Self: 'a,
    {
        let (_, bytes) = layout::verifying_key::<P>(self.0);
        transform_t1(b, &bytes[row * T1_LEN..][..T1_LEN], t1, space);
        space
    }
}

/// FIPS 204, Algorithm 23 (`pkDecode`) and line 9 of Algorithm 8, one polynomial.
#[inline(always)]
fn transform_t1<B: Backend>(b: B, bytes: &[u8], t1: &mut Poly<Normal>, t1_hat: &mut Poly<Ntt>) {
    b.unpack::<10>(bytes, t1);
    for t1 in &mut t1.coeffs {
        // At most (2^10 - 1) 2^13 = q - 1.
        *t1 <<= D;
    }
    b.ntt(t1, t1_hat);
}

/// Everything that verification needs of a key, expanded: A and the transform of t1 2^d.
#[derive(Clone)]
pub(crate) struct Expanded<P: ParameterSet> {
    a: P::Matrix,
    t1_hat: P::VecK<Poly<Ntt>>,
}

impl<P: ParameterSet> Expanded<P> {
    pub(crate) const ZERO: Self = Self {
        a: P::Matrix::ZERO,
        t1_hat: PolyVec::ZERO,
    };
}

impl<'k, P: ParameterSet> Source<P> for &'k Expanded<P> {
    type Rows<B: Backend> = Kept<'k, P>;

    #[inline(always)]
    fn rows<B: Backend>(self, _: B) -> Kept<'k, P> {
        Kept::new(&self.a)
    }

    #[inline(always)]
    fn t1_hat<'a, B: Backend>(
        self,
        _: B,
        row: usize,
        _: &mut Poly<Normal>,
        _: &'a mut Poly<Ntt>,
    ) -> &'a Poly<Ntt>
    where
        Self: 'a,
    {
        &self.t1_hat.as_ref()[row]
    }
}

/// One of several signatures that are verified together.
pub(crate) struct Item<'a, P: ParameterSet, S> {
    pub(crate) key: S,
    /// H(vk, 64).
    pub(crate) key_hash: &'a [u8; 64],
    pub(crate) message: &'a [u8],
    pub(crate) signature: &'a P::SignatureBytes,
}

pqsig_comm::entry! {
    /// Expands a key.
    pub(crate) fn expand[P: ParameterSet](
        vk: &P::VerifyingKeyBytes,
        expanded: &mut Expanded<P>,
    ) = expand_body::<_, P>
}

pqsig_comm::entry! {
    /// FIPS 204, Algorithm 8 (`ML-DSA.Verify_internal`) from line 8 on.
    pub(crate) fn verify[P: ParameterSet, S: Source<P>](
        key: S,
        mu: &Mu,
        signature: &P::SignatureBytes,
    ) -> Result<(), Error> = verify_body::<_, P, S>
}

pqsig_comm::entry! {
    /// FIPS 204, Algorithm 3 (`ML-DSA.Verify`) with the empty context, four times.
    pub(crate) fn verify_four[P: ParameterSet, S: Source<P>](
        items: &[Item<'_, P, S>; 4],
    ) -> [bool; 4] = verify_four_body::<_, P, S>
}

pqsig_comm::entry! {
    /// H(vk, 64), the `tr` of FIPS 204.
    pub(crate) fn key_hash[P: ParameterSet](vk: &P::VerifyingKeyBytes, tr: &mut [u8; 64])
        = key_hash_body::<_, P::VerifyingKeyBytes>
}

pqsig_comm::entry! {
    /// As [`key_hash`], for four keys.
    pub(crate) fn key_hashes[P: ParameterSet](
        keys: [&P::VerifyingKeyBytes; 4],
        hashes: &mut [[u8; 64]; 4],
    ) = key_hashes_body::<_, P::VerifyingKeyBytes>
}

#[inline(always)]
fn key_hash_body<B: Backend, V: ByteArray>(b: B, vk: &V, tr: &mut [u8; 64]) {
    Shake256::digest(b, &[vk.as_ref()], tr);
}

#[inline(always)]
fn key_hashes_body<B: Backend, V: ByteArray>(b: B, keys: [&V; 4], hashes: &mut [[u8; 64]; 4]) {
    digests_256(b, keys.map(|key| [key.as_ref()]), hashes);
}

#[inline(always)]
fn expand_body<B: Backend, P: ParameterSet>(
    b: B,
    vk: &P::VerifyingKeyBytes,
    expanded: &mut Expanded<P>,
) {
    let (rho, t1) = layout::verifying_key::<P>(vk);
    let mut poly = Poly::ZERO;
    for (bytes, t1_hat) in t1.chunks_exact(T1_LEN).zip(expanded.t1_hat.as_mut()) {
        transform_t1(b, bytes, &mut poly, t1_hat);
    }
    sample::expand_a::<B, P>(b, rho, expanded.a.as_mut());
}

#[inline(always)]
fn verify_body<B: Backend, P: ParameterSet, S: Source<P>>(
    b: B,
    key: S,
    mu: &Mu,
    signature: &P::SignatureBytes,
) -> Result<(), Error> {
    let mut poly = Poly::ZERO;
    let decoded =
        Decoded::<P, S::Rows<B>, B>::new(b, signature, &mut poly).ok_or(Error::InvalidSignature)?;
    let mut c = [0; N];
    sample::sample_in_ball::<B, P>(b, &decoded.c_tilde, &mut c);
    let mut shake = Shake256::new(b);
    shake.absorb(mu);
    decoded.commitment(b, key, &c, &mut poly, |w1| shake.absorb(w1));
    let mut expected = P::CTilde::ZERO;
    shake.finish().read(expected.as_mut());
    if ct::eq(expected.as_ref(), decoded.c_tilde.as_ref()) {
        Ok(())
    } else {
        Err(Error::InvalidSignature)
    }
}

#[inline(always)]
fn verify_four_body<B: Backend, P: ParameterSet, S: Source<P>>(
    b: B,
    items: &[Item<'_, P, S>; 4],
) -> [bool; 4] {
    let items = items.each_ref();
    let mut mu = [[0; 64]; 4];
    let pure = items.map(|item| [item.key_hash, &PURE_HEADER[..], item.message]);
    digests_256(b, pure, &mut mu);

    let c_tilde = items.map(|item| layout::signature::<P>(item.signature).0);
    let mut first_blocks = [[0; RATE_256]; 4];
    digests_256(b, c_tilde.map(|c_tilde| [c_tilde]), &mut first_blocks);

    // A signature that cannot be decoded leaves zeros, and whatever is hashed of them counts for
    // nothing.
    let mut w1 = [P::Commitment::ZERO; 4];
    let mut verdicts = [false; 4];
    let mut poly = Poly::ZERO;
    for (lane, item) in items.into_iter().enumerate() {
        if let Some(decoded) = Decoded::<P, S::Rows<B>, B>::new(b, item.signature, &mut poly) {
            let mut c = [0; N];
            sample::sample_in_ball_from::<B, P>(b, &decoded.c_tilde, &first_blocks[lane], &mut c);
            let mut rows = w1[lane].as_mut().chunks_exact_mut(P::GAMMA2.encoded_len());
            decoded.commitment(b, item.key, &c, &mut poly, |w1| {
                if let Some(row) = rows.next() {
                    row.copy_from_slice(w1);
                }
            });
            verdicts[lane] = true;
        }
    }
    let mut expected = [P::CTilde::ZERO; 4];
    let inputs = core::array::from_fn(|lane| [&mu[lane][..], w1[lane].as_ref()]);
    digests_256(b, inputs, &mut expected);
    for (lane, verdict) in verdicts.iter_mut().enumerate() {
        *verdict &= ct::eq(expected[lane].as_ref(), c_tilde[lane]);
    }
    verdicts
}

/// A signature whose hint is well-formed and whose z is in range.
struct Decoded<'a, P: ParameterSet, R: Rows<B>, B: Backend> {
    c_tilde: P::CTilde,
    z_hat: R::Vector,
    /// z, encoded.
    z_bytes: &'a [u8],
    hint: Hint<'a>,
}

impl<'a, P: ParameterSet, R: Rows<B>, B: Backend> Decoded<'a, P, R, B> {
    /// FIPS 204, Algorithm 27 (`sigDecode`), and the norm test of line 13; `None` if either fails.
    /// `z` is space for a polynomial.
    #[inline(always)]
    fn new(b: B, signature: &'a P::SignatureBytes, z: &mut Poly<Normal>) -> Option<Self> {
        let (c_tilde, z_bytes, hint) = layout::signature::<P>(signature);
        let mut decoded = Self {
            c_tilde: P::CTilde::from_slice(c_tilde).ok()?,
            z_hat: R::Vector::ZERO,
            z_bytes,
            hint: Hint::decode::<P>(hint)?,
        };
        for j in 0..P::L {
            decoded.unpack_z(b, j, z);
            if z.reaches(P::GAMMA1.value() - P::BETA) {
                return None;
            }
            decoded.z_hat.set(b, j, z);
        }
        Some(decoded)
    }

    #[inline(always)]
    fn unpack_z(&self, b: B, j: usize, z: &mut Poly<Normal>) {
        let len = P::GAMMA1.encoded_len();
        encode::unpack_gamma1(b, P::GAMMA1, &self.z_bytes[j * len..][..len], z);
    }

    /// Lines 9 and 10, and the encoding of w1: row after row to `put`. `poly` is space.
    #[inline(always)]
    fn commitment<S: Source<P, Rows<B> = R>>(
        &self,
        b: B,
        key: S,
        c: &[i8; N],
        poly: &mut Poly<Normal>,
        mut put: impl FnMut(&[u8]),
    ) {
        for (coeff, &c) in poly.coeffs.iter_mut().zip(c) {
            *coeff = i32::from(c);
        }
        let mut c_hat = Poly::ZERO;
        b.ntt(poly, &mut c_hat);

        let mut rows = key.rows(b);
        let mut space = Poly::ZERO;
        let mut product = Poly::<Product>::ZERO;
        let mut hint = [0; 256];
        let mut bytes = [0; 192];
        for row in 0..P::K {
            let t1_hat = key.t1_hat(b, row, poly, &mut space);
            let again = |j, z: &mut _| self.unpack_z(b, j, z);
            let minus = Some((&c_hat, t1_hat));
            rows.dot(b, &self.z_hat, again, poly, minus, &mut product);
            b.inv_ntt(&product, poly);
            poly.add_q_if_negative();
            self.hint.row(row, &mut hint);
            b.use_hint(P::GAMMA2, &hint, poly);
            put(encode::pack_w1(b, P::GAMMA2, poly, &mut bytes));
        }
    }
}
