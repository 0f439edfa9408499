//! The bytes of the format, packed and read by hand as its facts say (FACT wire 1 to 4), so that what our crates write
//! is read by something that they did not write. Knows no session.

/// The header word's type of the game's own packets, and of the netcode's messages.
pub(crate) const PACKET: u16 = 3;
pub(crate) const DATA: u16 = 2;

fn word(of: u16, length: usize) -> [u8; 2] {
    ((length as u16) << 4 | of << 2).to_be_bytes()
}

/// A packet of the game: its fields and, last, its number.
pub(crate) fn packet(number: u8, fields: &[u8]) -> Vec<u8> {
    let mut bytes = word(PACKET, fields.len() + 4).to_vec();
    bytes.push(1);
    bytes.extend_from_slice(fields);
    bytes.push(number);
    bytes
}

/// A message of the netcode.
pub(crate) fn message(kind: u8, count: u8, tick: i32, body: &[u8]) -> Vec<u8> {
    let mut bytes = word(DATA, body.len() + 8).to_vec();
    bytes.extend_from_slice(&[kind, count]);
    bytes.extend_from_slice(&tick.to_le_bytes());
    bytes.extend_from_slice(body);
    bytes
}

/// A text in big-endian units of 16 bits, with zeros to its end.
fn wide(text: &str, units: usize) -> Vec<u8> {
    let text = text.encode_utf16().chain(std::iter::repeat(0));
    text.take(units).flat_map(u16::to_be_bytes).collect()
}

/// 12: the machine's name, the token, the hardware id.
pub(crate) fn join_request(name: &str, token: &[u8; 16]) -> Vec<u8> {
    let mut fields = wide(name, 32);
    fields.extend_from_slice(token);
    fields.extend_from_slice(b"00112233445566778899aabbccddeeff");
    packet(12, &fields)
}

/// 13: a player of that machine.
pub(crate) fn add_player(name: &str, machine: u8) -> Vec<u8> {
    let mut fields = wide(name, 12);
    fields.extend_from_slice(&[0, 0, 0, 0, machine, 0, 0xFF, 0xFF]);
    packet(13, &fields)
}

/// 15: the machine's name and index.
pub(crate) fn settings_request(name: &str, machine: u8) -> Vec<u8> {
    let mut fields = wide(name, 32);
    fields.push(machine);
    packet(15, &fields)
}

/// 19: the level that it has.
pub(crate) fn precached(level: &[u8]) -> Vec<u8> {
    let mut fields = level.to_vec();
    fields.resize(256, 0);
    packet(19, &fields)
}

/// 25: the next update expected, and one action of a player that does nothing.
pub(crate) fn client_update(next: i32) -> Vec<u8> {
    let mut fields = next.to_be_bytes().to_vec();
    fields.push(1);
    fields.extend_from_slice(&[0; 4 + 5 * 4 + 3 * 2]);
    packet(25, &fields)
}

/// 14: a player that looks east and pushes its stick so far ahead.
pub(crate) fn input(slot: u8, tick: i32, heard: i32, ahead: f32) -> Vec<u8> {
    let mut body = vec![slot, 0, 0, 0];
    body.extend_from_slice(&tick.to_le_bytes());
    body.extend_from_slice(&heard.to_le_bytes());
    body.extend_from_slice(&[0; 4]);
    for number in [0.0, 0.0, ahead, 0.0, 0.0_f32] {
        body.extend_from_slice(&number.to_le_bytes());
    }
    body.extend_from_slice(&[0xFF; 6]);
    body.extend_from_slice(&[0; 2 + 8]);
    message(14, 1, tick, &body)
}

/// What a message is: its type, and the packet's number or the kind, with what stands between.
pub(crate) struct Read<'a> {
    pub(crate) of: u16,
    pub(crate) number: u8,
    pub(crate) count: u8,
    pub(crate) tick: i32,
    pub(crate) body: &'a [u8],
}

/// Reads a whole message.
pub(crate) fn read(bytes: &[u8]) -> Read<'_> {
    let head = u16::from_be_bytes([bytes[0], bytes[1]]);
    let of = head >> 2 & 3;
    assert_eq!((head & 3, usize::from(head >> 4)), (0, bytes.len()), "a header word");
    match of {
        PACKET => {
            assert_eq!(bytes[2], 1, "the packets' version");
            let (number, body) = bytes[3..].split_last().unwrap();
            Read { of, number: *number, count: 0, tick: 0, body }
        }
        DATA => {
            let tick = i32::from_le_bytes(bytes[4..8].try_into().unwrap());
            Read { of, number: bytes[2], count: bytes[3], tick, body: &bytes[8..] }
        }
        _ => panic!("a message of type {of}"),
    }
}

/// The parts of a batch, each as the message that it is.
pub(crate) fn parts(mut body: &[u8]) -> Vec<Read<'_>> {
    let mut parts = Vec::new();
    while let [low, high, rest @ ..] = body {
        let length = usize::from(u16::from_le_bytes([*low, *high]));
        let (part, rest) = rest.split_at(length);
        let tick = i32::from_le_bytes(part[2..6].try_into().unwrap());
        parts.push(Read { of: DATA, number: part[0], count: part[1], tick, body: &part[6..] });
        body = rest;
    }
    parts
}

/// Where a message of unit states has a player's unit, if it is alive and on foot in it.
pub(crate) fn place(states: &Read<'_>, slot: u8) -> Option<[f32; 3]> {
    let mut at = 0;
    for _ in 0..states.count {
        let entry = &states.body[at..];
        let (flags, parts) = (entry[1], entry[2]);
        let bit = |byte: u8, bit: u8, size: usize| if byte & 1 << bit != 0 { size } else { 0 };
        let is_alive = flags & 1 != 0;
        let placed = 7 + bit(parts, 0, 6);
        if entry[0] == slot {
            let float = |at: usize| f32::from_le_bytes(entry[at..at + 4].try_into().unwrap());
            return (is_alive && flags & 2 != 0)
                .then(|| [float(placed), float(placed + 4), float(placed + 8)]);
        }
        at += if is_alive {
            placed
                + bit(flags, 1, 24 + bit(parts, 1, 6))
                + bit(flags, 7, 2)
                + 4
                + bit(parts, 2, 8)
                + bit(parts, 3, 4)
                + bit(parts, 4, 2)
        } else {
            3 + bit(parts, 5, 1)
        };
    }
    None
}
