//! The flinches and deaths that a host picks, told to clients that lose what they like and played there.

use mjolnir_objects::{
    Class, Client, Error, Host, Ignored, MOST_PICKS, NUMBER_HOLDS, ObjectRow, PICK_REPEAT_TICKS, PickRow,
};
use mjolnir_wire::batch::{BatchWriter, Parts};
use mjolnir_wire::damage::{AnimationKind, DamageAnimation};
use mjolnir_wire::{Machine, MachineSet, Message, ObjectId, Outbox};

use super::{machine, object, row, tick};

/// How many animations each unit's graph has.
const GRAPH: u16 = 400;

fn unit(index: u16) -> ObjectRow {
    ObjectRow { class: Class::Unit, ..row(object(index, 1)) }
}

fn picked(unit: ObjectId, animation: u16) -> PickRow {
    PickRow { unit, animation, kind: AnimationKind::HardPing }
}

fn pick(unit: ObjectId, animation: u16, number: u8) -> DamageAnimation {
    DamageAnimation { unit, animation, kind: AnimationKind::HardPing, number }
}

/// What an outbox's datagrams tell that machine.
fn told(outbox: &Outbox, to: Machine) -> Vec<DamageAnimation> {
    let mut all = Vec::new();
    outbox.gather_datagrams(to, &mut BatchWriter::new(), |bytes| {
        let batch = Message::read(bytes).unwrap();
        for part in Parts::of(&batch).map(Result::unwrap) {
            all.extend(DamageAnimation::read_all(&part).map(Result::unwrap));
        }
    });
    all
}

/// A client, what it has, and what it played.
struct Copy {
    client: Client,
    rows: Vec<ObjectRow>,
    played: Vec<(ObjectId, u16)>,
}

impl Copy {
    fn new(rows: Vec<ObjectRow>) -> Self {
        Self { client: Client::new(), rows, played: Vec::new() }
    }

    fn hear(&mut self, stamp: i32, picks: &[DamageAnimation]) {
        for pick in picks {
            self.client.handle_pick(tick(stamp), pick).unwrap();
        }
    }

    fn tick(&mut self) {
        self.client.settle(&self.rows, &[], &mut Vec::new());
        let mut picks = Vec::new();
        self.client.take_picks(&self.rows, |_| GRAPH, &mut picks);
        self.played.extend(picks.iter().map(|pick| (pick.unit, pick.animation)));
    }

    fn animations(&self) -> Vec<u16> {
        self.played.iter().map(|(_, animation)| *animation).collect()
    }
}

/// OBJ-38: a pick is told in three successive ticks to those machines and not to the host, by the unit's own number, from 1 on
/// and wrapping; another unit in its place begins anew.
#[test]
fn a_pick_is_told_in_three_ticks() {
    let (mut host, mut outbox) = (Host::new(), Outbox::new());
    let (one, two) = (object(7, 1), object(8, 1));
    let to = MachineSet::only(machine(1)).union(MachineSet::HOST);
    let mut tell = |at: i32, picks: &[PickRow]| {
        outbox.begin(tick(at), 0);
        host.tell_picks(to, picks, &mut outbox);
        assert_eq!([told(&outbox, Machine::HOST), told(&outbox, machine(2))], [vec![], vec![]]);
        told(&outbox, machine(1))
    };
    assert_eq!(tell(0, &[]), []);
    let first = pick(one, 33, 1);
    assert_eq!(tell(1, &[picked(one, 33)]), [first]);
    let second = [pick(one, 34, 2), pick(two, 35, 1)];
    assert_eq!(tell(2, &[picked(one, 34), picked(two, 35)]), [first, second[0], second[1]]);
    assert_eq!(PICK_REPEAT_TICKS, 3);
    assert_eq!(tell(3, &[]), [first, second[0], second[1]]);
    assert_eq!(tell(4, &[]), second);
    assert_eq!(tell(5, &[]), []);
    for number in (3..=255).chain(0..=5) {
        let at = 10 + 10 * i32::from(number);
        assert_eq!(tell(at, &[picked(one, 1)]), [pick(one, 1, number)]);
        (1..3).for_each(|later| assert_eq!(tell(at + later, &[]).len(), 1));
    }
    let other = object(7, 2);
    assert_eq!(tell(9000, &[picked(other, 1)]), [pick(other, 1, 1)]);
}

/// OBJ-12, 38: what a host may not tell of is not told: a unit of the upper half, an index that does not travel.
#[test]
fn what_cannot_be_told_is_not() {
    let (mut host, mut outbox) = (Host::new(), Outbox::new());
    let picks =
        [picked(object(4096, 1), 1), picked(object(4095, 1), 32_768), picked(object(4095, 1), 32_767)];
    outbox.begin(tick(1), 0);
    host.tell_picks(MachineSet::CLIENTS, &picks, &mut outbox);
    assert_eq!(told(&outbox, machine(1)), [pick(object(4095, 1), 32_767, 1)]);
}

/// OBJ-38: of a hundred hits at 20 % loss of single datagrams (seed 38) each that was heard of at all is played once, in order,
/// with the animation that the host picked; without loss, and with each datagram twice, all hundred.
#[test]
fn each_pick_is_played_once() {
    for (loss, twice) in [(0, false), (0, true), (20, false)] {
        let (mut host, mut outbox) = (Host::new(), Outbox::new());
        let unit = unit(7);
        let mut copy = Copy::new(vec![unit]);
        let (mut seed, mut heard) = (38_u32, vec![false; 100]);
        for at in 0..303_u16 {
            let picks: &[PickRow] = &[picked(unit.state.object, at / 3 + 100)];
            outbox.begin(tick(at.into()), 0);
            let is_hit = at % 3 == 0 && at < 300;
            host.tell_picks(MachineSet::CLIENTS, if is_hit { picks } else { &[] }, &mut outbox);
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if seed >> 16 & 0xFFFF >= loss * 655 {
                let said = told(&outbox, machine(1));
                said.iter().for_each(|pick| heard[usize::from(pick.animation) - 100] = true);
                for _ in 0..=u8::from(twice) {
                    copy.hear(at.into(), &said);
                }
            }
            copy.tick();
        }
        let played = (0..100).filter(|hit| heard[usize::from(*hit)]).map(|hit| hit + 100);
        assert_eq!(copy.animations(), played.collect::<Vec<_>>(), "seed 38, loss {loss} %");
        let number = copy.played.len();
        // One in 125 is lost three times.
        assert!(if loss == 0 { number == 100 } else { (95..=100).contains(&number) }, "{number}, seed 38");
    }
}

/// OBJ-38: a number that was had does nothing, wherever it is between 31 before the newest and the newest; one that was not had
/// is played though a newer one was. Units' numbers are their own.
#[test]
fn a_number_that_was_had_does_nothing() {
    let (one, two) = (unit(7), unit(8));
    let mut copy = Copy::new(vec![one, two]);
    let (of_one, of_two) = (one.state.object, two.state.object);
    copy.hear(100, &[pick(of_one, 1, 254), pick(of_one, 2, 254), pick(of_two, 3, 254)]);
    copy.tick();
    assert_eq!(copy.played, [(of_one, 1), (of_two, 3)]);
    // Over the wrap; the one between comes late, and again.
    copy.hear(101, &[pick(of_one, 4, 0), pick(of_one, 5, 255), pick(of_one, 6, 255), pick(of_one, 7, 254)]);
    copy.tick();
    assert_eq!(copy.animations(), [1, 3, 4, 5]);
    // The newest is 29 now, so that 254 is 31 before it.
    copy.hear(102, &[pick(of_one, 8, 29), pick(of_one, 9, 254)]);
    copy.tick();
    assert_eq!(copy.animations(), [1, 3, 4, 5, 8]);
    // A unit of another name in its place.
    copy.rows[0].state.object = object(7, 2);
    copy.hear(103, &[pick(object(7, 2), 10, 29)]);
    copy.tick();
    assert_eq!(copy.animations(), [1, 3, 4, 5, 8, 10]);
}

/// OBJ-38: a number holds for a second; then it is another pick's. A damaged number makes no unit deaf: those that follow are
/// played.
#[test]
fn a_number_holds_no_longer_than_its_repeats() {
    let of = unit(7).state.object;
    for (later, plays) in [(NUMBER_HOLDS, false), (NUMBER_HOLDS + 1, true)] {
        let mut copy = Copy::new(vec![unit(7)]);
        copy.hear(100, &[pick(of, 1, 9)]);
        copy.hear(100 + later as i32, &[pick(of, 2, 9)]);
        copy.tick();
        assert_eq!(copy.animations().len(), 1 + usize::from(plays), "{later}");
    }
    for damaged in [10 + 100, 10 + 200] {
        let mut copy = Copy::new(vec![unit(7)]);
        copy.hear(100, &[pick(of, 1, 9)]);
        copy.hear(101, &[pick(of, 2, damaged), pick(of, 3, 10)]);
        copy.hear(102, &[pick(of, 3, 10), pick(of, 4, 11)]);
        copy.tick();
        assert_eq!(copy.animations(), [1, 2, 3, 4], "{damaged}");
    }
}

/// WIRE-41, OBJ-38, 40, 41, 51: a pick of nothing, of another object, of what is no unit, or past the unit's animations does
/// nothing and is counted; the last animation there is is played. One of a unit that comes only now is played as it is said again.
#[test]
fn a_pick_that_cannot_be_is_counted() {
    let mut copy = Copy::new(vec![unit(7), row(object(9, 1))]);
    let of = object(7, 1);
    copy.hear(100, &[pick(object(8, 1), 1, 1), pick(object(7, 2), 1, 1), pick(object(9, 1), 1, 1)]);
    copy.hear(100, &[pick(of, GRAPH, 1), pick(of, GRAPH - 1, 2)]);
    copy.tick();
    assert_eq!(copy.played, [(of, GRAPH - 1)]);
    let ignored = copy.client.ignored();
    assert_eq!(ignored, Ignored { unknown: 1, stale: 1, wrong_class: 1, no_animation: 1 });
    copy.rows.insert(1, unit(8));
    copy.hear(101, &[pick(object(8, 1), 1, 1)]);
    copy.tick();
    assert_eq!(copy.played, [(of, GRAPH - 1), (object(8, 1), 1)]);
}

/// OBJ-12, NET-13: what is of the upper half, overtaken or too much is refused, and changes nothing; both sides of each.
#[test]
fn a_pick_out_of_bounds_is_refused() {
    let mut copy = Copy::new(vec![unit(4095)]);
    let last = object(4095, 1);
    assert_eq!(copy.client.handle_pick(tick(9), &pick(object(4096, 1), 1, 1)), Err(Error::NotTheHosts));
    copy.hear(10, &[pick(last, 1, 1)]);
    assert_eq!(copy.client.handle_pick(tick(9), &pick(last, 2, 2)), Err(Error::Old));
    for number in 1..MOST_PICKS {
        copy.hear(10, &[pick(last, 3, number as u8)]);
    }
    assert_eq!(copy.client.handle_pick(tick(10), &pick(last, 4, 99)), Err(Error::TooManyPicks));
    copy.tick();
    assert!(copy.animations().iter().all(|animation| [1, 3].contains(animation)));
    assert_eq!(copy.client.handle_pick(tick(10), &pick(last, 4, 99)), Ok(()));
}

/// OBJ-38: a steady tick of sixteen picks allocates nothing, on either end.
#[test]
fn steady_picks_allocate_nothing() {
    let rows: Vec<_> = (0..16).map(unit).collect();
    let picks: Vec<_> = rows.iter().map(|row| picked(row.state.object, 5)).collect();
    let (mut host, mut outbox, mut client) = (Host::new(), Outbox::new(), Client::new());
    let (mut played, mut commands) = (Vec::new(), Vec::new());
    let mut run = |at: i32| {
        outbox.begin(tick(at), 0);
        host.tell_picks(MachineSet::CLIENTS, &picks, &mut outbox);
        for row in &rows {
            client.handle_pick(tick(at), &pick(row.state.object, 5, at as u8)).unwrap();
        }
        client.settle(&rows, &[], &mut commands);
        played.clear();
        client.take_picks(&rows, |_| GRAPH, &mut played);
        assert_eq!(played.len(), 16);
    };
    (0..20).for_each(&mut run);
    let allocated = allocation_counter::measure(|| (20..60).for_each(&mut run));
    assert_eq!(allocated.count_total, 0);
}
