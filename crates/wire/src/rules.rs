//! What the host decides of how everyone plays (kind 90, FACT wire 3.12). Only the layout: the checks come with the
//! crate that obeys it.

use crate::layout::{Values, layout};

/// Values of the fields, for the record.
pub(crate) const VALUES: &[Values] = &[("aim_assist_policy.block_mouse", &[("free", 0), ("blocked", 1)])];

layout! {
    /// The entry of kind 90; the message is exactly twelve bytes.
    pub struct AimAssistPolicyEntry = 4 {
        /// 0 or 1.
        block_mouse: u16 = 0,
        /// Zero.
        reserved: u16 = 2,
    }
}
