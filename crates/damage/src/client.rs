//! A client's end: its players' hits reported, and the host's word on damage replayed. Knows no harm: that comes with
//! the units' states.

use alloc::vec::Vec;

use mjolnir_wire::damage::{DamageEvent, EventKind, Hit, HitReport};
use mjolnir_wire::limits::FIRST_OWN_OBJECT;
use mjolnir_wire::{Kind, MachineSet, ObjectId, Outbox, Slot, Tick};

use crate::error::Error;
use crate::shape;
use crate::tags::World;
use crate::telling::MOST_EVENTS;

/// Ticks for which a body that is said to be dead waits for its blow (DMG-48): the half second of the document.
pub const BLOW_WAIT: u32 = 15;

/// Bytes of a tick's damage in datagrams that are remembered: of as many events as a host tells of.
const MOST_BYTES: usize = MOST_EVENTS * Kind::DamageEvents.info().entry;

/// Who says that a unit is dead (DMG-50).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// The units' states: a player's.
    UnitState,
    /// The objects' states: any other.
    ObjectState,
}

/// What is here under a name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Here {
    /// The player whose living unit it is.
    pub player: Option<Slot>,
    /// It is a unit, standing or not.
    pub is_unit: bool,
    /// It is a unit, and has not fallen.
    pub stands: bool,
}

/// What the engine is to do. An event's owner, and its player but of a [`Command::Show`], may be nobody here. Its parts are among
/// those that [`World::target`] says its object has, where it knows that; its body part and its material are as the host says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// A local player's screen shows it.
    Show(DamageEvent),
    /// What the damage does besides the harm: flinch, pain, knockback, stun, out of the scope, who hit the player.
    Replay(DamageEvent),
    /// It killed: the unit falls as the shot had it, the kill is announced, with that killer's score after it. Nothing is counted.
    /// A unit that the engine has fallen already lies as it does, and one that was deleted is gone; the kill is announced all
    /// the same.
    Kill(DamageEvent),
    /// Scenery or a device was hit, or what a map has in their place; it may not be here. One that was broken before stays as it
    /// is.
    Break(DamageEvent),
    /// That unit, which still stands, is dead: it falls with nothing to show.
    KillSilently {
        /// Which.
        unit: ObjectId,
    },
}

/// A unit of the host's half that has fallen.
#[derive(Clone, Copy, Debug)]
struct Fallen {
    identifier: u16,
    /// The host's tick of the blow that was replayed; none of one that was killed silently.
    blow: Option<Tick>,
}

/// A unit that is said to be dead and stands.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    unit: ObjectId,
    since: Tick,
}

/// What came of damage, to be replayed.
#[derive(Clone, Copy, Debug)]
struct Heard {
    /// The host's tick of it.
    stamp: Tick,
    event: DamageEvent,
    /// By the stream, as whatever makes and deletes: what it names and is not there was deleted since.
    by_stream: bool,
}

/// See the module's text.
#[derive(Debug, Default)]
pub struct Client {
    reports: Vec<HitReport>,
    /// What came since the last tick.
    events: Vec<Heard>,
    /// The newest tick that datagrams told of; what their messages said of it, one after another, and where each ends.
    newest: Option<Tick>,
    messages: Vec<u8>,
    ends: Vec<usize>,
    /// By index; as long as the highest that fell.
    fallen: Vec<Option<Fallen>>,
    waiting: Vec<Waiting>,
    reported: u64,
    replayed: u64,
    misfits: u64,
    ignored: u64,
}

impl Client {
    /// Nothing was hit yet.
    pub fn new() -> Self {
        let messages = Vec::with_capacity(MOST_BYTES);
        Self { messages, ends: Vec::with_capacity(MOST_EVENTS), ..Self::default() }
    }

    /// A hit of this machine's game, with the latest tick of the host's that it has heard of (DMG-03). Refused is one that no
    /// player of its own dealt (DMG-63).
    pub fn handle_hit(&mut self, heard: Tick, own: &[Slot], hit: &Hit) -> Result<(), Error> {
        if hit.damage.owner.is_none_or(|owner| !own.contains(&owner)) {
            return Err(Error::NotOwned);
        }
        self.reports.push(HitReport { hit: *hit, heard });
        self.reported += 1;
        Ok(())
    }

    /// After a tick: the hits go to the host by the stream (DMG-02).
    pub fn tell(&mut self, outbox: &mut Outbox) {
        for report in self.reports.drain(..) {
            // Its length is the kind's.
            let _ = outbox.reliable_entry(MachineSet::HOST, Kind::HitReports, |to| report.write(to));
        }
    }

    /// Whether a datagram has brought that message on damage before: its tick, and the bytes of its entries. A network may double
    /// one, and what it throws would be thrown twice. Its tick alone does not say so, since a tick's damage may take several
    /// messages; those of older ticks are heard no more (DMG-58).
    pub fn has_heard(&mut self, stamp: Tick, entries: &[u8]) -> bool {
        if self.newest != Some(stamp) {
            self.newest = Some(stamp);
            self.messages.clear();
            self.ends.clear();
        }
        let begins = core::iter::once(0).chain(self.ends.iter().copied());
        if begins.zip(&self.ends).any(|(begin, end)| self.messages[begin..*end] == *entries) {
            return true;
        }
        // No host of ours says more of a tick.
        if self.messages.len() + entries.len() <= MOST_BYTES {
            self.messages.extend_from_slice(entries);
            self.ends.push(self.messages.len());
        }
        false
    }

    /// The host's word on damage of its tick `stamp`: it waits for the next tick, by which what it names may have been made.
    /// Refused are another machine's screens (DMG-44), what names nothing of the host's, and a unit's second blow (DMG-47).
    pub fn handle_event(&mut self, stamp: Tick, own: &[Slot], event: &DamageEvent) -> Result<(), Error> {
        self.hear(own, Heard { stamp, event: *event, by_stream: false })
    }

    /// The same of what came by the stream. A player whose unit was deleted before this was heard, as after an outage, is
    /// announced as killed all the same.
    pub fn handle_event_by_stream(
        &mut self,
        stamp: Tick,
        own: &[Slot],
        event: &DamageEvent,
    ) -> Result<(), Error> {
        self.hear(own, Heard { stamp, event: *event, by_stream: true })
    }

    fn hear(&mut self, own: &[Slot], heard: Heard) -> Result<(), Error> {
        let event = &heard.event;
        if event.kind == EventKind::ScreenEffect {
            if event.player.is_none_or(|player| !own.contains(&player)) {
                return Err(Error::NotOwned);
            }
        } else {
            let object = event.object.filter(|object| object.index() < FIRST_OWN_OBJECT);
            let object = object.ok_or(Error::Unknown)?;
            // Both copies in one read are told apart once the first was replayed: it may be one that cannot be.
            if event.kind == EventKind::KillingBlow && self.fallen(object).is_some() {
                return Err(Error::Fallen);
            }
        }
        self.events.push(heard);
        Ok(())
    }

    /// The host says that a unit which stands here is dead; `is_players` says whether it is a player's here, of which the
    /// units' states alone say so (DMG-50). It stands until its blow comes, for [`BLOW_WAIT`] at most.
    pub fn handle_dead(&mut self, tick: Tick, unit: ObjectId, says: Says, is_players: bool) {
        let is_known = self.fallen(unit).is_some() || self.waiting().any(|waiting| waiting == unit);
        if is_players == (says == Says::UnitState) && unit.index() < FIRST_OWN_OBJECT && !is_known {
            self.waiting.push(Waiting { unit, since: tick });
        }
    }

    /// The host says after all that a unit lives: a word that it was dead, or its blow, was damaged on its way.
    pub fn handle_alive(&mut self, unit: ObjectId) {
        self.waiting.retain(|waiting| waiting.unit != unit);
        if self.fallen(unit).is_some() {
            self.fallen[unit.index()] = None;
        }
    }

    /// Whether a unit's blow was replayed that is of a later tick of the host's than `word`: a state of that tick, which says
    /// that it lives, came late and gives it to its player no more.
    pub fn has_fallen(&self, unit: ObjectId, word: Tick) -> bool {
        self.blow(unit).is_some_and(|blow| word < blow)
    }

    /// The host's tick of the blow that felled a unit; none where none did.
    pub fn blow(&self, unit: ObjectId) -> Option<Tick> {
        self.fallen(unit).and_then(|fallen| fallen.blow)
    }

    /// The units that are said to be dead and still wait for their blow. Where they stand is no object state's to say.
    pub fn waiting(&self) -> impl Iterator<Item = ObjectId> {
        self.waiting.iter().map(|waiting| waiting.unit)
    }

    /// Before a tick, once objects were made and deleted: what is to be replayed, in the order in which it came, and who is
    /// killed silently (DMG-49). `here` says what of what the host makes is under a name; none where nothing is, and what is said
    /// of that is ignored, but of scenery, which the map has, and for a player's blow that came by the stream. So are a blow to
    /// what is no unit, one to a player's unit that names another player, and scenery that is a unit; and what hits a part that
    /// its object lacks in `world`.
    pub fn before_tick(
        &mut self,
        tick: Tick,
        here: impl Fn(ObjectId) -> Option<Here>,
        world: &impl World,
        commands: &mut Vec<Command>,
    ) {
        let mut events = core::mem::take(&mut self.events);
        for heard in events.drain(..) {
            match self.replay(heard, &here, world) {
                Ok(command) => {
                    self.replayed += 1;
                    commands.push(command);
                }
                Err(Error::Fallen) => {}
                Err(Error::NoSuchPart) => self.misfits += 1,
                Err(_) => self.ignored += 1,
            }
        }
        self.events = events;
        let mut waiting = core::mem::take(&mut self.waiting);
        waiting.retain(|Waiting { unit, since }| {
            let is_over = tick.since(*since) >= BLOW_WAIT as i32;
            if is_over {
                self.fall(*unit, None);
                if here(*unit).is_some_and(|here| here.stands) {
                    commands.push(Command::KillSilently { unit: *unit });
                }
            }
            !is_over
        });
        self.waiting = waiting;
    }

    /// Hits reported so far.
    pub const fn reported(&self) -> u64 {
        self.reported
    }

    /// Events replayed so far.
    pub const fn replayed(&self) -> u64 {
        self.replayed
    }

    /// Events that hit a part that their object lacks.
    pub const fn misfits(&self) -> u64 {
        self.misfits
    }

    /// Events that named nothing that is here, another's unit, or an object of another sort.
    pub const fn ignored(&self) -> u64 {
        self.ignored
    }

    fn replay(
        &mut self,
        heard: Heard,
        here: impl Fn(ObjectId) -> Option<Here>,
        world: &impl World,
    ) -> Result<Command, Error> {
        let Heard { stamp, event, by_stream } = heard;
        if let Some(target) = event.object.and_then(|object| world.target(object)) {
            shape::parts(&event.parts, &target)?;
        }
        if event.kind == EventKind::ScreenEffect {
            return Ok(Command::Show(event));
        }
        let object = event.object.ok_or(Error::Unknown)?;
        let here = here(object);
        if event.kind == EventKind::Scenery {
            let is_unit = here.is_some_and(|here| here.is_unit);
            return if is_unit { Err(Error::Unknown) } else { Ok(Command::Break(event)) };
        }
        // It was deleted in the read that told of its blow: who was cut off for long hears of the kill all the same.
        let is_told = by_stream && event.kind == EventKind::KillingBlow && event.player.is_some();
        let gone = is_told.then_some(Here { is_unit: true, ..Here::default() });
        let Here { player, is_unit, .. } = here.or(gone).ok_or(Error::Unknown)?;
        if event.kind != EventKind::KillingBlow {
            return Ok(Command::Replay(event));
        }
        let is_anothers = player.is_some() && event.player.is_some() && player != event.player;
        if !is_unit || is_anothers {
            return Err(Error::Unknown);
        }
        if self.fallen(object).is_some() {
            return Err(Error::Fallen);
        }
        self.fall(object, Some(stamp));
        self.waiting.retain(|waiting| waiting.unit != object);
        Ok(Command::Kill(event))
    }

    fn fallen(&self, unit: ObjectId) -> Option<Fallen> {
        let fallen = self.fallen.get(unit.index()).copied().flatten();
        fallen.filter(|fallen| fallen.identifier == unit.identifier())
    }

    fn fall(&mut self, unit: ObjectId, blow: Option<Tick>) {
        // Of the host's half, as whatever comes here.
        if self.fallen.len() <= unit.index() {
            self.fallen.resize(unit.index() + 1, None);
        }
        self.fallen[unit.index()] = Some(Fallen { identifier: unit.identifier(), blow });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tags::Target;
    use alloc::vec;
    use mjolnir_wire::damage::{Damage, HitReport, KillFlags, Parts};
    use mjolnir_wire::{Message, Tag, Vec3};

    fn at(tick: i32) -> Tick {
        Tick::new(tick).unwrap()
    }

    fn slot(index: u8) -> Slot {
        Slot::new(index).unwrap()
    }

    fn id(index: u16) -> ObjectId {
        ObjectId::new(index, 1).unwrap()
    }

    fn damage(owner: Option<Slot>) -> Damage {
        let (ahead, nowhere) = (Vec3::new(1.0, 0.0, 0.0), Vec3::ZERO);
        Damage {
            effect: Tag(7),
            flags: 0,
            owner,
            team: None,
            owner_object: None,
            origin: nowhere,
            epicentre: nowhere,
            direction: ahead,
            scale: 1.0,
            multiplier: 1.0,
            material_effect_scale: 1.0,
            material: None,
        }
    }

    fn hit(owner: Option<Slot>) -> Hit {
        let parts = Parts::default();
        Hit { object: id(5), damage: damage(owner), target: Vec3::ZERO, normal: None, parts }
    }

    /// Damage to the unit `of`, the player's of that number.
    fn event(kind: EventKind, of: u16) -> DamageEvent {
        DamageEvent {
            kind,
            player: Slot::new(of as u8),
            kill: KillFlags::default(),
            object: Some(id(of)),
            damage: damage(Some(slot(9))),
            being_damaged_flags: 0,
            shield_damage: 0.0,
            body_damage: 1.0,
            body_multiplier: 1.0,
            total_damage: 1.0,
            body_part: None,
            parts: Parts::default(),
            killer_score: if kind == EventKind::KillingBlow { 3 } else { 0 },
        }
    }

    fn blow(of: u16) -> DamageEvent {
        event(EventKind::KillingBlow, of)
    }

    /// Units 0 to 9 stand here, the first four each a player's.
    fn here(object: ObjectId) -> Option<Here> {
        let of_players = || u8::try_from(object.index()).ok().and_then(Slot::new);
        let player = of_players().filter(|_| object.index() < 4);
        (object.index() < 10).then_some(Here { player, is_unit: true, stands: true })
    }

    /// What stands here has 19 nodes, 3 regions and 2 materials; of unit 9 nothing is known.
    struct Models;

    impl World for Models {
        fn target(&self, object: ObjectId) -> Option<Target> {
            let (place, velocity, centre) = (Vec3::ZERO, Vec3::ZERO, Vec3::ZERO);
            let target = Target { place, velocity, size: 0.5, centre, nodes: 19, regions: 3, materials: 2 };
            (object.index() < 9).then_some(target)
        }
    }

    fn tick(client: &mut Client, tick: i32) -> Vec<Command> {
        let mut commands = Vec::new();
        client.before_tick(at(tick), here, &Models, &mut commands);
        commands
    }

    /// DMG-02, 03: what was hit goes to the host by the stream, once, with the tick that had been heard of as it was hit,
    /// though it leaves 20 ticks later.
    #[test]
    fn a_report_names_the_tick_heard_as_it_was_made() {
        let mut client = Client::new();
        assert_eq!(client.handle_hit(at(731), &[slot(2)], &hit(Some(slot(2)))), Ok(()));
        assert_eq!(client.handle_hit(at(740), &[slot(1), slot(2)], &hit(Some(slot(1)))), Ok(()));
        let mut outbox = Outbox::new();
        outbox.begin(at(751), 0);
        client.tell(&mut outbox);
        let mut bytes = Vec::new();
        outbox.gather_stream(mjolnir_wire::Machine::HOST, &mut bytes);
        let message = Message::read(&bytes).unwrap();
        assert_eq!((message.kind, message.tick, bytes.len()), (Kind::HitReports, at(751), 8 + 2 * 108));
        let heard: Vec<_> = HitReport::read_all(&message).map(|report| report.unwrap()).collect();
        let report = |owner, tick| HitReport { hit: hit(Some(slot(owner))), heard: at(tick) };
        assert_eq!(heard, [report(2, 731), report(1, 740)]);
        assert_eq!(client.reported(), 2);
        outbox.begin(at(752), 0);
        client.tell(&mut outbox);
        assert!(outbox.is_empty(), "once");
    }

    /// DMG-63: what nobody of this machine dealt, and what is nobody's any more, is not reported.
    #[test]
    fn anothers_hit_is_not_reported() {
        let mut client = Client::new();
        for owner in [None, Some(slot(3))] {
            assert_eq!(client.handle_hit(at(1), &[slot(2)], &hit(owner)), Err(Error::NotOwned));
        }
        assert_eq!(client.handle_hit(at(1), &[], &hit(Some(slot(2)))), Err(Error::NotOwned));
        let mut outbox = Outbox::new();
        client.tell(&mut outbox);
        assert!(outbox.is_empty());
        assert_eq!(client.reported(), 0);
    }

    /// DMG-38: what the host dealt is replayed before the next tick, once, in the order in which it came, each sort as what
    /// it is.
    #[test]
    fn damage_is_replayed_in_its_order() {
        let mut client = Client::new();
        let said =
            [EventKind::Aftermath, EventKind::ScreenEffect, EventKind::Scenery, EventKind::KillingBlow]
                .map(|kind| event(kind, if kind == EventKind::Scenery { 300 } else { 1 }));
        for event in &said {
            assert_eq!(client.handle_event(at(50), &[slot(1)], event), Ok(()));
        }
        let [aftermath, screen, scenery, blow] = said;
        let expected =
            [Command::Replay(aftermath), Command::Show(screen), Command::Break(scenery), Command::Kill(blow)];
        assert_eq!(tick(&mut client, 60), expected);
        assert_eq!(tick(&mut client, 61), []);
        assert_eq!((client.replayed(), client.ignored()), (4, 0));
    }

    /// DMG-44: a screen effect is a local player's or none.
    #[test]
    fn anothers_screen_is_not_shown() {
        let mut client = Client::new();
        let screen = event(EventKind::ScreenEffect, 1);
        for event in [screen, DamageEvent { player: None, ..screen }] {
            assert_eq!(client.handle_event(at(1), &[slot(2), slot(3)], &event), Err(Error::NotOwned));
        }
        // It needs no object.
        let of_none = DamageEvent { object: None, ..screen };
        assert_eq!(client.handle_event(at(1), &[slot(1)], &of_none), Ok(()));
        assert_eq!(tick(&mut client, 1), [Command::Show(of_none)]);
    }

    /// DMG-38: a message of a tick that comes twice is known, whatever came between; another of that tick is not, nor is the same
    /// of the next tick, nor one that no host says so much of.
    #[test]
    fn a_doubled_message_is_known() {
        let mut client = Client::new();
        let [one, other] = [[1; 108], [2; 108]];
        for (stamp, entries, known) in [
            (50, &one[..], false),
            (50, &other[..], false),
            (50, &one[..], true),
            (50, &[one, other].concat()[..], false),
            (50, &other[..], true),
            (51, &other[..], false),
            (51, &other[..], true),
        ] {
            assert_eq!(client.has_heard(at(stamp), entries), known, "{stamp}");
        }
        let most = vec![3; MOST_BYTES];
        assert_eq!([52, 52].map(|stamp| client.has_heard(at(stamp), &most)), [false, true]);
        assert_eq!([52, 52].map(|stamp| client.has_heard(at(stamp), &one)), [false, false]);
    }

    /// DMG-47: a unit's blow is replayed once, by whichever copy comes first, in one tick or after it; another unit's is
    /// another, and so is that of who stands at the same index later.
    #[test]
    fn one_blow_of_a_unit_is_replayed() {
        let mut client = Client::new();
        assert_eq!(client.handle_event(at(50), &[], &blow(1)), Ok(()));
        assert_eq!(client.handle_event(at(50), &[], &blow(1)), Ok(()), "both in one read");
        assert_eq!(client.handle_event(at(50), &[], &blow(2)), Ok(()));
        assert_eq!(tick(&mut client, 60), [Command::Kill(blow(1)), Command::Kill(blow(2))]);
        assert_eq!((client.replayed(), client.ignored()), (2, 0));
        assert_eq!(client.handle_event(at(50), &[], &blow(1)), Err(Error::Fallen));
        assert_eq!(client.handle_event(at(80), &[], &blow(1)), Err(Error::Fallen), "whatever its tick");
        assert_eq!(tick(&mut client, 61), []);
        let next = DamageEvent { object: ObjectId::new(1, 2), ..blow(1) };
        assert_eq!(client.handle_event(at(90), &[], &next), Ok(()));
        assert_eq!(tick(&mut client, 91), [Command::Kill(next)]);
    }

    /// DMG-47: a player whose unit was deleted before its blow was heard is announced once, by the copy of the stream;
    /// not by a datagram's, which may come before the unit. Of nobody's unit, and of other damage, nothing is.
    #[test]
    fn a_deleted_players_blow_is_announced() {
        let mut client = Client::new();
        assert_eq!(client.handle_event_by_stream(at(50), &[], &blow(20)), Ok(()));
        assert_eq!(tick(&mut client, 200), [Command::Kill(blow(20))]);
        assert_eq!(client.handle_event_by_stream(at(50), &[], &blow(20)), Err(Error::Fallen));
        // Both in one read.
        assert_eq!(client.handle_event(at(50), &[], &blow(21)), Ok(()));
        assert_eq!(client.handle_event_by_stream(at(50), &[], &blow(21)), Ok(()));
        assert_eq!((tick(&mut client, 201), client.ignored()), (vec![Command::Kill(blow(21))], 1));
        // The datagram's before.
        assert_eq!(client.handle_event(at(50), &[], &blow(22)), Ok(()));
        assert_eq!((tick(&mut client, 202), client.ignored()), (Vec::new(), 2));
        assert_eq!(client.handle_event_by_stream(at(50), &[], &blow(22)), Ok(()));
        assert_eq!(tick(&mut client, 203), [Command::Kill(blow(22))]);

        let of_nobody = DamageEvent { player: None, ..blow(23) };
        for event in [of_nobody, event(EventKind::Aftermath, 23)] {
            assert_eq!(client.handle_event_by_stream(at(50), &[], &event), Ok(()));
        }
        assert_eq!((tick(&mut client, 204), client.ignored(), client.replayed()), (Vec::new(), 4, 3));
    }

    /// OBJ-40: what is not there is ignored and counted; a blow to it counts for nothing, so that the copy by the stream,
    /// which comes after the unit, is replayed. What the host cannot mean is refused.
    #[test]
    fn what_is_not_here_is_ignored() {
        let mut client = Client::new();
        for event in [event(EventKind::Aftermath, 20), blow(20)] {
            assert_eq!(client.handle_event(at(50), &[], &event), Ok(()));
        }
        assert_eq!(tick(&mut client, 51), []);
        assert_eq!((client.replayed(), client.ignored()), (0, 2));
        assert_eq!(client.handle_event(at(50), &[], &blow(20)), Ok(()));
        let mut commands = Vec::new();
        let unit = Here { is_unit: true, ..Here::default() };
        client.before_tick(at(52), |_| Some(unit), &Models, &mut commands);
        assert_eq!(commands, [Command::Kill(blow(20))]);

        for object in [None, ObjectId::new(4096, 1), ObjectId::new(8191, 1)] {
            for kind in [EventKind::Aftermath, EventKind::Scenery, EventKind::KillingBlow] {
                let event = DamageEvent { object, ..event(kind, 1) };
                assert_eq!(client.handle_event(at(1), &[slot(1)], &event), Err(Error::Unknown), "{object:?}");
            }
        }
        assert_eq!(
            client.handle_event(at(1), &[], &DamageEvent { object: ObjectId::new(4095, 1), ..blow(1) }),
            Ok(())
        );
    }

    /// DMG-53: scenery that is hit is the map's, and in no row of what the host makes; a crate that is made is in one.
    #[test]
    fn scenery_is_in_no_row() {
        let mut client = Client::new();
        let scenery = event(EventKind::Scenery, 20);
        for here in [None, Some(Here::default())] {
            assert_eq!(client.handle_event(at(50), &[], &scenery), Ok(()));
            let mut commands = Vec::new();
            client.before_tick(at(51), |_| here, &Models, &mut commands);
            assert_eq!(commands, [Command::Break(scenery)], "{here:?}");
        }
        assert_eq!((client.replayed(), client.ignored()), (2, 0));
    }

    /// DMG-41, 53: what is no unit is not killed, and a unit breaks not: such words are ignored and counted, and a unit that
    /// takes the index later falls.
    #[test]
    fn a_word_on_another_sort_of_object_is_ignored() {
        let mut client = Client::new();
        let vehicle = Here::default();
        for event in [blow(20), DamageEvent { player: None, ..blow(20) }, event(EventKind::Aftermath, 20)] {
            // A blow to it fells nothing, so that the next is looked at too.
            assert_eq!(client.handle_event(at(50), &[], &event), Ok(()));
        }
        let mut commands = Vec::new();
        client.before_tick(at(51), |_| Some(vehicle), &Models, &mut commands);
        assert_eq!(commands, [Command::Replay(event(EventKind::Aftermath, 20))]);
        assert_eq!(client.handle_event(at(50), &[], &event(EventKind::Scenery, 1)), Ok(()));
        assert_eq!(tick(&mut client, 52), []);
        assert_eq!((client.replayed(), client.ignored()), (1, 3));
        assert_eq!(client.handle_event(at(60), &[], &blow(20)), Ok(()));
        let unit = Here { is_unit: true, stands: true, player: None };
        client.before_tick(at(61), |_| Some(unit), &Models, &mut commands);
        assert_eq!(commands[1..], [Command::Kill(blow(20))]);
    }

    /// DMG-34, WIRE-81: given a target of 19 nodes, 3 regions and 2 materials, the last of each and none are replayed, and what hits
    /// the next is not, but counted; of what is not known to have parts any is the engine's.
    #[test]
    fn a_part_that_is_not_there_is_not_replayed() {
        let with = |of, node, region, material| {
            let parts = Parts { node, region, material };
            DamageEvent { parts, ..event(EventKind::Aftermath, of) }
        };
        let last = with(5, Some(18), Some(2), Some(1));
        let wrong = [
            with(5, Some(19), None, None),
            with(5, None, Some(3), None),
            with(5, None, None, Some(2)),
            with(5, Some(32_767), Some(32_767), Some(32_767)),
        ];
        let mut client = Client::new();
        for event in [&[last, with(9, Some(32_767), None, None)][..], &wrong].concat() {
            assert_eq!(client.handle_event(at(50), &[], &event), Ok(()));
        }
        let expected = [last, with(9, Some(32_767), None, None)].map(Command::Replay);
        assert_eq!(tick(&mut client, 51), expected);
        assert_eq!((client.replayed(), client.misfits(), client.ignored()), (2, 4, 0));
    }

    /// DMG-47: given a blow one copy of which was damaged, in its parts or its player, when both come in one read or one
    /// after the other, then the other copy is replayed, once.
    #[test]
    fn a_damaged_blow_leaves_the_other_copy() {
        let parts = Parts { node: Some(19), ..Parts::default() };
        let damaged = [DamageEvent { parts, ..blow(1) }, DamageEvent { player: Some(slot(2)), ..blow(1) }];
        for damaged in damaged {
            for order in [[damaged, blow(1)], [blow(1), damaged]] {
                let mut client = Client::new();
                for event in &order {
                    assert_eq!(client.handle_event(at(50), &[], event), Ok(()));
                }
                assert_eq!(tick(&mut client, 51), [Command::Kill(blow(1))]);
            }
            let mut client = Client::new();
            assert_eq!(client.handle_event(at(50), &[], &damaged), Ok(()));
            assert_eq!(tick(&mut client, 51), []);
            assert_eq!(client.handle_event(at(50), &[], &blow(1)), Ok(()));
            assert_eq!(tick(&mut client, 52), [Command::Kill(blow(1))]);
        }
    }

    /// A host that means ill kills a player's unit in each tick and says in each that it lives: each blow is replayed, and
    /// nothing grows.
    #[test]
    fn a_host_that_kills_for_ever_fills_nothing() {
        let mut client = Client::new();
        for now in 100..400 {
            assert_eq!(client.handle_event(at(now), &[slot(1)], &blow(1)), Ok(()));
            client.handle_dead(at(now), id(1), Says::UnitState, true);
            assert_eq!(tick(&mut client, now), [Command::Kill(blow(1))]);
            client.handle_alive(id(1));
            assert_eq!((client.waiting.len(), client.fallen.len(), client.events.len()), (0, 2, 0));
        }
    }

    /// A blow that was damaged on its way into another unit's kills nobody; its other copy kills whom it was to.
    #[test]
    fn a_blow_to_another_players_unit_kills_nobody() {
        let mut client = Client::new();
        let damaged = DamageEvent { object: Some(id(2)), ..blow(1) };
        assert_eq!(client.handle_event(at(50), &[], &damaged), Ok(()));
        assert_eq!(tick(&mut client, 51), []);
        assert_eq!(client.ignored(), 1);
        assert!(!client.has_fallen(id(2), at(0)));
        // Of one that is no living player's here, and of one that names none, there is no such word.
        for event in [blow(1), DamageEvent { player: None, ..blow(2) }, blow(7)] {
            assert_eq!(client.handle_event(at(50), &[], &event), Ok(()));
            assert_eq!(tick(&mut client, 52), [Command::Kill(event)]);
        }
    }

    /// DMG-48, 49: who is said to be dead stands for 14 ticks, and is killed silently in the fifteenth; a blow that comes
    /// before is replayed and the only one; one that comes after is not.
    #[test]
    fn a_body_waits_half_a_second_for_its_blow() {
        let mut client = Client::new();
        client.handle_dead(at(100), id(1), Says::UnitState, true);
        client.handle_dead(at(100), id(2), Says::UnitState, true);
        assert_eq!(client.waiting().collect::<Vec<_>>(), [id(1), id(2)]);
        for now in 100..=114 {
            // It is said again and again.
            client.handle_dead(at(now), id(1), Says::UnitState, true);
            if now == 109 {
                assert_eq!(client.handle_event(at(100), &[], &blow(2)), Ok(()));
                assert_eq!(tick(&mut client, now), [Command::Kill(blow(2))]);
            } else {
                assert_eq!(tick(&mut client, now), [], "{now}");
            }
        }
        assert_eq!(tick(&mut client, 115), [Command::KillSilently { unit: id(1) }]);
        assert_eq!(client.waiting().count(), 0);
        assert_eq!(client.handle_event(at(100), &[], &blow(1)), Err(Error::Fallen));
        client.handle_dead(at(116), id(1), Says::UnitState, true);
        assert_eq!(tick(&mut client, 140), []);
        assert_eq!(client.replayed(), 1, "nothing was shown of it");
    }

    /// DMG-49: ticks that a client left out count; a unit that lies by then, or is gone, is not killed again.
    #[test]
    fn who_lies_already_is_not_killed_silently() {
        let mut client = Client::new();
        for unit in [1, 2, 3] {
            client.handle_dead(at(100), id(unit), Says::UnitState, true);
        }
        let mut commands = Vec::new();
        let here = |object: ObjectId| match object.index() {
            1 => None,
            2 => Some(Here { player: None, is_unit: true, stands: false }),
            _ => Some(Here { player: None, is_unit: true, stands: true }),
        };
        client.before_tick(at(400), here, &Models, &mut commands);
        assert_eq!(commands, [Command::KillSilently { unit: id(3) }]);
    }

    /// DMG-50: a player is dead by the units' states alone and any other by the objects' alone; crossed, neither waits.
    #[test]
    fn each_is_dead_by_its_own_states() {
        let mut client = Client::new();
        client.handle_dead(at(100), id(1), Says::ObjectState, true);
        client.handle_dead(at(100), id(7), Says::UnitState, false);
        assert_eq!(tick(&mut client, 200), []);
        client.handle_dead(at(200), id(4096), Says::ObjectState, false);
        assert_eq!(client.waiting().count(), 0, "its own half is not the host's to fell");
        client.handle_dead(at(200), id(1), Says::UnitState, true);
        client.handle_dead(at(200), id(7), Says::ObjectState, false);
        let expected = [1, 7].map(|unit| Command::KillSilently { unit: id(unit) });
        assert_eq!(tick(&mut client, 215), expected);
    }

    /// DMG-47: a state of before a blow comes late and gives its unit to nobody; one of the blow's tick or later says that the
    /// blow was none, and from then on the unit may be killed again.
    #[test]
    fn a_late_word_revives_nobody() {
        let mut client = Client::new();
        assert_eq!(client.handle_event(at(50), &[], &blow(1)), Ok(()));
        assert!(!client.has_fallen(id(1), at(49)), "it was not replayed yet");
        tick(&mut client, 60);
        assert!(client.has_fallen(id(1), at(49)));
        assert!(!client.has_fallen(id(1), at(50)) && !client.has_fallen(id(2), at(49)));
        assert!(!client.has_fallen(ObjectId::new(1, 2).unwrap(), at(49)), "another at its index");
        client.handle_alive(id(1));
        assert_eq!(client.handle_event(at(70), &[], &blow(1)), Ok(()));
        assert_eq!(tick(&mut client, 71), [Command::Kill(blow(1))]);
    }

    /// A word that somebody is dead which was damaged on its way kills nobody, if the next says that it lives.
    #[test]
    fn who_lives_after_all_waits_no_more() {
        let mut client = Client::new();
        client.handle_dead(at(100), id(1), Says::UnitState, true);
        client.handle_alive(id(1));
        client.handle_alive(id(2));
        assert_eq!(tick(&mut client, 115), []);
        client.handle_dead(at(116), id(1), Says::UnitState, true);
        assert_eq!(tick(&mut client, 131), vec![Command::KillSilently { unit: id(1) }]);
    }
}
