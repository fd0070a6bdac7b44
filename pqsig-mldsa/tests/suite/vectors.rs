//! Every ML-DSA file of the vector folder.
//!
//! The folder is not part of the repository: `../shared/vectors` next to the workspace, or what
//! `PQSIG_VECTORS` names. Without it this test says so and passes. With it, each section must
//! run exactly the number of cases stated here, and each file of the folders below must have
//! been read.

#[cfg(feature = "pem")]
mod certs;
mod folder;
mod hashes;
#[cfg(feature = "pem")]
mod keys;
mod nist;
mod oracle;

use folder::Folder;
use std::sync::Mutex;

struct Section {
    name: &'static str,
    run: fn(&Folder) -> usize,
    cases: usize,
}

const fn section(name: &'static str, cases: usize, run: fn(&Folder) -> usize) -> Section {
    Section { name, run, cases }
}

const SECTIONS: &[Section] = &[
    section("ACVP keyGen", 75, nist::key_gen),
    section("ACVP sigGen", 270, nist::sig_gen),
    section("ACVP sigVer", 135, nist::sig_ver),
    section("ACVP tables of rejections", 27, nist::rejection_tables),
    section("CCTV accumulated", 3, hashes::cctv_accumulated),
    section("CCTV benchmark messages", 898, hashes::cctv_benchmark),
    section("pq-crystals hashes", 750, hashes::pq_crystals),
    section("Botan", 75, hashes::botan),
    section("itzmeanjan", 100, hashes::itzmeanjan),
    section("pqc-kat, compact", 600, hashes::pqc_kat_compact),
    section("pqc-kat, full", 100, hashes::pqc_kat_full),
    section("leancrypto rejection paths", 37, hashes::leancrypto),
    section("JOSE and COSE", 3, hashes::jose_and_cose),
    section("oracle against pq-crystals", 6, oracle::pq_crystals),
    section(
        "oracle against CCTV field operations",
        1,
        oracle::field_operations,
    ),
    #[cfg(feature = "pem")]
    section("RFC 9881 keys", 11, keys::rfc9881),
    #[cfg(feature = "pem")]
    section("OpenSSL keys", 13, keys::openssl),
    #[cfg(feature = "pem")]
    section("hackathon keys", 18, keys::hackathon),
    #[cfg(feature = "pem")]
    section("BouncyCastle keys", 6, keys::bouncy_castle),
    #[cfg(feature = "pem")]
    section("leancrypto keys", 4, keys::leancrypto),
    #[cfg(feature = "pem")]
    section("BoringSSL signed data", 2, keys::boringssl_signed_data),
    #[cfg(feature = "pem")]
    section("self-signed certificates", 11, certs::self_signed),
    #[cfg(feature = "pem")]
    section("certificate chains", 7, certs::chains),
    #[cfg(feature = "pem")]
    section("CMS signed data", 10, certs::signed_data),
];

/// Folders that hold nothing but ML-DSA; `pqc-hackathon` holds Falcon as well.
const FOLDERS: &[&str] = &[
    "acvp",
    "acvp-doc-kats",
    "bc-test-data",
    "boringssl",
    "botan",
    "cctv",
    "cose-dilithium",
    "itzmeanjan",
    "leancrypto",
    "openssl-3.6.3",
    "pq-crystals",
    "pqc-hackathon",
    "pqc-kat",
    "rfc9881",
    "rfc9882",
];

/// What has no cases: notes, ASN.1 modules, the self-description of ACVP, checksums.
const WITHOUT_CASES: &[&str] = &[
    "README",
    "SIZES.txt",
    "SHA256SUMS",
    "pretty",
    "registration.json",
    "validation.json",
    "X509-ML-DSA-2025.asn",
    "ML-DSA-Module-2024.asn",
    "expected_plaintext.txt",
];

#[test]
fn every_case_of_every_file() {
    let Some(folder) = Folder::open() else {
        eprintln!("vectors: no folder ../shared/vectors and no PQSIG_VECTORS: nothing was run");
        return;
    };
    let queue = Mutex::new(SECTIONS.iter());
    let failures = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    let next = queue.lock().expect("not poisoned").next();
                    let Some(section) = next else { break };
                    let ran = std::panic::catch_unwind(|| (section.run)(&folder)).ok();
                    eprintln!(
                        "vectors: {}: {ran:?} of {} cases",
                        section.name, section.cases
                    );
                    if ran != Some(section.cases) {
                        failures.lock().expect("not poisoned").push(section.name);
                    }
                }
            });
        }
    });
    let failures = failures.into_inner().expect("not poisoned");
    assert!(failures.is_empty(), "{failures:?}");
    if cfg!(feature = "pem") {
        let unread = folder.unread();
        assert!(unread.is_empty(), "files that no section reads: {unread:?}");
    }
}
