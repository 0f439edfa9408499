//! What is heard, as a wav file: 48 000 samples a second of both ears, 16 bits each. Knows no voice.
//!
//! Its header is written first and mended each second: a program that was killed leaves what it heard until then.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use hound::{SampleFormat, WavSpec, WavWriter};
use mjolnir_engine_glue::voice::FRAME_SAMPLES;

use super::source::RATE;
use crate::setup::{self, Error};

/// 20 ms of both ears, by turns.
type Ears = [i16; 2 * FRAME_SAMPLES];

/// Samples after which the header is mended: a second's.
const MENDED: u32 = 2 * RATE;
/// Seconds that are written at most: a wav file counts its bytes in 32 bits. Six hours.
const MOST_SECONDS: u32 = 6 * 3600;

/// See the file's text.
pub(crate) struct Written {
    path: PathBuf,
    writer: WavWriter<BufWriter<File>>,
}

impl std::fmt::Debug for Written {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Written").field("path", &self.path).finish_non_exhaustive()
    }
}

impl Written {
    /// A file of nothing yet.
    pub(crate) fn create(path: &Path) -> Result<Self, Error> {
        let spec =
            WavSpec { channels: 2, sample_rate: RATE, bits_per_sample: 16, sample_format: SampleFormat::Int };
        let file = BufWriter::new(setup::create(path)?);
        let new = WavWriter::new(file, spec).and_then(|mut writer| writer.flush().map(|()| writer));
        let writer = new.map_err(|error| Error::Wave(path.into(), error.to_string()))?;
        Ok(Self { path: path.into(), writer })
    }

    /// Writes the next 20 ms. What was written is whole whatever comes of it.
    pub(crate) fn write(&mut self, ears: &Ears) -> Result<(), Error> {
        if self.writer.duration() >= MOST_SECONDS * RATE {
            return Err(Error::Wave(self.path.clone(), format!("full after {MOST_SECONDS} s")));
        }
        self.append(ears).map_err(|error| Error::Wave(self.path.clone(), error.to_string()))
    }

    fn append(&mut self, ears: &Ears) -> hound::Result<()> {
        let mut samples = self.writer.get_i16_writer(ears.len() as u32);
        ears.iter().for_each(|sample| samples.write_sample(*sample));
        samples.flush()?;
        if self.writer.len().is_multiple_of(MENDED) { self.writer.flush() } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use hound::WavReader;

    use super::*;

    /// A file is whole from its first moment on, each second while it is written, and at its end.
    #[test]
    fn a_file_is_whole_at_any_time() {
        let path = std::env::temp_dir().join(format!("written-{}.wav", std::process::id()));
        let length = || WavReader::open(&path).map(|reader| reader.duration()).unwrap();
        let mut file = Written::create(&path).unwrap();
        assert_eq!(length(), 0);
        for turn in 1..=149_i16 {
            file.write(&[turn; 2 * FRAME_SAMPLES]).unwrap();
            // Mended after 50 turns and after 100.
            assert_eq!(length(), 48_000 * u32::from(turn.unsigned_abs() / 50), "{turn}");
        }
        drop(file);
        let mut reader = WavReader::open(&path).unwrap();
        assert_eq!((reader.spec().channels, reader.spec().sample_rate), (2, 48_000));
        let samples: Vec<i16> = reader.samples().map(Result::unwrap).collect();
        fs::remove_file(&path).unwrap();
        assert_eq!((samples.len(), samples[0], samples[samples.len() - 1]), (149 * 1920, 1, 149));
    }
}
