//! The outbox's bytes for one machine, into what is to be sent, counted. Knows no session.

use core::net::SocketAddr;

use mjolnir_wire::batch::BatchWriter;
use mjolnir_wire::limits::HEADER_BYTES;
use mjolnir_wire::message::read_word;
use mjolnir_wire::{Machine, Outbox};

use crate::counters::Flow;
use crate::network::{StreamId, Transmits};

/// Appends a machine's reliable messages to its stream and says how many bytes they are.
pub(crate) fn stream(
    outbox: &Outbox,
    machine: Machine,
    stream: StreamId,
    sent: &mut Flow,
    out: &mut Transmits,
) -> usize {
    let mut messages = 0;
    let length = out.write_with(stream, |bytes| {
        let from = bytes.len();
        outbox.gather_stream(machine, bytes);
        messages = count_messages(&bytes[from..]);
    });
    sent.stream(length);
    sent.messages += messages;
    length
}

/// Appends a machine's datagrams.
pub(crate) fn datagrams(
    outbox: &Outbox,
    machine: Machine,
    to: SocketAddr,
    writer: &mut BatchWriter,
    sent: &mut Flow,
    out: &mut Transmits,
) {
    outbox.gather_datagrams(machine, writer, |bytes| {
        out.datagram(to, bytes);
        sent.datagram(bytes.len());
        sent.messages += count_parts(&bytes[HEADER_BYTES..]);
    });
}

fn count_messages(mut bytes: &[u8]) -> u64 {
    let mut count = 0;
    while let Some(word) = bytes.first_chunk()
        && let Ok((_, length)) = read_word(*word)
    {
        bytes = bytes.get(length..).unwrap_or_default();
        count += 1;
    }
    count
}

fn count_parts(mut bytes: &[u8]) -> u64 {
    let mut count = 0;
    while let Some(length) = bytes.first_chunk() {
        bytes = bytes.get(2 + usize::from(u16::from_le_bytes(*length))..).unwrap_or_default();
        count += 1;
    }
    count
}
