//! What the engine tells of its devices, and what it is asked to do with them. Knows no message.

use mjolnir_wire::ObjectName;
use mjolnir_wire::devices::Setting;

/// What a group of devices, or a device by itself, is set to.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct GroupRow {
    /// Which.
    pub of: Setting,
    /// 0 to 1. A device goes there by itself, as fast as it does.
    pub value: f32,
    /// On the host: times it was set since the level began, wrapping. A client's is not looked at.
    pub changed: u8,
    /// On the host: times it was set at once, wrapping. A client's is not looked at.
    pub snaps: u8,
}

/// Where a device is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DeviceRow {
    /// Which.
    pub device: ObjectName,
    /// How far it is along its travel, 0 to 1. Of one that was put elsewhere since the tick simulated last, that.
    pub position: f32,
    /// Its power, 0 to 1.
    pub power: f32,
    /// It moved in the tick simulated last.
    pub moving: bool,
    /// How long its travel is, world units.
    pub travel: f32,
}

/// What a client's engine is to do.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Command {
    /// That group, or that device by itself, is set to that value: its devices go there, or are there at once
    /// (COOP-67). Where it is not at once, a device that was held goes on.
    Set {
        /// Which.
        of: Setting,
        /// 0 to 1.
        value: f32,
        /// They are there at once.
        at_once: bool,
    },
    /// That device is there from the tick to be simulated on, and carries what is on it by as much in that tick
    /// (GLUE-20). One that does not move there is held: it moves no more, wherever its group would have it, until it is
    /// told to go on or its group is set.
    Put {
        /// Which.
        device: ObjectName,
        /// 0 to 1.
        position: f32,
        /// It moves on from there.
        moving: bool,
    },
    /// That device has that power.
    Power {
        /// Which.
        device: ObjectName,
        /// 0 to 1.
        power: f32,
    },
}

/// What a client's engine is to do with one of its level's named objects (COOP-21).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameCommand {
    /// It is made, as the level has it, or as the host did: one that is the host's object comes with those, and is not made here.
    Make {
        /// The level's name for it.
        name: u16,
    },
    /// It is deleted; the same.
    Delete {
        /// The level's name for it.
        name: u16,
    },
}
