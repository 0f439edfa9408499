//! What happens to the session, told to the engine and to whoever shows it: the lobby, the game's begin and end, who
//! comes and leaves. Knows no message of the game.

use std::mem;

use mjolnir_authority as authority;
use mjolnir_clock as clock;
use mjolnir_coop as coop;
use mjolnir_damage as damage;
use mjolnir_mapshare::client::Standing;
use mjolnir_objects as objects;
use mjolnir_prediction as prediction;
use mjolnir_transport::client::Event;
use mjolnir_wire::limits::MAX_PLAYERS;
use mjolnir_wire::packets::NetworkPlayer;
use mjolnir_wire::{Moment, Slot};

use super::losses::Losses;
use super::{Client, Notice, Stage};
use crate::engine::{Engine, Player, Role};
use crate::sharing::set_map;

impl Client {
    pub(super) fn happened(&mut self, now: Moment, event: Event, engine: &mut impl Engine) {
        match event {
            Event::Accepted { machine, .. } => {
                self.stage = Stage::Lobby;
                self.begin_sharing(now);
                self.notices.push(Notice::Accepted { machine });
            }
            Event::Settings => {
                self.call_roll();
                self.take_map(engine);
            }
            Event::Countdown { seconds } => {
                self.counted = true;
                self.notices.push(Notice::Countdown { seconds });
            }
            Event::Begin { time_low16 } => {
                self.sharing.start = Some(time_low16);
                self.begin_if_waited(now, engine);
            }
            Event::PlayerAdded { player } => {
                self.talking.roll.add(&player);
                if matches!(self.stage, Stage::Loading | Stage::Playing) {
                    self.add_player(&player, engine);
                }
            }
            Event::PlayerRemoved { player, at } => {
                if let Some(slot) = player.slot() {
                    self.talking.roll.remove(slot);
                }
                if let Some(slot) = player.slot().filter(|slot| self.players[slot.index()]) {
                    self.departures.note(slot, at);
                }
            }
            Event::Update { number, tick } => {
                self.clock.handle_update(now, number, tick);
                if self.stage == Stage::Loading {
                    self.stage = Stage::Playing;
                    self.pace = clock::Pace::following(now);
                    self.objects.loaded(self.clock.tick().unwrap_or(tick));
                    self.notices.push(Notice::Began);
                }
            }
            Event::DatagramsLost => {
                self.is_one_path = true;
                self.notices.push(Notice::Datagrams { come: false });
            }
            Event::DatagramsBack => {
                self.is_one_path = false;
                self.notices.push(Notice::Datagrams { come: true });
            }
            Event::Over => {
                if self.stage == Stage::Playing {
                    // What came before it, by which the last kill and the scores that are shown now are the host's.
                    self.hear(now, engine);
                    if let Some(tick) = self.clock.tick() {
                        self.follow_damage(tick, engine);
                    }
                    self.follow_scores(engine);
                }
                // Of a game that never began here there is nothing to end.
                if self.sharing.start.take().is_none() {
                    engine.end();
                }
                (self.stage, self.is_over) = (Stage::Over, true);
                self.notices.push(Notice::Over);
            }
            Event::Lobby => {
                if matches!(self.stage, Stage::Loading | Stage::Playing) {
                    self.is_over = true;
                    engine.end();
                }
                self.stage = Stage::Lobby;
                self.sharing.start = None;
                self.counted = false;
                self.notices.push(Notice::Lobby);
            }
            Event::Closed { why } => {
                // What the host said before it ended the session is read before that: why it did, for one.
                self.hear_outside(now, engine);
                if matches!(self.stage, Stage::Loading | Stage::Playing) {
                    engine.end();
                }
                self.stage = Stage::Closed;
                self.end_sharing(engine);
                self.notices.push(Notice::Closed { why });
            }
        }
    }

    /// The host's start is followed once the map is here (MAP-12): until then this machine is in the lobby.
    pub(super) fn begin_if_waited(&mut self, now: Moment, engine: &mut impl Engine) {
        if self.sharing.start.is_some()
            && self.may_load(engine)
            && let Some(time_low16) = self.sharing.start.take()
        {
            self.begin(now, time_low16, engine);
        }
    }

    /// The host's start: the engine loads, and everything of an earlier game is forgotten.
    fn begin(&mut self, now: Moment, time_low16: u16, engine: &mut impl Engine) {
        // What still waits is the lobby's: what was said there is heard, what is another game's is not.
        self.hear_outside(now, engine);
        let mut earlier = mem::take(&mut self.earlier);
        self.count_game(&mut earlier);
        self.earlier = earlier;
        let Some(record) = self.transport.record() else { return };
        self.scores = authority::ScoresClient::new(record.variant.game_type);
        let file = match self.sharing.maps.standing() {
            Standing::Ready { file } => file,
            _ => None,
        };
        set_map(record, file, engine);
        engine.load(record, Role::Client);
        self.stage = Stage::Loading;
        self.clock = clock::Client::new(now);
        if !self.counted {
            self.clock.begin(time_low16);
        }
        self.pace = clock::Pace::new(now);
        self.authority = authority::Client::new();
        self.prediction = prediction::Client::new();
        self.conduct.begin_game();
        self.losses = Losses::default();
        self.objects = objects::Client::new();
        self.devices = coop::DeviceClient::new();
        self.events = coop::EventClient::new();
        self.damage = damage::Client::new();
        self.own.clear();
        self.players = [false; MAX_PLAYERS];
        self.departures.clear();
        (self.is_silent, self.is_one_path, self.is_unheard) = (false, false, false);
        self.is_over = false;
        self.at_begin = self.counters();
    }

    /// Counts the ticks spent loading (CLOCK-04), and says so once the engine has loaded.
    pub(super) fn load(&mut self, now: Moment, engine: &mut impl Engine) {
        for _ in 0..self.pace.due(now) {
            self.clock.advance();
        }
        if self.transport.is_in_game() || !engine.loaded() {
            return;
        }
        let listed: Vec<NetworkPlayer> =
            self.transport.record().map(|record| record.players().to_vec()).unwrap_or_default();
        for player in &listed {
            self.add_player(player, engine);
        }
        self.transport.loaded(now);
    }

    /// The engine makes a player at its slot.
    fn add_player(&mut self, player: &NetworkPlayer, engine: &mut impl Engine) {
        let (Some(slot), Some(machine)) = (player.slot(), player.machine()) else { return };
        if self.departures.take(slot) {
            // Our hosts give a slot to one player a game; another's may not wait for the last one's leaving.
            self.remove_player(slot, engine);
        }
        if mem::replace(&mut self.players[slot.index()], true) {
            return;
        }
        let name = player.name.to_string();
        let is_own = self.transport.machine() == Some(machine);
        let listed = Player::listed(slot, machine, player, &name, is_own);
        engine.add_player(&listed);
        if listed.local.is_some() {
            self.own.add(slot);
            self.prediction.set_own(self.own.slots());
        }
        self.notices.push(Notice::PlayerJoined { name });
    }

    /// A player leaves the game here.
    pub(super) fn remove_player(&mut self, slot: Slot, engine: &mut impl Engine) {
        self.players[slot.index()] = false;
        if self.own.remove(slot) {
            self.prediction.set_own(self.own.slots());
        }
        self.prediction.forget(slot);
        engine.remove_player(slot);
        self.notices.push(Notice::PlayerLeft { slot });
    }
}
