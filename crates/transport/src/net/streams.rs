//! The game's side of the streams: a table of those that are open, and what waits to be handed to their thread.
//! It takes no lock. Knows no socket and no message.

use core::sync::atomic::Ordering;
use core::time::Duration;
use std::io;
use std::net::UdpSocket;
use std::sync::mpsc::Receiver;
use std::vec::Vec;

use super::service::{Event, Link, MAX_STREAMS, Service, Task};
use super::std;
use super::wake::{self, Bell};
use crate::network::{NetEvent, StreamId, Transmits};

/// Bytes of one stream that wait to be written, at most. A session bounds its own queue far below; past this the
/// stream is closed, since what it has taken must neither grow without end nor have a gap.
pub const QUEUE_BYTES: usize = 8 * 1024 * 1024;
/// Events handed on in one call at most, so that a flood cannot hold the tick.
const EVENTS_PER_CALL: usize = 4096;
/// Bytes of one stream that are handed on in one call while its thread reads on. After them only what was read already
/// is: a peer that sends as fast as it can waits for the next call, and no other does.
pub const CALL_BYTES: usize = 64 * 1024;

#[derive(Debug)]
pub(super) struct Streams {
    /// By number modulo its size.
    open: Vec<Option<Stream>>,
    /// The places of those that are open, so that a call looks at no other.
    live: Vec<usize>,
    /// None only while it is dropped.
    service: Option<Service>,
    bell: Bell,
    /// Looked at while waiting and not handed on yet.
    next: Option<Event>,
    /// Closed here for want of room, to be told.
    overrun: Vec<StreamId>,
}

#[derive(Debug)]
struct Stream {
    id: StreamId,
    link: Link,
    /// What its thread had no place for yet.
    waiting: Vec<u8>,
    /// Bytes taken from the session and not written.
    unwritten: usize,
    /// Bytes handed on in this call, and chunks that its thread has back with the next.
    handed_on: usize,
    kept: Vec<Vec<u8>>,
}

impl Streams {
    pub(super) fn start(task: Task) -> io::Result<Self> {
        let (waker, bell) = wake::pair()?;
        let service = Some(Service::start(task, waker)?);
        let mut open = Vec::new();
        open.resize_with(MAX_STREAMS, || None);
        Ok(Self {
            open,
            live: Vec::with_capacity(MAX_STREAMS),
            service,
            bell,
            next: None,
            overrun: Vec::new(),
        })
    }

    pub(super) fn refused(&self) -> u64 {
        self.service.as_ref().map_or(0, |service| service.shared.refused.load(Ordering::Relaxed))
    }

    pub(super) fn cpu(&self) -> Duration {
        let nanos =
            self.service.as_ref().map_or(0, |service| service.shared.cpu_nanos.load(Ordering::Relaxed));
        Duration::from_nanos(nanos)
    }

    pub(super) fn receive(&mut self, into: &mut dyn FnMut(NetEvent<'_>)) {
        let Some(service) = &self.service else {
            return;
        };
        let open = &mut self.open;
        self.live.retain(|place| open[*place].is_some());
        for place in &self.live {
            let Some(stream) = &mut self.open[*place] else { continue };
            if stream.link.written.load(Ordering::Relaxed) > 0 {
                let bytes = stream.link.written.swap(0, Ordering::Relaxed);
                stream.unwritten -= bytes;
                into(NetEvent::Written { stream: stream.id, bytes });
            }
            stream.hand_over(&service.spares);
            stream.handed_on = 0;
            for chunk in stream.kept.drain(..) {
                let _ = stream.link.chunks.try_send(chunk);
            }
        }
        for stream in self.overrun.drain(..) {
            into(NetEvent::Closed { stream });
        }
        for _ in 0..EVENTS_PER_CALL {
            let Some(event) = self.next.take().or_else(|| service.events.try_recv().ok()) else {
                return;
            };
            match event {
                Event::Opened(id, address, link) => {
                    self.open[place(id)] = Some(Stream::new(id, link));
                    if !self.live.contains(&place(id)) {
                        self.live.push(place(id));
                    }
                    into(NetEvent::Opened { stream: id, address });
                }
                Event::Bytes(id, mut bytes) => {
                    // Of a stream that was closed here, what was on its way is not told.
                    if let Some(stream) = find(&mut self.open, id) {
                        into(NetEvent::Bytes { stream: id, bytes: &bytes });
                        stream.handed_on += bytes.len();
                        bytes.clear();
                        if stream.handed_on < CALL_BYTES {
                            let _ = stream.link.chunks.try_send(bytes);
                        } else {
                            stream.kept.push(bytes);
                        }
                    }
                }
                Event::Closed(id) => {
                    if remove(&mut self.open, service, id).is_some() {
                        into(NetEvent::Closed { stream: id });
                    }
                }
                Event::Failed(id) => {
                    service.shared.give_back(place(id));
                    into(NetEvent::Closed { stream: id });
                }
            }
        }
    }

    pub(super) fn send(&mut self, out: &Transmits) {
        let Some(service) = &self.service else {
            return;
        };
        for (id, bytes) in out.writes() {
            let Some(stream) = find(&mut self.open, id) else {
                continue;
            };
            stream.unwritten += bytes.len();
            if stream.unwritten > QUEUE_BYTES {
                remove(&mut self.open, service, id);
                self.overrun.push(id);
                tracing::warn!(stream = id.0, "a stream that is not read was closed");
            } else {
                stream.waiting.extend_from_slice(bytes);
            }
        }
        for (id, _) in out.writes() {
            if let Some(stream) = find(&mut self.open, id) {
                stream.hand_over(&service.spares);
            }
        }
        for id in out.closes() {
            if let Some(stream) = remove(&mut self.open, service, id) {
                stream.end();
            }
        }
    }

    /// See [`super::Sockets::wait`].
    pub(super) fn wait(&mut self, socket: &UdpSocket, at_most: Duration) {
        let Some(service) = &self.service else {
            return;
        };
        service.shared.waker.arm();
        self.next = self.next.take().or_else(|| service.events.try_recv().ok());
        if self.next.is_none() && self.overrun.is_empty() {
            self.bell.wait(socket, at_most);
        }
        service.shared.waker.disarm();
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        let Some(Service { events, spares: _, stop, thread, shared: _ }) = self.service.take() else {
            return;
        };
        self.open.drain(..).flatten().for_each(Stream::end);
        // Its tasks wait for nothing of this side any more.
        drop((self.next.take(), events, stop));
        if thread.join().is_err() {
            tracing::error!("the streams' thread had panicked");
        }
    }
}

impl Stream {
    const fn new(id: StreamId, link: Link) -> Self {
        Self { id, link, waiting: Vec::new(), unwritten: 0, handed_on: 0, kept: Vec::new() }
    }

    /// Gives what waits to the streams' thread if that has a place for it, in one piece: one segment, if it fits.
    fn hand_over(&mut self, spares: &Receiver<Vec<u8>>) {
        if self.waiting.is_empty() || self.link.writes.capacity() == 0 {
            return;
        }
        let bytes = core::mem::replace(&mut self.waiting, spares.try_recv().unwrap_or_default());
        // Refused only where its writing ended by an error, which its reading tells.
        let _ = self.link.writes.try_send(bytes);
    }

    /// Lets it end once all that was written to it has left.
    fn end(self) {
        if !self.waiting.is_empty() {
            let _ = self.link.last.send(self.waiting);
        }
    }
}

const fn place(id: StreamId) -> usize {
    id.0 as usize % MAX_STREAMS
}

fn find(open: &mut [Option<Stream>], id: StreamId) -> Option<&mut Stream> {
    open[place(id)].as_mut().filter(|stream| stream.id == id)
}

fn remove(open: &mut [Option<Stream>], service: &Service, id: StreamId) -> Option<Stream> {
    find(open, id)?;
    service.shared.give_back(place(id));
    open[place(id)].take()
}
