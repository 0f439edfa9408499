//! The UDP socket, read and written many datagrams in one call. Knows no message.

use core::array;
use core::net::{Ipv6Addr, SocketAddr, SocketAddrV6};
use std::io::{self, IoSliceMut};
use std::net::UdpSocket;
use std::vec;
use std::vec::Vec;

use mjolnir_wire::address::canonical;
use mjolnir_wire::limits::{DATAGRAM_BYTES, MESSAGE_BYTES};
use quinn_udp::{BATCH_SIZE, RecvMeta, Transmit, UdpSockRef, UdpSocketState};
use socket2::SockRef;

use super::std;
use crate::network::NetEvent;

/// Datagrams handed on in one call at most, so that a flood cannot hold the tick; the rest wait in the system.
const RECEIVE_LIMIT: usize = 4096;
/// Failed reads in one call before it gives up until the next: a socket that only fails must not hold the tick.
const ERRORS_PER_CALL: usize = 64;
/// Datagrams of one system call to many peers.
const SEND_BATCH: usize = 32;
/// Room for what the system joins of one peer's datagrams, or for a datagram that is one byte too long.
const JOINED_BYTES: usize = 65535;
const LONGEST_BYTES: usize = MESSAGE_BYTES + 1;

/// What became of datagrams, since the socket was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Handed to the system.
    pub sent: u64,
    /// Handed on.
    pub received: u64,
    /// Not sent because longer than [`DATAGRAM_BYTES`].
    pub too_long: u64,
    /// Not sent because the system had no room.
    pub no_room: u64,
    /// Not sent for another reason, as a path that takes no datagram so long.
    pub send_errors: u64,
    /// Reads that failed, as when a peer's port is closed; reading goes on.
    pub receive_errors: u64,
    /// System calls that sent.
    pub send_calls: u64,
}

#[derive(Debug)]
pub(super) struct Datagrams {
    socket: UdpSocket,
    state: UdpSocketState,
    six: bool,
    buffer: Vec<u8>,
    buffer_bytes: usize,
    /// Several datagrams of one peer in a row, for one call.
    segments: Vec<u8>,
    counts: Counts,
}

/// The system had no room: what is left of this sending is dropped.
struct NoRoom;

impl Datagrams {
    pub(super) fn new(socket: UdpSocket) -> io::Result<Self> {
        let state = UdpSocketState::new(UdpSockRef::from(&socket))?;
        let six = socket.local_addr()?.is_ipv6();
        // Congestion marks cost a twelfth of a read and nobody here looks at them.
        let options = SockRef::from(&socket);
        let _ = if six { options.set_recv_tclass_v6(false) } else { options.set_recv_tos_v4(false) };
        let buffer_bytes = if state.gro_segments() > 1 { JOINED_BYTES } else { LONGEST_BYTES };
        let buffer = vec![0; buffer_bytes * BATCH_SIZE];
        let segments = Vec::with_capacity(JOINED_BYTES);
        Ok(Self { socket, state, six, buffer, buffer_bytes, segments, counts: Counts::default() })
    }

    pub(super) const fn socket(&self) -> &UdpSocket {
        &self.socket
    }

    pub(super) const fn counts(&self) -> Counts {
        self.counts
    }

    pub(super) fn receive(&mut self, into: &mut dyn FnMut(NetEvent<'_>)) {
        let (socket, state) = (&self.socket, &self.state);
        let read = |buffers: &mut [IoSliceMut<'_>], metas: &mut [RecvMeta]| {
            state.recv(UdpSockRef::from(socket), buffers, metas)
        };
        drain(&mut self.buffer, self.buffer_bytes, &mut self.counts, read, into);
    }

    /// Sends them in order: many peers' in one call where the platform can, several of one peer in a row
    /// segmented by it.
    pub(super) fn send<'a>(&mut self, datagrams: impl Iterator<Item = (SocketAddr, &'a [u8])>) {
        let mut batch = [(NOWHERE, [].as_slice()); SEND_BATCH];
        let mut filled = 0;
        let mut room = Ok(());
        for (to, bytes) in datagrams {
            if bytes.len() > DATAGRAM_BYTES {
                self.counts.too_long += 1;
                if self.counts.too_long.is_power_of_two() {
                    tracing::error!(
                        bytes = bytes.len(),
                        total = self.counts.too_long,
                        "datagram too long to send"
                    );
                }
                continue;
            }
            if room.is_err() {
                self.counts.no_room += 1;
                continue;
            }
            batch[filled] = (self.reachable(to), bytes);
            filled += 1;
            if filled == SEND_BATCH {
                room = self.send_batch(&batch);
                filled = 0;
            }
        }
        if room.is_ok() {
            let _ = self.send_batch(&batch[..filled]);
        }
    }

    fn send_batch(&mut self, batch: &[(SocketAddr, &[u8])]) -> Result<(), NoRoom> {
        let mut plain = 0;
        let mut at = 0;
        while at < batch.len() {
            let run = run(&batch[at..], self.state.max_gso_segments());
            if run > 1 {
                self.send_many(&batch[plain..at], batch.len() - plain)?;
                self.send_run(&batch[at..at + run], batch.len() - at)?;
                plain = at + run;
            }
            at += run;
        }
        self.send_many(&batch[plain..], batch.len() - plain)
    }

    /// One peer's datagrams, all but the last of one length, in one call. `left` are those that are lost with it
    /// if there is no room.
    fn send_run(&mut self, run: &[(SocketAddr, &[u8])], left: usize) -> Result<(), NoRoom> {
        let (to, first) = run[0];
        self.segments.clear();
        for (_, bytes) in run {
            self.segments.extend_from_slice(bytes);
        }
        let transmit = Transmit {
            destination: to,
            ecn: None,
            contents: &self.segments,
            segment_size: Some(first.len()),
            src_ip: None,
        };
        self.counts.send_calls += 1;
        match self.state.try_send(UdpSockRef::from(&self.socket), &transmit) {
            Ok(()) => {
                self.counts.sent += run.len() as u64;
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => self.no_room(left),
            // A device that cannot segment, or a path that takes no datagram so long: each for itself then.
            Err(_) => self.send_many(run, left),
        }
    }

    #[cfg(target_os = "linux")]
    fn send_many(&mut self, batch: &[(SocketAddr, &[u8])], left: usize) -> Result<(), NoRoom> {
        use std::io::IoSlice;

        use rustix::io::Errno;
        use rustix::net::{MMsgHdr, SendAncillaryBuffer, SendFlags, SocketAddrAny, sendmmsg};

        if batch.is_empty() {
            return Ok(());
        }
        let get = |index: usize| batch.get(index).copied().unwrap_or((NOWHERE, &[]));
        let addresses: [SocketAddrAny; SEND_BATCH] = array::from_fn(|index| get(index).0.into());
        let contents: [[IoSlice<'_>; 1]; SEND_BATCH] = array::from_fn(|index| [IoSlice::new(get(index).1)]);
        let mut controls: [SendAncillaryBuffer<'_, '_, '_>; SEND_BATCH] =
            array::from_fn(|_| Default::default());
        let mut index = 0;
        let mut headers = controls.each_mut().map(|control| {
            index += 1;
            MMsgHdr::new_with_addr(&addresses[index - 1], &contents[index - 1], control)
        });
        let mut done = 0;
        while done < batch.len() {
            self.counts.send_calls += 1;
            match sendmmsg(&self.socket, &mut headers[done..batch.len()], SendFlags::empty()) {
                Ok(sent) => {
                    done += sent;
                    self.counts.sent += sent as u64;
                }
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN | Errno::NOBUFS) => return self.no_room(left - done),
                Err(error) => {
                    self.failed(&error);
                    done += 1;
                }
            }
        }
        Ok(())
    }

    #[cfg(not(target_os = "linux"))]
    fn send_many(&mut self, batch: &[(SocketAddr, &[u8])], left: usize) -> Result<(), NoRoom> {
        for (done, (to, bytes)) in batch.iter().enumerate() {
            self.counts.send_calls += 1;
            match self.socket.send_to(bytes, to) {
                Ok(_) => self.counts.sent += 1,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return self.no_room(left - done),
                Err(error) => self.failed(&error),
            }
        }
        Ok(())
    }

    fn no_room(&mut self, left: usize) -> Result<(), NoRoom> {
        self.counts.no_room += left as u64;
        Err(NoRoom)
    }

    fn failed(&mut self, error: &dyn core::fmt::Display) {
        self.counts.send_errors += 1;
        if self.counts.send_errors.is_power_of_two() {
            tracing::warn!(%error, total = self.counts.send_errors, "datagram not sent");
        }
    }

    /// The address as this socket must name it: a socket of both families knows IPv4 only mapped.
    fn reachable(&self, to: SocketAddr) -> SocketAddr {
        match to {
            SocketAddr::V4(four) if self.six => {
                SocketAddrV6::new(four.ip().to_ipv6_mapped(), four.port(), 0, 0).into()
            }
            _ => to,
        }
    }
}

/// What stands where a batch has no datagram; nothing is ever sent there.
const NOWHERE: SocketAddr = SocketAddr::V6(SocketAddrV6::new(Ipv6Addr::UNSPECIFIED, 0, 0, 0));

/// How many datagrams from the first on can go in one call: to one peer, each as long as the first, of which
/// only the last may be shorter.
fn run(batch: &[(SocketAddr, &[u8])], most: usize) -> usize {
    let (to, first) = batch[0];
    if first.is_empty() {
        return 1;
    }
    let most = most.min(JOINED_BYTES / 2 / first.len()).max(1);
    let same = batch.iter().take(most).take_while(|(peer, bytes)| *peer == to && bytes.len() == first.len());
    let same = same.count();
    match batch.get(same) {
        Some((peer, bytes))
            if same < most && *peer == to && !bytes.is_empty() && bytes.len() < first.len() =>
        {
            same + 1
        }
        _ => same,
    }
}

/// Reads until nothing is left. No error ends it for good: on some platforms a closed port of one peer is told
/// as a failed read, and those of all others stand behind it.
fn drain(
    buffer: &mut [u8],
    buffer_bytes: usize,
    counts: &mut Counts,
    mut read: impl FnMut(&mut [IoSliceMut<'_>], &mut [RecvMeta]) -> io::Result<usize>,
    into: &mut dyn FnMut(NetEvent<'_>),
) {
    let (mut handed_on, mut errors) = (0, 0);
    let mut metas = [RecvMeta::default(); BATCH_SIZE];
    while handed_on < RECEIVE_LIMIT && errors < ERRORS_PER_CALL {
        let mut parts = buffer.chunks_exact_mut(buffer_bytes);
        let mut buffers: [_; BATCH_SIZE] =
            array::from_fn(|_| IoSliceMut::new(parts.next().unwrap_or_default()));
        let read = match read(&mut buffers, &mut metas) {
            Ok(read) => read,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
            Err(error) => {
                counts.receive_errors += 1;
                errors += 1;
                if counts.receive_errors.is_power_of_two() {
                    tracing::warn!(%error, total = counts.receive_errors, "datagram not read");
                }
                continue;
            }
        };
        for (meta, buffer) in metas[..read].iter().zip(&buffers) {
            let from = canonical(meta.addr);
            let joined = &buffer[..meta.len.min(buffer.len())];
            // An empty datagram has no stride, and no message either: it counts and goes no further.
            for bytes in joined.chunks(meta.stride.max(1)) {
                into(NetEvent::Datagram { from, bytes });
            }
            let came = joined.len().div_ceil(meta.stride.max(1)).max(1);
            handed_on += came;
            counts.received += came as u64;
        }
        // Where one call reads many, the socket was empty a moment ago: asking again would cost a call each tick.
        if cfg!(target_os = "linux") && read < BATCH_SIZE {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use core::net::Ipv4Addr;

    use super::*;

    const BYTES: usize = 64;

    fn peer(port: u16) -> SocketAddr {
        SocketAddr::new(Ipv4Addr::new(10, 0, 0, 1).into(), port)
    }

    /// After each kind of error 100 times, all that waits is still read and the loop lives.
    #[test]
    fn no_error_ends_reading() {
        use io::ErrorKind::{
            ConnectionRefused, ConnectionReset, Interrupted, NetworkUnreachable, OutOfMemory, WouldBlock,
        };
        let mut buffer = vec![0; BYTES * BATCH_SIZE];
        let mut counts = Counts::default();
        let mut heard = 0_u64;
        let kinds = [ConnectionReset, Interrupted, ConnectionRefused, NetworkUnreachable, OutOfMemory];
        for kind in kinds {
            for _ in 0..100 {
                let mut script = [Err(kind), Err(kind), Ok(()), Err(WouldBlock)].into_iter();
                let read = |buffers: &mut [IoSliceMut<'_>], metas: &mut [RecvMeta]| {
                    script.next().unwrap()?;
                    buffers[0][..3].copy_from_slice(b"abc");
                    (metas[0].addr, metas[0].len, metas[0].stride) = (peer(5), 3, 3);
                    Ok(1)
                };
                drain(&mut buffer, BYTES, &mut counts, read, &mut |event| {
                    assert_eq!(event, NetEvent::Datagram { from: peer(5), bytes: b"abc" });
                    heard += 1;
                });
            }
        }
        assert_eq!((heard, counts.received), (500, 500));
        assert_eq!(counts.receive_errors, 1000);
    }

    /// A socket that does nothing but fail ends a call, not the tick.
    #[test]
    fn endless_errors_end_a_call() {
        let mut buffer = vec![0; BYTES * BATCH_SIZE];
        let mut counts = Counts::default();
        let read = |_: &mut [IoSliceMut<'_>], _: &mut [RecvMeta]| Err(io::ErrorKind::ConnectionReset.into());
        drain(&mut buffer, BYTES, &mut counts, read, &mut |_| panic!("nothing came"));
        assert_eq!(counts.receive_errors, ERRORS_PER_CALL as u64);
    }

    /// What the system joined is taken apart again, the shorter last one too; mapped addresses are turned back.
    #[test]
    fn joined_datagrams_are_taken_apart() {
        let mut buffer = vec![0; BYTES * BATCH_SIZE];
        let mapped = SocketAddr::new(Ipv4Addr::new(10, 0, 0, 1).to_ipv6_mapped().into(), 5);
        let mut lengths = Vec::new();
        let mut counts = Counts::default();
        let read = |_: &mut [IoSliceMut<'_>], metas: &mut [RecvMeta]| {
            (metas[0].addr, metas[0].len, metas[0].stride) = (mapped, 50, 20);
            Ok(1)
        };
        drain(&mut buffer, BYTES, &mut counts, read, &mut |event| match event {
            NetEvent::Datagram { from, bytes } if from == peer(5) => lengths.push(bytes.len()),
            other => panic!("{other:?}"),
        });
        assert_eq!(lengths, [20, 20, 10]);
        assert_eq!(counts.received, 3);
    }

    #[test]
    fn a_run_is_one_peers_datagrams_of_one_length_and_a_shorter_last() {
        let bytes = [0; 1200];
        let to = |port, length: usize| (peer(port), &bytes[..length]);
        for (batch, most, expected) in [
            (vec![to(1, 9)], 64, 1),
            (vec![to(1, 9), to(2, 9)], 64, 1),
            (vec![to(1, 9), to(1, 10)], 64, 1),
            (vec![to(1, 9), to(1, 8), to(1, 8)], 64, 2),
            (vec![to(1, 9), to(1, 9), to(1, 9), to(2, 9)], 64, 3),
            (vec![to(1, 9), to(1, 9), to(1, 9)], 2, 2),
            (vec![to(1, 9), to(1, 9), to(1, 8)], 2, 2),
            (vec![to(1, 9), to(1, 0)], 64, 1),
            (vec![to(1, 0), to(1, 0)], 64, 1),
            (vec![to(1, 9), to(1, 9)], 1, 1),
            (vec![to(1, 1200); 32], 64, 27),
        ] {
            assert_eq!(
                run(&batch, most),
                expected,
                "{:?}",
                batch.iter().map(|d| d.1.len()).collect::<Vec<_>>()
            );
        }
    }
}
