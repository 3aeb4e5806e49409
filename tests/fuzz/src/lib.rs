//! What is fed with bytes of any kind: each target reads an input and panics if a property does not hold.
//!
//! The same functions serve bounded runs as tests (`tests/bounded.rs`: seeds and mutations of their bytes; `tests/structured.rs`:
//! changes of their trees) and libFuzzer (`libfuzzer`, `cargo xtask fuzz`). Start reading at [`TARGETS`].

mod archive;
mod description;
mod mutator;
mod plan;
mod protocol;
mod results;
mod seeds;
mod structured;
mod study;
mod system;
mod table;

pub use mutator::Mutator;
pub use seeds::seeds;
pub use structured::{Change, Document, Edit, Encoding};

/// Something that reads bytes of others.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// Its name: that of its folder of seeds, and of its program in `libfuzzer`.
    pub name: &'static str,
    /// Reads an input.
    pub run: fn(&[u8]),
}

/// All of them.
pub const TARGETS: [Target; 8] = [
    Target { name: "archive", run: archive::run },
    Target { name: "description", run: description::run },
    Target { name: "plan", run: plan::run },
    Target { name: "protocol", run: protocol::run },
    Target { name: "results", run: results::run },
    Target { name: "study", run: study::run },
    Target { name: "system", run: system::run },
    Target { name: "table", run: table::run },
];

impl Target {
    /// The target of this name.
    pub fn of(name: &str) -> Option<Self> {
        TARGETS.into_iter().find(|target| target.name == name)
    }
}

/// Feeds a target, as the programs of libFuzzer do.
///
/// # Panics
/// There is no target of this name, or one of its properties does not hold.
pub fn run(target: &str, bytes: &[u8]) {
    let target = Target::of(target).unwrap_or_else(|| panic!("there is no target `{target}`"));
    (target.run)(bytes);
}
