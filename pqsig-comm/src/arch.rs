//! CPU features as values, and the one way to enter them.
//!
//! A token such as `Avx2` can be made by detection only, so holding one proves that the CPU
//! has the feature: functions that need it take the token by value. [`entry!`](crate::entry) stamps one
//! public operation for each token from a single generic body; the body and the kernels under
//! it are inlined into a `#[target_feature]` function, because code generated outside such a
//! context is many times slower.
//!
//! | token | when | how it is switched off |
//! | --- | --- | --- |
//! | [`Portable`] | always | - |
//! | `Avx2` | x86-64 with AVX2, BMI1 and BMI2, found at run time | `--cfg pqsig_backend="portable"` or `"no_avx2"` |
//! | `Neon` | AArch64, of whose baseline it is part | `--cfg pqsig_backend="portable"` |
//!
//! [`Simd`] is the token of the target at hand.
//!
//! Under `Avx2`, [`Arch::f1600_x4`] uses AVX-512VL where the CPU has it and the compiler knows it
//! (Rust 1.89): more than twice as fast, and a choice at each call costs nothing beside it.
//! `--cfg pqsig_backend="no_avx512"` switches that off. Under `Neon`, it uses the SHA-3 instructions
//! of Armv8.2 where the CPU has them.
#![allow(unsafe_code)]

use crate::keccak::{self, StateX4 as _};

mod sealed {
    pub trait Sealed {}
}

/// A set of CPU features that code may be compiled for, with the permutations that every
/// operation needs.
pub trait Arch: Copy + Send + Sync + 'static + sealed::Sealed {
    /// Four Keccak states, in the layout that [`Arch::f1600_x4`] likes best.
    type StateX4: keccak::StateX4;

    /// From how many equal jobs on it pays to run a group of four at once.
    const X4_PAYS_FROM: usize;

    /// Keccak-f\[1600\] on one state.
    fn f1600(self, state: &mut keccak::State);

    /// Keccak-f\[1600\] on four states.
    fn f1600_x4(self, state: &mut Self::StateX4);

    /// Writes the first `N` bytes of each state. In: `N` a multiple of 8, at most 200.
    #[inline(always)]
    fn read_blocks<const N: usize>(self, state: &Self::StateX4, out: &mut [[u8; N]; 4]) {
        for (lane, block) in out.iter_mut().enumerate() {
            for (word, bytes) in block.chunks_exact_mut(8).enumerate() {
                bytes.copy_from_slice(&state.word(lane, word).to_le_bytes());
            }
        }
    }
}

/// No feature beyond the target's baseline.
#[derive(Clone, Copy, Debug, Default)]
pub struct Portable;

impl sealed::Sealed for Portable {}

impl Arch for Portable {
    type StateX4 = keccak::portable::FourStates;
    const X4_PAYS_FROM: usize = 4;

    fn f1600(self, state: &mut keccak::State) {
        keccak::portable::f1600(state);
    }

    fn f1600_x4(self, state: &mut Self::StateX4) {
        state.0.iter_mut().for_each(|state| self.f1600(state));
    }
}

/// The best that this CPU has, chosen anew at each permutation: for hashing that starts in code
/// with no token of its own, such as [`crate::MuBuilder`].
#[derive(Clone, Copy, Debug, Default)]
pub struct Detected;

impl sealed::Sealed for Detected {}

impl Arch for Detected {
    type StateX4 = keccak::portable::FourStates;
    const X4_PAYS_FROM: usize = 4;

    fn f1600(self, state: &mut keccak::State) {
        detected_f1600(state);
    }

    fn f1600_x4(self, state: &mut Self::StateX4) {
        state.0.iter_mut().for_each(|state| self.f1600(state));
    }
}

crate::entry! {
    /// One permutation with the best features of this CPU.
    fn detected_f1600[](state: &mut keccak::State) = f1600_of
}

#[inline(always)]
fn f1600_of<A: Arch>(arch: A, state: &mut keccak::State) {
    arch.f1600(state);
}

/// Proof that the CPU has AVX2, BMI1 and BMI2.
#[derive(Clone, Copy, Debug)]
#[cfg(target_arch = "x86_64")]
pub struct Avx2(());

/// Proof that the target has NEON and that no cfg rules it out.
#[derive(Clone, Copy, Debug)]
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub struct Neon(());

/// The token of this target's SIMD.
#[cfg(target_arch = "x86_64")]
pub type Simd = Avx2;
/// The token of this target's SIMD.
#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
pub type Simd = Neon;
/// The token of a target without SIMD of ours, which nobody can have.
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
)))]
pub type Simd = NoSimd;

/// See [`Simd`].
#[derive(Clone, Copy, Debug)]
#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
)))]
pub enum NoSimd {}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::{Arch, Avx2, sealed};
    use crate::keccak;

    impl Avx2 {
        /// The token, where the CPU has the features and no cfg rules them out.
        #[inline(always)]
        #[must_use]
        pub fn detect() -> Option<Self> {
            #[cfg(any(pqsig_backend = "portable", pqsig_backend = "no_avx2"))]
            return None;
            #[cfg(not(any(pqsig_backend = "portable", pqsig_backend = "no_avx2")))]
            {
                cpufeatures::new!(features, "avx2", "bmi1", "bmi2");
                features::get().then_some(Self(()))
            }
        }
    }

    /// Whether the CPU has AVX-512F and AVX-512VL and no cfg rules them out.
    #[cfg(pqsig_avx512)]
    #[inline(always)]
    fn has_avx512() -> bool {
        cpufeatures::new!(features, "avx512f", "avx512vl");
        cfg!(not(pqsig_backend = "no_avx512")) && features::get()
    }

    impl sealed::Sealed for Avx2 {}

    impl Arch for Avx2 {
        type StateX4 = keccak::Interleaved;
        // Four permutations at once cost about 1.6 times one alone, with AVX-512 1.1 times.
        const X4_PAYS_FROM: usize = 2;

        fn f1600(self, state: &mut keccak::State) {
            #[target_feature(enable = "avx2,bmi1,bmi2")]
            fn bmi(state: &mut keccak::State) {
                keccak::portable::f1600(state);
            }
            // SAFETY: `self` proves that the CPU has AVX2, BMI1 and BMI2.
            unsafe { bmi(state) }
        }

        fn f1600_x4(self, state: &mut Self::StateX4) {
            #[cfg(pqsig_avx512)]
            if has_avx512() {
                // SAFETY: the CPU has AVX-512F and AVX-512VL.
                return unsafe { keccak::avx512::f1600_x4(state) };
            }
            // SAFETY: `self` proves that the CPU has AVX2.
            unsafe { keccak::avx2::f1600_x4(state) }
        }

        #[inline(always)]
        fn read_blocks<const N: usize>(self, state: &Self::StateX4, out: &mut [[u8; N]; 4]) {
            // SAFETY: `self` proves that the CPU has AVX2.
            unsafe { state.transpose_blocks(out) }
        }
    }
}

#[cfg(all(target_arch = "aarch64", target_feature = "neon"))]
mod aarch64 {
    use super::{Arch, Neon, sealed};
    use crate::keccak;

    impl Neon {
        /// The token, unless a cfg rules it out.
        #[inline(always)]
        #[must_use]
        pub fn detect() -> Option<Self> {
            cfg!(not(pqsig_backend = "portable")).then_some(Self(()))
        }
    }

    impl sealed::Sealed for Neon {}

    impl Arch for Neon {
        type StateX4 = keccak::Interleaved;
        // Two permutations at once cost about as much as one alone, and there is no fewer.
        const X4_PAYS_FROM: usize = 3;

        fn f1600(self, state: &mut keccak::State) {
            keccak::portable::f1600(state);
        }

        fn f1600_x4(self, state: &mut Self::StateX4) {
            cpufeatures::new!(features, "sha3");
            if features::get() {
                // SAFETY: the CPU has NEON and the SHA-3 instructions.
                unsafe { keccak::neon::sha3::f1600_x4(state) }
            } else {
                // SAFETY: `self` proves that the CPU has NEON.
                unsafe { keccak::neon::plain::f1600_x4(state) }
            }
        }
    }
}

#[cfg(not(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_feature = "neon")
)))]
mod none {
    use super::{Arch, NoSimd, sealed};
    use crate::keccak;

    impl NoSimd {
        /// Nothing.
        #[inline(always)]
        #[must_use]
        pub const fn detect() -> Option<Self> {
            None
        }
    }

    impl sealed::Sealed for NoSimd {}

    impl Arch for NoSimd {
        type StateX4 = keccak::Interleaved;
        const X4_PAYS_FROM: usize = 4;

        fn f1600(self, _: &mut keccak::State) {
            match self {}
        }

        fn f1600_x4(self, _: &mut Self::StateX4) {
            match self {}
        }
    }
}

/// Stamps one operation for every set of CPU features from a single generic body.
///
/// ```text
/// entry! {
///     /// Docs.
///     pub(crate) fn sign[P: ParameterSet](key: &Key<P>, mu: &[u8; 64]) -> Result<..> = sign_body
/// }
/// ```
///
/// `sign_body` must be an `#[inline(always)]` function that takes a token first and then the
/// same arguments. The generated `sign` picks the token once.
#[macro_export]
macro_rules! entry {
    (
        $(#[$meta:meta])*
        $vis:vis fn $name:ident [$($param:ident: $bound:path),*] ($($arg:ident: $ty:ty),* $(,)?) $(-> $out:ty)?
            = $body:path
    ) => {
        $(#[$meta])*
        $vis fn $name<$($param: $bound),*>($($arg: $ty),*) $(-> $out)? {
            #[cfg(any(
                target_arch = "x86_64",
                all(target_arch = "aarch64", target_feature = "neon")
            ))]
            if let Some(token) = $crate::arch::Simd::detect() {
                #[inline(never)]
                #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,bmi1,bmi2"))]
                fn enter<$($param: $bound),*>(token: $crate::arch::Simd, $($arg: $ty),*) $(-> $out)? {
                    $body(token, $($arg),*)
                }
                // SAFETY: `token` proves that the CPU has the features that `enter` enables.
                #[allow(unsafe_code, unused_unsafe)]
                return unsafe { enter::<$($param),*>(token, $($arg),*) };
            }
            // A function of its own, so that the stack frame of one body is not paid twice.
            #[inline(never)]
            fn portable<$($param: $bound),*>($($arg: $ty),*) $(-> $out)? {
                $body($crate::arch::Portable, $($arg),*)
            }
            portable::<$($param),*>($($arg),*)
        }
    };
}
