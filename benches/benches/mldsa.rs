//! ML-DSA: every operation of every set, and of the peers with `--features peers`.

#[path = "groups.rs"]
mod groups;

criterion::criterion_group!(mldsa, bench);
criterion::criterion_main!(mldsa);

fn bench(criterion: &mut criterion::Criterion) {
    groups::bench(criterion, &pqsig_benches::Set::MLDSA);
}
