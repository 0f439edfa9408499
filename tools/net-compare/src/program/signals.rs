//! The signals that stop the program, as a number to look at. Knows nothing of what is stopped.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

/// The last signal that came.
#[derive(Debug)]
pub(crate) struct Signals(Arc<AtomicUsize>);

impl Signals {
    /// Listens for those that stop the program.
    pub(crate) fn listen() -> io::Result<Self> {
        let last = Arc::new(AtomicUsize::new(0));
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            let number = usize::try_from(signal).unwrap_or_default();
            signal_hook::flag::register_usize(signal, Arc::clone(&last), number)?;
        }
        Ok(Self(last))
    }

    /// The signal that came since, by its number.
    pub(crate) fn take(&self) -> Option<u8> {
        u8::try_from(self.0.swap(0, Ordering::Relaxed)).ok().filter(|signal| *signal > 0)
    }
}
