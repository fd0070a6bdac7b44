//! Every operation in a thread with a small stack: 256 KiB in a release build, 512 KiB in one
//! with debug assertions, which may be unoptimised (`CARGO_PROFILE_TEST_OPT_LEVEL=0`).
//! `PQSIG_STACK_KB` sets another size. An overflow ends the process, so this is its own binary.

use pqsig_mldsa::{
    MlDsa44, MlDsa65, MlDsa87, ParameterSet, PreparedSigningKey, Signature, SigningKey,
    VerifyingKey, verify_batch, verify_batch_encoded, verify_batch_prepared,
};
use rand_core::{TryCryptoRng, TryRng};
use signature::{RandomizedSigner, Signer, Verifier};

/// Enough of a generator for this test.
struct Counter(u8);

impl TryRng for Counter {
    type Error = core::convert::Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Self::Error> {
        for byte in bytes {
            self.0 = self.0.wrapping_mul(5).wrapping_add(1);
            *byte = self.0;
        }
        Ok(())
    }
}

impl TryCryptoRng for Counter {}

fn stack_size() -> usize {
    let kib = match std::env::var("PQSIG_STACK_KB") {
        Ok(kib) => kib.parse().expect("a number"),
        Err(_) if cfg!(debug_assertions) => 512,
        Err(_) => 256,
    };
    kib * 1024
}

/// Runs one operation in a thread of its own.
fn small<T: Send>(name: &str, operation: impl FnOnce() -> T + Send) -> T {
    // The test harness shows this only if the process dies.
    eprintln!("{name}");
    std::thread::scope(|scope| {
        let thread = std::thread::Builder::new()
            .name(name.to_owned())
            .stack_size(stack_size())
            .spawn_scoped(scope, operation);
        thread.expect("starts").join().expect("does not panic")
    })
}

/// Values cross between threads in boxes; every operation itself runs on the small stack.
fn every_operation<P: ParameterSet>() {
    let key = small("from_seed", || {
        Box::new(SigningKey::<P>::from_seed(&[1; 32]))
    });
    small("generate_from_rng", || {
        drop(SigningKey::<P>::generate_from_rng(&mut Counter(0)));
    });
    #[cfg(feature = "getrandom")]
    small("generate", || drop(SigningKey::<P>::generate()));
    small("clone", || assert!(*key.clone() == *key));
    let expanded = small("to_expanded_bytes", || Box::new(key.to_expanded_bytes()));
    let imported = small("from_expanded_bytes", || {
        SigningKey::<P>::from_expanded_bytes((*expanded).as_ref()).map(Box::new)
    });
    assert!(imported.expect("valid") == key);
    let vk = small("VerifyingKey::from_bytes", || {
        VerifyingKey::<P>::from_bytes(key.verifying_key().as_bytes()).map(Box::new)
    });
    let vk = vk.expect("loads");

    let made = small("sign", || Box::new(key.sign(b"message")));
    let hedged = small("sign_with_rng", || {
        Box::new(key.sign_with_rng(&mut Counter(1), b"message"))
    });
    let context = key.with_context(b"context").expect("fits");
    let with_context = small("with_context", || Box::new(context.sign(b"message")));
    let prehashed = small("prehash", || {
        Box::new(key.prehash::<sha2::Sha512>().sign(b"message"))
    });
    let mu = small("mu_builder", || {
        let mut mu = vk.mu_builder(b"").expect("fits");
        mu.update(b"message");
        mu.finalize()
    });
    small("sign_mu", || {
        assert!(key.sign_mu_deterministic(&mu).as_ref() == Ok(&*made));
    });
    small("verify", || {
        assert!(vk.verify(b"message", &made).is_ok());
        assert!(vk.verify(b"message", &hedged).is_ok());
        assert!(vk.verify(b"massage", &made).is_err());
    });
    small("verify with context, pre-hash, mu", || {
        let context = vk.with_context(b"context").expect("fits");
        assert!(context.verify(b"message", &with_context).is_ok());
        assert!(
            vk.prehash::<sha2::Sha512>()
                .verify(b"message", &prehashed)
                .is_ok()
        );
        assert_eq!(vk.verify_mu(&mu, &made), Ok(()));
    });
    small("verify_batch", || {
        let items = [(&*vk, &b"message"[..], &*made); 7];
        assert_eq!(verify_batch(&items, &mut [false; 7]), Ok(()));
    });
    small("verify_batch_encoded", || {
        let items = [(vk.as_bytes(), &b"message"[..], made.as_bytes()); 7];
        assert_eq!(verify_batch_encoded::<P>(&items, &mut [false; 7]), Ok(()));
    });
    #[cfg(feature = "hazmat")]
    small("hazmat", || {
        use pqsig_mldsa::hazmat::{sign_internal, verify_internal};
        let made = sign_internal(&key, &[b"message"], &[9; 32]).expect("signs");
        assert_eq!(verify_internal(&vk, &[b"message"], &made), Ok(()));
    });

    prepared_keys(&key, &vk, &made);
    #[cfg(feature = "pem")]
    files(&key, &vk);
    small("drop", move || drop((key, vk)));
}

/// Made, used and dropped on the small stack, in a box and without one.
fn prepared_keys<P: ParameterSet>(key: &SigningKey<P>, vk: &VerifyingKey<P>, made: &Signature<P>) {
    let boxed = small("prepare, boxed", || Box::new(key.prepare()));
    small("prepared sign", || assert!(boxed.sign(b"message") == *made));
    small("prepared sign_with_rng", || {
        let hedged = boxed.sign_with_rng(&mut Counter(2), b"message");
        assert!(vk.verify(b"message", &hedged).is_ok());
    });
    small("drop prepared", move || drop(boxed));
    small("prepared from_seed", || {
        let prepared = PreparedSigningKey::<P>::from_seed(&[1; 32]);
        assert!(prepared.sign(b"message") == *made);
    });
    let expanded = Box::new(key.to_expanded_bytes());
    small("prepared from_expanded_bytes", || {
        let prepared = PreparedSigningKey::<P>::from_expanded_bytes((*expanded).as_ref());
        assert!(
            prepared
                .as_ref()
                .is_ok_and(|prepared| prepared.sign(b"message") == *made)
        );
    });
    small("prepare and sign, not boxed", || {
        let prepared = key.prepare();
        assert!(prepared.sign(b"message") == *made);
    });

    let boxed = small("prepare verifying key, boxed", || Box::new(vk.prepare()));
    small("prepared verify", || {
        assert!(boxed.verify(b"message", made).is_ok());
    });
    small("verify_batch_prepared", || {
        let items = [(&*boxed, &b"message"[..], made); 7];
        assert_eq!(verify_batch_prepared(&items, &mut [false; 7]), Ok(()));
    });
    small("clone prepared verifying key", || {
        assert!(*boxed.clone() == *boxed);
    });
    small("drop prepared verifying key", move || drop(boxed));
    small("prepare and verify, not boxed", || {
        assert!(vk.prepare().verify(b"message", made).is_ok());
    });
}

#[cfg(feature = "pem")]
fn files<P: ParameterSet>(key: &SigningKey<P>, vk: &VerifyingKey<P>) {
    use pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePublicKey};
    use pqsig_mldsa::{
        PreparedSigningKey,
        PrivateKeyFormat::{Both, Expanded, Seed},
    };
    for format in [Seed, Expanded, Both] {
        let der = small("to_pkcs8_der_with", || {
            key.to_pkcs8_der_with(format).expect("encodes")
        });
        small("from_pkcs8_der", || {
            assert!(SigningKey::<P>::from_pkcs8_der(der.as_bytes()).expect("loads") == *key);
        });
        small("from_pkcs8_der, prepared", || {
            // As the docs say: large, so into a box at once and not moved around.
            let loaded = Box::new(PreparedSigningKey::<P>::from_pkcs8_der(der.as_bytes()));
            let loaded = (*loaded).as_ref();
            assert!(loaded.is_ok_and(|loaded| loaded.signing_key() == key));
        });
        small("PEM", || {
            let pem = der
                .to_pem("PRIVATE KEY", pkcs8::LineEnding::LF)
                .expect("encodes");
            assert!(SigningKey::<P>::from_pkcs8_pem(&pem).expect("loads") == *key);
        });
    }
    small("public key file", || {
        let der = vk.to_public_key_der().expect("encodes");
        let loaded = VerifyingKey::<P>::from_public_key_der(der.as_bytes());
        assert!(loaded.expect("loads") == *vk);
    });
}

#[test]
fn ml_dsa_44() {
    every_operation::<MlDsa44>();
}

#[test]
fn ml_dsa_65() {
    every_operation::<MlDsa65>();
}

#[test]
fn ml_dsa_87() {
    every_operation::<MlDsa87>();
}
