//! What is refused, counted by its reason, and told of while somebody writes down what becomes of the messages. Knows
//! no reason but one.

use mjolnir_transport::trace::{Fate, TRACED_KEPT, Traced};
use mjolnir_transport::{Reasons, Received};
use mjolnir_wire::MessageType;
use mjolnir_wire::limits::HEADER_BYTES;

/// A kind whose crate is not assembled yet: refused, and counted so.
pub(crate) const NOT_YET: &str = "not_handled";

/// See the file's text.
#[derive(Debug, Default)]
pub(crate) struct Refusing {
    reasons: Reasons,
    /// The message that is being heard, while it is asked for.
    heard: Option<Traced>,
    traced: Option<Vec<Traced>>,
}

impl Refusing {
    /// Everything refused so far, by reason.
    pub(crate) const fn reasons(&self) -> &Reasons {
        &self.reasons
    }

    /// Keeps from now on which message's entry was refused.
    pub(crate) fn begin_trace(&mut self) {
        self.traced.get_or_insert_default();
    }

    /// Moves what was kept to the end of `into`.
    pub(crate) fn take_traced(&mut self, into: &mut Vec<Traced>) {
        if let Some(traced) = &mut self.traced {
            into.append(traced);
        }
    }

    /// What is refused from now on is that message's.
    pub(crate) fn hearing(&mut self, received: &Received<'_>) {
        if self.traced.is_some() {
            let Received { from, channel, message } = received;
            self.heard = Some(Traced {
                fate: Fate::Received,
                machine: Some(*from),
                channel: *channel,
                of: Some(MessageType::Data),
                number: Some(message.kind as u8),
                count: Some(message.count),
                stamp: Some(message.tick),
                bytes: HEADER_BYTES + message.body.len(),
            });
        }
    }

    /// Every message was heard.
    pub(crate) const fn heard_all(&mut self) {
        self.heard = None;
    }

    pub(crate) fn count(&mut self, reason: &'static str) {
        self.reasons.count(reason);
        if let (Some(traced), Some(heard)) = (&mut self.traced, self.heard)
            && traced.len() < TRACED_KEPT
        {
            traced.push(Traced { fate: Fate::EntryRefused(reason), ..heard });
        }
    }
}

pub(crate) fn count(refused: &mut Refusing, result: Result<(), &'static str>) {
    if let Err(reason) = result {
        refused.count(reason);
    }
}

/// Takes one entry, or counts why it was refused.
pub(crate) fn take<T>(
    refused: &mut Refusing,
    entry: Result<T, mjolnir_wire::Error>,
    handle: impl FnOnce(T) -> Result<(), &'static str>,
) {
    let handled = match entry {
        Ok(entry) => handle(entry),
        Err(error) => Err(error.reason()),
    };
    count(refused, handled);
}
