//! The chat script: the last two players ride together, each machine's player says lines to everyone, its team and its vehicle,
//! and the host mutes, refuses links and turns the chat off and on around more of them (TOOL-14 to 18). Knows no machine: what
//! one is to say it hands on.

use mjolnir_engine_glue::chat::{Channel, Settings};
use mjolnir_wire::{Machine, Slot};

use super::reins::Rein;
use super::steps::{Step, Who};
use crate::game::{Role, World};
use crate::speech::Speech;

/// Ticks before its begin from which on the two press nothing that puts them out: what they pressed is on its way. Ours.
const BEFORE: i64 = 30;
/// Ticks for which the seats wait for who is dead, or for a vehicle. Ours.
const WAITS: i64 = 60;
/// Ticks from its begin to the first lines: by then a client has its seat. Ours.
const SPEAKS: i64 = 90;
/// Ticks from one step to the next, in which a machine gets leave for one more line (CHAT-04), and a word goes there and back
/// on any network that a game is played on. Ours.
const STEP: i64 = 45;

/// What is done at a step.
#[derive(Clone, Copy, Debug)]
enum Does {
    /// Each machine's player says that to everyone.
    Says(&'static str),
    /// It says one to everyone, one to its team, one to its vehicle.
    SaysThree,
    /// It says that, a client in spite of what it knows of the host's settings.
    Forces(&'static str),
    /// The host mutes the last player for a minute.
    Mutes,
    Unmutes,
    /// The same as its scoreboard does.
    MutesForEveryone,
    UnmutesForEveryone,
    /// The host lets players say that.
    Allows(Settings),
    /// The last player's machine mutes the host's for itself, as its scoreboard does.
    MutesTheHost,
}

/// The steps after the seats, in order.
const STEPS: [Does; 15] = [
    Does::SaysThree,
    Does::Mutes,
    Does::Says("while one is muted"),
    Does::Unmutes,
    Does::Says("nobody is muted"),
    Does::Forces("see www.example.com"),
    Does::Allows(Settings::Off),
    Does::Says("while the chat is off"),
    Does::Allows(Settings::On),
    Does::Says("the chat is on again"),
    Does::MutesForEveryone,
    Does::Says("while one is muted for everyone"),
    Does::UnmutesForEveryone,
    Does::MutesTheHost,
    Does::Says("while one machine mutes the host"),
];

/// What is left of its two players' own input so many ticks after it began.
pub(super) fn rein(since: i64) -> Option<Rein> {
    (-BEFORE..SPEAKS + STEP).contains(&since).then_some(Rein::LetsGo)
}

/// See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Chat {
    at: i64,
    who: Who,
    /// Whom it seats, the last first, and what the last is called; as it begins.
    pair: [Option<Slot>; 2],
    last: String,
    seat: Step,
    next: usize,
}

impl Chat {
    /// One that begins at that tick.
    pub(super) fn new(at: i64) -> Self {
        Self {
            at,
            who: Who::since(-at.min(BEFORE)),
            pair: [None; 2],
            last: String::new(),
            seat: Step::new(0, WAITS),
            next: 0,
        }
    }

    /// The same before another game.
    pub(super) fn anew(&self) -> Self {
        Self::new(self.at)
    }

    /// Whom it seats, and when it begins.
    pub(super) fn began(&self) -> Option<([Option<Slot>; 2], i64)> {
        self.who.known().map(|_| (self.pair, self.at))
    }

    /// Does what is due before that tick is simulated, of the machine of those players: it seats where the world decides, and
    /// has the machine's player say the rest. What it did.
    pub(super) fn run(
        &mut self,
        tick: i64,
        own: &[Slot],
        world: &mut World,
        speeches: &mut Vec<Speech>,
    ) -> Vec<String> {
        let since = tick - self.at;
        let is_host = world.role() == Role::Host;
        let last = match self.who.at(since, world) {
            Ok(last) => last,
            Err(why) => return why.filter(|_| is_host).into_iter().map(str::to_owned).collect(),
        };
        if self.pair[0].is_none() {
            let before = world.players().filter(|(slot, player)| !player.left && *slot < last).last();
            self.pair = [Some(last), before.map(|(slot, _)| slot)];
            self.last = name(world, last);
            if world.role() == Role::Local {
                self.next = STEPS.len();
                return vec!["nobody else is there to talk to".to_owned()];
            }
        }
        let mut said = Vec::new();
        if is_host {
            let mut seat = self.seat;
            said.extend(seat.run(since, || self.pair_in(world)));
            self.seat = seat;
        }
        while let Some(does) = STEPS.get(self.next)
            && since >= SPEAKS + STEP * self.next as i64
        {
            self.next += 1;
            said.extend(self.step(*does, is_host, own, world, speeches));
        }
        said
    }

    /// The last two sit in one vehicle.
    fn pair_in(&self, world: &mut World) -> Result<String, String> {
        let [Some(last), before] = self.pair else { return Err(String::new()) };
        let Some(before) = before else { return Err(format!("{} has nobody to ride with", self.last)) };
        let names = format!("{} and {}", name(world, before), self.last);
        match world.seat_together([last, before]) {
            Ok(vehicle) => Ok(format!("{names} ride {}", world.named(vehicle))),
            Err(why) => Err(format!("{names} do not ride together: {why}")),
        }
    }

    /// What a machine does at a step; none where it is another's to do.
    fn step(
        &self,
        does: Does,
        is_host: bool,
        own: &[Slot],
        world: &World,
        speeches: &mut Vec<Speech>,
    ) -> Option<String> {
        let me = own.iter().min().map(|slot| name(world, *slot));
        let mut say = |speech: Speech| speeches.push(speech);
        let host = Machine::HOST;
        Some(match does {
            Does::Says(text) => {
                let me = me?;
                say(Speech::Type(Channel::All, text.into()));
                format!("{me} says \"{text}\"")
            }
            Does::SaysThree => {
                let me = me?;
                for (channel, text) in [
                    (Channel::All, "to everyone"),
                    (Channel::Team, "to the team"),
                    (Channel::Vehicle, "to the vehicle"),
                ] {
                    say(Speech::Type(channel, text.into()));
                }
                format!("{me} says a line to everyone, one to the team and one to the vehicle")
            }
            Does::Forces(text) => {
                let me = me?;
                say(Speech::Force(text.into()));
                format!("{me} says \"{text}\", past its own check")
            }
            Does::Mutes if is_host => {
                say(Speech::Type(Channel::All, format!("/mute {} 1", self.last)));
                format!("{} is muted for a minute", self.last)
            }
            Does::Unmutes if is_host => {
                say(Speech::Type(Channel::All, format!("/unmute {}", self.last)));
                format!("{} is no longer muted", self.last)
            }
            Does::MutesForEveryone if is_host => {
                say(Speech::MuteAll(self.last.clone(), true));
                format!("{} is muted for everyone", self.last)
            }
            Does::UnmutesForEveryone if is_host => {
                say(Speech::MuteAll(self.last.clone(), false));
                format!("{} is no longer muted for everyone", self.last)
            }
            Does::Allows(settings) if is_host => {
                say(Speech::Allow(settings));
                format!("the text chat is {}", if settings == Settings::Off { "off" } else { "on" })
            }
            Does::MutesTheHost if self.pair[0].is_some_and(|last| own.contains(&last)) => {
                let of_host = world.players().find(|(_, player)| !player.left && player.machine == host);
                let Some((_, of_host)) = of_host else {
                    return Some("nobody plays at the host: this machine mutes nobody".into());
                };
                say(Speech::MuteHere(of_host.name.clone(), true));
                format!("{} is muted on this machine", of_host.name)
            }
            _ => return None,
        })
    }
}

fn name(world: &World, slot: Slot) -> String {
    world.player(slot).map(|player| player.name.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::{Buttons, Input, Tick};

    use super::super::Scripts;
    use super::*;
    use crate::game::{Kind, Map, Tuning};

    fn slot(index: u8) -> Slot {
        Slot::new(index).unwrap()
    }

    /// A car, and three players far from it, each of a machine of its own.
    fn world(role: Role) -> World {
        let text = "bounds -90 -90 -5 90 90 30\nbox -94 -94 -1 94 94 0\nitem car 50 50 0.5\nspawn 0 0 0 0\n\
                    spawn 30 0 0 0\nspawn -30 0 0 0";
        let mut world = World::new(&Map::parse(text).unwrap(), 1, Tuning::default());
        world.set_role(Role::Host);
        for (index, name) in [(0, "Ann"), (1, "Bob"), (2, "Cid")] {
            world.join(slot(index), name, Machine::new(index).unwrap(), None);
        }
        world.step(Tick::ZERO.next());
        world.set_role(role);
        world
    }

    /// Plays a machine's script from the tick 2 on to that tick: what it did, and at which tick it had what said.
    fn play(
        world: &mut World,
        scripts: &mut Scripts,
        own: &[Slot],
        to: i32,
        mut each: impl FnMut(i32, &mut World),
    ) -> (Vec<String>, Vec<(i32, Speech)>) {
        let (mut said, mut speeches) = (Vec::new(), Vec::new());
        for number in world.tick().get() + 1..=to {
            let tick = Tick::new(number).unwrap();
            scripts.run(tick, true, own, Some(world));
            said.extend(scripts.take_said());
            speeches.extend(scripts.take_speeches().into_iter().map(|speech| (number, speech)));
            world.step(tick);
            each(number, world);
        }
        (said, speeches)
    }

    fn typed(channel: Channel, text: &str) -> Speech {
        Speech::Type(channel, text.into())
    }

    /// TOOL-14, 15, 16, 17, 18: on the host the last two players ride together from the second asked for, and from three seconds
    /// later on it says and does each step a second and a half after the one before. Each is told.
    #[test]
    fn the_host_has_each_step_on_time() {
        let mut world = world(Role::Host);
        let mut scripts = Scripts::default().with_chat(2.0);
        assert!(scripts.wait_for_all());
        let (mut rode, mut shares) = (None, false);
        let (said, speeches) = play(&mut world, &mut scripts, &[slot(0)], 1000, |number, world| {
            let rides = [1, 2].map(|of| world.ride(world.unit(slot(of)).unwrap()).map(|(of, _)| of));
            if rides.iter().any(Option::is_some) {
                rode.get_or_insert(number);
                shares = rides[0] == rides[1] && world.kind(rides[0].unwrap()) == Some(Kind::Car);
            }
        });
        assert_eq!((rode, shares), (Some(60), true));
        let everyone = |text: &str| typed(Channel::All, text);
        let cid = || "Cid".to_owned();
        assert_eq!(
            speeches,
            [
                (150, everyone("to everyone")),
                (150, typed(Channel::Team, "to the team")),
                (150, typed(Channel::Vehicle, "to the vehicle")),
                (195, everyone("/mute Cid 1")),
                (240, everyone("while one is muted")),
                (285, everyone("/unmute Cid")),
                (330, everyone("nobody is muted")),
                (375, Speech::Force("see www.example.com".into())),
                (420, Speech::Allow(Settings::Off)),
                (465, everyone("while the chat is off")),
                (510, Speech::Allow(Settings::On)),
                (555, everyone("the chat is on again")),
                (600, Speech::MuteAll(cid(), true)),
                (645, everyone("while one is muted for everyone")),
                (690, Speech::MuteAll(cid(), false)),
                (780, everyone("while one machine mutes the host")),
            ]
        );
        let car = world.objects().find(|id| world.kind(*id) == Some(Kind::Car)).unwrap();
        assert_eq!(said[0], format!("chat script at tick 60: Bob and Cid ride {}", world.named(car)));
        assert_eq!(said.len(), 15);
        assert_eq!(said[2], "chat script at tick 195: Cid is muted for a minute");
        assert_eq!(said[6], "chat script at tick 375: Ann says \"see www.example.com\", past its own check");
        assert_eq!(said[14], "chat script at tick 780: Ann says \"while one machine mutes the host\"");
    }

    /// TOOL-14, 18: a client seats and mutes nobody for the host: its player says its lines, a link past its own check, and only
    /// the last player's machine mutes the host's. No more than five lines at once, and one more each second and a half.
    #[test]
    fn a_client_says_its_lines() {
        for (own, mutes) in [(1, false), (2, true)] {
            let mut world = world(Role::Client);
            let before = world.decisions();
            let mut scripts = Scripts::default().with_chat(2.0);
            let (said, speeches) = play(&mut world, &mut scripts, &[slot(own)], 1000, |_, _| {});
            assert_eq!(world.decisions(), before);
            let is_line = |speech: &Speech| matches!(speech, Speech::Type(..) | Speech::Force(_));
            let lines: Vec<_> = speeches.iter().filter(|(_, speech)| is_line(speech)).collect();
            assert_eq!((lines.len(), speeches.len()), (10, 10 + usize::from(mutes)));
            assert_eq!(said.len(), 8 + usize::from(mutes), "{said:?}");
            assert_eq!(
                speeches.iter().any(|(_, speech)| *speech == Speech::MuteHere("Ann".into(), true)),
                mutes
            );
            let mut leave = 5.0_f64;
            let mut last = 0;
            for (tick, _) in lines {
                leave = (leave + f64::from(tick - last) / 45.0).min(5.0) - 1.0;
                last = *tick;
                assert!(leave >= 0.0, "at tick {tick}");
            }
        }
    }

    /// TOOL-14: the two press nothing that puts them out until the lines are said, and nobody else is kept from it.
    #[test]
    fn the_two_stay_in_their_seats() {
        let mut world = world(Role::Client);
        let mut scripts = Scripts::default().with_chat(2.0);
        let pressed = |of: u8, scripts: &Scripts, tick: i32| {
            let own = Input { buttons: Buttons::ACTION, ..Input::default() };
            let input = scripts.reins().input(slot(of), Tick::new(tick).unwrap(), own);
            input.buttons.contains(Buttons::ACTION)
        };
        for number in 2..=300 {
            scripts.run(Tick::new(number).unwrap(), true, &[slot(1)], Some(&mut world));
            let is_held = (30..60 + SPEAKS as i32 + STEP as i32).contains(&number);
            assert_eq!(
                [0, 1, 2].map(|of| pressed(of, &scripts, number)),
                [true, !is_held, !is_held],
                "{number}"
            );
        }
    }

    /// TOOL-14: where nobody rides with the last, or nobody else is there, that is told; who comes after the begin does nothing.
    #[test]
    fn what_cannot_be_done_is_told() {
        let mut carless = world(Role::Host);
        let car = carless.objects().find(|id| carless.kind(*id) == Some(Kind::Car)).unwrap();
        assert!(carless.erase(car));
        let mut scripts = Scripts::default().with_chat(2.0);
        let (said, _) = play(&mut carless, &mut scripts, &[slot(0)], 140, |_, _| {});
        assert_eq!(
            said,
            ["chat script at tick 120: Bob and Cid do not ride together: no vehicle has two free seats"]
        );

        let mut alone = world(Role::Local);
        let mut scripts = Scripts::default().with_chat(2.0);
        let (said, speeches) = play(&mut alone, &mut scripts, &[slot(0)], 900, |_, _| {});
        assert_eq!(
            (said.as_slice(), speeches.len()),
            (["chat script at tick 30: nobody else is there to talk to".to_owned()].as_slice(), 0)
        );

        let mut late = world(Role::Client);
        let mut scripts = Scripts::default().with_chat(2.0);
        for number in 46..900 {
            scripts.run(Tick::new(number).unwrap(), true, &[slot(1)], Some(&mut late));
        }
        assert_eq!((scripts.take_said().len(), scripts.take_speeches().len()), (0, 0));
    }
}
