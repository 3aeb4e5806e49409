//! Converts panics of a third-party reader, which damaged files cause, to errors.

use std::{
    cell::Cell,
    panic::{AssertUnwindSafe, catch_unwind},
};

thread_local! {
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Returns whether a panic of this thread becomes an error, because a damaged file is being read. A panic hook then has nothing
/// to print.
///
/// ```
/// std::panic::set_hook(Box::new(|panic| {
///     if !lotka::command::panic_is_caught() {
///         eprintln!("{panic}");
///     }
/// }));
/// ```
#[must_use]
pub fn panic_is_caught() -> bool {
    IS_CAUGHT.get()
}

/// Returns the result of `work`, or the message of its panic.
pub(super) fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    let before = IS_CAUGHT.replace(true);
    let done = catch_unwind(AssertUnwindSafe(work));
    IS_CAUGHT.set(before);
    done.map_err(|payload| {
        let words = payload.downcast_ref::<&str>().copied().or_else(|| payload.downcast_ref::<String>().map(String::as_str));
        words.unwrap_or("it is inconsistent").to_owned()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_its_words_and_is_known_to_a_hook() {
        assert_eq!(caught(panic_is_caught), Ok(true));
        assert_eq!(caught(|| -> () { panic!("index {} out of range", 3) }), Err("index 3 out of range".to_owned()));
        assert!(!panic_is_caught());
    }
}
