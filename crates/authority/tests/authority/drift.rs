//! How alike the machines moved.

use super::*;

/// AUTH-69: thirty comparable ticks of which three differ by a thousandth; a gap, an input held on and a foreign
/// input are not compared.
#[test]
fn moves_of_the_same_tick_are_compared() {
    let mut table = Table::at(100, Vec3::ZERO);
    let mut client = Vec3::ZERO;
    table.take(90, client);
    for moved in 1..=30 {
        let here = table.place();
        table.put(standing(here + Vec3::new(0.08, 0.0, 0.0)));
        client += Vec3::new(0.08, if moved % 10 == 0 { 0.001 } else { 0.0 }, 0.0);
        table.take(90 + moved, client);
    }
    let drift = table.host.take_drift();
    assert_eq!((drift.ticks, drift.apart), (30, 3));
    assert!((drift.mean - 0.0001).abs() < 1e-6 && (drift.largest - 0.001).abs() < 1e-6, "{drift:?}");
    assert_eq!(table.host.drift_of(slot(1)).ticks, 30);
    assert_eq!(table.host.take_drift(), Drift::default());

    table.take(122, client);
    assert_eq!(table.host.take_drift().ticks, 0, "a prediction is missing");
    table.tick(Some(123));
    table.take(124, client);
    assert_eq!(table.host.take_drift().ticks, 0, "a take is missing");
    table.predict(125, client).unwrap();
    table.tick(None);
    assert_eq!(table.host.take_drift().ticks, 0, "the input is missing");
    table.predict(126, client).unwrap();
    table.tick(Some(125));
    assert_eq!(table.host.take_drift().ticks, 0, "it is another tick's input");
    table.take(127, client);
    assert_eq!(table.host.take_drift().ticks, 1);
}

/// Thirty ticks of a player that runs, as both machines move it, of which the one of that number goes otherwise: what was compared.
fn with_a_gap(at: i32, gap: impl Fn(&mut Table, i32, Vec3)) -> Drift {
    let mut table = Table::at(100, Vec3::ZERO);
    let (mut client, mut now) = (Vec3::ZERO, 90);
    table.take(now, client);
    for moved in 1..=30 {
        let here = table.place();
        table.put(standing(here + east(0.0625)));
        client += east(0.0625);
        now += 1;
        if moved == at {
            gap(&mut table, now, client);
        } else {
            table.take(now, client);
        }
    }
    table.host.take_drift()
}

/// TOOL-51, AUTH-69: of thirty clean ticks all thirty are compared; one is not for which the host has another tick's input or
/// none, nor one whose prediction did not come or was not taken, and then the next is not either.
#[test]
fn what_cannot_be_compared_is_not() {
    let clean = with_a_gap(31, |_, _, _| unreachable!());
    assert_eq!((clean.ticks, clean.apart, clean.largest), (30, 0, 0.0));
    type Gap = (&'static str, u32, fn(&mut Table, i32, Vec3));
    let gaps: [Gap; 5] = [
        ("no input", 29, |table, now, place| {
            table.predict(now, place).unwrap();
            table.tick(None);
        }),
        ("the input of the tick before", 29, |table, now, place| {
            table.predict(now, place).unwrap();
            table.tick(Some(now - 1));
        }),
        ("the input of the tick after", 29, |table, now, place| {
            table.predict(now, place).unwrap();
            table.tick(Some(now + 1));
        }),
        ("no prediction", 28, |table, now, _| table.tick(Some(now))),
        ("a prediction that is not taken", 28, |table, now, place| {
            let takings = table.host.takings();
            table.predict(now, place + east(9.0)).unwrap();
            table.tick(Some(now));
            assert_ne!(table.host.takings(), takings);
        }),
    ];
    for at in [2, 15, 29] {
        for (name, compared, gap) in gaps {
            let drift = with_a_gap(at, gap);
            assert_eq!((drift.ticks, drift.apart), (compared, 0), "{name} at {at}: {drift:?}");
        }
    }
}

/// TOOL-51, AUTH-69: the prediction that was taken last was taken a tick ago, and was of the client's tick before: of either one
/// tick more and it is not compared; the next is.
#[test]
fn moves_of_more_than_a_tick_are_not_compared() {
    for (hosts, clients, compared) in [(1, 1, 1), (2, 1, 0), (1, 2, 0), (2, 2, 0)] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(90, Vec3::ZERO);
        for _ in 1..hosts {
            table.tick(None);
        }
        table.take(90 + clients, Vec3::ZERO);
        assert_eq!(
            table.host.take_drift().ticks,
            compared,
            "{hosts} of the host's, {clients} of the client's"
        );
        table.take(91 + clients, Vec3::ZERO);
        assert_eq!(table.host.take_drift().ticks, 1);
    }
}

/// TOOL-52, AUTH-70: a host's copy that begins an eighth of a world unit off and makes the same moves is not apart at all; one
/// that comes to the client's place by another move is, by what the moves differ.
#[test]
fn moves_are_compared_and_not_where_they_end() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(90, Vec3::ZERO);
    let mut client = Vec3::new(0.0, 0.125, 0.0);
    table.ticks(1);
    table.take(92, client);
    for moved in 1..=4 {
        let here = table.place();
        assert!(here.distance(client) > 0.001, "the copy is off");
        table.put(standing(here + east(0.0625)));
        client += east(0.0625);
        table.take(92 + moved, client);
        let drift = table.host.take_drift();
        assert_eq!((drift.ticks, drift.apart, drift.mean, drift.largest), (1, 0, 0.0, 0.0), "{moved}");
    }
    // The host's copy comes to where the client's is, by another move.
    let off = table.place().distance(client);
    table.put(standing(client));
    table.take(97, client);
    let drift = table.host.take_drift();
    assert_eq!((drift.ticks, drift.apart), (1, 1));
    assert!(off > 0.0001 && (drift.largest - off).abs() < 1e-6, "{off} {drift:?}");
}

/// TOOL-53, AUTH-69: moves further apart than 0.0001 wu are, in any direction; nearer ones are not.
#[test]
fn moves_are_apart_past_a_ten_thousandth() {
    for direction in [east(1.0), east(-1.0), up(1.0), up(-1.0), Vec3::new(0.6, -0.8, 0.0)] {
        for (off, apart) in [(0.0, 0), (0.000_09, 0), (0.000_11, 1), (0.01, 1)] {
            let mut table = Table::at(100, Vec3::ZERO);
            table.take(90, Vec3::ZERO);
            table.put(standing(east(0.0625)));
            table.take(91, east(0.0625) + direction * off);
            let drift = table.host.take_drift();
            assert_eq!((drift.ticks, drift.apart), (1, apart), "{off} {direction:?}: {drift:?}");
            assert!((drift.largest - off).abs() < 1e-6 && drift.mean == drift.largest, "{off}: {drift:?}");
        }
    }
}

/// AUTH-70: an offset that fades by halves while both move alike is no drift.
#[test]
fn fading_an_offset_is_no_drift() {
    for offset in [0.2, 0.3] {
        let mut table = Table::at(100, Vec3::ZERO);
        table.take(90, Vec3::ZERO);
        let mut client = Vec3::new(0.0, offset, 0.0);
        table.ticks(1);
        table.take(92, client);
        for moved in 1..=30 {
            let here = table.place();
            table.put(standing(here + east(0.08)));
            client += east(0.08);
            table.take(92 + moved, client);
        }
        let drift = table.host.take_drift();
        assert_eq!((drift.ticks, drift.apart), (30, 0), "{drift:?}");
        assert!(table.place().distance(client) < 1e-4);
    }
}

/// AUTH-69: a velocity and axes that came as coarse as they travel do not change a copy that has them exactly.
#[test]
fn what_travels_coarsely_does_not_coarsen_the_copy() {
    let mut table = Table::at(100, Vec3::ZERO);
    let exact = Placement {
        position: Vec3::ZERO,
        velocity: Vec3::new(0.051_234_5, -0.043_21, 0.0333),
        axes: Axes::read(Vec3::new(0.123_456, 0.95, 0.0), Vec3::UP).unwrap(),
    };
    table.put(exact);
    let mut bytes = vec![0; 0];
    let mut outbox = Outbox::new();
    outbox.entry(MachineSet::HOST, Kind::PlayerPrediction, |to| alive(1, exact).write(to)).unwrap();
    outbox.gather_datagrams(Machine::HOST, &mut BatchWriter::new(), |datagram| bytes = datagram.to_vec());
    let batch = Message::read(&bytes).unwrap();
    let part = Parts::of(&batch).next().unwrap().unwrap();
    let came = UnitState::read_all(&part).next().unwrap().unwrap();
    assert_ne!(came, alive(1, exact));
    table.host.handle_prediction(machine(1), tick(90), &came).unwrap();
    table.tick(None);
    assert!(table.commands.is_empty());
    assert_eq!(table.row.state, alive(1, exact));
}
