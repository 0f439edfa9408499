//! The connections that carry bulk between machines, a map's files foremost: one thread, and in it one task that looks after
//! the listener, every connection, a bell that other threads ring, and one timer. It knows no frame: what came and what is to
//! leave is the business of the [`Peers`] that it runs.
//!
//! Bytes are read into one buffer and written out of another, both shared by all connections. A connection keeps the end of
//! the frame that was cut when the system took no more, and nothing else: whoever does not read costs that and what the
//! system holds.

use core::net::{IpAddr, SocketAddr};
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use core::task::Waker;
use core::time::Duration;
use std::boxed::Box;
use std::io;
use std::sync::{Arc, OnceLock};
use std::thread::{self, JoinHandle};
use std::vec::Vec;

use mjolnir_wire::Moment;

use super::{bind_listener, std};

mod connection;
mod turning;

/// Bytes of one read at most, and of one fill that are asked for at most.
pub const BUFFER_BYTES: usize = 256 * 1024;
/// Connections at once at most, those that are opening included; a further one is refused.
pub const MAX_CONNECTIONS: usize = 32;
/// The number of the first connection that another machine made; those that this one makes are numbered below it.
pub const FIRST_ACCEPTED: u32 = 1 << 31;

/// Whose the connections are. Called on the hub's thread alone; `now` is of the hub's own clock.
///
/// A turn is: what came of each connection, [`poll`](Self::poll), the commands, [`fill`](Self::fill) of each that can be
/// written to, the commands again.
pub trait Peers: Send {
    /// Another machine has connected from that address, an IPv4 one as itself. Whether it is taken: if not, it is closed
    /// before a byte passes. A number is given once.
    fn accepted(&mut self, now: Moment, connection: u32, from: IpAddr) -> bool;
    /// A connection that was commanded is open.
    fn connected(&mut self, now: Moment, connection: u32);
    /// What came of it, in order, cut anywhere.
    fn received(&mut self, now: Moment, connection: u32, bytes: &[u8]);
    /// It has ended, by the other end or the system, or it did not come about. Not told of one that was commanded to close.
    fn closed(&mut self, now: Moment, connection: u32);
    /// Appends what is to leave by it, about so many bytes of room at most. Asked whenever it can be written to and anything
    /// happened: what has nothing to say appends nothing.
    fn fill(&mut self, now: Moment, connection: u32, room: usize, into: &mut Vec<u8>);
    /// So many bytes of what was filled last have left. Returns how many after them are kept, to leave first: the end of the
    /// frame at hand. The rest is forgotten.
    fn wrote(&mut self, now: Moment, connection: u32, bytes: usize) -> usize;
    /// Once a turn: what other threads rang for, and what is due.
    fn poll(&mut self, now: Moment);
    /// When it is to be polled though nothing happens.
    fn next_due(&self) -> Option<Moment>;
    /// What is to be done with connections, one after another.
    fn next_command(&mut self) -> Option<Command>;
}

/// What [`Peers`] want done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Command {
    /// Connect to that address under that number, below [`FIRST_ACCEPTED`] and given once.
    Connect(u32, IpAddr),
    /// Close it.
    Close(u32),
}

/// Where a hub is.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Where others connect to. `::` takes IPv4 too, port 0 one that is free. What this machine connects leaves from the
    /// same address, where it is one (NET-52).
    pub bind: SocketAddr,
    /// The port that others are connected to.
    pub port: u16,
}

/// Wakes a hub, from any thread: its [`Peers`] are polled soon. Rung often, it costs a system call once.
#[derive(Clone, Debug, Default)]
pub struct Bell(Arc<Rope>);

#[derive(Debug, Default)]
struct Rope {
    rung: AtomicBool,
    waker: OnceLock<Waker>,
}

impl Bell {
    /// What was done before it is seen by the poll that follows.
    pub fn ring(&self) {
        if !self.0.rung.swap(true, Ordering::SeqCst)
            && let Some(waker) = self.0.waker.get()
        {
            waker.wake_by_ref();
        }
    }

    /// From here on a ring wakes anew. What was rung before is looked for afterwards.
    fn heard(&self, waker: &Waker) {
        self.0.waker.get_or_init(|| waker.clone());
        self.0.rung.swap(false, Ordering::SeqCst);
    }
}

/// What both threads hold.
#[derive(Debug, Default)]
struct Shared {
    is_over: AtomicBool,
    refused: AtomicU64,
    cpu_nanos: AtomicU64,
}

/// The thread. Dropping it closes every connection and ends it, after the turn at hand.
#[derive(Debug)]
pub struct Hub {
    listening: io::Result<SocketAddr>,
    bell: Bell,
    shared: Arc<Shared>,
    /// None only while it is dropped.
    thread: Option<JoinHandle<()>>,
}

impl Hub {
    /// Starts the thread, for the peers that are made with the bell that wakes it. Where it cannot listen, as when another
    /// process has the port, it connects out alone (MAP-23): see [`Hub::listening`].
    ///
    /// # Errors
    ///
    /// As the system gives them, for the thread; and those of `peers`.
    pub fn start(
        options: &Options,
        peers: impl FnOnce(&Bell) -> io::Result<Box<dyn Peers>>,
    ) -> io::Result<Self> {
        let (listener, listening) = match bind_listener(options.bind) {
            Ok(listener) => {
                let local = listener.local_addr();
                (Some(listener), local)
            }
            Err(error) => (None, Err(error)),
        };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().enable_time().build()?;
        let (bell, shared) = (Bell::default(), Arc::new(Shared::default()));
        let peers = peers(&bell)?;
        let (heard, of_thread, bind, port) =
            (bell.clone(), Arc::clone(&shared), options.bind.ip(), options.port);
        let thread = thread::Builder::new().name("mjolnir-hub".into()).spawn(move || {
            runtime.block_on(turning::run(listener, bind, port, peers, heard, of_thread));
        })?;
        Ok(Self { listening, bell, shared, thread: Some(thread) })
    }

    /// Where others can connect to; or why they cannot.
    ///
    /// # Errors
    ///
    /// As the system gave it; `AddrInUse` where another process has the port.
    pub const fn listening(&self) -> Result<SocketAddr, &io::Error> {
        match &self.listening {
            Ok(address) => Ok(*address),
            Err(error) => Err(error),
        }
    }

    /// Wakes it.
    pub const fn bell(&self) -> &Bell {
        &self.bell
    }

    /// Connections turned away because too many were open, or that could not be taken.
    pub fn refused(&self) -> u64 {
        self.shared.refused.load(Ordering::Relaxed)
    }

    /// Processor time that its thread has used up to its last turn, where the platform tells.
    pub fn cpu(&self) -> Duration {
        Duration::from_nanos(self.shared.cpu_nanos.load(Ordering::Relaxed))
    }
}

impl Drop for Hub {
    fn drop(&mut self) {
        self.shared.is_over.store(true, Ordering::SeqCst);
        self.bell.ring();
        if self.thread.take().is_some_and(|thread| thread.join().is_err()) {
            tracing::error!("the hub's thread had panicked");
        }
    }
}
