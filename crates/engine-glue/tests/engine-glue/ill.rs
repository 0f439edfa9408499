//! Damage from peers that mean ill: a host whose damage is of anything but what can be hurt, and clients whose reports name what
//! is gone or was thrown once.

use mjolnir_engine_glue::Hits;
use mjolnir_engine_glue::damage::{Command, Throw};
use mjolnir_wire::damage::{Damage, DamageEvent, EventKind, Hit, HitReport, Parts};
use mjolnir_wire::units::{Death, Life};
use mjolnir_wire::{Creation, Kind, MachineSet, ObjectChange, ObjectId, Outbox, Slot, Tag, Vec3};

use super::damage::{by_datagram, by_stream, nobodys, put_alive, put_life, standing};
use super::game::{Call, Game, unit_of};
use super::harm::{BLAST, GRENADE, event, hit, replayed};
use super::hostile::{refused, two};
use super::table::{Table, slot};

fn id(index: u16, identifier: u16) -> ObjectId {
    ObjectId::new(index, identifier).unwrap()
}

/// A weapon that lies there.
fn weapon() -> ObjectId {
    id(60, 1)
}

fn put_weapon(outbox: &mut Outbox) {
    let change = ObjectChange::Create(Creation::plain(weapon(), Tag(2), Vec3::ZERO));
    outbox.reliable_entry(MachineSet::CLIENTS, Kind::ObjectChanges, |bytes| change.write(bytes)).unwrap();
}

/// Numbers that look random.
struct Dice(u64);

impl Dice {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn of<T: Copy>(&mut self, all: &[T]) -> T {
        all[self.below(all.len() as u64) as usize]
    }

    fn number(&mut self) -> f32 {
        self.of(&[0.0, -0.0, 1.0, -1.0, f32::MAX, f32::MIN, f32::MIN_POSITIVE, 1.0e-45])
    }

    fn vector(&mut self) -> Vec3 {
        Vec3::new(self.number(), self.number(), self.number())
    }

    fn index(&mut self) -> Option<u16> {
        self.of(&[None, Some(0), Some(1), Some(32_767)])
    }

    fn slot(&mut self) -> Option<Slot> {
        self.of(&[None, Some(slot(0)), Some(slot(1)), Some(slot(127))])
    }

    fn object(&mut self) -> Option<ObjectId> {
        let (own, stale) = (unit_of(slot(0)), id(0, 2));
        let somewhere = [own, nobodys(), weapon(), stale, id(300, 1), id(4_095, 1), id(5_000, 1)];
        if self.below(8) == 0 { None } else { Some(self.of(&somewhere)) }
    }

    fn event(&mut self) -> DamageEvent {
        let damage = Damage {
            effect: Tag(self.below(9) as u32),
            flags: self.below(1 << 31) as u32,
            owner: self.slot(),
            team: self.index(),
            owner_object: self.object(),
            origin: self.vector(),
            epicentre: self.vector(),
            direction: self.vector(),
            scale: self.number(),
            multiplier: self.number(),
            material_effect_scale: self.number(),
            material: self.index(),
        };
        DamageEvent {
            player: self.slot(),
            object: self.object(),
            damage,
            being_damaged_flags: u32::MAX,
            shield_damage: self.number(),
            body_damage: self.number(),
            body_multiplier: self.number(),
            total_damage: self.number(),
            body_part: self.index(),
            parts: Parts { node: self.index(), region: self.index(), material: self.index() },
            killer_score: self.of(&[i32::MIN, 0, i32::MAX]),
            ..event(self.of(&EventKind::ALL), slot(0))
        }
    }
}

/// Whether a game whose bodies have one node and nothing else can do that.
fn is_sound(command: &Command) -> bool {
    let (units, is_none) = ([unit_of(slot(0)), nobodys()], |part: Option<u16>| part.is_none());
    let is_unit = |object: &ObjectId| units.contains(object);
    let fits = |event: &DamageEvent| {
        let known = event.object.is_some_and(|object| is_unit(&object) || object == weapon());
        let Parts { node, region, material } = event.parts;
        !known || node.is_none_or(|node| node == 0) && is_none(region) && is_none(material)
    };
    match command {
        Command::Show(event) => fits(event) && event.player == Some(slot(0)),
        Command::Replay(event) => {
            fits(event) && event.object.is_some_and(|object| is_unit(&object) || object == weapon())
        }
        // A player's unit may be gone by then.
        Command::Kill(event) => {
            let is_gone = |object: ObjectId| object != weapon() && event.player.is_some();
            fits(event) && event.object.is_some_and(|object| is_unit(&object) || is_gone(object))
        }
        Command::Break(event) => fits(event) && event.object.is_some_and(|object| !is_unit(&object)),
        Command::KillSilently { unit } => is_unit(unit),
    }
}

/// DMG-34, 38, 39, 44, 53: given a host that says 256 words a tick of damage to anything, with any numbers, while its states
/// say now that the player lives and now that it does not, then nothing that a game cannot do is asked of it; once it is quiet,
/// the player lives.
#[test]
fn a_hosts_words_on_damage_are_of_what_can_be() {
    for seed in 1..=4 {
        println!("seed {seed}");
        let mut dice = Dice(seed);
        let mut foreign = standing();
        foreign.step(put_weapon);
        foreign.run(2);
        for _ in 0..60 {
            foreign.step(|outbox| {
                for _ in 0..256 {
                    let (event, say) = (dice.event(), dice.of(&[by_stream, by_datagram]));
                    say(outbox, &event);
                }
                match dice.below(3) {
                    0 => put_alive(outbox),
                    1 => put_life(outbox, Life::Dead(Death::default())),
                    _ => {}
                }
            });
        }
        foreign.run(30);
        foreign.step(put_alive);
        assert!(foreign.game.place(0).is_some());
        let all = replayed(&foreign.game);
        let sort = |is: fn(&Command) -> bool| all.iter().filter(|command| is(command)).count();
        assert!(sort(|of| matches!(of, Command::Kill(_))) > 1, "{seed}");
        assert!(sort(|of| matches!(of, Command::Break(_))) > 100 && sort(|of| !is_sound(of)) == 0, "{seed}");
        let counters = foreign.client.counters();
        for reason in ["hit_no_such_part", "unknown_unit", "hit_not_owned"] {
            assert!(
                counters.refused.get(reason).is_some_and(|number| *number > 100),
                "{reason}: {counters:?}"
            );
        }
        let told = all.iter().filter(|of| !matches!(of, Command::KillSilently { .. })).count();
        assert_eq!(counters.hits, Hits { replayed: told as u64, ..Hits::default() });
    }
}

/// DMG-41, 53: what is no unit is not killed; scenery, which no row names, breaks, and no unit does.
#[test]
fn each_sort_of_word_is_of_its_sort_of_object() {
    let mut foreign = standing();
    foreign.step(put_weapon);
    foreign.run(2);
    assert!(foreign.game.place_of(weapon()).is_some());
    foreign.game.calls.clear();
    let of = |kind, object| DamageEvent { object: Some(object), player: None, ..event(kind, slot(0)) };
    let scenery = of(EventKind::Scenery, id(300, 1));
    foreign.step(|outbox| {
        for event in [of(EventKind::KillingBlow, weapon()), of(EventKind::Scenery, nobodys()), scenery] {
            by_stream(outbox, &event);
        }
    });
    foreign.run(3);
    assert_eq!(replayed(&foreign.game), [Command::Break(scenery)]);
    assert_eq!(foreign.client.counters().refused.get("unknown_unit"), Some(&2));
    assert!(foreign.game.stands(nobodys()));
}

/// The raw client of slot 1 says that, as of the host's tick now.
fn say(table: &mut Table, hit: Hit) {
    let (now, heard) = (table.now, table.host.now_tick());
    let report = HitReport { hit, heard };
    table.raws[0].say(now, heard, |outbox| {
        outbox.reliable_entry(MachineSet::HOST, Kind::HitReports, |to| report.write(to)).unwrap();
    });
    table.run(100);
}

fn deals(game: &Game) -> usize {
    game.calls.iter().filter(|call| matches!(call, Call::Deal(_))).count()
}

/// DMG-08, 09: given a throw that the host's game told of once, then one explosion of it is dealt, in whatever later tick, and
/// no second; without a throw none is.
#[test]
fn a_throw_is_told_once_and_explodes_once() {
    let mut table = two();
    let at = table.game.place(0).unwrap();
    let mut blast = hit(Some(slot(1)), unit_of(slot(0)), at);
    blast.damage.effect = BLAST;
    say(&mut table, blast);
    assert_eq!((deals(&table.game), refused(&table, "hit_not_held")), (0, 1));
    table.game.harm.throws = vec![Throw { slot: slot(1), grenade: GRENADE }];
    table.run(500);
    say(&mut table, blast);
    assert_eq!(deals(&table.game), 1);
    for later in 1..=3 {
        say(&mut table, blast);
        assert_eq!((deals(&table.game), refused(&table, "hit_not_thrown")), (1, later));
    }
    assert_eq!(table.host.counters().hits, Hits { reported: 5, dealt: 1, rejected: 4, ..Hits::default() });
}

/// GLUE-13: what was refused unseen and what was dropped is counted once, through the games that follow.
#[test]
fn what_was_counted_is_counted_once() {
    let mut table = two();
    let at = table.game.place(0).unwrap();
    say(&mut table, hit(Some(slot(0)), unit_of(slot(0)), at));
    table.game.harm.dealt = vec![event(EventKind::Aftermath, slot(0)); 300];
    table.run(100);
    for game in 0..3 {
        let counters = table.host.counters();
        assert_eq!(counters.hits, Hits { reported: 1, rejected: 1, ..Hits::default() }, "{game}");
        assert_eq!(counters.damage_dropped, 44, "{game}");
        let Table { host, game, now, .. } = &mut table;
        host.to_lobby(*now, game);
        table.run(100);
        table.begin(9_000);
    }
}

/// OBJ-41: what stands at an index now is not what stood there: a report that names the one before hits nothing.
#[test]
fn what_stands_at_an_index_now_is_another() {
    let mut table = two();
    let (at, unit) = (table.game.place(0).unwrap(), unit_of(slot(0)));
    say(&mut table, hit(Some(slot(1)), id(unit.index() as u16, unit.identifier() + 1), at));
    assert_eq!((deals(&table.game), refused(&table, "hit_no_target")), (0, 1));
    say(&mut table, hit(Some(slot(1)), unit, at));
    assert_eq!(deals(&table.game), 1);
}
