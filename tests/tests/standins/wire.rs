//! What carries a stand-in's bytes: two sockets of an address of its own. Knows no message.

use std::io::{ErrorKind, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpStream, UdpSocket};
use std::time::Duration;

use socket2::{Domain, Protocol, Socket, Type};

use super::standin::Standin;

/// The port of a client's datagrams.
const CLIENT_PORT: u16 = 5151;

/// The longest wait for a datagram before the streams are looked at, which alone have something in a lobby.
const LOOK: Duration = Duration::from_millis(5);

/// The loopback address with that end.
pub(crate) fn loopback(third: u8, fourth: u8) -> IpAddr {
    Ipv4Addr::new(127, 0, third, fourth).into()
}

/// A stream to the host from that address, which does not wait.
pub(crate) fn stream_from(ip: IpAddr, host: SocketAddr) -> TcpStream {
    stream_with(ip, host, |_| {})
}

/// The same with options of its socket.
pub(crate) fn stream_with(ip: IpAddr, host: SocketAddr, options: impl FnOnce(&Socket)) -> TcpStream {
    let socket = Socket::new(Domain::for_address(host), Type::STREAM, Some(Protocol::TCP)).unwrap();
    options(&socket);
    socket.bind(&SocketAddr::new(ip, 0).into()).unwrap();
    socket.connect(&host.into()).unwrap();
    socket.set_tcp_nodelay(true).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket.into()
}

/// Datagrams of that address at a client's port; another where a game on this computer has it.
pub(crate) fn datagrams_of(ip: IpAddr) -> UdpSocket {
    let socket = UdpSocket::bind((ip, CLIENT_PORT)).or_else(|_| UdpSocket::bind((ip, 0))).unwrap();
    socket.set_nonblocking(true).unwrap();
    socket
}

/// Reads what has come of a stream; none once it has ended.
pub(crate) fn read_some(stream: &mut TcpStream, buffer: &mut [u8]) -> Option<usize> {
    match stream.read(buffer) {
        Ok(0) => None,
        Ok(length) => Some(length),
        Err(error) if error.kind() == ErrorKind::WouldBlock => Some(0),
        Err(_) => None,
    }
}

/// A stand-in with its sockets.
pub(crate) struct Wired {
    pub(crate) standin: Standin,
    pub(crate) is_closed: bool,
    stream: TcpStream,
    datagrams: UdpSocket,
    host: SocketAddr,
}

impl Wired {
    /// Connects it from that address.
    pub(crate) fn connect(standin: Standin, ip: IpAddr, host: SocketAddr) -> Self {
        let (stream, datagrams) = (stream_from(ip, host), datagrams_of(ip));
        datagrams.set_read_timeout(Some(LOOK)).unwrap();
        let mut wired = Self { standin, is_closed: false, stream, datagrams, host };
        wired.standin.opened();
        wired
    }

    /// Waits until a datagram has come, and no longer than [`LOOK`].
    pub(crate) fn wait(&self) {
        self.datagrams.set_nonblocking(false).unwrap();
        // What comes may end it, and so may anything else.
        let _ = self.datagrams.peek(&mut [0]);
        self.datagrams.set_nonblocking(true).unwrap();
    }

    /// Hears what has come, plays on by it, and says what it says.
    pub(crate) fn pump(&mut self, buffer: &mut [u8]) {
        while !self.is_closed {
            match read_some(&mut self.stream, buffer) {
                Some(0) => break,
                Some(length) => self.standin.hear_stream(&buffer[..length]),
                None => self.is_closed = true,
            }
        }
        while let Ok((length, from)) = self.datagrams.recv_from(buffer) {
            assert_eq!(from, self.host);
            self.standin.hear_datagram(&buffer[..length]);
        }
        self.standin.follow();
        let said = std::mem::take(&mut self.standin.said);
        if !self.is_closed {
            // What a socket does not take now would be lost; a stand-in says far less than it holds.
            let _ = self.stream.write_all(&said.stream);
        }
        for datagram in &said.datagrams {
            let _ = self.datagrams.send_to(datagram, self.host);
        }
    }
}
