//! Codecs for polynomials and the layout of keys.
//!
//! Bit strings are little-endian throughout: bit `t` is bit `t mod 8` of byte `t / 8`. Every
//! decoder accepts one encoding of a value only, so `encode(decode(x)) == x`.

use super::{
    mq,
    params::{CAPITAL_F_BITS, KEY_HASH_LEN, MAX_COEFFICIENT, ParameterSet, Q},
};
use crate::Error;

#[cfg(test)]
mod tests;

/// Bits of a value mod q.
pub const MOD_Q_BITS: u32 = 14;

/// Writes `values` in two's complement with `bits` bits each. Constant-time.
///
/// Returns whether all values are in the range that [`decode_trimmed`] accepts; `out` is of no
/// use otherwise.
///
/// In: `out` has `bits * values.len() / 8` bytes, no rest.
#[must_use]
pub fn encode_trimmed(bits: u32, values: &[i8], out: &mut [u8]) -> bool {
    debug_assert_eq!(out.len() * 8, bits as usize * values.len());
    let limit = (1 << (bits - 1)) - 1;
    let mut outside = 0;
    let mut writer = BitWriter::default();
    let mut bytes = out.iter_mut();
    for &value in values {
        let value = i32::from(value);
        // The sign of either difference is set if the value is beyond the limit.
        outside |= (limit - value) | (limit + value);
        writer.push(value as u32 & ((1 << bits) - 1), bits, &mut bytes);
    }
    outside >= 0
}

/// Reads values of `bits` bits each. Constant-time.
///
/// Returns whether the encoding is canonical: -2^(bits - 1) does not occur.
///
/// In: `bytes` has `bits * values.len() / 8` bytes. Out: |v| < 2^(bits - 1).
#[must_use]
pub fn decode_trimmed(bits: u32, bytes: &[u8], values: &mut [i8]) -> bool {
    debug_assert_eq!(bytes.len() * 8, bits as usize * values.len());
    let limit = (1 << (bits - 1)) - 1;
    let mut outside = 0;
    let mut reader = BitReader::new(bytes);
    for value in values {
        // Shifting up and down again extends the sign.
        let signed = (reader.take(bits) << (32 - bits)) as i32 >> (32 - bits);
        outside |= limit + signed;
        *value = signed as i8;
    }
    outside >= 0
}

/// Writes values mod q with 14 bits each.
///
/// In: `values` in [0, q), a multiple of 4 of them; `out` has 14 bits for each.
pub fn encode_mod_q(values: impl IntoIterator<Item = u16>, out: &mut [u8]) {
    let mut writer = BitWriter::default();
    let mut bytes = out.iter_mut();
    for value in values {
        writer.push(u32::from(value), MOD_Q_BITS, &mut bytes);
    }
}

/// Reads values of 14 bits each and hands them to `store` with their indices.
///
/// Returns whether all are below q; all are handed out in any case.
///
/// In: `bytes.len()` is a multiple of 7.
#[inline(always)]
#[must_use]
pub fn decode_mod_q(bytes: &[u8], mut store: impl FnMut(usize, u16)) -> bool {
    const MASK: u64 = (1 << MOD_Q_BITS) - 1;
    let mut largest = 0;
    for (i, seven) in bytes.chunks_exact(7).enumerate() {
        let mut word = [0; 8];
        word[..7].copy_from_slice(seven);
        let word = u64::from_le_bytes(word);
        for j in 0..4 {
            let value = (word >> (j as u32 * MOD_Q_BITS) & MASK) as u16;
            largest = value.max(largest);
            store(4 * i + j, value);
        }
    }
    largest < Q
}

/// Compresses `s2` (Golomb-Rice with divisor 128): for each coefficient its sign, the seven low
/// bits of its absolute value, as many zeros as the rest says, and a one; zeros to the end.
///
/// Returns whether all coefficients are in [-840, 840] and the bits fit; `out` is of no use
/// otherwise. The time depends on `s2`, which is public once it is output; for a rejected attempt
/// the time tells where it ran over.
#[must_use]
pub fn compress(s2: &[i16], out: &mut [u8]) -> bool {
    out.fill(0);
    let mut writer = BitWriter::default();
    let mut bytes = out.iter_mut();
    for &value in s2 {
        let magnitude = u32::from(value.unsigned_abs());
        if magnitude > MAX_COEFFICIENT as u32 {
            return false;
        }
        let zeros = magnitude >> 7;
        let code = u32::from(value < 0) | (magnitude & 0x7F) << 1 | 1 << (8 + zeros);
        if !writer.push(code, 9 + zeros, &mut bytes) {
            return false;
        }
    }
    writer.flush(&mut bytes)
}

/// Inverse of [`compress`]. For public data: variable time.
///
/// Returns whether `field` is canonical: every coefficient is in [-840, 840], zero is not
/// negative, and what follows the last coefficient is zero.
///
/// Out, if so: [-840, 840].
#[inline(always)]
#[must_use]
pub fn decompress(field: &[u8], s2: &mut [i16]) -> bool {
    // A refill leaves at least 56 bits, unless only zeros follow.
    const PER_REFILL: usize = 56 / (9 + MAX_ZEROS as usize);

    let mut reader = BitReader::new(field);
    let mut outside = 0;
    let mut groups = s2.chunks_exact_mut(PER_REFILL);
    for group in &mut groups {
        reader.refill();
        for value in group {
            let Some(read) = reader.take_coefficient(&mut outside) else {
                return false;
            };
            *value = read;
        }
    }
    for value in groups.into_remainder() {
        reader.refill();
        let Some(read) = reader.take_coefficient(&mut outside) else {
            return false;
        };
        *value = read;
    }
    outside >= 0 && reader.is_zero()
}

/// More zeros than this in a compressed coefficient exceed the bound in any case.
const MAX_ZEROS: u32 = MAX_COEFFICIENT as u32 / 128;

/// Writes a verifying key: the header and the NTT of h.
///
/// In: `h_hat` in the order of [`mq`], below 2^15 in absolute value.
pub fn encode_verifying_key<P: ParameterSet>(h_hat: &[i16], out: &mut P::VerifyingKeyBytes) {
    if let [header, rest @ ..] = out.as_mut() {
        *header = P::VERIFYING_KEY_HEADER;
        let values = (0..P::N).map(|i| mq::canonical(h_hat[mq::position(P::LOGN, i)]));
        encode_mod_q(values, rest);
    }
}

/// Reads a verifying key into `h_hat`.
///
/// # Errors
/// [`Error::InvalidKey`] for a wrong header or a value that is not below q.
///
/// Out: [0, q) in the order of [`mq`].
#[inline(always)]
pub fn decode_verifying_key<P: ParameterSet>(
    bytes: &P::VerifyingKeyBytes,
    h_hat: &mut [i16],
) -> Result<(), Error> {
    decode_verifying_key_with::<P>(bytes, |i, value| {
        h_hat[mq::position(P::LOGN, i)] = value as i16;
    })
}

/// Reads a verifying key and hands the values of the NTT of h to `store`, in the order of the
/// encoding.
///
/// # Errors
/// As [`decode_verifying_key`].
#[inline(always)]
pub fn decode_verifying_key_with<P: ParameterSet>(
    bytes: &P::VerifyingKeyBytes,
    store: impl FnMut(usize, u16),
) -> Result<(), Error> {
    match bytes.as_ref() {
        [header, values @ ..]
            if *header == P::VERIFYING_KEY_HEADER && decode_mod_q(values, store) =>
        {
            Ok(())
        }
        _ => Err(Error::InvalidKey),
    }
}

/// The fields of an encoded signing key, still encoded.
pub struct SigningKeyFields<'a> {
    /// f and g together: what the seed that hides in signing is the hash of.
    pub fg: &'a [u8],
    /// f, with [`ParameterSet::FG_BITS`] bits for each coefficient.
    pub f: &'a [u8],
    /// g, alike.
    pub g: &'a [u8],
    /// F, with [`CAPITAL_F_BITS`] bits for each coefficient.
    pub capital_f: &'a [u8],
    /// The hash of the encoded verifying key, as stored.
    pub key_hash: &'a [u8; KEY_HASH_LEN],
}

impl core::fmt::Debug for SigningKeyFields<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("SigningKeyFields").finish_non_exhaustive()
    }
}

/// Splits an encoded signing key.
///
/// # Errors
/// [`Error::InvalidKey`] for a wrong header.
pub fn split_signing_key<P: ParameterSet>(
    bytes: &P::SigningKeyBytes,
) -> Result<SigningKeyFields<'_>, Error> {
    let [header, rest @ ..] = bytes.as_ref() else {
        return Err(Error::InvalidKey);
    };
    if *header != P::SIGNING_KEY_HEADER {
        return Err(Error::InvalidKey);
    }
    let (rest, key_hash) = rest.split_last_chunk().ok_or(Error::InvalidKey)?;
    let (fg, capital_f) = rest.split_at(2 * fg_len::<P>());
    let (f, g) = fg.split_at(fg_len::<P>());
    Ok(SigningKeyFields {
        fg,
        f,
        g,
        capital_f,
        key_hash,
    })
}

/// Writes a signing key. Constant-time.
///
/// Returns whether all coefficients fit, which for [`FnDsa512`](super::FnDsa512) and
/// [`FnDsa1024`](super::FnDsa1024) those of generated keys always do.
#[must_use]
pub fn encode_signing_key<P: ParameterSet>(
    f: &[i8],
    g: &[i8],
    capital_f: &[i8],
    key_hash: &[u8; KEY_HASH_LEN],
    out: &mut P::SigningKeyBytes,
) -> bool {
    let Some((header, rest)) = out.as_mut().split_first_mut() else {
        return false;
    };
    *header = P::SIGNING_KEY_HEADER;
    let (f_out, rest) = rest.split_at_mut(fg_len::<P>());
    let (g_out, rest) = rest.split_at_mut(fg_len::<P>());
    let (capital_f_out, hash_out) = rest.split_at_mut(CAPITAL_F_BITS as usize * P::N / 8);
    hash_out.copy_from_slice(key_hash);
    encode_trimmed(P::FG_BITS, f, f_out)
        & encode_trimmed(P::FG_BITS, g, g_out)
        & encode_trimmed(CAPITAL_F_BITS, capital_f, capital_f_out)
}

/// Bytes of f or g in a signing key.
const fn fg_len<P: ParameterSet>() -> usize {
    P::FG_BITS as usize * P::N / 8
}

/// Bits on their way out, lowest first.
#[derive(Default)]
struct BitWriter {
    buffer: u32,
    /// Bits in `buffer`, below 8 between calls.
    count: u32,
}

impl BitWriter {
    /// Appends the `bits` low bits of `value`, at most 24; whether the whole bytes fitted.
    #[inline(always)]
    fn push<'a>(
        &mut self,
        value: u32,
        bits: u32,
        out: &mut impl Iterator<Item = &'a mut u8>,
    ) -> bool {
        self.buffer |= value << self.count;
        self.count += bits;
        while self.count >= 8 {
            let Some(byte) = out.next() else {
                return false;
            };
            *byte = self.buffer as u8;
            self.buffer >>= 8;
            self.count -= 8;
        }
        true
    }

    /// Writes what is left, padded with zeros; whether it fitted.
    fn flush<'a>(self, out: &mut impl Iterator<Item = &'a mut u8>) -> bool {
        self.count == 0 || out.next().map(|byte| *byte = self.buffer as u8).is_some()
    }
}

/// Bits on their way in, lowest first.
struct BitReader<'a> {
    /// The next `count` bits. Those above are zero or a copy of what `bytes` starts with.
    buffer: u64,
    count: u32,
    bytes: &'a [u8],
}

impl<'a> BitReader<'a> {
    #[inline(always)]
    fn new(bytes: &'a [u8]) -> Self {
        Self {
            buffer: 0,
            count: 0,
            bytes,
        }
    }

    /// Fills the buffer to at least 56 bits, or with all that there is.
    #[inline(always)]
    fn refill(&mut self) {
        if let Some(word) = self.bytes.first_chunk() {
            self.buffer |= u64::from_le_bytes(*word) << self.count;
            let whole = (63 - self.count) / 8;
            self.bytes = &self.bytes[whole as usize..];
            self.count += 8 * whole;
        } else {
            while let (true, [byte, rest @ ..]) = (self.count < 56, self.bytes) {
                self.buffer |= u64::from(*byte) << self.count;
                self.count += 8;
                self.bytes = rest;
            }
        }
    }

    /// The next `bits` bits, at most 32; missing ones are zero.
    #[inline(always)]
    fn take(&mut self, bits: u32) -> u32 {
        if self.count < bits {
            self.refill();
        }
        let value = (self.buffer & ((1 << bits) - 1)) as u32;
        self.buffer >>= bits;
        self.count = self.count.saturating_sub(bits);
        value
    }

    /// The next compressed coefficient; `None` if it is far too large or not there. Clears no
    /// bit of `outside`, and sets its sign for a coefficient beyond the bound and for minus zero.
    ///
    /// In: a refill, and at most two coefficients since.
    #[inline(always)]
    fn take_coefficient(&mut self, outside: &mut i32) -> Option<i16> {
        let word = self.buffer;
        // 8 + zeros, or 64 if there is no one. A one is always among the bits that count: there
        // are enough of them, or what follows is zero.
        let position = (word & !0xFF).trailing_zeros();
        if position > 8 + MAX_ZEROS {
            return None;
        }
        self.buffer = word >> 1 >> position;
        self.count -= position + 1;
        let sign = word as i32 & 1;
        let magnitude = (word as i32 >> 1 & 0x7F) + 128 * (position as i32 - 8);
        *outside |= (magnitude - sign) | (i32::from(MAX_COEFFICIENT) - magnitude);
        Some(((magnitude ^ -sign) + sign) as i16)
    }

    /// Whether all bits that are left are zero.
    fn is_zero(&self) -> bool {
        self.buffer == 0 && self.bytes.iter().all(|&byte| byte == 0)
    }
}
