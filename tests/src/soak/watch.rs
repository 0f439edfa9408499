//! What must hold, looked at after every step of a game. Knows nothing of what goes wrong but who may be lost by it.

mod agreement;
mod bodies;
mod harm;
mod keeping;
mod reliable;
mod scores;
mod seat;

use std::fmt;

use mjolnir_engine_glue::transport::trace::Traced;
use mjolnir_engine_glue::{Client, Host, client, host};
use mjolnir_net_compare::{Verdict, judge};
use mjolnir_wire::{MachineSet, Moment};

use self::agreement::Agreement;
use self::harm::Harm;
use self::keeping::Kept;
use self::reliable::Streams;
use self::scores::Scores;
use self::seat::Seen;
use super::Found;
use super::tally::Tally;
use crate::lab::{Lab, Who};
use crate::seat::Seat;

/// What must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Invariant {
    /// Machines agree, within the tolerances by which two builds are judged, once things are quiet.
    Agreement,
    /// What is sent by a stream is heard exactly once and in order; so are joinings, leavings and the changes of
    /// objects told to the engine.
    Reliable,
    /// No machine's tick goes back, nor the host's as it is heard, and no count.
    Clock,
    /// Nothing grows without bound.
    Growth,
    /// No honest player is refused, or corrected, for longer than a second after a disturbance.
    Refused,
    /// Nobody is lost who was not cut off, and everybody else gets to know.
    Parting,
    /// No machine panics, whatever comes.
    Panic,
    /// Hits add up on both ends.
    Hits,
    /// Who died is known to be dead everywhere, once, and falls.
    Deaths,
}

impl fmt::Display for Invariant {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Agreement => "machines disagree",
            Self::Reliable => "not once and in order",
            Self::Clock => "a clock went back",
            Self::Growth => "something grows",
            Self::Refused => "an honest player is refused",
            Self::Parting => "lost, or not known of",
            Self::Panic => "panicked",
            Self::Hits => "hits do not add up",
            Self::Deaths => "a death is not one",
        })
    }
}

/// See the file's text.
#[derive(Debug)]
pub(super) struct Watch {
    host: Seen,
    clients: Vec<Seen>,
    streams: Streams,
    agreement: Agreement,
    kept: Kept,
    scores: Scores,
    harm: Harm,
    /// Machines that the host's own game was told of and not told gone.
    told_in: MachineSet,
    is_quiet: bool,
    /// The host's streams may be cut, and with them anybody's.
    anybody_may_be_lost: bool,
    traced: Vec<Traced>,
}

impl Watch {
    pub(super) fn new(lab: &mut Lab) -> Self {
        lab.host.net.begin_trace();
        lab.host.network.keep_writes();
        Self {
            host: Seen::new(false),
            clients: Vec::new(),
            streams: Streams::default(),
            agreement: Agreement::default(),
            kept: Kept::default(),
            scores: Scores::default(),
            harm: Harm::default(),
            told_in: MachineSet::NONE,
            is_quiet: false,
            anybody_may_be_lost: false,
            traced: Vec::new(),
        }
    }

    /// A client was seated there, anew or for the first time.
    pub(super) fn seated(&mut self, lab: &mut Lab, place: usize) {
        let seat = &mut lab.clients[place];
        seat.net.begin_trace();
        seat.network.keep_writes();
        self.streams.seated(place);
        self.agreement.seated(place);
        self.harm.seated(place);
        let seen = Seen::new(self.anybody_may_be_lost);
        match self.clients.get_mut(place) {
            Some(known) => *known = seen,
            None => self.clients.push(seen),
        }
    }

    /// That machine's streams may be cut, by the fault that was asked for: of the host's, anybody's.
    pub(super) fn may_be_cut(&mut self, who: Who) {
        match who {
            Who::Host => {
                self.anybody_may_be_lost = true;
                self.clients.iter_mut().for_each(|seen| seen.may_be_lost = true);
            }
            Who::Client(place) => self.clients[place].may_be_lost = true,
        }
    }

    /// That client goes, as was asked for.
    pub(super) fn gone(&mut self, place: usize) {
        self.streams.gone(place);
        self.harm.gone(place);
    }

    /// The host goes, as was asked for.
    pub(super) fn host_is_gone(&mut self) {
        self.is_quiet = false;
        self.may_be_cut(Who::Host);
    }

    /// After a step of that machine.
    pub(super) fn look(&mut self, lab: &mut Lab, who: Who, tally: &mut Tally) -> Found<()> {
        match who {
            Who::Host => self.look_at_host(lab, tally)?,
            Who::Client(place) => self.look_at_client(lab, place, tally)?,
        }
        if self.is_quiet {
            tally.compared += self.agreement.compare(|place| self.clients[place].has_settled)?;
        } else {
            self.agreement.skip();
        }
        Ok(())
    }

    fn look_at_host(&mut self, lab: &mut Lab, tally: &mut Tally) -> Found<()> {
        let now = lab.now();
        let seat = &mut lab.host;
        for (stream, bytes) in seat.network.take_writes() {
            tally.reliable += self.streams.host_wrote(now, stream, &bytes);
        }
        seat.net.take_traced(&mut self.traced);
        for traced in self.traced.drain(..) {
            // Whose stream it is, its address says: an index may have been another's, who does not know it yet.
            let address = traced.machine.and_then(|machine| seat.net.transport().address(machine));
            if let Some(place) = address.and_then(|address| self.streams.place_of(address.real)) {
                let may_be_lost = self.clients[place].may_be_lost;
                self.streams.host_heard(place, &traced, may_be_lost)?;
                self.harm.host_heard(now, place, &traced, self.is_quiet)?;
            }
        }
        self.hear_of_machines(seat)?;
        self.host.look(seat).map_err(|(of, what)| (of, format!("the host {what}")))?;
        self.agreement.host_ticked(&mut seat.recording.views);
        self.kept.follow(lab);
        let transport = lab.host.net.transport();
        let addresses = transport.in_game().iter().filter_map(|machine| transport.address(machine));
        let hear: Vec<usize> = addresses.filter_map(|address| self.streams.place_of(address.real)).collect();
        // Whose power failed has not, whatever its host believes.
        let runs: Vec<bool> = lab.clients.iter().map(|seat| seat.runs).collect();
        let hears = |place: usize| runs[place] && hear.contains(&place) && self.clients[place].has_settled;
        self.harm.host_ticked(lab, hears)?;
        if self.is_quiet {
            self.harm.blows_were_heard(now)?;
            self.streams.nothing_waits(now)?;
            self.kept.refuses_nobody(lab)?;
            self.scores.follow(&lab.host.engine);
        }
        Ok(())
    }

    /// A host is told of each machine once that it is in, and once that it is gone.
    fn hear_of_machines(&mut self, seat: &Seat<Host>) -> Found<()> {
        for (_, notice) in &seat.notices {
            let (machine, comes) = match notice {
                host::Notice::Joined { machine, .. } => (*machine, true),
                host::Notice::Left { machine, .. } => (*machine, false),
                _ => continue,
            };
            if self.told_in.contains(machine) == comes {
                let what = format!("the host was told twice: {notice:?}");
                return Err((Invariant::Reliable, what));
            }
            if comes { self.told_in.insert(machine) } else { self.told_in.remove(machine) }
        }
        Ok(())
    }

    fn look_at_client(&mut self, lab: &mut Lab, place: usize, tally: &mut Tally) -> Found<()> {
        let now = lab.now();
        let seat = &mut lab.clients[place];
        for (stream, bytes) in seat.network.take_writes() {
            tally.reliable += self.streams.client_wrote(now, place, stream, &bytes);
        }
        seat.net.take_traced(&mut self.traced);
        let seen = &mut self.clients[place];
        for traced in self.traced.drain(..) {
            self.streams.client_heard(place, &traced, seen.may_be_lost)?;
        }
        let stage = seat.net.stage();
        let was_in = seen.is_in;
        let ends = seat.notices.iter().find_map(|(_, notice)| match notice {
            client::Notice::Closed { why } => Some(*why),
            _ => None,
        });
        if seen.follow(now, stage) {
            self.harm.client_begins(place);
        }
        self.harm.client_ran(place, seat)?;
        if self.is_quiet && seen.has_settled {
            self.harm.nobody_stands(now, place, seat)?;
        }
        seen.look(seat).map_err(|(of, what)| (of, format!("client {place} {what}")))?;
        self.agreement.client_ticked(place, seat.net.clock().heard(), &mut seat.recording.views);
        if stage == client::Stage::Closed {
            seat.runs = false;
            self.gone(place);
            // Who was not let in yet may have been turned away, or have waited for too long on a bad network.
            if was_in && !self.clients[place].may_be_lost {
                let what = format!("client {place} was lost without a cause: {ends:?}");
                return Err((Invariant::Parting, what));
            }
        }
        Ok(())
    }

    /// From here on everything must be right.
    pub(super) fn quiet_begins(&mut self, lab: &mut Lab) {
        self.is_quiet = true;
        self.anybody_may_be_lost = false;
        self.agreement.begin();
        let now = lab.now();
        lab.host.recording.lines.clear();
        for (seat, seen) in lab.clients.iter_mut().zip(&mut self.clients) {
            seat.recording.lines.clear();
            seen.settles(now);
            seen.may_be_lost = false;
        }
        self.kept.begin(lab);
        self.harm.quiet_begins(now);
        self.scores.clear();
    }

    /// It was quiet: the seconds are judged, and what is kept is weighed.
    pub(super) fn quiet_ends(&mut self, lab: &mut Lab) -> Found<()> {
        let places = 0..lab.clients.len();
        let counts = |place: &usize| {
            lab.clients[*place].runs
                && self.clients[*place].has_settled
                && self.agreement.lead(*place) <= JUDGED_LEAD
        };
        for place in places.filter(counts) {
            let [host, client] = [&lab.host.recording.lines, &lab.clients[place].recording.lines];
            let judgement = judge(&agreement::judged(host, client), &agreement::judged(client, host));
            if judgement.verdict != Verdict::Pass {
                let what = format!("client {place}: {} ({})", judgement.verdict, judgement.figures);
                return Err((Invariant::Agreement, what));
            }
        }
        let there = lab.host.net.transport().machines().without(MachineSet::HOST);
        if self.told_in != there {
            let what = format!("the host was told that {:?} are in, and {there:?} are", self.told_in);
            return Err((Invariant::Parting, what));
        }
        self.kept.weigh(lab)?;
        self.harm.nothing_was_dropped(lab)?;
        let settled = |place: usize| lab.clients[place].runs && self.clients[place].has_settled;
        self.scores.judge(lab, settled)?;
        pings_are_the_hosts(lab)
    }

    /// The host begins a game.
    pub(super) fn game_begins(&mut self) {
        self.host.game_begins();
        self.harm.game_begins();
    }

    /// What became of hits, and of who died.
    pub(super) fn tell_of_harm(&self, lab: &Lab, tally: &mut Tally) {
        self.harm.tell(lab, tally);
    }

    /// Trouble may begin again.
    pub(super) fn trouble_begins(&mut self) {
        self.is_quiet = false;
        self.scores.clear();
    }

    /// Everybody stood for a while: every machine has the same.
    pub(super) fn all_stand(&self, lab: &Lab) -> Found<()> {
        self.harm.every_hit_came(lab)?;
        self.agreement.all_is_alike(lab)
    }
}

/// Each client knows everybody's round trip as the host last said it, or nearly: one that loses nothing, since what is said
/// each two seconds may be lost twice in the five that are quiet.
fn pings_are_the_hosts(lab: &Lab) -> Found<()> {
    let players = || lab.host.net.transport().players();
    let hears_all = |seat: &Seat<Client>| seat.runs && seat.network.faults().loss == 0.0;
    for (place, seat) in lab.clients.iter().enumerate().filter(|(_, seat)| hears_all(seat)) {
        for player in players() {
            let there = lab.host.net.clock().ping_ms(player.machine);
            let (Some(there), Some(here)) = (there, seat.net.authority().ping(player.slot)) else { continue };
            if there.abs_diff(here) > PING_MS {
                let what =
                    format!("client {place} has {here} ms for player {}, not {there}", player.slot.get());
                return Err((Invariant::Agreement, what));
            }
        }
    }
    Ok(())
}

/// A round trip may have changed by so much since it was last said, in milliseconds.
const PING_MS: u16 = 150;

/// A client that is further ahead of its host, in ticks, is not judged at equal ticks: see [`agreement`].
const JUDGED_LEAD: u32 = 2;

/// How long a machine plays before it is watched as closely as any: a second.
const SETTLES: u64 = Moment::SECOND;
