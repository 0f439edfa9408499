//! Running programs: cargo, and what it built. Says what it runs only where that helps.

use std::path::Path;
use std::process::{Command, Stdio};

use crate::{CANNOT, Failed, tree};

/// Cargo, as this was run by it, in the workspace's folder.
pub(crate) fn cargo(args: &[&str]) -> Command {
    let mut command = Command::new(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.args(args).current_dir(tree::root());
    command
}

/// Runs it to its end; its exit code where that is not 0, 128 and the signal's number where one ended it.
pub(crate) fn to_end(command: &mut Command) -> Result<(), Failed> {
    let status = command.status().map_err(|error| cannot_run(command, &error))?;
    if status.success() {
        return Ok(());
    }
    let code = status.code().or_else(|| signal(status).map(|signal| 128 + signal)).unwrap_or(1);
    Err(Failed(u8::try_from(code).unwrap_or(1)))
}

/// Runs it to its end and gives what it wrote; its complaints go to standard error.
pub(crate) fn output(command: &mut Command) -> Result<String, Failed> {
    let output = command.stderr(Stdio::inherit()).output().map_err(|error| cannot_run(command, &error))?;
    if !output.status.success() {
        return Err(crate::FOUND);
    }
    String::from_utf8(output.stdout).map_err(|_| {
        eprintln!("xtask: {} wrote what is not text", shown(command));
        crate::FOUND
    })
}

/// Becomes that program where the system can, so that signals and the exit code are its own.
pub(crate) fn become_it(program: &Path, args: &[String]) -> Result<(), Failed> {
    let mut command = Command::new(program);
    command.args(args);
    #[cfg(unix)]
    {
        let error = std::os::unix::process::CommandExt::exec(&mut command);
        Err(cannot_run(&command, &error))
    }
    #[cfg(not(unix))]
    to_end(&mut command)
}

fn cannot_run(command: &Command, error: &std::io::Error) -> Failed {
    eprintln!("xtask: cannot run {}: {error}", shown(command));
    CANNOT
}

fn shown(command: &Command) -> String {
    command.get_program().to_string_lossy().into_owned()
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: std::process::ExitStatus) -> Option<i32> {
    None
}
