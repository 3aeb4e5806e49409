//! Parts of a description, and their positions in the file.

/// A part of a description. Indices into lists start at 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs, reason = "elements of the standards")]
pub enum Place {
    Root,
    ModelExchange,
    CoSimulation,
    ScheduledExecution,
    Unit(usize),
    Type(usize),
    LogCategory(usize),
    DefaultExperiment,
    /// An annotation of the root.
    Annotation(usize),
    Variable(usize),
    ModelStructure,
    Output(usize),
    Derivative(usize),
    ClockedState(usize),
    InitialUnknown(usize),
    EventIndicator(usize),
}

/// Byte offsets of elements. The lists run parallel to those of the description.
#[derive(Debug, Default)]
#[allow(missing_docs, reason = "elements of the standards")]
pub struct Places {
    pub root: usize,
    pub model_exchange: Option<usize>,
    pub co_simulation: Option<usize>,
    pub scheduled_execution: Option<usize>,
    pub units: Vec<usize>,
    pub types: Vec<usize>,
    pub log_categories: Vec<usize>,
    pub default_experiment: Option<usize>,
    pub annotations: Vec<usize>,
    pub variables: Vec<usize>,
    pub model_structure: Option<usize>,
    pub outputs: Vec<usize>,
    pub derivatives: Vec<usize>,
    pub clocked_states: Vec<usize>,
    pub initial_unknowns: Vec<usize>,
    pub event_indicators: Vec<usize>,
}

impl Places {
    /// Returns the offset of a part, or that of the root if the file does not contain the part.
    #[must_use]
    pub fn offset(&self, place: Place) -> usize {
        let found = match place {
            Place::Root => Some(self.root),
            Place::ModelExchange => self.model_exchange,
            Place::CoSimulation => self.co_simulation,
            Place::ScheduledExecution => self.scheduled_execution,
            Place::Unit(index) => self.units.get(index).copied(),
            Place::Type(index) => self.types.get(index).copied(),
            Place::LogCategory(index) => self.log_categories.get(index).copied(),
            Place::DefaultExperiment => self.default_experiment,
            Place::Annotation(index) => self.annotations.get(index).copied(),
            Place::Variable(index) => self.variables.get(index).copied(),
            Place::ModelStructure => self.model_structure,
            Place::Output(index) => self.outputs.get(index).copied(),
            Place::Derivative(index) => self.derivatives.get(index).copied(),
            Place::ClockedState(index) => self.clocked_states.get(index).copied(),
            Place::InitialUnknown(index) => self.initial_unknowns.get(index).copied(),
            Place::EventIndicator(index) => self.event_indicators.get(index).copied(),
        };
        found.unwrap_or(self.root)
    }

    /// Returns whether one of the sorted offsets lies inside this variable; false for other parts.
    #[must_use]
    pub fn has_one_of(&self, place: Place, offsets: &[usize]) -> bool {
        let Place::Variable(index) = place else { return false };
        let (Some(start), end) = (self.variables.get(index), self.variables.get(index + 1)) else { return false };
        let next = offsets.partition_point(|offset| offset < start);
        offsets.get(next).is_some_and(|offset| end.is_none_or(|end| offset < end))
    }
}
