//! Saved states: the memory behind `fmi2FMUstate` and `fmi3FMUState`, and their serialized form.

use std::ffi::c_void;

use super::{State, pointers::marked};
use crate::hash::fnv1a_128;
use crate::{Error, Model};

/// Marks live saved states.
const MAGIC: u64 = u64::from_le_bytes(*b"fmustat\x01");
/// First bytes of a serialized state: its type, and the version of the layout.
const HEAD: [u8; 8] = *b"fmusdk\x00\x02";

/// A saved state.
#[repr(C)] // the mark comes first
pub(crate) struct Saved<M: Model> {
    magic: u64,
    pub state: State<M>,
}

impl<M: Model> Saved<M> {
    /// Creates a saved state on the heap and returns the pointer for the importer.
    pub fn into_raw(state: State<M>) -> *mut c_void {
        Box::into_raw(Box::new(Self { magic: MAGIC, state })).cast()
    }

    /// Returns the saved state behind the pointer; `None` for NULL and for a pointer recognized as invalid.
    ///
    /// # Safety
    /// The pointer is NULL, or comes from [`Self::into_raw`] of the same model and is not freed, or at least points to readable
    /// memory of the size of a saved state. No other reference to it is alive.
    #[inline]
    pub unsafe fn from_raw<'a>(pointer: *mut c_void) -> Option<&'a mut Self> {
        // SAFETY: passed on; the mark comes first.
        unsafe { marked(pointer, |mark| mark == MAGIC) }
    }

    /// Frees the saved state; returns `false` if the pointer is recognized as invalid.
    ///
    /// # Safety
    /// As for [`Self::from_raw`], and the pointer is not used again.
    pub unsafe fn free(pointer: *mut c_void) -> bool {
        // SAFETY: passed on.
        let Some(saved) = (unsafe { Self::from_raw(pointer) }) else { return false };
        saved.magic = 0;
        // SAFETY: the pointer comes from `Box::into_raw` and is not used again.
        drop(unsafe { Box::from_raw(pointer.cast::<Self>()) });
        true
    }

    /// Returns bytes from which another process can restore the state: head, checksum of the rest, GUID or instantiation token,
    /// state.
    pub fn to_bytes(&self, identifier: &str) -> Result<Vec<u8>, Error> {
        let unwritable = |e: postcard::Error| Error::NotSerializable { reason: e.to_string() };
        let payload = postcard::to_stdvec(&(identifier, &self.state)).map_err(unwritable)?;
        Ok([&HEAD[..], &fnv1a_128(&payload).to_le_bytes(), &payload].concat())
    }

    /// Returns the state in bytes from [`Self::to_bytes`] of an FMU with the same GUID or instantiation token.
    pub fn state_from_bytes(bytes: &[u8], identifier: &str) -> Result<State<M>, Error> {
        let unfit = |reason: &str| Error::NotAState { reason: reason.into() };
        let rest = bytes.strip_prefix(&HEAD).ok_or_else(|| unfit("they do not begin like a state of this version"))?;
        let (sum, payload) = rest.split_first_chunk().ok_or_else(|| unfit("they are truncated"))?;
        if fnv1a_128(payload) != u128::from_le_bytes(*sum) {
            return Err(unfit("the checksum is wrong: they are incomplete or damaged"));
        }
        let broken = |e: postcard::Error| Error::NotAState { reason: e.to_string() };
        let (found, state) = postcard::take_from_bytes::<&str>(payload).map_err(broken)?;
        if found != identifier {
            return Err(unfit(&format!("they come from the FMU with the identifier {found}")));
        }
        match postcard::take_from_bytes(state).map_err(broken)? {
            (state, []) => Ok(state),
            _ => Err(unfit("data follows the state")),
        }
    }
}
