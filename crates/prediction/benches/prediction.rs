//! A client's tick around the engine's: two own players, sixteen others with a word and an input each, on foot; and four
//! own ones at the wheel, sixteen others on an elevator.

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_prediction::{
    Client, HeldInputs, HostWord, OwnRow, Platform, Rows, UnitRow, VehicleRow, VehicleWord,
};
use mjolnir_wire::inputs::RelayedAction;
use mjolnir_wire::objects::Motion;
use mjolnir_wire::units::{Placement, Ride};
use mjolnir_wire::{Axes, Buttons, Input, ObjectId, Outbox, Slot, Tick, Vec3};

fn prediction(c: &mut Criterion) {
    let slots: Vec<Slot> = Slot::all().take(18).collect();
    let mut client = Client::new();
    client.set_own(&slots[..2]);
    let mut rows: Vec<UnitRow> = slots
        .iter()
        .filter_map(|slot| {
            let placement = Placement { position: Vec3::ZERO, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
            let unit = ObjectId::new(u16::from(slot.get()), 1)?;
            Some(UnitRow {
                slot: *slot,
                unit,
                placement: Some(placement),
                grounded: true,
                ride: None,
                platform: None,
            })
        })
        .collect();
    let local = [(slots[0], Input::default()), (slots[1], Input::default())];
    let own = local.map(|(slot, _)| OwnRow { slot, structure_bsp: None, friendly_fire: false });
    let mut outbox = Outbox::new();
    let mut commands = Vec::new();
    let mut tick = Tick::ZERO;
    c.bench_function("a client's tick with 16 others", |b| {
        b.iter(|| {
            tick = tick.next();
            for row in &rows {
                let Some(placement) = row.placement else { continue };
                let predicted = Some(tick.minus(6));
                let _ = client.handle_word(
                    row.slot,
                    HostWord { tick, placement: Some(placement), ride: None, predicted },
                );
                let input = Input { buttons: Buttons(tick.low16().into()), ..Input::default() };
                let action = RelayedAction { slot: row.slot, input, history: [input.buttons; 4] };
                let _ = client.handle_relayed(tick, tick, &action);
            }
            for row in &mut rows {
                if let Some(placement) = &mut row.placement {
                    placement.position.x += 0.08;
                }
            }
            commands.clear();
            let rows = Rows { units: &rows, vehicles: &[] };
            client.before_tick(tick, 6, rows, &local, |_| true, &mut commands);
            outbox.begin(tick, 0);
            client.after_tick(tick, tick, rows, &own, &mut outbox);
            commands.len()
        });
    });
    riding(c);

    let mut held = HeldInputs::releasing();
    c.bench_function("128 inputs held and driven", |b| {
        b.iter(|| {
            tick = tick.next();
            let input = Input { buttons: Buttons(tick.low16().into()), ..Input::default() };
            for slot in Slot::all() {
                let _ = held.handle(tick, slot, tick, &input, &[input.buttons; 4]);
            }
            Slot::all().filter_map(|slot| held.drive(tick, slot)).count()
        });
    });
}

fn riding(c: &mut Criterion) {
    let slots: Vec<Slot> = Slot::all().take(20).collect();
    let object = |index| ObjectId::new(index, 1);
    let mut client = Client::new();
    client.set_own(&slots[..4]);
    let place = Placement { position: Vec3::ZERO, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
    let platform = Platform { id: 1, moving: true, contact: true, floor: 0.0 };
    let mut units: Vec<UnitRow> = Vec::new();
    let mut vehicles: Vec<VehicleRow> = Vec::new();
    for slot in &slots {
        let Some(unit) = object(slot.get().into()) else { continue };
        let vehicle = object(300 + u16::from(slot.get())).filter(|_| slots[..4].contains(slot));
        let ride = vehicle.map(|vehicle| Ride { vehicle: Some(vehicle), seat: 0 });
        let on_foot = ride.is_none();
        units.push(UnitRow {
            slot: *slot,
            unit,
            placement: on_foot.then_some(place),
            grounded: true,
            ride,
            platform: on_foot.then_some(platform),
        });
        let Placement { position, velocity, axes } = place;
        let motion = Motion { position, axes, velocity, angular_velocity: Vec3::ZERO };
        vehicles.extend(vehicle.map(|vehicle| VehicleRow { vehicle, slot: *slot, motion }));
    }
    let local: Vec<(Slot, Input)> = slots[..4].iter().map(|slot| (*slot, Input::default())).collect();
    let mut outbox = Outbox::new();
    let mut commands = Vec::new();
    let mut tick = Tick::ZERO;
    c.bench_function("a client's tick with 4 drivers and 16 others on an elevator", |b| {
        b.iter(|| {
            tick = tick.next();
            for row in &units {
                let placement = row.placement.map(|mut placement| {
                    placement.position.z += 0.3;
                    placement
                });
                let word = HostWord { tick, placement, ride: row.ride, predicted: None };
                let _ = client.handle_word(row.slot, word);
            }
            for row in &mut vehicles {
                let word = VehicleWord { tick, motion: row.motion, predicted: Some(tick.minus(1)) };
                let _ = client.handle_vehicle_word(row.vehicle, word);
                row.motion.position.x = f32::from(tick.low16() % 1000);
            }
            commands.clear();
            let rows = Rows { units: &units, vehicles: &vehicles };
            client.before_tick(tick, 6, rows, &local, |_| true, &mut commands);
            outbox.begin(tick, 0);
            client.after_tick(tick, tick, rows, &[], &mut outbox);
            commands.len()
        });
    });
}

criterion_group!(benches, prediction);
criterion_main!(benches);
