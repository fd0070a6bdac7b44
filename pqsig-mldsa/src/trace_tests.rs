//! Intermediate values of the pq-crystals test vectors, where `../shared/vectors` (or the folder
//! in `PQSIG_VECTORS`) is there: A, s, y, w1, w0, t1, t0 and c of two vectors for each set.

extern crate std;

use crate::{
    MlDsa44, MlDsa65, MlDsa87, ParameterSet,
    backend::Backend,
    params::N,
    poly::{Element as _, Normal, Ntt, Poly, PolyVec, Product},
    sample,
};
use pqsig_comm::{arch::Portable, encoding::ByteArray};
use std::{collections::HashMap, fs, path::PathBuf, string::String, vec::Vec};

#[test]
fn intermediate_values_44() {
    check_file::<MlDsa44>("tvecs2_ml_dsa_44_first2.txt");
}

#[test]
fn intermediate_values_65() {
    check_file::<MlDsa65>("tvecs3_ml_dsa_65_first2.txt");
}

#[test]
fn intermediate_values_87() {
    check_file::<MlDsa87>("tvecs5_ml_dsa_87_first2.txt");
}

fn check_file<P: ParameterSet>(name: &str) {
    let folder = std::env::var_os("PQSIG_VECTORS").map_or_else(
        || PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/vectors"),
        PathBuf::from,
    );
    if !folder.exists() {
        std::eprintln!("skipped: no folder {}", folder.display());
        return;
    }
    let text = fs::read_to_string(folder.join("pq-crystals").join(name)).expect("the file");
    let cases: Vec<&str> = text.split("count =").skip(1).collect();
    assert_eq!(cases.len(), 2);
    for case in cases {
        check_case::<P>(&fields(case));
        if let Some(simd) = pqsig_comm::arch::Simd::detect() {
            check_case_on::<_, P>(simd, &fields(case));
        }
    }
}

/// The text after each `name =`, over as many lines as it takes.
fn fields(case: &str) -> HashMap<String, String> {
    let mut fields = HashMap::new();
    let mut last = String::new();
    for line in case.lines().skip(1) {
        let value = match line.split_once(" = ") {
            Some((name, value)) => {
                last = name.trim().into();
                value
            }
            None => line,
        };
        fields
            .entry(last.clone())
            .or_insert_with(String::new)
            .push_str(value);
    }
    fields
}

fn check_case<P: ParameterSet>(fields: &HashMap<String, String>) {
    check_case_on::<_, P>(Portable, fields);
}

fn check_case_on<B: Backend, P: ParameterSet>(b: B, fields: &HashMap<String, String>) {
    let polys = |name: &str| -> Vec<[i32; N]> {
        let numbers: Vec<i32> = fields[name]
            .split(|c: char| c != '-' && !c.is_ascii_digit())
            .filter_map(|number| number.parse().ok())
            .collect();
        numbers
            .chunks_exact(N)
            .map(|poly| poly.try_into().expect("N numbers"))
            .collect()
    };
    let equal = |name: &str, found: &[Poly<Normal>]| {
        let found: Vec<_> = found.iter().map(|poly| poly.coeffs).collect();
        assert!(polys(name) == found, "{name}");
    };
    let seed: Vec<u8> = (0..64)
        .map(|i| u8::from_str_radix(&fields["seed"][2 * i..2 * i + 2], 16).expect("hex"))
        .collect();
    let seed: [u8; 64] = seed.try_into().expect("64 bytes");
    let rho = seed.first_chunk().expect("32 bytes");

    let mut a = P::Matrix::ZERO;
    sample::expand_a::<B, P>(b, rho, a.as_mut());
    let found: Vec<_> = a.as_ref().iter().map(|poly| poly.coeffs).collect();
    assert!(polys("A") == found, "A");

    let mut s = Vec::new();
    sample::expand_s::<B, P, 4>(b, &seed, |_, poly| s.push(poly.clone()));
    equal("s", &s[..P::L]);

    let mut y = P::VecL::<Poly<Normal>>::ZERO;
    let mut y_hat = P::VecL::<Poly<Ntt>>::ZERO;
    let mut masks = sample::Masks::new(b, P::GAMMA1, &seed);
    for (y, y_hat) in y.as_mut().iter_mut().zip(y_hat.as_mut()) {
        masks.next(y);
        b.ntt(y, y_hat);
    }
    equal("y", y.as_ref());

    let mut w0 = P::VecK::<Poly<Normal>>::ZERO;
    let (mut w1, mut t0, mut t1) = (w0.clone(), w0.clone(), w0.clone());
    let mut product = Poly::<Product>::ZERO;
    for (i, row) in a.as_ref().chunks_exact(P::L).enumerate() {
        let w0 = &mut w0.as_mut()[i];
        b.dot(row, y_hat.as_ref(), &mut product);
        b.inv_ntt(&product, w0);
        w0.add_q_if_negative();
        t0.as_mut()[i] = w0.clone();
        b.power2round(&mut t0.as_mut()[i], &mut t1.as_mut()[i]);
        b.decompose(P::GAMMA2, w0, &mut w1.as_mut()[i]);
    }
    equal("w1", w1.as_ref());
    equal("w0", w0.as_ref());
    equal("t1", t1.as_ref());
    equal("t0", t0.as_ref());

    // The file samples c from the front of the same seed.
    let c_tilde = P::CTilde::from_slice(&seed[..P::CTilde::LEN]).expect("long enough");
    let mut c = [0; N];
    sample::sample_in_ball::<B, P>(b, &c_tilde, &mut c);
    equal("c", &[Poly::new(c.map(i32::from))]);
}
