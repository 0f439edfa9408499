//! Fair play at the host: who asks to be let in, what machines say of themselves, and what is to be done about them, in a game
//! and out of it. Knows no rule of it.

use mjolnir_anticheat as anticheat;
use mjolnir_anticheat::aim::{self, Scene};
use mjolnir_anticheat::command::{self, Command, Verb};
use mjolnir_anticheat::speed::Way;
use mjolnir_anticheat::{File, HardwareId, Output, Person, Record, Removal, bans, votes};
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
    /// Those about whom the ban list was asked.
    asked: Vec<Asked>,
    answers: Vec<(u32, bool)>,
    /// Machines that go once what was told is sent.
    to_drop: Vec<(Machine, Removal)>,
    /// The furthest stamp that was heard in this game.
    furthest: Option<Tick>,
    /// The host has left: one frame more, and it is no more.
    pub(super) has_left: bool,
    /// Ticks of this game that this machine left out, by which its clients are ahead of it.
    left_out: u32,
}

/// Somebody about whom the ban list was asked.
#[derive(Clone, Copy, Debug)]
struct Asked {
    ticket: u32,
    person: Person,
    /// A line that was added since refuses it, whatever the list said before.
    is_banned: bool,
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

    /// So many ticks were due and are never run: this machine stalled.
    pub(super) const fn left_out(&mut self, ticks: u32) {
        self.left_out = self.left_out.saturating_add(ticks);
    }

    /// The game is over, whose last tick was that here: the last that its messages bear. Clients are ahead of a host that stalled,
    /// and what they say until they hear of the next game would be of that game's time, and ahead of it.
    pub(super) fn last_stamp(&mut self, own: Tick) -> Tick {
        // A stamp of a stream may be any. What this machine left out in all may be more than datagrams may be ahead at once.
        let most = STAMP_WINDOW.unsigned_abs().saturating_add(std::mem::take(&mut self.left_out));
        match self.furthest.take() {
            Some(furthest) if furthest.since(own) > AHEAD => {
                own.plus(furthest.since(own).unsigned_abs().min(most).saturating_add(ON_ITS_WAY))
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
                Output::Record(record) => self.write_down(&record, game),
                Output::Drop(machine, by) => self.to_drop.push((machine, by)),
            }
        }
    }

    /// A line goes to its file; of those who wait to be let in it counts at once.
    fn write_down(&mut self, record: &Record, game: &mut impl Conduct) {
        if record.file() == File::Bans {
            for asked in &mut self.asked {
                let Person { address, hardware } = &asked.person;
                asked.is_banned |=
                    bans::find(record.body().as_bytes(), *address, hardware.as_ref()).is_some();
            }
        }
        game.record(record);
    }
}

fn say(to: MachineSet, text: &session::Notice, outbox: &mut Outbox) {
    // A text of its length fits any message.
    let _ = outbox.message(to, Kind::Notice, 0, |bytes| text.write(bytes));
}

/// Who is behind a machine: by where its bytes really go, never by what is shown of it (GLUE-25).
fn person(address: PeerAddress, hardware_id: &[u8; 32]) -> Person {
    Person { address: Some(address.real.ip()), hardware: HardwareId::heard(hardware_id) }
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
        // Who was banned just now is, for this one already.
        self.write_down(game);
        let person = person(address, hardware_id);
        let ticket = stream.0;
        let is_banned = match self.judging.conduct.is_kept_out(now, &person) {
            true => Some(true),
            false => game.ask_bans(&anticheat::Asker { ticket, person }),
        };
        match is_banned {
            Some(is_banned) => self.answer(now, stream, is_banned),
            None => {
                // Who is gone meanwhile is forgotten, so that an answer that never comes is of no more than can wait.
                let Self { judging, transport, .. } = self;
                judging.asked.retain(|asked| transport.is_asking(StreamId(asked.ticket)));
                judging.asked.push(Asked { ticket, person, is_banned: false });
            }
        }
    }

    /// A machine was let in.
    pub(super) fn let_in(
        &mut self,
        now: Moment,
        machine: Machine,
        address: PeerAddress,
        hardware_id: &[u8; 32],
    ) {
        self.judging.conduct.join(now, machine, person(address, hardware_id), self.game_tick());
    }

    /// How many wait to be let in until it is known whether they are banned.
    pub const fn asking(&self) -> usize {
        self.judging.asked.len()
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
            let Some(at) = self.judging.asked.iter().position(|asked| asked.ticket == ticket) else {
                continue;
            };
            let asked = self.judging.asked.swap_remove(at);
            // Who was banned or voted out meanwhile is kept out.
            let is_banned =
                is_banned || asked.is_banned || self.judging.conduct.is_kept_out(now, &asked.person);
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

    /// In each frame of a game: what is to be written down is, whether or not another tick comes.
    pub(super) fn write_down(&mut self, game: &mut impl Conduct) {
        while let Some(record) = self.judging.conduct.next_record() {
            self.judging.write_down(&record, game);
        }
    }

    /// Outside a game: what a console or a scoreboard was told is done.
    pub(super) fn judge_outside(&mut self, machines: MachineSet, game: &mut impl Conduct) {
        self.judging.carry_out(machines, &mut self.outbox, &mut self.notices, game);
    }

    /// Who is to go goes, after it was told why.
    pub(super) fn drop_judged(&mut self) {
        let tick = self.clock.tick();
        for (machine, by) in self.judging.to_drop.drain(..) {
            if self.transport.machines().contains(machine) {
                self.notices.push(Notice::Removed { machine, by });
                self.transport.kick(tick, machine);
            }
        }
    }

    /// In each frame: the host's own mouse is as everybody's (CHEAT-45).
    pub(super) fn hold_mouse(&self, game: &mut impl Conduct) {
        let scene = match self.stage {
            // What its engine does next is no game of this host's, and nobody says so once this is gone.
            _ if self.judging.has_left => Scene::Menu,
            Stage::Playing => Scene::Network,
            Stage::Loading => Scene::Loading,
            Stage::Lobby | Stage::Over => Scene::Menu,
        };
        let policy = self.judging.conduct.aim_assist();
        game.block_mouse(aim::is_mouse_blocked(scene, policy, 0, &game.aiming()));
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_anticheat::{Asker, Player};
    use mjolnir_transport::HostSettings;
    use mjolnir_wire::packets::SettingsRecord;
    use mjolnir_wire::packets::player::Name;

    use super::*;

    /// A game that is asked, bans nobody and keeps what it is to write down.
    #[derive(Default)]
    struct Kept {
        asked: Vec<Asker>,
        lines: Vec<String>,
    }

    impl Conduct for Kept {
        fn ask_bans(&mut self, asker: &Asker) -> Option<bool> {
            self.asked.push(*asker);
            Some(false)
        }

        fn record(&mut self, record: &Record) {
            self.lines.push(record.body().to_owned());
        }
    }

    const AT: Moment = Moment::from_millis(5_000);

    /// A peer behind a tunnel: shown at one address, and really at another.
    fn peer(shown: u8, real: u8) -> PeerAddress {
        let at = |text: String| text.parse().expect("an address");
        PeerAddress {
            shown: at(format!("100.64.0.{shown}:5150")),
            real: at(format!("203.0.113.{real}:41000")),
        }
    }

    fn machine(index: u8) -> Machine {
        Machine::new(index).expect("a machine")
    }

    fn slot(index: u8) -> Slot {
        Slot::new(index).expect("a slot")
    }

    /// A host in which those peers are machines 1, 2 and so on, each with a player, and votes take no minutes.
    fn host(peers: &[PeerAddress]) -> Host {
        let mut host = Host::new(Moment::START, HostSettings::new(SettingsRecord::empty()));
        host.set_votes(AT, votes::Settings { minutes: 0, ..votes::Settings::default() });
        for (index, address) in (1..).zip(peers) {
            host.let_in(AT, machine(index), *address, &[0; 32]);
        }
        let players = (1..).take(peers.len()).map(|index| Player {
            slot: slot(index),
            machine: machine(index),
            name: Name::cut(&format!("P{index}")),
        });
        host.judging.conduct.set_players(players);
        host
    }

    /// NET-11: the last stamp of a game is the furthest that was heard, and what is on its way: but no further than datagrams may be
    /// ahead at once, and than this machine left out besides, in that game.
    #[test]
    fn a_game_ends_with_its_clients_last_stamp() {
        let at = |tick| Tick::new(tick).expect("a tick");
        let own = at(1000);
        for (heard, left_out, last) in [
            (None, 600, 1000),
            (Some(900), 0, 1000),
            (Some(1003), 0, 1000),
            (Some(1004), 0, 1064),
            (Some(1450), 0, 1510),
            (Some(i32::MAX), 0, 1510),
            (Some(1540), 0, 1510),
            (Some(1540), 540, 1600),
            (Some(1990), 540, 2050),
            (Some(i32::MAX), 540, 2050),
            (Some(i32::MAX), u32::MAX, i32::MAX),
        ] {
            let mut judging = Judging { furthest: heard.map(at), ..Judging::default() };
            // As it stalls more than once.
            judging.left_out(left_out / 2);
            judging.left_out(left_out - left_out / 2);
            assert_eq!(judging.last_stamp(own), at(last), "{heard:?} {left_out}");
            judging.furthest = Some(at(i32::MAX));
            assert_eq!(judging.last_stamp(own), at(1510), "nothing is left of the game before");
        }
    }

    /// GLUE-25: a peer that is shown at another address than its own is asked about, written down and kept out by its own.
    #[test]
    fn a_peer_is_known_by_its_real_address() {
        let (mut host, mut game) = (host(&[peer(1, 7), peer(2, 8), peer(3, 9)]), Kept::default());
        let outside = |host: &mut Host, game: &mut Kept| host.judge_outside(MachineSet::NONE, game);
        host.asked(AT, StreamId(5), peer(4, 10), &[0; 32], &mut game);
        assert_eq!(game.asked[0].person.address, "203.0.113.10".parse().ok());
        host.act(AT, Verb::Ban, slot(1)).expect("it is there");
        outside(&mut host, &mut game);
        assert!(game.lines[0].starts_with("ip=203.0.113.7\t"), "{:?}", game.lines);
        // The one that is left of three and another vote: that takes two of two, and the third goes.
        for from in [2, 1] {
            let _ = host.judging.conduct.handle_vote(AT, machine(from), slot(3));
        }
        assert_eq!(host.vote(AT).votes, 1, "who is to go has no vote");
        host.judging.conduct.leave(AT, machine(3));
        let asked = game.asked.len();
        host.asked(AT, StreamId(6), peer(44, 9), &[0; 32], &mut game);
        assert_eq!(game.asked.len(), asked, "it is kept out whatever it is shown as, and nobody is asked");
        host.asked(AT, StreamId(7), peer(3, 44), &[0; 32], &mut game);
        assert_eq!(game.asked.len(), asked + 1, "who is shown as it was is another");
    }

    /// GLUE-25: votes are told apart by real addresses: two that are shown as one have two, two behind one have one.
    #[test]
    fn votes_are_of_real_addresses() {
        for (peers, votes) in [
            ([peer(1, 7), peer(1, 8), peer(2, 9), peer(3, 10), peer(4, 11)], 2),
            ([peer(1, 7), peer(2, 7), peer(3, 9), peer(4, 10), peer(5, 11)], 1),
        ] {
            let mut host = host(&peers);
            for from in [1, 2] {
                let _ = host.judging.conduct.handle_vote(AT, machine(from), slot(3));
            }
            assert_eq!(host.vote(AT).votes, votes, "{peers:?}");
        }
    }
}
