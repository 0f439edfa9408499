//! Many that download beside a game that is played, on a bad network: nobody who plays is the worse for them.

use super::*;
use mjolnir_tests::bot;

/// MAP-10, 65, NET-30: eight join a game on a network of 100 ms each way that loses 5 %, and download 1 MiB each while two others play:
/// those are neither corrected nor refused more than in the same game without them, no tick of theirs or of the host's is late, and all
/// ten play in the end.
#[test]
fn eight_that_download_disturb_nobody() {
    let busy = crowd(8);
    let quiet = crowd(0);
    assert!(busy.0 <= quiet.0 + 2, "{busy:?}, without them {quiet:?}");
    assert!(busy.1 <= quiet.1 + 15, "{busy:?}, without them {quiet:?}");
    println!("corrections, past tolerance: beside eight {busy:?}, beside none {quiet:?}");
}

/// Corrections of those who play from the start and refused predictions of theirs, in twenty seconds beside so many that come.
fn crowd(joiners: usize) -> (u64, u64) {
    let size = 1 << 20;
    let small = made(File::Map, size, 1, FileSet::NONE);
    let plan = plan(8901).network(100, 5.0);
    let seat = |hand, files: Files| Seating::of(vec![hand]).with_files(files).with_faults(plan.faults);
    let host = sending(Files::default().with(FILE, &small), 1 << 19);
    let mut lab = Lab::open(plan, seat(bot(1), host));
    for number in 0..2 {
        lab.join(seat(bot(2 + number), mute(Files::default().with(FILE, &small))));
    }
    lab.run_until("all are listed", 10, |lab| listed(lab) == 3);
    begin(&mut lab);
    lab.run_until("they play", 10, |lab| plays(lab, 0) && plays(lab, 1));
    lab.run_seconds(2.0);
    let counted = |lab: &Lab| {
        let corrected: u64 = lab.clients[..2].iter().map(|seat| seat.net.counters().own_corrections).sum();
        (corrected, refused(lab, Who::Host, "past_tolerance"))
    };
    let before = counted(&lab);
    let ticks: Vec<u32> = lab.clients[..2].iter().map(|seat| seat.ticks).collect();
    let (host_ticks, began) = (lab.host.ticks, lab.now());
    for number in 0..joiners {
        lab.join(seat(still(), Files::default()));
        lab.run_seconds(0.05 * number as f64);
    }
    while lab.now() < began + 20_000_000 {
        lab.step();
        assert!(lab.clients[..2].iter().all(|seat| seat.net.stage() == client::Stage::Playing));
    }
    let seconds = (lab.now() - began) as f64 / 1e6;
    for (seat, before) in lab.clients.iter().zip(ticks) {
        let rate = f64::from(seat.ticks - before) / seconds;
        assert!((29.9..30.1).contains(&rate), "{rate}");
    }
    let rate = f64::from(lab.host.ticks - host_ticks) / seconds;
    assert!((29.9..30.1).contains(&rate), "{rate}");
    let after = counted(&lab);
    lab.run_until("all play", 60, |lab| (0..lab.clients.len()).all(|place| plays(lab, place)));
    assert_eq!(left(&lab), []);
    (after.0 - before.0, after.1 - before.1)
}
