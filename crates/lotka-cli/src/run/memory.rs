//! Checks before a run whether its rows fit into memory.

use std::fs;

use lotka::{Code, Simulation, Warning};

use crate::{console::Console, console_flags::Verbosity, failure::Failure, request::Arguments};

/// Memory above which the need is printed without `-vv` \[byte\].
const SMALL: f64 = 1e8;

/// Memory of this machine \[byte\].
struct Machine {
    /// Total memory, including swap.
    total: f64,
    /// Memory that programs can have now without swapping.
    available: f64,
}

#[derive(Debug, PartialEq)]
enum Verdict {
    Fits,
    /// The rows need more memory than is free now.
    Tight,
    /// The rows need more memory than the machine has.
    TooLarge,
}

/// Reports the memory that a run needs if it is large, and rejects a run that needs more than the machine has.
pub(super) fn check(arguments: &Arguments, simulation: &Simulation, console: &Console) -> Result<(), Failure> {
    let needed = simulation.memory_of_rows(arguments.report.is_some());
    let what = format!("the rows of the run need about {} of memory", size(needed));
    let remedy = "increase `output-interval`, or record fewer variables (--record)";
    match judge(needed, Machine::of_now().as_ref()) {
        Verdict::TooLarge => Err(Failure::Memory { reason: format!("{what}, more than this machine has; {remedy}") }),
        Verdict::Tight => {
            console.warn(&Warning::new(Code::NotEnoughMemory, format!("{what}, more than is free now; {remedy}")));
            Ok(())
        }
        Verdict::Fits => {
            console.say(if needed > SMALL { Verbosity::Normal } else { Verbosity::Detailed }, &what);
            Ok(())
        }
    }
}

fn judge(needed: f64, machine: Option<&Machine>) -> Verdict {
    match machine {
        // No address space is larger.
        _ if needed > 1e17 => Verdict::TooLarge,
        Some(machine) if needed > machine.total => Verdict::TooLarge,
        Some(machine) if needed > machine.available => Verdict::Tight,
        _ => Verdict::Fits,
    }
}

impl Machine {
    /// Reads the values of the kernel, if it provides them.
    fn of_now() -> Option<Self> {
        Self::read(&fs::read_to_string("/proc/meminfo").ok()?)
    }

    fn read(text: &str) -> Option<Self> {
        let value = |key: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(key)?.strip_prefix(':'))?;
            let kilobytes: f64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
            Some(1024.0 * kilobytes)
        };
        Some(Self { total: value("MemTotal")? + value("SwapTotal").unwrap_or(0.0), available: value("MemAvailable")? })
    }
}

/// Formats a number of bytes with a decimal unit.
fn size(bytes: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB", "PB", "EB"];
    let power = (bytes.max(1.0).log10() / 3.0).floor().min(units.len() as f64 - 1.0);
    format!("{:.3} {}", bytes / 1000_f64.powf(power), units[power as usize])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_is_held_against_the_machine() {
        let text = "MemTotal:       1000 kB\nMemFree:          10 kB\nMemAvailable:    600 kB\nSwapTotal:       500 kB\n";
        let machine = Machine::read(text);
        let verdict = |kilobytes: f64| judge(1024.0 * kilobytes, machine.as_ref());
        assert_eq!([verdict(599.0), verdict(601.0), verdict(1499.0)], [Verdict::Fits, Verdict::Tight, Verdict::Tight]);
        assert_eq!(verdict(1501.0), Verdict::TooLarge);
        assert_eq!([judge(1e9, None), judge(1e18, None)], [Verdict::Fits, Verdict::TooLarge]);
        assert!(Machine::read("").is_none());
    }

    #[test]
    fn sizes_have_readable_units() {
        let sizes = [0.0, 999.0, 1.5e6, 2e10, 1e25].map(size);
        assert_eq!(sizes, ["0.000 B", "999.000 B", "1.500 MB", "20.000 GB", "10000000.000 EB"]);
    }
}
