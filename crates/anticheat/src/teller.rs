//! When a client tells its host who its player is (CHEAT-19, 52, kind 18). Knows no Discord: who is signed in is said to it.

use mjolnir_wire::identity::Identity;
use mjolnir_wire::{Kind, MachineSet, Outbox};

/// What the host was told.
#[derive(Clone, Debug, Default)]
pub struct Teller {
    told: Option<Identity>,
}

impl Teller {
    /// Nothing was told.
    pub const fn new() -> Self {
        Self { told: None }
    }

    /// Another session begins, or this one ends: its host forgets what it was told, and the next knows nothing.
    pub const fn forget(&mut self) {
        self.told = None;
    }

    /// Each tick in the game, and only there: tells the host over the stream once, nobody too ([`Identity::NONE`]), and again
    /// whenever it is another (CHEAT-19, 52).
    pub fn tell(&mut self, identity: Identity, outbox: &mut Outbox) {
        if self.told == Some(identity) {
            return;
        }
        let put =
            outbox.reliable_entry(MachineSet::HOST, Kind::ClientIdentity, |bytes| identity.write(bytes));
        if put.is_ok() {
            self.told = Some(identity);
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::vec::Vec;

    use mjolnir_wire::framing::StreamReader;
    use mjolnir_wire::{Machine, Message, Tick};

    use super::*;

    /// What the host hears of a tick.
    fn tick(teller: &mut Teller, identity: Identity) -> Vec<Identity> {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 0);
        teller.tell(identity, &mut outbox);
        let (mut reader, mut bytes, mut all) = (StreamReader::new(), Vec::new(), Vec::new());
        outbox.gather_stream(Machine::HOST, &mut bytes);
        reader.push(&bytes);
        while let Some((_, bytes)) = reader.next_message().unwrap() {
            let message = Message::read(bytes).unwrap();
            assert_eq!((message.kind, bytes.len()), (Kind::ClientIdentity, 72));
            all.extend(Identity::read_all(&message).map(Result::unwrap));
        }
        all
    }

    /// CHEAT-19: one message at first, one when another has signed in, and none more in a minute of ticks each; in another session
    /// the same again.
    #[test]
    fn a_user_is_told_once_and_on_each_change() {
        let mut teller = Teller::new();
        let users = [Identity::new("7", "ann"), Identity::new("8", "ann"), Identity::new("8", "Ann")];
        for session in 0..2 {
            for user in users {
                assert_eq!(tick(&mut teller, user), [user], "session {session}");
                for _ in 0..1_800 {
                    assert!(tick(&mut teller, user).is_empty());
                }
            }
            // Back to one that was told before is a change as well.
            assert_eq!(tick(&mut teller, users[0]), [users[0]]);
            teller.forget();
        }
    }

    /// CHEAT-52: nobody is told as well, once: an id and a name of no characters.
    #[test]
    fn nobody_is_told_too() {
        let mut teller = Teller::new();
        let said = tick(&mut teller, Identity::NONE);
        let [nobody] = said.as_slice() else { panic!("{said:?}") };
        assert_eq!((nobody.id(), nobody.name()), ("", ""));
        assert!(tick(&mut teller, Identity::new("", "")).is_empty());
        let user = Identity::new("7", "");
        assert_eq!(tick(&mut teller, user), [user]);
        assert_eq!(tick(&mut teller, Identity::NONE), [Identity::NONE], "signed out");
    }
}
