//! Targets of the files of `wire` that lay structs out and check nothing in them: the direct reader and writer
//! beside the way by serde and bincode. Knows the structs' names alone.

use mjolnir_wire::layout::Plain;
use mjolnir_wire::{Error, Kind, Message, chat, cold, coop};
use mjolnir_wire::{rules, voice, votekick};

use super::entries::{comes_back, with_message};

/// A struct's readers and writers, on those bytes and on as many as it takes.
pub(super) fn held_both_ways<T: Plain>(
    bytes: &[u8],
    read: fn(&[u8]) -> Result<T, Error>,
    write: fn(&T, &mut Vec<u8>),
) {
    assert_eq!(read(bytes).is_err(), bytes.len() < T::SIZE, "all its bytes and no more are needed");
    assert_eq!(cold::decode::<T>(bytes).is_ok(), bytes.len() == T::SIZE, "bincode takes exactly its bytes");
    let mut whole = bytes.to_vec();
    whole.resize(T::SIZE, 0);
    let value = read(&whole).expect("as many bytes as it takes");
    let mut direct = Vec::new();
    write(&value, &mut direct);
    let oracle = cold::decode::<T>(&whole).and_then(|value| cold::encode(&value)).expect("the same");
    assert_eq!(direct, oracle, "the two ways differ");
    let mut again = Vec::new();
    write(&read(&direct).expect("what was written"), &mut again);
    assert_eq!(again, direct, "what was written reads as something else");
    let kept = whole.iter().zip(&direct).filter(|(_, written)| **written != 0);
    assert!(kept.into_iter().all(|(came, written)| came == written), "a byte became another");
}

macro_rules! both_ways {
    ($bytes:expr; $( $path:path ),+ $(,)?) => {
        { $( crate::fuzz::layouts::held_both_ways::<$path>($bytes, <$path>::read, <$path>::write); )+ }
    };
}
pub(super) use both_ways;

/// The bytes as each of those structs, and as a message of one of those kinds with each of its entries as such.
pub(super) fn structs(bytes: &[u8], kinds: &[Kind], each: impl Fn(&[u8])) {
    each(bytes);
    with_message(kinds, bytes, |message| {
        message.entries().for_each(&each);
        each(message.body);
    });
}

/// Kinds 83 to 85.
pub(super) fn chat(bytes: &[u8]) {
    structs(bytes, &[Kind::ChatUp, Kind::ChatDown, Kind::ChatConfig], |bytes| {
        both_ways!(bytes; chat::ChatLineEntry, chat::ChatConfigEntry);
        if let Ok(line) = chat::Line::read(bytes) {
            assert!(line.text.as_bytes().iter().all(|byte| matches!(byte, b' '..=b'~') && *byte != b'|'));
            assert_eq!(line.text.as_str().len(), line.text.as_bytes().len());
            comes_back(&line, chat::Line::write, chat::Line::read);
        }
        if let Ok(down) = chat::Down::read(bytes) {
            comes_back(&down, chat::Down::write, chat::Down::read);
        }
        if let Ok(settings) = chat::Settings::read(bytes) {
            comes_back(&settings, |settings, to| settings.write(to), chat::Settings::read);
        }
    });
}

/// Kinds 66, 68 to 72, 74, 76, 77.
pub(super) fn coop(bytes: &[u8]) {
    const KINDS: [Kind; 9] = [
        Kind::CoopPresentation,
        Kind::CoopDeviceGroups,
        Kind::CoopObjectNames,
        Kind::CoopSkipVote,
        Kind::CoopEvents,
        Kind::CoopObjectTransforms,
        Kind::CoopObjectLooks,
        Kind::CoopScreenEffect,
        Kind::CoopDeviceStates,
    ];
    structs(bytes, &KINDS, |bytes| {
        both_ways!(
            bytes;
            coop::CoopDeviceGroupEntry,
            coop::CoopDeviceStateEntry,
            coop::CoopEventEntry,
            coop::CoopObjectLookEntry,
            coop::CoopObjectNamesEntry,
            coop::CoopObjectTransformEntry,
            coop::CoopPresentationEntry,
            coop::CoopScreenEffectEntry,
            coop::CoopSkipVoteEntry,
        );
    });
}

/// Kind 90, whose message is exactly its bytes.
pub(super) fn rules(bytes: &[u8]) {
    structs(bytes, &[Kind::AimAssistPolicy], |bytes| both_ways!(bytes; rules::AimAssistPolicyEntry));
    with_message(&[Kind::AimAssistPolicy], bytes, |message| {
        assert_eq!(message.body.len(), rules::AimAssistPolicyEntry::SIZE);
        for policy in rules::AimAssistPolicy::read_all(message).flatten() {
            comes_back(&policy, |policy, to| policy.write(to), rules::AimAssistPolicy::read);
        }
    });
}

/// Kinds 80 to 82.
pub(super) fn voice(bytes: &[u8]) {
    structs(bytes, &[Kind::VoiceUp, Kind::VoiceDown, Kind::VoiceConfig], |bytes| {
        both_ways!(bytes; voice::VoiceConfigEntry, voice::VoiceDownHeader, voice::VoiceUpHeader);
    });
    with_message(&[Kind::VoiceUp, Kind::VoiceDown, Kind::VoiceConfig], bytes, |message| {
        let mut written = Vec::new();
        match message.kind {
            Kind::VoiceUp => {
                let Ok(frame) = voice::VoiceUp::read(message) else { return };
                frame.write(message.tick, &mut written);
                assert_eq!(Message::read(&written).and_then(|again| voice::VoiceUp::read(&again)), Ok(frame));
            }
            Kind::VoiceDown => {
                let Ok(frame) = voice::VoiceDown::read(message) else { return };
                frame.write(message.tick, &mut written);
                assert_eq!(
                    Message::read(&written).and_then(|again| voice::VoiceDown::read(&again)),
                    Ok(frame)
                );
            }
            _ => {
                for config in voice::VoiceConfig::read_all(message).flatten() {
                    written.clear();
                    config.write(&mut written);
                    assert_eq!(voice::VoiceConfig::read(&written), Ok(config));
                }
            }
        }
    });
}

/// Kinds 78 and 79.
pub(super) fn votekick(bytes: &[u8]) {
    structs(bytes, &[Kind::Votekick, Kind::VotekickStatus], |bytes| {
        both_ways!(bytes; votekick::VotekickEntry, votekick::VotekickStatusEntry);
    });
    with_message(&[Kind::Votekick, Kind::VotekickStatus], bytes, |message| {
        let mut written = Vec::new();
        if message.kind == Kind::Votekick {
            for vote in votekick::Votekick::read_all(message).flatten() {
                written.clear();
                vote.write(&mut written);
                assert_eq!(votekick::Votekick::read(&written), Ok(vote));
            }
            return;
        }
        for status in votekick::VotekickStatus::read_all(message).flatten() {
            written.clear();
            status.write(&mut written);
            assert_eq!(votekick::VotekickStatus::read(&written), Ok(status));
        }
    });
}
