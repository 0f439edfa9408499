//! `test`: the record of the wire format, then every test of the workspace, the codec's among them, doc tests too.

use crate::{Failed, format, native, run};

/// Runs all of it whatever fails on the way, so that one run shows the whole; the runner's own lines come last.
pub(crate) fn run() -> Result<(), Failed> {
    native::ensure()?;
    native::ensure_browser();
    let recorded = format::check();
    let test = ["test", "--workspace", "--no-fail-fast"];
    run::to_end(run::cargo(&test).args(native::WITH_CODEC))?;
    recorded
}
