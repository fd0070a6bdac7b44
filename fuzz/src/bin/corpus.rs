//! Writes a valid input of each kind for every target: `corpus DIR` fills `DIR/TARGET/`.

use pqsig_fuzz::seeds::TARGETS;
use std::{env, fs, io, path::PathBuf};

fn main() -> io::Result<()> {
    let folder = PathBuf::from(env::args_os().nth(1).unwrap_or_else(|| "corpus".into()));
    for (target, seeds) in TARGETS {
        let folder = folder.join(target);
        fs::create_dir_all(&folder)?;
        for (i, seed) in seeds().iter().enumerate() {
            fs::write(folder.join(format!("seed-{i:02}")), seed)?;
        }
    }
    Ok(())
}
