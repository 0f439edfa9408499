//! The client's half: what it tells, and what it makes of what it is told.

use mjolnir_anticheat::Client;
use mjolnir_wire::framing::StreamReader;
use mjolnir_wire::identity::Identity;
use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::votekick::VotekickStatus;
use mjolnir_wire::{BatchWriter, Kind, Machine, Message, Moment, Outbox, Slot, Tick};

use super::scene::slot;

/// The kinds of what its host hears of a tick, by the stream alone.
fn told(client: &mut Client, who: Identity) -> Vec<Kind> {
    let mut outbox = Outbox::new();
    outbox.begin(Tick::ZERO, 0);
    client.tell(who, &mut outbox);
    outbox.gather_datagrams(Machine::HOST, &mut BatchWriter::new(), |_| panic!("by a datagram"));
    let (mut reader, mut bytes, mut kinds) = (StreamReader::new(), Vec::new(), Vec::new());
    outbox.gather_stream(Machine::HOST, &mut bytes);
    reader.push(&bytes);
    while let Some((_, bytes)) = reader.next_message().unwrap() {
        kinds.push(Message::read(bytes).unwrap().kind);
    }
    kinds
}

/// CHEAT-19, 30: who its player is leaves first and once, and a vote with the next tick; one within a second of the last is none.
#[test]
fn a_client_says_who_it_is_and_votes() {
    let mut client = Client::new();
    let who = Identity::new("7", "Zed");
    let at = Moment::from_millis(9_000);
    assert!(client.ask_vote(at, slot(3)) && !client.ask_vote(at.plus(999_999), slot(4)));
    assert_eq!(told(&mut client, who), [Kind::ClientIdentity, Kind::Votekick]);
    assert_eq!(told(&mut client, who), []);
    assert!(client.ask_vote(at.plus(1_000_000), slot(4)));
    assert_eq!(told(&mut client, who), [Kind::Votekick]);
    assert_eq!(told(&mut client, Identity::NONE), [Kind::ClientIdentity]);
}

/// CHEAT-39, 48: it is blocked until it is told, and knows of a vote for three seconds.
#[test]
fn a_client_goes_by_what_it_is_told() {
    let mut client = Client::new();
    assert_eq!(client.policy(), AimAssistPolicy::Blocked);
    client.handle_policy(AimAssistPolicy::Allowed);
    assert_eq!(client.policy(), AimAssistPolicy::Allowed);
    let at = Moment::from_millis(9_000);
    let status = VotekickStatus { slot: Slot::new(3), votes: 1, needed: 2, ..VotekickStatus::default() };
    assert_eq!(client.vote(at), None);
    client.handle_status(at, status);
    assert_eq!(client.vote(at.plus(2_999_999)), Some(status));
    assert_eq!(client.vote(at.plus(3_000_000)), None);
    client.handle_status(at, VotekickStatus::default());
    assert_eq!(client.vote(at), None);
}
