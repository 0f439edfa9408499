//! Unit states: each part alone, both ends of what is checked, and random ones.

use mjolnir_wire::units::{
    Death, Life, LivingUnit, Placement, Ride, ShieldFlags, ShownDamage, UNIT_STATE_MOST, UnitState,
};
use mjolnir_wire::{Axes, Error, Message, ObjectId, Vec3};
use proptest::prelude::*;

use super::bytes::{message, object, slot, written};

const UNIT: i32 = 0xE1A4_001E_u32 as i32;
const VEHICLE: i32 = 0xE1A9_002C_u32 as i32;

fn standing() -> LivingUnit {
    let placement = Placement {
        position: Vec3::new(10.5, -4.25, 1.0),
        velocity: Vec3::new(0.0625, 0.0, -0.03125),
        axes: Axes::UPRIGHT,
    };
    LivingUnit::whole(object(UNIT), placement)
}

fn riding() -> LivingUnit {
    LivingUnit { ride: Some(Ride { vehicle: Some(object(VEHICLE)), seat: 0 }), placement: None, ..standing() }
}

fn alive(unit: LivingUnit) -> UnitState {
    UnitState { slot: slot(3), shield: ShieldFlags::default(), life: Life::Alive(unit) }
}

fn dead(death: Death) -> UnitState {
    UnitState { slot: slot(3), shield: ShieldFlags::default(), life: Life::Dead(death) }
}

fn bytes(state: &UnitState) -> Vec<u8> {
    written(|to| state.write(to))
}

fn read(entry: &[u8]) -> Result<UnitState, Error> {
    let bytes = message(2, 1, entry);
    let mut all = UnitState::read_all(&Message::read(&bytes)?);
    all.next().unwrap()
}

/// WIRE-18, 19, 23, 24: the five lengths that the format names.
#[test]
fn a_unit_takes_as_many_bytes_as_the_format_says() {
    let placed = bytes(&alive(standing()));
    assert_eq!(placed.len(), 35);
    assert_eq!(bytes(&alive(LivingUnit { predicted: Some(9), ..standing() })).len(), 37);
    assert_eq!(bytes(&alive(riding())).len(), 17);
    assert_eq!(bytes(&dead(Death::default())).len(), 3);
    assert_eq!(bytes(&dead(Death { killer: Some(slot(2)), ..Death::default() })).len(), 4);
    // On foot is the rider's length without vehicle and seat, with position, velocity and forward.
    let Life::Alive(unit) = read(&bytes(&alive(riding()))).unwrap().life else { unreachable!() };
    assert_eq!(unit.placement, None);
    let Life::Alive(unit) = read(&placed).unwrap().life else { unreachable!() };
    assert_eq!(unit.ride, None);
}

/// WIRE-20: an up that travels as exactly straight up does not travel.
#[test]
fn an_up_that_is_straight_is_left_out() {
    let up = |x: f32, z: f32| {
        let axes = Axes { forward: Vec3::new(0.0, 1.0, 0.0), up: Vec3::new(x, 0.0, z) };
        let placement = Placement { axes, ..standing().placement.unwrap() };
        bytes(&alive(LivingUnit { placement: Some(placement), ..standing() }))
    };
    assert_eq!(up(0.0, 1.0).len(), 35);
    assert_eq!(up(0.00001, 1.0).len(), 35);
    assert_eq!(up(0.1, 0.995).len(), 41);
    let Life::Alive(unit) = read(&up(0.00001, 1.0)).unwrap().life else { unreachable!() };
    assert_eq!(unit.placement.unwrap().axes.up, Vec3::UP);
}

/// WIRE-21: shown damage travels whole or not at all.
#[test]
fn shown_damage_is_left_out_when_there_is_none() {
    for at in 0..4 {
        let mut parts = [0.0; 4];
        parts[at] = 0.3;
        let [current_body, recent_body, current_shield, recent_shield] = parts;
        let shown = ShownDamage { current_body, recent_body, current_shield, recent_shield };
        let entry = bytes(&alive(LivingUnit { shown, ..standing() }));
        assert_eq!(entry.len(), 35 + 8);
        let Life::Alive(unit) = read(&entry).unwrap().life else { unreachable!() };
        let ShownDamage { current_body, recent_body, current_shield, recent_shield } = unit.shown;
        for (had, sent) in [current_body, recent_body, current_shield, recent_shield].into_iter().zip(parts) {
            assert!((had - sent).abs() <= 0.5 / 16384.0);
        }
    }
}

/// WIRE-22: powerups and camouflage, each alone.
#[test]
fn powerups_and_camouflage_travel_alone() {
    let powered = LivingUnit { powerups: [300, 0], ..standing() };
    assert_eq!(bytes(&alive(powered)).len(), 35 + 4);
    let hidden = LivingUnit { unit_flags: 1, camouflage: 0.5, ..standing() };
    assert_eq!(bytes(&alive(hidden)).len(), 35 + 2);
    let both = bytes(&alive(LivingUnit { powerups: [300, 0], camouflage: 0.5, ..standing() }));
    assert_eq!(both[35..], [44, 1, 0, 0, 0, 128]);
    let Life::Alive(unit) = read(&both).unwrap().life else { unreachable!() };
    assert_eq!((unit.powerups, unit.camouflage), ([300, 0], 128.0 / 255.0));
}

/// WIRE-25: each field at another value comes back so, and no other field moves.
#[test]
fn each_field_travels_by_itself() {
    let place = standing().placement.unwrap();
    let placed = |placement| LivingUnit { placement: Some(placement), ..standing() };
    let shown = |current_body, recent_shield| LivingUnit {
        shown: ShownDamage { current_body, recent_shield, ..ShownDamage::default() },
        ..standing()
    };
    let by = Death::default();
    let mut states: Vec<_> = [
        standing(),
        riding(),
        LivingUnit { ride: Some(Ride { vehicle: None, seat: -1 }), ..standing() },
        LivingUnit { unit: ObjectId::new(8191, 0xFFFF).unwrap(), ..standing() },
        LivingUnit { predicted: Some(0xFFFF), ..standing() },
        LivingUnit { body: 0.5, ..standing() },
        LivingUnit { shield: 3.0, ..standing() },
        LivingUnit { powerups: [0, -1], ..standing() },
        LivingUnit { unit_flags: 0xFE, ..standing() },
        LivingUnit { camouflage: 1.0, ..standing() },
        shown(1.0, 0.0),
        shown(0.0, 1.0),
        placed(Placement { position: Vec3::new(32768.0, -32768.0, -0.0), ..place }),
        placed(Placement { velocity: Vec3::new(-32.0, 1.0, 0.0), ..place }),
        placed(Placement { axes: Axes { forward: Vec3::new(0.0, -1.0, 0.0), ..place.axes }, ..place }),
        placed(Placement { axes: Axes { up: Vec3::new(0.0, -1.0, 0.0), ..place.axes }, ..place }),
    ]
    .map(alive)
    .into();
    states.extend(
        [
            by,
            Death { killer: Some(slot(127)), ..by },
            Death { by_friend: true, ..by },
            Death { by_vehicle: true, ..by },
        ]
        .map(dead),
    );
    for bit in 0..3 {
        let shield = ShieldFlags { depleted: bit == 0, charging: bit == 1, over_charging: bit == 2 };
        states.push(UnitState { shield, ..states[0] });
        states.push(UnitState { shield, ..dead(by) });
    }
    states.push(UnitState { slot: slot(127), ..states[0] });
    for state in states {
        assert_eq!(read(&bytes(&state)), Ok(state));
    }
}

/// WIRE-69: each flag and part stands at its bit, its bytes in the table's order; parts 6 and 7 add nothing.
#[test]
fn flags_and_parts_stand_at_their_bits() {
    let flags = |state: &UnitState| bytes(state)[1];
    assert_eq!(flags(&alive(standing())), 0b0000_0011);
    assert_eq!(flags(&alive(riding())), 0b0000_0001);
    assert_eq!(flags(&dead(Death { by_friend: true, ..Death::default() })), 0b0000_0100);
    assert_eq!(flags(&dead(Death { by_vehicle: true, ..Death::default() })), 0b0000_1000);
    for (bit, shield) in [
        (4, ShieldFlags { depleted: true, ..ShieldFlags::default() }),
        (5, ShieldFlags { charging: true, ..ShieldFlags::default() }),
        (6, ShieldFlags { over_charging: true, ..ShieldFlags::default() }),
    ] {
        assert_eq!(flags(&UnitState { shield, ..dead(Death::default()) }), 1 << bit);
    }
    let all = LivingUnit {
        ride: riding().ride,
        placement: Some(Placement {
            axes: Axes { forward: Vec3::new(1.0, 0.0, 0.0), up: Vec3::new(0.0, 1.0, 0.0) },
            ..standing().placement.unwrap()
        }),
        predicted: Some(0x2345),
        shown: ShownDamage { current_body: 1.0, recent_body: 2.0, current_shield: 3.0, recent_shield: 0.5 },
        powerups: [1, 2],
        unit_flags: 3,
        camouflage: 1.0,
        ..standing()
    };
    let entry = bytes(&alive(all));
    let expected = [
        &[3, 0b1000_0011, 0b0001_1111][..],
        &UNIT.to_le_bytes(),
        &VEHICLE.to_le_bytes(),
        &[0, 0],
        &[0, 0, 0x28, 0x41, 0, 0, 0x88, 0xC0, 0, 0, 0x80, 0x3F],
        &[64, 0, 0, 0, 0xE0, 0xFF],
        &[0xFF, 0x7F, 0, 0, 0, 0],
        &[0, 0, 0xFF, 0x7F, 0, 0],
        &[0x45, 0x23],
        &[0, 0x40, 0, 0x40],
        &[0, 0x40, 0, 0x80, 0, 0xC0, 0, 0x20],
        &[1, 0, 2, 0],
        &[3, 255],
    ]
    .concat();
    assert_eq!(entry, expected);
    assert!(entry.len() <= UNIT_STATE_MOST);
    let mut more = entry.clone();
    more[2] |= 0b1100_0000;
    assert_eq!(read(&more), read(&entry));
    assert_eq!(bytes(&dead(Death { killer: Some(slot(2)), ..Death::default() })), [3, 0, 0b0010_0000, 2]);
}

/// WIRE-09, 60, 70: a bad entry is refused alone; one that is cut short takes the rest with it.
#[test]
fn a_bad_entry_is_refused_alone_and_a_cut_one_with_the_rest() {
    let good = bytes(&alive(standing()));
    let all = |entries: &[&[u8]]| -> Vec<Result<UnitState, Error>> {
        let bytes = message(2, entries.len() as u8, &entries.concat());
        UnitState::read_all(&Message::read(&bytes).unwrap()).collect()
    };
    let with = |at: usize, bytes: &[u8]| {
        let mut entry = good.clone();
        entry[at..at + bytes.len()].copy_from_slice(bytes);
        entry
    };
    let ok = Ok(alive(standing()));
    for (bad, error) in [
        (with(0, &[128]), Error::BadIndex),
        (with(3, &[0xFF; 4]), Error::BadIndex),
        (with(3, &[5, 0, 0, 0]), Error::BadIndex),
        (with(3, &[0, 0x20, 1, 0]), Error::BadIndex),
        (with(7, &f32::NAN.to_le_bytes()), Error::NotFinite),
        (with(11, &f32::INFINITY.to_le_bytes()), Error::NotFinite),
        (with(15, &32769.0_f32.to_le_bytes()), Error::OutOfRange),
        (with(25, &[0; 6]), Error::OutOfRange),
        (vec![3, 0, 0b10_0000, 128], Error::BadIndex),
    ] {
        assert_eq!(all(&[&good, &bad, &good]), [ok, Err(error), ok], "{bad:?}");
    }
    assert_eq!(all(&[&good, &good[..20], &[]]), [ok, Err(Error::Truncated)]);
    assert_eq!(all(&[&good, &good[..34]]), [ok, Err(Error::Truncated)]);
}

/// A modified host's infinity is refused by an honest client too.
#[test]
fn an_infinite_place_is_refused_whoever_sends_it() {
    let mut entry = bytes(&alive(standing()));
    for part in [f32::INFINITY, f32::NEG_INFINITY, f32::NAN, 1e38] {
        entry[7..11].copy_from_slice(&part.to_le_bytes());
        for kind in [1, 2] {
            let bytes = message(kind, 1, &entry);
            let mut states = UnitState::read_all(&Message::read(&bytes).unwrap());
            assert!(states.next().unwrap().is_err());
        }
    }
}

fn direction() -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-1.0_f32..1.0)
        .prop_map(Vec3::from_array)
        .prop_filter("too short for a direction", |vector| vector.length() > 0.1)
        .prop_map(|vector| vector * (1.0 / vector.length()))
}

pub(crate) fn axes() -> impl Strategy<Value = Axes> {
    (direction(), direction(), any::<bool>()).prop_filter_map(
        "along each other",
        |(forward, other, upright)| {
            let other = if upright { Vec3::UP } else { other };
            let up = other - forward * forward.dot(other);
            (up.length() > 0.1).then(|| Axes::read(forward, up * (1.0 / up.length())).unwrap())
        },
    )
}

prop_compose! {
    fn placement()(
        position in prop::array::uniform3(-32768.0_f32..=32768.0),
        velocity in prop::array::uniform3(-32.0_f32..32.0),
        axes in axes(),
    ) -> Placement {
        Placement { position: Vec3::from_array(position), velocity: Vec3::from_array(velocity), axes }
    }
}

fn shown() -> impl Strategy<Value = ShownDamage> {
    let some = prop::array::uniform4(0.0_f32..4.0);
    prop_oneof![Just([0.0; 4]), some].prop_map(
        |[current_body, recent_body, current_shield, recent_shield]| ShownDamage {
            current_body,
            recent_body,
            current_shield,
            recent_shield,
        },
    )
}

prop_compose! {
    fn living()(
        unit in (0_u16..8192, 1_u16..),
        ride in prop::option::of((prop::option::of((0_u16..8192, 1_u16..)), any::<i16>())),
        placement in prop::option::of(placement()),
        predicted in prop::option::of(any::<u16>()),
        vitality in prop::array::uniform2(0.0_f32..4.0),
        shown in shown(),
        powerups in prop_oneof![Just([0; 2]), any::<[i16; 2]>()],
        camouflage in prop_oneof![Just((0, 0.0)), (any::<u8>(), 0.0_f32..=1.0)],
    ) -> LivingUnit {
        let object = |(index, identifier)| ObjectId::new(index, identifier).unwrap();
        LivingUnit {
            unit: object(unit),
            ride: ride.map(|(vehicle, seat)| Ride { vehicle: vehicle.map(object), seat }),
            placement,
            predicted,
            body: vitality[0],
            shield: vitality[1],
            shown,
            powerups,
            unit_flags: camouflage.0,
            camouflage: camouflage.1,
        }
    }
}

prop_compose! {
    pub(crate) fn state()(
        index in 0_u8..128,
        [depleted, charging, over_charging, by_friend, by_vehicle] in any::<[bool; 5]>(),
        unit in prop::option::weighted(0.9, living()),
        killer in prop::option::of(0_u8..128),
    ) -> UnitState {
        UnitState {
            slot: slot(index),
            shield: ShieldFlags { depleted, charging, over_charging },
            life: match unit {
                Some(unit) => Life::Alive(unit),
                None => Life::Dead(Death { killer: killer.map(slot), by_friend, by_vehicle }),
            },
        }
    }
}

/// The same state, its directions taken from another. They are made straight when they are read, which moves
/// them by a unit of what travels.
fn with_axes_of(state: UnitState, of: &UnitState) -> UnitState {
    match (state.life, of.life) {
        (
            Life::Alive(LivingUnit { placement: Some(placement), .. }),
            Life::Alive(LivingUnit { placement: Some(other), .. }),
        ) => {
            let Life::Alive(unit) = state.life else { unreachable!() };
            for (had, sent) in
                [(placement.axes.forward, other.axes.forward), (placement.axes.up, other.axes.up)]
            {
                assert!((had - sent).length() <= 4.0 / 32767.0, "{had:?} {sent:?}");
            }
            let placement = Placement { axes: other.axes, ..placement };
            UnitState { life: Life::Alive(LivingUnit { placement: Some(placement), ..unit }), ..state }
        }
        _ => state,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    /// WIRE-11, 24: what is read is what was sent, as coarse as it travels; what was read is written as it came,
    /// directions within the units that straightening moves them.
    #[test]
    fn what_was_written_is_read_and_written_again(state in state()) {
        let entry = bytes(&state);
        prop_assert!(entry.len() <= UNIT_STATE_MOST);
        let once = read(&entry).unwrap();
        prop_assert_eq!(bytes(&with_axes_of(once, &state)), entry);
        let twice = read(&bytes(&once)).unwrap();
        prop_assert_eq!(with_axes_of(twice, &once), once);
    }
}
