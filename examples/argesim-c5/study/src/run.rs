//! All runs.

use lotka::{Memory, Report};

use crate::{Error, Fmus, Plant, Setting, Task, table};

/// One plant with one setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Measurement {
    /// How the plant is integrated.
    pub plant: Plant,
    /// Placement of communication points.
    pub setting: Setting,
    /// Results of tasks a and c.
    pub tasks: [Switches; 2],
}

/// Switching times of one run.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Switches {
    /// Number of switches: found and expected.
    pub count: [usize; 2],
    /// Largest error of the switching times \[s\], compared in order; a late switch near the end may be missing.
    pub error: f64,
    /// doStep calls of the plant.
    pub calls: u64,
}

/// Results of every plant with every setting.
#[derive(Debug, Clone, PartialEq)]
pub struct Study {
    /// Measurements from coarse to fine.
    pub measurements: Vec<Measurement>,
}

const RUNS: [(Plant, Setting); 11] = [
    (Plant::Exact, Setting::Steps(1e-2)),
    (Plant::Exact, Setting::Steps(1e-3)),
    (Plant::Exact, Setting::Steps(1e-4)),
    (Plant::Exact, Setting::Steps(1e-5)),
    (Plant::Exact, Setting::Located(1e-3)),
    (Plant::Exact, Setting::Located(1e-5)),
    (Plant::Exact, Setting::Located(1e-7)),
    (Plant::Exact, Setting::Located(1e-9)),
    (Plant::Exact, Setting::Located(1e-12)),
    (Plant::Integrated(1e-6), Setting::Located(1e-12)),
    (Plant::Integrated(1e-9), Setting::Located(1e-12)),
];

impl Study {
    /// Simulates both tasks.
    ///
    /// # Errors
    /// An FMU lacks an expected variable.
    pub fn run(fmus: &Fmus) -> Result<Self, Error> {
        let measure = |&(plant, setting): &(Plant, Setting)| {
            let tasks = [switches(Task::A, plant, setting, fmus)?, switches(Task::C, plant, setting, fmus)?];
            Ok(Measurement { plant, setting, tasks })
        };
        Ok(Self { measurements: RUNS.iter().map(measure).collect::<Result<_, Error>>()? })
    }

    /// Returns the numbers as Markdown.
    pub fn table(&self) -> String {
        table::markdown(self)
    }
}

fn switches(task: Task, plant: Plant, setting: Setting, fmus: &Fmus) -> Result<Switches, Error> {
    let mut rows = Memory::new();
    let report = setting.system(task, plant, fmus).build()?.run(&mut [&mut rows])?;
    let name = "switch.state".to_owned();
    let states = rows.real(&name).ok_or(Error::Column { name })?;
    let changes = states.windows(2).zip(&rows.time()[1..]).filter(|(pair, _)| pair[0] != pair[1]);
    let times: Vec<f64> = changes.map(|(_, time)| *time).collect();
    let reference = task.reference();
    let pairs = times.iter().zip(&reference);
    let error = pairs.map(|(time, exact)| (time - exact).abs()).fold(0.0, f64::max);
    Ok(Switches { count: [times.len(), reference.len()], error, calls: calls(&report) })
}

/// Returns the doStep calls of the plant, which is the first instance.
fn calls(report: &Report) -> u64 {
    let calls = report.instances.first().into_iter().flat_map(|instance| &instance.calls);
    calls.filter(|(function, _)| *function == "do_step").map(|(_, count)| count).sum()
}
