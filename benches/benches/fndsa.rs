//! FN-DSA: every operation of every set, and of the peers with `--features peers`.

#[path = "groups.rs"]
mod groups;

criterion::criterion_group!(fndsa, bench);
criterion::criterion_main!(fndsa);

fn bench(criterion: &mut criterion::Criterion) {
    groups::bench(criterion, &pqsig_benches::Set::FNDSA);
}
