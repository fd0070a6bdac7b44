//! pqsig measured beside its peers.
//!
//! Every implementation of a parameter set implements [`Scheme`]; [`contestants`] lists those
//! that this build has, ours first. The criterion benches (`benches/`) and the program `report`
//! run the same [`Operation`]s over the same [`Material`]:
//!
//! ```text
//! cargo bench -p pqsig-benches --bench mldsa --features peers
//! cargo run --release -p pqsig-benches --features peers --bin report -- ml-dsa-65/verify
//! ```
//!
//! `--features peers` needs a C compiler; with `RUSTFLAGS='--cfg pqsig_peer_mldsa_native'` (and
//! libclang) `mldsa-native-rs` joins. For portable code against portable code, set
//! `RUSTFLAGS='--cfg pqsig_backend="portable"'` and use `--features peers-without-avx2`.

pub mod material;
mod ours;
#[cfg(feature = "peers")]
mod peers;
mod scheme;

pub use material::{Material, sample};
pub use scheme::{Contestant, Keys, Operation, Scheme, Transcript, Workload};

/// A parameter set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Set {
    MlDsa44,
    MlDsa65,
    MlDsa87,
    FnDsa512,
    FnDsa1024,
}

impl Set {
    /// The sets of ML-DSA.
    pub const MLDSA: [Self; 3] = [Self::MlDsa44, Self::MlDsa65, Self::MlDsa87];
    /// The sets of FN-DSA.
    pub const FNDSA: [Self; 2] = [Self::FnDsa512, Self::FnDsa1024];

    /// The name in lower case, as filters spell it.
    pub fn name(self) -> &'static str {
        match self {
            Self::MlDsa44 => "ml-dsa-44",
            Self::MlDsa65 => "ml-dsa-65",
            Self::MlDsa87 => "ml-dsa-87",
            Self::FnDsa512 => "fn-dsa-512",
            Self::FnDsa1024 => "fn-dsa-1024",
        }
    }
}

/// The implementations of `set` in this build and on this CPU, ours first.
pub fn contestants(set: Set) -> Vec<Contestant> {
    #[allow(unused_mut)]
    let mut all = vec![ours::contestant(set)];
    #[cfg(feature = "peers")]
    all.extend(peers::contestants(set));
    all
}

/// Whether this build leaves our SIMD out.
pub const PORTABLE: bool = cfg!(pqsig_backend = "portable");
