//! Values that a function returns with OK without having written them: they are marked before the call.
//!
//! A mark is a value that no FMU computes, or one that is unlikely where every value is possible. If it is still there after the
//! call, a second call with another mark decides: a value that the FMU writes does not follow the mark.

use std::ffi::{CStr, c_char};
use std::ptr::{null, without_provenance};

use super::status::{Refused, Reply};

/// A value that can be marked.
pub(crate) trait Marked: Copy {
    const MARKS: [Self; 2];
    /// The value that stands for a missing one.
    const NOTHING: Self;

    fn is(self, mark: Self) -> bool;
}

/// Floating-point numbers: a mark is not a number, with a payload that no computation yields.
macro_rules! floats {
    ($($float:ty: $mark:literal $other:literal;)*) => {$(
        impl Marked for $float {
            const MARKS: [Self; 2] = [Self::from_bits($mark), Self::from_bits($other)];
            const NOTHING: Self = 0.0;

            #[inline]
            fn is(self, mark: Self) -> bool {
                self.to_bits() == mark.to_bits()
            }
        }
    )*};
}

floats! {
    f64: 0x7ff8_6c6f_746b_6133 0x7ff8_6c6f_746b_6134;
    f32: 0x7fc0_6c6f 0x7fc0_746b;
}

/// Pointers that the FMU sets; no marked one is followed.
impl<T> Marked for *const T {
    const MARKS: [Self; 2] = [without_provenance(usize::MAX), without_provenance(usize::MAX - 1)];
    const NOTHING: Self = null();

    #[inline]
    fn is(self, mark: Self) -> bool {
        self == mark
    }
}

/// Integers, and the Booleans of C: all bytes of a mark are equal.
macro_rules! integers {
    ($($integer:ty)*) => {$(
        impl Marked for $integer {
            const MARKS: [Self; 2] = [Self::from_ne_bytes([0xa5; size_of::<Self>()]), Self::from_ne_bytes([0x9c; size_of::<Self>()])];
            const NOTHING: Self = 0;

            #[inline]
            fn is(self, mark: Self) -> bool {
                self == mark
            }
        }
    )*};
}

integers! { i8 u8 i16 u16 i32 u32 i64 u64 usize }

/// Whether a call succeeded, so that its values count.
#[inline]
pub(crate) fn has_values(status: i32) -> bool {
    matches!(status, 0 | 1)
}

/// Reads values by a call that returns its status; refuses values that it did not write. No mark remains.
#[inline]
pub(crate) fn read<T: Marked>(values: &mut [T], mut call: impl FnMut(&mut [T]) -> i32) -> Reply {
    values.fill(T::MARKS[0]);
    let status = call(values);
    // Without an early exit, the processor compares several values at once.
    let has_mark = values.iter().fold(false, |found, value| found | value.is(T::MARKS[0]));
    if has_values(status) && !has_mark { Ok(status) } else { read_again(values, status, &mut call) }
}

/// Processes what a call that failed has left, and reads marked values again with the other mark: those that still have it are
/// not written.
#[cold]
fn read_again<T: Marked>(values: &mut [T], mut status: i32, call: &mut dyn FnMut(&mut [T]) -> i32) -> Reply {
    let [mark, other] = T::MARKS;
    let mut is_unwritten = false;
    if has_values(status) {
        let first = values.to_vec();
        values.fill(other);
        status = call(values);
        for (value, first) in values.iter_mut().zip(first) {
            if !first.is(mark) {
                *value = first;
            } else if value.is(other) {
                is_unwritten = true;
            }
        }
    }
    if has_values(status) && !is_unwritten {
        return Ok(status);
    }
    values.fill(T::NOTHING);
    if has_values(status) { Err(Refused::Unwritten) } else { Ok(status) }
}

/// Like [`read`], but some of the values may be unwritten, and become 0.
pub(crate) fn read_some(values: &mut [u8], mut call: impl FnMut(&mut [u8]) -> i32) -> Reply {
    let status = call(values);
    if !has_values(status) || values.is_empty() || values.iter().any(|value| *value != 0) {
        return Ok(status);
    }
    let [mark, _] = u8::MARKS;
    values.fill(mark);
    let status = call(values);
    if has_values(status) && values.iter().all(|value| value.is(mark)) { Err(Refused::Unwritten) } else { Ok(status) }
}

/// Reads texts by a call that sets pointers to them. NULL becomes an empty text; invalid UTF-8 is repaired.
///
/// # Safety
/// If the call succeeds, the pointers that it sets are NULL or point to texts that end with NUL and stay as they are in this
/// function.
pub(crate) unsafe fn read_texts(texts: &mut [String], call: impl FnMut(&mut [*const c_char]) -> i32) -> Reply {
    let mut pointers = vec![null(); texts.len()];
    let status = read(&mut pointers, call)?;
    if has_values(status) {
        for (text, pointer) in texts.iter_mut().zip(pointers) {
            text.clear();
            if !pointer.is_null() {
                // SAFETY: the caller guarantees it, and every pointer was set.
                text.push_str(&unsafe { CStr::from_ptr(pointer) }.to_string_lossy());
            }
        }
    }
    Ok(status)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_that_is_not_written_is_refused_and_one_that_equals_the_mark_is_not() {
        let write = |written: &[Option<u8>]| {
            let mut values = vec![0; written.len()];
            let reply = read(&mut values, |values| {
                values.iter_mut().zip(written).for_each(|(value, written)| *value = written.unwrap_or(*value));
                0
            });
            reply.map(|status| (status, values))
        };
        let [mark, other] = u8::MARKS;
        assert_eq!(write(&[Some(1), None]), Err(Refused::Unwritten));
        assert_eq!(write(&[Some(mark), Some(other)]), Ok((0, vec![mark, other])));
        assert_eq!(write(&[]), Ok((0, vec![])));
    }

    #[test]
    fn a_value_of_the_first_call_stays_whatever_the_second_one_writes() {
        let [mark, _] = u8::MARKS;
        let (mut values, mut n_calls) = ([0; 2], 0);
        let reply = read(&mut values, |values| {
            n_calls += 1;
            values[0] = mark;
            if n_calls == 1 {
                values[1] = 7;
            }
            0
        });
        assert_eq!((reply, values, n_calls), (Ok(0), [mark, 7], 2));
    }

    #[test]
    fn values_of_a_call_that_fails_are_not_looked_at_and_no_mark_remains() {
        for (status, reply) in [(3, Ok(3)), (0, Err(Refused::Unwritten)), (1, Err(Refused::Unwritten))] {
            let mut values = [7.0_f64];
            assert_eq!((read(&mut values, |_| status), values), (reply, [0.0]));
        }
        // Any other value that is not a number is the FMU's.
        assert_eq!(
            read(&mut [0.0_f64], |values| {
                values[0] = f64::NAN;
                0
            }),
            Ok(0)
        );
    }
}
