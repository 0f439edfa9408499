//! The judging of two machines' views of one game: the line that each machine logs every second, and the verdict
//! on a host's lines beside a client's, with the tolerances that the netcode allows.
//!
//! It knows no game, no process, no file and none of our other crates: a log is text, a game is a list of
//! [`Line`]s. `skirmish demo` judges the lines it kept in memory; a program that plays two builds against each
//! other judges what they wrote.
//!
//! ```
//! use mjolnir_net_compare::{Verdict, judge, read_log};
//!
//! let log = "network test: tick 30 player 0: dead s0 k0 d1 f0 t0 m0 | items 0 (+0 -0 !0 x0) \
//!            | playing to 25 | sent 9 received 9 corrected 0 | hits 0 dealt 0 rejected 0 replayed 0 \
//!            | local 0 camera (0.000 0.000 0.000) respawn 60 | drift 0 0 0.000000 0.000000\n";
//! let lines = read_log(log)?;
//! assert_eq!(judge(&lines, &lines).verdict, Verdict::Pass);
//! # Ok::<(), mjolnir_net_compare::LogError>(())
//! ```

mod bounds;
mod judge;
mod line;
mod log;
mod scan;

pub use bounds::{AIM_DEGREES, Field, POSITION_WU, ROUNDS, VITALITY};
pub use judge::{APART_SHARE, Divergence, Figures, Judgement, Side, Unjudged, Verdict, judge};
pub use line::{Alive, Counts, Drift, HitCounts, Items, Line, Player, Progress, Record, View, Weapon};
pub use log::{LogError, last_game, read_log};
pub use scan::{Fault, LineError};
