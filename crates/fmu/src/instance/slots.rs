//! Saved states, numbered.

use fmi2::Function;
use lotka_instance::{CallResult, Cause, Slot};

use super::{FmuInstance, Progress, envelope};
use crate::calls::{Calls, Reply, SavedState};

/// Largest serialized state \[byte\].
const SIZE_LIMIT: usize = 1 << 30;

/// The saved states of an instance. A number is reused after its slot was freed.
#[derive(Default)]
pub(super) struct Slots(Vec<Option<Saved>>);

/// A slot in use.
struct Saved {
    state: SavedState,
    /// The progress of the instance; `None` until a state is saved.
    progress: Option<Progress>,
}

impl Slots {
    #[inline]
    fn get(&mut self, slot: Slot) -> Option<&mut Saved> {
        self.0.get_mut(slot.0 as usize)?.as_mut()
    }

    pub fn free_all(&mut self, calls: &mut Calls) {
        for saved in self.0.iter_mut().flatten().filter(|saved| !saved.state.is_empty()) {
            // The instance is freed next; a state that cannot be freed now never can.
            let _ = calls.free_state(&mut saved.state);
        }
        self.0.clear();
    }
}

impl FmuInstance {
    pub(super) fn make_slot(&mut self) -> CallResult<Slot> {
        self.allow_capability(Function::GetFMUstate, self.calls.fmu.shared.capabilities.save_state)?;
        let slots = &mut self.slots.0;
        let index = slots.iter().position(Option::is_none).unwrap_or_else(|| {
            slots.push(None);
            slots.len() - 1
        });
        slots[index] = Some(Saved { state: SavedState::empty(), progress: None });
        Ok(Slot(index as u32))
    }

    #[inline]
    pub(super) fn save_to(&mut self, slot: Slot) -> CallResult<()> {
        const FUNCTION: Function = Function::GetFMUstate;
        self.check(FUNCTION)?;
        let Some(saved) = self.slots.get(slot) else { return Err(self.bad_slot(FUNCTION, slot)) };
        saved.progress = None;
        let reply = self.calls.save(&mut saved.state);
        if saved.state.is_empty() || !matches!(reply, Ok(0 | 1)) {
            return self.settle_unsaved(reply);
        }
        saved.progress = Some(self.progress);
        self.settle(FUNCTION, reply)
    }

    /// Processes the result of a call that saved no state.
    #[cold]
    fn settle_unsaved(&mut self, reply: Reply) -> CallResult<()> {
        self.settle(Function::GetFMUstate, reply)?;
        Err(self.error(Function::GetFMUstate, Cause::BadReply("the state is NULL".into())))
    }

    #[inline]
    pub(super) fn restore_from(&mut self, slot: Slot) -> CallResult<()> {
        const FUNCTION: Function = Function::SetFMUstate;
        self.check(FUNCTION)?;
        let Some(Saved { state, progress: Some(progress) }) = self.slots.get(slot) else {
            return Err(self.bad_slot(FUNCTION, slot));
        };
        let progress = *progress;
        let reply = self.calls.restore(state);
        self.settle(FUNCTION, reply)?;
        self.progress = progress;
        Ok(())
    }

    pub(super) fn give_up(&mut self, slot: Slot) -> CallResult<()> {
        const FUNCTION: Function = Function::FreeFMUstate;
        self.check(FUNCTION)?;
        let Some(saved) = self.slots.0.get_mut(slot.0 as usize).and_then(Option::take) else {
            return Err(self.bad_slot(FUNCTION, slot));
        };
        self.free_state(saved.state)
    }

    pub(super) fn write_bytes(&mut self, slot: Slot) -> CallResult<Vec<u8>> {
        const SIZE: Function = Function::SerializedFMUstateSize;
        const WRITE: Function = Function::SerializeFMUstate;
        self.check_capability(SIZE, self.calls.fmu.shared.capabilities.serialize_state)?;
        let Some(Saved { state, progress: Some(progress) }) = self.slots.get(slot) else {
            return Err(self.bad_slot(WRITE, slot));
        };
        let header = envelope::header(progress, &self.calls.fmu.shared.description.guid);
        let (reply, size) = match self.calls.serialized_size(state) {
            Ok((status, size)) => (Ok(status), size),
            Err(refused) => (Err(refused), 0),
        };
        if reply == Ok(0) && size <= SIZE_LIMIT {
            let mut bytes = header;
            let start = bytes.len();
            bytes.resize(start + size, 0);
            self.begin(WRITE);
            let Some(Saved { state, .. }) = self.slots.get(slot) else { return Err(self.bad_slot(WRITE, slot)) };
            let reply = self.calls.serialize(state, &mut bytes[start..]);
            return self.settle(WRITE, reply).map(|()| bytes);
        }
        self.settle(SIZE, reply)?;
        Err(self.error(SIZE, Cause::BadReply(format!("a size of {size} bytes, more than {SIZE_LIMIT}"))))
    }

    pub(super) fn fill_from_bytes(&mut self, slot: Slot, bytes: &[u8]) -> CallResult<()> {
        const FUNCTION: Function = Function::DeSerializeFMUstate;
        self.check_capability(FUNCTION, self.calls.fmu.shared.capabilities.serialize_state)?;
        let (progress, bytes) = envelope::open(bytes, &self.calls.fmu.shared.description.guid)
            .map_err(|problem| self.error(FUNCTION, Cause::BadArgument(problem.to_string())))?;
        let Some(saved) = self.slots.get(slot) else { return Err(self.bad_slot(FUNCTION, slot)) };
        saved.progress = None;
        let old = std::mem::replace(&mut saved.state, SavedState::empty());
        self.free_state(old)?;
        self.begin(FUNCTION);
        let Some(saved) = self.slots.get(slot) else { return Err(self.bad_slot(FUNCTION, slot)) };
        let reply = self.calls.deserialize(bytes, &mut saved.state);
        let is_empty = saved.state.is_empty();
        if reply.is_ok_and(|status| status <= 1) && !is_empty {
            saved.progress = Some(progress);
        }
        self.settle(FUNCTION, reply)?;
        if is_empty { Err(self.error(FUNCTION, Cause::BadReply("the state is NULL".into()))) } else { Ok(()) }
    }

    fn free_state(&mut self, mut state: SavedState) -> CallResult<()> {
        if state.is_empty() {
            return Ok(());
        }
        self.begin(Function::FreeFMUstate);
        let reply = self.calls.free_state(&mut state);
        self.settle(Function::FreeFMUstate, reply)
    }

    #[cold]
    fn bad_slot(&self, function: Function, slot: Slot) -> Box<lotka_instance::CallError> {
        let what = format!("slot {} is not in use, or nothing was saved into it", slot.0);
        self.error(function, Cause::BadArgument(what))
    }
}
