//! Generators for the tests.

use core::convert::Infallible;
use signature::rand_core::{TryCryptoRng, TryRng};

/// A small deterministic generator (splitmix64). Not cryptographic, and the tests do not care.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn word(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        x ^ (x >> 31)
    }

    pub(crate) fn below(&mut self, limit: usize) -> usize {
        (self.word() % limit as u64) as usize
    }

    pub(crate) fn bytes<const N: usize>(&mut self) -> [u8; N] {
        core::array::from_fn(|_| self.word() as u8)
    }

    pub(crate) fn vec(&mut self, len: usize) -> Vec<u8> {
        (0..len).map(|_| self.word() as u8).collect()
    }
}

impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(self.word() as u32)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(self.word())
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.iter_mut().for_each(|byte| *byte = self.word() as u8);
        Ok(())
    }
}

impl TryCryptoRng for Rng {}

/// Hands out the given bytes in one call, and nothing else.
pub(crate) struct Replay<'a>(pub(crate) Option<&'a [u8]>);

impl<'a> Replay<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(Some(bytes))
    }

    fn fill(&mut self, out: &mut [u8]) {
        let bytes = self.0.take().expect("one call only");
        out.copy_from_slice(bytes);
    }
}

impl TryRng for Replay<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unreachable!("bytes are drawn in one call")
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unreachable!("bytes are drawn in one call")
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        self.fill(out);
        Ok(())
    }
}

impl TryCryptoRng for Replay<'_> {}

/// The same for the traits of `rand_core` 0.6.
impl fn_dsa::RngCore for Replay<'_> {
    fn next_u32(&mut self) -> u32 {
        unreachable!("bytes are drawn in one call")
    }

    fn next_u64(&mut self) -> u64 {
        unreachable!("bytes are drawn in one call")
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        self.fill(out);
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), fn_dsa::RngError> {
        self.fill(out);
        Ok(())
    }
}

impl fn_dsa::CryptoRng for Replay<'_> {}

/// How many rounds: `ordinary`, or twenty times that in the long mode.
pub(crate) fn rounds(ordinary: u64) -> u64 {
    if std::env::var_os("PQSIG_LONG").is_some() {
        20 * ordinary
    } else {
        ordinary
    }
}
