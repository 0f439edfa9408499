//! Damage from one game to the others: what a client reports, what the host deals, and what of it is replayed where.

use mjolnir_engine_glue::damage::{BLOW_WAIT, Command};
use mjolnir_engine_glue::{Hits, authority, client};
use mjolnir_wire::damage::{DamageEvent, EventKind, HitReport};
use mjolnir_wire::objects::{Motion, ObjectState};
use mjolnir_wire::units::{Death, Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{Axes, Creation, Kind, MachineSet, ObjectChange, ObjectId, Outbox, Tag, Tick, Vec3};

use super::foreign::Foreign;
use super::game::{Call, Game, Trace, unit_of};
use super::harm::{event, hit, replayed};
use super::hostile::{refused, two};
use super::table::{Said, Seat, Table, slot};

/// A dedicated host's game in progress with so many clients, a second in.
fn playing(seats: usize) -> Table {
    let mut table = Table::playing(1_000);
    for _ in 0..seats {
        table.seat(1);
    }
    table.run(1_000);
    table.network.said.clear();
    for Seat { game, network, .. } in &mut table.seats {
        game.calls.clear();
        network.said.clear();
    }
    table
}

fn blow(of: u8) -> DamageEvent {
    event(EventKind::KillingBlow, slot(of))
}

fn said(said: &[Said], what: Said) -> usize {
    said.iter().filter(|other| **other == what).count()
}

/// A client of another's host, whose one player stands, and so does unit 50, nobody's.
pub(super) fn standing() -> Foreign {
    let mut foreign = Foreign::of(1, Game::new());
    foreign.step(|outbox| {
        for unit in [unit_of(slot(0)), nobodys()] {
            let change = ObjectChange::Create(Creation::plain(unit, Tag(1), Vec3::ZERO));
            let to = MachineSet::CLIENTS;
            outbox.reliable_entry(to, Kind::ObjectChanges, |bytes| change.write(bytes)).unwrap();
        }
        put_alive(outbox);
    });
    foreign.run(3);
    assert!(foreign.game.place(0).is_some() && foreign.game.stands(nobodys()));
    foreign.game.calls.clear();
    foreign
}

pub(super) fn nobodys() -> ObjectId {
    ObjectId::new(50, 1).unwrap()
}

pub(super) fn put_life(outbox: &mut Outbox, life: Life) {
    let state = UnitState { slot: slot(0), shield: ShieldFlags::default(), life };
    outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| state.write(bytes)).unwrap();
}

pub(super) fn put_alive(outbox: &mut Outbox) {
    let placement = Placement { position: Vec3::ZERO, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
    put_life(outbox, Life::Alive(LivingUnit::whole(unit_of(slot(0)), placement)));
}

fn put_dead(outbox: &mut Outbox) {
    put_life(outbox, Life::Dead(Death::default()));
}

/// What the host says of a body that lies there.
fn put_body(outbox: &mut Outbox, unit: ObjectId) {
    let (position, still) = (Vec3::new(0.0, 40.0, 0.0), Vec3::ZERO);
    let motion = Motion { position, axes: Axes::UPRIGHT, velocity: still, angular_velocity: still };
    let state = ObjectState { dead: true, ..ObjectState::moving(unit, motion) };
    outbox.entry(MachineSet::CLIENTS, Kind::ObjectStates, |bytes| state.write(bytes)).unwrap();
}

pub(super) fn by_stream(outbox: &mut Outbox, event: &DamageEvent) {
    outbox.reliable_entry(MachineSet::CLIENTS, Kind::DamageEvents, |bytes| event.write(bytes)).unwrap();
}

pub(super) fn by_datagram(outbox: &mut Outbox, event: &DamageEvent) {
    outbox.entry(MachineSet::CLIENTS, Kind::DamageEvents, |bytes| event.write(bytes)).unwrap();
}

fn own_tick(foreign: &Foreign) -> Tick {
    foreign.client.clock().tick().unwrap()
}

/// DMG-01, 02, 03, 63: what a client's player hit in a tick goes to the host with the tick that was heard of by then, once,
/// and nothing of it is done on the client; what another's player hit there is reported by nobody.
#[test]
fn a_hit_is_reported() {
    let mut foreign = standing();
    foreign.game.harm.hits =
        [Some(slot(0)), Some(slot(5)), None].map(|by| hit(by, nobodys(), Vec3::UP)).into();
    foreign.step(|_| {});
    let (heard, made) = (foreign.tick, own_tick(&foreign));
    foreign.run(20);
    let report = HitReport { hit: hit(Some(slot(0)), nobodys(), Vec3::UP), heard };
    assert_eq!(foreign.reports, [(made, report)]);
    let counters = foreign.client.counters();
    assert_eq!(counters.hits, Hits { reported: 1, ..Hits::default() });
    assert_eq!(counters.refused.get("hit_not_owned"), Some(&2));
    assert_eq!((replayed(&foreign.game), foreign.game.stands(nobodys())), (vec![], true));
}

/// DMG-02, GLUE-13: each report is counted on both ends, on the host as dealt or refused.
#[test]
fn a_report_comes_to_the_host() {
    let mut table = playing(2);
    let at = table.game.place(1).unwrap();
    table.seats[0].game.harm.hits = vec![hit(Some(slot(0)), unit_of(slot(1)), at)];
    table.run(200);
    assert_eq!(said(&table.seats[0].network.said, Said::Stream(Kind::HitReports)), 1);
    assert_eq!(table.seats[0].client.counters().hits, Hits { reported: 1, ..Hits::default() });
    let Hits { reported, dealt, rejected, replayed } = table.host.counters().hits;
    assert_eq!((reported, dealt + rejected, replayed), (1, 1, 0));
    let deals = table.game.calls.iter().filter(|call| matches!(call, Call::Deal(_))).count();
    assert_eq!(deals as u64, dealt);
}

/// DMG-04, 05, 34, 55: a hit in a datagram, alone or in a batch, is refused and is no report; one of another machine's player
/// and one whose numbers are none are, each counted by its reason, and nothing is dealt.
#[test]
fn a_report_that_is_none_is_counted() {
    let mut table = two();
    let report = |by: u8, heard| {
        let hit = hit(Some(slot(by)), unit_of(slot(0)), Vec3::ZERO);
        let mut bytes = Vec::new();
        HitReport { hit, heard }.write(&mut bytes);
        bytes
    };
    let at = table.host.now_tick();
    let message = |kind: Kind, count, body: &[u8]| {
        let word = ((8 + body.len() as u16) << 4 | 2 << 2).to_be_bytes();
        [&word, &[kind as u8, count][..], &at.get().to_le_bytes(), body].concat()
    };
    let alone = message(Kind::HitReports, 1, &report(1, at));
    let length = (alone.len() as u16 - 2).to_le_bytes();
    let batch = message(Kind::Batch, 0, &[&length, &alone[2..]].concat());
    for (number, bytes) in [(1, &alone), (2, &batch)] {
        table.raws[0].throw(table.now, bytes);
        table.run(100);
        assert_eq!(refused(&table, "wrong_channel"), number);
    }
    assert_eq!(table.host.counters().hits, Hits::default());

    let (now, heard) = (table.now, table.host.now_tick());
    let mut bad = [report(0, heard), report(1, heard), report(1, heard), report(1, heard)];
    // Its scale, its target, its object.
    bad[1][56..60].copy_from_slice(&f32::NAN.to_le_bytes());
    bad[2][72..76].copy_from_slice(&f32::INFINITY.to_le_bytes());
    bad[3][0..4].copy_from_slice(&[0xFF; 4]);
    table.raws[0].say(now, heard, |outbox| {
        for bytes in &bad {
            outbox.reliable_entry(MachineSet::HOST, Kind::HitReports, |to| to.extend(bytes)).unwrap();
        }
    });
    table.run(100);
    assert_eq!(table.host.counters().hits, Hits { reported: 4, rejected: 4, ..Hits::default() });
    let counted = ["hit_not_owned", "not_finite", "bad_index"].map(|reason| refused(&table, reason));
    assert_eq!(counted, [1, 2, 1]);
    assert!(!table.game.calls.iter().any(|call| matches!(call, Call::Deal(_))));
}

/// DMG-05, 44: a machine that has the index of one that left reports nothing of the player who still stands there, and is shown
/// nothing of what that one's screen would.
#[test]
fn an_index_given_anew_does_not_inherit_harm() {
    let mut table = two();
    table.raws.remove(0).leave(table.now);
    table.run(10);
    table.raw();
    table.run(600);
    assert_eq!(table.game.count(&Call::Remove(1)), 0, "it stands there still");
    let (now, heard) = (table.now, table.host.now_tick());
    let report = HitReport { hit: hit(Some(slot(1)), unit_of(slot(0)), Vec3::ZERO), heard };
    table.raws[0].say(now, heard, |outbox| {
        outbox.reliable_entry(MachineSet::HOST, Kind::HitReports, |to| report.write(to)).unwrap();
    });
    table.run(100);
    assert_eq!(refused(&table, "hit_not_owned"), 1);
    assert_eq!(table.host.counters().hits, Hits { reported: 1, rejected: 1, ..Hits::default() });

    table.network.said.clear();
    table.game.harm.dealt = vec![event(EventKind::ScreenEffect, slot(1))];
    table.run(50);
    assert_eq!(said(&table.network.said, Said::Datagram(Kind::DamageEvents)), 0);
    table.game.harm.dealt = vec![event(EventKind::ScreenEffect, slot(2))];
    table.run(50);
    assert_eq!(said(&table.network.said, Said::Datagram(Kind::DamageEvents)), 1);
    assert_eq!(table.game.count(&Call::Remove(1)), 0);
}

/// DMG-39, 42, 46, 47: a kill is told each client by datagram and by stream, and each replays it once, before the word that the
/// player is dead; the second copy is nothing wrong.
#[test]
fn a_kill_is_replayed_once_everywhere() {
    let mut table = playing(3);
    table.game.kill(slot(1));
    table.run(500);
    for way in [Said::Datagram(Kind::DamageEvents), Said::Stream(Kind::DamageEvents)] {
        assert_eq!(said(&table.network.said, way), 3, "{way:?}");
    }
    for Seat { client, game, .. } in &table.seats {
        assert_eq!(replayed(game), [Command::Kill(blow(1))]);
        assert!(!game.stands(unit_of(slot(1))) && game.stands(unit_of(slot(0))));
        let find = |is: &dyn Fn(&Call) -> bool| game.calls.iter().position(is).unwrap();
        let kill = find(&|call| matches!(call, Call::Damage(_)));
        let die = find(&|call| matches!(call, Call::State(authority::Command::Die { .. })));
        assert!(kill < die);
        let counters = client.counters();
        assert_eq!(counters.hits, Hits { replayed: 1, ..Hits::default() });
        assert!(!counters.refused.keys().any(|reason| ["fallen", "unknown_unit"].contains(reason)));
    }
    assert_eq!(table.host.counters().damage_dropped, 0);
}

/// DMG-43, 44: a screen effect is shown by its player's machine alone, and a wound replayed where its player's machine is, where
/// who dealt it plays, and where that player is sent.
#[test]
fn a_wound_is_replayed_where_it_concerns() {
    let mut table = playing(3);
    let (screen, wound) = (event(EventKind::ScreenEffect, slot(1)), event(EventKind::Aftermath, slot(1)));
    table.game.harm.dealt = vec![screen, wound];
    table.run(200);
    let shown = [0, 1, 2].map(|seat: usize| replayed(&table.seats[seat].game));
    assert_eq!(shown[1], [Command::Show(screen), Command::Replay(wound)]);
    assert_eq!(shown[0], [Command::Replay(wound)]);
    assert_eq!(said(&table.network.said, Said::Stream(Kind::DamageEvents)), 0);
}

/// DMG-61: of a tick's events 256 leave, and those that do not are counted.
#[test]
fn what_is_not_sent_is_counted() {
    let mut table = playing(1);
    let hit = |at: u16| {
        let mut event = event(EventKind::Aftermath, slot(0));
        event.damage.origin.x = f32::from(at);
        event
    };
    table.game.harm.dealt = (0..300).map(hit).collect();
    table.run(200);
    assert_eq!(replayed(&table.seats[0].game).len(), 256);
    assert_eq!(table.host.counters().damage_dropped, 44);
}

/// DMG-53: what was broken before a machine came is broken there, once it has been made; who saw it is told nothing again.
#[test]
fn what_was_broken_is_broken_for_who_comes_late() {
    let mut table = playing(1);
    let crate_ = ObjectId::new(300, 1).unwrap();
    table.game.lay(crate_, Vec3::UP);
    table.run(200);
    let broken = DamageEvent { player: None, object: Some(crate_), ..event(EventKind::Scenery, slot(0)) };
    table.game.harm.dealt = vec![broken];
    table.run(200);
    let late = table.seat(1);
    table.run(1_000);
    assert_eq!(replayed(&table.seats[0].game), [Command::Break(broken)]);
    let game = &table.seats[late].game;
    assert_eq!(replayed(game), [Command::Break(broken)]);
    let at = |of: &Call| game.calls.iter().position(|call| call == of).unwrap();
    assert!(at(&Call::Make(crate_)) < at(&Call::Damage(Command::Break(broken))));
    assert_eq!(table.seats[late].client.counters().refused.get("unknown_unit"), None);
}

/// DMG-48, 49: who is said to be dead is nobody's from then on and stands for fourteen ticks, wherever the host has its body,
/// and falls silently in the fifteenth; then it is put where that lies.
#[test]
fn who_is_dead_without_a_blow_falls_silently() {
    let mut foreign = standing();
    let unit = unit_of(slot(0));
    foreign.step(put_dead);
    let died = own_tick(&foreign);
    assert_eq!(foreign.game.place(0), None);
    while own_tick(&foreign).since(died) < BLOW_WAIT as i32 - 1 {
        foreign.step(|outbox| put_body(outbox, unit));
        assert!(foreign.game.stands(unit), "{}", own_tick(&foreign).since(died));
    }
    assert_eq!(replayed(&foreign.game), []);
    assert_eq!(foreign.game.count(&Call::Place(unit)), 0);
    foreign.step(|_| {});
    assert_eq!(own_tick(&foreign).since(died), BLOW_WAIT as i32);
    assert_eq!(replayed(&foreign.game), [Command::KillSilently { unit }]);
    assert!(!foreign.game.stands(unit));
    foreign.step(|outbox| put_body(outbox, unit));
    foreign.step(|outbox| by_stream(outbox, &blow(0)));
    foreign.run(30);
    assert_eq!(foreign.game.count(&Call::Place(unit)), 1);
    assert_eq!(replayed(&foreign.game).len(), 1, "its blow came too late");
    assert_eq!(foreign.client.counters().hits.replayed, 0);
}

/// DMG-39, 48, 49: given a unit that its own game has felled, then it waits for nothing and is not felled again, and its kill is
/// announced whenever its blow comes.
#[test]
fn a_unit_that_lies_is_killed_by_its_blow_alone() {
    let mut foreign = standing();
    foreign.game.lie(nobodys());
    foreign.run(1);
    for _ in 0..2 * BLOW_WAIT {
        foreign.step(|outbox| put_body(outbox, nobodys()));
    }
    assert_eq!(replayed(&foreign.game), []);
    let felled = DamageEvent { object: Some(nobodys()), ..blow(5) };
    foreign.step(|outbox| by_stream(outbox, &felled));
    foreign.run(2);
    assert_eq!(replayed(&foreign.game), [Command::Kill(felled)]);
}

/// DMG-48: a unit that waits for its blow and falls meanwhile is put where the host has its body, and not before.
#[test]
fn what_falls_as_it_waits_is_put_as_it_lies() {
    let mut foreign = standing();
    let unit = unit_of(slot(0));
    foreign.step(put_dead);
    foreign.step(|outbox| put_body(outbox, unit));
    foreign.run(3);
    assert_eq!(foreign.game.count(&Call::Place(unit)), 0);
    foreign.game.lie(unit);
    foreign.step(|outbox| put_body(outbox, unit));
    foreign.run(3);
    assert_eq!((foreign.game.count(&Call::Place(unit)), replayed(&foreign.game)), (1, vec![]));
}

/// DMG-47, 48: given a blow that comes nine ticks after the word that its player is dead, then it is what fells it, once.
#[test]
fn a_blow_that_comes_late_fells_its_unit() {
    let mut foreign = standing();
    foreign.step(put_dead);
    foreign.run(8);
    assert!(foreign.game.stands(unit_of(slot(0))));
    foreign.step(|outbox| {
        by_datagram(outbox, &blow(0));
        by_stream(outbox, &blow(0));
    });
    foreign.step(|outbox| by_stream(outbox, &blow(0)));
    foreign.run(30);
    assert_eq!(replayed(&foreign.game), [Command::Kill(blow(0))]);
}

/// DMG-50: by the objects' states a unit that is no player's is dead, and no player's is.
#[test]
fn objects_states_kill_no_player() {
    let mut foreign = standing();
    foreign.step(|outbox| {
        put_body(outbox, unit_of(slot(0)));
        put_body(outbox, nobodys());
    });
    foreign.run(BLOW_WAIT - 1);
    assert_eq!((replayed(&foreign.game), foreign.game.stands(nobodys())), (vec![], true));
    foreign.run(20);
    assert_eq!(replayed(&foreign.game), [Command::KillSilently { unit: nobodys() }]);
    assert!(foreign.game.place(0).is_some());
    assert_eq!(foreign.game.count(&Call::Place(nobodys())), 0, "it waited");
}

/// DMG-47: a state of before a blow that comes after it gives the unit to nobody; one of after it does.
#[test]
fn a_late_state_gives_no_body_to_its_player() {
    let mut foreign = standing();
    let (before, trace) = (foreign.tick, Trace::default());
    foreign.game.trace = Some(trace.clone());
    foreign.step(|outbox| by_stream(outbox, &blow(0)));
    assert_eq!(*trace.borrow(), ["damage", "simulate"], "nobody drives it");
    assert_eq!((replayed(&foreign.game), foreign.game.place(0)), (vec![Command::Kill(blow(0))], None));
    foreign.say_late(before, put_alive);
    foreign.run(5);
    assert_eq!(foreign.game.place(0), None);
    assert!(
        !foreign.game.calls.iter().any(|call| matches!(call, Call::State(_))),
        "{:?}",
        foreign.game.calls
    );
    foreign.step(put_alive);
    assert!(foreign.game.place(0).is_some());
}

/// DMG-58: damage in a datagram that was overtaken is not replayed; a blow that was in it comes by the stream and is, once.
#[test]
fn overtaken_damage_is_not_replayed() {
    let mut foreign = standing();
    let wound = |scale| {
        let mut wound = DamageEvent { object: Some(nobodys()), ..event(EventKind::Aftermath, slot(5)) };
        wound.damage.scale = scale;
        wound
    };
    let felled = DamageEvent { object: Some(nobodys()), ..blow(5) };
    let before = foreign.tick;
    foreign.step(|outbox| by_datagram(outbox, &wound(0.5)));
    foreign.say_late(before, |outbox| {
        by_datagram(outbox, &wound(0.25));
        by_datagram(outbox, &felled);
    });
    foreign.run(3);
    assert_eq!(replayed(&foreign.game), [Command::Replay(wound(0.5))]);
    assert_eq!(foreign.client.counters().dropped.stale, 1);
    for _ in 0..2 {
        foreign.say_late(before, |outbox| by_stream(outbox, &felled));
        foreign.run(3);
        assert_eq!(replayed(&foreign.game)[1..], [Command::Kill(felled)]);
    }
}

/// DMG-38: a datagram that comes twice, in one read or in two, is replayed once; two hits of one tick that are alike are two, and
/// so is the same hit in the next tick.
#[test]
fn a_doubled_datagram_is_replayed_once() {
    let mut foreign = standing();
    let wound = DamageEvent { object: Some(nobodys()), ..event(EventKind::Aftermath, slot(5)) };
    let twice = |outbox: &mut Outbox| {
        by_datagram(outbox, &wound);
        by_datagram(outbox, &wound);
    };
    let told = foreign.tick.next();
    foreign.step(twice);
    foreign.say_late(told, twice);
    foreign.say_late(told, twice);
    foreign.run(3);
    assert_eq!(replayed(&foreign.game).len(), 2);
    foreign.step(|outbox| by_datagram(outbox, &wound));
    foreign.run(3);
    assert_eq!(replayed(&foreign.game), [Command::Replay(wound); 3]);
    assert_eq!(foreign.client.counters().hits.replayed, 3);
}

/// A word that a player is dead which was damaged on its way costs it a tick: the next says that it lives, and nobody falls.
#[test]
fn who_lives_after_all_does_not_fall() {
    let mut foreign = standing();
    foreign.step(put_dead);
    assert_eq!(foreign.game.place(0), None);
    foreign.step(put_alive);
    foreign.run(30);
    assert!(foreign.game.place(0).is_some());
    assert_eq!(replayed(&foreign.game), []);
}

/// WIRE-39, 81, OBJ-40: a host's damage of no sort, of what is not there, and of another's screen is refused or ignored, by its
/// reason, and the client's game is asked nothing.
#[test]
fn a_hosts_damage_that_is_none_changes_nothing() {
    let mut foreign = standing();
    let nowhere = ObjectId::new(300, 1);
    foreign.step(|outbox| {
        for object in [None, nowhere, ObjectId::new(5_000, 1)] {
            // A player's is announced though its unit is gone: the damage crate's tests show it.
            by_stream(outbox, &DamageEvent { object, player: None, ..blow(0) });
            by_datagram(outbox, &DamageEvent { object, ..event(EventKind::Aftermath, slot(0)) });
        }
        by_datagram(outbox, &event(EventKind::ScreenEffect, slot(5)));
        let mut bytes = Vec::new();
        blow(0).write(&mut bytes);
        bytes[0] = 4;
        outbox.entry(MachineSet::CLIENTS, Kind::DamageEvents, |to| to.extend(&bytes)).unwrap();
    });
    foreign.run(3);
    assert_eq!((replayed(&foreign.game), foreign.game.place(0).is_some()), (vec![], true));
    let counters = foreign.client.counters();
    let of = |reason| counters.refused.get(reason).copied();
    assert_eq!(
        ["unknown_unit", "hit_not_owned", "bad_flag"].map(of),
        [Some(6), Some(1), Some(1)],
        "{counters:?}"
    );
    assert_eq!(counters.hits, Hits::default());
}

/// GLUE-02: damage is replayed once objects are there, before the word on players, their units' driving and the tick.
#[test]
fn damage_is_replayed_before_the_tick() {
    let mut foreign = standing();
    let trace = Trace::default();
    foreign.game.trace = Some(trace.clone());
    foreign.step(|outbox| {
        let change = ObjectChange::Create(Creation::plain(ObjectId::new(60, 1).unwrap(), Tag(1), Vec3::ZERO));
        outbox.reliable_entry(MachineSet::CLIENTS, Kind::ObjectChanges, |to| change.write(to)).unwrap();
        let wound = DamageEvent {
            object: ObjectId::new(60, 1),
            player: None,
            ..event(EventKind::Aftermath, slot(0))
        };
        by_datagram(outbox, &wound);
        by_datagram(outbox, &blow(0));
        put_dead(outbox);
    });
    assert_eq!(*trace.borrow(), ["make", "damage", "damage", "state", "simulate"]);
}

/// DMG-39: given a blow and the game's end in one read, then the blow is replayed before the game ends.
#[test]
fn the_last_kill_is_everybodys() {
    let mut table = playing(1);
    let mut sleeper = table.seats.swap_remove(0);
    table.game.kill(slot(0));
    table.run(200);
    let Table { host, game, .. } = &mut table;
    host.end(game);
    table.run(100);
    sleeper.game.calls.clear();
    table.seats.push(sleeper);
    table.run(500);
    let Seat { client, game, .. } = &table.seats[0];
    assert_eq!(client.stage(), client::Stage::Over);
    assert_eq!(game.turns(), [Call::Damage(Command::Kill(blow(0))), Call::End]);
}

/// A game's falls are none of the next game's, where units have the same names; what was counted is kept.
#[test]
fn each_game_begins_without_harm() {
    let mut table = playing(2);
    for games in 1..=2 {
        let at = table.game.place(1).unwrap();
        table.seats[0].game.harm.hits = vec![hit(Some(slot(0)), unit_of(slot(1)), at)];
        table.run(200);
        table.game.kill(slot(1));
        table.run(200);
        for Seat { client, game, .. } in &table.seats {
            assert_eq!(replayed(game).len(), games);
            assert_eq!(client.counters().hits.replayed, games as u64);
        }
        let hits = table.host.counters().hits;
        assert_eq!((hits.reported, hits.dealt + hits.rejected), (games as u64, games as u64));
        let Table { host, game, now, .. } = &mut table;
        host.to_lobby(*now, game);
        table.run(500);
        table.begin(9_000 * games as i32);
        table.run(2_000);
    }
}

/// DMG-37, GLUE-02: a client's hit that passes is dealt as it is heard, before the tick that follows and anybody is driven, once,
/// and counted.
#[test]
fn a_hit_that_passes_is_dealt_at_once() {
    let mut table = two();
    let (now, heard, at) = (table.now, table.host.now_tick(), table.game.place(0).unwrap());
    let report = HitReport { hit: hit(Some(slot(1)), unit_of(slot(0)), at), heard };
    table.raws[0].say(now, heard, |outbox| {
        outbox.reliable_entry(MachineSet::HOST, Kind::HitReports, |to| report.write(to)).unwrap();
    });
    let trace = Trace::default();
    let Table { host, game, network, .. } = &mut table;
    game.trace = Some(trace.clone());
    host.tick(now, game, network);
    assert_eq!(trace.borrow()[..3], ["deal", "drive", "simulate"]);
    table.run(100);
    let Game { calls, .. } = &table.game;
    let dealt: Vec<_> = calls.iter().filter(|call| matches!(call, Call::Deal(_))).collect();
    assert_eq!(dealt, [&Call::Deal(report.hit)]);
    assert_eq!(table.host.counters().hits, Hits { reported: 1, dealt: 1, ..Hits::default() });
}
