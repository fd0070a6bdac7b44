//! Encodings of keys, signatures and commitments (FIPS 204, section 7.2, Algorithms 22 to 28).
//!
//! Lengths are the callers' business: every slice here is cut from an array of the set's exact
//! length, by [`layout`].

use crate::{
    backend::Backend,
    params::{D, Eta, Gamma1, Gamma2, ParameterSet},
    poly::{Normal, Poly},
};
use pqsig_comm::encoding::ByteArray;

/// Bytes of an encoded t1 polynomial (10 bits for each coefficient).
pub(crate) const T1_LEN: usize = 32 * 10;
/// Bytes of an encoded t0 polynomial (13 bits for each coefficient).
pub(crate) const T0_LEN: usize = 32 * D as usize;

/// Where the parts of the encodings lie.
pub(crate) mod layout {
    use super::*;

    /// FIPS 204, Algorithms 22 and 23 (`pkEncode`, `pkDecode`): rho and t1.
    pub(crate) fn verifying_key<P: ParameterSet>(
        bytes: &P::VerifyingKeyBytes,
    ) -> (&[u8; 32], &[u8]) {
        split(bytes.as_ref())
    }

    /// As [`verifying_key`], to be written.
    pub(crate) fn verifying_key_mut<P: ParameterSet>(
        bytes: &mut P::VerifyingKeyBytes,
    ) -> (&mut [u8; 32], &mut [u8]) {
        split_mut(bytes.as_mut())
    }

    /// The parts of an expanded signing key (FIPS 204, Algorithms 24 and 25).
    pub(crate) struct SigningKey<'a> {
        pub(crate) rho: &'a [u8; 32],
        pub(crate) key: &'a [u8; 32],
        pub(crate) tr: &'a [u8; 64],
        pub(crate) s1: &'a [u8],
        pub(crate) s2: &'a [u8],
        pub(crate) t0: &'a [u8],
    }

    /// FIPS 204, Algorithm 25 (`skDecode`).
    pub(crate) fn signing_key<P: ParameterSet>(bytes: &P::SigningKeyBytes) -> SigningKey<'_> {
        let (rho, rest) = split(bytes.as_ref());
        let (key, rest) = split(rest);
        let (tr, rest) = split(rest);
        let (s1, rest) = rest.split_at(P::L * P::ETA.encoded_len());
        let (s2, t0) = rest.split_at(P::K * P::ETA.encoded_len());
        SigningKey {
            rho,
            key,
            tr,
            s1,
            s2,
            t0,
        }
    }

    /// The parts of an expanded signing key, to be written.
    pub(crate) struct SigningKeyMut<'a> {
        pub(crate) rho: &'a mut [u8; 32],
        pub(crate) key: &'a mut [u8; 32],
        pub(crate) tr: &'a mut [u8; 64],
        /// s1 and s2: l + k polynomials.
        pub(crate) s: &'a mut [u8],
        pub(crate) t0: &'a mut [u8],
    }

    /// FIPS 204, Algorithm 24 (`skEncode`).
    pub(crate) fn signing_key_mut<P: ParameterSet>(
        bytes: &mut P::SigningKeyBytes,
    ) -> SigningKeyMut<'_> {
        let (rho, rest) = split_mut(bytes.as_mut());
        let (key, rest) = split_mut(rest);
        let (tr, rest) = split_mut(rest);
        let (s, t0) = rest.split_at_mut((P::K + P::L) * P::ETA.encoded_len());
        SigningKeyMut {
            rho,
            key,
            tr,
            s,
            t0,
        }
    }

    /// FIPS 204, Algorithm 27 (`sigDecode`): the commitment hash, z and the hint.
    pub(crate) fn signature<P: ParameterSet>(bytes: &P::SignatureBytes) -> (&[u8], &[u8], &[u8]) {
        let (c_tilde, rest) = bytes.as_ref().split_at(P::CTilde::LEN);
        let (z, hint) = rest.split_at(P::L * P::GAMMA1.encoded_len());
        (c_tilde, z, hint)
    }

    /// FIPS 204, Algorithm 26 (`sigEncode`).
    pub(crate) fn signature_mut<P: ParameterSet>(
        bytes: &mut P::SignatureBytes,
    ) -> (&mut [u8], &mut [u8], &mut [u8]) {
        let (c_tilde, rest) = bytes.as_mut().split_at_mut(P::CTilde::LEN);
        let (z, hint) = rest.split_at_mut(P::L * P::GAMMA1.encoded_len());
        (c_tilde, z, hint)
    }

    fn split<const LEN: usize>(bytes: &[u8]) -> (&[u8; LEN], &[u8]) {
        bytes
            .split_first_chunk()
            .expect("encodings are longer than their fixed parts")
    }

    fn split_mut<const LEN: usize>(bytes: &mut [u8]) -> (&mut [u8; LEN], &mut [u8]) {
        bytes
            .split_first_chunk_mut()
            .expect("encodings are longer than their fixed parts")
    }
}

/// Coefficients of s1 or s2. In: [-eta, eta].
#[inline(always)]
pub(crate) fn pack_eta<B: Backend>(b: B, eta: Eta, poly: &Poly<Normal>, out: &mut [u8]) {
    match eta {
        Eta::Two => b.pack_below::<3>(2, poly, out),
        Eta::Four => b.pack_below::<4>(4, poly, out),
    }
}

/// Coefficients of s1 or s2, whatever the bytes. Out: [-5, 2] for eta = 2, [-11, 4] for eta = 4.
#[inline(always)]
pub(crate) fn unpack_eta<B: Backend>(b: B, eta: Eta, bytes: &[u8], poly: &mut Poly<Normal>) {
    match eta {
        Eta::Two => b.unpack_below::<3>(2, bytes, poly),
        Eta::Four => b.unpack_below::<4>(4, bytes, poly),
    }
}

/// Coefficients of t0. In: (-2^12, 2^12].
#[inline(always)]
pub(crate) fn pack_t0<B: Backend>(b: B, poly: &Poly<Normal>, out: &mut [u8]) {
    b.pack_below::<{ D as usize }>(1 << (D - 1), poly, out);
}

/// Coefficients of t0. Out: (-2^12, 2^12].
#[inline(always)]
pub(crate) fn unpack_t0<B: Backend>(b: B, bytes: &[u8], poly: &mut Poly<Normal>) {
    b.unpack_below::<{ D as usize }>(1 << (D - 1), bytes, poly);
}

/// Coefficients of z. In: (-gamma1, gamma1].
#[inline(always)]
pub(crate) fn pack_gamma1<B: Backend>(b: B, gamma1: Gamma1, poly: &Poly<Normal>, out: &mut [u8]) {
    match gamma1 {
        Gamma1::Pow17 => b.pack_below::<18>(1 << 17, poly, out),
        Gamma1::Pow19 => b.pack_below::<20>(1 << 19, poly, out),
    }
}

/// Coefficients of y or z. Out: (-gamma1, gamma1].
#[inline(always)]
pub(crate) fn unpack_gamma1<B: Backend>(
    b: B,
    gamma1: Gamma1,
    bytes: &[u8],
    poly: &mut Poly<Normal>,
) {
    match gamma1 {
        Gamma1::Pow17 => b.unpack_below::<18>(1 << 17, &bytes[..32 * 18], poly),
        Gamma1::Pow19 => b.unpack_below::<20>(1 << 19, &bytes[..32 * 20], poly),
    }
}

/// FIPS 204, Algorithm 28 (`w1Encode`), one polynomial. In: [0, (q-1) / (2 gamma2)).
///
/// Writes to the front of `out` and returns what it wrote.
#[inline(always)]
pub(crate) fn pack_w1<'a, B: Backend>(
    b: B,
    gamma2: Gamma2,
    poly: &Poly<Normal>,
    out: &'a mut [u8; 192],
) -> &'a [u8] {
    let out = &mut out[..gamma2.encoded_len()];
    match gamma2 {
        Gamma2::Q88 => b.pack::<6>(poly, out),
        Gamma2::Q32 => b.pack::<4>(poly, out),
    }
    out
}
