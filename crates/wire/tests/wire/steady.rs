//! What a steady tick costs in allocations: nothing, once the buffers have grown.

use mjolnir_wire::actors::ActorState;
use mjolnir_wire::events::{Action, CoopEvent, HudText};
use mjolnir_wire::inputs::{RelayedAction, RelayedActions};
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::units::{Life, LivingUnit, Placement, ShieldFlags, UnitState};
use mjolnir_wire::{
    Axes, BatchWriter, Kind, Machine, MachineSet, Message, ObjectId, Outbox, Parts, Slot, Tick, Vec3,
};

fn fill(outbox: &mut Outbox, at: Tick) {
    outbox.begin(at, 7);
    for slot in Slot::all().take(16) {
        let placement = Placement { position: Vec3::ZERO, velocity: Vec3::ZERO, axes: Axes::UPRIGHT };
        let unit = LivingUnit::whole(ObjectId::new(slot.get().into(), 1).unwrap(), placement);
        let state = UnitState { slot, shield: ShieldFlags::default(), life: Life::Alive(unit) };
        outbox.entry(MachineSet::CLIENTS, Kind::UnitStates, |bytes| state.write(bytes)).unwrap();
        let action = RelayedAction { slot, input: Default::default(), history: Default::default() };
        outbox.entry(MachineSet::CLIENTS, Kind::RelayedActions, |bytes| action.write(bytes)).unwrap();
    }
    outbox.message(MachineSet::CLIENTS, Kind::ObjectsSynchronized, 0, |_| {}).unwrap();
}

/// A tick of a campaign's: as many actors' states as leave in a few datagrams, what scripts show, and events.
fn fill_campaign(outbox: &mut Outbox, at: Tick) {
    outbox.begin(at, 7);
    for index in 0..64 {
        let state = ActorState::still(ObjectId::new(index, 1).unwrap(), Vec3::ZERO);
        outbox.entry(MachineSet::CLIENTS, Kind::ActorStates, |bytes| state.write(bytes)).unwrap();
    }
    let shown = Presentation::default();
    outbox.entry(MachineSet::CLIENTS, Kind::CoopPresentation, |bytes| shown.write(bytes)).unwrap();
    for number in 0..29 {
        let help = Action::Hud(HudText::Help(number));
        outbox.entry(MachineSet::CLIENTS, Kind::CoopEvents, |bytes| help.write(number, bytes)).unwrap();
    }
}

/// WIRE-08, 40, 42, 43: a tick of a campaign's that is like the one before allocates nothing either, at either end.
#[test]
fn a_steady_tick_of_a_campaign_allocates_nothing() {
    let (mut outbox, mut writer) = (Outbox::new(), BatchWriter::new());
    let mut tick = |number: i32| {
        fill_campaign(&mut outbox, Tick::new(number).unwrap());
        let mut entries = 0;
        for machine in Machine::all().skip(1).take(8) {
            outbox.gather_datagrams(machine, &mut writer, |datagram| {
                let batch = Message::read(datagram).unwrap();
                for part in Parts::of(&batch) {
                    let part = part.unwrap();
                    entries += match part.kind {
                        Kind::ActorStates => ActorState::read_all(&part).filter(Result::is_ok).count(),
                        Kind::CoopPresentation => Presentation::read_all(&part).filter(Result::is_ok).count(),
                        _ => CoopEvent::read_all(&part).filter(Result::is_ok).count(),
                    };
                }
            });
        }
        entries
    };
    assert_eq!(tick(0), 8 * (64 + 1 + 29));
    let mut entries = 0;
    let measured = allocation_counter::measure(|| entries = tick(1));
    assert_eq!((entries, measured.count_total), (8 * (64 + 1 + 29), 0));
}

/// WIRE-08: a tick that is like the one before allocates nothing, neither where it is written nor where it is read.
#[test]
fn a_steady_tick_allocates_nothing() {
    let (mut outbox, mut writer, mut stream) = (Outbox::new(), BatchWriter::new(), Vec::with_capacity(64));
    let mut tick = |number: i32| {
        fill(&mut outbox, Tick::new(number).unwrap());
        let mut entries = 0;
        for machine in Machine::all().skip(1) {
            outbox.gather_datagrams(machine, &mut writer, |datagram| {
                let batch = Message::read(datagram).unwrap();
                for part in Parts::of(&batch) {
                    let part = part.unwrap();
                    entries += match part.kind {
                        Kind::UnitStates => UnitState::read_all(&part).filter(Result::is_ok).count(),
                        _ => RelayedActions::read(&part).unwrap().filter(Result::is_ok).count(),
                    };
                }
            });
            stream.clear();
            outbox.gather_stream(machine, &mut stream);
        }
        entries
    };
    assert_eq!(tick(0), 127 * 32);
    let mut entries = 0;
    let measured = allocation_counter::measure(|| entries = tick(1));
    assert_eq!(entries, 127 * 32);
    assert_eq!(measured.count_total, 0);
}
