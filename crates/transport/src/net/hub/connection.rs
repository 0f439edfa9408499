//! One connection of the hub's: opening or open, what of its last frame has not left, and how much it takes at a time.

use core::net::{IpAddr, SocketAddr};
use core::pin::Pin;
use core::task::{Context, Poll};
use core::time::Duration;
use std::boxed::Box;
use std::io;
use std::vec::Vec;

use mjolnir_wire::Moment;
use socket2::{SockRef, TcpKeepalive};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpSocket, TcpStream};
use tokio::time::timeout;

use super::super::std;
use super::{BUFFER_BYTES, Peers};

/// How long a connection may take to open.
const CONNECT_LIMIT: Duration = Duration::from_secs(10);
/// Silence after which the system asks whether the other end still lives.
const KEEPALIVE: Duration = Duration::from_secs(15);
/// What was written and is not acknowledged for so long ends its connection.
#[cfg(target_os = "linux")]
const UNANSWERED: Duration = Duration::from_secs(30);
/// Bytes that the system holds for a connection to send. Measured on the loopback: with more, what is on its way no longer fits
/// the processor's caches, and a MiB costs half as much again; with less, turns are short. It is two milliseconds of 1 Gbit/s, more than a LAN's round trip.
const SEND_BUFFER_BYTES: usize = 256 * 1024;
/// Bytes asked of one fill at least, and what more is asked in: about a frame's worth.
const ROOM_LEAST: usize = 16 * 1024;

type Opening = Pin<Box<dyn Future<Output = io::Result<TcpStream>> + Send>>;

pub(super) struct Connection {
    pub(super) number: u32,
    state: State,
    /// What is to leave before anything is filled.
    tail: Vec<u8>,
    /// What is asked of the next fill: about what was taken of the one before, so that little is made for nothing.
    room: usize,
}

enum State {
    Opening(Opening),
    Open(TcpStream),
    Over,
}

/// What a look at a connection says of the turns after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Look {
    /// Nothing until the system says so.
    Waits,
    /// There may be more to do at once.
    Again,
    /// It has ended.
    Ended,
}

impl Connection {
    pub(super) fn accepted(number: u32, socket: TcpStream) -> Self {
        prepare(&socket);
        Self::new(number, State::Open(socket))
    }

    /// Opens one, from that address where it is one.
    pub(super) fn connect(number: u32, bind: IpAddr, to: SocketAddr) -> Self {
        let opening = async move {
            match timeout(CONNECT_LIMIT, open(bind, to)).await {
                Ok(socket) => socket,
                Err(_) => Err(io::ErrorKind::TimedOut.into()),
            }
        };
        Self::new(number, State::Opening(Box::pin(opening)))
    }

    const fn new(number: u32, state: State) -> Self {
        Self { number, state, tail: Vec::new(), room: BUFFER_BYTES }
    }

    pub(super) const fn is_over(&self) -> bool {
        matches!(self.state, State::Over)
    }

    /// Closes it: its bytes that have not left are lost.
    pub(super) fn close(&mut self) {
        (self.state, self.tail) = (State::Over, Vec::new());
    }

    /// Hands on what came, one buffer's worth at most.
    pub(super) fn read(
        &mut self,
        context: &mut Context<'_>,
        now: Moment,
        buffer: &mut [u8],
        peers: &mut dyn Peers,
    ) -> Look {
        let mut look = Look::Waits;
        if let State::Opening(opening) = &mut self.state {
            match opening.as_mut().poll(context) {
                Poll::Pending => return Look::Waits,
                Poll::Ready(Ok(socket)) => {
                    prepare(&socket);
                    self.state = State::Open(socket);
                    peers.connected(now, self.number);
                    look = Look::Again;
                }
                Poll::Ready(Err(error)) => {
                    tracing::debug!(%error, connection = self.number, "no connection");
                    return Look::Ended;
                }
            }
        }
        let State::Open(socket) = &mut self.state else {
            return Look::Waits;
        };
        let mut came = 0;
        while came < buffer.len() {
            // One read empties the system's buffer, mostly; then the look after it costs no system call.
            let mut into = ReadBuf::new(&mut buffer[came..]);
            match Pin::new(&mut *socket).poll_read(context, &mut into) {
                Poll::Pending => return look,
                Poll::Ready(Ok(())) if into.filled().is_empty() => return Look::Ended,
                Poll::Ready(Ok(())) => {
                    let bytes = into.filled();
                    came += bytes.len();
                    look = Look::Again;
                    peers.received(now, self.number, bytes);
                }
                Poll::Ready(Err(error)) => {
                    tracing::debug!(%error, connection = self.number, "a connection has ended");
                    return Look::Ended;
                }
            }
        }
        Look::Again
    }

    /// Writes what is left of a frame, then what is filled, until the system takes no more.
    pub(super) fn write(
        &mut self,
        context: &mut Context<'_>,
        now: Moment,
        filled: &mut Vec<u8>,
        peers: &mut dyn Peers,
    ) -> Look {
        let State::Open(socket) = &mut self.state else {
            return Look::Waits;
        };
        while !self.tail.is_empty() {
            match Pin::new(&mut *socket).poll_write(context, &self.tail) {
                Poll::Pending => return Look::Waits,
                Poll::Ready(Ok(bytes @ 1..)) => drop(self.tail.drain(..bytes)),
                Poll::Ready(_) => return Look::Ended,
            }
        }
        match socket.poll_write_ready(context) {
            Poll::Pending => return Look::Waits,
            Poll::Ready(Err(_)) => return Look::Ended,
            Poll::Ready(Ok(())) => {}
        }
        filled.clear();
        peers.fill(now, self.number, self.room, filled);
        if filled.is_empty() {
            return Look::Waits;
        }
        let bytes = match Pin::new(&mut *socket).poll_write(context, filled) {
            Poll::Pending => 0,
            Poll::Ready(Ok(bytes @ 1..)) => bytes,
            Poll::Ready(_) => return Look::Ended,
        };
        let kept = peers.wrote(now, self.number, bytes);
        self.tail.extend(filled[bytes..].iter().take(kept));
        if bytes == filled.len() {
            self.room = (self.room * 2).min(BUFFER_BYTES);
            return Look::Again;
        }
        self.room = bytes.clamp(ROOM_LEAST, BUFFER_BYTES).next_multiple_of(ROOM_LEAST);
        // So that the system tells when it takes more.
        match socket.poll_write_ready(context) {
            Poll::Pending => Look::Waits,
            Poll::Ready(Ok(())) => Look::Again,
            Poll::Ready(Err(_)) => Look::Ended,
        }
    }
}

async fn open(bind: IpAddr, to: SocketAddr) -> io::Result<TcpStream> {
    let socket = if to.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    if !bind.is_unspecified() {
        socket.bind(SocketAddr::new(bind, 0))?;
    }
    socket.connect(to).await
}

/// What both ends need: small frames leave at once, a dead end is noticed, and the system does not hold more than is good. Of one
/// that is gone already reading tells.
fn prepare(socket: &TcpStream) {
    let set = || {
        socket.set_nodelay(true)?;
        let socket = SockRef::from(socket);
        #[cfg(target_os = "linux")]
        socket.set_tcp_user_timeout(Some(UNANSWERED))?;
        socket.set_tcp_keepalive(&TcpKeepalive::new().with_time(KEEPALIVE))?;
        socket.set_send_buffer_size(SEND_BUFFER_BYTES)
    };
    if let Err(error) = set() {
        tracing::debug!(%error, "a connection's options could not be set");
    }
}

#[cfg(test)]
mod tests {
    use core::net::Ipv4Addr;

    use super::*;

    /// Both ends of a connection send small frames at once and give up a machine that sleeps.
    #[test]
    fn both_ends_have_their_options() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_io().build().unwrap();
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await.unwrap();
            let to = listener.local_addr().unwrap();
            let connected = open(Ipv4Addr::LOCALHOST.into(), to).await.unwrap();
            let (accepted, _) = listener.accept().await.unwrap();
            for socket in [connected, accepted] {
                assert!(!socket.nodelay().unwrap());
                prepare(&socket);
                assert!(socket.nodelay().unwrap());
                let socket = SockRef::from(&socket);
                assert!(socket.keepalive().unwrap());
                #[cfg(target_os = "linux")]
                assert_eq!(socket.tcp_user_timeout().unwrap(), Some(UNANSWERED));
            }
        });
    }
}
