//! The reply that a request permits, so that a host cannot make the master allocate more than that needs.
//!
//! Decoding multiplies: an empty string takes one byte of a message and 24 bytes of memory. The kind of a reply is its first
//! byte, and the number of its values follows, so both are compared with the request before anything is decoded.

use serde::{Deserialize, Serialize};

use super::Garbled;
use super::message::Request;

/// Maximum length of a saved state with its message \[byte\].
const LONGEST_STATE: usize = (1 << 30) + (1 << 10);

/// Maximum length of all values of a reply \[byte\].
pub(super) const LONGEST_VALUES: usize = 1 << 24;

/// Maximum length of a reply in words, such as an error \[byte\]. Decoding takes at most 24 times as much memory.
const LONGEST_WORDS: usize = 1 << 20;

/// The kinds of replies, in the order of [`super::Reply`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
enum Kind {
    Done,
    Loaded,
    Refused,
    Failed,
    Outcome,
    Updated,
    Slot,
    Reals,
    Integers,
    Booleans,
    Strings,
    Binaries,
    Bytes,
    ProcessState,
    Pair,
}

/// The reply to a request: this one, or that it failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Expected {
    kind: Kind,
    /// The number of values, if there are any.
    count: Option<usize>,
}

impl Expected {
    /// The reply to `request`.
    pub fn of(request: &Request) -> Self {
        let (kind, count) = match request {
            Request::Start(_) => (Kind::Loaded, None),
            Request::GetReal(_, count) => (Kind::Reals, Some(*count)),
            Request::GetInteger(_, count) => (Kind::Integers, Some(*count)),
            Request::GetBoolean(_, count) => (Kind::Booleans, Some(*count)),
            Request::GetString(_, count) => (Kind::Strings, Some(*count)),
            Request::GetBinary(_, count) => (Kind::Binaries, Some(*count)),
            Request::GetOutputDerivatives(_, _, count) => (Kind::Reals, Some(*count)),
            Request::DirectionalDerivative { result, .. } => (Kind::Reals, Some(*result)),
            Request::DoStep { .. } | Request::Step { .. } => return Self::OUTCOME,
            Request::UpdateDiscreteStates => (Kind::Updated, None),
            Request::NewSlot => (Kind::Slot, None),
            Request::Serialize(_) => (Kind::Bytes, None),
            Request::ProcessState => (Kind::ProcessState, None),
            Request::Pair(_) => (Kind::Pair, None),
            Request::Instantiate { .. }
            | Request::SetDebugLogging(..)
            | Request::SetupExperiment(_)
            | Request::EnterInitializationMode
            | Request::ExitInitializationMode
            | Request::Terminate
            | Request::Reset
            | Request::SetReal(..)
            | Request::SetInteger(..)
            | Request::SetBoolean(..)
            | Request::SetString(..)
            | Request::SetBinary(..)
            | Request::SetInputDerivatives(..)
            | Request::Bind(..)
            | Request::EnterEventMode
            | Request::EnterStepMode
            | Request::Save(_)
            | Request::Restore(_)
            | Request::FreeSlot(_)
            | Request::Deserialize(..)
            | Request::Free
            | Request::End => (Kind::Done, None),
        };
        Self { kind, count }
    }

    /// The reply to a step.
    pub const OUTCOME: Self = Self { kind: Kind::Outcome, count: None };

    /// Checks the beginning of a reply and returns its maximum length \[byte\].
    pub fn longest(self, beginning: &[u8]) -> Result<usize, Garbled> {
        let (kind, values) = postcard::take_from_bytes::<Kind>(beginning).map_err(|_| Garbled("a reply"))?;
        if matches!(kind, Kind::Failed | Kind::Refused) {
            return Ok(LONGEST_WORDS);
        }
        if kind != self.kind {
            return Err(Garbled("the kind of a reply"));
        }
        if let Some(count) = self.count {
            let given = postcard::take_from_bytes::<usize>(values).map_err(|_| Garbled("a reply"))?.0;
            if given != count {
                return Err(Garbled("the number of values in a reply"));
            }
        }
        Ok(match kind {
            Kind::Bytes => LONGEST_STATE,
            Kind::Outcome | Kind::Reals | Kind::Integers | Kind::Booleans | Kind::Strings | Kind::Binaries | Kind::Pair => {
                LONGEST_VALUES
            }
            _ => LONGEST_WORDS,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::protocol::Reply;
    use lotka_instance::{DiscreteUpdate, Slot, StepOutcome};

    fn longest(request: &Request, reply: &Reply) -> Result<usize, Garbled> {
        Expected::of(request).longest(&postcard::to_stdvec(reply).unwrap())
    }

    #[test]
    fn kinds_are_those_of_replies() {
        let replies = [
            (Kind::Done, Reply::Done),
            (Kind::Refused, Reply::Refused(String::new())),
            (Kind::Outcome, Reply::Outcome(StepOutcome::Complete, Vec::new())),
            (Kind::Updated, Reply::Updated(DiscreteUpdate::default())),
            (Kind::Slot, Reply::Slot(Slot(3))),
            (Kind::Reals, Reply::Reals(Vec::new())),
            (Kind::Integers, Reply::Integers(Vec::new())),
            (Kind::Booleans, Reply::Booleans(Vec::new())),
            (Kind::Strings, Reply::Strings(Vec::new())),
            (Kind::Binaries, Reply::Binaries(Vec::new())),
            (Kind::Bytes, Reply::Bytes(Vec::new())),
        ];
        for (kind, reply) in replies {
            assert_eq!(postcard::to_stdvec(&reply).unwrap()[0], postcard::to_stdvec(&kind).unwrap()[0], "{reply:?}");
        }
    }

    #[test]
    fn other_kinds_and_numbers_are_refused_before_they_are_decoded() {
        let serialize = Request::Serialize(Slot(0));
        assert_eq!(longest(&serialize, &Reply::Bytes(vec![1, 2])), Ok(LONGEST_STATE));
        assert_eq!(longest(&serialize, &Reply::Strings(vec![String::new(); 3])), Err(Garbled("the kind of a reply")));
        assert_eq!(longest(&serialize, &Reply::Refused("no".into())), Ok(LONGEST_WORDS));
        let read = Request::GetString(Vec::new(), 2);
        assert_eq!(longest(&read, &Reply::Strings(vec![String::new(); 2])), Ok(LONGEST_VALUES));
        for count in [0, 1, 3, 1000] {
            let reply = Reply::Strings(vec![String::new(); count]);
            assert_eq!(longest(&read, &reply), Err(Garbled("the number of values in a reply")), "{count}");
        }
        assert_eq!(longest(&read, &Reply::Bytes(Vec::new())), Err(Garbled("the kind of a reply")));
        assert_eq!(Expected::of(&read).longest(&[]), Err(Garbled("a reply")));
        assert_eq!(Expected::of(&read).longest(&[99]), Err(Garbled("a reply")));
    }
}
