//! Whom damage that was dealt concerns. Knows no message but that one.

use alloc::vec::Vec;

use mjolnir_wire::damage::{DamageEvent, EventKind};
use mjolnir_wire::{Kind, Machine, MachineSet, ObjectId, Outbox, Slot};

use crate::rows::PlayerRow;

/// Damage events told in a tick at most (DMG-61).
pub const MOST_EVENTS: usize = 256;

/// Pieces of scenery whose damage is kept for who comes later (ours): more than a map has names for objects. What was hit
/// longest ago is forgotten first.
const MOST_BROKEN: usize = 512;

/// See the file's text.
#[derive(Debug, Default)]
pub(crate) struct Telling {
    /// The last damage to each piece of scenery and each device.
    broken: Vec<DamageEvent>,
    dropped: u64,
}

/// The players of a tick, and which machines may be told of it.
struct Around<'a> {
    players: &'a [PlayerRow],
    loaded: MachineSet,
}

impl Telling {
    /// Tells of a tick's damage: a blow to every client, at once and once more by the stream (DMG-42, 46), the rest to whom it
    /// concerns (DMG-43, 44). Of scenery everybody is told by the stream, since what was broken stays so; `ready` is told of
    /// what was broken before.
    pub(crate) fn tell(
        &mut self,
        events: &[DamageEvent],
        players: &[PlayerRow],
        (loaded, ready): (MachineSet, MachineSet),
        told: impl Fn(Slot) -> MachineSet,
        outbox: &mut Outbox,
    ) {
        let around = Around { players, loaded: loaded.intersection(MachineSet::CLIENTS) };
        let ready = ready.intersection(around.loaded);
        if !ready.is_empty() {
            self.broken.iter().for_each(|event| by_stream(event, ready, outbox));
        }
        let count = |kind| events.iter().filter(|event| event.kind == kind).count();
        // Blows outlast the others, and of these what stays broken (DMG-61).
        let mut blows = MOST_EVENTS.min(count(EventKind::KillingBlow));
        let mut scenery = (MOST_EVENTS - blows).min(count(EventKind::Scenery));
        let mut others = MOST_EVENTS - blows - scenery;
        for event in events {
            let room = match event.kind {
                EventKind::KillingBlow => &mut blows,
                EventKind::Scenery => {
                    self.keep(event);
                    &mut scenery
                }
                EventKind::ScreenEffect | EventKind::Aftermath => &mut others,
            };
            if *room == 0 {
                self.dropped += 1;
                continue;
            }
            *room -= 1;
            match event.kind {
                EventKind::KillingBlow => {
                    by_datagram(event, around.loaded, outbox);
                    by_stream(event, around.loaded, outbox);
                }
                EventKind::Scenery => by_stream(event, around.loaded, outbox),
                EventKind::ScreenEffect => by_datagram(event, around.owner(event.player), outbox),
                EventKind::Aftermath => by_datagram(event, around.concerned(event, &told), outbox),
            }
        }
    }

    /// Events that were dropped.
    pub(crate) const fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Scenery was hit. What stands at that index now is another than before.
    fn keep(&mut self, event: &DamageEvent) {
        let Some(object) = event.object else { return };
        let index = |of: &DamageEvent| of.object.map(ObjectId::index);
        let before = self.broken.iter().position(|of| index(of) == Some(object.index()));
        match before {
            Some(at) => drop(self.broken.remove(at)),
            None if self.broken.len() == MOST_BROKEN => drop(self.broken.remove(0)),
            None => {}
        }
        self.broken.push(*event);
    }
}

impl Around<'_> {
    /// The machine that plays that player, if it may be told.
    fn owner(&self, slot: Option<Slot>) -> MachineSet {
        self.machines(|row| Some(row.slot) == slot)
    }

    /// Who is told of damage that did not kill.
    fn concerned(&self, event: &DamageEvent, told: impl Fn(Slot) -> MachineSet) -> MachineSet {
        let riders = self.machines(|row| {
            event.object.is_some() && row.riding.map(|riding| riding.vehicle) == event.object
        });
        let near = event.player.map_or(MachineSet::NONE, told).intersection(self.loaded);
        let of_players = self.owner(event.player).union(self.owner(event.damage.owner));
        of_players.union(riders).union(near)
    }

    /// The machines of those players, if they may be told.
    fn machines(&self, of: impl Fn(&PlayerRow) -> bool) -> MachineSet {
        let machines = self.players.iter().filter(|row| of(row)).map(|row| row.machine);
        let only = |machine: Machine| MachineSet::only(machine);
        machines.fold(MachineSet::NONE, |set, machine| set.union(only(machine))).intersection(self.loaded)
    }
}

fn by_datagram(event: &DamageEvent, to: MachineSet, outbox: &mut Outbox) {
    if !to.is_empty() {
        // Its length is the kind's.
        let _ = outbox.entry(to, Kind::DamageEvents, |bytes| event.write(bytes));
    }
}

fn by_stream(event: &DamageEvent, to: MachineSet, outbox: &mut Outbox) {
    if !to.is_empty() {
        // Its length is the kind's.
        let _ = outbox.reliable_entry(to, Kind::DamageEvents, |bytes| event.write(bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rows::{Riding, Seat};
    use alloc::vec;
    use mjolnir_wire::BatchWriter;
    use mjolnir_wire::damage::{Damage, KillFlags, Parts};
    use mjolnir_wire::limits::WEAPON_SLOTS;
    use mjolnir_wire::{Message, MessageType, Parts as Batch, Tag, Tick, Vec3, framing::StreamReader};

    fn machine(index: u8) -> Machine {
        Machine::new(index).unwrap()
    }

    fn slot(index: u8) -> Slot {
        Slot::new(index).unwrap()
    }

    fn machines(of: &[u8]) -> MachineSet {
        of.iter().map(|index| MachineSet::only(machine(*index))).fold(MachineSet::NONE, MachineSet::union)
    }

    fn id(index: u16) -> ObjectId {
        ObjectId::new(index, 1).unwrap()
    }

    /// Player `of` of machine `of`, which rides that.
    fn row(of: u8, rides: Option<u16>) -> PlayerRow {
        let riding = rides.map(|vehicle| Riding {
            vehicle: id(vehicle),
            tag: Tag(3),
            size: 2.0,
            seat: Seat::default(),
        });
        PlayerRow {
            slot: slot(of),
            machine: machine(of),
            unit: Some(id(u16::from(of))),
            place: Vec3::ZERO,
            riding,
            weapons: [None; WEAPON_SLOTS],
            team: None,
            multiplier: 1.0,
        }
    }

    /// What player `by` did to that object, of player `of`.
    fn event(kind: EventKind, of: Option<u8>, object: u16, by: u8) -> DamageEvent {
        DamageEvent {
            kind,
            player: of.map(slot),
            kill: KillFlags::default(),
            object: Some(id(object)),
            damage: Damage {
                effect: Tag(7),
                flags: 0,
                owner: Some(slot(by)),
                team: None,
                owner_object: None,
                origin: Vec3::ZERO,
                epicentre: Vec3::ZERO,
                direction: Vec3::new(1.0, 0.0, 0.0),
                scale: 1.0,
                multiplier: 1.0,
                material_effect_scale: 1.0,
                material: None,
            },
            being_damaged_flags: 0,
            shield_damage: 0.0,
            body_damage: 0.25,
            body_multiplier: 1.0,
            total_damage: 0.25,
            body_part: None,
            parts: Parts::default(),
            killer_score: 0,
        }
    }

    fn blow(of: u8) -> DamageEvent {
        event(EventKind::KillingBlow, Some(of), u16::from(of), 9)
    }

    fn told(events: &[DamageEvent], players: &[PlayerRow], near: impl Fn(Slot) -> MachineSet) -> Told {
        Told::of(&mut Telling::default(), events, players, MachineSet::NONE, near)
    }

    /// What a tick's events came to: machines 0 to 6 have loaded.
    struct Told(Outbox);

    impl Told {
        fn of(
            telling: &mut Telling,
            events: &[DamageEvent],
            players: &[PlayerRow],
            ready: MachineSet,
            near: impl Fn(Slot) -> MachineSet,
        ) -> Self {
            let mut outbox = Outbox::new();
            outbox.begin(Tick::ZERO.plus(50), 0);
            telling.tell(events, players, (machines(&[0, 1, 2, 3, 4, 5, 6]), ready), near, &mut outbox);
            Self(outbox)
        }

        fn by_datagram(&self, to: u8) -> Vec<DamageEvent> {
            let mut events = Vec::new();
            self.0.gather_datagrams(machine(to), &mut BatchWriter::new(), |bytes| {
                let message = Message::read(bytes).unwrap();
                for part in Batch::of(&message) {
                    let part = part.unwrap();
                    assert_eq!(part.kind, Kind::DamageEvents);
                    events.extend(DamageEvent::read_all(&part).map(|event| event.unwrap()));
                }
            });
            events
        }

        fn by_stream(&self, to: u8) -> Vec<DamageEvent> {
            let mut bytes = Vec::new();
            self.0.gather_stream(machine(to), &mut bytes);
            let mut reader = StreamReader::new();
            reader.push(&bytes);
            let mut events = Vec::new();
            while let Some((of, bytes)) = reader.next_message().unwrap() {
                assert_eq!(of, MessageType::Data);
                let message = Message::read(bytes).unwrap();
                events.extend(DamageEvent::read_all(&message).map(|event| event.unwrap()));
            }
            events
        }

        /// The machines of eight that are told anything by datagram, and by stream.
        fn who(&self) -> (Vec<u8>, Vec<u8>) {
            let is_told = |what: &dyn Fn(u8) -> Vec<DamageEvent>| {
                (0..8).filter(|to| !what(*to).is_empty()).collect::<Vec<u8>>()
            };
            (is_told(&|to| self.by_datagram(to)), is_told(&|to| self.by_stream(to)))
        }
    }

    fn nobody(_: Slot) -> MachineSet {
        MachineSet::NONE
    }

    /// DMG-42, 46: a killing blow goes to every client that has loaded, whoever sees it, once in the tick's datagrams and once
    /// by the stream, the same entry.
    #[test]
    fn a_blow_goes_to_everybody_twice() {
        let told = told(&[blow(1)], &[row(1, None)], nobody);
        assert_eq!(
            told.who(),
            (vec![1, 2, 3, 4, 5, 6], vec![1, 2, 3, 4, 5, 6]),
            "not to the host, nor to who loads"
        );
        for client in 1..=6 {
            assert_eq!(told.by_datagram(client), [blow(1)]);
            assert_eq!(told.by_stream(client), [blow(1)]);
        }
    }

    /// DMG-43: what did not kill is told the victim's machine, who rides what was hurt, who dealt it, and who was sent that
    /// player in this tick; no bystander, and nobody by the stream.
    #[test]
    fn a_wound_goes_to_whom_it_concerns() {
        let players = [row(1, None), row(2, None), row(3, Some(300)), row(4, Some(301)), row(5, None)];
        let near = |of: Slot| if of == slot(1) { machines(&[0, 5, 7]) } else { MachineSet::NONE };
        let wound = |of, object, by| event(EventKind::Aftermath, of, object, by);
        let who = |event| told(&[event], &players, near).who();
        assert_eq!(who(wound(Some(1), 1, 2)), (vec![1, 2, 5], vec![]));
        assert_eq!(who(wound(Some(2), 2, 2)), (vec![2], vec![]), "by itself, sent to nobody");
        assert_eq!(who(wound(None, 300, 1)), (vec![1, 3], vec![]), "a vehicle and its rider");
        assert_eq!(who(wound(None, 302, 90)), (vec![], vec![]), "nobody's, by one that left");
        let falls = wound(Some(4), 4, 4);
        let falls = DamageEvent { damage: Damage { owner: None, ..falls.damage }, ..falls };
        assert_eq!(who(falls), (vec![4], vec![]));
        // What names no object is not what those on foot ride.
        assert_eq!(who(DamageEvent { object: None, ..wound(None, 1, 90) }), (vec![], vec![]));
    }

    /// DMG-44: a screen effect goes to its player's machine alone, whoever dealt it or sees that player.
    #[test]
    fn a_screen_effect_goes_to_its_player() {
        let players = [row(1, None), row(2, None)];
        let screen = event(EventKind::ScreenEffect, Some(1), 1, 2);
        let told = |event| told(&[event], &players, |_| MachineSet::CLIENTS).who();
        assert_eq!(told(screen), (vec![1], vec![]));
        assert_eq!(told(DamageEvent { player: None, ..screen }), (vec![], vec![]));
        assert_eq!(told(DamageEvent { player: Some(slot(8)), ..screen }), (vec![], vec![]), "who left");
    }

    /// The host's own player is told by nobody, and who is hurt on a machine of two players is told of once.
    #[test]
    fn a_machine_is_told_once() {
        let mut players = [row(0, None), row(1, None), row(2, None)];
        players[2].machine = machine(1);
        let wounds =
            [(0, 0), (1, 2)].map(|(of, by)| event(EventKind::Aftermath, Some(of), u16::from(of), by));
        let told = told(&wounds, &players, |_| machines(&[1]));
        assert_eq!(told.who(), (vec![1], vec![]));
        assert_eq!(told.by_datagram(1), wounds);
    }

    /// DMG-53: broken scenery is told everybody by the stream, and once more, its last word, to who is told of all objects later,
    /// and to nobody else then.
    #[test]
    fn what_is_broken_is_told_who_comes_later() {
        let mut telling = Telling::default();
        let hit =
            |object, body_damage| DamageEvent { body_damage, ..event(EventKind::Scenery, None, object, 1) };
        let tell = |telling: &mut _, events: &[_], ready: &[u8]| {
            Told::of(telling, events, &[], machines(ready), nobody)
        };
        let told = tell(&mut telling, &[hit(20, 0.1), hit(21, 0.1)], &[2]);
        assert_eq!(told.who(), (vec![], vec![1, 2, 3, 4, 5, 6]));
        assert_eq!(told.by_stream(2), [hit(20, 0.1), hit(21, 0.1)], "once");
        tell(&mut telling, &[hit(20, 0.9)], &[]);
        assert_eq!(tell(&mut telling, &[], &[]).who(), (vec![], vec![]));
        let told = tell(&mut telling, &[blow(1)], &[3, 7]);
        assert_eq!(told.by_stream(3), [hit(21, 0.1), hit(20, 0.9), blow(1)]);
        assert_eq!(told.by_stream(4), [blow(1)]);
        assert!(told.by_stream(7).is_empty(), "it has not loaded");
        // Another stands there now.
        let anew = DamageEvent { object: ObjectId::new(21, 2), ..hit(21, 0.5) };
        tell(&mut telling, &[anew], &[]);
        assert_eq!(tell(&mut telling, &[], &[5]).by_stream(5), [hit(20, 0.9), anew]);
    }

    /// What is kept of scenery has a bound, past which the oldest is forgotten.
    #[test]
    fn so_much_scenery_is_kept() {
        let mut telling = Telling::default();
        for first in [0, 256, 512] {
            let number = if first == 512 { 1 } else { 256 };
            let events: Vec<_> =
                (first..first + number).map(|of| event(EventKind::Scenery, None, of, 1)).collect();
            Told::of(&mut telling, &events, &[], MachineSet::NONE, nobody);
        }
        let kept = Told::of(&mut telling, &[], &[], machines(&[1]), nobody).by_stream(1);
        let objects: Vec<_> = kept.iter().map(|event| event.object.unwrap().index()).collect();
        assert!(objects.iter().copied().eq(1..=512));
    }

    /// DMG-61: 256 events leave in a tick, the rest are dropped and counted; blows outlast all others wherever they stand, and
    /// scenery the wounds.
    #[test]
    fn blows_outlast_the_others() {
        let mut telling = Telling::default();
        let wound = event(EventKind::Aftermath, Some(1), 1, 2);
        let mut events = vec![wound; 300];
        events.extend([blow(1), event(EventKind::Scenery, None, 20, 1), blow(2)]);
        let told = Told::of(&mut telling, &events, &[row(1, None)], MachineSet::NONE, nobody);
        let (datagrams, stream) = (told.by_datagram(1), told.by_stream(1));
        assert_eq!(datagrams.len() + stream.len(), 256 + 2, "blows are told twice");
        assert_eq!((&datagrams[253..], stream.len()), (&[blow(1), blow(2)][..], 3));
        assert_eq!(telling.dropped(), 303 - 256);

        let mut telling = Telling::default();
        let exactly: Vec<_> = (0..256).map(|_| wound).collect();
        Told::of(&mut telling, &exactly, &[], MachineSet::NONE, nobody);
        assert_eq!(telling.dropped(), 0);
        let blows: Vec<_> = (0..=256).map(|of| event(EventKind::KillingBlow, None, of, 1)).collect();
        let told = Told::of(&mut telling, &blows, &[], MachineSet::NONE, nobody);
        assert_eq!((told.by_stream(1).len(), telling.dropped()), (256, 1));
        let scenery = (0..100).map(|of| event(EventKind::Scenery, None, of, 1));
        let many: Vec<_> = scenery.chain([wound; 10]).chain(blows[..200].iter().copied()).collect();
        let mut telling = Telling::default();
        let told = Told::of(&mut telling, &many, &[row(1, None)], MachineSet::NONE, nobody);
        let sort = |kind| told.by_stream(1).iter().filter(|event| event.kind == kind).count();
        assert_eq!((sort(EventKind::KillingBlow), sort(EventKind::Scenery)), (200, 56));
        assert_eq!((told.by_datagram(1).len(), telling.dropped()), (200, 54));
    }
}
