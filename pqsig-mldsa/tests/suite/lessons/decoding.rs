//! Entries A: decoding and verification.

use super::{ZeroKey, hint_at, hint_bytes, zero_z};
use crate::{
    common::{Set, Stream, for_each_set, rounds, signature},
    fips204::{self, Attempt, Refused, Signer},
};
use pqsig_mldsa::{Signature, SigningKey, VerifyingKey};
use signature::Verifier;

for_each_set!(
    l01_repeated_hint_index_is_refused,
    l01_only_canonical_hints_decode,
    l02_empty_and_full_hints_are_accepted,
    l04_every_value_of_every_hint_counter,
    l05_use_hint_at_r0_zero,
    l06_norm_of_z_at_its_bound,
    l06_signer_without_the_norm_check,
    l08_bytes_after_the_last_hint,
    l10_every_bit_of_the_challenge_counts,
    l14_any_bytes_are_a_verifying_key,
);

/// The last hint is listed twice, and the counters say so: a lenient decoder reads the same hint.
fn l01_repeated_hint_index_is_refused<P: Set>() {
    let numbers = P::NUMBERS;
    let zero = ZeroKey::<P>::new(&mut Stream::of::<P>("L01"));
    let mut cases = 0;
    for i in 0..numbers.k {
        for j in [0, 1, 100, 255] {
            let good = zero.sign(&hint_at::<P>(&[(i, j)]));
            assert!(zero.verdict(&good));
            let mut twice = good;
            let y = hint_bytes::<P>(&mut twice);
            y[1] = j as u8;
            y[numbers.omega + i..].fill(2);
            assert!(!zero.verdict(&twice));
            cases += 1;
        }
    }
    assert_eq!(cases, 4 * numbers.k);

    // The same with a real signature: a hint of a polynomial that has some is doubled.
    let key = SigningKey::<P>::from_seed(&[1; 32]);
    let mut doubled = 0;
    for byte in 0..40 {
        let mu = [byte; 64];
        let made = key.sign_mu_deterministic(&mu).expect("signs");
        let mut bytes = made.as_bytes().to_vec();
        let y = hint_bytes::<P>(&mut bytes);
        let total = usize::from(y[numbers.omega + numbers.k - 1]);
        if total == 0 || total == numbers.omega {
            continue;
        }
        let last = (0..numbers.k).find(|i| usize::from(y[numbers.omega + i]) == total);
        y[total] = y[total - 1];
        y[numbers.omega + last.expect("some polynomial ends there")..].fill(total as u8 + 1);
        assert!(key.verifying_key().verify_mu(&mu, &made).is_ok());
        assert!(
            key.verifying_key()
                .verify_mu(&mu, &signature(&bytes))
                .is_err()
        );
        doubled += 1;
    }
    assert!(doubled > 20);
}

/// What decodes encodes to the same bytes, in the oracle; and the library accepts what decodes.
fn l01_only_canonical_hints_decode<P: Set>() {
    let numbers = P::NUMBERS;
    let mut stream = Stream::of::<P>("L01 canonical");
    let zero = ZeroKey::<P>::new(&mut stream);
    let (mut decoded, mut refused) = (0, 0);
    for _ in 0..rounds(4_000, 40_000) {
        // Increasing positions and counters, with a slip now and then.
        let mut y = vec![0; numbers.omega + numbers.k];
        let most = numbers.omega / numbers.k;
        let mut index = 0;
        for i in 0..numbers.k {
            let mut j = 0;
            for _ in 0..stream.number(0..=most) {
                j += stream.number(0..=200 / most);
                y[index] = j as u8;
                index += 1;
                j += usize::from(stream.number(0..=60) != 0);
            }
            y[numbers.omega + i] = index as u8;
        }
        if stream.number(0..=2) == 0 {
            stream.mutate(&mut y);
        }
        let hint = numbers.hint_bit_unpack(&y);
        // The challenge fits what a decoder would read that checks nothing.
        let mut bytes = zero.sign(hint.as_ref().unwrap_or(&read_unchecked::<P>(&y)));
        hint_bytes::<P>(&mut bytes).copy_from_slice(&y);
        match &hint {
            Some(hint) => {
                assert_eq!(numbers.hint_bit_pack(hint), y);
                decoded += 1;
            }
            None => refused += 1,
        }
        assert_eq!(zero.verdict(&bytes), hint.is_some());
    }
    assert!(decoded > 1_000 && refused > 1_000, "{decoded} {refused}");
}

fn read_unchecked<P: Set>(y: &[u8]) -> fips204::Vector {
    let (positions, ends) = y.split_at(P::NUMBERS.omega);
    let mut hint = hint_at::<P>(&[]);
    let mut start = 0;
    for (hint, &end) in hint.iter_mut().zip(ends) {
        let end = usize::from(end).min(positions.len());
        for &position in positions.get(start..end).unwrap_or(&[]) {
            hint[usize::from(position)] = 1;
        }
        start = start.max(end);
    }
    hint
}

/// Polynomials without a hint, no hint at all, and exactly omega of them.
fn l02_empty_and_full_hints_are_accepted<P: Set>() {
    let (k, omega) = (P::NUMBERS.k, P::NUMBERS.omega);
    let zero = ZeroKey::<P>::new(&mut Stream::of::<P>("L02"));
    let mut hints = vec![vec![]];
    for i in 0..k {
        hints.push(vec![(i, 0)]);
        hints.push(vec![(i, 255)]);
        // All in one polynomial; and one too few.
        hints.push((0..omega).map(|j| (i, 3 * j)).collect());
        hints.push((0..omega - 1).map(|j| (i, 255 - j)).collect());
    }
    hints.push((0..omega).map(|n| (n % k, n)).collect());
    hints.push(vec![(0, 0), (k - 1, 0)]);
    for positions in &hints {
        let bytes = zero.sign(&hint_at::<P>(positions));
        assert!(zero.verdict(&bytes), "{positions:?}");
        assert!(zero.oracle(&bytes));
    }
    assert_eq!(hints.len(), 4 * k + 3);
}

fn l04_every_value_of_every_hint_counter<P: Set>() {
    let (k, omega) = (P::NUMBERS.k, P::NUMBERS.omega);
    let zero = ZeroKey::<P>::new(&mut Stream::of::<P>("L04"));
    let base = [(0, 7), (0, 9), (1, 3), (k - 1, 200)];
    let (mut cases, mut accepted) = (0, 0);
    for positions in [&base[..], &[]] {
        for i in 0..k {
            for value in 0..=255 {
                let hint = hint_at::<P>(positions);
                let mut y = P::NUMBERS.hint_bit_pack(&hint);
                y[omega + i] = value;
                let decoded = P::NUMBERS.hint_bit_unpack(&y);
                let mut bytes = zero.sign(decoded.as_ref().unwrap_or(&hint));
                hint_bytes::<P>(&mut bytes).copy_from_slice(&y);
                assert_eq!(zero.verdict(&bytes), decoded.is_some(), "{i} {value}");
                accepted += usize::from(decoded.is_some());
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 2 * k * 256);
    assert!(accepted >= 2 * k);
}

/// With z = 0 every r is 0: a hint makes it r1 - 1 = m - 1, and never 1.
fn l05_use_hint_at_r0_zero<P: Set>() {
    let m = (fips204::Q - 1) / (2 * P::NUMBERS.gamma2);
    let mut stream = Stream::of::<P>("L05");
    let mut cases = 0;
    for i in 0..P::NUMBERS.k {
        for j in [0, 1, 7, 8, 128, 255] {
            let zero = ZeroKey::<P>::new(&mut stream);
            let hint = hint_at::<P>(&[(i, j)]);
            let z = zero_z::<P>();
            let w = vec![vec![0; 256]; P::NUMBERS.k];
            for (value, valid) in [(m - 1, true), (1, false), (0, false)] {
                let use_hint = |_: i64, h: bool| if h { value } else { 0 };
                let c_tilde = zero.challenge_for(&w, use_hint, &hint);
                let bytes = P::NUMBERS.sig_encode(&c_tilde, &z, &hint);
                assert_eq!(zero.verdict(&bytes), valid, "{i} {j} {value}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 3 * 6 * P::NUMBERS.k);
}

fn l06_norm_of_z_at_its_bound<P: Set>() {
    let numbers = P::NUMBERS;
    let bound = numbers.gamma1 - numbers.beta();
    let zero = ZeroKey::<P>::new(&mut Stream::of::<P>("L06"));
    let mut cases = 0;
    let no_hint = hint_at::<P>(&[]);
    for i in 0..numbers.l {
        for j in [0, 1, 2, 3, 4, 7, 8, 9, 127, 128, 250, 252, 253, 254, 255] {
            let values = [
                (bound - 1, true),
                (1 - bound, true),
                (bound, false),
                (-bound, false),
                (numbers.gamma1, false),
                (1 - numbers.gamma1, false),
            ];
            for (value, valid) in values {
                let mut z = zero_z::<P>();
                z[i][j] = value;
                let c_tilde = zero.challenge(&z, &no_hint);
                let bytes = numbers.sig_encode(&c_tilde, &z, &no_hint);
                assert_eq!(zero.verdict(&bytes), valid, "z[{i}][{j}] = {value}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 15 * 6 * numbers.l);
}

/// A signer that does not check z makes signatures in which all else is right.
fn l06_signer_without_the_norm_check<P: Set>() {
    let numbers = P::NUMBERS;
    let key = SigningKey::<P>::from_seed(&[6; 32]);
    let sk = key.to_expanded_bytes();
    let pk = key.verifying_key().as_bytes();
    let wanted = 20;
    let mut refused = 0;
    for byte in 0..=255 {
        let mu = [byte; 64];
        let signer = Signer::new(numbers, sk.as_ref(), &mu, &[0; 32]);
        let careless = |made: &Attempt| {
            let refused = Refused {
                z: false,
                ..made.refused
            };
            refused == Refused::default() && made.z_fits(numbers)
        };
        let mut attempts = (0..50).map(|n| signer.attempt(n));
        let made = attempts.find(careless).expect("one is made");
        let bytes = made.encode(numbers);
        let verdict = key.verifying_key().verify_mu(&mu, &signature(&bytes));
        assert_eq!(verdict.is_err(), made.refused.z);
        assert!(numbers.verify_mu(pk, &mu, &bytes, false));
        refused += usize::from(made.refused.z);
        if refused == wanted {
            break;
        }
    }
    assert_eq!(refused, wanted);
}

fn l08_bytes_after_the_last_hint<P: Set>() {
    let (k, omega) = (P::NUMBERS.k, P::NUMBERS.omega);
    let mut stream = Stream::of::<P>("L08");
    let zero = ZeroKey::<P>::new(&mut stream);
    let mut cases = 0;
    for positions in [&[][..], &[(0, 5)], &[(0, 5), (k - 1, 250)]] {
        let good = zero.sign(&hint_at::<P>(positions));
        assert!(zero.verdict(&good));
        for at in positions.len()..omega {
            for value in [1, 255, stream.number(1..=255) as u8] {
                let mut bytes = good.clone();
                hint_bytes::<P>(&mut bytes)[at] = value;
                assert!(!zero.verdict(&bytes), "{at} {value}");
                cases += 1;
            }
        }
    }
    assert_eq!(cases, 3 * (3 * omega - 3));
}

fn l10_every_bit_of_the_challenge_counts<P: Set>() {
    let len = P::NUMBERS.lambda / 4;
    let mut stream = Stream::of::<P>("L10");
    let mut with_zero_byte = 0;
    while with_zero_byte < 3 {
        let zero = ZeroKey::<P>::new(&mut stream);
        let good = zero.sign(&hint_at::<P>(&[(0, 1)]));
        assert!(zero.verdict(&good));
        // A comparison that stops at a zero byte needs one near the front to show.
        if !good[..len / 4].contains(&0) {
            continue;
        }
        with_zero_byte += 1;
        for bit in 0..8 * len {
            let mut bytes = good.clone();
            bytes[bit / 8] ^= 1 << (bit % 8);
            assert!(!zero.verdict(&bytes), "bit {bit}");
        }
        for at in 0..len {
            let mut bytes = good.clone();
            bytes[at..len].reverse();
            bytes[at] ^= 0xFF;
            assert!(!zero.verdict(&bytes), "from byte {at} on");
        }
    }
}

fn l14_any_bytes_are_a_verifying_key<P: Set>() {
    let mut stream = Stream::of::<P>("L14");
    let made = SigningKey::<P>::from_seed(&[14; 32])
        .sign_mu_deterministic(&[0; 64])
        .expect("signs");
    for fill in [0x00, 0x01, 0x7F, 0x80, 0xFF] {
        let mut bytes = vec![fill; VerifyingKey::<P>::LEN];
        for _ in 0..2 {
            let key = VerifyingKey::<P>::from_bytes(&bytes).expect("loads");
            assert_eq!(key.as_bytes(), bytes);
            assert!(key.verify_mu(&[0; 64], &made).is_err());
            assert!(key.prepare().verify_mu(&[0; 64], &made).is_err());
            assert!(key.verify(b"message", &made).is_err());
            stream.fill(&mut bytes);
        }
    }
    // And the one with t1 = 0 verifies what fits it.
    let zero = ZeroKey::<P>::new(&mut stream);
    assert!(zero.verdict(&zero.sign(&hint_at::<P>(&[(0, 0)]))));

    for len in [
        0,
        1,
        VerifyingKey::<P>::LEN - 1,
        VerifyingKey::<P>::LEN + 1,
        1 << 16,
    ] {
        assert!(VerifyingKey::<P>::from_bytes(&vec![0; len]).is_err());
    }
    for len in [
        0,
        1,
        Signature::<P>::LEN - 1,
        Signature::<P>::LEN + 1,
        1 << 16,
    ] {
        assert!(Signature::<P>::from_bytes(&vec![0; len]).is_err());
    }
}
