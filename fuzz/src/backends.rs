//! One backend against another: the same inputs in a build with other cfgs, which runs beside.

use crate::{Bytes, key_of, known};
use pqsig::{
    RandomizedSigner, Signer, Verifier,
    any::{Signature, SigningKey},
    fndsa, mldsa,
};
use std::{
    env,
    io::{self, Read, Write},
    process::{Child, Command, Stdio},
    sync::{Mutex, OnceLock},
};

/// The outcome of an input is that of the program that `PQSIG_FUZZ_PEER` names: this target in
/// another build, as a server. Without the variable, the outcome is computed and that is all.
///
/// An input is used as in the target `sign`; besides, it is the difference to a valid signature and
/// to a valid encoded key.
pub fn backends(data: &[u8]) {
    let ours = outcome(data);
    if let Some(peer) = peer() {
        let mut peer = peer.lock().expect("no panic in between");
        let theirs = ask(&mut peer, data).expect("the peer answers");
        assert_eq!(ours, theirs, "the backends differ");
    }
}

/// Answers [`backends`] of another process on standard input and output until the input ends.
///
/// # Errors
/// A broken pipe.
pub fn serve() -> io::Result<()> {
    let (mut input, mut output) = (io::stdin().lock(), io::stdout().lock());
    loop {
        let mut length = [0; 8];
        match input.read_exact(&mut length) {
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(()),
            result => result?,
        }
        let mut data = Vec::new();
        let length = u64::from_le_bytes(length);
        input.by_ref().take(length).read_to_end(&mut data)?;
        output.write_all(&outcome(&data).to_le_bytes())?;
        output.flush()?;
    }
}

fn peer() -> Option<&'static Mutex<Child>> {
    static PEER: OnceLock<Option<Mutex<Child>>> = OnceLock::new();
    let start = || {
        let program = env::var_os("PQSIG_FUZZ_PEER")?;
        let child = Command::new(program)
            .arg("--serve")
            .env_remove("PQSIG_FUZZ_PEER")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn();
        Some(Mutex::new(child.expect("the peer starts")))
    };
    PEER.get_or_init(start).as_ref()
}

fn ask(peer: &mut Child, data: &[u8]) -> io::Result<u64> {
    let pipes = peer.stdin.as_mut().zip(peer.stdout.as_mut());
    let (input, output) = pipes.ok_or(io::ErrorKind::BrokenPipe)?;
    input.write_all(&(data.len() as u64).to_le_bytes())?;
    input.write_all(data)?;
    input.flush()?;
    let mut answer = [0; 8];
    output.read_exact(&mut answer)?;
    Ok(u64::from_le_bytes(answer))
}

/// A digest of everything that an input leads to.
fn outcome(data: &[u8]) -> u64 {
    let mut hash = Fnv(0xcbf2_9ce4_8422_2325);
    let Some((&[first, length], rest)) = data.split_first_chunk() else {
        return hash.0;
    };
    if let Some((seed, rest)) = rest.split_first_chunk::<32>() {
        let (context, message) = rest.split_at(usize::from(length).min(rest.len()));
        let key = key_of(first, seed);
        let signer = key.with_context(context).expect("at most 255 bytes");
        hash.add(key.verifying_key().as_bytes());
        let hedged = signer.sign_with_rng(&mut Bytes::new(seed), message);
        hash.add(hedged.as_bytes());
        if key.algorithm().signs_deterministically() {
            hash.add(signer.sign(message).as_bytes());
        }
    }
    let (key, signature) = &known()[usize::from(first) % known().len()];
    let changed = xor(signature.as_bytes(), rest);
    let accepted = Signature::from_bytes(key.algorithm(), &changed)
        .is_ok_and(|changed| key.verifying_key().verify(rest, &changed).is_ok());
    hash.add(&[accepted.into(), loads(key, rest).into()]);
    hash.0
}

/// Whether `key` with a difference loads.
fn loads(key: &SigningKey, difference: &[u8]) -> bool {
    match key {
        SigningKey::MlDsa44(key) => {
            let bytes = xor(&key.to_expanded_bytes(), difference);
            mldsa::SigningKey::<mldsa::MlDsa44>::from_expanded_bytes(&bytes).is_ok()
        }
        SigningKey::MlDsa65(key) => {
            let bytes = xor(&key.to_expanded_bytes(), difference);
            mldsa::SigningKey::<mldsa::MlDsa65>::from_expanded_bytes(&bytes).is_ok()
        }
        SigningKey::MlDsa87(key) => {
            let bytes = xor(&key.to_expanded_bytes(), difference);
            mldsa::SigningKey::<mldsa::MlDsa87>::from_expanded_bytes(&bytes).is_ok()
        }
        SigningKey::FnDsa512(key) => {
            let bytes = xor(key.to_bytes().as_ref(), difference);
            fndsa::SigningKey::<fndsa::FnDsa512>::from_bytes(&bytes).is_ok()
        }
        SigningKey::FnDsa1024(key) => {
            let bytes = xor(key.to_bytes().as_ref(), difference);
            fndsa::SigningKey::<fndsa::FnDsa1024>::from_bytes(&bytes).is_ok()
        }
        _ => false,
    }
}

fn xor(bytes: &[u8], difference: &[u8]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for (byte, difference) in bytes.iter_mut().zip(difference) {
        *byte ^= difference;
    }
    bytes
}

/// The hash FNV-1a.
struct Fnv(u64);

impl Fnv {
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
