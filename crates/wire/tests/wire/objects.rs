//! Objects made, deleted, moved and carried.

use mjolnir_wire::objects::{CarriedWeapon, Inventory, Motion, ObjectState, VehiclePrediction};
use mjolnir_wire::space::{pack_age, unpack_age};
use mjolnir_wire::{Axes, Creation, Error, Message, ObjectChange, ObjectId, Tag, Vec3};
use proptest::prelude::*;

use super::bytes::{message, object, slot, written};
use super::units::axes;

const OBJECT: i32 = 0xE1A4_001E_u32 as i32;

fn creation() -> Creation {
    Creation {
        owner: Some(slot(3)),
        team: Some(0),
        ..Creation::plain(object(OBJECT), Tag(0xE174_0100), Vec3::new(10.5, -4.25, 1.0))
    }
}

fn entry(change: ObjectChange) -> Vec<u8> {
    written(|to| change.write(to))
}

fn with(at: usize, bytes: &[u8]) -> Vec<u8> {
    let mut entry = entry(ObjectChange::Create(creation()));
    entry[at..at + bytes.len()].copy_from_slice(bytes);
    entry
}

/// WIRE-33: a deletion is 132 bytes of which only change and object are not zero.
#[test]
fn a_deletion_is_zero_but_for_its_object() {
    let bytes = entry(ObjectChange::Delete(object(OBJECT)));
    assert_eq!(bytes.len(), 132);
    assert_eq!(bytes[..8], [1, 0, 0, 0, 0x1E, 0, 0xA4, 0xE1]);
    assert!(bytes[8..].iter().all(|byte| *byte == 0));
    assert_eq!(ObjectChange::read(&bytes), Ok(ObjectChange::Delete(object(OBJECT))));
}

/// WIRE-26, 33: each field stands at its place and moves no other.
#[test]
fn a_creation_holds_each_field_at_its_place() {
    let place = |at: usize, bytes: &[u8], change: fn(&mut Creation)| {
        let mut made = creation();
        change(&mut made);
        assert_eq!(entry(ObjectChange::Create(made)), with(at, bytes));
        assert_eq!(ObjectChange::read(&with(at, bytes)), Ok(ObjectChange::Create(made)));
    };
    place(1, &[0b001], |made| made.carried = true);
    place(1, &[0b010], |made| made.at_rest = true);
    place(1, &[0b100], |made| made.dead = true);
    place(2, &[0xFF], |made| made.owner = None);
    place(3, &[3], |made| made.shader_permutation = 3);
    place(3, &[0], |made| made.shader_permutation = 0);
    place(4, &[0xFF, 0x1F, 1, 0], |made| made.object = ObjectId::new(8191, 1).unwrap());
    place(8, &[1, 2, 3, 4], |made| made.tag = Tag(0x0403_0201));
    place(12, &[0xFF, 0xFF], |made| made.team = None);
    place(12, &[127, 0], |made| made.team = Some(127));
    place(14, &[0xFE, 0xFF], |made| made.variant = -2);
    place(16, &32768.0_f32.to_le_bytes(), |made| made.position.x = 32768.0);
    place(52, &(-1e30_f32).to_le_bytes(), |made| made.velocity.x = -1e30);
    place(72, &2.0_f32.to_le_bytes(), |made| made.angular_velocity.z = 2.0);
    place(76, &0.25_f32.to_le_bytes(), |made| made.colours[0][0] = 0.25);
    place(120, &0.5_f32.to_le_bytes(), |made| made.colours[3][2] = 0.5);
    place(131, &[0xFF], |made| made.regions[7] = 0xFF);
    // Bits without a meaning here are not looked at.
    assert_eq!(ObjectChange::read(&with(1, &[0xF8])), Ok(ObjectChange::Create(creation())));
}

/// WIRE-09, 10, 63, 64, WIRE-77 (in part: no tag's group, no flag, no region is known here): what the bytes alone can
/// say is checked, both sides.
#[test]
fn a_creation_is_checked_as_far_as_bytes_say() {
    let error = |at: usize, bytes: &[u8]| ObjectChange::read(&with(at, bytes)).unwrap_err();
    assert_eq!(error(0, &[2]), Error::BadFlag);
    assert_eq!(error(2, &[128]), Error::BadIndex);
    assert_eq!(error(4, &[0xFF; 4]), Error::BadIndex);
    assert_eq!(error(4, &[0, 0x20, 1, 0]), Error::BadIndex);
    assert_eq!(error(8, &[0xFF; 4]), Error::BadIndex);
    assert_eq!(error(12, &128_i16.to_le_bytes()), Error::BadIndex);
    assert_eq!(error(12, &(-2_i16).to_le_bytes()), Error::BadIndex);
    assert_eq!(error(24, &32769.0_f32.to_le_bytes()), Error::OutOfRange);
    assert_eq!(error(28, &1.51_f32.to_le_bytes()), Error::OutOfRange);
    for at in (16..124).step_by(4) {
        for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            assert_eq!(error(at, &value.to_le_bytes()), Error::NotFinite, "{at}");
        }
    }
    let mut deletion = entry(ObjectChange::Delete(object(OBJECT)));
    deletion[6..8].fill(0);
    assert_eq!(ObjectChange::read(&deletion), Err(Error::BadIndex));
    assert_eq!(ObjectChange::read(&deletion[..131]), Err(Error::Truncated));
}

/// WIRE-60: a bad change between two good ones is refused alone.
#[test]
fn a_bad_change_is_refused_alone() {
    let good = entry(ObjectChange::Create(creation()));
    let bytes = message(5, 3, &[&good[..], &with(0, &[2]), &good].concat());
    let read: Vec<_> =
        ObjectChange::read_all(&Message::read(&bytes).unwrap()).map(|read| read.is_ok()).collect();
    assert_eq!(read, [true, false, true]);
}

fn moving() -> ObjectState {
    ObjectState {
        object: object(OBJECT),
        motion: Motion {
            position: Vec3::new(3.0, 4.0, 5.5),
            axes: Axes::UPRIGHT,
            velocity: Vec3::new(0.5, 0.0, 0.0),
            angular_velocity: Vec3::new(0.0, 0.0, -1.0),
        },
        carried: false,
        at_rest: false,
        dead: false,
        predicted: None,
        light: None,
    }
}

/// WIRE-26, 32: each bit alone, the entry as long with and without a time; a light bit alone says nothing.
#[test]
fn an_object_state_holds_each_bit_alone() {
    let bytes = |state: ObjectState| written(|to| state.write(to));
    for (flags, state) in [
        (0, moving()),
        (1 << 0, ObjectState { carried: true, ..moving() }),
        (1 << 1, ObjectState { at_rest: true, ..moving() }),
        (1 << 2, ObjectState { dead: true, ..moving() }),
        (1 << 3, ObjectState { predicted: Some(9029), ..moving() }),
        (1 << 4, ObjectState { light: Some(false), ..moving() }),
        (1 << 4 | 1 << 5, ObjectState { light: Some(true), ..moving() }),
    ] {
        let entry = bytes(state);
        assert_eq!((entry.len(), entry[4]), (44, flags));
        assert_eq!(entry[6..8], state.predicted.unwrap_or(0).to_le_bytes());
        assert_eq!(ObjectState::read(&entry), Ok(state));
    }
    let mut entry = bytes(moving());
    entry[4] = 1 << 5;
    entry[6] = 99;
    assert_eq!(ObjectState::read(&entry), Ok(moving()));
    entry[0..4].fill(0xFF);
    assert_eq!(ObjectState::read(&entry), Err(Error::BadIndex));
}

/// WIRE-09, 32, 63: a vehicle's flags are sent zero and not looked at; its numbers are checked.
#[test]
fn a_vehicle_prediction_has_a_time_and_no_flags() {
    let said = VehiclePrediction { object: object(OBJECT), time: 9029, motion: moving().motion };
    let mut entry = written(|to| said.write(to));
    assert_eq!(entry[4..8], [0, 0, 0x45, 0x23]);
    entry[4] = 0xFF;
    assert_eq!(VehiclePrediction::read(&entry), Ok(said));
    for at in [8, 12, 16] {
        let mut bad = entry.clone();
        bad[at..at + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(VehiclePrediction::read(&bad), Err(Error::NotFinite));
    }
    entry[20..26].fill(0);
    assert_eq!(VehiclePrediction::read(&entry), Err(Error::OutOfRange));
}

prop_compose! {
    pub(crate) fn change()(
        delete in prop::bool::weighted(0.1),
        object in (0_u16..8192, 1_u16..),
        tag in 0..u32::MAX,
        owner in prop::option::of(0_u8..128),
        team in prop::option::of(0_u8..128),
        (variant, shader_permutation, regions) in any::<(i16, u8, [u8; 8])>(),
        [carried, at_rest, dead] in any::<[bool; 3]>(),
        position in prop::array::uniform3(-32768.0_f32..=32768.0),
        axes in axes(),
        [velocity, angular_velocity] in any::<[[f32; 3]; 2]>(),
        colours in any::<[[f32; 3]; 4]>(),
    ) -> ObjectChange {
        let object = ObjectId::new(object.0, object.1).unwrap();
        let finite = |value: f32| if value.is_finite() { value } else { 0.0 };
        let vector = |parts: [f32; 3]| Vec3::from_array(parts.map(finite));
        if delete {
            return ObjectChange::Delete(object);
        }
        ObjectChange::Create(Creation {
            object,
            tag: Tag(tag),
            owner: owner.map(slot),
            team,
            variant,
            shader_permutation,
            carried,
            at_rest,
            dead,
            position: Vec3::from_array(position),
            axes,
            velocity: vector(velocity),
            angular_velocity: vector(angular_velocity),
            colours: colours.map(|colour| colour.map(finite)),
            regions,
        })
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]

    /// WIRE-11: a change comes back to the bit.
    #[test]
    fn a_change_comes_back_to_the_bit(change in change()) {
        let bytes = entry(change);
        prop_assert_eq!(bytes.len(), 132);
        prop_assert_eq!(ObjectChange::read(&bytes), Ok(change));
    }
}

fn inventory() -> Inventory {
    let weapon =
        |number: i32, total, loaded, age| CarriedWeapon { object: object(number), total, loaded, age };
    Inventory {
        grenades: [2, 16],
        in_hand: Some(1),
        weapons: [
            Some(weapon(OBJECT + 1, [120, 7], [60, -1], 0x4000)),
            None,
            Some(weapon(OBJECT + 2, [1, 2], [3, 4], 0xFFFF)),
            None,
        ],
        ..Inventory::empty(object(OBJECT))
    }
}

/// WIRE-31: an inventory is 64 bytes, each field at its place; a slot without a weapon is none and zeros.
#[test]
fn an_inventory_has_its_fields_in_place() {
    let bytes = written(|to| inventory().write(to));
    let mut expected = OBJECT.to_le_bytes().to_vec();
    expected.extend([2, 16, 1, 0]);
    for weapon in [OBJECT + 1, -1, OBJECT + 2, -1] {
        expected.extend(weapon.to_le_bytes());
    }
    for count in [120_i16, 7, 0, 0, 1, 2, 0, 0, 60, -1, 0, 0, 3, 4, 0, 0] {
        expected.extend(count.to_le_bytes());
    }
    for age in [0x4000_u16, 0, 0xFFFF, 0] {
        expected.extend(age.to_le_bytes());
    }
    assert_eq!(bytes, expected);
    assert_eq!(Inventory::read(&bytes), Ok(inventory()));
}

/// WIRE-31, 76: both sides of each bound: sixteen grenades of a kind, a slot of four in hand or none, objects that are one or
/// none; what stands beside a slot without a weapon is not read.
#[test]
fn an_inventory_out_of_range_is_refused() {
    let read = |at: usize, with: &[u8]| {
        let mut bytes = written(|to| inventory().write(to));
        bytes[at..at + with.len()].copy_from_slice(with);
        Inventory::read(&bytes)
    };
    for at in [4, 5] {
        assert!(read(at, &[0]).is_ok() && read(at, &[16]).is_ok());
        assert_eq!([17, 127, 128, 255].map(|count| read(at, &[count])), [Err(Error::OutOfRange); 4]);
    }
    assert_eq!(read(6, &[0]).map(|said| said.in_hand), Ok(Some(0)));
    assert_eq!(read(6, &[3]).map(|said| said.in_hand), Ok(Some(3)));
    assert_eq!(read(6, &[0xFF]).map(|said| said.in_hand), Ok(None));
    assert_eq!([4, 127, 0xFE].map(|slot| read(6, &[slot])), [Err(Error::BadIndex); 3]);
    for at in [0, 8, 12, 16, 20] {
        assert_eq!(read(at, &5_i32.to_le_bytes()), Err(Error::BadIndex), "an identifier is never 0");
        assert_eq!(read(at, &0x0001_2000_i32.to_le_bytes()), Err(Error::BadIndex), "past the last index");
    }
    assert_eq!(read(0, &[0xFF; 4]), Err(Error::BadIndex), "it is some unit's");
    for slot in 0..4 {
        let none = read(8 + 4 * slot, &[0xFF; 4]).map(|said| said.weapons[slot]);
        assert_eq!(none, Ok(None), "a slot may be empty");
    }
    assert_eq!(read(28, &[9; 4]), Ok(inventory()));
    assert_eq!(Inventory::read(&[0; 63]), Err(Error::Truncated));
}

/// OBJ-18: a weapon's wear travels within a 65535th.
#[test]
fn a_weapons_wear_travels() {
    for age in [0.0, 0.25, 0.333, 1.0] {
        let mut said = inventory();
        said.weapons[0] = said.weapons[0].map(|weapon| CarriedWeapon { age: pack_age(age), ..weapon });
        let read = Inventory::read(&written(|to| said.write(to))).unwrap();
        let worn = unpack_age(read.weapons[0].unwrap().age);
        assert!((worn - age).abs() <= 1.0 / 65535.0, "{age} came as {worn}");
    }
}

/// WIRE-31: what cannot travel is written as the nearest that can.
#[test]
fn an_inventory_is_written_within_its_range() {
    let said = Inventory { grenades: [17, 255], in_hand: Some(4), ..inventory() };
    let read = Inventory::read(&written(|to| said.write(to)));
    assert_eq!(read, Ok(Inventory { grenades: [16; 2], in_hand: None, ..inventory() }));
}

proptest! {
    /// WIRE-11: what was read of any bytes is written and read the same.
    #[test]
    fn an_inventory_comes_back(mut bytes in prop::collection::vec(any::<u8>(), 64), nones in 0..16_u8) {
        bytes[4..7].iter_mut().for_each(|byte| *byte %= 4);
        for slot in (0..4).filter(|slot| nones >> slot & 1 != 0) {
            bytes[8 + 4 * slot..][..4].copy_from_slice(&[0xFF; 4]);
        }
        for at in [1, 9, 13, 17, 21] {
            bytes[at] %= 32;
        }
        if let Ok(said) = Inventory::read(&bytes) {
            prop_assert_eq!(Inventory::read(&written(|to| said.write(to))), Ok(said));
        }
    }
}
