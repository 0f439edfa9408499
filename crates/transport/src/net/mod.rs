//! Real sockets: the one part of this crate that knows the operating system. Datagrams are read and written on
//! the calling thread, without waiting and many in one call; streams live on a thread of their own. Knows no
//! message and no machine of the game.

extern crate std;

mod datagrams;
mod hub;
mod searcher;
mod service;
mod streams;
mod wake;

use core::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use core::time::Duration;
use std::io;
use std::net::{TcpListener, UdpSocket};

use mjolnir_wire::Moment;
use mjolnir_wire::limits::CLIENT_PORT;
use socket2::{Domain, Protocol, Socket, Type};

use self::datagrams::Datagrams;
use self::service::Task;
use self::streams::Streams;
use crate::network::{NetEvent, Network, Transmits};

pub use self::datagrams::Counts as DatagramCounts;
pub use self::hub::{
    BUFFER_BYTES, Bell, Command, FIRST_ACCEPTED, Hub, MAX_CONNECTIONS, Options as HubOptions, Peers,
};
pub use self::searcher::{Searcher, network_broadcasts, own_address};
pub use self::streams::{CALL_BYTES, QUEUE_BYTES};

/// Bytes asked for each UDP buffer: a second of 128 machines' datagrams at a full one each a tick. The system
/// may give less.
const UDP_BUFFER_BYTES: usize = 4 * 1024 * 1024;
/// Connections that may wait to be accepted.
const BACKLOG: i32 = 128;
/// How often a free TCP port is tried whose UDP twin may be taken.
const PORT_TRIES: u32 = 32;

/// One machine's sockets: datagrams, and streams as a host (taken from a listener) or a client (one, to its
/// host). Dropping it sends what its streams still hold, for at most a second, and closes them.
#[derive(Debug)]
pub struct Sockets {
    datagrams: Datagrams,
    streams: Streams,
    local: SocketAddr,
}

impl Sockets {
    /// A host's: TCP and UDP at the same address and port (NET-50). Port 0 takes one that is free for both; the
    /// address `::` takes IPv4 too.
    ///
    /// # Errors
    ///
    /// As the system gives them; `AddrInUse` where another process has the port, on either protocol.
    pub fn listen(bind: SocketAddr) -> io::Result<Self> {
        let mut tries = if bind.port() == 0 { PORT_TRIES } else { 1 };
        let (listener, socket) = loop {
            tries -= 1;
            let listener = bind_listener(bind)?;
            let same = SocketAddr::new(bind.ip(), listener.local_addr()?.port());
            match bind_datagrams(same) {
                Ok(socket) => break (listener, socket),
                Err(error) if error.kind() == io::ErrorKind::AddrInUse && tries > 0 => {}
                Err(error) => return Err(error),
            }
        };
        Self::start(socket, Task::Listen(listener))
    }

    /// A client's: UDP at [`CLIENT_PORT`] if it is free, else at any port (NET-50), and a stream to the host,
    /// opened in the background: `Opened` or `Closed` tells how it went, within ten seconds. `bind` is the
    /// address that all of its sockets use (NET-52).
    ///
    /// # Errors
    ///
    /// As the system gives them, for its own sockets; a host that does not answer is no error but `Closed`.
    pub fn connect(host: SocketAddr, bind: Option<IpAddr>) -> io::Result<Self> {
        let any = match host {
            SocketAddr::V4(_) => IpAddr::V4(Ipv4Addr::UNSPECIFIED),
            SocketAddr::V6(_) => IpAddr::V6(Ipv6Addr::UNSPECIFIED),
        };
        let socket = bind_client(bind.unwrap_or(any))?;
        Self::start(socket, Task::Connect { host, bind })
    }

    fn start(socket: UdpSocket, task: Task) -> io::Result<Self> {
        let local = socket.local_addr()?;
        Ok(Self { datagrams: Datagrams::new(socket)?, streams: Streams::start(task)?, local })
    }

    /// The address of its datagrams and, for a host, of its listener.
    pub const fn local_address(&self) -> SocketAddr {
        self.local
    }

    /// What became of its datagrams.
    pub const fn datagram_counts(&self) -> DatagramCounts {
        self.datagrams.counts()
    }

    /// Connections that were turned away because too many were open, or that could not be taken.
    pub fn refused_connections(&self) -> u64 {
        self.streams.refused()
    }

    /// Processor time that the streams' thread has used, where the platform tells.
    pub fn stream_cpu(&self) -> Duration {
        self.streams.cpu()
    }

    /// Waits until something can be received, at most so long. For a loop between two ticks; a wait may end
    /// early without a reason.
    pub fn wait(&mut self, at_most: Duration) {
        self.streams.wait(self.datagrams.socket(), at_most);
    }
}

impl Network for Sockets {
    fn receive(&mut self, _now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        // Streams first: their stamps are what the clock follows.
        self.streams.receive(into);
        self.datagrams.receive(into);
    }

    fn send(&mut self, _now: Moment, out: &Transmits) {
        self.datagrams.send(out.datagrams());
        self.streams.send(out);
    }
}

fn bind_listener(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = Socket::new(Domain::for_address(address), Type::STREAM, Some(Protocol::TCP))?;
    if address.is_ipv6() {
        socket.set_only_v6(false)?;
    }
    // So that a host may come again at once: connections of its last game may still be ending. On Windows the
    // option means something else, a second listener.
    #[cfg(unix)]
    socket.set_reuse_address(true)?;
    socket.bind(&address.into())?;
    socket.listen(BACKLOG)?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}

/// A client's datagrams: a port that is taken gives way to another (NET-50).
fn bind_client(ip: IpAddr) -> io::Result<UdpSocket> {
    bind_datagrams(SocketAddr::new(ip, CLIENT_PORT)).or_else(|_| bind_datagrams(SocketAddr::new(ip, 0)))
}

fn bind_datagrams(address: SocketAddr) -> io::Result<UdpSocket> {
    let socket = Socket::new(Domain::for_address(address), Type::DGRAM, Some(Protocol::UDP))?;
    if address.is_ipv6() {
        socket.set_only_v6(false)?;
    }
    // Searches and advertisements go to the broadcast address. A socket of both families may not reach it everywhere,
    // and plays without.
    let broadcasts = socket.set_broadcast(true);
    if address.is_ipv4() {
        broadcasts?;
    }
    // A smaller buffer is a risk of loss and no reason not to play.
    let _ = socket.set_recv_buffer_size(UDP_BUFFER_BYTES);
    let _ = socket.set_send_buffer_size(UDP_BUFFER_BYTES);
    socket.bind(&address.into())?;
    socket.set_nonblocking(true)?;
    Ok(socket.into())
}
