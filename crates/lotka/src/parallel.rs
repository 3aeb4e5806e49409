//! The same work for many items, on several threads.

use std::{
    panic,
    sync::atomic::{AtomicUsize, Ordering},
    thread,
};

/// Stack of a thread, as large as that of the main thread of most programs.
const STACK: usize = 8 << 20;

/// Does the work for all items, on up to `threads` threads with this one, and returns the results in the order of the items.
pub(crate) fn map<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let some = || {
        let index = || Some(next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < items.len());
        std::iter::from_fn(index).map(|index| (index, work(&items[index]))).collect::<Vec<_>>()
    };
    let mut all = thread::scope(|scope| {
        let builder = || thread::Builder::new().name("lotka-open".to_owned()).stack_size(STACK);
        let others: Vec<_> = (1..threads.min(items.len())).filter_map(|_| builder().spawn_scoped(scope, some).ok()).collect();
        let mut all = some();
        for other in others {
            // A panic on another thread continues on this one.
            all.extend(other.join().unwrap_or_else(|panic| panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_by_key(|(index, _)| *index);
    all.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::*;

    #[test]
    fn results_have_the_order_of_the_items() {
        let items: Vec<usize> = (0..100).collect();
        for threads in [1, 2, 7, 200] {
            assert_eq!(map(threads, &items, |item| 2 * item), (0..200).step_by(2).collect::<Vec<_>>());
        }
        assert_eq!(map(3, &[], |item: &usize| *item), [0_usize; 0]);
    }

    #[test]
    fn items_are_worked_on_at_the_same_time() {
        let meeting = Barrier::new(3);
        map(3, &[(); 3], |()| meeting.wait());
    }

    #[test]
    fn a_panic_is_passed_on() {
        let panic = panic::catch_unwind(|| map(2, &[1, 2], |item| assert!(*item == 1, "item {item}"))).unwrap_err();
        assert_eq!(panic.downcast_ref::<String>().map(String::as_str), Some("item 2"));
    }
}
