//! What is said in place of a microphone: the tone, or a wav file over and over. Knows no codec.

use std::path::Path;

use hound::{SampleFormat, WavReader, WavSpec};
use mjolnir_engine_glue::voice::{FRAME_SAMPLES, Frame, Tone};

use crate::setup::Error;

/// The word for the tone.
pub(crate) const TONE: &str = "tone";
/// Samples a second of all that is said and heard.
pub(crate) const RATE: u32 = 48_000;
/// A file's samples a second, the least and the most.
const RATES: [u32; 2] = [4_000, 192_000];
/// Seconds of the longest file: it is held as a whole.
const MOST_SECONDS: u32 = 600;

/// See the file's text.
#[derive(Debug)]
pub(crate) struct Source {
    what: What,
    frame: Frame,
}

#[derive(Debug)]
enum What {
    Tone(Tone),
    /// At the rate of all sound; what is said next.
    File(Vec<i16>, usize),
}

impl Source {
    /// `tone`, or the path of a wav file: 16 bits a sample, of one channel or two, of which the middle is said.
    pub(crate) fn open(said: &str) -> Result<Self, Error> {
        let what = if said == TONE { What::Tone(Tone::new()) } else { What::File(read(Path::new(said))?, 0) };
        Ok(Self { what, frame: [0; FRAME_SAMPLES] })
    }

    /// The next 20 ms.
    pub(crate) fn frame(&mut self) -> &Frame {
        match &mut self.what {
            What::Tone(tone) => tone.frame(&mut self.frame),
            What::File(samples, at) => {
                for sample in &mut self.frame {
                    *sample = samples[*at];
                    *at = (*at + 1) % samples.len();
                }
            }
        }
        &self.frame
    }
}

/// A file's samples as they are said: at least one.
fn read(path: &Path) -> Result<Vec<i16>, Error> {
    let fails = |why: String| Error::Wave(path.into(), why);
    let mut reader = WavReader::open(path).map_err(|error| fails(error.to_string()))?;
    let WavSpec { channels, sample_rate, bits_per_sample, sample_format } = reader.spec();
    if (bits_per_sample, sample_format) != (16, SampleFormat::Int) || !(1..=2).contains(&channels) {
        return Err(fails("whole numbers of 16 bits are read, of one channel or two".into()));
    }
    if !(RATES[0]..=RATES[1]).contains(&sample_rate) {
        return Err(fails(format!("{sample_rate} samples a second: {} to {} are read", RATES[0], RATES[1])));
    }
    if reader.duration() > MOST_SECONDS * sample_rate {
        return Err(fails(format!("it is longer than {MOST_SECONDS} s")));
    }
    let samples: Result<Vec<i16>, _> = reader.samples().collect();
    let samples = samples.map_err(|error| fails(error.to_string()))?;
    let said = resampled(&middle(samples, channels), sample_rate);
    if said.is_empty() { Err(fails("nothing is said in it".into())) } else { Ok(said) }
}

/// Both channels as one.
fn middle(samples: Vec<i16>, channels: u16) -> Vec<i16> {
    if channels == 1 {
        return samples;
    }
    let both = samples.chunks_exact(2);
    both.map(|pair| ((i32::from(pair[0]) + i32::from(pair[1])) / 2) as i16).collect()
}

/// At the rate of all sound, each sample on the line between the two that it lies between: plain, and good enough for speech.
fn resampled(samples: &[i16], rate: u32) -> Vec<i16> {
    if rate == RATE {
        return samples.to_vec();
    }
    let (from, to) = (u64::from(rate), u64::from(RATE));
    let length = samples.len() as u64 * to / from;
    let sample = |at: u64| samples.get(at as usize).or(samples.last()).map_or(0, |sample| i64::from(*sample));
    let between = |at: u64| {
        let (whole, part) = (at * from / to, (at * from % to) as i64);
        let (before, after) = (sample(whole), sample(whole + 1));
        (before + (after - before) * part / to as i64) as i16
    };
    (0..length).map(between).collect()
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::PathBuf;

    use hound::WavWriter;

    use super::*;

    /// A file of those samples in a folder of this process's.
    fn file(name: &str, spec: WavSpec, samples: &[i16]) -> PathBuf {
        let path = std::env::temp_dir().join(format!("{name}-{}.wav", std::process::id()));
        let mut writer = WavWriter::create(&path, spec).unwrap();
        samples.iter().for_each(|sample| writer.write_sample(*sample).unwrap());
        writer.finalize().unwrap();
        path
    }

    fn spec(channels: u16, sample_rate: u32) -> WavSpec {
        WavSpec { channels, sample_rate, bits_per_sample: 16, sample_format: SampleFormat::Int }
    }

    fn said(path: &Path) -> Result<Vec<i16>, String> {
        let read = read(path).map_err(|error| error.to_string());
        fs::remove_file(path).unwrap();
        read
    }

    /// A file of 48 000 samples a second is said as it is, over and over; of two channels the middle.
    #[test]
    fn a_file_is_said_over_and_over() {
        let samples: Vec<i16> = (0..1_000).collect();
        let path = file("over", spec(1, RATE), &samples);
        let mut source = Source::open(path.to_str().unwrap()).unwrap();
        fs::remove_file(&path).unwrap();
        assert_eq!(source.frame()[..], samples[..960]);
        assert_eq!(source.frame()[..], [&samples[960..], &samples[..920]].concat());
        let both = file("both", spec(2, RATE), &[100, 300, -32_768, -32_768, 32_767, 32_767]);
        assert_eq!(said(&both), Ok(vec![200, -32_768, 32_767]));
    }

    /// A file of another rate lasts as long as it did, and a slow wave keeps its shape.
    #[test]
    fn another_rate_lasts_as_long() {
        let wave = |at: usize, rate: u32| {
            (8_000.0 * (at as f64 * 100.0 * std::f64::consts::TAU / f64::from(rate)).sin()) as i16
        };
        for rate in [4_000, 8_000, 22_050, 44_100, 96_000, 192_000] {
            let samples: Vec<i16> = (0..rate as usize).map(|at| wave(at, rate)).collect();
            let said = said(&file(&format!("rate-{rate}"), spec(1, rate), &samples)).unwrap();
            assert_eq!(said.len(), 48_000, "{rate}");
            let off = said[..47_900].iter().enumerate().map(|(at, is)| is.abs_diff(wave(at, RATE))).max();
            assert!(off < Some(30), "{rate}: {off:?}");
        }
    }

    /// Both sides of what is read; what is not is told, whatever the file holds.
    #[test]
    fn what_is_no_such_file_is_refused() {
        for rate in [3_999, 192_001] {
            let refused = said(&file(&format!("rate-{rate}"), spec(1, rate), &[0; 10])).unwrap_err();
            assert!(refused.ends_with(": 4000 to 192000 are read"), "{refused}");
        }
        let refused = said(&file("three", spec(3, RATE), &[0; 9])).unwrap_err();
        assert!(refused.ends_with("16 bits are read, of one channel or two"), "{refused}");
        let refused = said(&file("empty", spec(1, RATE), &[])).unwrap_err();
        assert!(refused.ends_with("nothing is said in it"), "{refused}");
        let whole = vec![0; 600 * 4_000];
        assert_eq!(said(&file("whole", spec(1, 4_000), &whole)).unwrap().len(), 600 * 48_000);
        let long = said(&file("long", spec(1, 4_000), &[&whole[..], &[0]].concat())).unwrap_err();
        assert!(long.ends_with("it is longer than 600 s"), "{long}");
        // Every file that ends early, and one that is none.
        let whole = file("cut", spec(2, RATE), &[7; 40]);
        let bytes = fs::read(&whole).unwrap();
        for length in 0..bytes.len() {
            fs::write(&whole, &bytes[..length]).unwrap();
            assert!(read(&whole).is_err(), "{length} bytes");
        }
        fs::remove_file(&whole).unwrap();
        let none = Source::open("nowhere/there.wav").unwrap_err().to_string();
        assert!(none.starts_with("nowhere/there.wav: "), "{none}");
    }
}
