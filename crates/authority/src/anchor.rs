//! Where a player or a vehicle was that claims are measured from, and how many ticks it may have moved since. Knows no
//! speed and no claim.

use mjolnir_wire::{Tick, Vec3};

/// Ticks after which a newer anchor is chosen (AUTH-12).
pub const ANCHOR_RENEW: u32 = 30;
/// Ticks by which a client's count of time may run ahead of the host's: jitter (AUTH-12).
pub const ANCHOR_JITTER: u32 = 6;
/// Ticks in which a client that stays further ahead is granted one tick more. A path that became shorter so finds
/// its jitter again; a client that lies about its ticks gains a three-hundredth (ours).
pub const LEAD_REGAIN: u32 = 300;
/// Ticks after which what a client was not ahead is no longer its due: one that counted few ticks for a while has not
/// saved them up to run by later (ours). Twice as many at most: a network that held everything back for as long as a
/// stall lasts costs nothing.
pub(crate) const LEAD_WINDOW: u32 = 30;

/// The client's ticks against the host's: how many of them count.
///
/// Counted from where a life began and not from each anchor, so that jitter is not gained anew with each.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lead {
    /// Client tick less host tick, at most.
    most: i32,
    /// When that last grew.
    since: Tick,
    /// The most that it was in this window and in the last, and when this began.
    highest: [i32; 2],
    window: Tick,
}

impl Lead {
    /// From the first prediction of a life.
    pub(crate) const fn new(host: Tick, client: Tick) -> Self {
        let lead = client.since(host);
        Self {
            most: lead.saturating_add(ANCHOR_JITTER as i32),
            since: host,
            highest: [lead; 2],
            window: host,
        }
    }

    /// A prediction was taken. What the client was not ahead for a window is taken off what it may be.
    pub(crate) fn note(&mut self, host: Tick, client: Tick) {
        let lead = client.since(host);
        if host.since(self.window) >= LEAD_WINDOW as i32 {
            self.highest = [lead, self.highest[0]];
            self.window = host;
        }
        self.highest[0] = self.highest[0].max(lead);
        let most = self.highest[0].max(self.highest[1]).saturating_add(ANCHOR_JITTER as i32);
        self.most = self.most.min(most);
    }

    /// The client's tick, no later than it can be.
    const fn counted(&self, host: Tick, client: Tick) -> i32 {
        let most = host.get().saturating_add(self.most);
        if client.get() < most { client.get() } else { most }
    }

    /// The host left out so many ticks, which the client did not.
    pub(crate) fn grant(&mut self, ticks: u32) {
        self.most = self.most.saturating_add_unsigned(ticks);
        self.highest = self.highest.map(|highest| highest.saturating_add_unsigned(ticks));
    }

    /// Grants a tick to a client that has stayed ahead for long.
    pub(crate) fn regain(&mut self, host: Tick, client: Tick) {
        if client.since(host) > self.most && host.since(self.since) >= LEAD_REGAIN as i32 {
            self.most += 1;
            self.since = host;
        }
    }
}

/// A place that the host took of a client, and when.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Anchor {
    /// Where the client had its player.
    pub(crate) place: Vec3,
    /// The highest of the flight it was on.
    pub(crate) top: f32,
    /// An elevator had the player there, or brought it to that height: how high it is was never its client's to say
    /// (AUTH-23).
    pub(crate) levelled: bool,
    host: Tick,
    client: Tick,
    counted: i32,
    /// Ticks that the host left out since.
    granted: i32,
}

impl Anchor {
    pub(crate) const fn new(host: Tick, client: Tick, lead: &Lead, place: Vec3, top: f32) -> Self {
        Self { place, top, levelled: false, host, client, counted: lead.counted(host, client), granted: 0 }
    }

    /// The ticks in which the player may have moved from here: the client's own, no more than the host's and
    /// jitter, no more than its lead grants.
    pub(crate) fn ticks(&self, host: Tick, client: Tick, lead: &Lead) -> u32 {
        let by_host = host.since(self.host).saturating_add(ANCHOR_JITTER as i32).saturating_add(self.granted);
        let by_lead = lead.counted(host, client).saturating_sub(self.counted);
        client.since(self.client).min(by_host).min(by_lead).max(0) as u32
    }

    /// The host left out so many ticks, which the client did not.
    pub(crate) fn grant(&mut self, ticks: u32) {
        self.granted = self.granted.saturating_add_unsigned(ticks);
    }

    /// Moves it to that height, which was never the client's to say (AUTH-23).
    pub(crate) const fn level(&mut self, height: f32) {
        (self.place.z, self.levelled) = (height, true);
    }

    /// Its client's first word on its height since: later ones are measured from there.
    pub(crate) const fn height_told(&mut self, height: f32) {
        if self.levelled {
            (self.place.z, self.levelled) = (height, false);
        }
    }

    /// Whether it has stood for as long as one does.
    pub(crate) const fn is_due(&self, host: Tick) -> bool {
        host.since(self.host) >= ANCHOR_RENEW as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tick(number: i32) -> Tick {
        Tick::new(number).unwrap()
    }

    /// AUTH-12, 64: the client's ticks since the anchor count, no more than the host's and the jitter.
    #[test]
    fn a_clients_ticks_count_as_far_as_the_hosts_and_jitter() {
        let lead = Lead::new(tick(105), tick(100));
        let anchor = Anchor::new(tick(105), tick(100), &lead, Vec3::ZERO, 0.0);
        assert_eq!(anchor.ticks(tick(110), tick(104), &lead), 4);
        assert_eq!(anchor.ticks(tick(110), tick(111), &lead), 11);
        assert_eq!(anchor.ticks(tick(110), tick(112), &lead), 11);
        assert_eq!(anchor.ticks(tick(106), tick(140), &lead), 1 + ANCHOR_JITTER);
        assert_eq!(anchor.ticks(tick(106), Tick::LAST, &lead), 1 + ANCHOR_JITTER);
        assert_eq!(anchor.ticks(tick(106), Tick::ZERO, &lead), 0);
    }

    /// AUTH-12: a client that always says the most gains the jitter once, not with each anchor; after ten seconds
    /// of it a tick.
    #[test]
    fn jitter_is_not_gained_with_each_anchor() {
        let mut lead = Lead::new(Tick::ZERO, Tick::ZERO);
        let mut anchor = Anchor::new(Tick::ZERO, Tick::ZERO, &lead, Vec3::ZERO, 0.0);
        let mut total = 0;
        for second in 1..=9 {
            let (host, client) = (tick(second * 30), tick(second * 300));
            total += anchor.ticks(host, client, &lead);
            lead.regain(host, client);
            anchor = Anchor::new(host, client, &lead, Vec3::ZERO, 0.0);
        }
        assert_eq!(total, 270 + ANCHOR_JITTER);
        lead.regain(tick(299), tick(9000));
        assert_eq!(lead.counted(tick(300), tick(9000)), 306);
        lead.regain(tick(300), tick(9000));
        assert_eq!(lead.counted(tick(300), tick(9000)), 307);
    }

    /// AUTH-12: a host that left out 60 ticks of its own measures a client, which ran them, by as many more; once.
    #[test]
    fn what_the_host_left_out_is_granted() {
        let mut lead = Lead::new(tick(100), tick(100));
        let mut anchor = Anchor::new(tick(100), tick(100), &lead, Vec3::ZERO, 0.0);
        assert_eq!(anchor.ticks(tick(101), tick(162), &lead), 1 + ANCHOR_JITTER);
        lead.grant(60);
        anchor.grant(60);
        assert_eq!(anchor.ticks(tick(101), tick(162), &lead), 62);
        assert_eq!(anchor.ticks(tick(101), Tick::LAST, &lead), 61 + ANCHOR_JITTER);
        let next = Anchor::new(tick(131), tick(192), &lead, Vec3::ZERO, 0.0);
        assert_eq!(next.ticks(tick(132), tick(195), &lead), 3);
        assert_eq!(next.ticks(tick(132), Tick::LAST, &lead), ANCHOR_JITTER);
    }

    /// AUTH-12: a client that counted one tick for ten of the host's for a minute, and two for one from then on, gains what
    /// it saved in the last two windows and the jitter, not the minute; one that was held back for less than a window gets
    /// all of it back.
    #[test]
    fn ticks_are_not_saved_up() {
        let (window, jitter) = (LEAD_WINDOW as i32, ANCHOR_JITTER as i32);
        // Nine in ten of the ticks that it was slow are saved.
        let cases = [(1800, 300, 300 + 2 * window + jitter), (window - 1, 300 + 27, 300 + 27 + jitter)];
        for (slow, least, most) in cases {
            let mut lead = Lead::new(tick(0), tick(0));
            for host in 1..=slow {
                lead.note(tick(host), tick(host / 10));
            }
            let (from, client) = (slow, slow / 10);
            let begun = lead.counted(tick(from), tick(client));
            for host in 1..=300 {
                lead.note(tick(from + host), tick(client + 2 * host));
            }
            let ran = lead.counted(tick(from + 300), tick(client + 600)) - begun;
            assert!((least..=most).contains(&ran), "{slow}: {ran}");
        }
    }

    /// AUTH-12: a newer anchor after 30 ticks, not after 29.
    #[test]
    fn an_anchor_stands_for_a_second() {
        let lead = Lead::new(tick(10), tick(10));
        let anchor = Anchor::new(tick(10), tick(10), &lead, Vec3::ZERO, 0.0);
        assert!(!anchor.is_due(tick(39)));
        assert!(anchor.is_due(tick(40)));
    }
}
