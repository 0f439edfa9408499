//! `net-compare` as continuous integration runs it: the build against itself, on maps of ours, for a short time. Knows no
//! game: it builds the programs and runs one.

use std::process::Command;

use crate::{Failed, run, tree};

/// Maps that ship with the reference game: nothing has to be fetched for them.
const MAPS: &str = "flat,rooms";
/// Seconds of each game.
const SECONDS: &str = "10";

/// Two short games, in release: what is compared is what is run.
pub(crate) fn short() -> Result<(), Failed> {
    let programs = ["-p", "mjolnir-skirmish", "-p", "mjolnir-net-compare", "--bins"];
    run::to_end(run::cargo(&["build", "--release"]).args(programs))?;
    let program = tree::target().join("release").join(format!("net-compare{}", std::env::consts::EXE_SUFFIX));
    let mut games = Command::new(program);
    run::to_end(games.args(["--maps", MAPS, "--seconds", SECONDS]).current_dir(tree::root()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// TOOL-34: what continuous integration plays on ships with the workspace.
    #[test]
    fn the_maps_are_ours() {
        for map in MAPS.split(',') {
            let path = tree::root().join(format!("tools/skirmish/src/game/maps/{map}.txt"));
            assert!(path.is_file(), "{}", path.display());
        }
    }
}
