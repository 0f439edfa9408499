//! `demo [ARGS]`: the main job. One command from a fresh clone to a game that is played and judged.

use crate::{CANNOT, Failed, native, run, tree};

/// Makes sure of native libraries, builds in release with voice's codec, becomes `skirmish demo ARGS`.
pub(crate) fn run(args: &[String]) -> Result<(), Failed> {
    if !exists() {
        eprintln!("xtask: tools/skirmish has no program yet");
        return Err(CANNOT);
    }
    native::ensure()?;
    let build = ["build", "--release", "-p", "mjolnir-skirmish", "--bin", "skirmish", "--features", "opus"];
    run::to_end(&mut run::cargo(&build))?;
    let program = tree::target().join("release").join(format!("skirmish{}", std::env::consts::EXE_SUFFIX));
    let args: Vec<String> = [String::from("demo")].into_iter().chain(args.iter().cloned()).collect();
    run::become_it(&program, &args)
}

/// Whether there is a program to run.
pub(crate) fn exists() -> bool {
    let sources = tree::root().join("tools/skirmish/src");
    ["main.rs", "bin/skirmish.rs", "bin/skirmish/main.rs"].iter().any(|path| sources.join(path).exists())
}
