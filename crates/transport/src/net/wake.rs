//! How the streams' thread wakes the game's thread from [`super::Sockets::wait`]. Knows no stream.

use core::sync::atomic::{AtomicBool, Ordering};
use core::time::Duration;
use std::io;
use std::net::UdpSocket;
#[cfg(unix)]
use std::os::unix::net::UnixStream;

use super::std;

/// The waking end.
#[derive(Debug)]
pub(super) struct Waker {
    waiting: AtomicBool,
    #[cfg(unix)]
    bell: UnixStream,
}

/// The woken end.
#[derive(Debug)]
pub(super) struct Bell {
    #[cfg(unix)]
    heard: UnixStream,
}

pub(super) fn pair() -> io::Result<(Waker, Bell)> {
    #[cfg(unix)]
    {
        let (bell, heard) = UnixStream::pair()?;
        bell.set_nonblocking(true)?;
        heard.set_nonblocking(true)?;
        Ok((Waker { waiting: AtomicBool::new(false), bell }, Bell { heard }))
    }
    #[cfg(not(unix))]
    Ok((Waker { waiting: AtomicBool::new(false) }, Bell {}))
}

impl Waker {
    /// Costs a system call only while somebody waits.
    pub(super) fn wake(&self) {
        #[cfg(unix)]
        if self.waiting.swap(false, Ordering::SeqCst) {
            use std::io::Write;
            // A full pipe wakes as well.
            let _ = (&self.bell).write(&[1]);
        }
    }

    /// From here on until the wait ends, a wake is heard. What came before must be looked for afterwards.
    pub(super) fn arm(&self) {
        self.waiting.store(true, Ordering::SeqCst);
    }

    pub(super) fn disarm(&self) {
        self.waiting.store(false, Ordering::SeqCst);
    }
}

impl Bell {
    /// Until a wake, a datagram, or so long.
    #[cfg(unix)]
    pub(super) fn wait(&self, socket: &UdpSocket, at_most: Duration) {
        use std::io::Read;

        use rustix::event::{PollFd, PollFlags, poll};

        let mut watched = [PollFd::new(socket, PollFlags::IN), PollFd::new(&self.heard, PollFlags::IN)];
        // An interrupted wait has ended early, which it may.
        let _ = poll(&mut watched, Some(&timespec(at_most)));
        if !watched[1].revents().is_empty() {
            let mut rings = [0; 64];
            let _ = (&self.heard).read(&mut rings);
        }
    }

    /// Without a wait for both, a short one for neither.
    #[cfg(not(unix))]
    pub(super) fn wait(&self, _socket: &UdpSocket, at_most: Duration) {
        std::thread::sleep(at_most.min(Duration::from_millis(1)));
    }
}

/// Until a datagram is there, or so long.
#[cfg(unix)]
pub(super) fn readable(socket: &UdpSocket, at_most: Duration) {
    use rustix::event::{PollFd, PollFlags, poll};

    // An interrupted wait has ended early, which it may.
    let _ = poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&timespec(at_most)));
}

/// Without a wait for it, a short one.
#[cfg(not(unix))]
pub(super) fn readable(_socket: &UdpSocket, at_most: Duration) {
    std::thread::sleep(at_most.min(Duration::from_millis(1)));
}

#[cfg(unix)]
fn timespec(duration: Duration) -> rustix::event::Timespec {
    rustix::event::Timespec { tv_sec: duration.as_secs() as _, tv_nsec: duration.subsec_nanos().into() }
}
