//! A machine's network in the lab: the fault model around the simulated one, with what a test needs beside it: what
//! passed, what is forged, what is lost. Knows no message.

use std::cell::RefCell;
use std::fmt;
use std::net::SocketAddr;
use std::rc::Rc;

use mjolnir_engine_glue::transport::impair::{Faults, Impair, Impaired};
use mjolnir_engine_glue::transport::simulated::SimulatedEndpoint;
use mjolnir_engine_glue::transport::{NetEvent, Network, StreamId, Transmits};
use mjolnir_wire::Moment;
use mjolnir_wire::framing::StreamReader;

use crate::cheat::Forger;
use crate::seen::{Passed, Way};

/// A thing that the netcode asked of its network or its engine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The network was asked what came.
    Receive,
    /// The network was given datagrams of the tick.
    Send,
    /// The local players' controls were read.
    Control,
    /// A unit was given its input.
    Drive,
    /// The engine simulated a tick.
    Simulate,
    /// The players' rows were read.
    Read,
    /// A unit was put where its client, or its host, has it.
    Place,
    /// The engine was asked what it made and deleted.
    Objects,
}

/// The steps of a machine, in order; shared between its engine and its network.
pub type Trace = Rc<RefCell<Vec<Step>>>;

/// Where steps are noted, if they are.
#[derive(Clone, Debug, Default)]
pub struct Traced(Option<Trace>);

impl Traced {
    /// Notes steps from now on.
    pub fn begin(&mut self) -> Trace {
        Rc::clone(self.0.get_or_insert_default())
    }

    pub(crate) fn note(&self, step: Step) {
        if let Some(trace) = &self.0 {
            trace.borrow_mut().push(step);
        }
    }
}

/// What becomes of a datagram that came.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is heard.
    Heard,
    /// It is lost after all.
    Lost,
    /// This is heard in its place.
    Instead(Vec<u8>),
}

/// Decides of each datagram that comes what becomes of it.
type Meddler = Box<dyn FnMut(Moment, &[u8]) -> Fate>;

/// Decides of each message that comes by the stream what is heard in its place, one after another.
type StreamMeddler = Box<dyn FnMut(&[u8]) -> Vec<Vec<u8>>>;

/// See the module's text.
pub struct Link {
    below: Impaired<SimulatedEndpoint>,
    forged: Vec<(SocketAddr, Vec<u8>)>,
    log: Option<Vec<Passed>>,
    meddler: Option<Meddler>,
    stream_meddler: Option<(StreamReader, StreamMeddler)>,
    writes: Option<Vec<(StreamId, Vec<u8>)>>,
    /// The stream that was opened last, and to whom.
    opened: Option<(StreamId, SocketAddr)>,
    /// What goes besides, with what is sent next.
    besides: Transmits,
    pub(crate) traced: Traced,
    /// What its machine does to what it sends, if it lies.
    pub(crate) forger: Option<Forger>,
}

impl fmt::Debug for Link {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Link").field("below", &self.below).finish_non_exhaustive()
    }
}

impl Link {
    pub(crate) fn new(below: Impaired<SimulatedEndpoint>) -> Self {
        Self {
            below,
            forged: Vec::new(),
            log: None,
            meddler: None,
            stream_meddler: None,
            writes: None,
            opened: None,
            besides: Transmits::new(),
            traced: Traced::default(),
            forger: None,
        }
    }

    /// What goes wrong with what this machine receives, as it is now.
    pub const fn faults(&self) -> Faults {
        self.below.faults()
    }

    /// What goes wrong with what this machine receives.
    pub const fn impair(&mut self) -> &mut Impair {
        self.below.impair()
    }

    /// Where this machine's datagrams come from.
    pub fn address(&self) -> SocketAddr {
        self.below.network().address()
    }

    /// A datagram that this machine gets as if it came from there.
    pub fn forge(&mut self, from: SocketAddr, bytes: &[u8]) {
        self.forged.push((from, bytes.to_vec()));
    }

    /// Sends that datagram besides, to where this machine's one stream goes: a client's, to its host.
    pub fn send_besides(&mut self, bytes: &[u8]) {
        if let Some((_, to)) = self.opened {
            self.besides.datagram(to, bytes);
        }
    }

    /// Writes that whole message besides, to this machine's one stream.
    pub fn write_besides(&mut self, bytes: &[u8]) {
        if let Some((stream, _)) = self.opened {
            self.besides.write(stream, bytes);
        }
    }

    /// Asked of each datagram that comes, when it comes.
    pub fn meddle(&mut self, meddler: impl FnMut(Moment, &[u8]) -> Fate + 'static) {
        self.meddler = Some(Box::new(meddler));
    }

    /// Every datagram that comes is heard as it is.
    pub fn meddle_no_more(&mut self) {
        self.meddler = None;
    }

    /// Asked of each message that comes by this machine's one stream: a client's.
    pub fn meddle_with_stream(&mut self, meddler: impl FnMut(&[u8]) -> Vec<Vec<u8>> + 'static) {
        self.stream_meddler = Some((StreamReader::new(), Box::new(meddler)));
    }

    /// Keeps what is written to streams from now on, for [`Link::take_writes`].
    pub fn keep_writes(&mut self) {
        self.writes = Some(Vec::new());
    }

    /// What was written to streams since this was last asked.
    pub fn take_writes(&mut self) -> Vec<(StreamId, Vec<u8>)> {
        self.writes.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Keeps what passes from now on; what was kept is forgotten.
    pub fn listen(&mut self) {
        self.log = Some(Vec::new());
    }

    /// Whether what passes is kept.
    pub const fn listens(&self) -> bool {
        self.log.is_some()
    }

    /// What passed since [`Link::listen`].
    pub fn passed(&self) -> &[Passed] {
        self.log.as_deref().unwrap_or_default()
    }
}

impl Network for Link {
    fn receive(&mut self, now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        let Self { below, forged, log, meddler, stream_meddler, opened, traced, forger, .. } = self;
        traced.note(Step::Receive);
        let mut hear = |event: NetEvent<'_>| {
            if let NetEvent::Opened { stream, address } = event {
                *opened = Some((stream, address));
            }
            let fate = match (&event, meddler.as_mut()) {
                (NetEvent::Datagram { bytes, .. }, Some(meddler)) => meddler(now, bytes),
                _ => Fate::Heard,
            };
            let event = match (&fate, event) {
                (Fate::Heard, event) => event,
                (Fate::Instead(bytes), NetEvent::Datagram { from, .. }) => NetEvent::Datagram { from, bytes },
                _ => return,
            };
            if let (Some(forger), NetEvent::Datagram { bytes, .. }) = (forger.as_mut(), &event) {
                forger.hear(bytes);
            }
            if let Some(log) = log {
                log.push(Passed::came(now, &event));
            }
            let (NetEvent::Bytes { stream, bytes }, Some((reader, meddler))) =
                (&event, stream_meddler.as_mut())
            else {
                return into(event);
            };
            reader.push(bytes);
            while let Ok(Some((_, message))) = reader.next_message() {
                for bytes in meddler(message) {
                    into(NetEvent::Bytes { stream: *stream, bytes: &bytes });
                }
            }
        };
        for (from, bytes) in forged.drain(..) {
            hear(NetEvent::Datagram { from, bytes: &bytes });
        }
        below.receive(now, &mut hear);
    }

    fn send(&mut self, now: Moment, out: &Transmits) {
        let forged = self.forger.as_mut().map(|forger| forger.send(out));
        let out = forged.as_ref().unwrap_or(out);
        if out.datagrams().next().is_some() {
            self.traced.note(Step::Send);
        }
        if let Some(log) = &mut self.log {
            let datagrams = out.datagrams().map(|(peer, bytes)| Passed::datagram(now, Way::Out, peer, bytes));
            log.extend(datagrams);
            log.extend(out.writes().map(|(stream, bytes)| Passed::stream(now, Way::Out, stream, bytes)));
        }
        if let Some(writes) = &mut self.writes {
            writes.extend(out.writes().map(|(stream, bytes)| (stream, bytes.to_vec())));
        }
        self.below.send(now, out);
        if !self.besides.is_empty() {
            self.below.send(now, &self.besides);
            self.besides.clear();
        }
    }
}
