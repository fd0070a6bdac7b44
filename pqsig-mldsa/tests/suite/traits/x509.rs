//! Certificates built with `x509-cert`.

use crate::common::{Set, Stream, for_each_set};
use core::str::FromStr;
use pkcs8::{
    DecodePublicKey,
    spki::{DynSignatureAlgorithmIdentifier, SubjectPublicKeyInfoOwned},
};
use pqsig_mldsa::{Signature, SigningKey, VerifyingKey};
use signature::Verifier;
use x509_cert::{
    Certificate,
    builder::{Builder, CertificateBuilder, profile::cabf::Root},
    der::{Decode, DecodePem, Encode, EncodePem, pem::LineEnding},
    name::Name,
    serial_number::SerialNumber,
    time::Validity,
};

for_each_set!(self_signed_certificate);

fn builder<P: Set>(key: &SigningKey<P>) -> CertificateBuilder<Root> {
    let name = Name::from_str("CN=pqsig test,O=pqsig,C=CH").expect("a name");
    let profile = Root::new(false, name).expect("a profile");
    let validity = Validity::from_now(core::time::Duration::from_secs(3_600));
    let public = SubjectPublicKeyInfoOwned::from_key(key.verifying_key()).expect("encodes");
    let serial = SerialNumber::from(1_u32);
    CertificateBuilder::new(profile, serial, validity.expect("in range"), public)
        .expect("a builder")
}

fn check<P: Set>(key: &SigningKey<P>, certificate: &Certificate) {
    let pem = certificate.to_pem(LineEnding::LF).expect("encodes");
    let certificate = Certificate::from_pem(pem.as_bytes()).expect("loads");
    let der = certificate.to_der().expect("encodes");
    let certificate = Certificate::from_der(&der).expect("loads");
    let tbs = certificate.tbs_certificate();
    let spki = tbs.subject_public_key_info().to_der().expect("encodes");
    let vk = VerifyingKey::<P>::from_public_key_der(&spki).expect("loads");
    assert!(vk == *key.verifying_key());
    let algorithm = certificate.signature_algorithm();
    assert_eq!(algorithm, tbs.signature());
    assert_eq!(
        (algorithm.oid, &algorithm.parameters),
        (VerifyingKey::<P>::OID, &None)
    );
    let bits = certificate.signature().as_bytes().expect("whole bytes");
    let made = Signature::<P>::from_bytes(bits).expect("right length");
    let message = tbs.to_der().expect("encodes");
    assert!(vk.verify(&message, &made).is_ok());
}

fn self_signed_certificate<P: Set>() {
    let key = SigningKey::<P>::from_seed(&[5; 32]);
    let deterministic = builder(&key).build::<_, Signature<P>>(&key);
    check(&key, &deterministic.expect("builds"));
    let prepared = key.prepare();
    let by_prepared = builder(&key).build::<_, Signature<P>>(&prepared);
    check(&key, &by_prepared.expect("builds"));
    let mut rng = Stream::of::<P>("certificate");
    let hedged = builder(&key).build_with_rng::<_, Signature<P>, _>(&key, &mut rng);
    check(&key, &hedged.expect("builds"));
    let algorithm = key.signature_algorithm_identifier().expect("known");
    assert_eq!(algorithm.oid, VerifyingKey::<P>::OID);
}
