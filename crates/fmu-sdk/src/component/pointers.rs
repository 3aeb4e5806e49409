//! Arrays and strings of the importer, checked before they are converted to Rust slices.

use std::ffi::{CStr, c_char, c_void};
use std::mem::MaybeUninit;
use std::ptr;

use crate::Refusal;

/// Converts a pointer that the importer received earlier: a `T` that starts with a mark, as `is_mark` says; `None` for NULL and
/// for a pointer recognized as invalid.
///
/// # Safety
/// If it is neither NULL nor misaligned, `pointer` points to readable memory of the size of a `T` whose first field is a `u64`.
/// If that is a mark, it is a live `T` to which there is no other reference during `'a`.
#[inline]
pub(super) unsafe fn marked<'a, T>(pointer: *mut c_void, is_mark: impl Fn(u64) -> bool) -> Option<&'a mut T> {
    let pointer = pointer.cast::<T>();
    if pointer.is_null() || !pointer.is_aligned() {
        return None;
    }
    // SAFETY: not null, aligned, and readable as the caller guarantees.
    let found = unsafe { pointer.cast::<u64>().read() };
    if !is_mark(found) {
        return None;
    }
    // SAFETY: a live value, to which the caller has the only reference.
    Some(unsafe { &mut *pointer })
}

/// Returns `n` values to read.
///
/// # Safety
/// If it is neither NULL nor misaligned, `pointer` points to `n` initialized values that outlive `'a` and do not change.
#[inline]
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, n: usize) -> Result<&'a [T], Refusal> {
    let pointer = if fits(pointer, n) { pointer } else { unfit(pointer.is_null(), n).map(|()| ptr::dangling())? };
    // SAFETY: not null and aligned, of a possible size, and valid as the caller guarantees; empty if it is dangling.
    Ok(unsafe { std::slice::from_raw_parts(pointer, n) })
}

/// Returns memory for `n` values.
///
/// # Safety
/// If it is neither NULL nor misaligned, `pointer` points to memory for `n` values that no other code uses during `'a`.
#[inline]
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, n: usize) -> Result<&'a mut [MaybeUninit<T>], Refusal> {
    let pointer = if fits(pointer, n) { pointer } else { unfit(pointer.is_null(), n).map(|()| ptr::dangling_mut())? };
    // SAFETY: not null and aligned, of a possible size, and usable as the caller guarantees; empty if it is dangling.
    Ok(unsafe { std::slice::from_raw_parts_mut(pointer.cast(), n) })
}

/// Both, or the first refusal.
#[inline]
pub(crate) fn both<A, B>(a: Result<A, Refusal>, b: Result<B, Refusal>) -> Result<(A, B), Refusal> {
    Ok((a?, b?))
}

/// All three, or the first refusal.
#[inline]
pub(crate) fn all_three<A, B, C>(
    a: Result<A, Refusal>,
    b: Result<B, Refusal>,
    c: Result<C, Refusal>,
) -> Result<(A, B, C), Refusal> {
    Ok((a?, b?, c?))
}

/// Stores one value at an address of the importer.
///
/// # Safety
/// As for [`slice_mut`] with `n = 1`.
#[inline]
pub(crate) unsafe fn put<T>(pointer: *mut T, value: T) -> Result<(), Refusal> {
    if !fits(pointer, 1) {
        return unfit(pointer.is_null(), 1);
    }
    // SAFETY: not null and aligned, and usable as the caller guarantees.
    unsafe { pointer.write(value) };
    Ok(())
}

/// Returns a C string; `None` for NULL.
///
/// # Safety
/// If it is not NULL, `pointer` points to a string that ends in NUL and outlives `'a`.
pub(crate) unsafe fn text<'a>(pointer: *const c_char) -> Option<&'a CStr> {
    if pointer.is_null() {
        return None;
    }
    // SAFETY: not null, and a C string as the caller guarantees.
    Some(unsafe { CStr::from_ptr(pointer) })
}

/// The number of values above which an array of any type of FMI exceeds the address space.
const LIMIT: usize = isize::MAX as usize / 16;

/// Whether `pointer` can be an array of `n` values. An empty array may also be anything else.
#[inline]
pub(crate) fn fits<T>(pointer: *const T, n: usize) -> bool {
    const { assert!(size_of::<T>() <= 16) };
    !pointer.is_null() && pointer.is_aligned() && n <= LIMIT
}

/// Returns why a pointer is not an array; `Ok` if the array is empty, for which every pointer will do.
#[cold]
fn unfit(null: bool, n: usize) -> Result<(), Refusal> {
    if n == 0 {
        return Ok(());
    }
    let what = if null { "NULL" } else { "not an array of this type" };
    Err(Refusal::error(format!("expected an array of {n} values, but the pointer is {what}")))
}
