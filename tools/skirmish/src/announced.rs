//! What a game type announces, in words: the same on the host, which decided it, and on clients, which heard of it.
//! Knows no message.

use mjolnir_engine_glue::authority::Announcement;
use mjolnir_wire::Slot;

use crate::game::{News, World};

impl From<News> for Announcement {
    fn from(news: News) -> Self {
        match news {
            News::Captured { team, by } => Self::FlagCaptured { team, by: Some(by) },
            News::Grabbed { team, by } => Self::FlagGrabbed { team, by: Some(by) },
            News::Returned { team, by } => Self::FlagReturned { team, by },
            News::Reset { touched } => Self::BallReset { touched },
            News::Passed { to } => Self::BallPassed { to: Some(to) },
            News::Touched { by } => Self::FlagTouched { by },
            News::Lap { by } => Self::Lap { by },
            News::BestLap { by } => Self::BestLap { by },
            News::Over => Self::GameOver,
        }
    }
}

/// In words, players by their names in that world.
pub fn text(announcement: Announcement, world: Option<&World>) -> String {
    let name = |slot: Slot| {
        let player = world.and_then(|world| world.player(slot));
        player.map_or_else(|| format!("slot {}", slot.get()), |player| player.name.clone())
    };
    let by = |slot: Option<Slot>| slot.map_or_else(|| "somebody".into(), name);
    match announcement {
        Announcement::FlagCaptured { team, by: who } => {
            format!("{} captured a flag for team {team}", by(who))
        }
        Announcement::FlagGrabbed { team, by: who } => format!("{} took a flag for team {team}", by(who)),
        Announcement::FlagReturned { team, by: Some(who) } => {
            format!("{} returned team {team}'s flag", name(who))
        }
        Announcement::FlagReturned { team, by: None } => format!("team {team}'s flag is back"),
        Announcement::BallReset { touched: true } => "a ball that was had is back".into(),
        Announcement::BallReset { touched: false } => "a ball is back".into(),
        Announcement::BallPassed { to } => format!("{} took the ball of whom it killed", by(to)),
        Announcement::FlagTouched { by } => format!("{} touched its flag", name(by)),
        Announcement::Lap { by } => format!("{} ran a lap", name(by)),
        Announcement::BestLap { by } => format!("{} ran its best lap", name(by)),
        Announcement::GameOver => "the game is over".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the host decided and what its client is told are one announcement, in the same words.
    #[test]
    fn a_host_and_a_client_announce_the_same() {
        let slot = Slot::new(3).unwrap();
        for (news, told, words) in [
            (
                News::Captured { team: 1, by: slot },
                Announcement::FlagCaptured { team: 1, by: Some(slot) },
                "slot 3 captured a flag for team 1",
            ),
            (
                News::Returned { team: 0, by: None },
                Announcement::FlagReturned { team: 0, by: None },
                "team 0's flag is back",
            ),
            (
                News::Reset { touched: true },
                Announcement::BallReset { touched: true },
                "a ball that was had is back",
            ),
            (News::Over, Announcement::GameOver, "the game is over"),
        ] {
            assert_eq!((Announcement::from(news), text(told, None).as_str()), (told, words));
        }
    }
}
