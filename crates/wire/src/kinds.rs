//! Every kind of distributed message: its number, who sends it, by which channel, the sizes of its entries, and
//! whether an older one is stale (FACT wire 1.9, 2; 83..89 ours). Knows no layout.

use crate::error::Error;

/// Who may send a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sender {
    /// The host, to its clients.
    Host,
    /// A client, to its host.
    Client,
    /// Either.
    Either,
}

/// The channels by which a kind may come (NET-07).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Channels {
    /// The machine's reliable, ordered connection alone.
    Stream,
    /// In the tick's batch alone.
    Datagram,
    /// Both.
    Either,
    /// A datagram of its own, never in a batch (NET-67).
    Own,
}

impl Channels {
    /// Whether a kind may come by its machine's stream.
    pub const fn has_stream(self) -> bool {
        matches!(self, Self::Stream | Self::Either)
    }

    /// Whether a kind may come in a tick's batch.
    pub const fn has_batch(self) -> bool {
        matches!(self, Self::Datagram | Self::Either)
    }
}

/// What the format says of one kind.
#[derive(Clone, Copy, Debug)]
pub struct KindInfo {
    /// The kind.
    pub kind: Kind,
    /// Its name in the record.
    pub name: &'static str,
    /// Who sends it.
    pub sender: Sender,
    /// By which channels.
    pub channels: Channels,
    /// Bytes before the entries, once a message or part.
    pub prefix: usize,
    /// Bytes of an entry; of a packed one the least.
    pub entry: usize,
    /// Most entries of a message.
    pub most: u8,
    /// Fewest entries that mean anything.
    pub least: u8,
    /// Whether the count is the number of entries (WIRE-66).
    pub counted: bool,
    /// Whether one that is older than the newest of its kind is dropped (NET-13).
    pub sheds: bool,
}

macro_rules! kinds {
    ($( $(#[$meta:meta])* $kind:ident = $number:literal, $name:literal, $sender:ident, $channels:ident,
        $prefix:literal + $entry:literal * $least:literal..=$most:literal, $counted:literal, $sheds:literal; )+) => {
        /// The kinds of distributed message.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[repr(u8)]
        pub enum Kind {
            $( $(#[$meta])* $kind = $number, )+
        }

        /// Every kind, by number.
        pub const KINDS: &[KindInfo] = &[
            $( KindInfo {
                kind: Kind::$kind,
                name: $name,
                sender: Sender::$sender,
                channels: Channels::$channels,
                prefix: $prefix,
                entry: $entry,
                most: $most,
                least: $least,
                counted: $counted,
                sheds: $sheds,
            }, )+
        ];

        const PLACES: [u8; 256] = {
            let mut places = [0xFF; 256];
            let mut at = 0;
            while at < KINDS.len() {
                places[KINDS[at].kind as usize] = at as u8;
                at += 1;
            }
            places
        };
    };
}

kinds! {
    /// A client's own players' units, on foot and alive.
    PlayerPrediction = 1, "player_prediction", Client, Datagram, 0 + 3 * 0..=4, true, true;
    /// The players' units.
    UnitStates = 2, "unit_states", Host, Datagram, 0 + 3 * 0..=255, true, true;
    /// The players' statistics; once by stream, on readiness.
    PlayerStatistics = 3, "player_statistics", Host, Either, 0 + 64 * 0..=63, true, true;
    /// What units carry.
    Inventories = 4, "inventories", Host, Datagram, 0 + 64 * 0..=63, true, true;
    /// Objects made and deleted.
    ObjectChanges = 5, "object_changes", Host, Stream, 0 + 132 * 0..=30, true, false;
    /// Where objects are.
    ObjectStates = 6, "object_states", Host, Datagram, 0 + 44 * 0..=92, true, true;
    /// The game type's state.
    GameState = 7, "game_state", Host, Stream, 4 + 0 * 0..=0, false, false;
    /// The end of the full list of objects.
    ObjectsSynchronized = 8, "objects_synchronized", Host, Stream, 0 + 0 * 0..=0, false, false;
    /// A client that has loaded asks for all objects; count 1 asks again.
    ClientReady = 9, "client_ready", Client, Stream, 0 + 0 * 0..=1, false, false;
    /// Damage dealt; killing blows once more by stream.
    DamageEvents = 10, "damage_events", Host, Either, 0 + 108 * 0..=37, true, true;
    /// What a client's players hit.
    HitReports = 11, "hit_reports", Client, Stream, 0 + 108 * 0..=37, true, false;
    /// The vehicles that a client's players drive.
    VehiclePrediction = 12, "vehicle_prediction", Client, Datagram, 0 + 44 * 0..=4, true, true;
    /// What the host let a player pick up.
    Pickups = 13, "pickups", Host, Stream, 0 + 8 * 0..=64, true, false;
    /// A client's own players' input.
    PlayerInputs = 14, "player_inputs", Client, Datagram, 0 + 52 * 0..=4, true, true;
    /// Every player's input as the host's tick ran it.
    RelayedActions = 15, "relayed_actions", Host, Datagram, 4 + 14 * 0..=255, true, true;
    /// A tick's unreliable messages together.
    Batch = 16, "batch", Either, Own, 0 + 0 * 0..=0, false, false;
    /// A line that every machine shows in red.
    Notice = 17, "notice", Host, Stream, 0 + 0 * 0..=0, false, false;
    /// Who a client says its player is.
    ClientIdentity = 18, "client_identity", Client, Stream, 0 + 64 * 0..=1, true, false;
    /// Every player's round trip.
    Pings = 19, "pings", Host, Datagram, 0 + 4 * 0..=128, true, true;
    /// The control that actors gave their units.
    ActorStates = 64, "actor_states", Host, Datagram, 0 + 88 * 0..=64, true, true;
    /// The structure BSP that is loaded.
    StructureBsp = 65, "structure_bsp", Host, Either, 0 + 4 * 1..=1, true, true;
    /// What co-op's scripts show.
    CoopPresentation = 66, "coop_presentation", Host, Datagram, 0 + 124 * 1..=1, true, true;
    /// Device groups' values.
    CoopDeviceGroups = 68, "coop_device_groups", Host, Datagram, 0 + 20 * 0..=64, true, true;
    /// Which named objects exist.
    CoopObjectNames = 69, "coop_object_names", Host, Datagram, 0 + 68 * 1..=1, true, true;
    /// A machine's vote to skip a cutscene.
    CoopSkipVote = 70, "coop_skip_vote", Client, Datagram, 0 + 4 * 1..=1, true, true;
    /// What the scripts did once.
    CoopEvents = 71, "coop_events", Host, Either, 0 + 40 * 0..=102, true, true;
    /// Where scripts put objects.
    CoopObjectTransforms = 72, "coop_object_transforms", Host, Datagram, 0 + 36 * 0..=64, true, true;
    /// What actors' units show of damage.
    ActorDamage = 73, "actor_damage", Host, Datagram, 0 + 12 * 0..=64, true, true;
    /// How scripted objects look.
    CoopObjectLooks = 74, "coop_object_looks", Host, Datagram, 0 + 24 * 0..=64, true, true;
    /// The flinches and deaths that the host picked.
    DamageAnimations = 75, "damage_animations", Host, Datagram, 0 + 8 * 0..=32, true, true;
    /// The scripts' screen effect.
    CoopScreenEffect = 76, "coop_screen_effect", Host, Datagram, 0 + 88 * 0..=1, true, true;
    /// Devices' positions and power.
    CoopDeviceStates = 77, "coop_device_states", Host, Datagram, 0 + 20 * 0..=64, true, true;
    /// A vote to kick.
    Votekick = 78, "votekick", Client, Stream, 0 + 4 * 0..=1, true, false;
    /// How a vote to kick stands.
    VotekickStatus = 79, "votekick_status", Host, Datagram, 0 + 8 * 0..=1, true, false;
    /// A voice frame to the host.
    VoiceUp = 80, "voice_up", Client, Own, 8 + 0 * 1..=1, false, false;
    /// A voice frame to those who may hear it.
    VoiceDown = 81, "voice_down", Host, Own, 12 + 0 * 1..=1, false, false;
    /// A machine's voice key and the host's settings.
    VoiceConfig = 82, "voice_config", Host, Stream, 0 + 12 * 1..=1, true, false;
    /// A line that a player said. Ours.
    ChatUp = 83, "chat_up", Client, Stream, 0 + 66 * 1..=1, true, false;
    /// A line that a player hears. Ours.
    ChatDown = 84, "chat_down", Host, Stream, 0 + 66 * 1..=1, true, false;
    /// The host's chat settings. Ours.
    ChatConfig = 85, "chat_config", Host, Stream, 0 + 1 * 1..=1, true, false;
    /// A client asks for a map it lacks. Ours.
    MapShareRequest = 86, "map_share_request", Client, Stream, 0 + 132 * 1..=1, true, false;
    /// What the host offers of it. Ours.
    MapShareOffer = 87, "map_share_offer", Host, Stream, 0 + 44 * 1..=4, true, false;
    /// Who else may have it. Ours.
    MapShareSources = 88, "map_share_sources", Host, Stream, 0 + 20 * 0..=127, true, false;
    /// How far a download is. Ours.
    MapShareProgress = 89, "map_share_progress", Client, Stream, 0 + 16 * 1..=1, true, false;
    /// Whether optional mouse magnetism is blocked.
    AimAssistPolicy = 90, "aim_assist_policy", Host, Stream, 0 + 4 * 1..=1, true, false;
}

impl Kind {
    /// The kind of that number; 0, the unused and the retired have none (WIRE-06).
    pub const fn new(number: u8) -> Result<Self, Error> {
        match PLACES[number as usize] {
            0xFF => Err(Error::UnknownKind),
            place => Ok(KINDS[place as usize].kind),
        }
    }

    /// Its place in [`KINDS`], for tables by kind.
    pub const fn place(self) -> usize {
        PLACES[self as usize] as usize
    }

    /// What the format says of it.
    pub const fn info(self) -> &'static KindInfo {
        &KINDS[self.place()]
    }

    /// Whether a count past the most is refused; of the other kinds a reader takes what the bytes hold (WIRE-65, 66).
    pub const fn refuses_more(self) -> bool {
        matches!(self, Self::ClientReady) || self as u8 >= Self::VoiceUp as u8
    }

    /// Whether bytes past its entries are refused; those of the other kinds are ignored, but where a kind's own reader
    /// knows better: 7 by its game type, 80 and 81 by their length (WIRE-60).
    pub const fn is_exact(self) -> bool {
        matches!(self, Self::AimAssistPolicy)
    }

    /// Its name in the record.
    pub const fn name(self) -> &'static str {
        self.info().name
    }
}
