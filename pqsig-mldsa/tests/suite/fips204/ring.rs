//! The oracle, lower half: hashing, bits and bytes, rounding, the ring and its transform.

use shake::{
    Shake128, Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};

pub(crate) const Q: i64 = 8_380_417;
pub(crate) const D: u32 = 13;

pub(crate) type Poly = Vec<i64>;
pub(crate) type Vector = Vec<Poly>;

/// H: SHAKE256 with `len` bytes of output.
pub(crate) fn h(parts: &[&[u8]], len: usize) -> Vec<u8> {
    let mut out = vec![0; len];
    shake256(parts).read(&mut out);
    out
}

pub(crate) fn shake256(parts: &[&[u8]]) -> <Shake256 as ExtendableOutput>::Reader {
    let mut shake = Shake256::default();
    parts.iter().for_each(|part| shake.update(part));
    shake.finalize_xof()
}

pub(crate) fn byte(stream: &mut impl XofReader) -> usize {
    let mut byte = [0];
    stream.read(&mut byte);
    usize::from(byte[0])
}

/// bitlen.
pub(crate) fn bit_len(x: i64) -> u32 {
    64 - x.leading_zeros()
}

/// mod±: the representative in (-alpha / 2, alpha / 2].
pub(crate) fn mod_pm(r: i64, alpha: i64) -> i64 {
    let r = r.rem_euclid(alpha);
    if r > alpha / 2 { r - alpha } else { r }
}

/// The infinity norm, section 2.3.
pub(crate) fn norm(v: &Vector) -> i64 {
    let norms = v.iter().flatten().map(|&c| mod_pm(c, Q).abs());
    norms.max().expect("not empty")
}

pub(crate) fn map(v: &Vector, f: impl Fn(i64) -> i64) -> Vector {
    v.iter()
        .map(|p| p.iter().map(|&c| f(c)).collect())
        .collect()
}

/// 9.
pub(crate) fn integer_to_bits(x: i64, alpha: u32) -> impl Iterator<Item = u8> {
    (0..alpha).map(move |i| (x >> i & 1) as u8)
}

/// 10.
pub(crate) fn bits_to_integer(bits: &[u8]) -> i64 {
    bits.iter().rev().fold(0, |x, &bit| 2 * x + i64::from(bit))
}

/// 12.
pub(crate) fn bits_to_bytes(bits: &[u8]) -> Vec<u8> {
    bits.chunks(8)
        .map(|bits| bits_to_integer(bits) as u8)
        .collect()
}

/// 13.
pub(crate) fn bytes_to_bits(bytes: &[u8]) -> Vec<u8> {
    let bits = |&byte: &u8| integer_to_bits(byte.into(), 8);
    bytes.iter().flat_map(bits).collect()
}

/// 14.
pub(crate) fn coeff_from_three_bytes(b: [u8; 3]) -> Option<i64> {
    let z = i64::from(b[0]) | i64::from(b[1]) << 8 | i64::from(b[2] & 0x7F) << 16;
    (z < Q).then_some(z)
}

/// 16.
pub(crate) fn simple_bit_pack(w: &Poly, b: i64) -> Vec<u8> {
    let bits = |&c: &i64| integer_to_bits(c, bit_len(b));
    bits_to_bytes(&w.iter().flat_map(bits).collect::<Vec<_>>())
}

/// 17.
pub(crate) fn bit_pack(w: &Poly, a: i64, b: i64) -> Vec<u8> {
    let bits = |&c: &i64| integer_to_bits(b - c, bit_len(a + b));
    bits_to_bytes(&w.iter().flat_map(bits).collect::<Vec<_>>())
}

/// 18.
pub(crate) fn simple_bit_unpack(v: &[u8], b: i64) -> Poly {
    let bits = bytes_to_bits(v);
    bits.chunks(bit_len(b) as usize)
        .map(bits_to_integer)
        .collect()
}

/// 19.
pub(crate) fn bit_unpack(v: &[u8], a: i64, b: i64) -> Poly {
    let bits = bytes_to_bits(v);
    let coefficients = bits.chunks(bit_len(a + b) as usize);
    coefficients.map(|bits| b - bits_to_integer(bits)).collect()
}

/// 30.
pub(crate) fn rej_ntt_poly(seed: &[u8]) -> Poly {
    let mut shake = Shake128::default();
    shake.update(seed);
    let mut stream = shake.finalize_xof();
    let mut a = Poly::new();
    while a.len() < 256 {
        let mut bytes = [0; 3];
        stream.read(&mut bytes);
        a.extend(coeff_from_three_bytes(bytes));
    }
    a
}

/// 35.
pub(crate) fn power2round(r: i64) -> (i64, i64) {
    let r = r.rem_euclid(Q);
    let r0 = mod_pm(r, 1 << D);
    ((r - r0) >> D, r0)
}

/// Appendix B: zeta^BitRev8(m), zeta = 1753.
pub(crate) fn zetas(m: usize) -> i64 {
    static ZETAS: std::sync::OnceLock<Vec<i64>> = std::sync::OnceLock::new();
    let compute = |m: u8| (0..m.reverse_bits()).fold(1, |power, _| power * 1753 % Q);
    ZETAS.get_or_init(|| (0..=255).map(compute).collect())[m]
}

/// 41.
pub(crate) fn ntt(w: &Poly) -> Poly {
    let mut w_hat = w.clone();
    let mut m = 0;
    let mut len = 128;
    while len >= 1 {
        for start in (0..256).step_by(2 * len) {
            m += 1;
            for j in start..start + len {
                let t = (zetas(m) * w_hat[j + len]).rem_euclid(Q);
                w_hat[j + len] = (w_hat[j] - t).rem_euclid(Q);
                w_hat[j] = (w_hat[j] + t).rem_euclid(Q);
            }
        }
        len /= 2;
    }
    w_hat
}

/// 42.
pub(crate) fn inverse_ntt(w_hat: &Poly) -> Poly {
    let mut w = w_hat.clone();
    let mut m = 256;
    let mut len = 1;
    while len < 256 {
        for start in (0..256).step_by(2 * len) {
            m -= 1;
            for j in start..start + len {
                let t = w[j];
                w[j] = (t + w[j + len]).rem_euclid(Q);
                w[j + len] = (-zetas(m) * (t - w[j + len])).rem_euclid(Q);
            }
        }
        len *= 2;
    }
    // 8347681 = 256^-1 mod q.
    w.iter().map(|c| (8_347_681 * c).rem_euclid(Q)).collect()
}

/// 45.
pub(crate) fn multiply_ntt(a: &Poly, b: &Poly) -> Poly {
    a.iter()
        .zip(b)
        .map(|(a, b)| (a * b).rem_euclid(Q))
        .collect()
}

/// 48.
pub(crate) fn matrix_vector_ntt(m: &[Vector], v: &Vector) -> Vector {
    let row = |row: &Vector| {
        let products = row.iter().zip(v).map(|(a, b)| multiply_ntt(a, b));
        let sum = products.reduce(|a, b| a.iter().zip(&b).map(|(a, b)| a + b).collect());
        sum.expect("not empty")
    };
    map(&m.iter().map(row).collect(), |c| c.rem_euclid(Q))
}

pub(crate) fn inverse(v: &Vector) -> Vector {
    v.iter().map(inverse_ntt).collect()
}

pub(crate) fn add_vectors(a: &Vector, b: &Vector) -> Vector {
    let add = |(a, b): (&Poly, &Poly)| a.iter().zip(b).map(|(a, b)| a + b).collect();
    a.iter().zip(b).map(add).collect()
}

pub(crate) fn subtract_vectors(a: &Vector, b: &Vector) -> Vector {
    let subtract = |(a, b): (&Poly, &Poly)| a.iter().zip(b).map(|(a, b)| a - b).collect();
    a.iter().zip(b).map(subtract).collect()
}

#[test]
fn transform_turns_products_of_the_ring_into_products_of_numbers() {
    let mut stream = crate::common::Stream::new("oracle ntt");
    let poly = |stream: &mut crate::common::Stream| -> Poly {
        (0..256)
            .map(|_| stream.number(0..=Q as usize - 1) as i64)
            .collect()
    };
    for _ in 0..20 {
        let (a, b) = (poly(&mut stream), poly(&mut stream));
        let mut product = vec![0; 256];
        for i in 0..256 {
            for j in 0..256 {
                // X^256 = -1
                let sign = if i + j < 256 { 1 } else { -1 };
                product[(i + j) % 256] =
                    (product[(i + j) % 256] + sign * a[i] * b[j]).rem_euclid(Q);
            }
        }
        assert_eq!(inverse_ntt(&multiply_ntt(&ntt(&a), &ntt(&b))), product);
        assert_eq!(inverse_ntt(&ntt(&a)), a);
    }
}
