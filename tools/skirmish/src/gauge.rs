//! What the netcode's calls cost: time, processor time and allocations. Knows no game.

use std::time::Instant;

use rustix::time::{ClockId, clock_gettime};

/// What the calls of one thread cost so far.
#[derive(Clone, Debug, Default)]
pub struct Gauge {
    /// Microseconds of each tick's calls, if they are kept.
    pub ticks_us: Vec<f64>,
    /// Processor time of all calls, in microseconds.
    pub cpu_us: f64,
    /// Allocations in the calls that were counted, and the ticks of those.
    pub allocations: u64,
    /// See [`Gauge::allocations`].
    pub counted_ticks: u32,
    /// Whether allocations are counted now.
    pub counting: bool,
    keeps: bool,
    tick_us: f64,
}

impl Gauge {
    /// Nothing yet. `keeps` says whether every tick's time is kept, which a game without an end cannot have.
    pub fn new(keeps: bool) -> Self {
        Self { keeps, ..Self::default() }
    }

    /// Runs a call of the netcode and adds what it cost to the present tick.
    pub fn around<T>(&mut self, call: impl FnOnce() -> T) -> T {
        let (began, cpu) = (Instant::now(), thread_us());
        let mut result = None;
        let counted = allocation_counter::measure(|| result = Some(call()));
        self.cpu_us += thread_us() - cpu;
        self.tick_us += began.elapsed().as_secs_f64() * 1e6;
        if self.counting {
            self.allocations += counted.count_total;
        }
        match result {
            Some(result) => result,
            None => unreachable!("the call was run"),
        }
    }

    /// Ends a tick.
    pub fn tick(&mut self) {
        let tick_us = std::mem::take(&mut self.tick_us);
        if self.keeps {
            self.ticks_us.push(tick_us);
        }
        self.counted_ticks += u32::from(self.counting);
    }
}

/// Processor time of this thread, in microseconds.
fn thread_us() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// Memory that the process holds, in bytes; 0 where the platform does not tell.
pub fn resident_bytes() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").ok();
    let resident = pages.and_then(|text| text.split(' ').nth(1)?.parse::<u64>().ok());
    resident.unwrap_or(0) * rustix::param::page_size() as u64
}
