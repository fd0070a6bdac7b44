//! Keys against the crate `fn-dsa` 0.4.0, both fed the same 32 bytes, and known answers of
//! whole keys. `PQSIG_LONG=1` runs thousands of seeds.

use core::convert::Infallible;
use fn_dsa::KeyPairGenerator;
use pqsig_comm::fndsa::{FnDsaToy, params::NONCE_LEN};
use pqsig_fndsa_kgen::{FnDsa512, FnDsa1024, GeneratedKey, ParameterSet, keygen, rand_core};
use shake::{
    Shake256,
    digest::{ExtendableOutput, Update, XofReader},
};

/// A generator that has 32 bytes, gives them in one call, and nothing else.
struct Replay<'a>(Option<&'a [u8; 32]>);

/// Key generation asks for bytes only.
fn unexpected() -> ! {
    panic!("asked for a number")
}

impl rand_core::TryRng for Replay<'_> {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        unexpected()
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        unexpected()
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Infallible> {
        out.copy_from_slice(self.0.take().expect("one call"));
        Ok(())
    }
}

impl rand_core::TryCryptoRng for Replay<'_> {}

impl fn_dsa::RngCore for Replay<'_> {
    fn next_u32(&mut self) -> u32 {
        unexpected()
    }

    fn next_u64(&mut self) -> u64 {
        unexpected()
    }

    fn fill_bytes(&mut self, out: &mut [u8]) {
        out.copy_from_slice(self.0.take().expect("one call"));
    }

    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), fn_dsa::RngError> {
        self.fill_bytes(out);
        Ok(())
    }
}

impl fn_dsa::CryptoRng for Replay<'_> {}

/// A seed that no test used before.
fn seed(domain: &str, i: u32) -> [u8; 32] {
    shake(&[domain.as_bytes(), &i.to_le_bytes()].concat())
}

fn shake<const N: usize>(data: &[u8]) -> [u8; N] {
    let mut hash = Shake256::default();
    hash.update(data);
    let mut out = [0; N];
    hash.finalize_xof().read(&mut out);
    out
}

fn upstream<G: KeyPairGenerator>(logn: u32, seed: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
    let mut signing_key = vec![0; fn_dsa::sign_key_size(logn)];
    let mut verifying_key = vec![0; fn_dsa::vrfy_key_size(logn)];
    let mut rng = Replay(Some(seed));
    G::default().keygen(logn, &mut rng, &mut signing_key, &mut verifying_key);
    assert!(rng.0.is_none());
    (signing_key, verifying_key)
}

fn ours<P: ParameterSet>(seed: &[u8; 32]) -> (P::SigningKeyBytes, P::VerifyingKeyBytes) {
    let mut rng = Replay(Some(seed));
    let pair = keygen::<P, _>(&mut rng);
    assert!(rng.0.is_none());
    pair
}

/// `f G - g F = q` over the integers.
fn satisfies_ntru_equation([f, g, capital_f, capital_g]: [&[i8]; 4]) -> bool {
    let n = f.len();
    (0..n).all(|i| {
        let sum: i32 = (0..n)
            .map(|j| {
                let at = (n + i - j) % n;
                let term = i32::from(f[j]) * i32::from(capital_g[at])
                    - i32::from(g[j]) * i32::from(capital_f[at]);
                if j <= i { term } else { -term }
            })
            .sum();
        sum == if i == 0 { 12_289 } else { 0 }
    })
}

fn compare<P: ParameterSet, G: KeyPairGenerator>(seed: &[u8; 32]) {
    let (signing_key, verifying_key) = ours::<P>(seed);
    let expected = upstream::<G>(P::LOGN, seed);
    assert_eq!(
        verifying_key.as_ref(),
        expected.1,
        "{} {seed:02x?}",
        P::NAME
    );
    assert!(
        signing_key.as_ref() == expected.0,
        "{} {seed:02x?}",
        P::NAME
    );

    let Ok(key) = GeneratedKey::<P>::try_generate_from_rng(&mut Replay(Some(seed)));
    assert!(key.signing_key().as_ref() == expected.0);
    assert!(satisfies_ntru_equation(key.basis()));
}

/// `short` seeds, or 20 times as many in a long run; and the ten seeds of the
/// full vectors.
fn compare_many<P: ParameterSet, G: KeyPairGenerator>(short: u32) {
    let long = std::env::var_os("PQSIG_LONG").is_some_and(|value| value == "1");
    for i in 0..if long { 20 * short } else { short } {
        compare::<P, G>(&seed("pqsig-fndsa-kgen differential", i));
    }
    for j in 0..10u32 {
        let mut input = vec![P::LOGN as u8];
        input.extend(j.to_le_bytes());
        let randomness: [u8; 32 + NONCE_LEN] = shake(&input);
        compare::<P, G>(randomness.first_chunk().unwrap());
    }
}

#[test]
fn fn_dsa_512_equals_upstream() {
    compare_many::<FnDsa512, fn_dsa::KeyPairGenerator512>(300);
}

#[test]
fn fn_dsa_1024_equals_upstream() {
    compare_many::<FnDsa1024, fn_dsa::KeyPairGenerator1024>(100);
}

#[test]
fn toy_degrees_equal_upstream() {
    type Weak = fn_dsa::KeyPairGeneratorWeak;
    compare_many::<FnDsaToy<2>, Weak>(20);
    compare_many::<FnDsaToy<3>, Weak>(300);
    compare_many::<FnDsaToy<4>, Weak>(300);
    compare_many::<FnDsaToy<5>, Weak>(300);
    compare_many::<FnDsaToy<6>, Weak>(200);
    compare_many::<FnDsaToy<7>, Weak>(200);
    compare_many::<FnDsaToy<8>, Weak>(100);
}
