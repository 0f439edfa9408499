//! A stand-in: a machine that speaks the game's own packets and no more, or its inputs beside them. It has no
//! readiness, no batch, no predictions and no world. Knows no socket: its bytes are carried by others.

use mjolnir_wire::Vec3;

use super::bytes::{self, DATA, PACKET, Read};

/// The token that every joining machine shows.
pub(crate) const TOKEN: &[u8; 16] = b"message in a bot";
/// Bytes of the settings record, and of a piece of it.
const RECORD: usize = 13_120;
const PIECE: usize = 0xE00;

/// How far it has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stage {
    Connecting,
    Lobby,
    Playing,
    Rejected(i16),
}

/// What it says, to be carried to the host.
#[derive(Debug, Default)]
pub(crate) struct Said {
    pub(crate) stream: Vec<u8>,
    pub(crate) datagrams: Vec<Vec<u8>>,
}

/// See the module's text.
#[derive(Debug)]
pub(crate) struct Standin {
    name: String,
    /// Ticks from one client update to the next: 1 to 3, which is 10 to 30 a second.
    pub(crate) update_every: u32,
    /// How far it pushes its stick ahead, if it sends its inputs.
    pub(crate) stick: Option<f32>,
    /// Whether it says that it has loaded as soon as the game begins.
    pub(crate) loads: bool,
    pub(crate) stage: Stage,
    pub(crate) machine: Option<u8>,
    /// Its player's slot, once the settings list it.
    pub(crate) slot: Option<u8>,
    /// How many packets of each number and messages of each kind it heard, by stream and by datagram.
    pub(crate) packets: [u32; 256],
    pub(crate) kinds: [u32; 256],
    /// Where the host says that its player is: the tick and the place.
    pub(crate) states: Vec<(i32, Vec3)>,
    pub(crate) said: Said,
    unread: Vec<u8>,
    record: Vec<u8>,
    /// Its clock, which starts at the host's, and the newest of the host's ticks that it heard of.
    clock: i32,
    heard: i32,
    update: i32,
}

impl Standin {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            name: name.into(),
            update_every: 3,
            stick: None,
            loads: true,
            stage: Stage::Connecting,
            machine: None,
            slot: None,
            packets: [0; 256],
            kinds: [0; 256],
            states: Vec::new(),
            said: Said::default(),
            unread: Vec::new(),
            record: Vec::new(),
            clock: 0,
            heard: 0,
            update: 0,
        }
    }

    /// The same, sending its inputs too.
    pub(crate) fn with_inputs(self) -> Self {
        Self { stick: Some(0.0), ..self }
    }

    /// Its stream is open: it asks to join.
    pub(crate) fn opened(&mut self) {
        self.say(&bytes::join_request(&self.name, TOKEN));
    }

    /// Asks for the game to begin.
    pub(crate) fn ask_start(&mut self) {
        self.say(&bytes::packet(17, &[0, 3]));
    }

    /// Says that it has loaded.
    pub(crate) fn say_loaded(&mut self) {
        self.say(&bytes::packet(24, &[0; 4]));
    }

    /// Whether the settings list its player.
    pub(crate) fn is_listed(&self) -> bool {
        self.slot.is_some()
    }

    /// The newest of the host's ticks that it heard of; 0 before the game.
    pub(crate) fn heard(&self) -> i32 {
        self.heard
    }

    /// Plays as many ticks of its clock as the host's has gone on by what it heard. There is none outside the game.
    pub(crate) fn follow(&mut self) {
        while self.stage == Stage::Playing && self.clock < self.heard {
            self.clock += 1;
            if (self.clock as u32).is_multiple_of(self.update_every) {
                self.said.datagrams.push(bytes::client_update(self.update & 0x7FFF_FFFF));
            }
            if let (Some(stick), Some(slot)) = (self.stick, self.slot) {
                self.said.datagrams.push(bytes::input(slot, self.clock, self.heard, stick));
            }
        }
    }

    /// Hears the next bytes of its stream.
    pub(crate) fn hear_stream(&mut self, came: &[u8]) {
        self.unread.extend_from_slice(came);
        while let [high, low, ..] = self.unread[..] {
            let length = usize::from(u16::from_be_bytes([high, low]) >> 4);
            if self.unread.len() < length {
                return;
            }
            let message: Vec<u8> = self.unread.drain(..length).collect();
            let read = bytes::read(&message);
            match read.of {
                PACKET => self.hear_packet(read.number, read.body),
                _ => self.hear_message(&read),
            }
        }
    }

    /// Hears a datagram: nothing but the netcode's messages is sent to it so.
    pub(crate) fn hear_datagram(&mut self, came: &[u8]) {
        assert!(came.len() <= 1200);
        let read = bytes::read(came);
        assert_eq!(read.of, DATA);
        self.hear_message(&read);
        if read.number == 16 {
            for part in bytes::parts(read.body) {
                assert_eq!(part.tick, read.tick, "a part's stamp is its batch's");
                self.hear_message(&part);
            }
        }
    }

    fn hear_message(&mut self, message: &Read<'_>) {
        self.kinds[usize::from(message.number)] += 1;
        self.heard = self.heard.max(message.tick);
        if message.number == 2
            && let Some(slot) = self.slot
            && let Some([x, y, z]) = bytes::place(message, slot)
        {
            self.states.push((message.tick, Vec3::new(x, y, z)));
        }
    }

    fn hear_packet(&mut self, number: u8, body: &[u8]) {
        self.packets[usize::from(number)] += 1;
        let short = |at: usize| i16::from_be_bytes(body[at..at + 2].try_into().unwrap());
        let long = |at: usize| i32::from_be_bytes(body[at..at + 4].try_into().unwrap());
        match number {
            4 => {
                let machine = short(4) as u8;
                self.machine = Some(machine);
                self.stage = Stage::Lobby;
                self.say(&bytes::settings_request(&self.name.clone(), machine));
                self.say(&bytes::add_player(&self.name.clone(), machine));
            }
            5 => self.stage = Stage::Rejected(short(0)),
            6 => self.hear_piece(body),
            8 if self.loads => self.say_loaded(),
            20 => {
                self.update = long(0).wrapping_add(1);
                // No datagram comes to one that has sent none: at first the stream alone says what time it is.
                self.heard = self.heard.max(long(8));
                if self.stage != Stage::Playing {
                    self.stage = Stage::Playing;
                    self.clock = self.heard;
                }
            }
            _ => {}
        }
    }

    /// A piece of the settings: they come in order from the start, all of each is sent. With the last it says that it
    /// has their map.
    fn hear_piece(&mut self, body: &[u8]) {
        let short = |at: usize| usize::from(u16::from_be_bytes([body[at], body[at + 1]]));
        let (total, offset, length) = (short(0), short(2), short(4));
        assert_eq!((total, body.len()), (RECORD, 6 + PIECE));
        if offset == 0 {
            self.record.clear();
        }
        assert_eq!(offset, self.record.len(), "pieces in order");
        self.record.extend_from_slice(&body[6..6 + length]);
        if self.record.len() < RECORD {
            return;
        }
        let players = usize::from(u16::from_le_bytes([self.record[0x2314], self.record[0x2315]]));
        let player = |place: usize| &self.record[0x2316 + place * 32..][..32];
        let own = (0..players).map(player).find(|player| Some(player[28]) == self.machine);
        if let Some(own) = own {
            let name: Vec<u16> =
                own[..24].chunks(2).map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect();
            let name = String::from_utf16_lossy(&name);
            assert_eq!(name.trim_end_matches('\0'), self.name, "its player by its name");
            self.slot = Some(own[31]);
        }
        let level = self.record[0x24..0xA4].to_vec();
        self.say(&bytes::precached(&level));
    }

    fn say(&mut self, bytes: &[u8]) {
        self.said.stream.extend_from_slice(bytes);
    }
}
