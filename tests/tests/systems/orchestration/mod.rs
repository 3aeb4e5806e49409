//! The notions of co-simulation, each with a test that shows it; `docs/orchestration.md` maps them to options.

mod ecco;
mod energy;
mod notions;
mod page;
mod parallel_embedded;

use tests::run;
