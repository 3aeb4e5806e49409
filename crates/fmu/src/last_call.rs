//! Records the last call into an FMU of each thread, and whether it returned, in memory that another process may read. The record
//! shows what an FMU was doing when it ended this process, or that no FMU was active.
//!
//! A call costs three stores into a cache line of its thread. No value read from the record is trusted.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};

use lotka_instance::FunctionName;

use crate::function::{Function, of_code};

/// Maximum number of distinct threads; further ones share the last place.
const THREADS: usize = 64;

/// Number of words of a thread: the call, the time, six that fill a cache line, and the subject.
const THREAD: usize = 8 + SUBJECT;

/// Number of words for the name of a subject without a component: an instance or a file.
const SUBJECT: usize = 32;

/// Maximum number of instances with names; further ones have none.
const NAMES: usize = 1024;

/// Number of words of an instance: its component, and its name.
const NAME: usize = 8;

/// Index of the number of names in use.
const NAMES_IN_USE: usize = 2;

/// Index of the first thread, after the occupied places (one bit each), the next name, the number of names, and words that fill a
/// cache line.
const FIRST_THREAD: usize = 8;

const FIRST_NAME: usize = FIRST_THREAD + THREADS * THREAD;

/// The code for loading a library; those of functions begin at 1, and 0 means no call.
const LOADING: u64 = 0x7f;

/// Set in addition to the code when the call has returned.
const RETURNED: u64 = 0x80;

/// Number of words of the memory in which calls are recorded.
pub const LAST_CALLS_WORDS: usize = FIRST_NAME + NAMES * NAME;

/// Memory for processes that are not watched.
#[repr(align(64))]
struct Private([AtomicU64; LAST_CALLS_WORDS]);

static PRIVATE: Private = Private([const { AtomicU64::new(0) }; LAST_CALLS_WORDS]);

static SHARED: OnceLock<&'static [AtomicU64; LAST_CALLS_WORDS]> = OnceLock::new();

thread_local! {
    static MINE: ThreadRecord = ThreadRecord::take();
}

/// Records calls in this memory, which must be zero, from now on. Must be called once, before the first FMU is opened.
pub fn record_calls_in(memory: &'static [AtomicU64; LAST_CALLS_WORDS]) {
    // A second memory would stay empty; the first one is kept.
    let _ = SHARED.set(memory);
}

fn memory() -> &'static [AtomicU64; LAST_CALLS_WORDS] {
    SHARED.get().copied().unwrap_or(&PRIVATE.0)
}

/// A place, released at the end of its thread.
struct ThreadRecord {
    index: usize,
    is_own: bool,
}

impl ThreadRecord {
    fn take() -> Self {
        let taken = &memory()[0];
        loop {
            let index = taken.load(Ordering::Relaxed).trailing_ones() as usize;
            if index >= THREADS {
                return Self { index: THREADS - 1, is_own: false };
            }
            if taken.fetch_or(1 << index, Ordering::Relaxed) & (1 << index) == 0 {
                LastCall::at(index).end();
                return Self { index, is_own: true };
            }
        }
    }
}

impl Drop for ThreadRecord {
    fn drop(&mut self) {
        // The record is kept, because `exit`, called in an FMU, reaches this point as well.
        if self.is_own {
            memory()[0].fetch_and(!(1 << self.index), Ordering::Relaxed);
        }
    }
}

/// The place where the calls of one thread are recorded.
#[derive(Clone, Copy)]
pub(crate) struct LastCall(&'static [AtomicU64; THREAD]);

impl LastCall {
    fn at(index: usize) -> Self {
        let threads = memory()[FIRST_THREAD..FIRST_NAME].as_chunks().0;
        Self(&threads[index])
    }

    /// Returns the place of the calling thread.
    pub(crate) fn of_this_thread() -> Self {
        Self::at(MINE.try_with(|place| place.index).unwrap_or(THREADS - 1))
    }

    /// Records the beginning of a call into an instance; `time` \[s\] is its communication point, NaN if it has none yet.
    #[inline]
    pub(crate) fn begin(self, function: impl Function, component: usize, time: f64) {
        self.0[1].store(time.to_bits(), Ordering::Relaxed);
        self.0[0].store(word(function, component), Ordering::Relaxed);
    }

    /// Records that this call into an instance has returned; it remains the last one.
    #[inline]
    pub(crate) fn returned_from(self, function: impl Function, component: usize) {
        self.0[0].store(word(function, component) | RETURNED, Ordering::Relaxed);
    }

    /// Records that an instance with this name is about to be created, or a function called that needs none.
    pub(crate) fn begin_with(self, function: impl Function, subject: &str) {
        self.set_subject(subject);
        self.begin(function, 0, f64::NAN);
    }

    /// Records that the library of this FMU, or one of its dependencies, is about to be loaded.
    pub(crate) fn begin_loading(self, fmu: &str) {
        self.set_subject(fmu);
        self.0[0].store(LOADING, Ordering::Relaxed);
    }

    /// Records that the call has returned; it remains the last one.
    #[inline]
    pub(crate) fn returned(self) {
        self.0[0].store(self.0[0].load(Ordering::Relaxed) | RETURNED, Ordering::Relaxed);
    }

    /// Whether the call has not returned. A call that frees an instance is excluded: dropping the name of the instance ends it.
    pub(crate) fn is_open(self) -> bool {
        let word = self.0[0].load(Ordering::Relaxed);
        let frees = [fmi2::Function::FREE_INSTANCE.code(), fmi3::Function::FREE_INSTANCE.code()];
        word != 0 && word & RETURNED == 0 && !frees.contains(&(word & 0xff))
    }

    /// Clears the record.
    pub(crate) fn end(self) {
        self.0[0].store(0, Ordering::Relaxed);
    }

    pub(crate) fn is_same(self, other: Self) -> bool {
        std::ptr::eq(self.0, other.0)
    }

    fn set_subject(self, subject: &str) {
        write_text(&self.0[8..], subject);
    }
}

/// A call into a component, in one word. The highest byte of the address is lost.
#[inline]
fn word(function: impl Function, component: usize) -> u64 {
    (component as u64) << 8 | function.code()
}

/// The name of an instance, recorded as long as this lives. When it is dropped, the last call into the instance has returned.
pub(crate) struct Named {
    slot: Option<&'static [AtomicU64; NAME]>,
    last_call: LastCall,
}

impl Named {
    pub(crate) fn new(component: usize, name: &str, last_call: LastCall) -> Self {
        let memory = memory();
        if memory[NAMES_IN_USE].fetch_add(1, Ordering::Relaxed) >= NAMES as u64 {
            memory[NAMES_IN_USE].fetch_sub(1, Ordering::Relaxed);
            return Self { slot: None, last_call };
        }
        let slots: &'static [[AtomicU64; NAME]] = memory[FIRST_NAME..].as_chunks().0;
        let first = memory[1].fetch_add(1, Ordering::Relaxed) as usize % NAMES;
        let free = |slot: &&[AtomicU64; NAME]| {
            slot[0].compare_exchange(0, component as u64, Ordering::Relaxed, Ordering::Relaxed).is_ok()
        };
        let slot = slots[first..].iter().chain(&slots[..first]).find(free);
        match slot {
            Some(slot) => write_text(&slot[1..], name),
            None => _ = memory[NAMES_IN_USE].fetch_sub(1, Ordering::Relaxed),
        }
        Self { slot, last_call }
    }
}

impl Drop for Named {
    fn drop(&mut self) {
        // A call that has not returned stays recorded: a thread that ends in an FMU reaches this point as well.
        if self.last_call.is_open() {
            return;
        }
        if let Some(slot) = self.slot {
            slot[0].store(0, Ordering::Relaxed);
            memory()[NAMES_IN_USE].fetch_sub(1, Ordering::Relaxed);
        }
        self.last_call.end();
    }
}

/// Writes a text that ends with a zero byte or at the end of the memory; a text that is too long is cut and ends with `…`.
fn write_text(words: &[AtomicU64], text: &str) {
    let room = 8 * words.len();
    let fits = |&cut: &usize| text.is_char_boundary(cut) && (cut == text.len() || cut + '…'.len_utf8() <= room);
    let cut = (0..=text.len().min(room)).rev().find(fits).unwrap_or(0);
    let mark = if cut < text.len() { "…" } else { "" };
    let mut bytes = text.as_bytes()[..cut].iter().chain(mark.as_bytes()).copied();
    for word in words {
        let eight: [u8; 8] = std::array::from_fn(|_| bytes.next().unwrap_or(0));
        word.store(u64::from_le_bytes(eight), Ordering::Relaxed);
    }
}

fn read_text(words: &[AtomicU64]) -> String {
    let bytes: Vec<u8> =
        words.iter().flat_map(|word| word.load(Ordering::Relaxed).to_le_bytes()).take_while(|&byte| byte != 0).collect();
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The last call of a thread.
#[derive(Debug, Clone, PartialEq)]
pub enum OpenCall {
    /// A library of this FMU was being loaded: its initialization routines ran.
    Loading {
        /// The file.
        fmu: String,
    },
    /// A function of the library of this FMU, without an instance.
    OfFmu {
        /// The file.
        fmu: String,
        /// The function.
        function: FunctionName,
    },
    /// A function of an instance.
    OfInstance {
        /// Its name, if known.
        instance: Option<String>,
        /// The function.
        function: FunctionName,
        /// Communication point of the instance \[s\], if it has reached one.
        time: Option<f64>,
    },
}

impl OpenCall {
    /// Returns the calls that had not returned when the recording process ended, at most one per thread; and the last calls of
    /// other threads, which had returned.
    pub fn all(memory: &[AtomicU64; LAST_CALLS_WORDS]) -> (Vec<Self>, Vec<Self>) {
        let names = memory[FIRST_NAME..].as_chunks().0;
        let threads: &[[AtomicU64; THREAD]] = memory[FIRST_THREAD..FIRST_NAME].as_chunks().0;
        let (returned, open): (Vec<_>, Vec<_>) =
            threads.iter().partition(|thread| thread[0].load(Ordering::Relaxed) & RETURNED != 0);
        let read =
            |threads: Vec<&[AtomicU64; THREAD]>| threads.into_iter().filter_map(|thread| Self::read(thread, names)).collect();
        (read(open), read(returned))
    }

    fn read(thread: &[AtomicU64; THREAD], names: &[[AtomicU64; NAME]]) -> Option<Self> {
        let word = thread[0].load(Ordering::Relaxed);
        let (component, code) = (word >> 8, word & 0xff & !RETURNED);
        if code == LOADING {
            return Some(Self::Loading { fmu: read_text(&thread[8..]) });
        }
        let function = of_code(code)?;
        let needs_no_instance = function == fmi2::Function::GetTypesPlatform
            || function == fmi2::Function::GetVersion
            || function == fmi3::Function::GetVersion;
        match component {
            0 if needs_no_instance => Some(Self::OfFmu { fmu: read_text(&thread[8..]), function }),
            0 => Some(Self::OfInstance { instance: Some(read_text(&thread[8..])), function, time: None }),
            component => {
                let time = f64::from_bits(thread[1].load(Ordering::Relaxed));
                // The highest byte of an address is not recorded.
                let is_it = |name: &&[AtomicU64; NAME]| name[0].load(Ordering::Relaxed) << 8 >> 8 == component;
                let instance = names.iter().find(is_it).map(|name| read_text(&name[1..]));
                Some(Self::OfInstance { instance, function, time: Some(time).filter(|time| !time.is_nan()) })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{Mutex, MutexGuard, PoisonError};

    use fmi2::Function;

    use super::*;

    /// Held by tests that give names, because one of them takes all.
    static NAMES_ARE_GIVEN: Mutex<()> = Mutex::new(());

    fn give_names() -> MutexGuard<'static, ()> {
        NAMES_ARE_GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The calls of this process; other tests may have some, too.
    fn calls() -> Vec<OpenCall> {
        OpenCall::all(&PRIVATE.0).0
    }

    fn of_instance(name: &str, function: Function, time: Option<f64>) -> OpenCall {
        OpenCall::OfInstance { instance: Some(name.into()), function: function.into(), time }
    }

    #[test]
    fn the_call_that_a_thread_is_in_can_be_read_with_name_and_time() {
        let _names = give_names();
        let last_call = LastCall::of_this_thread();
        last_call.begin_with(Function::Instantiate, "wolf");
        assert!(calls().contains(&of_instance("wolf", Function::Instantiate, None)));
        let named = Named::new(0x7f00_1234_5678, "wolf", last_call);
        last_call.begin(Function::DoStep, 0x7f00_1234_5678, 2.5);
        assert!(calls().contains(&of_instance("wolf", Function::DoStep, Some(2.5))));
        last_call.begin(Function::SetReal, 0x7f00_1234_5678, f64::NAN);
        assert!(calls().contains(&of_instance("wolf", Function::SetReal, None)));
        last_call.returned();
        let (open, returned) = OpenCall::all(&PRIVATE.0);
        assert!(!open.contains(&of_instance("wolf", Function::SetReal, None)));
        assert!(returned.contains(&of_instance("wolf", Function::SetReal, None)));
        last_call.begin(Function::GetReal, 0x7f00_1234_5678, f64::NAN);
        assert!(calls().contains(&of_instance("wolf", Function::GetReal, None)));
        last_call.returned();
        drop(named);
        assert!(!format!("{:?}", calls()).contains("wolf"));
        last_call.begin_loading("hare.fmu");
        assert!(calls().contains(&OpenCall::Loading { fmu: "hare.fmu".into() }));
        last_call.end();
        assert!(!format!("{:?}", calls()).contains("hare"));
    }

    #[test]
    #[cfg_attr(miri, ignore = "a thousand instances take Miri minutes")]
    fn instances_beyond_the_last_name_have_none_and_names_are_given_back() {
        let _names = give_names();
        let last_call = LastCall::of_this_thread();
        let first = 0x7f00_5600_0000;
        for _ in 0..2 {
            let named: Vec<_> = (0..NAMES + 10).map(|n| Named::new(first + n, "herd", last_call)).collect();
            let count = named.iter().filter(|named| named.slot.is_some()).count();
            // An instance of the test above keeps its name.
            assert!(count == NAMES || count == NAMES - 1, "{count}");
        }
    }

    #[test]
    fn a_call_in_which_a_thread_ends_stays_reported() {
        let _names = give_names();
        let last_call = LastCall::of_this_thread();
        let named = Named::new(0x7f00_1234_0000, "lynx", last_call);
        last_call.begin(Function::DoStep, 0x7f00_1234_0000, 1.5);
        drop(named);
        assert!(calls().contains(&of_instance("lynx", Function::DoStep, Some(1.5))));
        let named = Named::new(0x7f00_1234_0000, "lynx", last_call);
        last_call.begin(Function::FreeInstance, 0x7f00_1234_0000, f64::NAN);
        drop(named);
        assert!(!calls().contains(&of_instance("lynx", Function::FreeInstance, None)));
    }

    #[test]
    fn threads_have_places_of_their_own_and_give_them_back() {
        let mine = LastCall::of_this_thread();
        for _ in 0..2 * THREADS {
            let is_same = std::thread::spawn(move || LastCall::of_this_thread().is_same(mine)).join();
            assert!(!is_same.unwrap());
        }
    }

    #[test]
    fn long_names_are_cut_where_a_character_ends() {
        let words = [const { AtomicU64::new(0) }; 2];
        write_text(&words, "sixteen letters.");
        assert_eq!(read_text(&words), "sixteen letters.");
        write_text(&words, "thirteen and ö and more");
        assert_eq!(read_text(&words), "thirteen and …");
        write_text(&words, "thirteen andö and more");
        assert_eq!(read_text(&words), "thirteen and…");
        write_text(&words, "short");
        assert_eq!(read_text(&words), "short");
    }

    #[test]
    fn nonsense_in_the_memory_is_no_call() {
        let words = [const { AtomicU64::new(0) }; LAST_CALLS_WORDS];
        words[FIRST_THREAD].store(0x77, Ordering::Relaxed);
        assert_eq!(OpenCall::all(&words), (vec![], vec![]));
        words[FIRST_THREAD].store(u64::MAX << 8 | 1, Ordering::Relaxed);
        let nameless = || OpenCall::OfInstance { instance: None, function: Function::ALL[0].into(), time: Some(0.0) };
        assert_eq!(OpenCall::all(&words), (vec![nameless()], vec![]));
        words[FIRST_THREAD].store(u64::MAX << 8 | RETURNED | 1, Ordering::Relaxed);
        assert_eq!(OpenCall::all(&words), (vec![], vec![nameless()]));
    }
}
