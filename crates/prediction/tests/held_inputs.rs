//! Inputs as datagrams bring them, driven one a tick: scripts of what comes at which tick.

use mjolnir_prediction::{Driven, Error, HeldInputs, INPUT_BUTTONS_RELEASED_AFTER, LATE_BUTTON_QUEUE, Taps};
use mjolnir_wire::{Buttons, Input, Slot, Tick};
use proptest::prelude::*;

const SLOT: Slot = Slot::new(5).expect("a slot");

fn tick(number: i32) -> Tick {
    Tick::new(number).expect("a tick")
}

/// A player whose buttons of each of its ticks are known, heard by a receiver whose tick of the same number is the
/// one in which a message of that tick is due.
struct Link {
    held: HeldInputs,
    buttons: fn(i32) -> u32,
    driven: Vec<u32>,
}

impl Link {
    fn new(buttons: fn(i32) -> u32) -> Self {
        Self { held: HeldInputs::releasing(), buttons, driven: Vec::new() }
    }

    fn of(&self, stamp: i32) -> Buttons {
        Buttons(if stamp < 0 { 0 } else { (self.buttons)(stamp) })
    }

    /// Its message of that tick comes. Its stick tells the tick.
    fn comes(&mut self, now: i32, stamp: i32) -> Result<(), Error> {
        let history = [0, 1, 2, 3].map(|back| self.of(stamp - back));
        let input = Input { buttons: history[0], yaw: stamp as f32, trigger: 1.0, ..Input::default() };
        self.held.handle(tick(now), SLOT, tick(stamp), &input, &history)
    }

    fn drive(&mut self, now: i32) -> Driven {
        let driven = self.held.drive(tick(now), SLOT).expect("an input was had");
        self.driven.push(driven.input.buttons.0);
        driven
    }

    /// Ticks in which each message comes in its own tick, but those lost.
    fn run(&mut self, ticks: core::ops::Range<i32>, lost: impl Fn(i32) -> bool) {
        for t in ticks {
            if !lost(t) {
                self.comes(t, t).expect("newer");
            }
            if let Some(driven) = self.held.drive(tick(t), SLOT) {
                self.driven.push(driven.input.buttons.0);
            }
        }
    }

    /// How often that button went down.
    fn presses(&self, button: u32) -> usize {
        let before = [0].into_iter().chain(self.driven.iter().copied());
        before.zip(&self.driven).filter(|(before, now)| before & button == 0 && *now & button != 0).count()
    }
}

/// AUTH-06, PRED-08: on a clean link each tick's stick and buttons are driven in that tick, and so named.
#[test]
fn a_clean_link_drives_each_tick_as_it_is() {
    let mut link = Link::new(|t| 1 << (t % 15));
    for t in 10..60 {
        link.comes(t, t).unwrap();
        let driven = link.drive(t);
        assert_eq!((driven.of, driven.fresh), (Some(tick(t)), true));
        assert_eq!((driven.input.yaw, driven.input.buttons), (t as f32, link.of(t)));
        let expected = [0, 1, 2, 3].map(|back| if t - back < 10 { Buttons(0) } else { link.of(t - back) });
        assert_eq!(driven.history, expected);
    }
}

/// PRED-03: the latest is held until a newer comes, and named by no tick meanwhile.
#[test]
fn the_latest_is_held() {
    let mut link = Link::new(|t| if t < 105 { 1 } else { 2 });
    assert_eq!(link.held.drive(tick(99), SLOT), None);
    link.comes(100, 100).unwrap();
    for t in 100..105 {
        let driven = link.drive(t);
        assert_eq!((driven.input.yaw, driven.input.buttons.0), (100.0, 1));
        assert_eq!((driven.of.is_some(), driven.fresh), (t == 100, t == 100));
    }
    link.comes(105, 105).unwrap();
    let driven = link.drive(105);
    assert_eq!((driven.input.yaw, driven.input.buttons.0, driven.of), (105.0, 2, Some(tick(105))));
}

/// PRED-06, AUTH-72: a tick's buttons are taken once, of a first message its own alone, of a late one none.
#[test]
fn buttons_are_taken_once() {
    let mut link = Link::new(|t| if t == 49 || t == 51 { 1 } else { 0 });
    link.comes(50, 50).unwrap();
    assert_eq!(link.drive(50).input.buttons.0, 0, "a press before the first message");
    link.comes(51, 51).unwrap();
    for late in [51, 50, 48] {
        assert_eq!(link.comes(51, late), Err(Error::NotNewer));
    }
    assert_eq!(link.drive(51).input.buttons.0, 1);
    link.comes(52, 52).unwrap();
    link.comes(53, 53).unwrap();
    link.run(54..60, |_| false);
    assert_eq!(link.presses(1), 1);
}

/// NET-14, PRED-06: an input that was overtaken is dropped, and its buttons came with the one that overtook it.
#[test]
fn an_overtaken_inputs_buttons_are_not_lost() {
    let mut link = Link::new(|t| u32::from(t == 100));
    link.comes(99, 99).unwrap();
    link.drive(99);
    link.comes(100, 101).unwrap();
    assert_eq!(link.drive(100).input.buttons.0, 1);
    assert_eq!(link.comes(101, 100), Err(Error::NotNewer));
    link.drive(101);
    link.run(102..110, |_| false);
    assert_eq!(link.presses(1), 1);
}

/// PRED-06: a slot that was cleared begins anew, at any tick.
#[test]
fn a_cleared_slot_begins_anew() {
    let mut link = Link::new(|t| u32::from(t == 8));
    link.comes(500, 500).unwrap();
    link.held.clear(SLOT);
    assert_eq!(link.held.drive(tick(500), SLOT), None);
    link.comes(501, 9).unwrap();
    assert_eq!(link.drive(501).history, [Buttons(0); 4]);
}

/// AUTH-72: after a gap of ten ticks the last four ticks' buttons are taken and no older.
#[test]
fn a_gap_leaves_the_last_four() {
    let mut link = Link::new(|t| t as u32);
    link.comes(50, 50).unwrap();
    link.drive(50);
    link.comes(60, 60).unwrap();
    link.run(61..62, |_| true);
    for t in 62..66 {
        link.drive(t);
    }
    assert_eq!(link.driven, [50, 57, 58, 59, 60, 60]);
}

/// AUTH-72: an input stamped far ahead is driven, and does not silence those that follow.
#[test]
fn a_forged_stamp_silences_nobody() {
    let mut link = Link::new(|t| u32::from(t == 1002));
    link.comes(1000, 1000).unwrap();
    link.drive(1000);
    link.comes(1001, 1400).unwrap();
    assert_eq!(link.drive(1001).input.yaw, 1400.0);
    link.run(1002..1010, |_| false);
    assert_eq!(link.presses(1), 1);
    assert_eq!(link.drive(1010).input.yaw, 1009.0);
}

/// PRED-06: across a true gap of seconds each press is still taken once.
#[test]
fn a_long_gap_presses_nothing_twice() {
    let mut link = Link::new(|t| u32::from((1397..1400).contains(&t)) | u32::from(t == 1401) << 1);
    link.comes(1000, 1000).unwrap();
    link.drive(1000);
    link.run(1400..1410, |_| false);
    assert_eq!((link.presses(1), link.presses(2)), (1, 1));
}

/// PRED-07: with a press of one tick at each tick, three datagrams in a row lose none, four lose exactly one.
#[test]
fn four_lost_in_a_row_lose_one_press() {
    for from in 1..96 {
        for (lost, expected) in [(0, 0), (1, 0), (2, 0), (3, 0), (4, 1), (5, 2)] {
            let mut missed = 0;
            for phase in 0..15 {
                let mut link = Link::new(|t| 1 << (t % 15));
                link.run(0..100, |t| (from..from + lost).contains(&t));
                link.run(100..110, |_| false);
                let button = 1 << phase;
                missed += (0..110).filter(|t| t % 15 == phase).count() - link.presses(button);
            }
            // What still waits when it ends was not lost.
            let mut link = Link::new(|t| 1 << (t % 15));
            link.run(0..100, |t| (from..from + lost).contains(&t));
            link.run(100..110, |_| false);
            let mut left = 0;
            for t in 110..110 + LATE_BUTTON_QUEUE as i32 {
                left += usize::from(link.drive(t).input.buttons != link.of(109 - left as i32));
            }
            let waiting = (lost as usize).min(LATE_BUTTON_QUEUE);
            assert_eq!(missed, expected + waiting, "{lost} from {from}");
        }
    }
}

/// PRED-08, 10: after three lost, the newest stick drives at once; the late presses follow in order.
#[test]
fn late_buttons_follow_in_order() {
    let mut link = Link::new(|t| match t {
        11 => 1,
        12 => 2,
        _ => 0,
    });
    link.run(5..11, |_| false);
    link.run(11..13, |_| true);
    link.comes(13, 13).unwrap();
    let driven = link.drive(13);
    assert_eq!((driven.input.yaw, driven.input.buttons.0, driven.of), (13.0, 1, None));
    assert_eq!(link.drive(14).input.buttons.0, 2);
    // The wait ends with the third: it is that tick's own.
    let third = link.drive(15);
    assert_eq!((third.input.buttons.0, third.of), (0, Some(tick(13))));
}

/// PRED-10: no more than three late ones wait, however many came; the oldest give way.
#[test]
fn three_late_ones_wait_at_most() {
    let mut link = Link::new(|t| 1 << (t % 15));
    link.run(0..5, |_| false);
    for stamp in 5..12 {
        link.comes(5, stamp).unwrap();
    }
    for t in 5..11 {
        link.drive(t);
    }
    let bit = |t: i32| 1 << (t % 15);
    assert_eq!(link.driven[5..], [bit(8), bit(9), bit(10), bit(11), bit(11), bit(11)]);
}

/// PRED-10: one lost datagram does not leave buttons late for ever: the next repeat ends the wait.
#[test]
fn the_wait_ends_by_itself() {
    let mut link = Link::new(|t| u32::from(t == 20));
    link.run(15..20, |_| false);
    link.run(20..21, |_| true);
    for (t, buttons, own) in [(21, 1, false), (22, 0, false), (23, 0, true), (24, 0, true)] {
        link.comes(t, t).unwrap();
        let driven = link.drive(t);
        assert_eq!((driven.input.buttons.0, driven.of), (buttons, own.then(|| tick(t))), "{t}");
    }
    // A loss in which nothing changed costs no wait at all.
    link.run(25..27, |_| true);
    link.comes(27, 27).unwrap();
    assert_eq!(link.drive(27).of, Some(tick(27)));
}

/// PRED-10: a second's datagrams in one burst, or the seventeen ticks of a long frame, press what was pressed.
#[test]
fn a_burst_keeps_its_presses() {
    for burst in [17, 30] {
        let mut link = Link::new(|t| u32::from(t == 105) | u32::from((107..112).contains(&t)) << 1);
        link.run(90..100, |_| false);
        for stamp in 100..100 + burst {
            link.comes(129, stamp).unwrap();
        }
        assert_eq!(link.drive(129).input.yaw, (99 + burst) as f32);
        link.run(130..140, |_| false);
        assert_eq!((link.presses(1), link.presses(2)), (1, 1));
        assert_eq!(link.drive(140).input.buttons.0, 0);
    }
}

/// AUTH-07: the host lets buttons and trigger go after 60 ticks of silence and keeps the stick; a client keeps all.
#[test]
fn buttons_are_let_go_in_silence() {
    let last = INPUT_BUTTONS_RELEASED_AFTER as i32 - 1;
    let mut link = Link::new(|_| 1);
    link.comes(100, 100).unwrap();
    for t in 100..=100 + last {
        let driven = link.drive(t);
        assert_eq!((driven.input.buttons.0, driven.input.trigger), (1, 1.0), "{t}");
    }
    for t in 101 + last..200 {
        let driven = link.drive(t);
        assert_eq!((driven.input.buttons.0, driven.input.trigger, driven.input.yaw), (0, 0.0, 100.0));
    }
    link.comes(200, 200).unwrap();
    assert_eq!(link.drive(200).input.buttons.0, 1);

    let mut client = Link { held: HeldInputs::new(), ..Link::new(|_| 1) };
    client.comes(100, 100).unwrap();
    assert_eq!(client.drive(1_000).input.buttons.0, 1);
}

/// WIRE-73: a button without a meaning drives nothing.
#[test]
fn unknown_buttons_are_not_driven() {
    let mut link = Link::new(|_| 0x8001);
    link.run(5..8, |t| t == 6);
    assert_eq!(link.driven, [1, 1, 1]);
}

/// PRED-06: stamps near the first tick and the last are like any other.
#[test]
fn ticks_end_at_both_ends() {
    for start in [0, 65_534, i32::MAX - 3] {
        let mut link = Link::new(|t| 1 << (t % 15));
        for t in start..=start + 3 {
            link.comes(t, t).unwrap();
            assert_eq!(link.drive(t).input.buttons, link.of(t));
        }
        assert_eq!(link.comes(start + 3, start + 3), Err(Error::NotNewer));
    }
}

/// PRED-09: a tap between ticks is a press; one of a frame without a tick is kept; what is held goes on.
#[test]
fn a_tap_between_ticks_is_a_press() {
    let mut taps = Taps::new();
    for held in [Buttons::JUMP, Buttons(0), Buttons::MELEE, Buttons(0)] {
        taps.press(held);
    }
    assert_eq!(taps.take(), Buttons::JUMP.union(Buttons::MELEE));
    assert_eq!(taps.take(), Buttons(0));
    taps.press(Buttons::CROUCH);
    assert_eq!(taps.take(), Buttons::CROUCH);
    assert_eq!(taps.take(), Buttons::CROUCH);
    // Let go in a frame of its own: the next tick does not hold it.
    taps.press(Buttons::CROUCH);
    taps.press(Buttons(0));
    assert_eq!(taps.take(), Buttons(0));
}

proptest! {
    /// PRED-06, 07: whatever is lost and doubled, each press of one tick is driven exactly once, unless its own
    /// datagram and the three after it are lost; the order is kept.
    #[test]
    fn each_press_is_driven_once(fate in prop::collection::vec(prop_oneof![6 => Just(1), 3 => Just(0), 1 => Just(2)], 20..300)) {
        let ticks = fate.len() as i32;
        let came = |t: i32| t >= ticks || fate[t as usize] > 0;
        let mut link = Link::new(|t| if t < 300 { t as u32 + 1 } else { 0 });
        for t in 0..ticks {
            for _ in 0..fate[t as usize] {
                let _ = link.comes(t, t);
            }
            if let Some(driven) = link.held.drive(tick(t), SLOT) {
                link.driven.push(driven.input.buttons.0);
            }
        }
        link.run(ticks..ticks + 10, |_| false);
        let first = (0..).find(|t| came(*t)).unwrap();
        let mut driven = link.driven.clone();
        driven.dedup();
        let end = ticks.min(300) as u32;
        let expected: Vec<u32> = (first..ticks + 4)
            .filter(|t| *t == first || (*t..*t + 4).any(came))
            .map(|t| t as u32 + 1)
            .filter(|button| *button <= end)
            .collect();
        driven.retain(|button| *button <= end && *button > 0);
        prop_assert_eq!(driven, expected);
    }

    /// PRED-10: once the player holds still on a clean link, its ticks are driven as they are within four.
    #[test]
    fn a_clean_link_is_on_time_again(lost in prop::collection::vec(any::<bool>(), 1..60), seed in any::<u32>()) {
        let ticks = lost.len() as i32;
        let mut held = HeldInputs::new();
        let buttons = |t: i32| Buttons(if (0..ticks).contains(&t) { seed.rotate_left(t as u32 * 7) } else { 0 });
        for t in 0..ticks + 6 {
            if t >= ticks || !lost[t as usize] {
                let history = [0, 1, 2, 3].map(|back| buttons(t - back));
                let input = Input { buttons: history[0], ..Input::default() };
                held.handle(tick(t), SLOT, tick(t), &input, &history).unwrap();
            }
            let driven = held.drive(tick(t), SLOT);
            if t >= ticks + 4 {
                prop_assert_eq!(driven.unwrap().of, Some(tick(t)));
            }
        }
    }
}
