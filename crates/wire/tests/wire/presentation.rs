//! What a level's scripts show on every machine.

use mjolnir_wire::coop::CoopPresentationEntry;
use mjolnir_wire::presentation::{Camera, Fade, Presentation, TeamSet, Timer, Vitality};
use mjolnir_wire::space::unpack_field_of_view;
use mjolnir_wire::{Axes, Error, Kind, Message, ObjectId, Vec3};
use proptest::prelude::*;

use super::bytes::{object, sent, tick, written};
use super::units::axes;

const OBJECT: i32 = 0xE1A4_001E_u32 as i32;

/// All that can be shown at once.
fn full() -> Presentation {
    Presentation {
        cinematic: true,
        letterbox: true,
        skippable: true,
        shows_hud: true,
        shows_help_text: true,
        input_disabled: true,
        shakes: true,
        fade: Fade { colour: [1, 2, 255], ticks: 30, elapsed: 32_767, start: 74_555, is_out: true },
        camera: Some(Camera {
            position: Vec3::new(1.0, -32768.0, 3.5),
            axes: Axes { forward: Vec3::new(0.0, 1.0, 0.0), up: Vec3::UP },
            field_of_view: unpack_field_of_view(12_217),
            object: Some(object(OBJECT)),
            offset: Vec3::new(0.25, -0.5, 1e9),
        }),
        skip_votes: 3,
        skip_voters: 128,
        unit_hud: 0x8000_0001,
        weapon_hud: 0x0403_0201,
        timer: Some(Timer {
            paused: true,
            reference: 74_000,
            ticks: 900,
            flash_cutoff: 300,
            place: [-5, 10],
            corner: 3,
        }),
        vitality: Some(Vitality { body: 75.0, shield: 150.0 }),
        cluster: Some(0),
        allied: TeamSet(1 | 1 << 127),
        friendly: TeamSet(1 << 31 | 1 << 32),
    }
}

/// The entry of [`full`] with those bytes there.
fn with(at: usize, bytes: &[u8]) -> Result<Presentation, Error> {
    let mut entry = written(|to| full().write(to));
    entry[at..at + bytes.len()].copy_from_slice(bytes);
    Presentation::read(&entry)
}

fn raw(of: &Presentation) -> CoopPresentationEntry {
    CoopPresentationEntry::read(&written(|to| of.write(to))).unwrap()
}

/// WIRE-42: an entry takes 124 bytes, 132 with its header, each field stands where the table has it, and all comes back to the
/// bit.
#[test]
fn a_presentation_stands_in_its_bytes() {
    let mut expected = vec![0xFF, 1, 2, 255, 30, 0, 0xFF, 0x7F];
    let word = |number: i32| number.to_le_bytes();
    expected.extend(word(74_555));
    [1.0_f32, -32768.0, 3.5].iter().for_each(|part| expected.extend(part.to_le_bytes()));
    [0_i16, 32_767, 0, 0, 0, 32_767, 12_217].iter().for_each(|part| expected.extend(part.to_le_bytes()));
    expected.extend([3, 128]);
    expected.extend([[1, 0, 0, 0x80], [1, 2, 3, 4], word(74_000)].concat());
    [900_i16, 300, -5, 10, 3].iter().for_each(|part| expected.extend(part.to_le_bytes()));
    expected.extend([1, 1]);
    expected.extend(word(OBJECT));
    [0.25_f32, -0.5, 1e9].iter().for_each(|part| expected.extend(part.to_le_bytes()));
    expected.extend([1, 1, 1, 0]);
    [75.0_f32, 150.0].iter().for_each(|part| expected.extend(part.to_le_bytes()));
    for team in [1, 0, 0, 1 << 31, 1 << 31, 1, 0, 0_u32] {
        expected.extend(team.to_le_bytes());
    }
    assert_eq!(expected.len(), 124);
    assert_eq!(written(|to| full().write(to)), expected);
    assert_eq!(Presentation::read(&expected), Ok(full()));
    assert_eq!(Presentation::read(&expected[..123]), Err(Error::Truncated));
    let record = include_str!("../../../../network_format.txt");
    assert!(record.lines().any(|line| line == "kind coop_presentation 66 host datagram 124 1"));
    let bytes = sent(Kind::CoopPresentation, tick(74_565), 0, &[expected]);
    let read: Vec<_> = Presentation::read_all(&Message::read(&bytes).unwrap()).collect();
    assert_eq!((bytes.len(), read), (132, vec![Ok(full())]));
}

/// A flag's bit, and what sets it.
type Set = (u8, fn(&mut Presentation));

/// WIRE-42: each flag is one bit and no other's; what no flag shows is zero or none and reads as nothing.
#[test]
fn each_flag_of_a_presentation_is_its_own_bit() {
    let nothing = Presentation::default();
    let shown = raw(&nothing);
    assert_eq!(Presentation::read(&written(|to| nothing.write(to))), Ok(nothing));
    assert_eq!((shown.flags, shown.camera_scripted, shown.vitality_set, shown.input_disabled), (0, 0, 0, 0));
    assert_eq!((shown.camera_object, shown.timer_reference_time), (-1, -1));
    assert_eq!(shown.activating_cluster_plus_one, 0, "a cluster that is none travels as 0");
    let timer = Some(Timer { reference: -1, ..Timer::default() });
    let set: [Set; 6] = [
        (0, |shown| shown.cinematic = true),
        (1, |shown| shown.letterbox = true),
        (2, |shown| shown.fade.is_out = true),
        (3, |shown| shown.skippable = true),
        (4, |shown| shown.shows_hud = true),
        (5, |shown| shown.shows_help_text = true),
    ];
    for (bit, set) in set {
        let mut one = nothing;
        set(&mut one);
        assert_eq!(raw(&one), CoopPresentationEntry { flags: 1 << bit, ..shown }, "{bit}");
        assert_eq!(Presentation::read(&written(|to| one.write(to))), Ok(one), "{bit}");
    }
    let one = Presentation { timer, ..nothing };
    assert_eq!(raw(&one), CoopPresentationEntry { flags: 1 << 7, ..shown });
    let paused = Presentation { timer: timer.map(|timer| Timer { paused: true, ..timer }), ..nothing };
    assert_eq!(raw(&paused), CoopPresentationEntry { flags: 0b1100_0000, ..shown });
    // A timer that is not shown may stand; nobody sees that it does.
    let mut bytes = written(|to| nothing.write(to));
    bytes[0] = 1 << 6;
    bytes[52..62].fill(9);
    assert_eq!(Presentation::read(&bytes), Ok(nothing));
}

/// WIRE-86: team t is bit t mod 32 of word t / 32, of either set, at both ends of a word and of all; a team past the last is none.
#[test]
fn a_team_is_a_bit_of_a_word() {
    for (team, word, bit) in [(0, 0, 0), (31, 0, 31), (32, 1, 0), (127, 3, 31)] {
        let mut teams = TeamSet::default();
        teams.insert(team);
        assert!(teams.contains(team));
        assert_eq!((0..=255).filter(|team| teams.contains(*team)).count(), 1);
        let mut words = [0_u32; 4];
        words[word] = 1 << bit;
        let shown = raw(&Presentation { allied: teams, ..Presentation::default() });
        assert_eq!((shown.allied_teams, shown.friendly_teams), (words, [0; 4]), "{team}");
        let shown = raw(&Presentation { friendly: teams, ..Presentation::default() });
        assert_eq!((shown.allied_teams, shown.friendly_teams), ([0; 4], words), "{team}");
    }
    let mut teams = TeamSet::default();
    teams.insert(128);
    teams.insert(255);
    assert_eq!((teams, teams.contains(128)), (TeamSet::default(), false));
}

/// WIRE-86: a choice that is neither 0 nor 1 reads as 1; a count of ticks below 0 is 0; a cluster is none at 0 and below.
#[test]
fn a_presentations_numbers_read_as_what_they_mean() {
    let vitality = |raw| with(81, &[raw]).map(|shown| shown.vitality);
    let set = Ok(Some(Vitality { body: 75.0, shield: 150.0 }));
    assert_eq!([0, 1, 2, 255].map(vitality), [Ok(None), set, set, set]);
    let bools = |shown: Presentation| [shown.camera.is_some(), shown.input_disabled, shown.shakes];
    for (place, at) in [62, 63, 80].into_iter().enumerate() {
        let one = |raw| bools(with(at, &[raw]).unwrap())[place];
        assert_eq!([0, 1, 2, 255].map(one), [false, true, true, true], "{at}");
    }
    for at in [4, 6] {
        let ticks = |raw: i16| {
            let fade = with(at, &raw.to_le_bytes()).unwrap().fade;
            if at == 4 { fade.ticks } else { fade.elapsed }
        };
        assert_eq!([i16::MIN, -1, 0, 1, i16::MAX].map(ticks), [0, 0, 0, 1, i16::MAX]);
    }
    let cluster = |raw: i16| with(82, &raw.to_le_bytes()).unwrap().cluster;
    assert_eq!([i16::MIN, -1, 0, 1, i16::MAX].map(cluster), [None, None, None, Some(0), Some(32_766)]);
    let plus_one =
        |cluster| raw(&Presentation { cluster: Some(cluster), ..full() }).activating_cluster_plus_one;
    assert_eq!([0, 32_766, 32_767, u16::MAX].map(plus_one), [1, 32_767, 0, 0]);
}

/// WIRE-09, 62, 63, 64: every number is finite, shown or not; a script's camera has a place, axes, a field of view and an object that
/// is one or none; one that no script has is not looked at.
#[test]
fn a_presentation_is_checked_field_by_field() {
    for at in [12, 16, 20, 68, 72, 76, 84, 88] {
        for evil in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(with(at, &evil.to_le_bytes()), Err(Error::NotFinite), "{at}");
            let mut bytes = written(|to| Presentation::default().write(to));
            bytes[at..at + 4].copy_from_slice(&evil.to_le_bytes());
            assert_eq!(Presentation::read(&bytes), Err(Error::NotFinite), "{at}");
        }
    }
    for at in [12, 16, 20] {
        assert!([32768.0_f32, -32768.0].iter().all(|part| with(at, &part.to_le_bytes()).is_ok()));
        let far = |part: f32| with(at, &part.to_le_bytes());
        assert_eq!([far(32769.0), far(-32769.0)], [Err(Error::OutOfRange); 2]);
    }
    assert_eq!(with(24, &[0; 6]), Err(Error::OutOfRange), "it looks somewhere");
    assert_eq!(with(30, &[0; 6]), Err(Error::OutOfRange), "it has a top");
    let view = |raw: u16| with(36, &raw.to_le_bytes()).map(|shown| shown.camera.unwrap().field_of_view);
    assert_eq!([view(0), view(1), view(65_535)], [Err(Error::OutOfRange), Ok(0.0001), Ok(6.5535)]);
    assert_eq!([with(64, &[5, 0, 0, 0]), with(64, &[0, 0x20, 1, 0])], [Err(Error::BadIndex); 2]);
    assert_eq!(with(64, &[0xFF; 4]).map(|shown| shown.camera.unwrap().object), Ok(None));
    // Of no script's camera nothing else is read.
    let mut bytes = written(|to| full().write(to));
    bytes[62] = 0;
    bytes[12..16].copy_from_slice(&1e9_f32.to_le_bytes());
    bytes[24..38].fill(0);
    bytes[64..68].copy_from_slice(&[5, 0, 0, 0]);
    assert_eq!(Presentation::read(&bytes), Ok(Presentation { camera: None, ..full() }));
}

/// WIRE-62, 86: what cannot travel is written as the nearest that can, and a number that is none as 0.
#[test]
fn a_presentation_is_written_within_its_bounds() {
    let camera = full().camera.unwrap();
    let wild = Presentation {
        camera: Some(Camera {
            field_of_view: 7.0,
            offset: Vec3::new(f32::NAN, 2.0, f32::INFINITY),
            ..camera
        }),
        vitality: Some(Vitality { body: f32::NAN, shield: f32::NEG_INFINITY }),
        fade: Fade { ticks: -1, elapsed: i16::MIN, ..Fade::default() },
        ..full()
    };
    let read = Presentation::read(&written(|to| wild.write(to))).unwrap();
    let offset = Vec3::new(0.0, 2.0, 0.0);
    assert_eq!(read.camera, Some(Camera { field_of_view: 6.5535, offset, ..camera }));
    assert_eq!(read.vitality, Some(Vitality { body: 0.0, shield: 0.0 }));
    assert_eq!((read.fade.ticks, read.fade.elapsed), (0, 0));
    let narrow = Presentation { camera: Some(Camera { field_of_view: -1.0, ..camera }), ..full() };
    let read = Presentation::read(&written(|to| narrow.write(to))).unwrap();
    assert_eq!(read.camera.unwrap().field_of_view, 0.0001);
}

prop_compose! {
    fn camera()(
        position in prop::array::uniform3(-32768.0_f32..=32768.0),
        axes in axes(),
        field_of_view in (1_u16..).prop_map(unpack_field_of_view),
        object in prop::option::of((0_u16..8192, 1_u16..)),
        offset in prop::array::uniform3(-1e6_f32..1e6),
    ) -> Camera {
        let object = object.map(|(index, identifier)| ObjectId::new(index, identifier).unwrap());
        let (position, offset) = (Vec3::from_array(position), Vec3::from_array(offset));
        Camera { position, axes, field_of_view, object, offset }
    }
}

prop_compose! {
    fn shown()(
        [cinematic, letterbox, skippable, shows_hud, shows_help_text, input_disabled, shakes, is_out]
            in any::<[bool; 8]>(),
        (colour, ticks, elapsed, start) in (any::<[u8; 3]>(), 0_i16.., 0_i16.., any::<i32>()),
        camera in prop::option::of(camera()),
        [skip_votes, skip_voters] in any::<[u8; 2]>(),
        [unit_hud, weapon_hud] in any::<[u32; 2]>(),
        timer in prop::option::of(any::<(bool, i32, i16, i16, [i16; 2], i16)>()),
        vitality in prop::option::of((-1e6_f32..1e6, -1e6_f32..1e6)),
        cluster in prop::option::of(0_u16..32_767),
        [allied, friendly] in any::<[u128; 2]>(),
    ) -> Presentation {
        Presentation {
            cinematic,
            letterbox,
            skippable,
            shows_hud,
            shows_help_text,
            input_disabled,
            shakes,
            fade: Fade { colour, ticks, elapsed, start, is_out },
            camera,
            skip_votes,
            skip_voters,
            unit_hud,
            weapon_hud,
            timer: timer.map(|(paused, reference, ticks, flash_cutoff, place, corner)| Timer {
                paused,
                reference,
                ticks,
                flash_cutoff,
                place,
                corner,
            }),
            vitality: vitality.map(|(body, shield)| Vitality { body, shield }),
            cluster,
            allied: TeamSet(allied),
            friendly: TeamSet(friendly),
        }
    }
}

/// The same but for a camera's axes, which come within what a rounded direction can be off.
fn assert_same(once: Presentation, mut twice: Presentation) {
    if let (Some(once), Some(twice)) = (&once.camera, &mut twice.camera) {
        assert!(twice.axes.forward.distance(once.axes.forward) <= 2e-4);
        assert!(twice.axes.up.distance(once.axes.up) <= 2e-4);
        twice.axes = once.axes;
    }
    assert_eq!(twice, once);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    /// WIRE-11, 42: whatever is shown comes back.
    #[test]
    fn a_presentation_comes_back(shown in shown()) {
        let bytes = written(|to| shown.write(to));
        prop_assert_eq!(bytes.len(), 124);
        assert_same(shown, Presentation::read(&bytes).unwrap());
    }

    /// WIRE-08: whatever a few bytes of an entry become, it is read or refused; what was read is written and read again.
    #[test]
    fn a_changed_presentation_is_read(changes in prop::collection::vec((0..124_usize, any::<u8>()), 1..8)) {
        let mut bytes = written(|to| full().write(to));
        changes.iter().for_each(|(at, byte)| bytes[*at] = *byte);
        if let Ok(once) = Presentation::read(&bytes) {
            assert_same(once, Presentation::read(&written(|to| once.write(to))).unwrap());
        }
    }
}
