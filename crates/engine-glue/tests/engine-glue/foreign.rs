//! A client of another's host, which says what ours does not.

use mjolnir_engine_glue::engine::{Engine, Role};
use mjolnir_engine_glue::transport::simulated::{SimulatedEndpoint, SimulatedNetwork};
use mjolnir_engine_glue::transport::{
    self, ClientSettings, HostSettings, NetEvent, Network, StreamId, Transmits, texts,
};
use mjolnir_engine_glue::{Client, Reading, client};
use mjolnir_wire::damage::HitReport;
use mjolnir_wire::kinds::{Channels, KINDS, KindInfo, Sender};
use mjolnir_wire::objects::{
    CarriedWeapon, Creation, Inventory, Motion, ObjectChange, ObjectState, VehiclePrediction,
};
use mjolnir_wire::packets::{NetworkPlayer, Packet, SettingsRecord, list};
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Kind, MachineSet, Moment, ObjectId, Outbox, Slot, Tag, Tick, Vec3, session};

use super::game::{Call, Game, unit_of};
use super::table::{player, record, slot};

/// Kinds by stream and kinds by datagram.
pub(crate) type Unheard = (Vec<&'static KindInfo>, Vec<&'static KindInfo>);

/// The kinds that one end sends and nothing hears yet, by stream and by datagram; those in use are left out.
pub(crate) fn unheard(from: Sender, used: &[Kind]) -> Unheard {
    let sent = KINDS.iter().filter(|info| {
        (info.sender == from || info.sender == Sender::Either)
            && info.channels != Channels::Own
            && !used.contains(&info.kind)
    });
    sent.partition(|info| info.channels.has_stream())
}

/// One of each.
pub(crate) fn put_unheard(outbox: &mut Outbox, to: MachineSet, (stream, batch): &Unheard) {
    for info in stream {
        let body = info.prefix + info.entry * usize::from(info.least);
        outbox.message(to, info.kind, info.least, |bytes| bytes.extend(vec![0; body])).unwrap();
    }
    for info in batch {
        outbox.entry(to, info.kind, |bytes| bytes.extend(vec![0; info.entry])).unwrap();
    }
}

/// A client in the game of a host whose every message of the game is the test's.
pub(crate) struct Foreign<G = Game> {
    pub(crate) now: Moment,
    pub(crate) tick: Tick,
    host: transport::Host,
    network: SimulatedEndpoint,
    stream: Option<StreamId>,
    outbox: Outbox,
    pub(crate) client: Client,
    own: SimulatedEndpoint,
    pub(crate) game: G,
    /// The vehicles that the client told of, with the tick that each message is of.
    pub(crate) vehicles: Vec<(Tick, VehiclePrediction)>,
    /// The hits that it reported, with the tick that each message is of.
    pub(crate) reports: Vec<(Tick, HitReport)>,
}

impl Foreign {
    fn playing() -> Self {
        let mut foreign = Self::of(1, Game::new());
        let own = Call::Add { slot: 0, machine: 1, local: Some(0), team: 0 };
        assert_eq!(foreign.game.turns(), [Call::Load(Role::Client), own]);
        foreign.game.calls.clear();
        foreign
    }
}

impl<G: Engine> Foreign<G> {
    /// In play, with so many players.
    pub(crate) fn of(players: i8, game: G) -> Self {
        Self::of_record(record(), players, game)
    }

    /// In play by that record.
    pub(crate) fn of_record(record: Box<SettingsRecord>, players: i8, game: G) -> Self {
        let switch = SimulatedNetwork::new(3);
        let (here, there) = ("10.0.0.1:5150".parse().unwrap(), "10.0.0.2:5150".parse().unwrap());
        let mut foreign = Self {
            now: Moment::START,
            tick: Tick::ZERO,
            host: transport::Host::new(HostSettings::new(record)),
            network: switch.listen(here),
            stream: None,
            outbox: Outbox::new(),
            client: Client::new(
                Moment::START,
                ClientSettings::new("Seat", (0..players).map(player).collect()),
            ),
            own: switch.connect(there, here),
            game,
            vehicles: Vec::new(),
            reports: Vec::new(),
        };
        foreign.host.begin_game(Moment::START, Tick::ZERO);
        foreign.run(60);
        assert_eq!(foreign.client.stage(), client::Stage::Playing);
        foreign
    }

    /// So many of the host's ticks pass.
    pub(crate) fn run(&mut self, ticks: u32) {
        for _ in 0..ticks {
            self.step(|_| {});
        }
    }

    /// One tick of the host, which says what `fill` puts, and the client's frames to the next.
    pub(crate) fn step(&mut self, fill: impl FnOnce(&mut Outbox)) {
        self.tick = self.tick.next();
        let Self { tick, host, network, stream, outbox, client, own, game, vehicles, reports, .. } = self;
        self.now = self.now.plus(33_334);
        network.receive(self.now, &mut |event| {
            if let NetEvent::Opened { stream: opened, .. } = event {
                *stream = Some(opened);
            }
            host.handle(self.now, *tick, event);
        });
        host.poll(self.now, *tick);
        while host.next_event().is_some() {}
        while let Some(transport::Received { message, .. }) = host.next_message() {
            if message.kind == Kind::VehiclePrediction {
                let told = VehiclePrediction::read_all(&message);
                vehicles.extend(told.map(|vehicle| (message.tick, vehicle.unwrap())));
            }
            if message.kind == Kind::HitReports {
                let told = HitReport::read_all(&message);
                reports.extend(told.map(|report| (message.tick, report.unwrap())));
            }
        }
        outbox.begin(*tick, 0);
        fill(outbox);
        host.send_update(host.in_game(), tick.get(), *tick);
        host.flush(self.now, *tick, outbox, host.in_game());
        host.send(self.now, network);
        client.frame(self.now, game, own);
        for _ in 0..client.ticks_due(self.now) {
            client.tick(self.now, game, own);
        }
    }

    /// Says what `fill` puts as of an earlier tick, as what was held back on its way.
    pub(crate) fn say_late(&mut self, at: Tick, fill: impl FnOnce(&mut Outbox)) {
        let Self { now, tick, host, network, outbox, .. } = self;
        outbox.begin(at, 0);
        fill(outbox);
        host.flush(*now, *tick, outbox, host.in_game());
        host.send(*now, network);
    }

    /// Says a packet.
    fn say(&mut self, packet: &Packet<'_>) {
        let mut out = Transmits::new();
        out.write_with(self.stream.unwrap(), |bytes| packet.write(bytes).unwrap());
        self.network.send(self.now, &out);
    }

    /// Throws a datagram at the client, which hears it in its next tick.
    fn throw(&mut self, bytes: &[u8]) {
        let Self { now, network, client, own, game, .. } = self;
        let mut out = Transmits::new();
        out.datagram("10.0.0.2:5150".parse().unwrap(), bytes);
        network.send(*now, &out);
        *now = now.plus(33_334);
        client.frame(*now, game, own);
        for _ in 0..client.ticks_due(*now) {
            client.tick(*now, game, own);
        }
    }

    pub(crate) fn adds(&mut self, slot: i8, machine: i8, controller: i8, team: i8) {
        let player = NetworkPlayer { slot, machine, controller, team, ..player(0) };
        self.say(&Packet::AddPlayerIngame(list::AddPlayerIngame { player }));
    }

    fn removes(&mut self, slot: i8, at: Tick) {
        let player = NetworkPlayer { slot, machine: 3, ..player(0) };
        self.say(&Packet::RemovePlayerIngame(list::RemovePlayerIngame { player, at }));
    }
}

/// Where the host has a player's unit, at that tick of its client.
fn put_state(outbox: &mut Outbox, whose: Slot, position: Vec3, named: Option<Tick>) {
    let placement = Placement { position, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
    let unit =
        LivingUnit { predicted: named.map(Tick::low16), ..LivingUnit::whole(unit_of(whose), placement) };
    let state = UnitState { slot: whose, shield: ShieldFlags::default(), life: Life::Alive(unit) };
    outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| state.write(bytes)).unwrap();
}

/// OBJ-12, 40, 51, WIRE-09: states and inventories of what is not there, of what is no unit, of a client's own half and
/// with numbers that are none are refused or ignored, each by its reason, and the client's game is asked nothing.
#[test]
fn a_hosts_objects_that_are_none_change_nothing() {
    let mut foreign = Foreign::playing();
    let weapon = ObjectId::new(7, 1).unwrap();
    foreign.step(|outbox| {
        let there = ObjectChange::Create(Creation::plain(weapon, Tag(2), Vec3::ZERO));
        outbox.reliable_entry(MachineSet::CLIENTS, Kind::ObjectChanges, |to| there.write(to)).unwrap();
    });
    foreign.run(2);
    foreign.game.calls.clear();
    foreign.step(|outbox| {
        let to = MachineSet::CLIENTS;
        let motion = |x| Motion {
            position: Vec3::new(x, 0.0, 0.0),
            axes: Axes::UPRIGHT,
            velocity: Vec3::ZERO,
            angular_velocity: Vec3::ZERO,
        };
        for (index, identifier, x) in
            [(8, 1, 0.0), (7, 2, 9.0), (5000, 1, 0.0), (7, 1, f32::NAN), (7, 1, 4e4)]
        {
            let object = ObjectId::new(index, identifier).unwrap();
            let state = ObjectState::moving(object, motion(x));
            outbox.entry(to, Kind::ObjectStates, |bytes| state.write(bytes)).unwrap();
        }
        let own = CarriedWeapon { object: weapon, total: [0; 2], loaded: [0; 2], age: 0 };
        let mut itself = Inventory::empty(weapon);
        itself.weapons[2] = Some(own);
        for inventory in [Inventory::empty(weapon), itself] {
            outbox.entry(to, Kind::Inventories, |bytes| inventory.write(bytes)).unwrap();
        }
        outbox.entry(to, Kind::Inventories, |bytes| bytes.extend([0xFF; 64])).unwrap();
    });
    foreign.run(10);
    assert!(
        foreign.game.calls.iter().all(|call| matches!(call, Call::Simulate(_))),
        "{:?}",
        foreign.game.calls
    );
    let refused = foreign.client.counters().refused;
    let counted: Vec<_> = refused.iter().map(|(reason, count)| (*reason, *count)).collect();
    assert_eq!(
        counted,
        [
            ("carried_twice", 1),
            ("not_finite", 1),
            ("not_the_hosts", 1),
            ("out_of_range", 2),
            ("stale_object", 1),
            ("unknown_object", 1),
            ("wrong_class", 1)
        ]
    );
}

/// OBJ-12, GLUE-15: a host that tells of objects in a client's own half, of players that it never listed and of kinds
/// to come changes nothing in its client's game.
#[test]
fn a_hosts_nonsense_changes_nothing() {
    let mut foreign = Foreign::playing();
    let heard = [
        Kind::UnitStates,
        Kind::RelayedActions,
        Kind::ObjectChanges,
        Kind::ObjectStates,
        Kind::Inventories,
        Kind::ObjectsSynchronized,
        Kind::Pings,
        Kind::Notice,
        Kind::CoopDeviceGroups,
        Kind::CoopDeviceStates,
        Kind::PlayerStatistics,
        Kind::GameState,
        Kind::Pickups,
        Kind::CoopEvents,
        Kind::CoopPresentation,
        Kind::CoopObjectNames,
        Kind::CoopObjectTransforms,
        Kind::CoopObjectLooks,
        Kind::CoopScreenEffect,
        Kind::ActorStates,
        Kind::ActorDamage,
        Kind::DamageAnimations,
        Kind::DamageEvents,
        Kind::VotekickStatus,
        Kind::VoiceConfig,
        Kind::ChatDown,
        Kind::ChatConfig,
        Kind::MapShareOffer,
        Kind::MapShareSources,
        Kind::AimAssistPolicy,
    ];
    let kinds = unheard(Sender::Host, &heard);
    let number = (kinds.0.len() + kinds.1.len()) as u64;
    foreign.step(|outbox| {
        let to = MachineSet::CLIENTS;
        let there = Creation::plain(ObjectId::new(5000, 1).unwrap(), Tag(1), Vec3::ZERO);
        let change = ObjectChange::Create(there);
        outbox.reliable_entry(to, Kind::ObjectChanges, |bytes| change.write(bytes)).unwrap();
        put_state(outbox, slot(9), Vec3::ZERO, None);
        put_unheard(outbox, to, &kinds);
    });
    foreign.run(10);
    assert!(foreign.game.calls.iter().all(|call| matches!(call, Call::Simulate(_))));
    let refused = foreign.client.counters().refused;
    assert_eq!(refused.get("not_the_hosts"), Some(&1));
    assert_eq!(refused.get("not_handled"), Some(&number), "{refused:?}");
}

/// CLOCK-21: a client's clock follows no message that is refused: none that is cut short, that counts more than it
/// holds, of no known kind or of a kind that no host sends, alone or in a batch; nor one that is stamped more than
/// fifteen seconds ahead, however often it comes. One that is whole moves it.
#[test]
fn a_refused_message_moves_no_clock() {
    let mut foreign = Foreign::playing();
    let heard = |foreign: &Foreign| foreign.client.clock().heard();
    let before = heard(&foreign);
    let message = |kind: u8, count: u8, stamp: Tick, body: &[u8]| {
        let word = ((8 + body.len() as u16) << 4 | 2 << 2).to_be_bytes();
        [&word, &[kind, count][..], &stamp.get().to_le_bytes(), body].concat()
    };
    let batch = |stamp: Tick, part: &[u8]| {
        let length = (part.len() as u16 - 2).to_le_bytes();
        message(Kind::Batch as u8, 0, stamp, &[&length, &part[2..]].concat())
    };
    let (ahead, far) = (before.plus(20), before.plus(20 + 451));
    let pings = Kind::Pings as u8;
    let bad = [
        (0, 0, ahead, 0),
        (200, 1, ahead, 64),
        (pings, 2, ahead, 4),
        (Kind::UnitStates as u8, 3, ahead, 8),
        (Kind::PlayerInputs as u8, 1, ahead, 52),
        (pings, 1, far, 4),
        (pings, 1, far.next(), 4),
    ];
    for (kind, count, stamp, length) in bad {
        let bytes = message(kind, count, stamp, &vec![0; length]);
        foreign.throw(&bytes);
        foreign.throw(&batch(stamp, &bytes));
        foreign.throw(&bytes[..bytes.len() - 1]);
        assert_eq!(heard(&foreign), before, "kind {kind}, count {count}, {stamp:?}");
    }
    foreign.throw(&message(pings, 1, ahead, &[0; 4]));
    assert_eq!(heard(&foreign), ahead);
    foreign.throw(&batch(ahead.next(), &message(pings, 1, ahead.next(), &[0; 4])));
    assert_eq!(heard(&foreign), ahead.next());
}

/// NET-63: a leaving that is said twice, or of a slot that nobody has, is one leaving, or none.
#[test]
fn a_leaving_is_one_leaving() {
    let mut foreign = Foreign::playing();
    foreign.adds(5, 3, 0, 1);
    foreign.run(5);
    for slot in [5, 5, 6] {
        foreign.removes(slot, foreign.tick.plus(10));
    }
    foreign.removes(5, Tick::LAST);
    foreign.run(40);
    assert_eq!(
        foreign.game.turns(),
        [Call::Add { slot: 5, machine: 3, local: None, team: 1 }, Call::Remove(5)]
    );
}

/// A host that gives a slot to another player before the last one's leaving is due: the last one leaves first, and
/// the new one stays.
#[test]
fn a_slot_given_anew_is_the_new_players() {
    let mut foreign = Foreign::playing();
    foreign.adds(5, 3, 0, 1);
    foreign.run(5);
    foreign.removes(5, foreign.tick.plus(33));
    foreign.adds(5, 4, 0, 0);
    // Once there it is not added again.
    foreign.adds(5, 4, 0, 0);
    foreign.run(60);
    let added = |machine, team| Call::Add { slot: 5, machine, local: None, team };
    assert_eq!(foreign.game.turns(), [added(3, 1), Call::Remove(5), added(4, 0)]);
}

/// NET-65: a team and a controller that are none do not reach the game; such a player of this machine is nobody's.
#[test]
fn what_is_none_does_not_reach_the_game() {
    let mut foreign = Foreign::playing();
    foreign.adds(5, 3, -1, -1);
    foreign.adds(6, 1, 4, 127);
    foreign.adds(7, 1, -7, 2);
    foreign.adds(-1, 3, 0, 0);
    foreign.adds(8, -1, 0, 0);
    foreign.run(10);
    let added = |slot, machine, team| Call::Add { slot, machine, local: None, team };
    assert_eq!(foreign.game.turns(), [added(5, 3, 0), added(6, 1, 127), added(7, 1, 2)]);
    assert_eq!(foreign.client.own_slots(), [slot(0)]);
}

/// PRED-39: what the host says of a tick before an own player's teleport moves nobody once the game told of it; untold,
/// it does.
#[test]
fn a_teleport_cuts_what_was_before() {
    for tells in [true, false] {
        let mut foreign = Foreign::playing();
        foreign.game.tells = tells;
        let creation = Creation::plain(unit_of(slot(0)), Tag(1), Vec3::ZERO);
        let change = ObjectChange::Create(creation);
        foreign.step(|outbox| {
            let to = MachineSet::CLIENTS;
            outbox.reliable_entry(to, Kind::ObjectChanges, |bytes| change.write(bytes)).unwrap();
            put_state(outbox, slot(0), Vec3::ZERO, None);
        });
        foreign.run(10);
        let before = foreign.client.clock().tick().unwrap();
        foreign.game.teleport = Some((slot(0), Vec3::new(50.0, 50.0, 0.0)));
        foreign.run(3);
        assert_eq!(foreign.game.teleport, None);
        foreign.step(|outbox| put_state(outbox, slot(0), Vec3::new(-20.0, 0.0, 0.0), Some(before)));
        foreign.run(3);
        assert_eq!(foreign.client.counters().own_corrections, u64::from(!tells));
        assert_eq!(foreign.game.place(0).unwrap().x > 45.0, tells);
    }
}

/// NET-76: only the host's own two lines speak of a client's datagrams, to the character: no other line shows a problem
/// on its meter, or takes one away.
#[test]
fn only_the_two_lines_speak_of_datagrams() {
    let mut foreign = Foreign::playing();
    foreign.client.set_meter(true);
    let mut says = |line: &str| {
        let notice = session::Notice::new(line);
        foreign.step(|outbox| {
            outbox.message(MachineSet::CLIENTS, Kind::Notice, 0, |bytes| notice.write(bytes)).unwrap();
        });
        foreign.run(2);
        let told = client::Notice::Said { text: line.into() };
        assert!(foreign.client.take_notices().contains(&told), "{line}");
        foreign.client.meter(foreign.now) == Some(Reading::Problem)
    };
    let [lost, back] = [false, true].map(texts::datagrams);
    let but_not_quite = |line: &str| {
        let (cut, lower) = (line[..line.len() - 1].to_owned(), line.to_lowercase());
        [cut, lower, format!("{line} "), format!(" {line}"), format!("Ann: {line}")]
    };
    for line in but_not_quite(lost) {
        assert!(!says(&line), "{line:?}");
    }
    assert!(says(lost));
    for line in but_not_quite(back) {
        assert!(says(&line), "{line:?}");
    }
    assert!(!says(back));
}
