//! What the tests share: the sets, repeatable random bytes, hexadecimal, small signing helpers.

use crate::fips204::{self, Numbers};
use core::{convert::Infallible, ops::RangeInclusive};
use pqsig_mldsa::{MlDsa44, MlDsa65, MlDsa87, ParameterSet, Signature, SigningKey};
use rand_core::{TryCryptoRng, TryRng};
use shake::{
    Shake128,
    digest::{ExtendableOutput, Update, XofReader},
};

/// A parameter set and what the oracle knows of it.
pub(crate) trait Set: ParameterSet {
    const NUMBERS: &'static Numbers;
}

impl Set for MlDsa44 {
    const NUMBERS: &'static Numbers = &fips204::ML_DSA_44;
}

impl Set for MlDsa65 {
    const NUMBERS: &'static Numbers = &fips204::ML_DSA_65;
}

impl Set for MlDsa87 {
    const NUMBERS: &'static Numbers = &fips204::ML_DSA_87;
}

/// One test for each set out of a generic function.
macro_rules! for_each_set {
    ($($name:ident),* $(,)?) => {$(
        mod $name {
            #[test]
            fn ml_dsa_44() {
                super::$name::<pqsig_mldsa::MlDsa44>();
            }

            #[test]
            fn ml_dsa_65() {
                super::$name::<pqsig_mldsa::MlDsa65>();
            }

            #[test]
            fn ml_dsa_87() {
                super::$name::<pqsig_mldsa::MlDsa87>();
            }
        }
    )*};
}
pub(crate) use for_each_set;

/// Calls a generic function with the set of the given name.
macro_rules! by_name {
    ($name:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $name {
            "ML-DSA-44" => $function::<pqsig_mldsa::MlDsa44>($($argument),*),
            "ML-DSA-65" => $function::<pqsig_mldsa::MlDsa65>($($argument),*),
            "ML-DSA-87" => $function::<pqsig_mldsa::MlDsa87>($($argument),*),
            other => panic!("unknown set {other}"),
        }
    };
}
pub(crate) use by_name;

/// Whether the long form of the tests was asked for.
pub(crate) fn long() -> bool {
    std::env::var_os("PQSIG_LONG").is_some_and(|value| value != "0")
}

/// How many rounds a test runs.
pub(crate) fn rounds(short: usize, long_form: usize) -> usize {
    if long() { long_form } else { short }
}

/// A stream of random bytes that is the same in every run: SHAKE128 of a label.
pub(crate) struct Stream(<Shake128 as ExtendableOutput>::Reader);

impl Stream {
    pub(crate) fn new(label: &str) -> Self {
        let mut shake = Shake128::default();
        shake.update(label.as_bytes());
        Self(shake.finalize_xof())
    }

    /// A stream of its own for each set.
    pub(crate) fn of<P: Set>(label: &str) -> Self {
        Self::new(&format!("{label} {}", P::NAME))
    }

    pub(crate) fn fill(&mut self, bytes: &mut [u8]) {
        self.0.read(bytes);
    }

    pub(crate) fn array<const N: usize>(&mut self) -> [u8; N] {
        let mut bytes = [0; N];
        self.fill(&mut bytes);
        bytes
    }

    pub(crate) fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes = vec![0; len];
        self.fill(&mut bytes);
        bytes
    }

    pub(crate) fn number(&mut self, range: RangeInclusive<usize>) -> usize {
        let width = (range.end() - range.start()) as u64 + 1;
        range.start() + (u64::from_le_bytes(self.array()) % width) as usize
    }

    /// Bytes of a random length in `range`.
    pub(crate) fn bytes_of(&mut self, range: RangeInclusive<usize>) -> Vec<u8> {
        let len = self.number(range);
        self.bytes(len)
    }

    /// Changes at least one bit of `bytes`: a flipped bit, a new byte, or a run of new bytes.
    pub(crate) fn mutate(&mut self, bytes: &mut [u8]) {
        let at = self.number(0..=bytes.len() - 1);
        match self.number(0..=3) {
            0 => bytes[at] ^= 1 << self.number(0..=7),
            1 => bytes[at] = bytes[at].wrapping_add(self.number(1..=255) as u8),
            2 => bytes[at] = !bytes[at],
            _ => {
                let end = self.number(at..=(at + 40).min(bytes.len() - 1));
                let old = bytes[at];
                self.fill(&mut bytes[at..=end]);
                bytes[at] = old ^ self.number(1..=255) as u8;
            }
        }
    }
}

impl TryRng for Stream {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(u32::from_le_bytes(self.array()))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(u64::from_le_bytes(self.array()))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.fill(bytes);
        Ok(())
    }
}

impl TryCryptoRng for Stream {}

/// A generator that hands out the given bytes, once and in one piece: `rnd` of a known answer.
pub(crate) struct Fixed<'a>(pub(crate) &'a [u8]);

impl TryRng for Fixed<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; size_of::<u32>()];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; size_of::<u64>()];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.copy_from_slice(core::mem::take(&mut self.0));
        Ok(())
    }
}

impl TryCryptoRng for Fixed<'_> {}

/// A generator that fails.
pub(crate) struct Broken;

/// The failure of [`Broken`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutOfOrder;

impl core::fmt::Display for OutOfOrder {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("out of order")
    }
}

impl core::error::Error for OutOfOrder {}

impl TryRng for Broken {
    type Error = OutOfOrder;

    fn try_next_u32(&mut self) -> Result<u32, OutOfOrder> {
        Err(OutOfOrder)
    }

    fn try_next_u64(&mut self) -> Result<u64, OutOfOrder> {
        Err(OutOfOrder)
    }

    fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), OutOfOrder> {
        Err(OutOfOrder)
    }
}

impl TryCryptoRng for Broken {}

/// The bytes of a hexadecimal string of either case.
pub(crate) fn unhex(text: &str) -> Vec<u8> {
    assert!(text.len().is_multiple_of(2), "odd number of digits");
    (0..text.len())
        .step_by(2)
        .map(|at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal"))
        .collect()
}

/// Lower-case hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Signs with the hedged variant and the given `rnd`.
pub(crate) fn sign_with_rnd<P: Set>(
    key: &SigningKey<P>,
    context: &[u8],
    message: &[u8],
    rnd: &[u8],
) -> Signature<P> {
    use signature::RandomizedSigner;
    key.with_context(context)
        .expect("context of at most 255 bytes")
        .sign_with_rng(&mut Fixed(rnd), message)
}

/// A signature of the given bytes, which must have the right length.
pub(crate) fn signature<P: Set>(bytes: &[u8]) -> Signature<P> {
    Signature::from_bytes(bytes).expect("signature of the right length")
}
