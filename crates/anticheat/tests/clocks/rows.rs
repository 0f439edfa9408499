//! The measure's bounds as scripts: stamps by the tick, no network, nothing by chance.

use mjolnir_anticheat::{Clocks, Finding, Measure, Speed, Way};
use mjolnir_wire::time::micros_of_ticks;
use mjolnir_wire::{Machine, Moment, Tick};

/// A host that reads once a tick, and a clock that is stamped as it says.
#[derive(Clone)]
struct Script {
    speed: Speed,
    /// Ticks since the game began.
    ticks: u64,
    /// The clock, in hundredths of a tick ahead of the host's.
    lead: i64,
    found: Vec<Finding>,
    read: Vec<Measure>,
}

const HOST: u64 = 5000;
/// What the stream says is what the clock is.
const TRUE: i64 = i64::MAX;

impl Script {
    fn new(lead: i64) -> Self {
        let (found, read) = (Vec::new(), Vec::new());
        Self { speed: Speed::new(Moment::START, tick(HOST)), ticks: 0, lead: lead * 100, found, read }
    }

    fn now(&self) -> Moment {
        Moment::from_micros(micros_of_ticks(self.ticks))
    }

    fn host(&self) -> Tick {
        tick(HOST + self.ticks)
    }

    /// Windows of a clock that gains so many hundredths of a tick in each tick; what the stream says is so many ticks ahead, or as
    /// many as it is.
    fn windows(&mut self, windows: u32, gain: i64, stream: Option<i64>) -> &[Finding] {
        let from = self.found.len();
        for count in 0..windows * 60 {
            self.ticks += 1;
            self.lead += gain;
            let ahead = self.lead.div_euclid(100);
            self.speed.note(self.now(), self.host(), self.ahead(ahead), Way::Datagram);
            // Older ones and doubles say nothing.
            self.speed.note(self.now(), self.host(), self.ahead(ahead - 7), Way::Datagram);
            self.speed.note(self.now(), self.host(), self.ahead(ahead), Way::Datagram);
            if let Some(said) = stream
                && count % 15 == 0
            {
                self.speed.note(self.now(), self.host(), self.ahead(said.min(ahead)), Way::Stream);
            }
            if let Some(found) = self.speed.measure(self.now()) {
                self.found.push(found);
                self.read.push(self.speed.measured().unwrap());
                assert_eq!(self.speed.is_refused(), found != Finding::Honest);
            }
        }
        &self.found[from..]
    }

    /// The host's clock stands for so many ticks: what its client said meanwhile is read at once, but for a third that was lost.
    fn stand(&mut self, ticks: u64) {
        for tick in 0..ticks {
            self.lead += 100;
            if tick % 3 != 1 {
                let ahead = self.lead.div_euclid(100);
                self.speed.note(self.now(), self.host(), self.ahead(ahead), Way::Datagram);
            }
        }
    }

    fn ahead(&self, ticks: i64) -> Tick {
        tick((HOST + self.ticks).checked_add_signed(ticks).unwrap())
    }
}

fn tick(number: u64) -> Tick {
    Tick::new(number as i32).unwrap()
}

fn is_fast(found: &[Finding]) -> Vec<bool> {
    found.iter().map(|found| *found != Finding::Honest).collect()
}

/// CHEAT-08: given 33 ticks a second, then each measure of two seconds reads 1.10, and the lead grows by six ticks.
#[test]
fn a_measure_reads_rate_and_lead() {
    let mut script = Script::new(0);
    script.windows(10, 10, None);
    assert_eq!(script.read.len(), 10);
    for (number, read) in script.read.iter().enumerate() {
        assert!((read.rate - 1.1).abs() < 0.01, "{read:?}");
        assert_eq!(read.lead, 6 * (number as i32 + 1));
    }
    assert_eq!(script.speed.measure(script.now()), None);
}

/// CHEAT-10: 1.10 is never found, whatever the lead; 1.11 is at the first measure that is more than 15 ticks ahead.
#[test]
fn a_tenth_and_half_a_second_are_let_be() {
    assert_eq!(is_fast(Script::new(0).windows(60, 10, None)), [false; 60]);
    assert_eq!(is_fast(Script::new(0).windows(5, 11, None)), [false, false, true, true, true]);
    // By the tick: a lead of 15 at the second measure, and of 16.
    for (lead, is_found) in [(2, false), (3, true)] {
        let mut script = Script::new(lead);
        let found = is_fast(script.windows(2, 11, None));
        assert_eq!((script.read[1].lead, found[1]), (lead as i32 + 13, is_found));
    }
    // 15 % fast, and kept from half a second by a pause: never.
    let mut script = Script::new(0);
    for _ in 0..20 {
        assert_eq!(is_fast(script.windows(1, 15, None)), [false]);
        script.lead = 0;
    }
    assert_eq!(is_fast(Script::new(0).windows(3, 15, None)), [false, true, true]);
}

/// CHEAT-11, 12, 16, 57: 20 % fast by its stream too is refused, then dropped at the fifth window with its rate, told once; four
/// windows and an honest one begin anew; by datagrams alone it is unverified once, and dropped when its stream says so.
#[test]
fn five_windows_and_the_stream_drop() {
    let mut script = Script::new(0);
    let found = script.windows(8, 20, Some(TRUE)).to_vec();
    let told: Vec<_> = found.iter().map(|found| matches!(found, Finding::Cheater(_))).collect();
    assert_eq!(told, [false, false, false, false, false, true, false, false]);
    assert_eq!(is_fast(&found), [false, true, true, true, true, true, true, true]);
    let Finding::Cheater(measure) = found[5] else { panic!("{found:?}") };
    assert!((measure.rate - 1.2).abs() < 0.01, "{measure:?}");

    let mut script = Script::new(20);
    for _ in 0..3 {
        assert_eq!(is_fast(script.windows(4, 20, Some(20))), [true; 4]);
        assert_eq!(is_fast(script.windows(1, 0, Some(20))), [false]);
    }
    assert!(script.found.iter().all(|found| matches!(found, Finding::Fast(_) | Finding::Honest)));

    let mut script = Script::new(0);
    let found = script.windows(31, 15, Some(0)).to_vec();
    assert!(matches!(found[5], Finding::Unverified(_)));
    assert_eq!(found.iter().filter(|found| !matches!(found, Finding::Fast(_))).count(), 2);
    // By its stream 15 ticks are not that far ahead; 0.6 s are.
    let mut other = script.clone();
    assert!(matches!(other.windows(1, 15, Some(15)), [Finding::Fast(_)]));
    assert!(matches!(script.windows(1, 15, Some(18)), [Finding::Cheater(_)]));
    assert!(matches!(script.windows(1, 15, Some(60)), [Finding::Fast(_)]));
    // Told once, though it goes on in another run.
    let mut script = Script::new(0);
    for runs in 0..3 {
        let unverified = |found: &&Finding| matches!(found, Finding::Unverified(_));
        let told = script.windows(8, 15, Some(0)).iter().filter(unverified).count();
        assert_eq!(told, usize::from(runs == 0));
        script.windows(1, 0, Some(0));
    }
}

/// CHEAT-12: the stream of a client that leads by seconds for its host's stall is honest still: forged datagrams do not drop it.
#[test]
fn an_honest_stream_that_leads_drops_nobody() {
    let mut script = Script::new(75);
    script.windows(2, 0, Some(75));
    let found = script.windows(20, 30, Some(75));
    assert!(found.iter().all(|found| *found != Finding::Honest && !matches!(found, Finding::Cheater(_))));
}

/// CHEAT-09: given a host that tells a client the time half a second late, then catches up, and stalls within the same window, its
/// client's jump to it is no speed, though it leads in the end.
#[test]
fn a_jump_to_a_host_that_catches_up_is_not_speed() {
    let mut speed = Speed::new(Moment::START, tick(HOST - 15));
    for count in 1..=60_u64 {
        // The client goes on from where the host was a second after; the host drops twenty ticks there.
        let dropped = if count > 30 { 20 } else { 0 };
        let now = Moment::from_micros(micros_of_ticks(count));
        speed.note(now, tick(HOST + count - dropped), tick(HOST + count), Way::Stream);
        if let Some(found) = speed.measure(now) {
            assert_eq!((found, speed.measured().unwrap().lead), (Finding::Honest, 20));
        }
    }
    assert!(speed.measured().is_some());
}

/// CHEAT-09: given a host whose own clock stood, as in a computer's sleep, of half a second to fourteen, with what its client said
/// meanwhile before it, a third of it lost, then nothing is found; nor of one that stands for half a second each six.
#[test]
fn a_host_whose_clock_stood_refuses_nobody() {
    for seconds in [0.5, 1.0, 3.0, 14.0] {
        let mut script = Script::new(0);
        script.windows(3, 0, Some(TRUE));
        script.stand((seconds * 30.0) as u64);
        // What was on its way as the clock went on may have been quicker than what waited.
        script.lead += 500;
        assert_eq!(is_fast(script.windows(6, 0, Some(TRUE))), [false; 6], "{seconds}");
    }
    let mut script = Script::new(0);
    for _ in 0..100 {
        assert_eq!(is_fast(script.windows(3, 0, Some(TRUE))), [false; 3]);
        script.stand(15);
    }
}

/// CHEAT-09: given a host whose clock stood, and a datagram of nobody's before that was twelve seconds ahead, then that costs its own
/// window, and the client nothing when the clock stands.
#[test]
fn one_datagram_takes_no_clock_that_stood_away() {
    let mut script = Script::new(0);
    script.windows(3, 0, Some(TRUE));
    script.speed.note(script.now(), script.host(), script.ahead(360), Way::Datagram);
    assert_eq!(is_fast(script.windows(3, 0, Some(TRUE))), [true, false, false]);
    script.stand(90);
    assert_eq!(is_fast(script.windows(6, 0, Some(TRUE))), [false; 6]);
}

/// CHEAT-09: given a host whose clock stood for three seconds, and a line that loses its last half second and all else but each fifth,
/// then nothing is found.
#[test]
fn a_bad_line_after_a_clock_that_stood_is_not_speed() {
    let mut script = Script::new(0);
    script.windows(3, 0, Some(TRUE));
    for tick in 0..90 {
        script.lead += 100;
        if tick % 5 == 0 && tick < 75 {
            let ahead = script.lead.div_euclid(100);
            script.speed.note(script.now(), script.host(), script.ahead(ahead), Way::Datagram);
        }
    }
    assert_eq!(is_fast(script.windows(6, 0, Some(TRUE))), [false; 6]);
}

/// CHEAT-10: what hands its ticks over in bursts, to look like such, gains a tenth of time, and fifteen seconds once.
#[test]
fn bursts_hide_no_speed_for_long() {
    // Half a second more than there is in each window: what is forgiven of it is used up by the forty-fifth.
    let mut script = Script::new(0);
    let mut fast = Vec::new();
    for _ in 0..100 {
        script.stand(15);
        fast.extend(is_fast(script.windows(1, 0, None)));
    }
    assert_eq!((fast[..44].contains(&true), fast[46..].contains(&false)), (false, false), "{fast:?}");
}

/// CHEAT-09: given a host whose clock stood for three seconds, as one machine's messages show, then another that said nothing
/// meanwhile, and jumps as far, is not fast; one that was let in since, and jumps so, is.
#[test]
fn what_one_machine_shows_counts_for_all() {
    let [shows, sleeps, late] = [1, 2, 3].map(|index| Machine::new(index).unwrap());
    let mut clocks = Clocks::new();
    let mut refused = [0; 3];
    for machine in [shows, sleeps] {
        clocks.add(Moment::START, machine, tick(HOST));
    }
    for count in 0..900_u64 {
        let (now, host) = (Moment::from_micros(micros_of_ticks(count)), tick(HOST + count));
        let ahead = if count < 300 { 0 } else { 90 };
        if count == 300 {
            // Ninety ticks of the one wait; the other wakes ten ticks later.
            for waited in 0..90 {
                clocks.note(now, shows, host, tick(HOST + count + waited), Way::Datagram);
            }
        }
        if count == 400 {
            clocks.add(now, late, host);
        }
        clocks.note(now, shows, host, tick(HOST + count + ahead), Way::Datagram);
        if !(250..310).contains(&count) {
            clocks.note(now, sleeps, host, tick(HOST + count + ahead), Way::Datagram);
        }
        if count > 400 {
            let jumped = if count < 600 { 0 } else { 90 };
            clocks.note(now, late, host, tick(HOST + count + jumped), Way::Datagram);
        }
        clocks.step(now, |_, _| {});
        for (machine, refused) in [shows, sleeps, late].into_iter().zip(&mut refused) {
            *refused += u32::from(clocks.is_refused(machine));
        }
    }
    assert_eq!((refused[0], refused[1]), (0, 0));
    assert!(refused[2] > 0, "{refused:?}");
}

/// CHEAT-08: another game's time begins anew: nothing of the one before counts, a window of it least of all.
#[test]
fn another_game_is_measured_anew() {
    let mut script = Script::new(0);
    assert_eq!(is_fast(script.windows(3, 30, None)), [true, true, true]);
    script.speed.new_game(script.now(), script.host());
    assert!(!script.speed.is_refused() && script.speed.measured().is_none());
    script.lead = 0;
    assert_eq!(is_fast(script.windows(10, 0, None)), [false; 10]);
}

/// CHEAT-15: who was told of as unverified in one game is refused in the next as well, and not told of again.
#[test]
fn another_game_tells_of_nobody_again() {
    let mut script = Script::new(0);
    for game in 0..3 {
        let found = script.windows(10, 15, Some(0));
        let told = found.iter().filter(|found| matches!(found, Finding::Unverified(_))).count();
        assert_eq!((told, found[9] == Finding::Honest), (usize::from(game == 0), false), "game {game}");
        script.speed.new_game(script.now(), script.host());
        script.lead = 0;
    }
}

/// CHEAT-08: a window in which nothing was heard goes on; nothing breaks at either end of the ticks or of time.
#[test]
fn silence_is_not_measured() {
    let mut speed = Speed::new(Moment::START, Tick::ZERO);
    for now in (0..60_000).step_by(33) {
        assert_eq!(speed.measure(Moment::from_millis(now)), None);
    }
    speed.note(Moment::from_millis(60_000), tick(10), tick(10), Way::Stream);
    assert_eq!(speed.measure(Moment::from_millis(60_000)), Some(Finding::Honest));
    for now in [Moment::START, Moment::from_micros(u64::MAX)] {
        for (host, stamp) in [(Tick::ZERO, Tick::LAST), (Tick::LAST, Tick::ZERO), (Tick::LAST, Tick::LAST)] {
            let mut speed = Speed::new(now, host);
            for _ in 0..10 {
                speed.note(now, host, stamp, Way::Stream);
                let _ = speed.measure(Moment::from_micros(u64::MAX));
            }
        }
    }
}

/// CHEAT-08, 43: a window in which the host stalled goes on for two seconds from then, once: it heard too little of it before. One
/// of half a second is no such stall.
#[test]
fn a_window_of_a_stall_goes_on() {
    for (stall, ends) in [(500, [2_000, 4_000]), (600, [3_700, 5_700])] {
        let (mut speed, mut now, mut measured) = (Speed::new(Moment::START, Tick::ZERO), 0, Vec::new());
        while measured.len() < 2 {
            // Of whole hundreds; at 1.1 s it stalls.
            now += if now == 1_100 { stall } else { 100 };
            let host = tick(now * 3 / 100);
            speed.note(Moment::from_millis(now), host, host, Way::Datagram);
            measured.extend(speed.measure(Moment::from_millis(now)).map(|_| now));
        }
        assert_eq!(measured, ends, "{stall}");
    }
    // One that always stalls measures all the same.
    let mut speed = Speed::new(Moment::START, Tick::ZERO);
    let mut measured = Vec::new();
    for now in (1_000..=12_000).step_by(1_000) {
        speed.note(Moment::from_millis(now), tick(now * 3 / 100), tick(now * 3 / 100), Way::Datagram);
        measured.extend(speed.measure(Moment::from_millis(now)).map(|_| now));
    }
    assert_eq!(measured, [3_000, 6_000, 9_000, 12_000]);
}

/// CHEAT-10: machines are told apart, and one that was not added, or left, is neither measured nor refused.
#[test]
fn each_machine_has_its_clock() {
    let machine = |index| Machine::new(index).unwrap();
    let (fast, honest, gone, absent) = (machine(1), machine(127), machine(2), machine(3));
    let mut clocks = Clocks::new();
    for machine in [fast, honest, gone] {
        clocks.add(Moment::START, machine, tick(HOST));
    }
    let mut found = vec![];
    let mut run = |clocks: &mut Clocks, ticks: core::ops::Range<u64>| {
        for count in ticks {
            let (now, host) = (Moment::from_micros(micros_of_ticks(count)), tick(HOST + count));
            for (machine, stamp) in
                [(fast, count * 3 / 2), (gone, count * 3 / 2), (absent, count * 2), (honest, count)]
            {
                clocks.note(now, machine, host, tick(HOST + stamp), Way::Datagram);
            }
            clocks.step(now, |machine, finding| found.push((machine, finding != Finding::Honest)));
        }
        std::mem::take(&mut found)
    };
    assert_eq!(run(&mut clocks, 1..61), [(fast, true), (gone, true), (honest, false)]);
    assert!(clocks.is_refused(fast) && clocks.is_refused(gone) && !clocks.is_refused(honest));
    assert!(!clocks.is_refused(absent) && clocks.measured(absent).is_none());
    clocks.remove(gone);
    assert!(!clocks.is_refused(gone) && clocks.measured(gone).is_none());
    // Who comes to its place is measured from then on.
    let now = Moment::from_micros(micros_of_ticks(61));
    clocks.add(now, gone, tick(HOST + 61));
    assert!(!clocks.is_refused(gone));
    clocks.new_game(now, tick(HOST + 61));
    assert!(!clocks.is_refused(fast) && clocks.measured(honest).is_none());
}

/// CHEAT-08: a steady game's notes and steps allocate nothing, of 127 machines.
#[test]
fn a_steady_tick_allocates_nothing() {
    let mut clocks = Clocks::new();
    Machine::all().skip(1).for_each(|machine| clocks.add(Moment::START, machine, tick(HOST)));
    let mut findings = 0;
    let mut run = |count: u64| {
        let (now, host) = (Moment::from_micros(micros_of_ticks(count)), tick(HOST + count));
        for machine in Machine::all() {
            clocks.note(now, machine, host, tick(HOST + count * 2), Way::Datagram);
            clocks.note(now, machine, host, host, Way::Stream);
        }
        clocks.step(now, |_, _| findings += 1);
    };
    (0..100).for_each(&mut run);
    let allocated = allocation_counter::measure(|| (100..700).for_each(&mut run));
    assert_eq!(allocated.count_total, 0);
    assert!(findings >= 127 * 10);
}
