//! The hub's one task, turn by turn.

use core::future::poll_fn;
use core::net::{IpAddr, SocketAddr};
use core::pin::{Pin, pin};
use core::sync::atomic::Ordering;
use core::task::{Context, Poll};
use core::time::Duration;
use std::boxed::Box;
use std::net::TcpListener;
use std::sync::Arc;
use std::vec;
use std::vec::Vec;

use mjolnir_wire::Moment;
use mjolnir_wire::address::canonical;
use tokio::task::{unconstrained, yield_now};
use tokio::time::{Instant, Sleep, sleep_until};

use super::super::service::thread_cpu_nanos;
use super::super::std;
use super::connection::{Connection, Look};
use super::{BUFFER_BYTES, Bell, Command, FIRST_ACCEPTED, MAX_CONNECTIONS, Peers, Shared};

/// Rest after a connection could not be taken, as when the process has no more files.
const ACCEPT_PAUSE_MICROS: u64 = 20_000;
/// Connections taken in a turn at most.
const ACCEPTS: usize = 8;

/// The connections end before the peers do, which may take their time for it.
struct Turning {
    connections: Vec<Connection>,
    listener: Option<tokio::net::TcpListener>,
    peers: Box<dyn Peers>,
    /// Until when no connection is taken.
    rests: Option<Moment>,
    bind: IpAddr,
    port: u16,
    next: u32,
    read: Box<[u8]>,
    filled: Vec<u8>,
    bell: Bell,
    shared: Arc<Shared>,
    began: Instant,
}

/// Runs until it is over.
pub(super) async fn run(
    listener: Option<TcpListener>,
    bind: IpAddr,
    port: u16,
    peers: Box<dyn Peers>,
    bell: Bell,
    shared: Arc<Shared>,
) {
    let listener = listener.map(tokio::net::TcpListener::from_std).and_then(|listener| {
        listener.inspect_err(|error| tracing::error!(%error, "the listener does not work")).ok()
    });
    let mut turning = Turning {
        connections: Vec::with_capacity(MAX_CONNECTIONS),
        listener,
        peers,
        rests: None,
        bind,
        port,
        next: FIRST_ACCEPTED,
        read: vec![0; BUFFER_BYTES].into(),
        filled: Vec::with_capacity(BUFFER_BYTES + BUFFER_BYTES / 8),
        bell,
        shared,
        began: Instant::now(),
    };
    let mut timer = pin!(sleep_until(turning.began));
    // Its turns are bounded by themselves.
    let turns = async {
        while !turning.shared.is_over.load(Ordering::SeqCst) {
            poll_fn(|context| turning.turn(context, timer.as_mut())).await;
            // What the system has to say is heard before the next.
            yield_now().await;
        }
    };
    unconstrained(turns).await;
}

impl Turning {
    fn now(&self) -> Moment {
        Moment::from_micros(self.began.elapsed().as_micros() as u64)
    }

    /// Ready where there may be more to do at once.
    fn turn(&mut self, context: &mut Context<'_>, timer: Pin<&mut Sleep>) -> Poll<()> {
        self.bell.heard(context.waker());
        if self.shared.is_over.load(Ordering::SeqCst) {
            return Poll::Ready(());
        }
        let now = self.now();
        let mut again = self.accept(context, now);
        for at in 0..self.connections.len() {
            let look = self.connections[at].read(context, now, &mut self.read, &mut *self.peers);
            again |= self.took(at, look, now);
        }
        self.peers.poll(now);
        again |= self.obey(now);
        for at in 0..self.connections.len() {
            let look = self.connections[at].write(context, now, &mut self.filled, &mut *self.peers);
            again |= self.took(at, look, now);
        }
        again |= self.obey(now);
        self.connections.retain(|connection| !connection.is_over());
        self.shared.cpu_nanos.store(thread_cpu_nanos(), Ordering::Relaxed);
        if again || self.is_due(context, timer) { Poll::Ready(()) } else { Poll::Pending }
    }

    /// Whether something is due already; the timer is set if not.
    fn is_due(&self, context: &mut Context<'_>, mut timer: Pin<&mut Sleep>) -> bool {
        let due = self.peers.next_due().into_iter().chain(self.rests).min();
        let Some(at) = due.and_then(|due| self.began.checked_add(Duration::from_micros(due.as_micros())))
        else {
            return false;
        };
        if timer.deadline() != at {
            timer.as_mut().reset(at);
        }
        timer.poll(context).is_ready()
    }

    /// Whether there may be more to do at once, after that look at a connection.
    fn took(&mut self, at: usize, look: Look, now: Moment) -> bool {
        if look == Look::Ended {
            let connection = &mut self.connections[at];
            connection.close();
            self.peers.closed(now, connection.number);
        }
        look != Look::Waits
    }

    fn accept(&mut self, context: &mut Context<'_>, now: Moment) -> bool {
        if self.rests.is_some_and(|until| now < until) {
            return false;
        }
        self.rests = None;
        let Some(listener) = &self.listener else {
            return false;
        };
        for _ in 0..ACCEPTS {
            match listener.poll_accept(context) {
                Poll::Pending => return false,
                Poll::Ready(Ok((socket, from))) => {
                    if self.connections.len() >= MAX_CONNECTIONS {
                        self.shared.refused.fetch_add(1, Ordering::Relaxed);
                        continue;
                    }
                    let number = self.next;
                    self.next = self.next.checked_add(1).unwrap_or(FIRST_ACCEPTED);
                    if self.peers.accepted(now, number, canonical(from).ip()) {
                        self.connections.push(Connection::accepted(number, socket));
                    }
                }
                Poll::Ready(Err(error)) => {
                    self.shared.refused.fetch_add(1, Ordering::Relaxed);
                    tracing::debug!(%error, "a connection could not be taken");
                    self.rests = Some(now.plus(ACCEPT_PAUSE_MICROS));
                    return false;
                }
            }
        }
        true
    }

    /// Does what is commanded; whether anything was.
    fn obey(&mut self, now: Moment) -> bool {
        let mut any = false;
        while let Some(command) = self.peers.next_command() {
            any = true;
            match command {
                Command::Connect(number, address) => {
                    let living = self.connections.iter().filter(|connection| !connection.is_over()).count();
                    if living >= MAX_CONNECTIONS {
                        self.shared.refused.fetch_add(1, Ordering::Relaxed);
                        self.peers.closed(now, number);
                    } else {
                        let to = SocketAddr::new(address, self.port);
                        self.connections.push(Connection::connect(number, self.bind, to));
                    }
                }
                Command::Close(number) => {
                    let closes = self.connections.iter_mut().find(|connection| connection.number == number);
                    if let Some(connection) = closes {
                        connection.close();
                    }
                }
            }
        }
        any
    }
}
