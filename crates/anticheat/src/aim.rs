//! The host's aim assist policy (CHEAT-44 to 48, kind 90): to whom it goes, what a client has of it, and when it takes a mouse's
//! magnetism away. Knows no mouse, no preference and nothing of bullets' autoaim, none of which it changes.

use mjolnir_wire::rules::AimAssistPolicy;
use mjolnir_wire::{Kind, Machine, MachineSet, Outbox};

/// What a host's is unless its settings say otherwise (CHEAT-44).
pub const AIM_ASSIST: AimAssistPolicy = AimAssistPolicy::Allowed;

/// The host's half: the policy, and which machine was told what.
#[derive(Clone, Debug)]
pub struct AimHost {
    policy: AimAssistPolicy,
    /// The machines that were told since they last became ready.
    told: MachineSet,
    /// Of these, those that were last told that it is blocked.
    blocked: MachineSet,
}

impl AimHost {
    /// Nobody is ready.
    pub const fn new(policy: AimAssistPolicy) -> Self {
        Self { policy, told: MachineSet::NONE, blocked: MachineSet::NONE }
    }

    /// The policy, the host's own machine's too.
    pub const fn policy(&self) -> AimAssistPolicy {
        self.policy
    }

    /// The policy from now on.
    pub const fn set_policy(&mut self, policy: AimAssistPolicy) {
        self.policy = policy;
    }

    /// Another game begins: every machine becomes ready anew.
    pub const fn begin(&mut self) {
        self.told = MachineSet::NONE;
    }

    /// A machine has left.
    pub fn forget(&mut self, machine: Machine) {
        self.told.remove(machine);
    }

    /// Tells machines that become ready, in the place that a readiness's answer has for it (NET-69), whatever they were told
    /// before.
    pub fn tell_ready(&mut self, ready: MachineSet, outbox: &mut Outbox) {
        let ready = ready.without(MachineSet::HOST);
        self.told = self.told.union(ready);
        self.write(ready, outbox);
    }

    /// Each tick: tells those of the machines that are ready and were last told another policy than there is (CHEAT-47).
    pub fn tell(&mut self, machines: MachineSet, outbox: &mut Outbox) {
        let misled = match self.policy {
            AimAssistPolicy::Allowed => self.told.intersection(self.blocked),
            AimAssistPolicy::Blocked => self.told.without(self.blocked),
        };
        self.write(misled.intersection(machines), outbox);
    }

    fn write(&mut self, to: MachineSet, outbox: &mut Outbox) {
        if to.is_empty() {
            return;
        }
        self.blocked = match self.policy {
            AimAssistPolicy::Allowed => self.blocked.without(to),
            AimAssistPolicy::Blocked => self.blocked.union(to),
        };
        // An entry of its size fits any message.
        let _ = outbox.reliable_entry(to, Kind::AimAssistPolicy, |bytes| self.policy.write(bytes));
    }
}

/// A client's half: what its host has said.
#[derive(Clone, Debug, Default)]
pub struct AimClient(Option<AimAssistPolicy>);

impl AimClient {
    /// Nothing was said.
    pub const fn new() -> Self {
        Self(None)
    }

    /// The host says, by its stream, which it is.
    pub const fn hear(&mut self, policy: AimAssistPolicy) {
        self.0 = Some(policy);
    }

    /// Another session begins, or this one ends: the next host has said nothing yet.
    pub const fn forget(&mut self) {
        self.0 = None;
    }

    /// What holds: blocked until the host has said otherwise (CHEAT-48).
    pub const fn policy(&self) -> AimAssistPolicy {
        match self.0 {
            Some(policy) => policy,
            None => AimAssistPolicy::Blocked,
        }
    }
}

/// Where a machine is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scene {
    /// In the main menu, or in a lobby.
    Menu,
    /// It loads a game.
    Loading,
    /// In a game of its own that no other machine is part of, nor can be.
    Local,
    /// In a network game, as its host or as a client.
    Network,
}

/// When the first local controller's player last aimed with each device, by any count that only grows, the same for all three;
/// none that it never did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Aiming {
    /// With the mouse.
    pub mouse: Option<u64>,
    /// With the controller's stick.
    pub stick: Option<u64>,
    /// By touch.
    pub touch: Option<u64>,
}

impl Aiming {
    /// Whether it aims with the mouse: it was the last of the three, or none was used yet (CHEAT-46). Of two at the same
    /// moment the mouse is the later, so that a touch of the stick with each turn of the mouse is no way round it.
    pub fn is_by_mouse(&self) -> bool {
        self.mouse >= self.stick.max(self.touch)
    }
}

/// Whether the mouse has no magnetism now, whatever its player prefers (CHEAT-45): in a network game whose policy blocks it, for
/// the local controller of that place, 0 the first and the only one that a mouse aims for (CHEAT-46).
pub fn is_mouse_blocked(scene: Scene, policy: AimAssistPolicy, controller: usize, aiming: &Aiming) -> bool {
    scene == Scene::Network && policy == AimAssistPolicy::Blocked && controller == 0 && aiming.is_by_mouse()
}

#[cfg(test)]
mod tests {
    use alloc::vec;
    use alloc::vec::Vec;

    use AimAssistPolicy::{Allowed, Blocked};
    use mjolnir_wire::framing::StreamReader;
    use mjolnir_wire::{Message, Tick};

    use super::*;

    const CLIENTS: MachineSet = MachineSet::CLIENTS;

    fn machine(index: u8) -> Machine {
        Machine::new(index).unwrap()
    }

    /// What machines 0 to 3 are told in a tick: each message with its bytes.
    fn tick(act: impl FnOnce(&mut Outbox)) -> [Vec<(AimAssistPolicy, usize)>; 4] {
        let mut outbox = Outbox::new();
        outbox.begin(Tick::ZERO, 0);
        act(&mut outbox);
        [0, 1, 2, 3].map(|index| {
            let (mut reader, mut bytes, mut all) = (StreamReader::new(), Vec::new(), Vec::new());
            outbox.gather_stream(machine(index), &mut bytes);
            reader.push(&bytes);
            while let Some((_, bytes)) = reader.next_message().unwrap() {
                let message = Message::read(bytes).unwrap();
                assert_eq!(message.kind, Kind::AimAssistPolicy);
                let read: Vec<_> = AimAssistPolicy::read_all(&message).map(Result::unwrap).collect();
                let [policy] = read.as_slice() else { panic!("{read:?}") };
                all.push((*policy, bytes.len()));
            }
            all
        })
    }

    /// CHEAT-44: allowed, where nothing else is set.
    #[test]
    fn aim_assist_is_allowed_by_default() {
        assert_eq!(AimHost::new(AIM_ASSIST).policy(), Allowed);
    }

    /// CHEAT-47: one message as it becomes ready and one for each of two changes, of twelve bytes each; none for the same value,
    /// nor for one that was back before anybody was told, nor to who is not ready, nor to the host itself.
    #[test]
    fn it_goes_to_the_ready_and_on_each_change() {
        let mut host = AimHost::new(Allowed);
        let both = |host: &mut AimHost, ready: MachineSet| {
            tick(|outbox| {
                host.tell_ready(ready, outbox);
                host.tell(CLIENTS, outbox);
            })
        };
        let none: [Vec<(AimAssistPolicy, usize)>; 4] = Default::default();
        let [first, second] = [1, 2].map(|index| MachineSet::only(machine(index)));
        let to_first = |policy| [vec![], vec![(policy, 12)], vec![], vec![]];
        assert_eq!(both(&mut host, MachineSet::NONE), none);
        assert_eq!(both(&mut host, first.union(MachineSet::HOST)), to_first(Allowed));
        host.set_policy(Allowed);
        assert_eq!(both(&mut host, MachineSet::NONE), none);
        for policy in [Blocked, Allowed] {
            host.set_policy(policy);
            assert_eq!(both(&mut host, MachineSet::NONE), to_first(policy));
            assert_eq!(both(&mut host, MachineSet::NONE), none);
        }
        host.set_policy(Blocked);
        host.set_policy(Allowed);
        assert_eq!(both(&mut host, MachineSet::NONE), none);
        // One that becomes ready in the tick of a change hears of it once, and so does the other.
        host.set_policy(Blocked);
        assert_eq!(both(&mut host, second), [vec![], vec![(Blocked, 12)], vec![(Blocked, 12)], vec![]]);
        // One that asks for everything again is told again.
        assert_eq!(both(&mut host, second), [vec![], vec![], vec![(Blocked, 12)], vec![]]);
    }

    /// CHEAT-47: who cannot hear of a change is told as soon as it can; who has left, and in a new game who is not ready yet, is not
    /// told, and a machine that comes in a leaver's place is told as it becomes ready alone.
    #[test]
    fn a_change_waits_for_who_hears() {
        let mut host = AimHost::new(Allowed);
        let three = CLIENTS.without(MachineSet::from_bits(!0b1110));
        let told = tick(|outbox| host.tell_ready(three, outbox)).map(|told| told.len());
        assert_eq!(told, [0, 1, 1, 1]);
        host.set_policy(Blocked);
        host.forget(machine(3));
        let two = MachineSet::only(machine(2));
        assert_eq!(
            tick(|outbox| host.tell(CLIENTS.without(two), outbox)).map(|told| told.len()),
            [0, 1, 0, 0]
        );
        assert_eq!(tick(|outbox| host.tell(CLIENTS, outbox)).map(|told| told.len()), [0, 0, 1, 0]);
        assert_eq!(tick(|outbox| host.tell(CLIENTS, outbox)).map(|told| told.len()), [0; 4]);
        host.begin();
        host.set_policy(Allowed);
        assert_eq!(tick(|outbox| host.tell(CLIENTS, outbox)).map(|told| told.len()), [0; 4]);
        let told = tick(|outbox| {
            host.tell_ready(three, outbox);
            host.tell(CLIENTS, outbox);
        });
        assert_eq!(told, [Vec::new(), vec![(Allowed, 12)], vec![(Allowed, 12)], vec![(Allowed, 12)]]);
    }

    /// CHEAT-48: blocked until its host has said otherwise, and again at the next host.
    #[test]
    fn a_client_is_blocked_until_it_is_told() {
        let mut client = AimClient::new();
        assert_eq!(client.policy(), Blocked);
        for policy in [Allowed, Blocked, Allowed, Allowed] {
            client.hear(policy);
            assert_eq!(client.policy(), policy);
        }
        client.forget();
        assert_eq!(client.policy(), Blocked);
    }

    /// CHEAT-45, 46: in a network game that blocks it, for the first controller, and nowhere else.
    #[test]
    fn a_mouse_is_blocked_in_network_games_alone() {
        let aiming = Aiming { mouse: Some(5), stick: Some(4), touch: None };
        for scene in [Scene::Menu, Scene::Loading, Scene::Local, Scene::Network] {
            for policy in [Allowed, Blocked] {
                for controller in 0..4 {
                    let blocked = is_mouse_blocked(scene, policy, controller, &aiming);
                    let is_it = (scene, policy, controller) == (Scene::Network, Blocked, 0);
                    assert_eq!(blocked, is_it, "{scene:?} {policy:?} {controller}");
                }
            }
        }
    }

    /// CHEAT-46: the mouse counts while it was the last of the three that aimed, both sides of each comparison; at first too.
    #[test]
    fn the_last_device_that_aimed_counts() {
        let by_mouse = |mouse, stick, touch| {
            let aiming = Aiming { mouse, stick, touch };
            let blocked = is_mouse_blocked(Scene::Network, Blocked, 0, &aiming);
            assert_eq!(blocked, aiming.is_by_mouse());
            blocked
        };
        assert!(by_mouse(None, None, None));
        assert!(by_mouse(Some(0), None, None));
        assert!(!by_mouse(None, Some(0), None) && !by_mouse(None, None, Some(0)));
        // In the order of a game.
        assert!(by_mouse(Some(20), None, None));
        assert!(!by_mouse(Some(20), Some(30), None));
        assert!(by_mouse(Some(40), Some(30), None));
        assert!(!by_mouse(Some(40), Some(30), Some(50)));
        assert!(by_mouse(Some(60), Some(30), Some(50)));
        for other in [1, 2, 1_000, u64::MAX - 1] {
            for (mouse, is_last) in [(other - 1, false), (other, true), (other + 1, true)] {
                for (stick, touch) in [(other, None), (other, Some(0)), (other, Some(other))] {
                    assert_eq!(
                        by_mouse(Some(mouse), Some(stick), touch),
                        is_last,
                        "{mouse} {stick} {touch:?}"
                    );
                    assert_eq!(
                        by_mouse(Some(mouse), touch, Some(stick)),
                        is_last,
                        "{mouse} {stick} {touch:?}"
                    );
                }
            }
        }
    }
}
