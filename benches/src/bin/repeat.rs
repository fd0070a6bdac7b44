//! One of our operations, a given number of times: for tools that count instructions, such as
//! callgrind and `scripts/count-instructions.sh`. The difference between two counts leaves out what
//! the process does besides.

use pqsig_benches::{Material, Operation, Set, contestants};
use std::{env, process::ExitCode};

const USAGE: &str = "usage: repeat SET/OPERATION COUNT, as in: repeat ml-dsa-65/verify 10";

fn main() -> ExitCode {
    let mut arguments = env::args().skip(1);
    let wanted = arguments.next().unwrap_or_default();
    let count = arguments.next().and_then(|count| count.parse().ok());
    let sets = Set::MLDSA.into_iter().chain(Set::FNDSA);
    let found = sets
        .flat_map(|set| Operation::ALL.map(|operation| (set, operation)))
        .find(|(set, operation)| format!("{}/{}", set.name(), operation.name()) == wanted);
    let (Some((set, operation)), Some(count)) = (found, count) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let mut run = contestants(set)[0].workload(operation, &Material::new(100));
    (0..count).for_each(&mut run);
    ExitCode::SUCCESS
}
