//! Targets of the files of `wire` below its messages: frames, names, times, places, addresses. Knows no message.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};

use mjolnir_wire::address::{canonical, household};
use mjolnir_wire::framing::{StreamReader, read_datagram};
use mjolnir_wire::limits::{MAX_OBJECTS, MAX_PLAYERS, MESSAGE_BYTES};
use mjolnir_wire::message::{read_word, word};
use mjolnir_wire::names::{clean, find, is_called, is_same, own};
use mjolnir_wire::packets::player::Name;
use mjolnir_wire::space::{
    Axes, PackedAngular, PackedUnit, PackedVelocity, Vec3, pack_age, pack_angle, pack_field_of_view,
    pack_share, pack_speed, pack_throttle, pack_vitality, unpack_age, unpack_field_of_view, unpack_pitch,
    unpack_share, unpack_speed, unpack_throttle, unpack_vitality, unpack_yaw,
};
use mjolnir_wire::{Machine, ObjectId, Slot, Tag, Tick};

/// The first bytes, zeros where they end.
fn front<const N: usize>(bytes: &[u8]) -> [u8; N] {
    std::array::from_fn(|at| bytes.get(at).copied().unwrap_or_default())
}

fn floats<const N: usize>(bytes: &[u8]) -> [f32; N] {
    std::array::from_fn(|at| f32::from_le_bytes(front(bytes.get(at * 4..).unwrap_or_default())))
}

/// A stream and a datagram: the first byte says how long the reads are into which the stream is cut.
pub(super) fn framing(bytes: &[u8]) {
    let (cut, bytes) = bytes.split_first().map_or((1, bytes), |(cut, rest)| (usize::from(*cut) + 1, rest));
    let all = |reads: &mut dyn Iterator<Item = &[u8]>| {
        let mut reader = StreamReader::new();
        let mut messages = Vec::new();
        let mut length = 0;
        for read in reads {
            reader.push(read);
            loop {
                match reader.next_message() {
                    Ok(Some((of, message))) => {
                        assert!((2..=MESSAGE_BYTES).contains(&message.len()));
                        assert_eq!(word(of, message.len()).as_ref().map(|word| &word[..]), Ok(&message[..2]));
                        length += message.len();
                        messages.push((of, message.to_vec()));
                    }
                    Ok(None) => break,
                    Err(error) => return (messages, length, Some(error)),
                }
            }
        }
        (messages, length, None)
    };
    let whole = all(&mut std::iter::once(bytes));
    assert!(whole.1 <= bytes.len());
    assert_eq!(all(&mut bytes.chunks(cut)), whole, "cut into reads of {cut}");
    if let Ok((of, datagram)) = read_datagram(bytes) {
        assert_eq!(read_word(front(bytes)), Ok((of, bytes.len())));
        assert_eq!(datagram, bytes);
    }
}

/// An address of sixteen bytes and its port, and another host of the same network.
pub(super) fn address(bytes: &[u8]) {
    let [high, low] =
        [bytes, bytes.get(8..).unwrap_or_default()].map(|bytes| u64::from_be_bytes(front(bytes)));
    let [a, b, c, d, other @ ..] = front::<12>(bytes.get(16..).unwrap_or_default());
    let port = u16::from_be_bytes([a, b]);
    let six = |low: u64| Ipv6Addr::from_bits(u128::from(high) << 64 | u128::from(low));
    for ip in [IpAddr::from(six(low)), Ipv4Addr::from([a, b, c, d]).into()] {
        let address = SocketAddr::new(ip, port);
        let once = canonical(address);
        assert_eq!((canonical(once), once.port()), (once, port));
        let home = household(ip);
        assert_eq!((household(home), household(once.ip())), (home, home), "{ip}");
        let is_whole = once.is_ipv4() || once.ip().is_loopback();
        assert_eq!(home == once.ip(), is_whole || once.ip() == IpAddr::from(six(0)), "{ip}");
    }
    let (one, two) = (six(low), six(u64::from_be_bytes(other)));
    let is_plain = |ip: Ipv6Addr| ip.to_ipv4_mapped().is_none() && !ip.is_loopback();
    if is_plain(one) && is_plain(two) {
        assert_eq!(household(one.into()), household(two.into()), "one network");
        let elsewhere = Ipv6Addr::from_bits(one.to_bits() ^ 1 << 64);
        assert_ne!(household(one.into()), household(elsewhere.into()), "two networks");
    }
}

/// Slots, machines, objects and tags.
pub(super) fn ids(bytes: &[u8]) {
    let [byte, rest @ ..] = front::<5>(bytes);
    let raw = i32::from_le_bytes(rest);
    let slot = Slot::read(byte);
    assert_eq!(slot.is_ok(), usize::from(byte) < MAX_PLAYERS);
    assert!(slot.is_ok_and(|slot| slot.get() == byte) || slot.is_err());
    assert_eq!(Machine::new(byte).map(Machine::get), (byte < 128).then_some(byte));
    if let Ok(slot) = Slot::read_or_none(byte) {
        assert_eq!(Slot::byte_or_none(slot), byte);
    }
    if let Ok(id) = ObjectId::read_or_none(raw) {
        assert_eq!(ObjectId::raw_or_none(id), raw);
        assert_eq!(ObjectId::read(raw).ok(), id);
        assert!(id.is_none_or(|id| id.index() < MAX_OBJECTS && id.identifier() != 0));
        assert!(id.is_none_or(|id| ObjectId::new(id.index() as u16, id.identifier()) == Some(id)));
    }
    assert_eq!(Tag::read(raw).ok(), Tag::read_or_none(raw));
    assert_eq!(Tag::read_or_none(raw).map_or(-1, Tag::raw), raw);
}

/// Stamps, and both rules by which 16 bits widen.
pub(super) fn time(bytes: &[u8]) {
    let [a, b, c, d, low @ ..] = front::<6>(bytes);
    let raw = i32::from_le_bytes([a, b, c, d]);
    let low = u16::from_le_bytes(low);
    let Ok(now) = Tick::read(raw) else {
        assert!(raw < 0);
        return;
    };
    assert_eq!(now.get(), raw);
    if let Some(wide) = Tick::widen_not_after(now, low) {
        assert!(wide.low16() == low && (0..65_536).contains(&now.since(wide)));
    }
    if let Some(wide) = Tick::widen_nearest(now, low) {
        assert!(wide.low16() == low && (-32_768..32_768).contains(&wide.since(now)));
    }
    assert!(now.next() >= now && now.plus(u32::from(low)) >= now && now.minus(u32::from(low)) <= now);
}

/// Names of twelve units each: each is given its own, which is its own and found by what it is called.
pub(super) fn names(bytes: &[u8]) {
    let mut given: Vec<Name> = Vec::new();
    for bytes in bytes.chunks(24).take(MAX_PLAYERS) {
        let units: Vec<u16> = bytes.chunks_exact(2).map(|pair| u16::from_le_bytes(front(pair))).collect();
        let asked = Name::cut(&String::from_utf16_lossy(&units));
        let name = own(&asked, given.iter());
        assert!(!name.units().is_empty() && clean(&name) == name, "{asked:?} is given {name:?}");
        assert!(!given.iter().any(|other| is_same(other, &name)), "{name:?} is another's among {given:?}");
        let _ = find(&asked.to_string(), given.iter().map(|name| (name, *name)));
        given.push(name);
    }
    for (at, name) in given.iter().enumerate() {
        let typed = name.to_string().to_ascii_uppercase();
        assert!(is_called(name, &typed));
        assert_eq!(find(&typed, given.iter().copied().enumerate()), Ok(at), "{typed:?} among {given:?}");
    }
}

/// Places, directions and amounts.
pub(super) fn space(bytes: &[u8]) {
    let [x, y, z, u, v, w] = floats::<6>(bytes);
    let (one, two) = (Vec3::new(x, y, z), Vec3::new(u, v, w));
    if let Ok(place) = Vec3::read_position([x, y, z]) {
        assert!(place.is_finite() && place.to_array().iter().all(|part| part.abs() <= 32768.0));
    }
    assert_eq!(Vec3::read_finite([x, y, z]).is_ok(), one.is_finite());
    if let Ok(axes) = Axes::read(one, two) {
        assert!((axes.forward.length() - 1.0).abs() <= 1e-5 && (axes.up.length() - 1.0).abs() <= 1e-5);
        assert!(axes.forward.dot(axes.up).abs() <= 1e-5);
        assert_eq!(Axes::read(axes.forward, axes.up), Ok(axes), "what came out comes out again");
    }
    // Whatever the number, what travels of it means what it says.
    assert_eq!(PackedUnit::pack(PackedUnit::pack(one).unpack()), PackedUnit::pack(one));
    assert_eq!(PackedVelocity::pack(PackedVelocity::pack(one).unpack()), PackedVelocity::pack(one));
    assert_eq!(PackedAngular::pack(PackedAngular::pack(one).unpack()), PackedAngular::pack(one));
    for packed in [pack_vitality(x), u16::from_le_bytes(front(bytes))] {
        assert_eq!(pack_vitality(unpack_vitality(packed)), packed);
        assert_eq!(pack_age(unpack_age(packed)), packed);
        assert_eq!(pack_speed(unpack_speed(packed)), packed);
        assert_eq!(pack_field_of_view(unpack_field_of_view(packed)), packed.max(1));
        assert_eq!(pack_angle(unpack_yaw(packed)), packed);
        assert_eq!(pack_angle(unpack_pitch(packed)), packed);
    }
    let [byte] = front(bytes);
    assert_eq!(pack_share(unpack_share(byte)), byte);
    assert_eq!(pack_throttle(unpack_throttle(byte as i8)), (byte as i8).max(-127));
    let _ =
        (pack_age(x), pack_angle(y), pack_field_of_view(z), pack_share(u), pack_throttle(v), pack_speed(w));
}
