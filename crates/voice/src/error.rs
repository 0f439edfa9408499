//! Why a frame was refused. Knows no bytes: those that are malformed never come here.

use core::fmt;

/// Why a frame that came, or was to be sent, is not taken. Nothing was changed by what returned it, but that it is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Error {
    // A peer that says what it may not, or is not who it says.
    /// Another key than the machine was given (VOICE-03, 21).
    WrongKey,
    /// A larger packet than the host's quality gives (VOICE-08).
    TooLarge,
    /// More than 50 frames a second (VOICE-09).
    TooFast,
    /// A client's own voice comes back to it (VOICE-17, 25).
    OwnVoice,
    /// A host sends what is not to be heard: without a packet, or without a route.
    NotHeard,

    // What a delay can do to an honest peer.
    /// The machine was given no key: it has not joined, or has left (VOICE-31).
    NotJoined,
    /// The machine was not told its key yet (VOICE-31); a client was not told one, or too long ago (VOICE-24).
    NotTold,
    /// The speaker's machine is not in the game (VOICE-23).
    UnknownSpeaker,
    /// Its turn to be played is over (VOICE-26).
    Late,
    /// It came before (VOICE-26).
    Repeated,

    // What the host or the player wants.
    /// The host has voice off where the game stands (VOICE-12, 13).
    Off,
    /// The machine is muted: by the host for everyone, or by a listener for itself (VOICE-19).
    Muted,

    // What there is not enough of.
    /// Eight others talk (VOICE-10).
    TooManyTalk,
    /// Sixteen others are heard (VOICE-28).
    NoDecoder,
    /// So much waits to be sent already that more would only be late.
    Full,
}

impl Error {
    /// Every reason.
    pub const ALL: [Self; 15] = [
        Self::WrongKey,
        Self::TooLarge,
        Self::TooFast,
        Self::OwnVoice,
        Self::NotHeard,
        Self::NotJoined,
        Self::NotTold,
        Self::UnknownSpeaker,
        Self::Late,
        Self::Repeated,
        Self::Off,
        Self::Muted,
        Self::TooManyTalk,
        Self::NoDecoder,
        Self::Full,
    ];

    /// A stable word for counters and traces.
    pub const fn reason(self) -> &'static str {
        match self {
            Self::WrongKey => "voice_wrong_key",
            Self::TooLarge => "voice_too_large",
            Self::TooFast => "voice_too_fast",
            Self::OwnVoice => "voice_own",
            Self::NotHeard => "voice_not_heard",
            Self::NotJoined => "voice_not_joined",
            Self::NotTold => "voice_not_told",
            Self::UnknownSpeaker => "voice_unknown_speaker",
            Self::Late => "voice_late",
            Self::Repeated => "voice_repeated",
            Self::Off => "voice_off",
            Self::Muted => "voice_muted",
            Self::TooManyTalk => "voice_too_many_talk",
            Self::NoDecoder => "voice_no_decoder",
            Self::Full => "voice_full",
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason())
    }
}

impl core::error::Error for Error {}

/// How many frames were refused, by reason.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Refusals([u64; Error::ALL.len()]);

impl Refusals {
    /// For that reason.
    pub const fn of(&self, error: Error) -> u64 {
        self.0[error as usize]
    }

    /// For any.
    pub fn total(&self) -> u64 {
        self.0.iter().sum()
    }

    pub(crate) fn counted<T>(&mut self, taken: Result<T, Error>) -> Result<T, Error> {
        if let Err(error) = taken {
            self.0[error as usize] += 1;
        }
        taken
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each reason has a place and a word of its own.
    #[test]
    fn each_reason_is_counted_by_itself() {
        let mut refusals = Refusals::default();
        for (at, error) in Error::ALL.into_iter().enumerate() {
            assert_eq!(error as usize, at);
            assert_eq!(Error::ALL.iter().filter(|other| other.reason() == error.reason()).count(), 1);
            assert_eq!(refusals.counted::<()>(Err(error)), Err(error));
            assert_eq!((refusals.of(error), refusals.total()), (1, at as u64 + 1));
        }
        assert_eq!(refusals.counted(Ok(1)), Ok(1));
        assert_eq!(refusals.total(), Error::ALL.len() as u64);
    }
}
