//! One criterion group for each set and operation, with a row for each implementation.

use criterion::{Criterion, Throughput};
use pqsig_benches::{Operation, Set, contestants, sample};

/// Signing goes round these, the same for everyone.
const MESSAGES: usize = 320;

pub fn bench(criterion: &mut Criterion, sets: &[Set]) {
    for &set in sets {
        let contestants = contestants(set);
        let material = sample(&contestants[0], MESSAGES);
        for operation in Operation::ALL {
            let mut group =
                criterion.benchmark_group(format!("{}/{}", set.name(), operation.name()));
            group.throughput(Throughput::Elements(operation.per_run() as u64));
            group.sample_size(20);
            for contestant in &contestants {
                // Made at the first use, which a filter may leave out.
                let mut workload = None;
                let mut next = 0;
                group.bench_function(contestant.name, |bencher| {
                    let run =
                        workload.get_or_insert_with(|| contestant.workload(operation, &material));
                    bencher.iter(|| {
                        run(next);
                        next += 1;
                    });
                });
            }
            group.finish();
        }
    }
}
