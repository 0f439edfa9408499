//! How a program's game ended, and the exit code that says so to scripts. Knows no machine.

use mjolnir_engine_glue::transport::{Why, texts};

/// How it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It was played to its end, or quit here, or the host ended it or left in order once it was played.
    Played,
    /// This machine never came to play.
    NotJoined(String),
    /// The connection was lost in play.
    Lost(String),
}

impl Ending {
    /// A session that ended for that reason: whether the host had let this machine in, and whether its first tick had run.
    pub fn of(why: Why, is_in: bool, has_played: bool) -> Self {
        // A host that takes a machine out says that it is kept out.
        let why = if is_in && matches!(why, Why::Rejected(_)) { Why::Kicked } else { why };
        match why {
            Why::Left if has_played => Self::Played,
            _ if has_played => Self::Lost(texts::closed(why).into()),
            _ => Self::NotJoined(texts::closed(why).into()),
        }
    }

    /// The same of one that had so many per cent of the game's map, which came: a host that lets such a machine go says no more
    /// than one that is gone.
    #[must_use]
    pub fn while_it_came(self, per_cent: Option<u8>) -> Self {
        match (self, per_cent) {
            (Self::NotJoined(why), Some(per_cent)) => Self::NotJoined(format!(
                "{why} {per_cent} % of its map were here. A host lets go of who gets no 256 KB of it in 80 seconds."
            )),
            (ending, _) => ending,
        }
    }

    /// The program's exit code.
    pub const fn code(&self) -> u8 {
        match self {
            Self::Played => 0,
            Self::NotJoined(_) => 3,
            Self::Lost(_) => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use mjolnir_wire::packets::Rejection;

    use super::*;

    /// NET-44: every end has its code, and every end but a good one says why.
    #[test]
    fn every_end_has_its_code() {
        for (why, before, after) in [
            (Why::Left, 3, 0),
            (Why::Gone, 3, 4),
            (Why::Silent, 3, 4),
            (Why::NotJoined, 3, 4),
            (Why::NoPlayer, 3, 4),
            (Why::NotLoaded, 3, 4),
            (Why::Stalled, 3, 4),
            (Why::Damaged, 3, 4),
            (Why::Unexpected, 3, 4),
            (Why::Kicked, 3, 4),
            (Why::Rejected(Rejection::Full), 3, 4),
            (Why::Rejected(Rejection::Blacklisted), 3, 4),
        ] {
            assert_eq!(Ending::of(why, false, false).code(), before, "{why:?}");
            assert_eq!(Ending::of(why, true, false).code(), before, "{why:?}");
            assert_eq!(Ending::of(why, true, true).code(), after, "{why:?}");
        }
        let not_joined = |why, is_in| Ending::of(why, is_in, false);
        assert_eq!(
            not_joined(Why::Rejected(Rejection::Full), false),
            Ending::NotJoined("The game is full.".into())
        );
        let gone = not_joined(Why::Gone, true);
        assert_eq!(gone.clone().while_it_came(None), gone);
        let text = "The connection to the host was lost. 7 % of its map were here. A host lets go of who gets no 256 KB of it in \
                    80 seconds.";
        assert_eq!(gone.while_it_came(Some(7)), Ending::NotJoined(text.into()));
        assert_eq!(Ending::Played.while_it_came(Some(7)), Ending::Played);
        // Who is banned is not let in, and who was let in is taken out, be it in the lobby.
        let banned = Why::Rejected(Rejection::Blacklisted);
        let removed = "This machine was removed by the host.";
        assert_eq!(
            [not_joined(banned, false), not_joined(banned, true)],
            ["This machine is banned from the game.", removed].map(|text| Ending::NotJoined(text.into()))
        );
        assert_eq!(Ending::of(banned, true, true), Ending::Lost(removed.into()));
    }
}
