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
