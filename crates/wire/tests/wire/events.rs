//! What happens once in a level: each kind of event and each of its types, there and back.

use mjolnir_wire::coop::CoopEventEntry;
use mjolnir_wire::events::{
    Action, Animation, Attachment, CoopEvent, EffectPlace, HudText, Navigation, NavigationPoint,
    PlayerEffect, Sound, SoundAction, Surface, SurfaceBroken,
};
use mjolnir_wire::format::description;
use mjolnir_wire::{Error, Kind, Message, ObjectId, ObjectName, Tag, Vec3};
use proptest::prelude::*;

use super::bytes::{message, object, sent, tick, written};
use super::scripted::any_name;

const OBJECT: i32 = 0xE1A4_001E_u32 as i32;
const TARGET: i32 = 0xE201_0011_u32 as i32;
const TAG: Tag = Tag(0xE174_0100);

fn itself() -> ObjectName {
    ObjectName::Object(object(OBJECT), Tag(0xE174_0200))
}

/// What an entry says, of those fields: kind, type, value, frame; name, object and its tag; interpolate, target, tag; numbers.
pub(crate) type Fields = ([i16; 4], (i16, i32, i32), (u8, i32, i32), [f32; 3]);

/// The fields of no object.
const NOTHING: (i16, i32, i32) = (-1, -1, -1);

fn fields(of: &Action) -> Fields {
    let raw = CoopEventEntry::read(&written(|to| of.write(40_000, to))).unwrap();
    assert_eq!(raw.number, 40_000);
    (
        [raw.kind.into(), raw.event_type.into(), raw.value, raw.frame],
        (raw.object_name, raw.object, raw.object_definition_tag),
        (raw.interpolate, raw.target, raw.tag),
        raw.reals,
    )
}

/// An event of each type of each kind, and its fields by FACT wire 3.14 and our own paper.
pub(crate) fn every() -> Vec<(Action, Fields)> {
    let (tag, graph) = (TAG.raw(), TAG);
    let by_itself = (-1, OBJECT, 0xE174_0200_u32 as i32);
    let by_level = (9, -1, -1);
    let named = ObjectName::Named(9);
    let (none, zeros) = ((0, -1, -1), [0.0; 3]);
    let sound = |action, on, scale| Action::Sound(Sound { action, sound: TAG, on, scale });
    let point = |of, shows| Action::NavigationPoint(NavigationPoint { kind: 5, of, shows, height: 0.5 });
    let plays = |object, interpolate| Animation { object, graph, animation: 317, frame: 12, interpolate };
    let hangs = |attaches, parent, child, parent_marker, child_marker| {
        Action::Attachment(Attachment { attaches, parent, child, parent_marker, child_marker })
    };
    let shift = Vec3::new(0.5, -0.25, 1.0);
    let broken = SurfaceBroken { surface: Surface { structure_bsp: 1, index: 12 }, at: shift };
    vec![
        (sound(SoundAction::Impulse, None, 0.75), ([0, 0, 0, 0], NOTHING, (0, -1, tag), [0.75, 0.0, 0.0])),
        (
            sound(SoundAction::LoopingStart, Some(named), 1.0),
            ([0, 1, 0, 0], by_level, (0, -1, tag), [1.0, 0.0, 0.0]),
        ),
        (
            sound(SoundAction::LoopingStop, Some(itself()), 0.0),
            ([0, 2, 0, 0], by_itself, (0, -1, tag), zeros),
        ),
        (Action::ChapterTitle(4), ([1, 0, 4, 0], NOTHING, none, zeros)),
        (Action::Hud(HudText::Help(32_767)), ([2, 0, 32_767, 0], NOTHING, none, zeros)),
        (Action::Hud(HudText::Objective(0)), ([2, 1, 0, 0], NOTHING, none, zeros)),
        (Action::Hud(HudText::FlashHelp(7)), ([2, 2, 7, 0], NOTHING, none, zeros)),
        (Action::Hud(HudText::Clear), ([2, 3, 0, 0], NOTHING, none, zeros)),
        (Action::Hud(HudText::Checkpoint { shows_help: true }), ([2, 4, 0, 1], NOTHING, none, zeros)),
        (Action::Hud(HudText::Checkpoint { shows_help: false }), ([2, 4, 0, 0], NOTHING, none, zeros)),
        (
            Action::PlayerEffect(PlayerEffect::Translation(shift)),
            ([3, 0, 0, 0], NOTHING, none, [0.5, -0.25, 1.0]),
        ),
        (
            Action::PlayerEffect(PlayerEffect::Rotation([1.0, 2.0, -3.0])),
            ([3, 1, 0, 0], NOTHING, none, [1.0, 2.0, -3.0]),
        ),
        (
            Action::PlayerEffect(PlayerEffect::Start { strength: 0.5, seconds: 2.0 }),
            ([3, 2, 0, 0], NOTHING, none, [0.5, 2.0, 0.0]),
        ),
        (
            Action::PlayerEffect(PlayerEffect::Stop { seconds: 3.0 }),
            ([3, 3, 0, 0], NOTHING, none, [3.0, 0.0, 0.0]),
        ),
        (point(Navigation::TeamToFlag(1, 8), true), ([4, 0, 5, 8], NOTHING, (1, -1, -1), [0.5, 1.0, 0.0])),
        (point(Navigation::TeamToObject(0, named), false), ([4, 1, 5, 0], by_level, none, [0.5, 0.0, 0.0])),
        (
            point(Navigation::UnitToFlag(itself(), 8), true),
            ([4, 2, 5, 8], by_itself, (1, -1, -1), [0.5, 0.0, 0.0]),
        ),
        (
            point(Navigation::UnitToObject(itself(), object(TARGET)), true),
            ([4, 3, 5, 0], by_itself, (1, TARGET, -1), [0.5, 0.0, 0.0]),
        ),
        (Action::UnitAnimation(plays(itself(), true)), ([5, 0, 317, 12], by_itself, (1, -1, tag), zeros)),
        (Action::SceneryAnimation(plays(named, false)), ([6, 0, 317, 12], by_level, (0, -1, tag), zeros)),
        (
            Action::Effect { effect: TAG, at: EffectPlace::Flag(3) },
            ([7, 0, 3, 0], NOTHING, (0, -1, tag), zeros),
        ),
        (
            Action::Effect { effect: TAG, at: EffectPlace::Marker(itself(), 2) },
            ([7, 1, 2, 0], by_itself, (0, -1, tag), zeros),
        ),
        (
            hangs(true, itself(), ObjectName::Object(object(TARGET), TAG), Some(1), Some(2)),
            ([8, 0, 1, 2], by_itself, (0, TARGET, tag), [-1.0, 0.0, 0.0]),
        ),
        (
            hangs(false, named, ObjectName::Named(511), None, None),
            ([8, 1, -1, -1], by_level, none, [511.0, 0.0, 0.0]),
        ),
        (Action::Reverted, ([9, 0, 0, 0], NOTHING, none, zeros)),
        (Action::UnitOpen { unit: itself(), opens: true }, ([10, 0, 1, 0], by_itself, none, zeros)),
        (Action::UnitOpen { unit: named, opens: false }, ([10, 0, 0, 0], by_level, none, zeros)),
        (Action::SurfaceBroken(broken), ([11, 0, 12, 1], NOTHING, none, [0.5, -0.25, 1.0])),
    ]
}

/// WIRE-43, 53, 84: each type of each kind is written into the fields that the paper gives it, none and zero in the others, and comes
/// back with its number, to the bit.
#[test]
fn every_event_goes_there_and_back() {
    let mut kinds = Vec::new();
    for (action, expected) in every() {
        assert_eq!(fields(&action), expected, "{action:?}");
        let [kind, of_kind, ..] = expected.0;
        kinds.push((kind, of_kind));
        for number in [0, 1, 0x7FFF, 0x8000, u16::MAX] {
            let bytes = written(|to| action.write(number, to));
            assert_eq!(CoopEvent::read(&bytes), Ok(CoopEvent { number, action: Some(action) }));
        }
    }
    kinds.dedup();
    let types = [3, 1, 5, 4, 4, 1, 1, 2, 2, 1, 1, 1];
    let all: Vec<_> =
        (0..).zip(types).flat_map(|(kind, types)| (0..types).map(move |of| (kind, of))).collect();
    assert_eq!(kinds, all, "every kind and type");
}

/// WIRE-43, 55: an event is called by the record's names of its kind and its type, and says what it acts upon.
#[test]
fn an_event_is_called_as_the_record_has_it() {
    let description = description();
    let named = |of: &str, value: i16| -> Vec<&str> {
        let values = description.lines().filter_map(|line| line.strip_prefix("value "));
        let names = values.filter_map(|line| line.strip_prefix(of)?.strip_prefix('.'));
        names.filter_map(|line| line.strip_suffix(&format!(" {value}"))).collect()
    };
    for (action, ([kind, of_kind, ..], object, ..)) in every() {
        let kind = named("coop_event.kind", kind)[0];
        let types = named(&format!("coop_event.{kind}"), of_kind);
        let name = types.first().map_or_else(|| kind.to_owned(), |of_kind| format!("{kind}.{of_kind}"));
        assert_eq!(action.name(), name);
        let acts_upon = match object {
            NOTHING => None,
            (-1, _, _) => Some(itself()),
            (name, ..) => Some(ObjectName::Named(name as u16)),
        };
        assert_eq!(action.object(), acts_upon, "{name}");
    }
}

/// WIRE-43: an entry takes 40 bytes, each field where the table has it; twenty-nine leave in one datagram, which reads as they were;
/// by the stream too.
#[test]
fn an_event_stands_in_its_bytes() {
    let animation =
        Animation { object: itself(), graph: TAG, animation: 0x0102, frame: 0x0304, interpolate: true };
    let bytes = written(|to| Action::UnitAnimation(animation).write(0xBEEF, to));
    let expected = [
        &[5, 0, 0xEF, 0xBE, 2, 1, 4, 3, 0xFF, 0xFF, 1, 0, 0x1E, 0, 0xA4, 0xE1][..],
        &[0xFF, 0xFF, 0xFF, 0xFF, 0, 1, 0x74, 0xE1, 0, 2, 0x74, 0xE1],
        &[0; 12],
    ]
    .concat();
    assert_eq!((bytes, expected.len()), (expected.clone(), 40));
    let event = CoopEvent { number: 0xBEEF, action: Some(Action::UnitAnimation(animation)) };
    let many = sent(Kind::CoopEvents, tick(5), 0, &vec![expected.clone(); 29]);
    let read: Vec<_> = CoopEvent::read_all(&Message::read(&many).unwrap()).collect();
    assert_eq!((many.len(), read), (8 + 29 * 40, vec![Ok(event); 29]));
    let mut padded = expected.clone();
    padded[11] = 0xAB;
    assert_eq!(CoopEvent::read(&padded), Ok(event), "a pad");
    assert!((0..40).all(|end| CoopEvent::read(&expected[..end]) == Err(Error::Truncated)));
}

/// That event's entry, changed; what it then does.
fn changed(of: &Action, change: &dyn Fn(&mut CoopEventEntry)) -> Option<Action> {
    let mut raw = CoopEventEntry::read(&written(|to| of.write(3, to))).unwrap();
    change(&mut raw);
    let event = CoopEvent::read(&written(|to| raw.write(to))).unwrap();
    assert_eq!(event.number, 3, "its number counts");
    event.action
}

/// WIRE-43: a type that a kind does not have, both sides, is had and does nothing; of a kind without types any is its one.
#[test]
fn a_type_that_is_none_does_nothing() {
    let counts = [3, 0, 5, 4, 4, 0, 0, 2, 2, 0, 0, 0];
    for (action, ([kind, ..], ..)) in every() {
        let count = counts[kind as usize];
        for of_kind in [count, count + 1, 0xFF] {
            let does = changed(&action, &|raw| raw.event_type = of_kind);
            assert_eq!(does, (count == 0).then_some(action), "{action:?} {of_kind}");
        }
    }
    let action = Action::Reverted;
    for kind in [12, 13, 0xFF] {
        let mut bytes = written(|to| action.write(3, to));
        bytes[0] = kind;
        assert_eq!(CoopEvent::read(&bytes), Err(Error::BadFlag));
    }
}

/// WIRE-09, 43: any number of any event that is not finite: it is had and does nothing.
#[test]
fn an_event_of_no_number_does_nothing() {
    for (action, _) in every() {
        for at in 0..3 {
            for evil in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                assert_eq!(changed(&action, &|raw| raw.reals[at] = evil), None, "{action:?} {at}");
            }
        }
    }
}

/// What an event needs of its entry.
#[derive(Default)]
struct Needs {
    value: bool,
    frame: bool,
    tag: bool,
    object: bool,
    target: bool,
}

fn needs(of: &Action) -> Needs {
    let none = Needs::default();
    match of {
        Action::Sound(_) => Needs { tag: true, ..none },
        Action::ChapterTitle(_) => Needs { value: true, ..none },
        Action::Hud(HudText::Clear | HudText::Checkpoint { .. })
        | Action::PlayerEffect(_)
        | Action::Reverted => none,
        Action::Hud(_) => Needs { value: true, ..none },
        Action::NavigationPoint(point) => match point.of {
            Navigation::TeamToFlag(..) => Needs { value: true, frame: true, ..none },
            Navigation::TeamToObject(..) => Needs { value: true, object: true, ..none },
            Navigation::UnitToFlag(..) => Needs { value: true, frame: true, object: true, ..none },
            Navigation::UnitToObject(..) => Needs { value: true, object: true, target: true, ..none },
        },
        Action::UnitAnimation(_) | Action::SceneryAnimation(_) => {
            Needs { value: true, frame: true, tag: true, object: true, ..none }
        }
        Action::Effect { at: EffectPlace::Flag(_), .. } => Needs { value: true, tag: true, ..none },
        Action::Effect { .. } => Needs { value: true, tag: true, object: true, ..none },
        Action::Attachment(_) => Needs { object: true, ..none },
        Action::UnitOpen { .. } => Needs { object: true, ..none },
        Action::SurfaceBroken(_) => Needs { value: true, frame: true, ..none },
    }
}

/// WIRE-43, 61, 84: an index, tag, object or name that is none where one is needed: the event is had and does nothing; where none is
/// needed it is not looked at.
#[test]
fn an_event_that_names_nothing_does_nothing() {
    for (action, _) in every() {
        let needs = needs(&action);
        let does = |change: &dyn Fn(&mut CoopEventEntry)| changed(&action, change);
        let attaches = matches!(action, Action::Attachment(_));
        let opens = matches!(action, Action::UnitOpen { .. });
        let checkpoint = matches!(action, Action::Hud(HudText::Checkpoint { .. }));
        for none in [-1, -2, i16::MIN] {
            if needs.value {
                assert_eq!(does(&|raw| raw.value = none), None, "{action:?}");
            } else if !attaches && !opens {
                assert_eq!(does(&|raw| raw.value = none), Some(action));
            }
            if needs.frame {
                assert_eq!(does(&|raw| raw.frame = none), None, "{action:?}");
            } else if !attaches && !checkpoint {
                assert_eq!(does(&|raw| raw.frame = none), Some(action));
            }
        }
        if needs.tag {
            assert_eq!(does(&|raw| raw.tag = -1), None, "{action:?}");
        } else if !attaches {
            assert_eq!(does(&|raw| raw.tag = -1), Some(action));
        }
        for target in [-1, 5, 0x0001_2000] {
            if needs.target {
                assert_eq!(does(&|raw| raw.target = target), None, "{action:?}");
            } else if !attaches {
                assert_eq!(does(&|raw| raw.target = target), Some(action));
            }
        }
        let name = |name: i16, object: i32, tag: i32| {
            does(&|raw| (raw.object_name, raw.object, raw.object_definition_tag) = (name, object, tag))
        };
        let is_none = [name(-1, 5, 7), name(-1, OBJECT, -1), name(512, -1, -1), name(-2, -1, -1)];
        if needs.object {
            assert_eq!((is_none, name(-1, -1, -1)), ([None; 4], None), "{action:?}");
        } else if let Action::Sound(sound) = action {
            // On what is none it would be heard everywhere.
            assert_eq!(is_none, [None; 4]);
            assert_eq!(name(-1, -1, -1), Some(Action::Sound(Sound { on: None, ..sound })));
        } else {
            assert_eq!((is_none, name(-1, -1, -1)), ([Some(action); 4], Some(action)));
        }
    }
}

/// WIRE-43, ours 3: what is attached is its target and that one's tag, or by the number beside them the level's name, which is
/// whole and within the level's; markers may be none.
#[test]
fn what_is_attached_is_named_like_the_rest() {
    let (action, _) =
        every().into_iter().find(|(action, _)| matches!(action, Action::Attachment(_))).unwrap();
    let child = |target: i32, tag: i32, name: f32| {
        let does = changed(&action, &|raw| (raw.target, raw.tag, raw.reals[0]) = (target, tag, name));
        does.map(|does| match does {
            Action::Attachment(attachment) => attachment.child,
            other => panic!("{other:?}"),
        })
    };
    assert_eq!(
        [0.0, 511.0].map(|name| child(-1, -1, name)),
        [0, 511].map(|name| Some(ObjectName::Named(name)))
    );
    let bad = [-1.0, 512.0, -2.0, 0.5, 510.999_97, 1e9, -1e9, 32_768.0];
    assert_eq!(bad.map(|name| child(-1, -1, name)), [None; 8]);
    assert_eq!(
        child(TARGET, 7, 3.0),
        Some(ObjectName::Object(object(TARGET), Tag(7))),
        "itself before its name"
    );
    assert_eq!([child(TARGET, -1, 3.0), child(5, 7, 3.0)], [None; 2]);
    let markers =
        |value: i16, frame: i16| match changed(&action, &|raw| (raw.value, raw.frame) = (value, frame)) {
            Some(Action::Attachment(attachment)) => (attachment.parent_marker, attachment.child_marker),
            other => panic!("{other:?}"),
        };
    assert_eq!([markers(-1, 0), markers(32_767, i16::MIN)], [(None, Some(0)), (Some(32_767), None)]);
}

/// WIRE-43, ours 3: a team is 0 or 1, both sides; a flag, a type of point and a height are whatever they are.
#[test]
fn a_navigation_point_is_of_a_team() {
    for (action, _) in every() {
        let Action::NavigationPoint(NavigationPoint { of, .. }) = action else { continue };
        let of_team = matches!(of, Navigation::TeamToFlag(..) | Navigation::TeamToObject(..));
        for (team, is_one) in
            [(0.0, true), (1.0, true), (-0.0, true), (2.0, false), (0.5, false), (-1.0, false)]
        {
            let does = changed(&action, &|raw| raw.reals[1] = team);
            assert_eq!(does.is_some(), is_one || !of_team, "{of:?} {team}");
        }
        let shows = |raw: u8| match changed(&action, &|entry| entry.interpolate = raw) {
            Some(Action::NavigationPoint(point)) => point.shows,
            other => panic!("{other:?}"),
        };
        assert_eq!([0, 1, 2, 255].map(shows), [false, true, true, true]);
    }
}

/// WIRE-43: what does not fit its field is written so that the entry does nothing: never as another index, on another object or
/// everywhere; a number that is none is 0.
#[test]
fn what_cannot_travel_does_nothing() {
    let far = ObjectName::Named(512);
    let most = 32_768;
    let point = |of| Action::NavigationPoint(NavigationPoint { kind: 5, of, shows: true, height: 0.5 });
    let plays =
        |object, animation, frame| Animation { object, graph: TAG, animation, frame, interpolate: true };
    let hangs = |parent, child, parent_marker, child_marker| {
        Action::Attachment(Attachment { attaches: true, parent, child, parent_marker, child_marker })
    };
    let sound = |sound, on, scale| Action::Sound(Sound { action: SoundAction::Impulse, sound, on, scale });
    let kind = NavigationPoint { kind: most, of: Navigation::TeamToFlag(0, 0), shows: true, height: 0.0 };
    for action in [
        sound(TAG, Some(far), 1.0),
        sound(TAG, Some(ObjectName::Object(object(OBJECT), Tag(u32::MAX))), 1.0),
        sound(Tag(u32::MAX), None, 1.0),
        Action::ChapterTitle(most),
        Action::Hud(HudText::Help(most)),
        Action::Hud(HudText::Objective(u16::MAX)),
        Action::Hud(HudText::FlashHelp(most)),
        point(Navigation::TeamToFlag(2, 0)),
        point(Navigation::TeamToFlag(0, most)),
        point(Navigation::TeamToObject(255, itself())),
        point(Navigation::TeamToObject(0, far)),
        point(Navigation::UnitToFlag(far, 0)),
        point(Navigation::UnitToFlag(itself(), most)),
        point(Navigation::UnitToObject(far, object(TARGET))),
        Action::NavigationPoint(kind),
        Action::UnitAnimation(plays(far, 0, 0)),
        Action::UnitAnimation(plays(itself(), most, 0)),
        Action::SceneryAnimation(plays(itself(), 0, most)),
        Action::Effect { effect: TAG, at: EffectPlace::Flag(most) },
        Action::Effect { effect: TAG, at: EffectPlace::Marker(far, 0) },
        Action::Effect { effect: TAG, at: EffectPlace::Marker(itself(), most) },
        Action::Effect { effect: Tag(u32::MAX), at: EffectPlace::Flag(0) },
        hangs(far, itself(), None, None),
        hangs(itself(), far, None, None),
        hangs(itself(), itself(), Some(most), None),
        hangs(itself(), itself(), None, Some(u16::MAX)),
        Action::UnitOpen { unit: far, opens: true },
    ] {
        let event = CoopEvent::read(&written(|to| action.write(9, to)));
        assert_eq!(event, Ok(CoopEvent { number: 9, action: None }), "{action:?}");
    }
    let nan = f32::NAN;
    for (wild, tame) in [
        (sound(TAG, None, nan), sound(TAG, None, 0.0)),
        (
            Action::PlayerEffect(PlayerEffect::Rotation([nan, 1.0, f32::INFINITY])),
            Action::PlayerEffect(PlayerEffect::Rotation([0.0, 1.0, 0.0])),
        ),
        (
            Action::PlayerEffect(PlayerEffect::Start { strength: nan, seconds: 2.0 }),
            Action::PlayerEffect(PlayerEffect::Start { strength: 0.0, seconds: 2.0 }),
        ),
    ] {
        let event = CoopEvent::read(&written(|to| wild.write(9, to))).unwrap();
        assert_eq!(event.action, Some(tame));
    }
}

/// WIRE-60: an event of a kind that is none between two that are is refused alone.
#[test]
fn a_bad_event_is_refused_alone() {
    let good = written(|to| Action::Reverted.write(7, to));
    let mut bad = good.clone();
    bad[0] = 12;
    let bytes = message(71, 3, &[&good[..], &bad, &good].concat());
    let read: Vec<_> = CoopEvent::read_all(&Message::read(&bytes).unwrap()).collect();
    let event = CoopEvent { number: 7, action: Some(Action::Reverted) };
    assert_eq!(read, [Ok(event), Err(Error::BadFlag), Ok(event)]);
}

fn real() -> impl Strategy<Value = f32> {
    prop::num::f32::NORMAL | prop::num::f32::ZERO | prop::num::f32::SUBNORMAL
}

/// Any event whose fields fit.
fn action() -> impl Strategy<Value = Action> {
    let index = || 0_u16..0x8000;
    let tag = || (0..u32::MAX).prop_map(Tag);
    let sound_action =
        prop::sample::select(vec![SoundAction::Impulse, SoundAction::LoopingStart, SoundAction::LoopingStop]);
    let id = (0_u16..8192, 1_u16..).prop_map(|(index, identifier)| ObjectId::new(index, identifier).unwrap());
    let navigation = prop_oneof![
        (0_u8..2, index()).prop_map(|(team, flag)| Navigation::TeamToFlag(team, flag)),
        (0_u8..2, any_name()).prop_map(|(team, object)| Navigation::TeamToObject(team, object)),
        (any_name(), index()).prop_map(|(unit, flag)| Navigation::UnitToFlag(unit, flag)),
        (any_name(), id).prop_map(|(unit, object)| Navigation::UnitToObject(unit, object)),
    ];
    let animation = || {
        (any_name(), tag(), index(), index(), any::<bool>()).prop_map(
            |(object, graph, animation, frame, interpolate)| Animation {
                object,
                graph,
                animation,
                frame,
                interpolate,
            },
        )
    };
    let reals = || prop::array::uniform3(real());
    prop_oneof![
        (sound_action, tag(), prop::option::of(any_name()), real())
            .prop_map(|(action, sound, on, scale)| Action::Sound(Sound { action, sound, on, scale })),
        index().prop_map(Action::ChapterTitle),
        index().prop_map(|text| Action::Hud(HudText::Help(text))),
        index().prop_map(|text| Action::Hud(HudText::Objective(text))),
        index().prop_map(|text| Action::Hud(HudText::FlashHelp(text))),
        any::<bool>().prop_map(|shows_help| Action::Hud(HudText::Checkpoint { shows_help })),
        reals().prop_map(|shift| Action::PlayerEffect(PlayerEffect::Translation(Vec3::from_array(shift)))),
        reals().prop_map(|turn| Action::PlayerEffect(PlayerEffect::Rotation(turn))),
        (real(), real())
            .prop_map(|(strength, seconds)| Action::PlayerEffect(PlayerEffect::Start { strength, seconds })),
        real().prop_map(|seconds| Action::PlayerEffect(PlayerEffect::Stop { seconds })),
        (index(), navigation, any::<bool>(), real()).prop_map(|(kind, of, shows, height)| {
            Action::NavigationPoint(NavigationPoint { kind, of, shows, height })
        }),
        animation().prop_map(Action::UnitAnimation),
        animation().prop_map(Action::SceneryAnimation),
        (tag(), index()).prop_map(|(effect, flag)| Action::Effect { effect, at: EffectPlace::Flag(flag) }),
        (tag(), any_name(), index()).prop_map(|(effect, object, marker)| Action::Effect {
            effect,
            at: EffectPlace::Marker(object, marker)
        }),
        (any::<bool>(), any_name(), any_name(), prop::option::of(index()), prop::option::of(index()))
            .prop_map(|(attaches, parent, child, parent_marker, child_marker)| Action::Attachment(
                Attachment { attaches, parent, child, parent_marker, child_marker }
            )),
        (any_name(), any::<bool>()).prop_map(|(unit, opens)| Action::UnitOpen { unit, opens }),
        (index(), index(), reals()).prop_map(|(structure_bsp, index, at)| {
            let surface = Surface { structure_bsp, index };
            Action::SurfaceBroken(SurfaceBroken { surface, at: Vec3::from_array(at) })
        }),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// WIRE-11, 43: any event comes back to the bit with its number.
    #[test]
    fn an_event_comes_back(action in action(), number in any::<u16>()) {
        let bytes = written(|to| action.write(number, to));
        prop_assert_eq!(bytes.len(), 40);
        prop_assert_eq!(CoopEvent::read(&bytes), Ok(CoopEvent { number, action: Some(action) }));
    }

    /// WIRE-08: whatever a few bytes of any event become, it is had or refused by its kind alone; what it then does is written and
    /// reads the same.
    #[test]
    fn a_changed_event_is_read(
        action in action(),
        changes in prop::collection::vec((0..40_usize, any::<u8>()), 1..6),
    ) {
        let mut bytes = written(|to| action.write(3, to));
        changes.iter().for_each(|(at, byte)| bytes[*at] = *byte);
        match CoopEvent::read(&bytes) {
            Ok(event) => {
                prop_assert!(bytes[0] < 12);
                prop_assert_eq!(event.number.to_le_bytes(), [bytes[2], bytes[3]]);
                if let Some(action) = event.action {
                    prop_assert_eq!(CoopEvent::read(&written(|to| action.write(event.number, to))), Ok(event));
                }
            }
            Err(error) => prop_assert!(bytes[0] >= 12 && error == Error::BadFlag),
        }
    }
}
