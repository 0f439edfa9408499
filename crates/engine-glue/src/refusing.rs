//! What is refused, counted by its reason. Knows no reason but one.

use mjolnir_transport::Reasons;

/// A kind whose crate is not assembled yet: refused, and counted so.
pub(crate) const NOT_YET: &str = "not_handled";

pub(crate) fn count(refused: &mut Reasons, result: Result<(), &'static str>) {
    if let Err(reason) = result {
        refused.count(reason);
    }
}

/// Takes one entry, or counts why it was refused.
pub(crate) fn take<T>(
    refused: &mut Reasons,
    entry: Result<T, mjolnir_wire::Error>,
    handle: impl FnOnce(T) -> Result<(), &'static str>,
) {
    let handled = match entry {
        Ok(entry) => handle(entry),
        Err(error) => Err(error.reason()),
    };
    count(refused, handled);
}
