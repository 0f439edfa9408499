//! The packets of a machine that is in (FACT wire 4). Knows who may ask what when.

use mjolnir_wire::address::household;
use mjolnir_wire::limits::MAX_LOCAL_PLAYERS;
use mjolnir_wire::packets::list::AddPlayerIngame;
use mjolnir_wire::packets::settings::MachineName;
use mjolnir_wire::packets::{NetworkPlayer, Packet, StartRequest};
use mjolnir_wire::{Machine, Moment, Tick, names};

use super::standing::Standing;
use super::{Event, Host, Stage};
use crate::error::Error;
use crate::limits::COUNTDOWN_SECONDS;
use crate::roster::Player;
use crate::why::Why;

impl Host {
    pub(super) fn handle_packet(
        &mut self,
        now: Moment,
        tick: Tick,
        machine: Machine,
        packet: &Packet<'_>,
    ) -> Result<(), Error> {
        if let Some(member) = self.members.get_mut(machine) {
            member.traffic.received.messages += 1;
        }
        match packet {
            Packet::JoinRequest(_) => {
                self.remove(tick, machine, Why::Unexpected);
                Err(Error::Unexpected)
            }
            Packet::SettingsRequest(request) => self.rename(machine, &request.name, request.machine),
            Packet::AddPlayerPregame(request) => self.add_player(now, machine, &request.player),
            Packet::AddPlayerRequestIngame(request) => self.add_player(now, machine, &request.player),
            Packet::PlayerSettingsRequest(request) => self.change_player(machine, &request.player),
            Packet::RemovePlayerPregame(request) => self.player_leaves(tick, machine, &request.player),
            Packet::RemovePlayerRequestIngame(request) => self.player_leaves(tick, machine, &request.player),
            Packet::RemovePlayerPostgame(request) => self.player_leaves(tick, machine, &request.player),
            Packet::GameStartRequest(request) => self.count_down(now, request.request),
            Packet::MapPrecached(_) => {
                let is_over = self.stage == Stage::Over;
                if let Some(member) = self.members.get_mut(machine) {
                    member.has_map = true;
                    // Said in the lobby, so that a word of the last game would have come before it.
                    member.may_be_late &= is_over;
                }
                Ok(())
            }
            Packet::Loaded(_) => self.loaded(now, tick, machine),
            Packet::ClientExitPregame(_) | Packet::ClientExitPostgame(_) => {
                self.remove(tick, machine, Why::Left);
                Ok(())
            }
            Packet::ClientSwitchToPregame(_) | Packet::HostCrashed(_) | Packet::JoinNewHost(_) => Ok(()),
            Packet::Search(_) | Packet::Ping(_) | Packet::ClientUpdate(_) => Err(Error::WrongChannel),
            Packet::Advertise(_)
            | Packet::Pong(_)
            | Packet::Accepted(_)
            | Packet::Rejected(_)
            | Packet::SettingsPiece(_)
            | Packet::Countdown(_)
            | Packet::BeginGame(_)
            | Packet::HostExitPregame(_)
            | Packet::PregameKeepAlive(_)
            | Packet::PostgameKeepAlive(_)
            | Packet::GameUpdate(_)
            | Packet::AddPlayerIngame(_)
            | Packet::RemovePlayerIngame(_)
            | Packet::GameOver(_)
            | Packet::HostSwitchToPregame(_)
            | Packet::HostExitPostgame(_) => Err(Error::WrongSender),
        }
    }

    fn rename(&mut self, machine: Machine, name: &MachineName, index: i8) -> Result<(), Error> {
        if index != -1 && index != machine.get() as i8 {
            return Err(Error::NotItsOwn);
        }
        let name = names::clean(name);
        if let Some(member) = self.members.get_mut(machine)
            && member.name != name
        {
            member.name = name;
            self.list_machines();
        }
        Ok(())
    }

    /// In the lobby and in a game, asked either way (NET-78). A request may be on its way while the game begins or ends:
    /// of one that is loaded everybody hears once it has, and one that is over has none who would be told before the
    /// lobby's list.
    pub(super) fn add_player(
        &mut self,
        now: Moment,
        machine: Machine,
        asked: &NetworkPlayer,
    ) -> Result<(), Error> {
        let is_game = match self.stage {
            Stage::Lobby | Stage::Over => false,
            Stage::Loading { .. } | Stage::Playing => true,
        };
        let is_unheard = self.inbox.holds(machine);
        let Some(member) = self.members.get_mut(machine) else {
            return Err(Error::Unexpected);
        };
        // What it said before may be that it lacks the map (MAP-10): its players come once that was heard.
        let waits = match member.standing {
            Standing::Admitted => member.download.is_held || is_unheard,
            // The start crossed its word.
            Standing::Loading { .. } => member.download.is_held,
            Standing::Lobby | Standing::InGame | Standing::Scores => false,
        };
        if is_game && waits {
            return member.wait(machine, asked);
        }
        let address = is_game.then(|| household(member.address.real.ip()));
        let player = *self.roster.add(machine, asked, address)?;
        member.brought = Some(now);
        self.tell_of(player, is_game);
        Ok(())
    }

    /// One more player of the host's own machine, beside [`HostSettings::players`](super::HostSettings::players): its
    /// name and colour are asked for, the rest is given as to any other's. In a game everybody is told. Refused where the
    /// machine has four, or the game is full.
    pub fn add_own_player(&mut self, player: &NetworkPlayer) -> Result<(), Error> {
        let is_game = matches!(self.stage, Stage::Loading { .. } | Stage::Playing);
        let has =
            |controller: &i8| self.roster.of(Machine::HOST).any(|own| own.entry.controller == *controller);
        let controller = (0..MAX_LOCAL_PLAYERS as i8).find(|free| !has(free)).ok_or(Error::TooManyPlayers)?;
        let own = NetworkPlayer { machine: -1, controller, ..*player };
        let player = *self.roster.add(Machine::HOST, &own, None)?;
        self.tell_of(player, is_game);
        Ok(())
    }

    fn tell_of(&mut self, player: Player, is_game: bool) {
        self.is_changed = true;
        self.events.push_back(Event::PlayerAdded { player });
        if is_game {
            self.tell_game(&Packet::AddPlayerIngame(AddPlayerIngame { player: player.entry }));
        }
    }

    fn change_player(&mut self, machine: Machine, asked: &NetworkPlayer) -> Result<(), Error> {
        if self.stage != Stage::Lobby {
            return Err(Error::Unexpected);
        }
        let player = self.roster.change(machine, asked)?;
        self.is_changed = true;
        self.events.push_back(Event::PlayerChanged { player });
        Ok(())
    }

    fn player_leaves(&mut self, tick: Tick, machine: Machine, asked: &NetworkPlayer) -> Result<(), Error> {
        if self.members.get_mut(machine).is_some_and(|member| member.wait_no_more(asked)) {
            return Ok(());
        }
        let slot = self.roster.find(machine, asked)?;
        self.remove_player(tick, slot);
        Ok(())
    }

    /// NET-57: a request to start begins the countdown, one to stop ends it.
    fn count_down(&mut self, now: Moment, request: StartRequest) -> Result<(), Error> {
        if self.stage != Stage::Lobby {
            return Err(Error::Unexpected);
        }
        match request {
            StartRequest::StartNow if self.countdown.is_none() => {
                let end = now.plus(COUNTDOWN_SECONDS as u64 * Moment::SECOND);
                self.countdown = Some((end, COUNTDOWN_SECONDS + 1));
            }
            StartRequest::Stop => self.countdown = None,
            StartRequest::StartNow | StartRequest::PlayerLeft | StartRequest::PlayerJoined => {}
        }
        Ok(())
    }

    /// The machine has loaded: it is told what changed meanwhile, its time is the host's, the game's messages flow.
    fn loaded(&mut self, now: Moment, tick: Tick, machine: Machine) -> Result<(), Error> {
        let Some(member) = self.members.get_mut(machine) else {
            return Err(Error::Unexpected);
        };
        // Of a game that ended while the word was on its way: the machine loads the next one, or is in the lobby.
        if core::mem::take(&mut member.may_be_late) {
            return Err(Error::Unexpected);
        }
        member.standing.load()?;
        member.heard = now;
        member.datagram_heard = now;
        // Of an earlier game, which the machine has forgotten: still missed, it is told so anew.
        member.is_one_path = false;
        member.stamps.begin(tick);
        let held = core::mem::take(&mut member.held);
        member.send_with(&mut self.out, 0, |bytes| bytes.extend_from_slice(&held));
        self.events.push_back(Event::Loaded { machine });
        self.start_if_loaded(now);
        Ok(())
    }
}
