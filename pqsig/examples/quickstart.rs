//! The whole of it in one page: make a key, store it, sign, verify.
//!
//! ```text
//! cargo run --release -p pqsig --example quickstart
//! ```

use core::error::Error;
use pqsig::{
    RandomizedSigner, SysRng, Verifier,
    mldsa::{MlDsa65, Signature, SigningKey, VerifyingKey},
    pkcs8::{DecodePrivateKey, EncodePrivateKey, LineEnding},
    spki::{DecodePublicKey, EncodePublicKey},
};

fn main() -> Result<(), Box<dyn Error>> {
    // A key pair. The private key is a 32-byte seed; whoever keeps that keeps the key.
    let signing_key = SigningKey::<MlDsa65>::try_generate()?;

    // Files that OpenSSL 3.5 reads. The private text is wiped from memory when dropped.
    let private_pem = signing_key.to_pkcs8_pem(LineEnding::LF)?;
    let public_pem = signing_key
        .verifying_key()
        .to_public_key_pem(LineEnding::LF)?;
    println!("{public_pem}");

    // Sign, hedged with fresh randomness. The context says what signatures of this key are for;
    // one made in one context does not verify in another.
    let signing_key = SigningKey::<MlDsa65>::from_pkcs8_pem(&private_pem)?;
    let message = b"Meet me at noon.";
    let signature: Signature<MlDsa65> = signing_key
        .with_context(b"example/letters")?
        .try_sign_with_rng(&mut SysRng, message)?;
    println!("{} bytes of signature", signature.as_bytes().len());

    // Verify, starting from what was sent: the key as a file, the signature as bytes.
    let verifying_key = VerifyingKey::<MlDsa65>::from_public_key_pem(&public_pem)?;
    let received = Signature::<MlDsa65>::from_bytes(signature.as_bytes())?;
    let letters = verifying_key.with_context(b"example/letters")?;
    letters.verify(message, &received)?;
    println!("the signature is valid");

    let forged = letters.verify(b"Meet me at one.", &received);
    let misplaced = verifying_key.verify(message, &received);
    if forged.is_ok() || misplaced.is_ok() {
        return Err("that must not verify".into());
    }
    println!("it is not valid for another message, nor in another context");
    Ok(())
}
