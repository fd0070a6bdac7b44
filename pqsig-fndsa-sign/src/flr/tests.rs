//! The two implementations against each other and against the host's `f64`.

extern crate std;

use super::{Real, Selected, emulated::Emulated};
use crate::tests::Rng;

/// A number with a biased exponent in `exponents`, or zero now and then.
fn number(rng: &mut Rng, exponents: core::ops::RangeInclusive<u64>) -> u64 {
    let span = exponents.end() - exponents.start() + 1;
    let word = rng.next();
    if word.is_multiple_of(64) {
        return word & 1 << 63;
    }
    // Fractions with long runs of zeros or ones are where rounding goes wrong.
    let fraction = match (word >> 6) % 4 {
        0 => rng.next() >> (12 + (rng.next() % 52)),
        1 => !(rng.next() >> (12 + (rng.next() % 52))),
        2 => 1 << (rng.next() % 52),
        _ => rng.next(),
    };
    let exponent = exponents.start() + rng.next() % span;
    (rng.next() & 1 << 63) | exponent << 52 | fraction & ((1 << 52) - 1)
}

/// All operations on `x` and `y` in `R` equal those of `f64`.
fn check<R: Real>(x: u64, y: u64) {
    let (a, b) = (f64::from_bits(x), f64::from_bits(y));
    let (r, s) = (R::from_bits(x), R::from_bits(y));
    let equal = |name: &str, got: R, expected: f64| {
        // The sign of a zero is free.
        let same =
            got.to_bits() == expected.to_bits() || (expected == 0.0 && got.to_bits() << 1 == 0);
        assert!(same, "{name} of {a:e} and {b:e}: {:#x}", got.to_bits());
    };
    equal("sum", r + s, a + b);
    equal("difference", r - s, a - b);
    equal("product", r * s, a * b);
    if b != 0.0 {
        equal("quotient", r.div(s), a / b);
    }
    equal("root", R::from_bits(x & !(1 << 63)).sqrt(), a.abs().sqrt());
    equal("half", r.half(), a * 0.5);
    equal("negative", -r, -a);
}

/// All conversions of `x` to integers equal those of `f64`.
fn check_rounding<R: Real>(x: f64) {
    let r = R::from_bits(x.to_bits());
    if x.abs() < 9.2e18 {
        assert_eq!(r.trunc(), x.trunc() as i64, "trunc {x:e}");
    }
    if x.abs() < 2.2e15 {
        assert_eq!(r.rint(), x.round_ties_even() as i64, "rint {x:e}");
    }
    if x.abs() < 2.1e9 {
        let (floor, rest) = r.floor();
        assert_eq!(floor.to_bits(), (x.floor() + 0.0).to_bits(), "floor {x:e}");
        assert_eq!(rest.to_bits(), (x - x.floor()).to_bits(), "rest {x:e}");
    }
}

fn check_all<R: Real>() {
    let mut rng = Rng(1);
    // Products, quotients and halves must stay in the contract: 547 to 1102 and beyond.
    for exponents in [900..=1150, 547..=1102, 1019..=1027, 1023..=1023] {
        for _ in 0..200_000 {
            let x = number(&mut rng, exponents.clone());
            let y = number(&mut rng, exponents.clone());
            check::<R>(x, y);
            // Near cancellation.
            if x << 1 != 0 {
                check::<R>(x, x ^ (rng.next() & 3) ^ (rng.next() & 1 << 63));
            }
        }
    }
    for _ in 0..200_000 {
        check_rounding::<R>(f64::from_bits(number(&mut rng, 900..=1085)));
        check_rounding::<R>(f64::from_bits(number(&mut rng, 1015..=1060)));
    }
    for whole in -60i32..60 {
        for quarter in 0..4 {
            let x = f64::from(whole) + 0.25 * f64::from(quarter);
            for bits in [
                x.to_bits(),
                x.to_bits().wrapping_add(1),
                x.to_bits().wrapping_sub(1),
            ] {
                let x = f64::from_bits(bits);
                if x.is_finite() && (x == 0.0 || x.is_normal()) {
                    check_rounding::<R>(x);
                }
            }
        }
        // The neighbourhood of 2^53 and of the largest numbers of signing.
        for exponent in [1022, 1023, 1024, 1075, 1076, 1077, 1078, 1102] {
            for low in 0..6 {
                for x in [exponent << 52 | low, (exponent << 52) - 1 - low] {
                    let y = f64::from(whole).to_bits();
                    check::<R>(x, y);
                    check::<R>(x | 1 << 63, y);
                    check::<R>(y, x);
                }
            }
        }
    }
    for x in [0, 1, -1, 2, 840, -840, i32::MAX, i32::MIN, i32::MIN + 1] {
        assert_eq!(R::from_i32(x).to_bits(), f64::from(x).to_bits());
    }
    for _ in 0..100_000 {
        let x = (rng.next() as i32) >> (rng.next() % 32);
        assert_eq!(R::from_i32(x).to_bits(), f64::from(x).to_bits(), "{x}");
    }
    assert!(R::rounds_to_nearest());
}

#[test]
fn emulated_equals_the_fpu() {
    check_all::<Emulated>();
}

#[test]
fn selected_equals_the_fpu() {
    check_all::<Selected>();
}

/// Outside the contract the result is garbage, but nothing panics.
#[test]
fn emulated_never_panics() {
    let mut rng = Rng(2);
    for _ in 0..200_000 {
        let (x, y) = (rng.next(), rng.next());
        for x in [x, 0, 1 << 63, u64::MAX, 0x7FF0 << 48, 1] {
            let (r, s) = (Emulated::from_bits(x), Emulated::from_bits(y));
            let _ = (r + s, r - s, r * s, r.div(s), s.div(r), r.sqrt(), r.half());
            let _ = (r.trunc(), r.rint(), r.floor());
        }
    }
}
