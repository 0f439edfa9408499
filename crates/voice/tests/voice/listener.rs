//! What is heard: in which turn, concealed how, by which decoder, how loud and from where.

use mjolnir_voice::{
    Error, FRAME_SAMPLES, Heard, LEAST_GAIN, Level, Listener, MOST_DECODERS, Placed, mix, place,
};
use mjolnir_wire::Vec3;
use mjolnir_wire::voice::Route;

use super::scene::{Around, Call, Noted, heard, machine, millis, packet, slot};

/// One speaker at one decoder.
struct One {
    listener: Listener<Noted>,
    noted: Noted,
}

impl One {
    fn new() -> Self {
        let noted = Noted::default();
        Self { listener: Listener::new([noted.clone()]), noted }
    }

    /// A frame whose packet is its number's low byte comes.
    fn comes(&mut self, sequence: u16) -> Result<(), Error> {
        self.listener.hear(millis(0), &heard(1, sequence, &[sequence as u8]))
    }

    /// What the decoder is asked in the next turn.
    fn turn(&mut self) -> Vec<Call> {
        self.listener.play(15.0, &Around::default(), |_| {});
        self.noted.take()
    }

    /// The same with a frame before it.
    fn with(&mut self, sequence: u16) -> Vec<Call> {
        self.comes(sequence).unwrap();
        self.turn()
    }

    /// Three frames up to that one, and their first turn.
    fn begun(&mut self, last: u16) {
        for before in [2, 1, 0] {
            self.comes(last.wrapping_sub(before)).unwrap();
        }
        assert_eq!(self.turn(), [Call::Reset, decode(last.wrapping_sub(2))]);
    }
}

fn decode(sequence: u16) -> Call {
    Call::Decode(vec![sequence as u8])
}

fn recover(following: u16) -> Call {
    Call::Recover(vec![following as u8])
}

/// VOICE-26: two frames are silence, the third starts; one that was played or waits already is dropped; in order across the
/// wrap.
#[test]
fn sound_starts_at_three_frames() {
    let mut one = One::new();
    assert_eq!(one.with(1), []);
    assert_eq!(one.with(2), []);
    assert_eq!(one.with(3), [Call::Reset, decode(1)]);
    assert_eq!(one.comes(1), Err(Error::Repeated));
    assert_eq!(one.comes(2), Err(Error::Repeated));
    assert_eq!([one.turn(), one.turn()], [[decode(2)], [decode(3)]]);
    assert_eq!(one.comes(2), Err(Error::Repeated));
    assert_eq!(one.comes(0), Err(Error::Late));
    let refusals = one.listener.refusals();
    assert_eq!([Error::Late, Error::Repeated].map(|error| refusals.of(error)), [1, 3]);

    let mut one = One::new();
    one.begun(65_535);
    assert_eq!([one.with(0), one.with(1), one.with(2)], [[decode(65_534)], [decode(65_535)], [decode(0)]]);
}

/// VOICE-26: of 26 frames at once the ring holds 25, the newest; its oldest is gone.
#[test]
fn the_ring_holds_half_a_second() {
    let mut one = One::new();
    for sequence in 1..=26 {
        one.comes(sequence).unwrap();
    }
    assert_eq!(one.listener.waiting(machine(1)), 25);
    assert_eq!(one.listener.counts().spilt, 1);
    assert_eq!(one.turn(), [Call::Reset, decode(2)]);
    assert_eq!(one.comes(1), Err(Error::Late));
}

/// VOICE-26: a frame that was overtaken is played in its turn, before the start too.
#[test]
fn what_was_overtaken_is_played_in_its_turn() {
    let mut one = One::new();
    for sequence in [12, 10, 11, 14, 13] {
        one.comes(sequence).unwrap();
    }
    assert_eq!(one.turn(), [Call::Reset, decode(10)]);
    let turns: Vec<_> = (0..4).flat_map(|_| one.turn()).collect();
    assert_eq!(turns, [11, 12, 13, 14].map(decode));
    assert_eq!(one.listener.counts().concealed, 0);
}

/// VOICE-27: one, two and three frames that are missing are concealed, as many of them, the last from what follows it; of four
/// it starts over: silence until three frames are there.
#[test]
fn a_few_missing_frames_are_concealed() {
    for missing in 1..=3_u16 {
        let mut one = One::new();
        one.begun(3);
        let next = 4 + missing;
        for sequence in next..next + 5 {
            one.comes(sequence).unwrap();
        }
        let turns: Vec<_> = (0..missing + 3).flat_map(|_| one.turn()).collect();
        let mut expected = vec![decode(2), decode(3)];
        expected.extend((1..missing).map(|_| Call::Conceal));
        expected.extend([recover(next), decode(next)]);
        assert_eq!(turns, expected, "{missing}");
        let counts = one.listener.counts();
        assert_eq!((counts.concealed, counts.recovered), (u64::from(missing) - 1, 1));
    }
    let mut one = One::new();
    one.begun(3);
    assert_eq!([one.with(8), one.with(9)], [[decode(2)], [decode(3)]]);
    assert_eq!([one.turn(), one.turn()], [[], []]);
    assert_eq!(one.with(10), [Call::Reset, decode(8)]);
    assert_eq!(one.listener.counts().concealed + one.listener.counts().recovered, 0);
}

/// VOICE-27: a speaker who stops is drawn out for three turns and no longer; what comes later, in order, starts with three
/// frames and nothing of it is lost.
#[test]
fn who_stops_is_drawn_out_for_three_turns() {
    let mut one = One::new();
    one.begun(3);
    let turns: Vec<_> = (0..20).flat_map(|_| one.turn()).collect();
    assert_eq!(turns, [decode(2), decode(3), Call::Conceal, Call::Conceal, Call::Conceal]);
    assert_eq!([one.with(4), one.with(5), one.with(6)], [vec![], vec![], vec![Call::Reset, decode(4)]]);
}

/// VOICE-27: what was drawn out stands for what was lost meanwhile: it is not concealed a second time. What was only late is
/// played.
#[test]
fn what_was_drawn_out_stands_for_what_was_lost() {
    let mut one = One::new();
    one.begun(3);
    assert_eq!([one.turn(), one.turn(), one.turn()], [[decode(2)], [decode(3)], [Call::Conceal]]);
    assert_eq!(one.with(5), [decode(5)], "4 was lost");
    assert_eq!(one.turn(), [Call::Conceal]);
    assert_eq!(one.with(6), [decode(6)], "6 was late");
    assert_eq!(one.turn(), [Call::Conceal]);
    assert_eq!(one.with(10), [Call::Conceal], "of three that were lost one was stood for");
    assert_eq!([one.turn(), one.turn()], [[recover(10)], [decode(10)]]);
}

/// VOICE-26, 27: once a frame came after its turn a turn is drawn out for the next that is missing: if that comes then, it is
/// played, and so later than before; if it does not, that turn was it. Half a second after none is waited for.
#[test]
fn what_is_late_is_waited_for() {
    let late = || {
        let mut one = One::new();
        one.begun(3);
        for sequence in [5, 6] {
            one.comes(sequence).unwrap();
        }
        assert_eq!([one.turn(), one.turn(), one.turn()], [[decode(2)], [decode(3)], [recover(5)]]);
        assert_eq!(one.comes(4), Err(Error::Late));
        assert_eq!([one.with(8), one.with(9)], [[decode(5)], [decode(6)]]);
        one
    };
    let mut one = late();
    assert_eq!(one.turn(), [Call::Conceal]);
    assert_eq!(one.with(7), [decode(7)]);
    assert_eq!([one.turn(), one.turn()], [[decode(8)], [decode(9)]]);
    let mut one = late();
    assert_eq!([one.turn(), one.turn(), one.turn()], [[Call::Conceal], [decode(8)], [decode(9)]]);

    let mut one = late();
    let mut turns = vec![one.with(7)];
    turns.extend((10..34).map(|sequence| one.with(sequence)));
    assert!(turns.iter().all(|turn| matches!(turn[..], [Call::Decode(_)])), "{turns:?}");
    one.comes(35).unwrap();
    let turns: Vec<_> = (0..4).flat_map(|_| one.turn()).collect();
    assert_eq!(turns, [decode(32), decode(33), recover(35), decode(35)]);
}

/// Who is heard no more for half a second, and then counts anew, is heard at once; a short word that never started is not
/// said later.
#[test]
fn who_counts_anew_is_heard() {
    let mut one = One::new();
    one.begun(5000);
    (0..23).for_each(|_| drop(one.turn()));
    assert_eq!(one.comes(0), Err(Error::Late));
    assert_eq!(one.turn(), []);
    assert_eq!([one.with(0), one.with(1)], [[], []]);
    assert_eq!(one.with(2), [Call::Reset, decode(0)]);

    let mut one = One::new();
    assert_eq!([one.with(7), one.with(8)], [[], []]);
    (0..24).for_each(|_| assert_eq!(one.turn(), []));
    assert_eq!(one.listener.waiting(machine(1)), 0);
    assert_eq!([one.with(9), one.with(10), one.with(11)], [vec![], vec![], vec![Call::Reset, decode(9)]]);
}

/// A number far from what waits is where it goes on: a frame that says so costs a start and no more.
#[test]
fn a_leap_in_the_numbers_starts_over() {
    let mut one = One::new();
    one.begun(3);
    one.comes(20_000).unwrap();
    assert_eq!(one.turn(), []);
    assert_eq!(one.listener.waiting(machine(1)), 1);
    assert_eq!([one.with(20_001), one.with(20_002)], [vec![], vec![Call::Reset, decode(20_000)]]);
}

/// VOICE-28: a seventeenth speaker is not played while all sixteen were heard of late; once one was not for five seconds its
/// decoder is taken, and forgets it.
#[test]
fn sixteen_are_heard_at_a_time() {
    let noted = Noted::default();
    let mut listener = Listener::new((0..20).map(|_| noted.clone()));
    assert_eq!(MOST_DECODERS, 16);
    for from in 1..=16_u8 {
        let first = if from == 7 { 0 } else { 20 };
        listener.hear(millis(first), &heard(from, 1, b"x")).unwrap();
    }
    let says = |listener: &mut Listener<Noted>, now, from| listener.hear(millis(now), &heard(from, 1, b"x"));
    assert_eq!(says(&mut listener, 4999, 17), Err(Error::NoDecoder));
    assert_eq!(says(&mut listener, 5000, 17), Ok(()));
    assert_eq!(listener.waiting(machine(7)), 0);
    assert_eq!(says(&mut listener, 5000, 7), Err(Error::NoDecoder), "its own is another's now");
    for sequence in 2..4 {
        listener.hear(millis(5000), &heard(17, sequence, b"x")).unwrap();
    }
    listener.play(15.0, &Around::default(), |played| assert_eq!(played.machine, machine(17)));
    assert_eq!(noted.take(), [Call::Reset, Call::Decode(b"x".to_vec())]);
    assert_eq!(listener.refusals().of(Error::NoDecoder), 2);
    listener.forget(machine(3));
    assert_eq!(says(&mut listener, 5000, 7), Ok(()), "who leaves leaves a decoder");
}

/// VOICE-29: 299 ms after its last frame a speaker is marked, at 300 ms it is not.
#[test]
fn a_speaker_is_marked() {
    let mut one = One::new();
    one.listener.hear(millis(1000), &heard(1, 1, b"x")).unwrap();
    let marked = |now: u64| one.listener.speaking(millis(now)).iter().collect::<Vec<_>>();
    assert_eq!(marked(1299), [machine(1)]);
    assert_eq!(marked(1300), []);
}

/// VOICE-19, 32: who is muted is neither heard nor marked, at once; one of another name in its place is heard, and who comes
/// back under its old one is.
#[test]
fn a_mute_is_by_place_and_name() {
    let mut one = One::new();
    one.begun(3);
    one.listener.mutes_mut().mute(machine(1), &["Bob", "Bob's guest"]);
    assert_eq!(one.comes(4), Err(Error::Muted));
    assert_eq!(one.turn(), [], "what waits is not played either");
    assert!(one.listener.speaking(millis(0)).is_empty());
    one.listener.hear(millis(0), &heard(2, 1, b"x")).unwrap_err();
    one.listener.mutes_mut().follow(machine(2), &["Ann"]);
    one.listener.mutes_mut().follow(machine(1), &["Bob", "Bob's guest"]);
    assert!(one.listener.mutes().is_muted(machine(1)));
    for names in [&["Ann"][..], &["Bob"], &[]] {
        let mut mutes = one.listener.mutes().clone();
        mutes.follow(machine(1), names);
        assert!(!mutes.is_muted(machine(1)), "{names:?}");
        mutes.follow(machine(1), &["Bob", "Bob's guest"]);
        assert!(mutes.machines().is_empty());
    }
    one.listener.mutes_mut().unmute(machine(1));
    assert_eq!(one.comes(4), Ok(()));
    assert_eq!(one.listener.refusals().of(Error::Muted), 1);
}

/// VOICE-18: whole within 3 wu, a fifth at the range and past it, three fifths midway; as far to the side as it is; a voice that
/// is heard everywhere is whole and ahead.
#[test]
fn a_near_voice_has_a_place() {
    let at = |x: f32, y: f32, z: f32| {
        let ears = Around([(4, Vec3::new(x, y, z))].into());
        let Placed { gain, pan } = place(Route::Near, 15.0, Some(slot(4)), &ears);
        [gain, pan].map(|number| (number * 1000.0).round() / 1000.0)
    };
    assert_eq!(at(3.0, 0.0, 0.0), [1.0, 0.0]);
    assert_eq!(at(0.0, 0.0, 0.0), [1.0, 0.0]);
    assert_eq!(at(15.0, 0.0, 0.0), [0.2, 0.0]);
    assert_eq!(at(-40.0, 0.0, 0.0), [0.2, 0.0]);
    assert_eq!(at(9.0, 0.0, 0.0), [0.6, 0.0]);
    assert_eq!(at(0.0, 9.0, 0.0), [0.6, -0.8], "hard left");
    assert_eq!(at(0.0, -2.0, 0.0), [1.0, 0.8]);
    assert_eq!(at(2.0, -2.0, 0.0), [1.0, 0.566]);
    assert_eq!(at(0.0, 0.0, 9.0), [0.6, 0.0], "above is on neither side");
    assert_eq!(at(f32::NAN, 0.0, 0.0), [0.2, 0.0]);
    let nowhere = Placed { gain: LEAST_GAIN, pan: 0.0 };
    assert_eq!(place(Route::Near, 15.0, Some(slot(5)), &Around::default()), nowhere);
    assert_eq!(place(Route::Near, 15.0, None, &Around::default()), nowhere);
    let ears = Around([(4, Vec3::new(0.0, 50.0, 0.0))].into());
    assert_eq!(place(Route::Global, 15.0, Some(slot(4)), &ears), Placed { gain: 1.0, pan: 0.0 });
}

/// VOICE-18: what both ears hear of a voice by its place and the player's volume; what is too loud is cut, and two voices add
/// up.
#[test]
fn voices_are_mixed() {
    let sound = [1000; FRAME_SAMPLES];
    let mut ears = [0; 2 * FRAME_SAMPLES];
    mix(&sound, Placed { gain: 0.5, pan: 0.8 }, 1.0, &mut ears);
    assert_eq!(ears[..4], [99, 500, 99, 500]);
    mix(&sound, Placed { gain: 1.0, pan: 0.0 }, 2.0, &mut ears);
    assert_eq!(ears[1918..], [2099, 2500]);
    mix(&[30_000; FRAME_SAMPLES], Placed { gain: 1.0, pan: -0.8 }, 2.0, &mut ears);
    assert_eq!(ears[0], i16::MAX);
    assert_eq!(ears[1], 2500 + 12_000 - 1);
}

/// VOICE-33: how a speaker was heard in a second: its level, how loud and from where, its bytes; of who said nothing none.
#[test]
fn a_speakers_level_is_told() {
    let mut one = One::new();
    let ears = Around([(4, Vec3::new(0.0, 9.0, 0.0))].into());
    for sequence in 0..50 {
        let near = Heard { player: Some(slot(4)), route: Route::Near, ..heard(1, sequence, &[100; 60]) };
        one.listener.hear(millis(0), &near).unwrap();
        one.listener.play(15.0, &ears, |_| {});
    }
    let mut levels: Vec<(u8, Level)> = Vec::new();
    one.listener.take_levels(|machine, level| levels.push((machine.get(), *level)));
    let [(1, level)] = levels[..] else { panic!("{levels:?}") };
    assert!((level.rms() - 1000.0 / 32_768.0).abs() < 1e-4, "{}", level.rms());
    assert_eq!(
        (level.bytes(), level.placed().map(|placed| (placed.gain, placed.pan))),
        (3000, Some((0.6, -0.8)))
    );
    one.listener.take_levels(|_, level| panic!("{level:?}"));
}

/// A packet that is none is concealed as a lost one, and counted; the next is played.
#[test]
fn a_packet_that_is_none_is_concealed() {
    let mut one = One::new();
    one.begun(3);
    one.listener.hear(millis(0), &Heard { packet: packet(b"none"), ..heard(1, 4, b"x") }).unwrap();
    one.comes(5).unwrap();
    let turns: Vec<_> = (0..4).flat_map(|_| one.turn()).collect();
    assert_eq!(turns, [decode(2), decode(3), Call::Decode(b"none".to_vec()), Call::Conceal, decode(5)]);
    assert_eq!(one.listener.counts().undecodable, 1);
}
