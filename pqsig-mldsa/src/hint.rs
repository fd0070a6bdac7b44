//! The encoding of the hint (FIPS 204, Algorithms 20 and 21).
//!
//! The encoding is unique: positions rise strictly inside a polynomial, each polynomial's end is
//! between the previous end and omega, and what follows the last position is zero.

use crate::params::ParameterSet;

/// Writes hints polynomial by polynomial (FIPS 204, Algorithm 20, `HintBitPack`).
pub(crate) struct Packer<'a> {
    bytes: &'a mut [u8],
    omega: usize,
    used: usize,
    row: usize,
}

impl<'a> Packer<'a> {
    /// `bytes` has omega + k bytes.
    pub(crate) fn new<P: ParameterSet>(bytes: &'a mut [u8]) -> Self {
        bytes.fill(0);
        Self {
            bytes,
            omega: P::OMEGA,
            used: 0,
            row: 0,
        }
    }

    /// Appends the hint of the next polynomial, which has `ones` ones; `None` if there would be
    /// more than omega in all.
    pub(crate) fn push(&mut self, hint: &[u8; 256], ones: usize) -> Option<()> {
        if self.used + ones > self.omega {
            return None;
        }
        // Ones are rare: find them eight bytes at a time.
        for (chunk, bytes) in hint.chunks_exact(8).enumerate() {
            let mut bits = u64::from_le_bytes(core::array::from_fn(|i| bytes[i]));
            while bits != 0 {
                self.bytes[self.used] = (8 * chunk) as u8 + (bits.trailing_zeros() / 8) as u8;
                self.used += 1;
                bits &= bits - 1;
            }
        }
        self.bytes[self.omega + self.row] = self.used as u8;
        self.row += 1;
        Some(())
    }
}

/// A hint whose encoding was checked as a whole.
#[derive(Clone, Copy)]
pub(crate) struct Hint<'a> {
    positions: &'a [u8],
    ends: &'a [u8],
}

impl<'a> Hint<'a> {
    /// FIPS 204, Algorithm 21 (`HintBitUnpack`): `None` for anything but the unique encoding.
    pub(crate) fn decode<P: ParameterSet>(bytes: &'a [u8]) -> Option<Self> {
        let (positions, ends) = bytes.split_at(P::OMEGA);
        let mut start = 0;
        for &end in ends {
            let end = usize::from(end);
            if end < start || end > P::OMEGA {
                return None;
            }
            let row = &positions[start..end];
            if row.windows(2).any(|pair| pair[0] >= pair[1]) {
                return None;
            }
            start = end;
        }
        let rest_is_zero = positions[start..].iter().all(|&byte| byte == 0);
        rest_is_zero.then_some(Self { positions, ends })
    }

    /// The hint of polynomial `row`, one byte of 0 or 1 for each coefficient.
    pub(crate) fn row(&self, row: usize, hint: &mut [u8; 256]) {
        let start = if row == 0 { 0 } else { self.ends[row - 1] };
        let range = usize::from(start)..usize::from(self.ends[row]);
        hint.fill(0);
        for &position in &self.positions[range] {
            hint[usize::from(position)] = 1;
        }
    }
}
