//! A server's backlog: many signatures under many keys, verified on all cores. The library starts
//! no threads; `rayon` hands each of its own a part of the batch.
//!
//! ```text
//! cargo run --release -p pqsig --example verify_many -- 20000
//! ```

use core::error::Error;
use pqsig::{
    Signer, SysRng,
    mldsa::{MlDsa44, SigningKey, verify_batch_encoded},
    rand_core::TryRng,
};
use rayon::prelude::*;
use std::time::Instant;

/// Signatures of one call: a multiple of four, large enough that handing out costs nothing.
const PART: usize = 64;
const KEYS: usize = 16;

/// As they arrive: a key, a message, a signature.
struct Received {
    key: Vec<u8>,
    message: Vec<u8>,
    signature: Vec<u8>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let count = match std::env::args().nth(1) {
        Some(count) => count.parse::<usize>()?.max(1),
        None => 1000,
    };
    let mut backlog = receive(count)?;
    if let Some(one) = backlog.get_mut(count / 2) {
        one.message.push(b'!');
    }

    let items: Vec<(&[u8], &[u8], &[u8])> = backlog
        .iter()
        .map(|one| (&one.key[..], &one.message[..], &one.signature[..]))
        .collect();
    let mut verdicts = vec![false; items.len()];
    let start = Instant::now();
    items
        .par_chunks(PART)
        .zip(verdicts.par_chunks_mut(PART))
        .for_each(|(items, verdicts)| {
            // The verdicts tell more than the result of the part, which is an error if any of
            // its signatures does not verify.
            let _ = verify_batch_encoded::<MlDsa44>(items, verdicts);
        });
    let elapsed = start.elapsed();

    let refused: Vec<usize> = (0..count).filter(|&i| !verdicts[i]).collect();
    println!(
        "{count} signatures on {} threads in {elapsed:?}, refused: {refused:?}",
        rayon::current_num_threads()
    );
    if refused == [count / 2] {
        Ok(())
    } else {
        Err("exactly the spoilt one should be refused".into())
    }
}

fn receive(count: usize) -> Result<Vec<Received>, Box<dyn Error>> {
    let mut keys = Vec::new();
    for _ in 0..KEYS {
        let mut seed = [0; 32];
        SysRng.try_fill_bytes(&mut seed)?;
        keys.push(SigningKey::<MlDsa44>::from_seed(&seed));
    }
    let received = (0..count).into_par_iter().map(|i| {
        let key = &keys[i % KEYS];
        let message = format!("order number {i}").into_bytes();
        Received {
            key: key.verifying_key().as_bytes().to_vec(),
            signature: key.sign(&message).as_bytes().to_vec(),
            message,
        }
    });
    Ok(received.collect())
}
