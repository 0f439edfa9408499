//! What a client counts of objects that were not made, and of those that it removes by itself.

use super::*;

impl Copy {
    fn settle(&mut self) {
        let mut commands = Vec::new();
        self.client.settle(&rows(&self.has), &[], &mut commands);
    }

    fn counts(&self) -> (u32, u32) {
        (self.client.failed(), self.client.removed())
    }
}

/// TOOL-67: what the engine does not make counts as failed, each time that it is told to; what it makes, and what is
/// deleted again or replaced in the same tick, does not.
#[test]
fn what_is_not_made_has_failed() {
    let mut copy = Copy::loaded(&[]);
    copy.cannot = Some(object(3, 1));
    copy.says(&[made(1, 1), made(2, 1), Sent::ListEnds]);
    copy.settle();
    assert_eq!(copy.counts(), (0, 0));
    copy.says(&[made(3, 1)]);
    copy.settle();
    assert_eq!((copy.counts(), copy.client.lacking()), ((1, 0), 1));
    for _ in 0..10 {
        copy.tick();
        copy.settle();
    }
    assert_eq!(copy.counts(), (1, 0), "nobody told it again");
    copy.says(&[made(3, 1)]);
    copy.settle();
    assert_eq!(copy.counts(), (2, 0));
    copy.cannot = None;
    copy.says(&[made(3, 1)]);
    copy.settle();
    assert_eq!((copy.counts(), copy.client.lacking()), ((2, 0), 0));
    copy.says(&[made(4, 1), deleted(4, 1), made(4, 2), deleted(4, 2), made(4, 3)]);
    copy.settle();
    assert_eq!(copy.counts(), (2, 0));
}

/// TOOL-67: three that the host never told of are removed with its list's end, and counted; what it deletes itself is not.
#[test]
fn what_the_host_never_told_of_is_removed() {
    let unknown = [object(7, 1), object(8, 2), object(9, 3)];
    let mut copy = Copy::loaded(&[&unknown[..], &[object(1, 1)]].concat());
    copy.says(&[made(1, 1), made(2, 1)]);
    copy.settle();
    assert_eq!(copy.counts(), (0, 0), "the list has not ended");
    assert_eq!(copy.says(&[Sent::ListEnds]), unknown.map(Command::Delete));
    copy.settle();
    assert_eq!(copy.counts(), (0, 3));
    copy.says(&[deleted(1, 1)]);
    copy.settle();
    assert_eq!((copy.counts(), copy.has.len()), ((0, 3), 1));
}
