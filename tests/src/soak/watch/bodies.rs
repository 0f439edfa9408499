//! Since when a host's units do not stand any more, so that somebody can ask who stands too long elsewhere. Knows names and
//! times.

use mjolnir_wire::ObjectId;
use mjolnir_wire::limits::FIRST_OWN_OBJECT;

/// See the file's text. As large as it gets from the beginning, since what grows is looked for.
#[derive(Debug)]
pub(super) struct Bodies(Vec<Option<Body>>);

/// A unit that stands, or did.
#[derive(Clone, Copy, Debug)]
struct Body {
    unit: ObjectId,
    /// Since when it does not; none while it stands.
    fell: Option<u64>,
}

impl Default for Bodies {
    fn default() -> Self {
        Self(vec![None; FIRST_OWN_OBJECT])
    }
}

impl Bodies {
    /// Another game.
    pub(super) fn clear(&mut self) {
        self.0.fill(None);
    }

    /// After a tick of the host's, at that time. `stands` says whether a unit stands there; none where it is gone.
    pub(super) fn note(
        &mut self,
        now: u64,
        stands: impl Fn(ObjectId) -> Option<bool>,
        all: impl Iterator<Item = ObjectId>,
    ) {
        for known in &mut self.0 {
            let Some(body) = known else { continue };
            match stands(body.unit) {
                Some(true) => {}
                Some(false) => {
                    body.fell.get_or_insert(now);
                }
                None => *known = None,
            }
        }
        for unit in all.filter(|unit| stands(*unit) == Some(true)) {
            if let Some(known) = self.0.get_mut(unit.index()) {
                *known = Some(Body { unit, fell: None });
            }
        }
    }

    /// Since when that unit of the host's does not stand; none if it does, never did, or is gone.
    pub(super) fn fell(&self, unit: ObjectId) -> Option<u64> {
        let known = self.0.get(unit.index()).copied().flatten();
        known.filter(|known| known.unit == unit).and_then(|known| known.fell)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unit(index: u16, identifier: u16) -> ObjectId {
        ObjectId::new(index, identifier).expect("a name")
    }

    fn note(bodies: &mut Bodies, now: u64, standing: &[ObjectId], lying: &[ObjectId]) {
        let stands = |unit| {
            let is_there = standing.contains(&unit) || lying.contains(&unit);
            is_there.then(|| standing.contains(&unit))
        };
        bodies.note(now, stands, standing.iter().copied());
    }

    /// Who stood and does not fell then, and not later; who stands did not, nor did another of the same index, nor whoever is
    /// gone.
    #[test]
    fn who_fell_did_so_once() {
        let mut bodies = Bodies::default();
        let [a, b, again] = [unit(3, 1), unit(4, 1), unit(3, 2)];
        note(&mut bodies, 10, &[a, b], &[]);
        assert_eq!((bodies.fell(a), bodies.fell(b), bodies.fell(again)), (None, None, None));
        note(&mut bodies, 20, &[b], &[a]);
        note(&mut bodies, 30, &[b], &[a]);
        assert_eq!((bodies.fell(a), bodies.fell(b)), (Some(20), None));
        note(&mut bodies, 40, &[again], &[b]);
        assert_eq!((bodies.fell(a), bodies.fell(b), bodies.fell(again)), (None, Some(40), None));
        note(&mut bodies, 50, &[], &[]);
        assert_eq!((bodies.fell(b), bodies.fell(again)), (None, None));
    }
}
