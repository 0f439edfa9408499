//! This machine's sound: what its first player says in place of a microphone, and what is heard in place of loudspeakers, by
//! the program's clock (`--voice`, `--hear`, debug.voice_test). Knows no network and no codec: frames come from the game's
//! ear and go by whom it is told.

mod codec;
mod source;
mod written;

use std::hash::{BuildHasher as _, RandomState};
use std::path::Path;

use mjolnir_engine_glue::client;
use mjolnir_engine_glue::settings::{Name, Settings};
use mjolnir_engine_glue::voice::{
    Decode, Encode, FRAME_SAMPLES, Level, Listener, Pace, Played, Talk, Talker, mix,
};
use mjolnir_wire::voice::{Mode, Packet, VoiceSettings};
use mjolnir_wire::{Machine, MachineSet, Moment, Slot};

use crate::desk::Desk;
use crate::machine::{ClientMachine, HostMachine};
use crate::options::Common;
use crate::seam::{Game, Head};
use crate::setup::Error;
use codec::{Decoder, Encoder};
use source::Source;
use written::Written;

/// How loud voices are made: there is no player to say.
const VOLUME: f32 = 1.0;
/// How near is near where the host has not said: only who is heard everywhere is heard then.
const NEARNESS: f32 = 15.0;

/// A program's sound, by the codec that it was built with.
pub(crate) type ProgramSound = Sound<Encoder, Decoder>;

/// See the module's text. One that was asked for nothing does nothing.
#[derive(Debug)]
pub(crate) struct Sound<E, D> {
    pace: Pace,
    mouth: Option<Mouth<E>>,
    hearing: Option<Hearing<D>>,
}

#[derive(Debug)]
struct Mouth<E> {
    talker: Talker<E>,
    source: Source,
}

#[derive(Debug)]
struct Hearing<D> {
    listener: Listener<D>,
    /// Who was in the game.
    there: MachineSet,
    file: Option<Written>,
    /// What could not be written.
    failed: Option<Error>,
    /// When each speaker was logged, if they are; and the lines that were not taken yet.
    logged: Option<(Moment, Vec<String>)>,
}

/// A machine as its sound finds it in a frame.
struct Around<'a> {
    settings: Option<&'a VoiceSettings>,
    machines: MachineSet,
    own: Option<Slot>,
    game: &'a mut Game,
}

/// Refuses what a build without the codec cannot do.
pub(crate) fn check(common: &Common, settings: &Settings) -> Result<(), Error> {
    if codec::IS_THERE {
        return Ok(());
    }
    match common {
        Common { voice: Some(_), .. } => Err(Error::NoCodec("--voice")),
        Common { hear: Some(_), .. } => Err(Error::NoCodec("--hear")),
        _ if settings.flag(Name::DebugVoiceTest) => Err(Error::NoCodec("debug.voice_test")),
        _ => Ok(()),
    }
}

/// What the options and the settings ask for: `--voice` is said, and with debug.voice_test the tone if it is not given;
/// `--hear` is written, and with debug.voice_test each speaker logged.
pub(crate) fn open(common: &Common, settings: &Settings) -> Result<ProgramSound, Error> {
    let is_test = settings.flag(Name::DebugVoiceTest);
    let said = common.voice.as_deref().or(is_test.then_some(source::TONE));
    let codec = |_| Error::Codec;
    let mouth = said.map(|said| {
        let source = Source::open(said)?;
        codec::encoder().map(|encoder| Mouth { talker: Talker::new(encoder), source }).map_err(codec)
    });
    let hearing = (is_test || common.hear.is_some()).then(|| {
        let decoders = codec::decoders().map_err(codec)?;
        Hearing::new(decoders, common.hear.as_deref(), is_test)
    });
    Ok(Sound { pace: Pace::new(), mouth: mouth.transpose()?, hearing: hearing.transpose()? })
}

/// What a host's settings say of voice.
pub(crate) fn voice_settings(settings: &Settings) -> VoiceSettings {
    let mode = Mode::of_word(settings.text_of(Name::NetworkVoiceMode));
    let tenths = (settings.number(Name::NetworkVoiceProximity) * 10.0).round() as u16;
    let kbps = settings.whole(Name::NetworkVoiceKbps) as u8;
    // What a setting may hold is what these may be.
    VoiceSettings::new(settings.flag(Name::NetworkVoiceLobby), mode, kbps, tenths).unwrap_or_default()
}

/// What nobody outside this process guesses: the seed of a host's keys. The system's randomness keys the hash, and two
/// words of one key tell nothing of each other.
pub(crate) fn seed() -> [u64; 2] {
    let keyed = RandomState::new();
    [1, 2].map(|word: u8| keyed.hash_one(word))
}

impl<E: Encode, D: Decode> Sound<E, D> {
    /// Whether this machine hears voices: its game needs an ear.
    pub(crate) const fn hears(&self) -> bool {
        self.hearing.is_some()
    }

    /// A host's frame, after its netcode's.
    pub(crate) fn host_frame<N>(&mut self, now: Moment, machine: &mut HostMachine<N>) {
        let HostMachine { host, game, .. } = machine;
        let settings = host.voice_settings().copied();
        let (machines, own) = (host.transport().machines(), host.own_slots().first().copied());
        let around = Around { settings: settings.as_ref(), machines, own, game };
        self.frame(now, around, |game, packet| {
            // What is refused nobody would hear; the host counts it.
            let _ = host.speak(now, packet, game);
        });
    }

    /// A client's frame, after its netcode's.
    pub(crate) fn client_frame<N>(&mut self, now: Moment, machine: &mut ClientMachine<N>) {
        let ClientMachine { client, game, .. } = machine;
        let settings = client.voice_settings(now).copied();
        let machines = match game.world().filter(|_| client.stage() == client::Stage::Playing) {
            Some(world) => {
                world.players().filter(|(_, player)| !player.left).map(|(_, player)| player.machine).collect()
            }
            None => {
                let players = client.transport().record().map(|record| record.players()).unwrap_or_default();
                players.iter().filter_map(|player| player.machine()).collect()
            }
        };
        let own = client.own_slots().first().copied();
        let around = Around { settings: settings.as_ref(), machines, own, game };
        self.frame(now, around, |_, packet| {
            // As of a host's.
            let _ = client.speak(now, packet);
        });
    }

    fn frame(&mut self, now: Moment, around: Around<'_>, mut say: impl FnMut(&Game, Packet<'_>)) {
        let due = self.pace.due(now);
        let Around { settings, machines, own, game } = around;
        if let Some(hearing) = &mut self.hearing {
            let nearness = settings.map_or(NEARNESS, VoiceSettings::nearness);
            hearing.take(now, machines, game);
            (0..due).for_each(|_| hearing.play(nearness, &Head { world: game.world(), own }));
            hearing.log(now);
        }
        if let Some(Mouth { talker, source }) = &mut self.mouth {
            // Where nobody is to hear it nothing is begun.
            for _ in (0..due).filter(|_| settings.is_some()) {
                talker.push(source.frame());
            }
            while let Some(packet) = talker.next(now, Talk::PushToTalk, true, settings) {
                say(game, packet);
            }
        }
    }

    /// Logs how speakers were heard, and tells of a file that can no longer be written.
    pub(crate) fn keep(&mut self, desk: &mut Desk) {
        let Some(hearing) = &mut self.hearing else { return };
        for line in hearing.logged.iter_mut().flat_map(|(_, lines)| lines.drain(..)) {
            desk.log(&line);
        }
        if let Some(error) = hearing.failed.take() {
            desk.complain(&error.to_string());
        }
    }
}

impl<D: Decode> Hearing<D> {
    fn new(decoders: Vec<D>, file: Option<&Path>, logs: bool) -> Result<Self, Error> {
        Ok(Self {
            listener: Listener::new(decoders),
            there: MachineSet::default(),
            file: file.map(Written::create).transpose()?,
            failed: None,
            logged: logs.then_some((Moment::START, Vec::new())),
        })
    }

    /// Takes what the game's ear has caught. Who comes in the place of a machine that left is another (VOICE-23).
    fn take(&mut self, now: Moment, machines: MachineSet, game: &mut Game) {
        game.take_heard(|heard| {
            // What is refused is not heard; the listener counts it.
            let _ = self.listener.hear(now, heard);
        });
        // After what it still said.
        for gone in self.there.without(machines).iter() {
            self.listener.forget(gone);
        }
        self.there = machines;
    }

    /// The next 20 ms.
    fn play(&mut self, nearness: f32, head: &Head<'_>) {
        let mut ears = [0; 2 * FRAME_SAMPLES];
        self.listener.play(nearness, head, |Played { placed, samples, .. }| {
            mix(samples, placed, VOLUME, &mut ears);
        });
        if let Some(file) = &mut self.file
            && let Err(error) = file.write(&ears)
        {
            self.failed = Some(error);
            self.file = None;
        }
    }

    /// Each second how each speaker was heard (VOICE-33).
    fn log(&mut self, now: Moment) {
        let Some((last, lines)) = &mut self.logged else { return };
        if now.since(*last) >= Moment::SECOND {
            *last = now;
            self.listener.take_levels(|machine, level| lines.push(line(machine, level)));
        }
    }
}

/// How a speaker was heard in the last second.
fn line(machine: Machine, level: &Level) -> String {
    let (machine, bytes) = (machine.get(), level.bytes());
    match level.placed() {
        Some(placed) => format!(
            "voice: machine {machine}: level {:.3}, gain {:.2}, pan {:.2}, {bytes} bytes",
            level.rms(),
            placed.gain,
            placed.pan,
        ),
        None => format!("voice: machine {machine}: not played, {bytes} bytes"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::seam::Setup;
    use mjolnir_engine_glue::Talk as _;
    use mjolnir_engine_glue::voice::{CodecError, Frame, Heard};
    use mjolnir_wire::voice::Route;

    /// A codec of two bytes: a frame is its first sample, over and over.
    #[derive(Debug)]
    struct Plain;

    impl Encode for Plain {
        fn encode(&mut self, frame: &Frame, to: &mut [u8]) -> Result<usize, CodecError> {
            to[..2].copy_from_slice(&frame[0].to_le_bytes());
            Ok(2)
        }

        fn set_kbps(&mut self, _: u8) -> Result<(), CodecError> {
            Ok(())
        }

        fn reset(&mut self) {}
    }

    impl Decode for Plain {
        fn decode(&mut self, packet: &[u8], to: &mut Frame) -> Result<(), CodecError> {
            to.fill(i16::from_le_bytes([packet[0], packet[1]]));
            Ok(())
        }

        fn recover(&mut self, _: &[u8], to: &mut Frame) -> Result<(), CodecError> {
            self.conceal(to)
        }

        fn conceal(&mut self, to: &mut Frame) -> Result<(), CodecError> {
            to.fill(0);
            Ok(())
        }

        fn reset(&mut self) {}
    }

    fn at(millis: u64) -> Moment {
        Moment::from_millis(millis)
    }

    fn machines(of: &[u8]) -> MachineSet {
        of.iter().filter_map(|index| Machine::new(*index)).collect()
    }

    fn common(line: &str) -> Common {
        use clap::Parser as _;
        crate::options::Options::parse_from(line.split(' ')).common
    }

    /// VOICE-30: a frame is said each 20 ms, however the program's frames fall; nothing before the host has told its settings, and
    /// after a stall five at most.
    #[test]
    fn a_frame_is_said_each_twenty_milliseconds() {
        let mouth = Mouth { talker: Talker::new(Plain), source: Source::open(source::TONE).unwrap() };
        let mut sound: Sound<_, Plain> = Sound { pace: Pace::new(), mouth: Some(mouth), hearing: None };
        let mut game = Game::new(Setup::default());
        let mut said = |now: u64, settings: Option<&VoiceSettings>| {
            let mut said = 0;
            let around = Around { settings, machines: machines(&[0, 1]), own: None, game: &mut game };
            sound.frame(at(now), around, |_, packet| said += packet.bytes().len() / 2);
            said
        };
        let settings = VoiceSettings::default();
        let before: usize = (0..100).map(|frame| said(5 * frame, None)).sum();
        let steady: usize = (100..300).map(|frame| said(5 * frame, Some(&settings))).sum();
        assert_eq!((before, steady), (0, 50));
        assert_eq!(said(2_500, Some(&settings)), 5, "a second's stall");
        assert_eq!(said(2_519, Some(&settings)) + said(2_521, Some(&settings)), 1);
    }

    /// VOICE-33: what the ear caught is written with its gain and pan, each 20 ms 20 ms of it; and each second it is logged how
    /// each speaker was heard.
    #[test]
    fn what_is_heard_is_written_and_logged() {
        let path = std::env::temp_dir().join(format!("sound-{}.wav", std::process::id()));
        let hearing = Hearing::new(vec![Plain, Plain], Some(&path), true).unwrap();
        let mut sound: Sound<Plain, _> = Sound { pace: Pace::new(), mouth: None, hearing: Some(hearing) };
        let mut game = Game::new(Setup::default());
        game.listen();
        let settings = VoiceSettings::default();
        let mut lines = Vec::new();
        for turn in 0..100_u16 {
            // One is heard everywhere, the other for being near, from nobody knows where.
            for (speaker, route) in [(1, Route::Global), (2, Route::Near)] {
                let machine = Machine::new(speaker).unwrap();
                let bytes = (i16::from(speaker) * 1_000).to_le_bytes();
                let packet = Packet::new(&bytes).unwrap();
                game.hear_voice(&Heard { machine, player: None, route, sequence: turn, packet });
            }
            let there = machines(&[0, 1, 2]);
            let around = Around { settings: Some(&settings), machines: there, own: None, game: &mut game };
            sound.frame(at(20 * u64::from(turn) + 1_000), around, |_, _| {});
            let hearing = sound.hearing.as_mut().unwrap();
            lines.extend(hearing.logged.as_mut().map(|(_, lines)| std::mem::take(lines)).unwrap());
        }
        drop(sound);
        let mut reader = hound::WavReader::open(&path).unwrap();
        let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        std::fs::remove_file(&path).unwrap();
        assert_eq!(samples.len(), 100 * 2 * FRAME_SAMPLES);
        assert_eq!((samples[0], samples[samples.len() - 1]), (0, 1_000 + 400), "three frames are waited for");
        // At once, of nothing played yet; and a second later.
        assert_eq!(
            lines,
            [
                "voice: machine 1: not played, 2 bytes",
                "voice: machine 2: not played, 2 bytes",
                "voice: machine 1: level 0.031, gain 1.00, pan 0.00, 100 bytes",
                "voice: machine 2: level 0.061, gain 0.20, pan 0.00, 100 bytes",
            ]
        );
    }

    /// VOICE-23: who comes in the place of a machine that left is heard from its first frame on, whatever its number.
    #[test]
    fn who_comes_in_anothers_place_is_another() {
        let hearing = Hearing::new(vec![Plain], None, false).unwrap();
        let mut sound: Sound<Plain, _> = Sound { pace: Pace::new(), mouth: None, hearing: Some(hearing) };
        let mut game = Game::new(Setup::default());
        game.listen();
        let mut hear = |turn: u64, sequence: u16, there: &[u8]| {
            let packet = Packet::new(&[1, 1]).unwrap();
            let machine = Machine::new(1).unwrap();
            game.hear_voice(&Heard { machine, player: None, route: Route::Global, sequence, packet });
            let around = Around { settings: None, machines: machines(there), own: None, game: &mut game };
            sound.frame(at(20 * turn), around, |_, _| {});
            let hearing = sound.hearing.as_ref().unwrap();
            (hearing.listener.counts().played, hearing.listener.refusals().total())
        };
        for turn in 0..10 {
            hear(turn, 1_000 + turn as u16, &[0, 1]);
        }
        // While it is the same machine an old number is a late frame.
        let (played, refused) = hear(10, 5, &[0, 1]);
        assert_eq!((played, refused), (8 + 1, 1));
        // It is gone for one frame of the program, in which another's word comes for nobody.
        let (_, refused) = hear(11, 1_011, &[0]);
        let played = (0..5).map(|turn| hear(12 + turn, turn as u16, &[0, 1])).last();
        assert_eq!(played.map(|(_, now)| now - refused), Some(0), "none of the other's is late");
    }

    /// VOICE-12, 13, 14: the host's settings are those of its file.
    #[test]
    fn a_hosts_settings_are_its_files() {
        let of = |text: &str| voice_settings(&Settings::parse(text).unwrap().0);
        assert_eq!(of(""), VoiceSettings::default());
        let text = "[network]\nvoice_mode = \"team_proximity\"\nvoice_lobby = false\nvoice_kbps = 64\n\
                    voice_proximity = 5.25\n";
        assert_eq!(of(text), VoiceSettings::new(false, Mode::TeamNear, 64, 53).unwrap());
        let least = of("[network]\nvoice_kbps = 1\nvoice_proximity = 1\n");
        let most = of("[network]\nvoice_kbps = 900\nvoice_proximity = 900.0\n");
        assert_eq!((least.kbps(), least.nearness(), most.kbps(), most.nearness()), (8, 5.0, 64, 100.0));
    }

    /// VOICE-22: two programs' keys are not the same.
    #[test]
    fn each_program_has_a_seed_of_its_own() {
        let [one, other] = [seed(), seed()];
        assert!(one != other && one[0] != one[1]);
    }

    /// A build without the codec refuses what needs it, by its name; one with it opens it.
    #[test]
    fn what_needs_the_codec_is_refused_without_it() {
        let (plain, _) = Settings::parse("").unwrap();
        let (test, _) = Settings::parse("debug.voice_test = true\n").unwrap();
        for (line, settings, named) in [
            ("skirmish --voice tone", &plain, "--voice"),
            ("skirmish --hear heard.wav", &plain, "--hear"),
            ("skirmish", &test, "debug.voice_test"),
        ] {
            let checked = check(&common(line), settings).map_err(|error| error.to_string());
            assert_eq!(checked.is_ok(), codec::IS_THERE, "{line}");
            if let Err(said) = checked {
                assert!(said.starts_with(&format!("{named}: this build has no codec")), "{said}");
            }
        }
        let silent = open(&common("skirmish"), &plain).unwrap();
        assert!(silent.mouth.is_none() && !silent.hears());
        if codec::IS_THERE {
            let test = open(&common("skirmish"), &test).unwrap();
            assert!(test.mouth.is_some() && test.hears(), "a tone, and ears to log what comes");
            let told = open(&common("skirmish --voice tone"), &plain).unwrap();
            assert!(told.mouth.is_some() && !told.hears());
        }
    }
}
