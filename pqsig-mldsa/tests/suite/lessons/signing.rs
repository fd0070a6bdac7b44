//! Entries D: signing; and what a key leaves behind in memory.

use crate::common::{Fixed, Set, Stream, for_each_set};
use pqsig_mldsa::{PreparedSigningKey, Signature, SigningKey};
use signature::{RandomizedSigner, Signer, Verifier};

for_each_set!(
    l42_many_attempts_are_no_failure,
    l45_hedged_signing_is_on_the_key_itself,
    l49_no_two_signatures_share_a_challenge,
);

/// 3,000 deterministic signatures by each form of the key: none fails, and by chance alone some
/// take more than thirty attempts.
fn l42_many_attempts_are_no_failure<P: Set>() {
    let key = SigningKey::<P>::from_seed(&[42; 32]).prepare();
    let vk = key.verifying_key().prepare();
    for round in 0..3_000_u32 {
        let message = round.to_le_bytes();
        let made = key.try_sign(&message).expect("signs");
        assert!(vk.verify(&message, &made).is_ok());
    }
}

fn l45_hedged_signing_is_on_the_key_itself<P: Set>() {
    fn hedged<P: Set, K: RandomizedSigner<Signature<P>>>(key: &K, rnd: [u8; 32]) -> Signature<P> {
        key.sign_with_rng(&mut Fixed(&rnd), b"message")
    }
    let key = SigningKey::<P>::from_seed(&[45; 32]);
    let prepared = key.prepare();
    let mut stream = Stream::of::<P>("L45");
    let mut seen = std::collections::HashSet::new();
    for _ in 0..20 {
        let rnd = stream.array();
        let made = hedged(&key, rnd);
        assert!(
            made == hedged(&prepared, rnd),
            "plain and prepared key agree"
        );
        assert!(key.verifying_key().verify(b"message", &made).is_ok());
        assert!(seen.insert(made), "other randomness, other signature");
    }
    // `Signer` is the deterministic variant: rnd = 0.
    assert!(hedged(&key, [0; 32]) == key.sign(b"message"));
    assert!(key.sign(b"message") == prepared.sign(b"message"));
}

/// Other message, key, context or randomness: another challenge and another z.
fn l49_no_two_signatures_share_a_challenge<P: Set>() {
    let c_len = P::NUMBERS.lambda / 4;
    let mut challenges = std::collections::HashSet::new();
    let mut responses = std::collections::HashSet::new();
    let mut cases = 0;
    for key in 0..3 {
        let key = SigningKey::<P>::from_seed(&[key; 32]);
        for context in 0..3 {
            let key = key.with_context(&[0; 3][..context]).expect("fits");
            for message in 0..8_u8 {
                for rnd in 0..3 {
                    let made = key.sign_with_rng(&mut Fixed(&[rnd; 32]), &[message]);
                    assert!(challenges.insert(made.as_bytes()[..c_len].to_vec()));
                    assert!(responses.insert(made.as_bytes()[c_len..c_len + 64].to_vec()));
                    cases += 1;
                }
            }
        }
    }
    assert_eq!((challenges.len(), responses.len()), (cases, 3 * 3 * 8 * 3));
}

/// L47: nothing of a key is left where it was. Reads this process's own memory, so Linux only.
#[cfg(target_os = "linux")]
mod l47 {
    use super::*;
    use std::{fs::File, os::unix::fs::FileExt};

    for_each_set!(
        l47_boxed_keys_are_wiped,
        l47_signing_leaves_no_secret_on_the_stack,
    );

    /// A window on this process's memory. It is made before what is searched for is dropped:
    /// an allocation in between could be given the very memory in question.
    struct Window {
        file: File,
        bytes: Vec<u8>,
    }

    impl Window {
        fn new(len: usize) -> Self {
            Self {
                file: File::open("/proc/self/mem").expect("own memory"),
                bytes: vec![0; len],
            }
        }

        /// What is at `address`; what is not mapped any more holds nothing.
        fn read(&mut self, address: usize) -> &[u8] {
            let result = self.file.read_exact_at(&mut self.bytes, address as u64);
            if result.is_ok() { &self.bytes } else { &[] }
        }
    }

    fn holds(memory: &[u8], secret: &[u8]) -> bool {
        memory.windows(secret.len()).any(|window| window == secret)
    }

    /// What must not be found: seed, K, and parts of s1, s2 and t0 as they are encoded.
    fn secrets<P: Set>(key: &SigningKey<P>) -> Vec<Vec<u8>> {
        let sk = key.to_expanded_bytes();
        let sk = sk.as_ref();
        let t0 = sk.len() - 32 * 13 * P::NUMBERS.k;
        let mut secrets: Vec<_> = [32, 128, 128 + 96, t0 - 96, t0]
            .iter()
            .map(|&at| sk[at..at + 32].to_vec())
            .collect();
        secrets.extend(key.seed().map(|seed| seed.to_vec()));
        secrets
    }

    /// The same as numbers: 48 coefficients of polynomials of s1, s2 and t0, in 8, 16 and 32
    /// bits, their negatives as well.
    fn coefficients<P: Set>(key: &SigningKey<P>) -> Vec<Vec<u8>> {
        let secret = P::NUMBERS.sk_decode(key.to_expanded_bytes().as_ref());
        let mut patterns = Vec::new();
        for vector in [&secret.s1, &secret.s2, &secret.t0] {
            for poly in [&vector[0], &vector[vector.len() - 1]] {
                for sign in [1, -1] {
                    let run = poly[100..148].iter().map(|c| sign * c);
                    let of_bytes = |n: usize| -> Vec<u8> {
                        let bytes = run.clone().map(|c: i64| c.to_le_bytes());
                        bytes.flat_map(|c| c[..n].to_vec()).collect()
                    };
                    patterns.extend([of_bytes(1), of_bytes(2), of_bytes(4)]);
                }
            }
        }
        patterns
    }

    /// `bytes` are in `value`, and so is one or more of `numbers`, if there are any; none of
    /// them is left when it is dropped.
    fn check_wiped<T>(value: Box<T>, bytes: &[Vec<u8>], numbers: &[Vec<u8>]) {
        let address = core::ptr::from_ref(&*value) as usize;
        let mut window = Window::new(size_of::<T>());
        // The key is there while it lives, or this test looks in the wrong place.
        let before = window.read(address);
        assert!(bytes.iter().all(|secret| holds(before, secret)));
        let any = numbers.iter().any(|secret| holds(before, secret));
        assert_eq!(any, !numbers.is_empty());
        drop(value);
        let after = window.read(address);
        for secret in bytes.iter().chain(numbers) {
            assert!(!holds(after, secret), "found after drop");
        }
    }

    fn l47_boxed_keys_are_wiped<P: Set>() {
        let key = SigningKey::<P>::from_seed(&Stream::of::<P>("L47").array());
        let (bytes, numbers) = (secrets(&key), coefficients(&key));
        assert_eq!((bytes.len(), numbers.len()), (6, 36));
        check_wiped(Box::new(key.clone()), &bytes, &[]);
        check_wiped::<PreparedSigningKey<P>>(Box::new(key.prepare()), &bytes, &numbers);
        let imported = SigningKey::<P>::from_expanded_bytes(key.to_expanded_bytes().as_ref());
        check_wiped(Box::new(imported.expect("valid")), &bytes[..5], &[]);
    }

    /// Signs with keys on the heap, then searches all the stack below for what they hold.
    fn l47_signing_leaves_no_secret_on_the_stack<P: Set>() {
        const STACK: usize = 1 << 20;
        let key = Box::new(SigningKey::<P>::from_seed(&Stream::of::<P>("L47").array()));
        let (bytes, numbers) = (secrets(&key), coefficients(&key));
        let prepared = Box::new(key.prepare());
        let search = move || {
            let marker = [0x47_u8; 64];
            let top = core::ptr::from_ref(&marker) as usize;
            let mut window = Window::new(STACK / 2);
            // By reference all along: no copy of a key is made on this stack. The plain key comes
            // last, since it uses the most of it.
            let made = [sign(&*prepared), sign(&*key)];
            let below = window.read(top - STACK / 2);
            assert_eq!(below.len(), STACK / 2, "the stack can be read");
            // What was computed went over this stack, so this is the right place.
            assert!(made[0] == made[1]);
            assert!(holds(below, &made[0].as_bytes()[..32]));
            let found = |secrets: &[Vec<u8>]| -> Vec<bool> {
                secrets.iter().map(|secret| holds(below, secret)).collect()
            };
            (found(&bytes), found(&numbers))
        };
        let thread = std::thread::Builder::new().stack_size(STACK);
        let (bytes, numbers) = thread.spawn(search).expect("starts").join().expect("runs");
        assert_eq!(bytes, [false; 6], "K, s1, s1, s2, t0, seed");
        assert_eq!(numbers, [false; 36], "s1, s2, t0 as numbers");
    }

    #[inline(never)]
    fn sign<P: Set, K: Signer<Signature<P>>>(key: &K) -> Signature<P> {
        key.sign(b"message")
    }
}
