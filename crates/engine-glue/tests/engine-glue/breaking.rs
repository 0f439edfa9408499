//! What breaks in a level, and the flinches that a host picks, from one game to the other.

use mjolnir_engine_glue::objects::PickRow;
use mjolnir_wire::coop::CoopEventEntry;
use mjolnir_wire::damage::{AnimationKind, DamageAnimation};
use mjolnir_wire::events::{Action, Surface, SurfaceBroken};
use mjolnir_wire::layout::Pad;
use mjolnir_wire::{Kind, MachineSet, ObjectId, Vec3};

use super::foreign::Foreign;
use super::game::{ANIMATIONS, Call, Game, SURFACES, Trace, unit_of};
use super::table::{Said, Table, slot};

fn pane(index: u16) -> Surface {
    Surface { structure_bsp: 0, index }
}

fn broken(index: u16) -> SurfaceBroken {
    SurfaceBroken { surface: pane(index), at: Vec3::new(1.0, 2.0, 3.0) }
}

/// What a game was to break and to show, in order.
fn done(game: &Game) -> Vec<Call> {
    let is_one = |call: &&Call| matches!(call, Call::Break(_) | Call::Show(_));
    game.calls.iter().filter(is_one).cloned().collect()
}

/// OBJ-31: what breaks in the host's game breaks once on each client, and at once on one that joins later, which broke nothing
/// before; by the next game the level is whole, and its first break is heard.
#[test]
fn what_breaks_breaks_on_every_machine_once() {
    let mut table = Table::playing(1_000);
    let a = table.seat(1);
    table.run(1_000);
    table.game.breaks = vec![broken(4), broken(9)];
    table.run(4_000);
    let both = [Call::Break(pane(4)), Call::Break(pane(9))];
    assert_eq!(done(&table.seats[a].game), both);
    assert_eq!(table.game.broken, [pane(4), pane(9)]);
    assert!(table.network.first(Said::Datagram(Kind::CoopEvents)).is_some());
    let b = table.seat(1);
    table.run(1_000);
    assert_eq!(done(&table.seats[b].game), both);
    assert_eq!(done(&table.seats[a].game), both);

    let Table { host, game, now, .. } = &mut table;
    host.to_lobby(*now, game);
    table.run(1_000);
    table.begin(2_000);
    table.run(2_000);
    for seat in &table.seats {
        assert_eq!(seat.game.broken, []);
    }
    table.game.breaks = vec![broken(9)];
    table.run(500);
    for seat in &table.seats {
        assert_eq!(seat.game.broken, [pane(9)]);
        assert_eq!(done(&seat.game).len(), 3);
    }
}

/// OBJ-38: each flinch that the host's game picks is shown once on every client, with the animation that was picked, and none in
/// the next game before one is picked there.
#[test]
fn each_pick_is_shown_once() {
    let mut table = Table::playing(1_000);
    let (a, b) = (table.seat(1), table.seat(1));
    table.run(1_000);
    let unit = unit_of(slot(0));
    let pick = |animation| PickRow { unit, animation, kind: AnimationKind::HardKill };
    let shown = |animation, number| {
        Call::Show(DamageAnimation { unit, animation, kind: AnimationKind::HardKill, number })
    };
    table.game.picks = vec![pick(317), pick(12)];
    table.run(500);
    table.game.picks = vec![pick(0)];
    table.run(500);
    for seat in [a, b] {
        assert_eq!(done(&table.seats[seat].game), [shown(317, 1), shown(12, 2), shown(0, 3)]);
    }
    let Table { host, game, now, .. } = &mut table;
    host.to_lobby(*now, game);
    table.run(1_000);
    table.begin(2_000);
    table.run(2_000);
    table.game.picks = vec![pick(5)];
    table.run(500);
    for seat in [a, b] {
        assert_eq!(done(&table.seats[seat].game)[3..], [shown(5, 1)]);
    }
}

/// GLUE-02: a client breaks what broke before it makes and puts objects, shows what was picked after, and all before it drives
/// units and simulates.
#[test]
fn what_broke_comes_before_objects() {
    let mut table = Table::playing(1_000);
    table.game.lay(ObjectId::new(300, 1).unwrap(), Vec3::ZERO);
    let a = table.seat(1);
    table.run(1_000);
    let trace = Trace::default();
    table.seats[a].game.trace = Some(trace.clone());
    table.game.breaks = vec![broken(1)];
    table.game.picks = vec![PickRow { unit: unit_of(slot(0)), animation: 1, kind: AnimationKind::SoftPing }];
    table.game.put(ObjectId::new(300, 1).unwrap(), Vec3::UP);
    table.run(200);
    let trace = trace.borrow();
    let at = trace.iter().position(|what| *what == "break").unwrap();
    let drive = at + trace[at..].iter().position(|what| *what == "drive").unwrap();
    let order: Vec<_> = trace[at..drive]
        .iter()
        .filter(|what| ["break", "place", "show", "simulate"].contains(what))
        .collect();
    assert_eq!(order, [&"break", &"place", &"show"]);
}

/// WIRE-41, 43, OBJ-31, 38: surfaces that the level does not have, kinds of event that are none, animations past the unit's, picks
/// of what is no unit or not there reach no game, each counted by its reason; an event of another kind counts as had and is not
/// refused.
#[test]
fn a_hosts_breaks_and_picks_that_are_none_change_nothing() {
    let mut foreign = Foreign::of(1, Game::new());
    foreign.game.calls.clear();
    let to = MachineSet::CLIENTS;
    let unit = ObjectId::new(9, 1).unwrap();
    let pick =
        |unit, animation, number| DamageAnimation { unit, animation, kind: AnimationKind::SoftPing, number };
    foreign.step(|outbox| {
        let events = [broken(SURFACES), broken(SURFACES - 1)];
        for (number, event) in (1..).zip(events) {
            outbox
                .entry(to, Kind::CoopEvents, |bytes| Action::SurfaceBroken(event).write(number, bytes))
                .unwrap();
        }
        for kind in [9, 12] {
            let mut other = CoopEventEntry::read(&[0; CoopEventEntry::SIZE]).unwrap();
            (other.kind, other.number, other.pad_11) = (kind, 3, Pad);
            outbox.entry(to, Kind::CoopEvents, |bytes| other.write(bytes)).unwrap();
        }
        // Had by the event of another kind.
        outbox.entry(to, Kind::CoopEvents, |bytes| Action::SurfaceBroken(broken(7)).write(3, bytes)).unwrap();
        outbox.entry(to, Kind::DamageAnimations, |bytes| pick(unit, 1, 1).write(bytes)).unwrap();
        outbox.entry(to, Kind::DamageAnimations, |bytes| bytes.extend([9, 0, 1, 0, 1, 0, 4, 1])).unwrap();
    });
    foreign.run(2);
    assert_eq!(done(&foreign.game), [Call::Break(pane(SURFACES - 1))]);
    let refused = foreign.client.counters().refused;
    let counted: Vec<_> = refused.iter().map(|(reason, count)| (*reason, *count)).collect();
    assert_eq!(counted, [("bad_flag", 2), ("unknown_object", 1), ("unknown_surface", 1)]);

    let mut table = Table::playing(1_000);
    let a = table.seat(1);
    table.run(1_000);
    let row = |animation| PickRow { unit: unit_of(slot(0)), animation, kind: AnimationKind::SoftPing };
    table.game.picks = vec![row(ANIMATIONS), row(ANIMATIONS - 1)];
    table.run(500);
    let last = Call::Show(pick(unit_of(slot(0)), ANIMATIONS - 1, 2));
    assert_eq!(done(&table.seats[a].game), [last]);
    assert_eq!(
        table.seats[a].client.counters().refused.get("no_such_animation"),
        Some(&3),
        "it came three times"
    );
}
