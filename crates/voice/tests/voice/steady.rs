//! A steady game allocates nothing for voice.

use mjolnir_voice::{Client, FRAME_SAMPLES, Listener, Sides, Talk, Talker};
use mjolnir_wire::voice::{VoiceConfig, VoiceKey, VoiceSettings};
use mjolnir_wire::{Moment, Tick};

use super::scene::{Around, Game, Hosted, heard, millis, packet};

/// Decodes and packs without a list of what it was asked.
struct Quiet;

impl mjolnir_voice::Decode for Quiet {
    fn decode(&mut self, _: &[u8], _: &mut mjolnir_voice::Frame) -> Result<(), mjolnir_voice::CodecError> {
        Ok(())
    }

    fn recover(&mut self, _: &[u8], _: &mut mjolnir_voice::Frame) -> Result<(), mjolnir_voice::CodecError> {
        Ok(())
    }

    fn conceal(&mut self, _: &mut mjolnir_voice::Frame) -> Result<(), mjolnir_voice::CodecError> {
        Ok(())
    }

    fn reset(&mut self) {}
}

impl mjolnir_voice::Encode for Quiet {
    fn encode(
        &mut self,
        _: &mjolnir_voice::Frame,
        to: &mut [u8],
    ) -> Result<usize, mjolnir_voice::CodecError> {
        to[..60].fill(1);
        Ok(60)
    }

    fn set_kbps(&mut self, _: u8) -> Result<(), mjolnir_voice::CodecError> {
        Ok(())
    }

    fn reset(&mut self) {}
}

/// Eight who talk, relayed to 127 for a second; what is heard of them, with a loss and a stall; what is said and sent.
#[test]
fn a_frame_allocates_nothing() {
    let mut hosted = Hosted::with(VoiceSettings::default(), 127);
    let game = Game::played(Sides::Alone, 0..128);
    let mut listener = Listener::new((0..16).map(|_| Quiet));
    let mut talker = Talker::new(Quiet);
    let mut client = Client::new();
    let settings = VoiceSettings::default();
    client.handle_config(millis(0), &VoiceConfig { key: VoiceKey::new(1).unwrap(), settings });
    let (mut sequence, mut bytes) = (0_u16, 0);
    let mut second = |from: u64| {
        for now in (from..from + 1000).step_by(20) {
            for speaker in 1..=8 {
                hosted.says(millis(now), speaker, &[1; 60], &game).unwrap();
                if sequence % 10 != 3 && !(20..30).contains(&(sequence % 50)) {
                    listener.hear(millis(now), &heard(speaker, sequence, &[1; 60])).unwrap();
                }
            }
            sequence = sequence.wrapping_add(1);
            hosted.host.step(Moment::from_millis(now), |_, _| {});
            hosted.host.send(|_, datagram| bytes += datagram.len());
            listener.play(15.0, &Around::default(), |played| bytes += played.samples.len());
            talker.push(&[9000; FRAME_SAMPLES]);
            let said = talker.next(millis(now), Talk::OpenMicrophone, false, Some(&settings)).unwrap();
            client.speak(millis(now), Tick::ZERO, said, |datagram| bytes += datagram.len()).unwrap();
            client.step(millis(now), Tick::ZERO, true, |datagram| bytes += datagram.len());
        }
    };
    second(1000);
    let counted = allocation_counter::measure(|| second(2000));
    assert_eq!(counted.count_total, 0, "{counted:?}");
    assert!(bytes > 0);
    assert_eq!(packet(&[1]).bytes().len(), 1);
}
