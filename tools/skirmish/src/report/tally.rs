//! What a machine sends, by kind of message: counted on its way to the network. Reads headers alone; knows no entry,
//! no connection and no tick beyond the one that it is told.

use mjolnir_engine_glue::transport::{NetEvent, Network, Transmits};
use mjolnir_wire::kinds::KINDS;
use mjolnir_wire::limits::HEADER_BYTES;
use mjolnir_wire::message::{MessageType, read_word};
use mjolnir_wire::{Kind, Moment, Tick};

/// Lines of a tally: every kind, and what is none.
const LINES: usize = KINDS.len() + 2;
/// The game's own packets: joining, the lobby, the clocks.
const PACKETS: usize = KINDS.len();
/// What has no header that can be read.
const OTHER: usize = KINDS.len() + 1;

/// What was sent of one kind, by datagrams and streams.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Bytes of its messages, their headers included.
    pub bytes: u32,
    /// Datagrams that carried it, alone or among others.
    pub datagrams: u32,
}

/// A kind's count for some ticks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// The last of the ticks.
    pub tick: Tick,
    /// The kind's line in a tally.
    pub line: u8,
    /// What was sent.
    pub count: Count,
}

/// What the lines of a tally are called.
pub fn name(line: u8) -> &'static str {
    match usize::from(line) {
        PACKETS => "the game's packets",
        OTHER => "other",
        // A batch's parts are counted by their own kinds: what is left is its header.
        line if KINDS.get(line).is_some_and(|info| info.kind == Kind::Batch) => "batch headers",
        line => KINDS.get(line).map_or("other", |info| info.name),
    }
}

/// A network that counts what goes through it. See the module's text.
#[derive(Debug)]
pub struct Tally<N> {
    network: N,
    counts: [Count; LINES],
    rows: Vec<Row>,
}

impl<N> Tally<N> {
    /// Around a network.
    pub fn new(network: N) -> Self {
        Self { network, counts: [Count::default(); LINES], rows: Vec::new() }
    }

    /// The network below.
    pub const fn network(&self) -> &N {
        &self.network
    }

    /// Puts down what was sent since this was last called as that tick's.
    pub fn close(&mut self, tick: Tick) {
        for (line, count) in self.counts.iter_mut().enumerate() {
            if *count != Count::default() {
                self.rows.push(Row { tick, line: line as u8, count: std::mem::take(count) });
            }
        }
    }

    /// All that was put down, by rising tick.
    pub fn take_rows(&mut self) -> Vec<Row> {
        std::mem::take(&mut self.rows)
    }

    fn datagram(&mut self, bytes: &[u8]) {
        let line = line_of(bytes);
        self.counts[line].datagrams += 1;
        if line != Kind::Batch.place() {
            self.counts[line].bytes += bytes.len() as u32;
            return;
        }
        let mut seen = [false; LINES];
        let (header, mut parts) = bytes.split_at(HEADER_BYTES.min(bytes.len()));
        self.counts[line].bytes += header.len() as u32;
        while let Some((length, rest)) = parts.split_first_chunk() {
            let length = usize::from(u16::from_le_bytes(*length)).min(rest.len());
            let line = rest.first().map_or(OTHER, |kind| place(*kind));
            self.counts[line].bytes += (2 + length) as u32;
            self.counts[line].datagrams += u32::from(!std::mem::replace(&mut seen[line], true));
            parts = &rest[length..];
        }
        self.counts[OTHER].bytes += parts.len() as u32;
    }

    fn stream(&mut self, mut bytes: &[u8]) {
        while !bytes.is_empty() {
            let length = match bytes.first_chunk().map(|word| read_word(*word)) {
                Some(Ok((_, length))) => length.min(bytes.len()),
                _ => bytes.len(),
            };
            let (message, rest) = bytes.split_at(length);
            self.counts[line_of(message)].bytes += length as u32;
            bytes = rest;
        }
    }
}

/// The line of a message that begins with its word.
fn line_of(message: &[u8]) -> usize {
    match message {
        [a, b, kind, ..] => match read_word([*a, *b]) {
            Ok((MessageType::Data, _)) => place(*kind),
            Ok((MessageType::Packet, _)) => PACKETS,
            _ => OTHER,
        },
        _ => OTHER,
    }
}

fn place(kind: u8) -> usize {
    Kind::new(kind).map_or(OTHER, Kind::place)
}

impl<N: Network> Network for Tally<N> {
    fn receive(&mut self, now: Moment, into: &mut dyn FnMut(NetEvent<'_>)) {
        self.network.receive(now, into);
    }

    fn send(&mut self, now: Moment, out: &Transmits) {
        out.datagrams().for_each(|(_, bytes)| self.datagram(bytes));
        out.writes().for_each(|(_, bytes)| self.stream(bytes));
        self.network.send(now, out);
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_engine_glue::transport::StreamId;
    use mjolnir_wire::batch::BatchWriter;
    use mjolnir_wire::message::word;

    use super::*;

    struct Nowhere;

    impl Network for Nowhere {
        fn receive(&mut self, _: Moment, _: &mut dyn FnMut(NetEvent<'_>)) {}
        fn send(&mut self, _: Moment, _: &Transmits) {}
    }

    /// Every byte stands in one line; a datagram counts for each kind in it, and for the batch once.
    #[test]
    fn bytes_are_counted_once_and_datagrams_by_kind() {
        let tick = Tick::new(7).unwrap();
        let mut writer = BatchWriter::new();
        writer.begin(tick);
        assert!(writer.push(Kind::Pings, &[], &[0; 4]) && writer.push(Kind::Pings, &[], &[0; 4]));
        assert!(writer.push(Kind::UnitStates, &[], &[0; 3]) && writer.push(Kind::Pings, &[], &[0; 4]));
        let batch = writer.finish().to_vec();
        let packet = [&word(MessageType::Packet, 5).unwrap()[..], &[1, 2, 3]].concat();
        let ready = [&word(MessageType::Data, 8).unwrap()[..], &[9, 0, 7, 0, 0, 0]].concat();

        let mut out = Transmits::new();
        let to = ([127, 0, 0, 1], 1).into();
        out.datagram(to, &batch);
        out.datagram(to, &packet);
        out.datagram(to, &[1]);
        out.write(StreamId(0), &packet);
        out.write(StreamId(0), &ready);
        let mut tally = Tally::new(Nowhere);
        tally.send(Moment::from_micros(0), &out);
        tally.close(tick);
        tally.close(tick.plus(1));

        let rows = tally.take_rows();
        let of = |line: usize| {
            let row = rows.iter().find(|row| usize::from(row.line) == line).unwrap();
            (row.count.bytes, row.count.datagrams)
        };
        assert_eq!(of(Kind::Batch.place()), (8, 1));
        assert_eq!(of(Kind::Pings.place()), (8 + 8 + 8 + 4, 1));
        assert_eq!(of(Kind::UnitStates.place()), (8 + 3, 1));
        assert_eq!(of(Kind::ClientReady.place()), (8, 0));
        assert_eq!((of(PACKETS), of(OTHER)), ((10, 1), (1, 1)));
        let all: u32 = rows.iter().map(|row| row.count.bytes).sum();
        assert_eq!(all as usize, batch.len() + 2 * packet.len() + 1 + ready.len());
        assert!(rows.iter().all(|row| row.tick == tick), "nothing was sent in the tick after");
    }

    #[test]
    fn each_line_has_a_name() {
        assert_eq!(name(Kind::UnitStates.place() as u8), "unit_states");
        assert_eq!(name(Kind::Batch.place() as u8), "batch headers");
        assert_eq!((name(PACKETS as u8), name(OTHER as u8)), ("the game's packets", "other"));
    }
}
