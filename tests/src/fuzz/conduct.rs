//! Targets of the files of `anticheat` that read what others wrote: a list of bans, what a system says of its machine, commands
//! as they are typed. Each is held beside the plainest way to say the same. Knows no game.

use std::net::IpAddr;

use mjolnir_engine_glue::anticheat::bans::{MAX_LINE, Search, find};
use mjolnir_engine_glue::anticheat::command::{Command, complete};
use mjolnir_engine_glue::anticheat::smbios::{UUID_TEXT, system_uuid};
use mjolnir_engine_glue::anticheat::{HardwareId, sources};
use mjolnir_wire::address::household;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::{Machine, MachineSet, Slot};

/// Whom a list is asked about.
const ADDRESSES: [&str; 4] = ["", "1.2.3.4", "2001:db8:1:2::5", "::ffff:1.2.3.4"];
const IDS: [&[u8; 32]; 3] =
    [&[b'-'; 32], b"0123456789abcdef0123456789abcdef", b"fedcba98765432100123456789abcdef"];

/// A list, behind a byte that says whom it is asked about and one that says how long the pieces are in which it comes.
pub(super) fn bans(bytes: &[u8]) {
    let [whom, cut, text @ ..] = bytes else { return };
    let address: Option<IpAddr> = ADDRESSES[usize::from(whom & 3)].parse().ok();
    let hardware = HardwareId::heard(IDS[usize::from(whom >> 2) % IDS.len()]);
    let refuses = |line: &[u8]| {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        let value = |key: &[u8]| {
            let at = line.windows(key.len()).position(|window| window == key)? + key.len();
            let value = line[at..].split(|byte| b"\t \r".contains(byte)).next()?;
            std::str::from_utf8(value).ok().filter(|_| line.len() <= MAX_LINE)
        };
        let written = value(b"ip=").and_then(|value| value.parse().ok()).map(household);
        let id = value(b"hwid=").and_then(|value| HardwareId::heard(value.as_bytes().try_into().ok()?));
        written.is_some() && written == address.map(household) || id.is_some() && id == hardware
    };
    let wanted = text.split(|byte| *byte == b'\n').position(refuses).map(|at| at + 1);
    assert_eq!(find(text, address, hardware.as_ref()), wanted, "{address:?} {hardware:?}");
    let mut search = Search::new(address, hardware);
    text.chunks(usize::from(*cut) + 1).for_each(|piece| search.feed(piece));
    assert_eq!(search.end(), wanted, "in pieces of {}", usize::from(*cut) + 1);
    assert_eq!(find(text, None, None), None, "nobody is named");
}

/// A firmware's table and a text, or two texts, cut where the first byte says.
pub(super) fn machine_id(bytes: &[u8]) {
    let Some((cut, bytes)) = bytes.split_first() else { return };
    let (one, two) = bytes.split_at(usize::from(*cut).min(bytes.len()));
    let uuid = system_uuid(one);
    if let Some(text) = uuid {
        let is_whole = text.iter().enumerate().all(|(at, byte)| match at {
            8 | 13 | 18 | 23 => *byte == b'-',
            _ => matches!(byte, b'0'..=b'9' | b'A'..=b'F'),
        });
        assert!(is_whole && text.len() == UUID_TEXT, "{text:?}");
        let digits: Vec<u8> = text.iter().copied().filter(|byte| *byte != b'-').collect();
        assert!(digits.iter().any(|digit| *digit != b'0') && digits.iter().any(|digit| *digit != b'F'));
        // Its last eight bytes stand in the table as they are written.
        let tail: Vec<u8> = digits[16..].chunks(2).map(|two| value(two[0]) << 4 | value(two[1])).collect();
        assert!(one.windows(tail.len()).any(|window| window == tail));
        assert_eq!(system_uuid(&[one, two].concat()), uuid, "what is behind the table says nothing");
    }
    for text in [one, two] {
        let Some(told) = sources::told(text) else { continue };
        assert_eq!(sources::told(told), Some(told), "what is trimmed is trimmed");
        assert!(text.windows(told.len()).any(|window| window == told));
    }
    let of = |text: &[u8]| sources::told(text).and_then(HardwareId::of_machine);
    assert_eq!(sources::linux(one, two), of(one).or(of(two)));
    assert_eq!(sources::android(one), of(one));
    let by_firmware = uuid.and_then(|uuid| HardwareId::of_machine(&uuid));
    assert_eq!(sources::windows(one, two), by_firmware.or(of(two)));
}

fn value(digit: u8) -> u8 {
    char::from(digit).to_digit(16).map_or(0, |value| value as u8)
}

/// What is typed in 32 bytes, and the names that there are, of twelve units each.
pub(super) fn commands(bytes: &[u8]) {
    let (typed, names) = bytes.split_at(bytes.len().min(32));
    let typed = String::from_utf8_lossy(typed);
    let names: Vec<Name> = names
        .chunks_exact(24)
        .take(MAX_PLAYERS)
        .map(|bytes| {
            let units: Vec<u16> =
                bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
            Name::cut(&String::from_utf16_lossy(&units))
        })
        .collect();
    // Each machine has two, and every third has not joined.
    let players = || {
        let slots = (0..).map_while(|index| Some((Slot::new(index)?, Machine::new(index / 2)?)));
        slots.zip(&names).map(|((slot, machine), name)| (slot, machine, *name))
    };
    let joined: MachineSet = Machine::all().filter(|machine| machine.get() % 3 != 1).collect();
    if let Some(command) = Command::of(&typed) {
        assert!(typed.trim().ends_with(command.name));
        for own in [Machine::HOST, Machine::new(2).unwrap_or(Machine::HOST)] {
            let Ok(target) = command.whom(own, joined, players()) else { continue };
            assert!(players().any(|player| player == (target.slot, target.machine, target.name)));
            assert!(target.machine != own && joined.contains(target.machine));
            assert!(begins(&target.name.to_string(), command.name), "{:?} {:?}", target.name, command.name);
        }
    }
    let names: Vec<Name> = players().map(|(.., name)| name).collect();
    let alike: Vec<String> = names.iter().map(Name::to_string).filter(|name| begins(name, &typed)).collect();
    let completed = complete(&typed, names.iter().copied());
    assert_eq!(completed.is_some(), !alike.is_empty());
    let Some(completed) = completed else { return };
    assert!(begins(&completed, &typed) && alike.iter().all(|name| begins(name, &completed)));
    let next =
        |name: &String| name.chars().nth(completed.chars().count()).map(|next| next.to_ascii_lowercase());
    let is_as_long_as_it_can_be =
        alike.iter().any(|name| next(name).is_none() || next(name) != next(&alike[0]));
    assert!(is_as_long_as_it_can_be, "{completed:?} of {alike:?}");
}

/// Whether a name begins with that, in either case of ASCII letters.
fn begins(name: &str, with: &str) -> bool {
    name.to_ascii_lowercase().starts_with(&with.to_ascii_lowercase())
}
