//! Known answers, and that every value has one encoding.

extern crate std;

use super::*;
use crate::{
    encoding::{ByteArray, Hex},
    fndsa::{FnDsa512, FnDsa1024, mq::canonical},
};
use std::{format, string::String, vec, vec::Vec};

fn hex(bytes: &[u8]) -> String {
    format!("{:?}", Hex(bytes))
}

/// xorshift: good enough for test inputs.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn fill(&mut self, bytes: &mut [u8]) {
        bytes.fill_with(|| (self.next() >> 32) as u8);
    }
}

fn compressed(s2: &[i16], len: usize) -> Option<Vec<u8>> {
    let mut field = vec![0xAA; len];
    compress(s2, &mut field).then_some(field)
}

fn decompressed(field: &[u8], n: usize) -> Option<Vec<i16>> {
    let mut s2 = vec![0; n];
    decompress(field, &mut s2).then_some(s2)
}

#[test]
fn known_answers() {
    let cases: [(&[i16], usize, &str); 4] = [
        (&[0, 0, 0, 0], 5, "0001020408"),
        (&[1, -1, 840, -840], 9, "020742022381000000"),
        (&[127, 128, -127, -128], 8, "fe01fc1f20000000"),
        (&[255, 256, -383, 384], 12, "fe02f09f0008000000000000"),
    ];
    for (s2, len, expected) in cases {
        let field = compressed(s2, len).expect("fits");
        assert_eq!(hex(&field), expected);
        assert_eq!(decompressed(&field, s2.len()).as_deref(), Some(s2));
    }

    let cases: [(u32, [i8; 8], &str); 2] = [
        (6, [1, -1, 2, -2, 3, -3, 31, -31], "c12ff843ff85"),
        (5, [15, -15, 1, -1, 0, 7, -8, 2], "2f860f0e16"),
    ];
    for (bits, values, expected) in cases {
        let mut bytes = vec![0; bits as usize];
        assert!(encode_trimmed(bits, &values, &mut bytes));
        assert_eq!(hex(&bytes), expected);
        let mut decoded = [0; 8];
        assert!(decode_trimmed(bits, &bytes, &mut decoded));
        assert_eq!(decoded, values);
    }

    let mut bytes = [0; 7];
    encode_mod_q([0, 1, 12288, 6144], &mut bytes);
    assert_eq!(hex(&bytes), "00400000000360");
}

#[test]
fn compress_takes_the_range_and_no_more() {
    for value in -2048..=2047_i16 {
        for at in 0..4 {
            let mut s2 = [3, -100, 0, 700];
            s2[at] = value;
            let field = compressed(&s2, 8);
            assert_eq!(field.is_some(), value.abs() <= 840, "{value}");
            if let Some(field) = field {
                assert_eq!(decompressed(&field, 4).as_deref(), Some(&s2[..]));
            }
        }
    }
    assert!(compressed(&[i16::MIN], 100).is_none());
}

/// Every field of two bytes for one coefficient, and of three bytes for two: 16 million.
#[test]
fn every_short_field_is_canonical_or_refused() {
    for (len, n) in [(1, 1), (2, 1), (2, 2), (3, 2)] {
        let mut accepted = 0;
        for bits in 0..1_u32 << (8 * len) {
            let field = &bits.to_le_bytes()[..len];
            if let Some(s2) = decompressed(field, n) {
                assert!(s2.iter().all(|s| s.abs() <= 840));
                assert_eq!(compressed(&s2, len).as_deref(), Some(field));
                accepted += 1;
            }
        }
        // As many as there are vectors that fit.
        let expected = match (len, n) {
            (1, 1) | (2, 2) => 0,
            (2, 1) => 1681,
            _ => (-840..=840_i32)
                .map(|a| 8 * len as i32 - 18 - (a.abs() >> 7))
                .filter(|&rest| rest >= 0)
                .map(|rest| {
                    if rest >= 6 {
                        1681
                    } else {
                        2 * 128 * (rest + 1) - 1
                    }
                })
                .sum(),
        };
        assert_eq!(accepted, expected, "{len} bytes");
    }
}

#[test]
fn random_fields_are_canonical_or_refused() {
    let mut random = Random(1);
    let mut accepted = 0;
    for round in 0..200_000 {
        // Ones are frequent, so that many decode; the tail is zero in most.
        let mut field = [0; 63];
        random.fill(&mut field[..30 + round % 8]);
        let more = random.next().to_le_bytes();
        for (byte, more) in field.iter_mut().zip(more.iter().cycle()) {
            *byte |= if *byte == 0 { 0 } else { more & 0x11 };
        }
        let n = 12 + round % 20;
        if let Some(s2) = decompressed(&field, n) {
            assert_eq!(compressed(&s2, field.len()).as_deref(), Some(&field[..]));
            accepted += 1;
        }
    }
    assert!(accepted > 100, "{accepted}");
}

/// L52: minus zero, and each bit of the padding.
#[test]
fn minus_zero_and_padding_are_refused() {
    let s2 = [0, 5, 0, -840, 840, 0, 1, 0];
    let field = compressed(&s2, 30).expect("fits");
    let used: usize = s2.iter().map(|s| 9 + s.unsigned_abs() as usize / 128).sum();
    let mut start = 0;
    for s in s2 {
        // Turning the sign of a coefficient is harmless, unless it is zero.
        let mut other = field.clone();
        other[start / 8] ^= 1 << (start % 8);
        assert_eq!(decompressed(&other, 8).is_some(), s != 0);
        start += 9 + s.unsigned_abs() as usize / 128;
    }
    for bit in used..8 * field.len() {
        let mut other = field.clone();
        other[bit / 8] |= 1 << (bit % 8);
        assert_eq!(decompressed(&other, 8), None, "bit {bit}");
    }
    // Fields that end too early, at every length.
    for len in 0..field.len() {
        let fits = 8 * len >= used;
        assert_eq!(
            decompressed(&field[..len], 8).is_some(),
            fits,
            "{len} bytes"
        );
        assert_eq!(compressed(&s2, len).is_some(), fits, "{len} bytes");
    }
}

#[test]
fn trimmed_values_one_by_one() {
    for bits in 5..=8_u32 {
        for at in 0..8 {
            for value in i8::MIN..=i8::MAX {
                let mut values = [1, -1, 0, 2, -2, 3, -3, 0];
                values[at] = value;
                let mut bytes = vec![0; bits as usize];
                let fits = i32::from(value).abs() < 1 << (bits - 1);
                assert_eq!(encode_trimmed(bits, &values, &mut bytes), fits);
                if fits {
                    let mut decoded = [0; 8];
                    assert!(decode_trimmed(bits, &bytes, &mut decoded));
                    assert_eq!(decoded, values);
                }
            }
        }
        // All patterns of one coefficient: only the most negative one is refused.
        for pattern in 0..1_u64 << bits {
            let bytes = &(pattern << (3 * bits)).to_le_bytes()[..bits as usize];
            let mut decoded = [0; 8];
            let good = decode_trimmed(bits, bytes, &mut decoded);
            assert_eq!(good, pattern != 1 << (bits - 1));
            if good {
                let mut encoded = vec![0; bits as usize];
                assert!(encode_trimmed(bits, &decoded, &mut encoded));
                assert_eq!(encoded, bytes);
            }
        }
    }
}

/// L54: values of q and more, at each position of a key.
#[test]
fn verifying_keys_hold_values_below_q() {
    fn check<P: ParameterSet>() {
        let mut random = Random(3);
        let h_hat: Vec<i16> = (0..P::N).map(|_| random.next() as i16).collect();
        let mut key = P::VerifyingKeyBytes::ZERO;
        encode_verifying_key::<P>(&h_hat, &mut key);
        let mut decoded = vec![0; P::N];
        assert_eq!(decode_verifying_key::<P>(&key, &mut decoded), Ok(()));
        for (decoded, value) in decoded.iter().zip(&h_hat) {
            assert_eq!(*decoded as u16, canonical(*value));
        }
        for at in 0..P::N {
            for value in [12_288_u64, 12_289, 12_290, 14_336, 16_383] {
                let mut other = key;
                let bytes = other.as_mut();
                for bit in 0..14 {
                    let to = 8 + 14 * at + bit;
                    bytes[to / 8] &= !(1 << (to % 8));
                    bytes[to / 8] |= ((value >> bit & 1) as u8) << (to % 8);
                }
                let result = decode_verifying_key::<P>(&other, &mut decoded);
                assert_eq!(result.is_ok(), value < 12_289, "{value} at {at}");
            }
        }
        for header in 0..=255 {
            let mut other = key;
            other.as_mut()[0] = header;
            let result = decode_verifying_key::<P>(&other, &mut decoded);
            assert_eq!(result.is_ok(), u32::from(header) == P::LOGN);
        }
    }
    check::<FnDsa512>();
    check::<FnDsa1024>();
}

#[test]
fn signing_keys_come_apart_as_they_were_put_together() {
    fn check<P: ParameterSet>() {
        let limit = (1 << (P::FG_BITS - 1)) - 1;
        let mut random = Random(9);
        let mut poly = |limit: i32| -> Vec<i8> {
            (0..P::N)
                .map(|_| ((random.next() >> 33) as i32 % (2 * limit + 1) - limit) as i8)
                .collect()
        };
        let (f, g, capital_f) = (poly(limit), poly(limit), poly(127));
        let hash = [0xC3; 64];
        let mut bytes = P::SigningKeyBytes::ZERO;
        assert!(encode_signing_key::<P>(
            &f, &g, &capital_f, &hash, &mut bytes
        ));

        let fields = split_signing_key::<P>(&bytes).expect("good header");
        assert_eq!(fields.key_hash, &hash);
        assert_eq!(fields.fg, [fields.f, fields.g].concat());
        let parts = [
            (P::FG_BITS, fields.f, &f),
            (P::FG_BITS, fields.g, &g),
            (CAPITAL_F_BITS, fields.capital_f, &capital_f),
        ];
        for (bits, field, expected) in parts {
            let mut decoded = vec![0; P::N];
            assert!(decode_trimmed(bits, field, &mut decoded));
            assert_eq!(&decoded, expected);
        }

        // Every coefficient that does not fit is noticed.
        let too_large = (limit + 1) as i8;
        for at in [0, P::N / 2, P::N - 1] {
            for part in 0..3 {
                let mut parts = [f.clone(), g.clone(), capital_f.clone()];
                parts[part][at] = if part == 2 { i8::MIN } else { too_large };
                let [f, g, capital_f] = parts;
                assert!(!encode_signing_key::<P>(
                    &f,
                    &g,
                    &capital_f,
                    &hash,
                    &mut bytes.clone()
                ));
            }
        }
        for header in 0..=255 {
            let mut other = bytes;
            other.as_mut()[0] = header;
            assert_eq!(
                split_signing_key::<P>(&other).is_ok(),
                header == P::SIGNING_KEY_HEADER
            );
        }
    }
    check::<FnDsa512>();
    check::<FnDsa1024>();
}
