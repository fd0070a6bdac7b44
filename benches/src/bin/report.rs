//! Ratios between pqsig and its peers. See `--help`.

use cpu_time::ThreadTime;
use pqsig_benches::{
    Contestant, Material, Operation, PORTABLE, Set, Workload, contestants, sample,
};
use serde_json::{Value, json};
use std::{env, error::Error, fs, process::Command};

const USAGE: &str = "\
usage: report [FILTER...] [--rounds N] [--signatures N] [--json FILE]

Times pqsig and its peers, interleaved: in each round every implementation has a turn at every
operation. Times are CPU time of the thread, so that what else runs on the machine disturbs them
less. A ratio is the peer's time over ours in the same round: more than 1 means that ours is faster.

FILTER       part of SET/OPERATION, such as ml-dsa-65/verify or /sign; a final $ ends the name
--rounds     how many (default 20)
--signatures how many messages are signed by each, over all rounds (default 1000)
--json       writes everything to FILE as well
Operations: keygen; sign (the key that a caller holds), import-sign (from the encoded key, with its
checks), sign-prepared; verify (from the encoded key), verify-held, verify-prepared;
verify-batch-encoded, verify-batch, verify-batch-prepared (64 signatures under 64 encoded or held
keys or one prepared key, per signature).";

/// How long one turn of an operation that is not signing takes about.
const TURN_NANOS: f64 = 2_000_000.0;

fn main() -> Result<(), Box<dyn Error>> {
    let Some(options) = Options::parse(env::args().skip(1))? else {
        println!("{USAGE}");
        return Ok(());
    };
    let machine = machine();
    println!("{}", machine_line(&machine));
    let mut results = Vec::new();
    for set in Set::MLDSA.into_iter().chain(Set::FNDSA) {
        let operations: Vec<_> = Operation::ALL
            .into_iter()
            .filter(|operation| options.wants(set, *operation))
            .collect();
        if operations.is_empty() {
            continue;
        }
        let contestants = contestants(set);
        let checks = cross_check(&contestants);
        println!("\n{}: {checks} cross-checks passed", set.name());
        let material = sample(&contestants[0], options.signatures);
        for operation in operations {
            let mut contestants = contestants.clone();
            if operation.is_batch() {
                contestants.push(contestants[0].one_by_one());
            }
            let series = measure(&contestants, operation, &material, &options);
            results.push(report(set, operation, &contestants, &series));
        }
    }
    if let Some(path) = &options.json {
        let all = json!({ "machine": machine, "rounds": options.rounds, "results": results });
        fs::write(path, serde_json::to_string_pretty(&all)?)?;
    }
    Ok(())
}

struct Options {
    filters: Vec<String>,
    rounds: usize,
    signatures: usize,
    json: Option<String>,
}

impl Options {
    /// `None` if help is asked for.
    fn parse(mut arguments: impl Iterator<Item = String>) -> Result<Option<Self>, Box<dyn Error>> {
        let mut options = Self {
            filters: Vec::new(),
            rounds: 20,
            signatures: 1000,
            json: None,
        };
        while let Some(argument) = arguments.next() {
            let mut value = || arguments.next().ok_or(format!("{argument} needs a value"));
            match argument.as_str() {
                "-h" | "--help" => return Ok(None),
                "--rounds" => options.rounds = value()?.parse::<usize>()?.max(1),
                "--signatures" => options.signatures = value()?.parse::<usize>()?.max(1),
                "--json" => options.json = Some(value()?),
                flag if flag.starts_with('-') => return Err(format!("{flag}?\n{USAGE}").into()),
                _ => options.filters.push(argument.to_lowercase()),
            }
        }
        Ok(Some(options))
    }

    fn wants(&self, set: Set, operation: Operation) -> bool {
        let name = format!("{}/{}$", set.name(), operation.name());
        self.filters.is_empty() || self.filters.iter().any(|filter| name.contains(filter))
    }
}

/// Every implementation verifies the signatures of every other one and refuses another message;
/// the deterministic ones make the same keys and signatures. Returns the number of checks.
fn cross_check(contestants: &[Contestant]) -> usize {
    let (seed, message, other) = ([7; 32], [8; 32], [9; 32]);
    let contestants: Vec<_> = contestants.iter().filter(|c| c.interoperates).collect();
    let transcripts: Vec<_> = contestants
        .iter()
        .map(|c| (c.transcript)(&seed, &message))
        .collect();
    let mut checks = 0;
    for (signer, transcript) in contestants.iter().zip(&transcripts) {
        let (keys, signature) = transcript;
        for verifier in &contestants {
            let names = format!("{} verifies {}", verifier.name, signer.name);
            assert!(
                (verifier.accepts)(&keys.verifying, &message, signature),
                "{names}"
            );
            assert!(
                !(verifier.accepts)(&keys.verifying, &other, signature),
                "{names}: forgery"
            );
            checks += 2;
        }
        if signer.deterministic {
            assert!(
                *transcript == transcripts[0],
                "{} differs from ours",
                signer.name
            );
            checks += 1;
        }
    }
    checks
}

/// What one implementation took, in nanoseconds.
#[derive(Default)]
struct Series {
    /// Mean of each round.
    rounds: Vec<f64>,
    /// Each signature.
    single: Vec<f64>,
}

fn measure(
    contestants: &[Contestant],
    operation: Operation,
    material: &Material,
    options: &Options,
) -> Vec<Series> {
    let mut workloads: Vec<Workload> = contestants
        .iter()
        .map(|c| c.workload(operation, material))
        .collect();
    let mut series: Vec<Series> = contestants.iter().map(|_| Series::default()).collect();
    // Key generation of FN-DSA has no typical seed: every turn takes the same seeds.
    let seeds = material.seeds.len();
    let turns: Vec<usize> = workloads
        .iter_mut()
        .map(|workload| match operation {
            Operation::KeyGen => turn_length(workload).div_ceil(seeds).min(4) * seeds,
            _ => turn_length(workload),
        })
        .collect();
    for round in 0..options.rounds {
        let messages = share(options.signatures, options.rounds, round);
        for step in 0..contestants.len() {
            // A different one begins in each round.
            let i = (round + step) % contestants.len();
            if operation.signs() {
                let times: Vec<f64> = messages
                    .clone()
                    .map(|message| time(|| workloads[i](message)))
                    .collect();
                series[i].rounds.push(mean(&times));
                series[i].single.extend(times);
            } else {
                let nanos = time(|| (0..turns[i]).for_each(|k| workloads[i](k)));
                series[i]
                    .rounds
                    .push(nanos / (turns[i] * operation.per_run()) as f64);
            }
        }
    }
    series
}

/// The messages of one round.
fn share(total: usize, rounds: usize, round: usize) -> std::ops::Range<usize> {
    let at = |round: usize| total * round / rounds;
    at(round)..at(round + 1).max(at(round) + 1)
}

fn turn_length(workload: &mut Workload) -> usize {
    workload(0);
    let nanos = time(|| (0..4).for_each(&mut *workload)) / 4.0;
    ((TURN_NANOS / nanos) as usize).clamp(1, 1 << 16)
}

fn time(run: impl FnOnce()) -> f64 {
    let start = ThreadTime::now();
    run();
    start.elapsed().as_nanos() as f64
}

/// Prints the rows of one operation and returns them.
fn report(set: Set, operation: Operation, contestants: &[Contestant], series: &[Series]) -> Value {
    println!("\n{}/{}", set.name(), operation.name());
    print!(
        "  {:<30} {:>10} {:>18}",
        "microseconds", "median", "rounds (10-90 %)"
    );
    if operation.signs() {
        print!(" {:>9} {:>9} {:>9} {:>9}", "mean", "p50", "p95", "p99");
    }
    println!("   peer / ours (10-90 %)");
    let ours = &series[0];
    let mut rows = Vec::new();
    let mut ratios: Vec<(&str, Spread)> = Vec::new();
    for (contestant, series) in contestants.iter().zip(series) {
        let rounds = Spread::of(&series.rounds).scaled(1e-3);
        let mut row = json!({ "name": contestant.name, "microseconds": rounds.json() });
        print!(
            "  {:<30} {:>10.2} {:>18}",
            contestant.name,
            rounds.median,
            rounds.range(2)
        );
        if operation.signs() {
            let single = sorted(&series.single);
            let figures = [
                mean(&single),
                at(&single, 0.5),
                at(&single, 0.95),
                at(&single, 0.99),
            ];
            let [mean, p50, p95, p99] = figures.map(|nanos| nanos * 1e-3);
            print!(" {mean:>9.2} {p50:>9.2} {p95:>9.2} {p99:>9.2}");
            row["signatures"] = json!({
                "count": single.len(), "mean": mean, "median": p50, "p95": p95, "p99": p99,
            });
        }
        if !std::ptr::eq(ours, series) {
            let ratio = ratio(contestant, ours, series);
            print!("   {:.2} ({})", ratio.median, ratio.range(2));
            row["ratio"] = ratio.json();
            if contestant.is_peer() {
                ratios.push((contestant.name, ratio));
            }
        }
        println!();
        rows.push(row);
    }
    let fastest = ratios
        .into_iter()
        .min_by(|a, b| a.1.median.total_cmp(&b.1.median));
    let mut result = json!({ "set": set.name(), "operation": operation.name(), "rows": rows });
    if let Some((name, ratio)) = fastest {
        println!(
            "  => {:.2} times as fast as the fastest peer, {name}",
            ratio.median
        );
        result["fastest_peer"] = json!({ "name": name, "ratio": ratio.json() });
    }
    result
}

/// Round by round where both did the same work, else mean against mean: a hedged signer needs
/// another number of attempts for the same messages.
fn ratio(contestant: &Contestant, ours: &Series, theirs: &Series) -> Spread {
    let ratios: Vec<f64> = theirs
        .rounds
        .iter()
        .zip(&ours.rounds)
        .map(|(theirs, ours)| theirs / ours)
        .collect();
    let mut spread = Spread::of(&ratios);
    if !contestant.deterministic && !theirs.single.is_empty() {
        spread.median = mean(&theirs.single) / mean(&ours.single);
    }
    spread
}

/// Median and the span of the middle 80 %.
struct Spread {
    median: f64,
    low: f64,
    high: f64,
}

impl Spread {
    fn of(values: &[f64]) -> Self {
        let sorted = sorted(values);
        Self {
            median: at(&sorted, 0.5),
            low: at(&sorted, 0.1),
            high: at(&sorted, 0.9),
        }
    }

    fn scaled(self, factor: f64) -> Self {
        Self {
            median: self.median * factor,
            low: self.low * factor,
            high: self.high * factor,
        }
    }

    fn range(&self, digits: usize) -> String {
        format!("{:.digits$}-{:.digits$}", self.low, self.high)
    }

    fn json(&self) -> Value {
        json!({ "median": self.median, "p10": self.low, "p90": self.high })
    }
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values
}

fn at(sorted: &[f64], quantile: f64) -> f64 {
    let middle = (sorted.len() - 1) as f64 * quantile;
    let (below, above) = (
        sorted[middle.floor() as usize],
        sorted[middle.ceil() as usize],
    );
    below + (above - below) * middle.fract()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// What the figures depend on.
fn machine() -> Value {
    let cpu = fs::read_to_string("/proc/cpuinfo").ok().and_then(|text| {
        let line = text.lines().find(|line| line.starts_with("model name"))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    });
    let rustc = Command::new(env::var_os("RUSTC").unwrap_or("rustc".into()))
        .arg("-V")
        .output();
    json!({
        "cpu": cpu.as_deref().unwrap_or("unknown CPU"),
        "arch": env::consts::ARCH,
        "rustc": rustc.map_or("unknown rustc".into(), |out| {
            String::from_utf8_lossy(&out.stdout).trim().to_owned()
        }),
        "rustflags": option_env!("RUSTFLAGS").unwrap_or(""),
        "ours": if PORTABLE { "portable" } else { "default: SIMD where the CPU has it" },
        "optimised": !cfg!(debug_assertions),
    })
}

fn machine_line(machine: &Value) -> String {
    let field = |name: &str| machine[name].as_str().unwrap_or_default().to_owned();
    format!(
        "{} ({}), {} in PATH, RUSTFLAGS={:?}, pqsig {}{}",
        field("cpu"),
        field("arch"),
        field("rustc"),
        field("rustflags"),
        field("ours"),
        if cfg!(debug_assertions) {
            ", NOT OPTIMISED"
        } else {
            ""
        },
    )
}
