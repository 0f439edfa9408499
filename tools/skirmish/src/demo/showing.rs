//! A demo's report, from what came of its machines. Knows no page.

use mjolnir_engine_glue::transport::impair::Faults;

use super::{ClientEnd, HostEnd};
use crate::report::{self, Seen, Story};
use crate::summary::Summary;

/// The report's page.
pub(super) fn page(
    summary: &Summary,
    faults: &Faults,
    host: &HostEnd,
    clients: &[ClientEnd],
) -> serde_json::Result<String> {
    let played = clients.iter().filter(|client| client.ticks > 0);
    report::page(&Story {
        summary,
        faults: in_words(faults),
        map: host.map.as_ref(),
        players: &host.players,
        host: Seen {
            machine: mjolnir_wire::Machine::HOST,
            own: &host.own,
            recording: &host.recording,
            course: &host.course,
        },
        ticks_us: &host.gauge.ticks_us,
        clients: played
            .filter_map(|client| {
                Some(Seen {
                    machine: client.machine?,
                    own: &client.own,
                    recording: &client.recording,
                    course: &client.course,
                })
            })
            .collect(),
    })
}

/// What was done to what every machine received; empty where nothing was.
fn in_words(faults: &Faults) -> String {
    let Faults { latency_us, jitter_us, loss, duplicate, reorder, corrupt, corrupt_stream, .. } = *faults;
    let time = |micros: u64, what: &str| (micros > 0).then(|| format!("{} ms {what}", micros as f64 / 1e3));
    let share = |share: f32, what: &str| (share > 0.0).then(|| format!("{} % {what}", share * 100.0));
    let words = [
        time(latency_us, "latency each way"),
        time(jitter_us, "jitter"),
        share(loss, "lost"),
        share(duplicate, "doubled"),
        share(reorder, "overtaken"),
        share(corrupt, "damaged"),
        share(corrupt_stream, "of stream reads damaged"),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_in_words() {
        assert_eq!(in_words(&Faults::default()), "");
        let faults = Faults { latency_us: 50_000, jitter_us: 2_500, loss: 0.05, ..Faults::default() };
        assert_eq!(in_words(&faults), "50 ms latency each way, 2.5 ms jitter, 5 % lost");
    }
}
