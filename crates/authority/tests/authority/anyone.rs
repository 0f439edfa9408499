//! Any client, by chance.

use super::*;

/// Any, and so near to either end that two in a row agree.
fn stamps() -> impl Strategy<Value = i32> {
    prop_oneof![0..=i32::MAX, 0..20, i32::MAX - 20..=i32::MAX]
}

proptest! {
    /// AUTH-12: whatever a client claims of where and when it is, its copy, which stands still of its own, goes
    /// no further in ten seconds than its speed, the slack, one tolerance and the jitter let it.
    #[test]
    fn no_client_gains_more_than_tolerance_and_jitter(
        claims in prop::collection::vec((0..12_i32, 0.0..3.6_f32, prop::bool::weighted(0.9)), 300),
    ) {
        let mut table = Table::at(100, Vec3::ZERO);
        let mut client = 100;
        for (ahead, step, sent) in claims {
            client += ahead;
            if sent {
                let claim = table.place() + east(step);
                let _ = table.predict(client, claim);
            }
            table.tick(None);
        }
        let most = 0.21 * (300.0 + ANCHOR_JITTER as f32) + 3.5;
        prop_assert!(table.place().x <= most, "{:?}", table.place());
    }

    /// AUTH-71: random predictions never panic, and what is taken is a place and a velocity that can be.
    #[test]
    fn random_predictions_never_panic(
        claims in prop::collection::vec(
            (stamps(), prop::array::uniform3(-4.0..4.0_f32), prop::array::uniform3(-32.0..32.0_f32), 0..4_u16),
            100,
        ),
        gravity in prop_oneof![Just(GRAVITY), Just(0.0), Just(-1.0)],
        start in prop_oneof![Just(0), Just(i32::MAX - 50)],
    ) {
        let mut table = Table::at(start, Vec3::ZERO);
        table.gravity = gravity;
        for (client, by, velocity, of) in claims {
            let position = table.place() + Vec3::from_array(by);
            let placement = Placement { velocity: Vec3::from_array(velocity), ..standing(position) };
            let mut state = alive(1, placement);
            if let Life::Alive(living) = &mut state.life
                && of == 0
            {
                living.unit = unit(2);
            }
            let _ = table.host.handle_prediction(machine(1), tick(client), &state);
            if table.now < i32::MAX {
                table.tick(Some(client));
            }
            for command in &table.commands {
                let Command::Place { placement, .. } = command else { panic!() };
                prop_assert!(placement.position.is_finite());
                prop_assert!(placement.velocity.length() <= 2.0 + 1e-5);
            }
        }
    }
}

/// A steady tick of 16 walking clients allocates nothing.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut host = Host::new();
    host.set_clients(MachineSet::CLIENTS);
    let mut rows: Vec<_> = (1..=16).map(|of| row(of, standing(east(f32::from(of) * 2.0)))).collect();
    let (mut commands, mut outbox) = (Vec::new(), Outbox::new());
    let mut inputs: Vec<_> = (1..=16).map(|of| input(of, None)).collect();
    let mut places = Vec::new();
    let mut run = |now: i32| {
        commands.clear();
        places.clear();
        outbox.begin(tick(now), now);
        for row in &mut rows {
            let placement = standing(position(&row.state) + Vec3::new(0.0, 0.08, 0.0));
            let _ = host.handle_prediction(row.machine, tick(now), &alive(row.state.slot.get(), placement));
            inputs[usize::from(row.machine.get()) - 1].of = Some(tick(now));
        }
        host.after_tick(tick(now), GRAVITY, &mut rows, &inputs, &mut commands);
        places.extend(rows.iter().map(|row| Some(position(&row.state))));
        host.tell(tick(now), &rows, &places, &inputs, &mut outbox);
        commands.len()
    };
    assert_eq!((run(0), run(1), run(2)), (0, 16, 16));
    let info = allocation_counter::measure(|| {
        (3..63).for_each(|now| assert_eq!(run(now), 16));
    });
    assert_eq!(info.count_total, 0);
}

/// AUTH-12, 19: a client whose last stamp was the last there is, and whose next two agree on the first, is believed, and nothing
/// overflows by how far it went back.
#[test]
fn a_client_that_goes_back_by_all_ticks_is_believed() {
    let mut table = Table::at(100, Vec3::ZERO);
    table.take(i32::MAX, Vec3::ZERO);
    (0..5).for_each(|_| table.tick(None));
    let first = table.host.handle_prediction(machine(1), tick(0), &alive(1, standing(Vec3::ZERO)));
    assert_eq!(first, Err(Error::Old));
    for stamp in [1, 2] {
        table.take(stamp, Vec3::ZERO);
    }
    assert!(table.host.takings().taken >= 2, "{:?}", table.host.takings());
}
