//! The codec itself, on speech made of a voice's harmonics that come and go: what losses cost, and what recovery saves.

use mjolnir_voice::{
    Decode, Encode, FRAME_SAMPLES, Frame, Listener, MOST_CONCEALED, OpusDecoder, OpusEncoder, Talk, Talker,
    Tone,
};
use mjolnir_wire::voice::{Mode, VoiceSettings};

use super::jitter::Random;
use super::scene::{Around, heard, machine, millis};

/// Seconds of sound that are tried.
const FRAMES: usize = 1000;

/// Syllables of 240 ms with pauses, of a voice whose pitch moves between 100 and 160 Hz, through two resonances that move too.
fn speech() -> Vec<Frame> {
    let mut frames = vec![[0; FRAME_SAMPLES]; FRAMES];
    let mut phase = 0.0_f64;
    for (at, sample) in frames.iter_mut().flatten().enumerate() {
        let time = at as f64 / 48_000.0;
        let pitch = 130.0 + 30.0 * (time * 2.1).sin();
        phase = (phase + pitch / 48_000.0).fract();
        let formants = [500.0 + 200.0 * (time * 5.0).sin(), 1500.0 + 500.0 * (time * 3.3).cos()];
        let voice: f64 = (1..=24)
            .map(|harmonic| {
                let hertz = pitch * f64::from(harmonic);
                let loud: f64 =
                    formants.iter().map(|formant| 1.0 / (1.0 + ((hertz - formant) / 120.0).powi(2))).sum();
                loud * (phase * f64::from(harmonic) * std::f64::consts::TAU).sin()
            })
            .sum();
        let syllable = (time / 0.24 * std::f64::consts::PI).sin().max(0.0).sqrt();
        *sample = (voice * syllable * 4000.0) as i16;
    }
    frames
}

/// The packets of that sound at 24 kbit/s.
fn packed(sound: &[Frame]) -> Vec<Vec<u8>> {
    let mut encoder = OpusEncoder::new().unwrap();
    let mut to = [0; 255];
    let mut pack = |frame| {
        let length = encoder.encode(frame, &mut to).unwrap();
        to[..length].to_vec()
    };
    sound.iter().map(&mut pack).collect()
}

/// Root mean square of the difference.
fn off(a: &[i16], b: &[i16]) -> f64 {
    let squares: f64 = a.iter().zip(b).map(|(a, b)| (f64::from(*a) - f64::from(*b)).powi(2)).sum();
    (squares / a.len() as f64).sqrt()
}

/// What the frames that are lost sound like, beside what they would have without loss: by what follows, and by what was
/// before alone.
fn lost(packets: &[Vec<u8>], is_lost: &[bool], recovers: bool) -> f64 {
    let [mut whole, mut lossy] = [OpusDecoder::new().unwrap(), OpusDecoder::new().unwrap()];
    let (mut squares, mut count) = (0.0, 0);
    let (mut a, mut b) = ([0; FRAME_SAMPLES], [0; FRAME_SAMPLES]);
    for (at, packet) in packets.iter().enumerate() {
        whole.decode(packet, &mut a).unwrap();
        if !is_lost[at] {
            lossy.decode(packet, &mut b).unwrap();
            continue;
        }
        match packets.get(at + 1) {
            Some(following) if recovers && !is_lost[at + 1] => lossy.recover(following, &mut b).unwrap(),
            _ => lossy.conceal(&mut b).unwrap(),
        }
        squares += off(&a, &b).powi(2);
        count += 1;
    }
    (squares / f64::from(count)).sqrt()
}

/// VOICE-27, 30: at 5, 10 and 20 % of frames lost, what is lost is nearer to what was said by what the next packet says of it
/// than by what was heard before alone.
#[test]
fn recovery_is_better_than_concealment() {
    let packets = packed(&speech());
    for loss in [5, 10, 20] {
        let mut random = Random(loss);
        let is_lost: Vec<bool> = packets.iter().map(|_| random.below(100) < loss).collect();
        let [with, without] = [true, false].map(|recovers| lost(&packets, &is_lost, recovers));
        println!("{loss} % lost: off by {with:.0} with recovery, {without:.0} without");
        assert!(with < 0.85 * without, "{loss} %: {with} {without}");
    }
}

/// VOICE-27: through the whole listener at 5, 10 and 20 % loss and 30 ms of jitter: every frame that came is played, and every
/// one that did not is concealed or recovered, none of it twice.
#[test]
fn each_lost_frame_is_made_up_for_once() {
    let packets = packed(&speech());
    for loss in [5, 10, 20] {
        let mut random = Random(loss + 100);
        // The first three give the start.
        let arrivals: Vec<Option<u64>> = (0..FRAMES as u64)
            .map(|at| {
                let is_lost = at >= 3 && at < FRAMES as u64 - 3 && random.below(100) < loss;
                (!is_lost).then(|| at * 20 + if at < 3 { 30 } else { random.below(31) })
            })
            .collect();
        let mut listener = Listener::new(OpusDecoder::all().unwrap());
        let mut turns = 0;
        for now in 0..20 * (FRAMES as u64 + 20) {
            for at in arrivals.iter().enumerate().filter(|(_, came)| **came == Some(now)).map(|(at, _)| at) {
                let _ = listener.hear(millis(now), &heard(1, at as u16, &packets[at]));
            }
            if now % 20 == 10 {
                listener.play(15.0, &Around::default(), |_| turns += 1);
            }
        }
        let counts = listener.counts();
        let came = arrivals.iter().flatten().count() as u64;
        println!("{loss} % lost: {came} of {FRAMES} came, {counts:?}");
        assert_eq!((counts.undecodable, counts.spilt), (0, 0));
        let late = listener.refusals().total();
        assert_eq!(counts.played + counts.blended + late, came);
        // Runs of more than three start over and are not made up for, but for what was drawn out before it showed.
        let runs: Vec<u64> =
            arrivals.split(Option::is_some).map(|run| run.len() as u64).filter(|run| *run > 0).collect();
        let most = MOST_CONCEALED as u64;
        let missing: u64 = late + runs.iter().filter(|run| **run <= most).sum::<u64>();
        let long = runs.iter().filter(|run| **run > most).count() as u64;
        let made_up = counts.recovered + counts.concealed;
        assert!((missing..=missing + most * (long + 1) + 1).contains(&made_up), "{made_up} {missing} {long}");
        assert!(counts.recovered * 10 >= missing * 6, "most were recovered");
        assert_eq!(turns, counts.played + made_up);
    }
}

/// VOICE-33: the tone, packed, relayed to a listener and decoded, crosses 435 to 445 times a second.
#[test]
fn the_tone_is_heard_as_it_was() {
    let settings = VoiceSettings::default();
    let mut talker = Talker::new(OpusEncoder::new().unwrap());
    let mut listener = Listener::new(OpusDecoder::all().unwrap());
    let mut tone = Tone::new();
    let (mut frame, mut sound) = ([0; FRAME_SAMPLES], Vec::new());
    for at in 0..110_u64 {
        tone.frame(&mut frame);
        talker.push(&frame);
        let packet = talker.next(millis(at * 20), Talk::OpenMicrophone, false, Some(&settings)).unwrap();
        listener.hear(millis(at * 20), &heard(1, at as u16, packet.bytes())).unwrap();
        listener.play(15.0, &Around::default(), |played| sound.extend_from_slice(played.samples));
    }
    let second = &sound[9_600..57_600];
    let crossings = second.windows(2).filter(|pair| pair[0] < 0 && pair[1] >= 0).count();
    assert!((435..=445).contains(&crossings), "{crossings}");
    listener.take_levels(|of, level| {
        assert_eq!(of, machine(1));
        assert!((level.rms() - 0.177).abs() < 0.02, "{}", level.rms());
    });
}

/// VOICE-08, 30: at each quality speech takes no more than what the host allows a packet, and on the whole no more than a tenth
/// over its bits.
#[test]
fn speech_fits_its_quality() {
    let sound = speech();
    for kbps in [8, 24, 64] {
        let settings = VoiceSettings::new(true, Mode::Team, kbps, 150).unwrap();
        let mut talker = Talker::new(OpusEncoder::new().unwrap());
        let (mut bytes, mut largest) = (0, 0);
        for frame in &sound {
            talker.push(frame);
            let packet = talker.next(millis(0), Talk::PushToTalk, true, Some(&settings)).unwrap();
            bytes += packet.bytes().len();
            largest = largest.max(packet.bytes().len());
        }
        assert_eq!(talker.failed(), 0);
        assert!(largest <= settings.most_bytes(), "{kbps}: {largest}");
        let bits = bytes as f64 * 8.0 / (FRAMES as f64 * 0.02);
        println!("{kbps} kbit/s: {bits:.0} bit/s, the largest packet {largest} bytes");
        assert!(bits <= f64::from(kbps) * 1100.0, "{kbps}: {bits}");
    }
}

/// Whatever bytes come as a packet: sound or a refusal, in each of the ways that a decoder is asked.
#[test]
fn any_bytes_are_decoded_or_refused() {
    let mut random = Random(4);
    let mut decoder = OpusDecoder::new().unwrap();
    let mut frame = [0; FRAME_SAMPLES];
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..20_000 {
        let packet: Vec<u8> = (0..=random.below(254)).map(|_| random.below(256) as u8).collect();
        let done = match random.below(3) {
            0 => decoder.recover(&packet, &mut frame),
            _ => decoder.decode(&packet, &mut frame),
        };
        *if done.is_ok() { &mut taken } else { &mut refused } += 1;
        if random.below(100) == 0 {
            decoder.reset();
        }
    }
    assert!(taken > 100 && refused > 100, "{taken} {refused}");
    decoder.conceal(&mut frame).unwrap();
}

/// Neither end allocates for a frame, nor to start over.
#[test]
fn the_codec_allocates_nothing() {
    let sound = speech();
    let mut encoder = OpusEncoder::new().unwrap();
    let mut decoder = OpusDecoder::new().unwrap();
    let mut to = [0; 255];
    let mut frame = [0; FRAME_SAMPLES];
    let mut run = |frames: &[Frame]| {
        for said in frames {
            let length = encoder.encode(said, &mut to).unwrap();
            decoder.recover(&to[..length], &mut frame).unwrap();
            decoder.decode(&to[..length], &mut frame).unwrap();
            decoder.conceal(&mut frame).unwrap();
        }
        encoder.reset();
        decoder.reset();
    };
    run(&sound[..10]);
    let counted = allocation_counter::measure(|| run(&sound[10..110]));
    assert_eq!(counted.count_total, 0, "{counted:?}");
}
