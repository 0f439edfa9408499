//! The table of hits as text: a section of what `budget.txt` holds. Knows no game.

use std::fmt::Write as _;

use super::{Case, Figures};

/// With what the section begins.
pub const TITLE: &str = "# What the shooter saw hit, hits:";

const HEAD: &str = "\
# What the shooter saw hit, hits: a line a game of six clients that fight for 60 s by one means (a car and a turret have
# three of them, the others walk), all of whom strafe, jump, fall, ride an elevator and teleport. Of the datagrams 2 % are
# lost, and each comes up to 10 ms later than that many milliseconds.
#
# seen     hits that clients' own games saw; as many were reported. bodies: of these, those of the dead, whom blasts reach too
# dealt    of these, those that the host dealt; % of those seen
# late     of those dealt, those of who lived on the client's machine and had died on the host: they push a body
# gone     refused: of the dead, whom the host had cleared away; dead: of who had died on the host when it was told of its hit;
#          missed: for anything else, of which there may be none
# false    what the host dealt of a client's player that its client had not seen hit
# kills    players that died of them
# back     ticks from the hit to the host's word of its damage at who hit, of those whose word came: mean and most
#
# means     ms seed   seen bodies  dealt       %  late  gone  dead missed false kills    back      most
";

/// The table of those games.
pub fn table(measured: &[(Case, Figures)]) -> String {
    let mut text = String::from(HEAD);
    for (case, figures) in measured {
        // A string takes all that is written.
        let _ = writeln!(text, "{}", line(case, figures));
    }
    text
}

fn line(case: &Case, figures: &Figures) -> String {
    let Case { means, latency, seed } = case;
    let Figures { seen, bodies, dealt, late, posthumous, false_hits, answered: [mean, most], kills, .. } =
        figures;
    let (percent, gone, missed) = (figures.percent(), figures.gone(), figures.missed());
    format!(
        "{:<8} {latency:>5} {seed:>4} {seen:>6} {bodies:>6} {dealt:>6} {percent:>7.2} {late:>5} {gone:>5} {posthumous:>5} {missed:>6} {false_hits:>5} {kills:>5} {mean:>7.2} {most:>9.0}",
        means.name(),
    )
}
