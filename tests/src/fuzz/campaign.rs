//! Targets of the files of `wire` of what a campaign says: its actors, its events, what its scripts show and change. What was read
//! can be written, and reads the same. Knows what a reader promises, not what a campaign does.

use mjolnir_wire::actors::{ActorDamage, ActorState, ActorStateEntry};
use mjolnir_wire::coop::{
    CoopEventEntry, CoopObjectLookEntry, CoopObjectNamesEntry, CoopObjectTransformEntry,
    CoopPresentationEntry, CoopScreenEffectEntry,
};
use mjolnir_wire::events::{Action, CoopEvent, SurfaceBroken};
use mjolnir_wire::limits::MAX_OBJECT_NAMES;
use mjolnir_wire::presentation::Presentation;
use mjolnir_wire::scripted::{Look, ObjectNames, ScreenEffect, Transform};
use mjolnir_wire::{Error, Kind, Message};

use super::entries::{again, comes_back, is_close, is_placed, with_message};
use super::layouts::{both_ways, structs};

fn actor(state: &ActorState) {
    is_placed(state.position, state.axes);
    let ActorState { throttle, trigger, camouflage, animation_state, aiming_speed, control, .. } = state;
    assert!(throttle.iter().all(|part| part.abs() <= 1.0));
    assert!([trigger, camouflage].iter().all(|part| (0.0..=1.0).contains(*part)));
    assert!(*animation_state < 7 && *aiming_speed < 2 && *control < 1 << 15);
    assert!(state.impulse.kind.is_none_or(|kind| kind < 16));
    let mut again = again(state, ActorState::write, ActorState::read);
    is_close(state.axes, again.axes);
    again.axes = state.axes;
    assert_eq!(&again, state);
}

fn hurt(shown: &ActorDamage) {
    let parts = [shown.shield, shown.recent_shield, shown.body, shown.recent_body];
    assert!(parts.iter().all(|part| (0.0..4.0).contains(part)));
    comes_back(shown, ActorDamage::write, ActorDamage::read);
}

fn happened(event: &CoopEvent) {
    if let CoopEvent { number, action: Some(action) } = event {
        if let Action::SurfaceBroken(SurfaceBroken { at, .. }) = action {
            assert!(at.is_finite());
        }
        let mut bytes = Vec::new();
        action.write(*number, &mut bytes);
        assert_eq!(CoopEvent::read(&bytes).as_ref(), Ok(event));
    }
}

fn shown(shown: &Presentation) {
    let mut again = again(shown, Presentation::write, Presentation::read);
    if let (Some(once), Some(twice)) = (&shown.camera, &mut again.camera) {
        is_placed(once.position, once.axes);
        assert!(once.field_of_view > 0.0 && once.offset.is_finite());
        is_close(once.axes, twice.axes);
        twice.axes = once.axes;
    }
    assert!(shown.vitality.is_none_or(|most| most.body.is_finite() && most.shield.is_finite()));
    assert!(shown.fade.ticks >= 0 && shown.fade.elapsed >= 0);
    assert_eq!(&again, shown);
}

fn names(names: &ObjectNames) {
    assert!(usize::from(names.count()) <= MAX_OBJECT_NAMES);
    let mut made = ObjectNames::none(names.structure_bsp, names.count());
    (0..600).filter(|name| names.contains(*name)).for_each(|name| made.insert(name));
    assert_eq!(&made, names, "nothing but names");
    comes_back(names, ObjectNames::write, ObjectNames::read);
}

fn moved(moved: &Transform) {
    is_placed(moved.position, moved.axes);
    let mut again = again(moved, Transform::write, Transform::read);
    is_close(moved.axes, again.axes);
    again.axes = moved.axes;
    assert_eq!(&again, moved);
}

fn look(look: &Look) {
    assert!(look.scale > 0.0 && look.scale < 100.0);
    comes_back(look, Look::write, Look::read);
}

fn effect(effect: &ScreenEffect) {
    let types = [(effect.extra_passes, 8), (effect.convolution, 2), (effect.overbright, 2)];
    assert!(types.into_iter().all(|(value, most)| (0..=most).contains(&value)));
    comes_back(effect, ScreenEffect::write, ScreenEffect::read);
}

/// Every reader of that message's kind.
pub(super) fn walk(message: &Message<'_>) {
    match message.kind {
        Kind::ActorStates => ActorState::read_all(message).flatten().for_each(|state| actor(&state)),
        Kind::ActorDamage => ActorDamage::read_all(message).flatten().for_each(|shown| hurt(&shown)),
        Kind::CoopEvents => {
            for event in CoopEvent::read_all(message) {
                assert!(matches!(event, Ok(_) | Err(Error::BadFlag)), "{event:?}");
                event.iter().for_each(happened);
            }
        }
        Kind::CoopPresentation => Presentation::read_all(message).flatten().for_each(|all| shown(&all)),
        Kind::CoopObjectNames => ObjectNames::read_all(message).flatten().for_each(|all| names(&all)),
        Kind::CoopObjectTransforms => Transform::read_all(message).flatten().for_each(|all| moved(&all)),
        Kind::CoopObjectLooks => Look::read_all(message).flatten().for_each(|all| look(&all)),
        _ => ScreenEffect::read_all(message).flatten().for_each(|all| effect(&all)),
    }
}

/// Kind 64.
pub(super) fn actors(bytes: &[u8]) {
    with_message(&[Kind::ActorStates], bytes, walk);
    structs(bytes, &[Kind::ActorStates], |bytes| both_ways!(bytes; ActorStateEntry));
}

/// Kind 71.
pub(super) fn events(bytes: &[u8]) {
    with_message(&[Kind::CoopEvents], bytes, walk);
    both_ways!(bytes; CoopEventEntry);
}

/// Kind 66.
pub(super) fn presentation(bytes: &[u8]) {
    with_message(&[Kind::CoopPresentation], bytes, walk);
    both_ways!(bytes; CoopPresentationEntry);
}

/// Kinds 69, 72, 74 and 76.
pub(super) fn scripted(bytes: &[u8]) {
    let kinds =
        [Kind::CoopObjectNames, Kind::CoopObjectTransforms, Kind::CoopObjectLooks, Kind::CoopScreenEffect];
    with_message(&kinds, bytes, walk);
    both_ways!(
        bytes;
        CoopObjectLookEntry,
        CoopObjectNamesEntry,
        CoopObjectTransformEntry,
        CoopScreenEffectEntry,
    );
}
