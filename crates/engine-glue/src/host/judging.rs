//! Fair play at the host: who asks to be let in, what machines say of themselves, and what is to be done about them, in a game
//! and out of it. Knows no rule of it.

use mjolnir_anticheat as anticheat;
use mjolnir_anticheat::aim::{self, Scene};
use mjolnir_anticheat::command::{self, Command, Verb};
use mjolnir_anticheat::speed::Way;
use mjolnir_anticheat::{HardwareId, Output, Person, votes};
use mjolnir_transport::{Channel, PeerAddress, Received, STAMP_WINDOW, StreamId};
use mjolnir_wire::identity::Identity;
use mjolnir_wire::packets::Rejection;
use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::session;
use mjolnir_wire::votekick::{Votekick, VotekickStatus};
use mjolnir_wire::{Kind, Machine, MachineSet, Moment, Outbox, Slot, Tick};

use super::{Host, Notice, Stage};
use crate::conduct::Conduct;
use crate::notices::Notices;
use crate::refusing::{Refusing, take};

/// So many ticks a client may be ahead of a host that did not stall: by its clock's drift, and where its ticks fall.
const AHEAD: i32 = 3;
/// Ticks that a client counts at most while it is on its way to it that its game is over: two seconds.
const ON_ITS_WAY: u32 = 60;

/// See the file's text. It outlives games, as those do who are kept out.
#[derive(Debug, Default)]
pub(super) struct Judging {
    pub(super) conduct: anticheat::Host,
    /// Those about whom the ban list was asked, by their tickets.
    asked: Vec<(u32, Person)>,
    answers: Vec<(u32, bool)>,
    /// Machines that go once what was told is sent.
    to_drop: Vec<Machine>,
    /// The furthest stamp that was heard in this game.
    furthest: Option<Tick>,
}

impl Judging {
    /// Hears a message if it is of fair play; whether it is. Of every message the stamp is looked at (CHEAT-08).
    pub(super) fn hear(
        &mut self,
        now: Moment,
        tick: Tick,
        received: &Received<'_>,
        refused: &mut Refusing,
    ) -> bool {
        let Received { from, channel, message } = received;
        let way = match channel {
            Channel::Stream => Way::Stream,
            Channel::Datagram => Way::Datagram,
        };
        self.conduct.note(now, tick, *from, way, message.tick);
        self.furthest = self.furthest.max(Some(message.tick));
        match (message.kind, channel) {
            // CHEAT-10, 11: its players go as its input and the host's own ticks have them.
            (Kind::PlayerPrediction | Kind::VehiclePrediction, _) if self.conduct.is_refused(*from) => {
                refused.count(anticheat::CLOCK_REFUSED);
            }
            (Kind::ClientIdentity, Channel::Stream) => {
                for identity in Identity::read_all(message) {
                    take(refused, identity, |identity| {
                        self.conduct.handle_identity(*from, identity);
                        Ok(())
                    });
                }
            }
            (Kind::Votekick, Channel::Stream) => {
                for vote in Votekick::read_all(message) {
                    take(refused, vote, |vote| {
                        self.conduct.handle_vote(now, *from, vote.slot).map_err(votes::Refusal::reason)
                    });
                }
            }
            _ => return false,
        }
        true
    }

    /// The game is over, whose last tick was that here: the last that its messages bear. Clients are ahead of a host that stalled,
    /// and what they say until they hear of the next game would be of that game's time, and ahead of it.
    pub(super) fn last_stamp(&mut self, own: Tick) -> Tick {
        match self.furthest.take() {
            // A stamp of a stream may be any.
            Some(furthest) if furthest.since(own) > AHEAD => {
                own.plus(furthest.since(own).min(STAMP_WINDOW).unsigned_abs() + ON_ITS_WAY)
            }
            _ => own,
        }
    }

    /// Does what is to be done: tells those machines, the host's own screen and its files.
    fn carry_out(
        &mut self,
        machines: MachineSet,
        outbox: &mut Outbox,
        notices: &mut Notices<Notice>,
        game: &mut impl Conduct,
    ) {
        while let Some(output) = self.conduct.next_output() {
            match output {
                Output::Announce(text) => {
                    say(machines, &text, outbox);
                    notices.push(Notice::Said { text: text.as_str().into() });
                }
                Output::Tell(Machine::HOST, text) => {
                    notices.push(Notice::Said { text: text.as_str().into() });
                }
                Output::Tell(machine, text) => say(MachineSet::only(machine), &text, outbox),
                Output::Record(record) => game.record(&record),
                Output::Drop(machine) => self.to_drop.push(machine),
            }
        }
    }
}

fn say(to: MachineSet, text: &session::Notice, outbox: &mut Outbox) {
    // A text of its length fits any message.
    let _ = outbox.message(to, Kind::Notice, 0, |bytes| text.write(bytes));
}

impl Host {
    /// What the host wants of votes: `network.votekick*`.
    pub fn set_votes(&mut self, now: Moment, settings: votes::Settings) {
        self.judging.conduct.set_votes(now, settings);
    }

    /// Whether mice have their magnetism in games of this host: `network.aim_assist` (CHEAT-45).
    pub const fn set_aim_assist(&mut self, policy: AimAssistPolicy) {
        self.judging.conduct.set_aim_assist(policy);
    }

    /// What the host's console was told: `kick`, `ban` or `votekick`, and a name. Why it means nobody is a notice too.
    pub fn command(&mut self, now: Moment, command: &Command<'_>) -> Result<(), command::Error> {
        self.judging.conduct.command(now, command)
    }

    /// What the host's scoreboard was told about a player (CHEAT-41).
    pub fn act(&mut self, now: Moment, verb: Verb, slot: Slot) -> Result<(), command::Error> {
        self.judging.conduct.act(now, verb, slot)
    }

    /// How the vote stands that runs, for the host's own scoreboard.
    pub fn vote(&self, now: Moment) -> VotekickStatus {
        self.judging.conduct.vote(now)
    }

    /// Fair play: who is kept out, whose clock goes how fast.
    pub const fn conduct(&self) -> &anticheat::Host {
        &self.judging.conduct
    }

    /// Somebody asks to be let in (NET-34, CHEAT-26).
    pub(super) fn asked(
        &mut self,
        now: Moment,
        stream: StreamId,
        address: PeerAddress,
        hardware_id: &[u8; 32],
        game: &mut impl Conduct,
    ) {
        let hardware = HardwareId::heard(hardware_id);
        let person = Person { address: Some(address.real.ip()), hardware };
        let ticket = stream.0;
        let is_banned = match self.judging.conduct.is_kept_out(now, &person) {
            true => Some(true),
            false => game.ask_bans(&anticheat::Asker { ticket, person }),
        };
        match is_banned {
            Some(is_banned) => self.answer(now, stream, is_banned),
            None => self.judging.asked.push((ticket, person)),
        }
    }

    /// What is known by now of those who wait to be let in.
    pub(super) fn take_answers(&mut self, now: Moment, game: &mut impl Conduct) {
        if self.judging.asked.is_empty() {
            return;
        }
        let mut answers = std::mem::take(&mut self.judging.answers);
        answers.clear();
        game.take_ban_answers(&mut answers);
        for (ticket, is_banned) in answers.drain(..) {
            let asked = self.judging.asked.iter().position(|(asked, _)| *asked == ticket);
            let Some(at) = asked else { continue };
            let (_, person) = self.judging.asked.swap_remove(at);
            // Who was voted out meanwhile is kept out.
            let is_banned = is_banned || self.judging.conduct.is_kept_out(now, &person);
            self.answer(now, StreamId(ticket), is_banned);
        }
        self.judging.answers = answers;
    }

    fn answer(&mut self, now: Moment, stream: StreamId, is_banned: bool) {
        let answer = if is_banned { Err(Rejection::Blacklisted) } else { Ok(()) };
        // One that is gone meanwhile needs none.
        let _ = self.transport.answer(now, self.clock.tick(), stream, answer);
    }

    /// With a tick: judges, and tells the machines of the game.
    pub(super) fn judge(&mut self, now: Moment, game: &mut impl Conduct) {
        let machines = self.transport.in_game();
        self.judging.conduct.step(now, machines);
        self.judging.conduct.tell(now, machines, &mut self.outbox);
        self.judging.carry_out(machines, &mut self.outbox, &mut self.notices, game);
    }

    /// Outside a game: what a console or a scoreboard was told is done.
    pub(super) fn judge_outside(&mut self, machines: MachineSet, game: &mut impl Conduct) {
        self.judging.carry_out(machines, &mut self.outbox, &mut self.notices, game);
    }

    /// Who is to go goes, after it was told why.
    pub(super) fn drop_judged(&mut self) {
        let tick = self.clock.tick();
        for machine in self.judging.to_drop.drain(..) {
            self.transport.kick(tick, machine);
        }
    }

    /// In each frame: the host's own mouse is as everybody's (CHEAT-45).
    pub(super) fn hold_mouse(&self, game: &mut impl Conduct) {
        let scene = match self.stage {
            Stage::Playing => Scene::Network,
            Stage::Loading => Scene::Loading,
            Stage::Lobby | Stage::Over => Scene::Menu,
        };
        let policy = self.judging.conduct.aim_assist();
        game.block_mouse(aim::is_mouse_blocked(scene, policy, 0, &game.aiming()));
    }
}
