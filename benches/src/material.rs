//! Seeds and messages, the same for every implementation.

use crate::{Contestant, Operation};
use cpu_time::ThreadTime;
use std::time::Duration;

/// What the operations work on.
#[derive(Clone)]
pub struct Material {
    /// For key generation. The first one makes the key that signs.
    pub seeds: Vec<[u8; 32]>,
    /// Different messages of 32 bytes.
    pub messages: Vec<[u8; 32]>,
}

/// How many messages [`sample`] looks at for each one that it keeps.
const OVERSAMPLING: usize = 8;

impl Material {
    /// `messages` messages that are as good as random.
    pub fn new(messages: usize) -> Self {
        Self {
            seeds: (0..64).map(|i| expand(0x5eed, i)).collect(),
            messages: (0..messages as u64)
                .map(|i| expand(0x0e55_a6e5, i))
                .collect(),
        }
    }
}

/// `count` messages of which a deterministic ML-DSA signer needs the average number of attempts:
/// the number of attempts scatters by 88 % of its mean, so that the mean over 1,000 random
/// messages is still off by 3 %. Eight times as many messages are sorted by the time that
/// `contestant` takes to sign them, and every eighth one is kept.
pub fn sample(contestant: &Contestant, count: usize) -> Material {
    let mut material = Material::new(count * OVERSAMPLING);
    let mut sign = contestant.workload(Operation::SignPrepared, &material);
    let mut timed: Vec<(Duration, [u8; 32])> = (material.messages.iter().enumerate())
        .map(|(i, message)| {
            let start = ThreadTime::now();
            sign(i);
            (start.elapsed(), *message)
        })
        .collect();
    timed.sort_unstable();
    let mut kept: Vec<[u8; 32]> = timed
        .iter()
        .skip(OVERSAMPLING / 2)
        .step_by(OVERSAMPLING)
        .map(|(_, message)| *message)
        .collect();
    // Bytes of the messages are random: this shuffles.
    kept.sort_unstable();
    material.messages = kept;
    material
}

/// 32 bytes from a label and a number (splitmix64).
fn expand(label: u64, number: u64) -> [u8; 32] {
    let mut state = label << 32 | number;
    let mut out = [0; 32];
    for chunk in out.chunks_exact_mut(8) {
        state = state
            .wrapping_mul(0x2545_f491_4f6c_dd1d)
            .wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut word = state;
        word = (word ^ (word >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        chunk.copy_from_slice(&(word ^ (word >> 31)).to_le_bytes());
    }
    out
}
