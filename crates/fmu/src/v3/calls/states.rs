//! The calls that save and restore states.

use std::ptr::null_mut;
use std::slice::from_mut;

use fmi3::ffi::RawStatus;

use super::Calls;
use crate::instance::{Refused, Reply, SavedState, StateCalls, read, read_some};

impl StateCalls for Calls {
    #[inline]
    fn save(&mut self, state: &mut SavedState) -> Reply {
        let function = self.functions().get_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the state is NULL or was made by this instance.
        Ok(unsafe { function(self.instance, &raw mut state.0) })
    }

    #[inline]
    fn restore(&mut self, state: &SavedState) -> Reply {
        let function = self.functions().set_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the state was made by this instance.
        Ok(unsafe { function(self.instance, state.0) })
    }

    fn free_state(&mut self, state: &mut SavedState) -> Reply {
        let function = self.functions().free_fmu_state.ok_or(Refused::Missing)?;
        let mut freed = std::mem::replace(&mut state.0, null_mut());
        // SAFETY: the state was made by this instance and cannot be used again.
        Ok(unsafe { function(self.instance, &raw mut freed) })
    }

    fn serialized_size(&mut self, state: &SavedState) -> Result<(RawStatus, usize), Refused> {
        let function = self.functions().serialized_fmu_state_size.ok_or(Refused::Missing)?;
        let mut size = 0;
        // SAFETY: the state was made by this instance, and the pointer is valid for one number.
        let status = read(from_mut(&mut size), |size| unsafe { function(self.instance, state.0, size.as_mut_ptr()) })?;
        Ok((status, size))
    }

    fn serialize(&mut self, state: &SavedState, bytes: &mut [u8]) -> Reply {
        let function = self.functions().serialize_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the state was made by this instance, and the buffer has the length that is passed.
        read_some(bytes, |bytes| unsafe { function(self.instance, state.0, bytes.as_mut_ptr(), bytes.len()) })
    }

    fn deserialize(&mut self, bytes: &[u8], state: &mut SavedState) -> Reply {
        let function = self.functions().deserialize_fmu_state.ok_or(Refused::Missing)?;
        // SAFETY: the buffer has the length that is passed, and the pointer is valid for one state.
        Ok(unsafe { function(self.instance, bytes.as_ptr(), bytes.len(), &raw mut state.0) })
    }
}
