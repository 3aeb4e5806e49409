//! What the system counts for a process.

use std::fs;
use std::time::Duration;

/// Processor time of all threads of a process, including those that have ended. Zero if the system does not report it.
pub(crate) fn processor_time(process: u32) -> Duration {
    let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    // The name of the program before may contain anything.
    let numbers = text.rsplit(')').next().unwrap_or_default().split_whitespace().skip(11).take(2);
    let ticks: u64 = numbers.filter_map(|number| number.parse::<u64>().ok()).sum();
    let per_second = rustix::param::clock_ticks_per_second().max(1);
    Duration::from_millis(ticks.saturating_mul(1000) / per_second)
}

/// Time that a process, or without one this thread, has been ready to run without a core; zero if the system does not report it.
pub(crate) fn wait_for_core(process: Option<u32>) -> Duration {
    let process = process.map_or_else(|| "thread-self".to_owned(), |number| number.to_string());
    let text = fs::read_to_string(format!("/proc/{process}/schedstat")).unwrap_or_default();
    let nanoseconds = text.split_whitespace().nth(1).and_then(|number| number.parse().ok());
    Duration::from_nanos(nanoseconds.unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_says_how_long_a_process_ran_and_waited() {
        assert!(wait_for_core(None) <= wait_for_core(None));
        assert_eq!(wait_for_core(Some(u32::MAX)), Duration::ZERO);
        let (own, begin) = (std::process::id(), processor_time(std::process::id()));
        while processor_time(own) == begin {}
        assert_eq!(processor_time(u32::MAX), Duration::ZERO);
    }
}
