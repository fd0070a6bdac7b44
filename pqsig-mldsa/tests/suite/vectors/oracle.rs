//! The oracle of this test tree against published intermediate values, so that what agrees with
//! it agrees with them.

use super::folder::{Folder, list, text};
use crate::{
    common::{hex, long, unhex},
    fips204::{self, ML_DSA_44, ML_DSA_65, ML_DSA_87, Numbers, Q},
};
use core::fmt::Write as _;
use shake::{
    Shake128,
    digest::{ExtendableOutput, Update, XofReader},
};

/// The numbers between `label` and the next label, in order.
fn numbers(record: &str, label: &str) -> Vec<i64> {
    let (_, rest) = record.split_once(&format!("\n{label} = ")).expect(label);
    let end = rest.find(" = ").unwrap_or(rest.len());
    let digits = |c: char| !c.is_ascii_digit() && c != '-';
    let mut text = &rest[..end];
    if end < rest.len() {
        text = &text[..text.rfind('\n').expect("a line before")];
    }
    let numbers = text.split(digits).filter(|number| !number.is_empty());
    numbers
        .map(|number| number.parse().expect("a number"))
        .collect()
}

fn flat(vector: &[fips204::Poly]) -> Vec<i64> {
    vector.concat()
}

pub(super) fn pq_crystals(folder: &Folder) -> usize {
    let files = [
        ("tvecs2_ml_dsa_44_first2.txt", &ML_DSA_44),
        ("tvecs3_ml_dsa_65_first2.txt", &ML_DSA_65),
        ("tvecs5_ml_dsa_87_first2.txt", &ML_DSA_87),
    ];
    let mut count = 0;
    for (file, set) in files {
        let text = folder.text(&format!("pq-crystals/{file}"));
        for record in text.split("count = ").skip(1) {
            pq_crystals_record(set, record);
            count += 1;
        }
    }
    count
}

fn pq_crystals_record(set: &Numbers, record: &str) {
    let seed = record.split_once("\nseed = ").expect("a seed").1;
    let seed = unhex(seed.lines().next().expect("a line").trim());
    let a_hat = set.expand_a(&seed[..32]);
    assert_eq!(flat(&a_hat.concat()), numbers(record, "A"));
    let (s, _) = set.expand_s(&seed);
    assert_eq!(flat(&s), numbers(record, "s"));
    let y = set.expand_mask(&seed, 0);
    assert_eq!(flat(&y), numbers(record, "y"));
    let y_hat = y.iter().map(fips204::ntt).collect();
    let w_hat = fips204::matrix_vector_ntt(&a_hat, &y_hat);
    let w = flat(&w_hat.iter().map(fips204::inverse_ntt).collect::<Vec<_>>());
    let values = |f: &dyn Fn(i64) -> i64| w.iter().map(|&r| f(r)).collect::<Vec<_>>();
    assert_eq!(values(&|r| set.high_bits(r)), numbers(record, "w1"));
    assert_eq!(values(&|r| set.low_bits(r)), numbers(record, "w0"));
    assert_eq!(
        values(&|r| fips204::power2round(r).0),
        numbers(record, "t1")
    );
    assert_eq!(
        values(&|r| fips204::power2round(r).1),
        numbers(record, "t0")
    );
    let c = set.sample_in_ball(&seed[..set.lambda / 4]);
    assert_eq!(c, numbers(record, "c"));
}

/// The twelve lines of `r`.
fn lines(r: i64, out: &mut String) {
    let centred = fips204::mod_pm(r, Q);
    let (r1, r0) = fips204::power2round(r);
    let line = |out: &mut String, value: i64| writeln!(out, "{value}").expect("a string");
    for value in [centred, centred.abs(), r1, r0.rem_euclid(Q)] {
        line(out, value);
    }
    for set in [&ML_DSA_44, &ML_DSA_65] {
        let (high, low) = set.decompose(r);
        for value in [high, set.use_hint(true, r), low, low.abs()] {
            line(out, value);
        }
    }
}

/// Every unary function on every number below q; the long form does all, the short form the
/// printed example. The library's own functions have this as a unit test.
pub(super) fn field_operations(folder: &Folder) -> usize {
    let file = folder.json("cctv/ml_dsa_accumulated.json");
    let operations = &file["fieldOps"];
    let mut example = String::new();
    lines(6_010_000, &mut example);
    let expected = list(operations, "example_r_6010000").iter();
    let expected: String = expected.map(|value| format!("{value}\n")).collect();
    assert_eq!(example, expected);
    if long() || !cfg!(debug_assertions) {
        let mut shake = Shake128::default();
        let mut block = String::new();
        for r in 0..Q {
            block.clear();
            lines(r, &mut block);
            shake.update(block.as_bytes());
        }
        let mut hash = [0; 32];
        shake.finalize_xof().read(&mut hash);
        assert_eq!(hex(&hash), text(operations, "expected"));
    }
    1
}
