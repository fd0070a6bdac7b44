//! The oracle: FIPS 204, algorithm by algorithm, as the pseudocode has it.
//!
//! Slow and variable-time on purpose. Polynomials are vectors of `i64`, bit strings are vectors
//! of bits, and nothing is shared with the library under test: hashing comes from the crate
//! `shake`. Function names are those of the standard; numbers in comments are its algorithms.

mod ring;

pub(crate) use ring::*;
use shake::digest::XofReader;

/// Table 1.
#[derive(Debug)]
pub(crate) struct Numbers {
    pub(crate) tau: usize,
    pub(crate) lambda: usize,
    pub(crate) gamma1: i64,
    pub(crate) gamma2: i64,
    pub(crate) k: usize,
    pub(crate) l: usize,
    pub(crate) eta: i64,
    pub(crate) omega: usize,
}

pub(crate) const ML_DSA_44: Numbers = Numbers {
    tau: 39,
    lambda: 128,
    gamma1: 1 << 17,
    gamma2: (Q - 1) / 88,
    k: 4,
    l: 4,
    eta: 2,
    omega: 80,
};

pub(crate) const ML_DSA_65: Numbers = Numbers {
    tau: 49,
    lambda: 192,
    gamma1: 1 << 19,
    gamma2: (Q - 1) / 32,
    k: 6,
    l: 5,
    eta: 4,
    omega: 55,
};

pub(crate) const ML_DSA_87: Numbers = Numbers {
    tau: 60,
    lambda: 256,
    gamma1: 1 << 19,
    gamma2: (Q - 1) / 32,
    k: 8,
    l: 7,
    eta: 2,
    omega: 75,
};

/// What one attempt of Algorithm 7 comes to, before its checks.
#[derive(Debug)]
pub(crate) struct Attempt {
    c_tilde: Vec<u8>,
    z: Vector,
    hint: Vector,
    pub(crate) refused: Refused,
}

/// Which of the checks of Algorithm 7 an attempt fails: lines 23 and 28.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Refused {
    pub(crate) z: bool,
    pub(crate) r0: bool,
    pub(crate) ct0: bool,
    pub(crate) hint: bool,
}

#[derive(Debug)]
pub(crate) struct Secret {
    pub(crate) rho: Vec<u8>,
    pub(crate) key: Vec<u8>,
    pub(crate) tr: Vec<u8>,
    pub(crate) s1: Vector,
    pub(crate) s2: Vector,
    pub(crate) t0: Vector,
}

impl Numbers {
    pub(crate) fn beta(&self) -> i64 {
        self.tau as i64 * self.eta
    }

    /// 6: (pk, sk).
    pub(crate) fn key_gen_internal(&self, xi: &[u8; 32]) -> (Vec<u8>, Vec<u8>) {
        let lengths = [self.k as u8, self.l as u8];
        let expanded = h(&[xi, &lengths], 128);
        let (rho, rho_prime, key) = (&expanded[..32], &expanded[32..96], &expanded[96..]);
        let (s1, s2) = self.expand_s(rho_prime);
        let (t1, t0) = self.t_of(rho, &s1, &s2);
        let pk = self.pk_encode(rho, &t1);
        let secret = Secret {
            rho: rho.to_vec(),
            key: key.to_vec(),
            tr: h(&[&pk], 64),
            s1,
            s2,
            t0,
        };
        let sk = self.sk_encode(&secret);
        (pk, sk)
    }

    /// 6, lines 3 to 6: (t1, t0) of t = A s1 + s2.
    pub(crate) fn t_of(&self, rho: &[u8], s1: &Vector, s2: &Vector) -> (Vector, Vector) {
        let a_hat = self.expand_a(rho);
        let s1_hat: Vector = s1.iter().map(ntt).collect();
        let t = add_vectors(&inverse(&matrix_vector_ntt(&a_hat, &s1_hat)), s2);
        let pairs = |p: &Poly| p.iter().map(|&r| power2round(r)).unzip();
        t.iter().map(pairs).unzip()
    }

    /// 7, for M'.
    pub(crate) fn sign_internal(&self, sk: &[u8], m_prime: &[u8], rnd: &[u8; 32]) -> Vec<u8> {
        let mu = h(&[&sk[64..128], m_prime], 64);
        self.sign_mu(sk, &mu, rnd).0
    }

    /// 7 from line 7 on; also says how many attempts it took.
    pub(crate) fn sign_mu(&self, sk: &[u8], mu: &[u8], rnd: &[u8; 32]) -> (Vec<u8>, usize) {
        let signer = Signer::new(self, sk, mu, rnd);
        (0..)
            .find_map(|attempt| {
                let made = signer.attempt(attempt);
                let accepted = made.refused == Refused::default();
                accepted.then(|| (made.encode(self), attempt + 1))
            })
            .expect("some attempt succeeds")
    }

    /// 8, for M'.
    pub(crate) fn verify_internal(&self, pk: &[u8], m_prime: &[u8], signature: &[u8]) -> bool {
        let mu = h(&[&h(&[pk], 64), m_prime], 64);
        self.verify_mu(pk, &mu, signature, true)
    }

    /// 8 from line 8 on; without the check of the norm of z if `check_z` is not set.
    pub(crate) fn verify_mu(&self, pk: &[u8], mu: &[u8], signature: &[u8], check_z: bool) -> bool {
        let (rho, t1) = self.pk_decode(pk);
        let Some((c_tilde, z, hint)) = self.sig_decode(signature) else {
            return false;
        };
        let a_hat = self.expand_a(&rho);
        let c_hat = ntt(&self.sample_in_ball(&c_tilde));
        let z_hat: Vector = z.iter().map(ntt).collect();
        let shifted = |p: &Poly| p.iter().map(|&t| t << D).collect::<Poly>();
        let t1_hat: Vector = t1.iter().map(|p| ntt(&shifted(p))).collect();
        let az = matrix_vector_ntt(&a_hat, &z_hat);
        let ct1: Vector = t1_hat.iter().map(|p| multiply_ntt(&c_hat, p)).collect();
        let w_approx = inverse(&subtract_vectors(&az, &ct1));
        let use_hints = |(h, w): (&Poly, &Poly)| {
            let pairs = h.iter().zip(w);
            pairs.map(|(&h, &r)| self.use_hint(h == 1, r)).collect()
        };
        let w1: Vector = hint.iter().zip(&w_approx).map(use_hints).collect();
        let expected = h(&[mu, &self.w1_encode(&w1)], self.lambda / 4);
        (!check_z || norm(&z) < self.gamma1 - self.beta()) && expected == c_tilde
    }

    /// 22.
    pub(crate) fn pk_encode(&self, rho: &[u8], t1: &Vector) -> Vec<u8> {
        let mut pk = rho.to_vec();
        for poly in t1 {
            pk.extend(simple_bit_pack(poly, (1 << (bit_len(Q - 1) - D)) - 1));
        }
        pk
    }

    /// 23.
    pub(crate) fn pk_decode(&self, pk: &[u8]) -> (Vec<u8>, Vector) {
        let bits = bit_len(Q - 1) - D;
        let polys = pk[32..].chunks(32 * bits as usize);
        let t1 = polys.map(|v| simple_bit_unpack(v, (1 << bits) - 1));
        (pk[..32].to_vec(), t1.collect())
    }

    /// 24.
    pub(crate) fn sk_encode(&self, secret: &Secret) -> Vec<u8> {
        let mut sk = [&secret.rho[..], &secret.key, &secret.tr].concat();
        for poly in secret.s1.iter().chain(&secret.s2) {
            sk.extend(bit_pack(poly, self.eta, self.eta));
        }
        for poly in &secret.t0 {
            sk.extend(bit_pack(poly, (1 << (D - 1)) - 1, 1 << (D - 1)));
        }
        sk
    }

    /// 25.
    pub(crate) fn sk_decode(&self, sk: &[u8]) -> Secret {
        let eta_len = 32 * bit_len(2 * self.eta) as usize;
        let (s1, rest) = sk[128..].split_at(self.l * eta_len);
        let (s2, t0) = rest.split_at(self.k * eta_len);
        let small = |v: &[u8]| {
            v.chunks(eta_len)
                .map(|v| bit_unpack(v, self.eta, self.eta))
                .collect()
        };
        let t0 = t0.chunks(32 * D as usize);
        Secret {
            rho: sk[..32].to_vec(),
            key: sk[32..64].to_vec(),
            tr: sk[64..128].to_vec(),
            s1: small(s1),
            s2: small(s2),
            t0: t0
                .map(|v| bit_unpack(v, (1 << (D - 1)) - 1, 1 << (D - 1)))
                .collect(),
        }
    }

    /// 26.
    pub(crate) fn sig_encode(&self, c_tilde: &[u8], z: &Vector, hint: &Vector) -> Vec<u8> {
        let mut signature = c_tilde.to_vec();
        for poly in z {
            signature.extend(bit_pack(poly, self.gamma1 - 1, self.gamma1));
        }
        signature.extend(self.hint_bit_pack(hint));
        signature
    }

    /// 27.
    pub(crate) fn sig_decode(&self, signature: &[u8]) -> Option<(Vec<u8>, Vector, Vector)> {
        let (c_tilde, rest) = signature.split_at(self.lambda / 4);
        let z_len = 32 * (1 + bit_len(self.gamma1 - 1)) as usize;
        let (z, y) = rest.split_at(self.l * z_len);
        let z = z
            .chunks(z_len)
            .map(|v| bit_unpack(v, self.gamma1 - 1, self.gamma1));
        Some((c_tilde.to_vec(), z.collect(), self.hint_bit_unpack(y)?))
    }

    /// 20.
    pub(crate) fn hint_bit_pack(&self, hint: &Vector) -> Vec<u8> {
        let mut y = vec![0; self.omega + self.k];
        let mut index = 0;
        for i in 0..self.k {
            for j in 0..256 {
                if hint[i][j] != 0 {
                    y[index] = j as u8;
                    index += 1;
                }
            }
            y[self.omega + i] = index as u8;
        }
        y
    }

    /// 21.
    pub(crate) fn hint_bit_unpack(&self, y: &[u8]) -> Option<Vector> {
        let mut hint = vec![vec![0; 256]; self.k];
        let mut index = 0;
        for i in 0..self.k {
            let end = usize::from(y[self.omega + i]);
            if end < index || end > self.omega {
                return None;
            }
            let first = index;
            while index < end {
                if index > first && y[index - 1] >= y[index] {
                    return None;
                }
                hint[i][usize::from(y[index])] = 1;
                index += 1;
            }
        }
        (index..self.omega).all(|i| y[i] == 0).then_some(hint)
    }

    /// 28.
    pub(crate) fn w1_encode(&self, w1: &Vector) -> Vec<u8> {
        let largest = (Q - 1) / (2 * self.gamma2) - 1;
        w1.iter()
            .flat_map(|p| simple_bit_pack(p, largest))
            .collect()
    }

    /// 29.
    pub(crate) fn sample_in_ball(&self, rho: &[u8]) -> Poly {
        let mut stream = shake256(&[rho]);
        let mut c = vec![0; 256];
        let mut signs = [0; 8];
        stream.read(&mut signs);
        let signs = bytes_to_bits(&signs);
        for i in 256 - self.tau..256 {
            let mut j = byte(&mut stream);
            while j > i {
                j = byte(&mut stream);
            }
            c[i] = c[j];
            c[j] = if signs[i + self.tau - 256] == 1 {
                -1
            } else {
                1
            };
        }
        c
    }

    /// 31.
    fn rej_bounded_poly(&self, seed: &[u8]) -> Poly {
        let mut stream = shake256(&[seed]);
        let mut a = Poly::new();
        while a.len() < 256 {
            let z = byte(&mut stream) as i64;
            a.extend(self.coeff_from_half_byte(z % 16));
            if a.len() < 256 {
                a.extend(self.coeff_from_half_byte(z / 16));
            }
        }
        a
    }

    /// 15.
    fn coeff_from_half_byte(&self, b: i64) -> Option<i64> {
        match self.eta {
            2 if b < 15 => Some(2 - b % 5),
            4 if b < 9 => Some(4 - b),
            _ => None,
        }
    }

    /// 32.
    pub(crate) fn expand_a(&self, rho: &[u8]) -> Vec<Vector> {
        let entry = |r: usize, s: usize| rej_ntt_poly(&[rho, &[s as u8, r as u8]].concat());
        let row = |r| (0..self.l).map(|s| entry(r, s)).collect();
        (0..self.k).map(row).collect()
    }

    /// 33.
    pub(crate) fn expand_s(&self, rho: &[u8]) -> (Vector, Vector) {
        let poly = |r: usize| self.rej_bounded_poly(&[rho, &(r as u16).to_le_bytes()].concat());
        let s1 = (0..self.l).map(poly).collect();
        (s1, (self.l..self.l + self.k).map(poly).collect())
    }

    /// 34.
    pub(crate) fn expand_mask(&self, rho: &[u8], mu: usize) -> Vector {
        let c = 1 + bit_len(self.gamma1 - 1) as usize;
        let poly = |r: usize| {
            let nonce = u16::try_from(mu + r).expect("far below").to_le_bytes();
            bit_unpack(&h(&[rho, &nonce], 32 * c), self.gamma1 - 1, self.gamma1)
        };
        (0..self.l).map(poly).collect()
    }

    /// 36.
    pub(crate) fn decompose(&self, r: i64) -> (i64, i64) {
        let r = r.rem_euclid(Q);
        let r0 = mod_pm(r, 2 * self.gamma2);
        if r - r0 == Q - 1 {
            (0, r0 - 1)
        } else {
            ((r - r0) / (2 * self.gamma2), r0)
        }
    }

    /// 37.
    pub(crate) fn high_bits(&self, r: i64) -> i64 {
        self.decompose(r).0
    }

    /// 38.
    pub(crate) fn low_bits(&self, r: i64) -> i64 {
        self.decompose(r).1
    }

    /// 39.
    pub(crate) fn make_hint(&self, z: i64, r: i64) -> bool {
        self.high_bits(r) != self.high_bits(r + z)
    }

    /// 40.
    pub(crate) fn use_hint(&self, hint: bool, r: i64) -> i64 {
        let m = (Q - 1) / (2 * self.gamma2);
        match self.decompose(r) {
            (r1, r0) if hint && r0 > 0 => (r1 + 1).rem_euclid(m),
            (r1, _) if hint => (r1 - 1).rem_euclid(m),
            (r1, _) => r1,
        }
    }
}

/// Algorithm 7 between its line 7 and its loop.
#[derive(Debug)]
pub(crate) struct Signer<'a> {
    numbers: &'a Numbers,
    mu: &'a [u8],
    rho_pp: Vec<u8>,
    a_hat: Vec<Vector>,
    s1_hat: Vector,
    s2_hat: Vector,
    t0_hat: Vector,
}

impl<'a> Signer<'a> {
    pub(crate) fn new(numbers: &'a Numbers, sk: &[u8], mu: &'a [u8], rnd: &[u8; 32]) -> Self {
        let secret = numbers.sk_decode(sk);
        let transform = |v: &Vector| v.iter().map(ntt).collect();
        Self {
            numbers,
            mu,
            rho_pp: h(&[&secret.key, rnd, mu], 64),
            a_hat: numbers.expand_a(&secret.rho),
            s1_hat: transform(&secret.s1),
            s2_hat: transform(&secret.s2),
            t0_hat: transform(&secret.t0),
        }
    }

    /// Lines 11 to 28 with kappa = `attempt` l.
    pub(crate) fn attempt(&self, attempt: usize) -> Attempt {
        let n = self.numbers;
        let y = n.expand_mask(&self.rho_pp, attempt * n.l);
        let y_hat: Vector = y.iter().map(ntt).collect();
        let w = inverse(&matrix_vector_ntt(&self.a_hat, &y_hat));
        let w1 = map(&w, |r| n.high_bits(r));
        let c_tilde = h(&[self.mu, &n.w1_encode(&w1)], n.lambda / 4);
        let c_hat = ntt(&n.sample_in_ball(&c_tilde));
        let c_times = |v: &Vector| -> Vector {
            inverse(&v.iter().map(|p| multiply_ntt(&c_hat, p)).collect())
        };
        let z = add_vectors(&y, &c_times(&self.s1_hat));
        let w_minus_cs2 = subtract_vectors(&w, &c_times(&self.s2_hat));
        let r0 = map(&w_minus_cs2, |r| n.low_bits(r));
        let ct0 = c_times(&self.t0_hat);
        let r = add_vectors(&w_minus_cs2, &ct0);
        let make_hints = |(ct0, r): (&Poly, &Poly)| {
            let pairs = ct0.iter().zip(r);
            pairs
                .map(|(&z, &r)| i64::from(n.make_hint(-z, r)))
                .collect()
        };
        let hint: Vector = ct0.iter().zip(&r).map(make_hints).collect();
        let refused = Refused {
            z: norm(&z) >= n.gamma1 - n.beta(),
            r0: norm(&r0) >= n.gamma2 - n.beta(),
            ct0: norm(&ct0) >= n.gamma2,
            hint: hint.iter().flatten().sum::<i64>() > n.omega as i64,
        };
        Attempt {
            c_tilde,
            z: map(&z, |c| mod_pm(c, Q)),
            hint,
            refused,
        }
    }
}

impl Attempt {
    /// Line 33.
    pub(crate) fn encode(&self, numbers: &Numbers) -> Vec<u8> {
        numbers.sig_encode(&self.c_tilde, &self.z, &self.hint)
    }

    /// Whether z is within what its encoding can say, which an attempt that fails the check of
    /// its norm need not be.
    pub(crate) fn z_fits(&self, numbers: &Numbers) -> bool {
        let range = 1 - numbers.gamma1..=numbers.gamma1;
        self.z.iter().flatten().all(|c| range.contains(c))
    }
}

/// M' of Algorithms 2 and 3.
pub(crate) fn pure(context: &[u8], message: &[u8]) -> Vec<u8> {
    [&[0, context.len() as u8], context, message].concat()
}

/// M' of Algorithms 4 and 5.
pub(crate) fn prehashed(context: &[u8], oid: &[u8], digest: &[u8]) -> Vec<u8> {
    [&[1, context.len() as u8], context, oid, digest].concat()
}
