//! Saved states, numbered.

use std::{ffi::c_void, ptr::null_mut};

use lotka_instance::{CallError, CallResult, Cause, Slot};

use super::{Imported, Progress, Refused, Reply, envelope};

/// Largest serialized state \[byte\].
const SIZE_LIMIT: usize = 1 << 30;

/// A state that the FMU keeps for the importer; NULL until a state is saved.
pub(crate) struct SavedState(pub(crate) *mut c_void);

// SAFETY: the pointer is only passed back to the FMU that created it.
unsafe impl Send for SavedState {}

impl SavedState {
    fn empty() -> Self {
        Self(null_mut())
    }

    fn is_empty(&self) -> bool {
        self.0.is_null()
    }
}

/// The saved states of an instance. A number is reused after its slot was freed.
#[derive(Default)]
pub(crate) struct Slots(Vec<Option<Saved>>);

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

    pub(crate) fn free_all(&mut self, calls: &mut impl StateCalls) {
        for saved in self.0.iter_mut().flatten().filter(|saved| !saved.state.is_empty()) {
            // The instance is freed next; a state that cannot be freed now never can.
            let _ = calls.free_state(&mut saved.state);
        }
        self.0.clear();
    }
}

/// The calls that save and restore states; each makes one call and nothing else.
pub(crate) trait StateCalls {
    /// Saves into a state of this instance, whose memory the FMU reuses.
    fn save(&mut self, state: &mut SavedState) -> Reply;
    fn restore(&mut self, state: &SavedState) -> Reply;
    /// Frees the state, which is empty afterwards whatever the FMU returns.
    fn free_state(&mut self, state: &mut SavedState) -> Reply;
    /// Returns the status of the call, and the number of bytes.
    fn serialized_size(&mut self, state: &SavedState) -> Result<(i32, usize), Refused>;
    fn serialize(&mut self, state: &SavedState, bytes: &mut [u8]) -> Reply;
    /// Fills an empty state.
    fn deserialize(&mut self, bytes: &[u8], state: &mut SavedState) -> Reply;
}

/// An instance whose states can be saved.
pub(crate) trait Stateful: Imported {
    type Calls: StateCalls;
    const SAVE: Self::Function;
    const RESTORE: Self::Function;
    const FREE: Self::Function;
    const SIZE: Self::Function;
    const WRITE: Self::Function;
    const READ: Self::Function;

    fn calls_and_slots(&mut self) -> (&mut Self::Calls, &mut Slots);
    /// Whether it has the capability to save states, and to serialize them.
    fn state_capabilities(&self) -> (bool, bool);
    /// The token of its FMU.
    fn token(&self) -> &str;

    fn make_slot(&mut self) -> CallResult<Slot> {
        self.allow_capability(Self::SAVE, self.state_capabilities().0)?;
        let slots = &mut self.calls_and_slots().1.0;
        let index = slots.iter().position(Option::is_none).unwrap_or_else(|| {
            slots.push(None);
            slots.len() - 1
        });
        slots[index] = Some(Saved { state: SavedState::empty(), progress: None });
        Ok(Slot(index as u32))
    }

    #[inline]
    fn save_to(&mut self, slot: Slot) -> CallResult<()> {
        self.check(Self::SAVE)?;
        let progress = *self.progress();
        let (calls, slots) = self.calls_and_slots();
        let Some(saved) = slots.get(slot) else { return Err(self.bad_slot(Self::SAVE, slot)) };
        saved.progress = None;
        let reply = calls.save(&mut saved.state);
        if saved.state.is_empty() || !matches!(reply, Ok(0 | 1)) {
            return self.settle_unsaved(reply);
        }
        saved.progress = Some(progress);
        self.settle(Self::SAVE, reply)
    }

    /// Processes the result of a call that saved no state.
    #[cold]
    fn settle_unsaved(&mut self, reply: Reply) -> CallResult<()> {
        self.settle(Self::SAVE, reply)?;
        Err(self.error(Self::SAVE, Cause::BadReply("the state is NULL".into())))
    }

    #[inline]
    fn restore_from(&mut self, slot: Slot) -> CallResult<()> {
        self.check(Self::RESTORE)?;
        let (calls, slots) = self.calls_and_slots();
        let Some(Saved { state, progress: Some(progress) }) = slots.get(slot) else {
            return Err(self.bad_slot(Self::RESTORE, slot));
        };
        let progress = *progress;
        let reply = calls.restore(state);
        self.settle(Self::RESTORE, reply)?;
        *self.progress_mut() = progress;
        Ok(())
    }

    fn give_up(&mut self, slot: Slot) -> CallResult<()> {
        self.check(Self::FREE)?;
        let Some(saved) = self.calls_and_slots().1.0.get_mut(slot.0 as usize).and_then(Option::take) else {
            return Err(self.bad_slot(Self::FREE, slot));
        };
        self.free_state(saved.state)
    }

    fn write_bytes(&mut self, slot: Slot) -> CallResult<Vec<u8>> {
        self.check_capability(Self::SIZE, self.state_capabilities().1)?;
        let (calls, slots) = self.calls_and_slots();
        let Some(Saved { state, progress: Some(progress) }) = slots.get(slot) else {
            return Err(self.bad_slot(Self::WRITE, slot));
        };
        let progress = *progress;
        let (reply, size) = match calls.serialized_size(state) {
            Ok((status, size)) => (Ok(status), size),
            Err(refused) => (Err(refused), 0),
        };
        if reply == Ok(0) && size <= SIZE_LIMIT {
            let mut bytes = envelope::header(&progress, self.token());
            let start = bytes.len();
            bytes.resize(start + size, 0);
            self.begin(Self::WRITE);
            let (calls, slots) = self.calls_and_slots();
            let Some(Saved { state, .. }) = slots.get(slot) else { return Err(self.bad_slot(Self::WRITE, slot)) };
            let reply = calls.serialize(state, &mut bytes[start..]);
            return self.settle(Self::WRITE, reply).map(|()| bytes);
        }
        self.settle(Self::SIZE, reply)?;
        Err(self.error(Self::SIZE, Cause::BadReply(format!("a size of {size} bytes, more than {SIZE_LIMIT}"))))
    }

    fn fill_from_bytes(&mut self, slot: Slot, bytes: &[u8]) -> CallResult<()> {
        self.check_capability(Self::READ, self.state_capabilities().1)?;
        let (progress, bytes) = envelope::open(bytes, self.token())
            .map_err(|problem| self.error(Self::READ, Cause::BadArgument(problem.to_string())))?;
        let Some(saved) = self.calls_and_slots().1.get(slot) else { return Err(self.bad_slot(Self::READ, slot)) };
        saved.progress = None;
        let old = std::mem::replace(&mut saved.state, SavedState::empty());
        self.free_state(old)?;
        self.begin(Self::READ);
        let (calls, slots) = self.calls_and_slots();
        let Some(saved) = slots.get(slot) else { return Err(self.bad_slot(Self::READ, slot)) };
        let reply = calls.deserialize(bytes, &mut saved.state);
        let is_empty = saved.state.is_empty();
        if reply.is_ok_and(|status| status <= 1) && !is_empty {
            saved.progress = Some(progress);
        }
        self.settle(Self::READ, reply)?;
        if is_empty { Err(self.error(Self::READ, Cause::BadReply("the state is NULL".into()))) } else { Ok(()) }
    }

    fn free_state(&mut self, mut state: SavedState) -> CallResult<()> {
        if state.is_empty() {
            return Ok(());
        }
        self.begin(Self::FREE);
        let reply = self.calls_and_slots().0.free_state(&mut state);
        self.settle(Self::FREE, reply)
    }

    #[cold]
    fn bad_slot(&self, function: Self::Function, slot: Slot) -> Box<CallError> {
        let what = format!("slot {} is not in use, or nothing was saved into it", slot.0);
        self.error(function, Cause::BadArgument(what))
    }
}
