//! A client's tick around the engine's: two own players, sixteen others with a word and an input each.

use criterion::{Criterion, criterion_group, criterion_main};
use mjolnir_prediction::{Client, HeldInputs, HostWord, OwnRow, UnitRow};
use mjolnir_wire::inputs::RelayedAction;
use mjolnir_wire::units::Placement;
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
            client.before_tick(tick, &rows, &local, &mut commands);
            outbox.begin(tick, 0);
            client.after_tick(tick, tick, &rows, &own, &mut outbox);
            commands.len()
        });
    });

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

criterion_group!(benches, prediction);
criterion_main!(benches);
