//! The portable kernels, compiled for AVX2: 16 lanes of 16 bits suit them as they are.
#![allow(unsafe_code)]

use super::{Backend, portable};
use crate::arch::Avx2;

impl Backend for Avx2 {
    fn ntt(self, a: &mut [i16], a_hat: &mut [i16]) {
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn enter(a: &mut [i16], a_hat: &mut [i16]) {
            portable::ntt(a, a_hat);
        }
        // SAFETY: `self` proves that the CPU has AVX2, BMI1 and BMI2; so in all methods here.
        unsafe { enter(a, a_hat) }
    }

    fn inv_ntt(self, a_hat: &mut [i16], a: &mut [i16]) {
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn enter(a_hat: &mut [i16], a: &mut [i16]) {
            portable::inv_ntt(a_hat, a);
        }
        // SAFETY: as above.
        unsafe { enter(a_hat, a) }
    }

    fn divide(self, a_hat: &mut [i16], b_hat: &[i16]) -> bool {
        #[target_feature(enable = "avx2,bmi1,bmi2")]
        fn enter(a_hat: &mut [i16], b_hat: &[i16]) -> bool {
            portable::divide(a_hat, b_hat)
        }
        // SAFETY: as above.
        unsafe { enter(a_hat, b_hat) }
    }
}
