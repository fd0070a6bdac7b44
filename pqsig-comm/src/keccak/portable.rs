//! Keccak-f\[1600\] in plain 64-bit arithmetic.

use super::{ROUND_CONSTANTS, ROUNDS, State, StateX4};

/// Four states one after the other.
#[derive(Clone, Debug)]
pub struct FourStates(pub [State; 4]);

impl zeroize::Zeroize for FourStates {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl StateX4 for FourStates {
    #[inline(always)]
    fn zero() -> Self {
        Self([[0; 25]; 4])
    }

    #[inline(always)]
    fn set(&mut self, word: usize, values: [u64; 4]) {
        for (state, value) in self.0.iter_mut().zip(values) {
            state[word] = value;
        }
    }

    #[inline(always)]
    fn xor_all(&mut self, word: usize, values: [u64; 4]) {
        for (state, value) in self.0.iter_mut().zip(values) {
            state[word] ^= value;
        }
    }

    #[inline(always)]
    fn xor(&mut self, lane: usize, word: usize, value: u64) {
        self.0[lane][word] ^= value;
    }

    #[inline(always)]
    fn word(&self, lane: usize, word: usize) -> u64 {
        self.0[lane][word]
    }
}

/// Permutes one state.
#[inline(always)]
pub const fn f1600(state: &mut State) {
    let mut lanes = *state;
    let mut round = 0;
    while round < ROUNDS {
        lanes = one_round(&lanes, ROUND_CONSTANTS[round]);
        lanes = one_round(&lanes, ROUND_CONSTANTS[round + 1]);
        round += 2;
    }
    *state = lanes;
}

/// The steps theta, rho, pi, chi and iota of one round.
#[inline(always)]
const fn one_round(a: &State, constant: u64) -> State {
    let c0 = a[0] ^ a[5] ^ a[10] ^ a[15] ^ a[20];
    let c1 = a[1] ^ a[6] ^ a[11] ^ a[16] ^ a[21];
    let c2 = a[2] ^ a[7] ^ a[12] ^ a[17] ^ a[22];
    let c3 = a[3] ^ a[8] ^ a[13] ^ a[18] ^ a[23];
    let c4 = a[4] ^ a[9] ^ a[14] ^ a[19] ^ a[24];
    let d0 = c4 ^ c1.rotate_left(1);
    let d1 = c0 ^ c2.rotate_left(1);
    let d2 = c1 ^ c3.rotate_left(1);
    let d3 = c2 ^ c4.rotate_left(1);
    let d4 = c3 ^ c0.rotate_left(1);

    let mut out = [0; 25];
    // Row y of the result after rho and pi comes from lanes (x + 3y, x) of the input.
    chi(
        &mut out,
        0,
        a[0] ^ d0,
        (a[6] ^ d1).rotate_left(44),
        (a[12] ^ d2).rotate_left(43),
        (a[18] ^ d3).rotate_left(21),
        (a[24] ^ d4).rotate_left(14),
    );
    out[0] ^= constant;
    chi(
        &mut out,
        5,
        (a[3] ^ d3).rotate_left(28),
        (a[9] ^ d4).rotate_left(20),
        (a[10] ^ d0).rotate_left(3),
        (a[16] ^ d1).rotate_left(45),
        (a[22] ^ d2).rotate_left(61),
    );
    chi(
        &mut out,
        10,
        (a[1] ^ d1).rotate_left(1),
        (a[7] ^ d2).rotate_left(6),
        (a[13] ^ d3).rotate_left(25),
        (a[19] ^ d4).rotate_left(8),
        (a[20] ^ d0).rotate_left(18),
    );
    chi(
        &mut out,
        15,
        (a[4] ^ d4).rotate_left(27),
        (a[5] ^ d0).rotate_left(36),
        (a[11] ^ d1).rotate_left(10),
        (a[17] ^ d2).rotate_left(15),
        (a[23] ^ d3).rotate_left(56),
    );
    chi(
        &mut out,
        20,
        (a[2] ^ d2).rotate_left(62),
        (a[8] ^ d3).rotate_left(55),
        (a[14] ^ d4).rotate_left(39),
        (a[15] ^ d0).rotate_left(41),
        (a[21] ^ d1).rotate_left(2),
    );
    out
}

/// The step chi on one row.
#[inline(always)]
const fn chi(out: &mut State, row: usize, b0: u64, b1: u64, b2: u64, b3: u64, b4: u64) {
    out[row] = b0 ^ (!b1 & b2);
    out[row + 1] = b1 ^ (!b2 & b3);
    out[row + 2] = b2 ^ (!b3 & b4);
    out[row + 3] = b3 ^ (!b4 & b0);
    out[row + 4] = b4 ^ (!b0 & b1);
}

#[cfg(test)]
mod tests {
    use super::f1600;

    /// Keccak-f\[1600\] of the zero state, at compile time: the first lane is a published value.
    const _: () = {
        let mut state = [0; 25];
        f1600(&mut state);
        assert!(state[0] == 0xF125_8F79_40E1_DDE7);
    };
}
