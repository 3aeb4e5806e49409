//! Checks before a run whether its rows fit into memory.

use lotka::{Code, Simulation, Warning};

use crate::{console::Console, console_flags::Verbosity, failure::Failure, platform::Memory, request::Arguments};

/// Memory above which the need is printed without `-vv` \[byte\].
const SMALL: f64 = 1e8;

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
    match judge(needed, Memory::of_machine().as_ref()) {
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

fn judge(needed: f64, machine: Option<&Memory>) -> Verdict {
    match machine {
        // No address space is larger.
        _ if needed > 1e17 => Verdict::TooLarge,
        Some(machine) if needed > machine.total => Verdict::TooLarge,
        Some(machine) if needed > machine.available => Verdict::Tight,
        _ => Verdict::Fits,
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
        let machine = Some(Memory { total: 1024.0 * 1500.0, available: 1024.0 * 600.0 });
        let verdict = |kilobytes: f64| judge(1024.0 * kilobytes, machine.as_ref());
        assert_eq!([verdict(599.0), verdict(601.0), verdict(1499.0)], [Verdict::Fits, Verdict::Tight, Verdict::Tight]);
        assert_eq!(verdict(1501.0), Verdict::TooLarge);
        assert_eq!([judge(1e9, None), judge(1e18, None)], [Verdict::Fits, Verdict::TooLarge]);
    }

    #[test]
    fn sizes_have_readable_units() {
        let sizes = [0.0, 999.0, 1.5e6, 2e10, 1e25].map(size);
        assert_eq!(sizes, ["0.000 B", "999.000 B", "1.500 MB", "20.000 GB", "10000000.000 EB"]);
    }
}
