//! [`FmuInstance`] as an [`Instance`]: check, call, process the status.

use fmi3::Function;
use lotka_instance::{
    BinaryRef, BooleanRef, CallResult, Capabilities, Cause, DiscreteUpdate, Experiment, Instance, IntegerRef, Phase, RealRef,
    Slot, StepOutcome, StringRef,
};

use super::{FmuInstance, access::Group, intermediate::HIGHEST_ORDER, shadow::Shadows};
use crate::instance::{Access, Imported, Lane, NamesVariables, Progress, Refused, Stateful, common_methods, warn_of_changes};
use crate::process_state::ProcessState;

/// Reads or sets the values of one type: checks the phase and the lengths, makes a call for each group, and names the variables
/// of an error.
macro_rules! transfer {
    ($self:ident, $references:ident, $values:ident, $lane:ident, $access:ident, $by:ident) => {{
        let function = if Access::$access == Access::Read { Self::reader(Lane::$lane) } else { Self::writer(Lane::$lane) };
        $self.allow(function)?;
        if $references.len() != $values.len() {
            return Err($self.refusal(function, Refused::Lengths));
        }
        let references = $references.iter().map(|reference| reference.0);
        let groups = $self.groups(Lane::$lane, references.clone());
        let result = groups.iter().try_for_each(|group| $self.$by(group, $values));
        $self.naming(result, (Lane::$lane, Access::$access), references)
    }};
}

/// Sets discrete variables in event mode, if they may change there only.
macro_rules! announced {
    ($self:ident, $references:ident, $values:ident, $get:ident $set:ident, $default:expr) => {
        if $self.may_announce() {
            let mut present = vec![$default; $values.len()];
            $self.$get($references, &mut present)?;
            return $self.announce(present != $values, |instance| instance.$set($references, $values));
        }
    };
}

impl FmuInstance {
    fn phase_after_initialization(&self) -> Phase {
        if self.uses_event_mode { Phase::Event } else { Phase::StepComplete }
    }

    /// The function that sets variables of this type, for the call table.
    fn writer(lane: Lane) -> Function {
        match lane {
            Lane::Real => Function::SetFloat64,
            Lane::Integer => Function::SetInt32,
            Lane::Boolean => Function::SetBoolean,
            Lane::String => Function::SetString,
            Lane::Binary => Function::SetBinary,
        }
    }

    /// The index of a list of variables, all of which must be whole arrays and scalars of Float64.
    fn plain(&mut self, references: &[RealRef], function: Function) -> CallResult<usize> {
        let index = self.list(Lane::Real, references.iter().map(|reference| reference.0));
        match self.lists.groups(index) {
            [] => Ok(index),
            [only] if only.is_identity && only.is_plain() => Ok(index),
            _ => {
                Err(self.error(function, Cause::BadArgument("only whole arrays and scalars of Float64 have derivatives".into())))
            }
        }
    }
}

/// The value references of the variables of plain groups.
fn numbers(groups: &[Group]) -> &[u32] {
    groups.first().map_or(&[], |group| &group.references)
}

impl Instance for FmuInstance {
    common_methods!();

    /// Only notes the experiment: the FMU learns of it when it enters initialization mode.
    fn setup_experiment(&mut self, experiment: &Experiment) -> CallResult<()> {
        self.allow(Function::EnterInitializationMode)?;
        self.experiment = Some(*experiment);
        self.progress.is_set_up = true;
        self.progress.time = experiment.start;
        Ok(())
    }

    fn enter_initialization_mode(&mut self) -> CallResult<()> {
        self.check(Function::EnterInitializationMode)?;
        let Some(experiment) = self.experiment.filter(|_| self.progress.is_set_up) else {
            let cause = Cause::BadArgument("setup_experiment must be called first".into());
            return Err(self.error(Function::EnterInitializationMode, cause));
        };
        let process_state = ProcessState::note();
        let status = self.calls.enter_initialization_mode(&experiment);
        warn_of_changes(self.identity.journal(), process_state);
        self.settle(Function::EnterInitializationMode, Ok(status))?;
        self.progress.phase = Phase::Initialization;
        Ok(())
    }

    fn reset(&mut self) -> CallResult<()> {
        self.check(Function::Reset)?;
        let reply = self.calls.reset();
        self.settle(Function::Reset, reply)?;
        self.progress = Progress::START;
        self.n_updates = 0;
        self.shadows = Shadows::new(&self.calls.shared.version.intermediates.starts);
        self.polynomials.clear();
        self.configure()
    }

    fn get_real(&mut self, references: &[RealRef], values: &mut [f64]) -> CallResult<()> {
        transfer!(self, references, values, Real, Read, read_reals)
    }

    fn get_integer(&mut self, references: &[IntegerRef], values: &mut [i128]) -> CallResult<()> {
        transfer!(self, references, values, Integer, Read, read_integers)
    }

    fn get_boolean(&mut self, references: &[BooleanRef], values: &mut [bool]) -> CallResult<()> {
        transfer!(self, references, values, Boolean, Read, read_booleans)
    }

    fn get_string(&mut self, references: &[StringRef], values: &mut [String]) -> CallResult<()> {
        transfer!(self, references, values, String, Read, read_strings)
    }

    fn get_binary(&mut self, references: &[BinaryRef], values: &mut [Vec<u8>]) -> CallResult<()> {
        transfer!(self, references, values, Binary, Read, read_binaries)
    }

    fn set_real(&mut self, references: &[RealRef], values: &[f64]) -> CallResult<()> {
        if self.must_announce(references) {
            return self.set_mixed(references, values);
        }
        if *references == *self.binding.inputs && values.len() == references.len() {
            self.allow(Function::SetFloat64)?;
            self.note_bound(values);
            self.set_bound(values)?;
            self.binding.last_call.returned();
            return Ok(());
        }
        transfer!(self, references, values, Real, Set, write_reals)?;
        if !self.calls.asks_for_inputs() {
            return Ok(());
        }
        for (reference, value) in references.iter().zip(values) {
            if let Some(position) = self.calls.shared.version.intermediates.position(reference.0) {
                self.shadows.intermediates[position] = *value;
            }
        }
        Ok(())
    }

    fn set_integer(&mut self, references: &[IntegerRef], values: &[i128]) -> CallResult<()> {
        announced!(self, references, values, get_integer set_integer, 0);
        transfer!(self, references, values, Integer, Set, write_integers)
    }

    fn set_boolean(&mut self, references: &[BooleanRef], values: &[bool]) -> CallResult<()> {
        announced!(self, references, values, get_boolean set_boolean, false);
        transfer!(self, references, values, Boolean, Set, write_booleans)
    }

    fn set_string(&mut self, references: &[StringRef], values: &[&str]) -> CallResult<()> {
        announced!(self, references, values, get_string set_string, String::new());
        transfer!(self, references, values, String, Set, write_strings)
    }

    fn set_binary(&mut self, references: &[BinaryRef], values: &[&[u8]]) -> CallResult<()> {
        announced!(self, references, values, get_binary set_binary, Vec::new());
        transfer!(self, references, values, Binary, Set, write_binaries)
    }

    /// Only notes the derivatives: the FMU asks for the values of inputs during the next step.
    fn set_input_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &[f64]) -> CallResult<()> {
        const FUNCTION: Function = Function::SetFloat64;
        self.allow_capability(FUNCTION, self.capabilities().interpolate_inputs && self.calls.asks_for_inputs())?;
        if references.len() != orders.len() || references.len() != values.len() {
            return Err(self.refusal(FUNCTION, Refused::Lengths));
        }
        for ((reference, &order), &value) in references.iter().zip(orders).zip(values) {
            let intermediates = &self.calls.shared.version.intermediates;
            let order = usize::try_from(order).ok().filter(|order| (1..=HIGHEST_ORDER).contains(order));
            let (Some(position), Some(order)) = (intermediates.position(reference.0), order) else {
                let what = format!("value reference {} has no values during steps, or the order is not 1 to 3", reference.0);
                return Err(self.error(FUNCTION, Cause::BadArgument(what)));
            };
            self.polynomials.set(intermediates.starts.len(), position, order, value);
        }
        Ok(())
    }

    fn get_output_derivatives(&mut self, references: &[RealRef], orders: &[i32], values: &mut [f64]) -> CallResult<()> {
        const FUNCTION: Function = Function::GetOutputDerivatives;
        self.allow_capability(FUNCTION, self.capabilities().max_output_derivative_order > 0)?;
        if references.len() != orders.len() || references.len() != values.len() {
            return Err(self.refusal(FUNCTION, Refused::Lengths));
        }
        let index = self.plain(references, FUNCTION)?;
        if numbers(self.lists.groups(index)).len() != references.len() {
            return Err(self.error(FUNCTION, Cause::BadArgument("elements of arrays have no output derivatives".into())));
        }
        self.begin(FUNCTION);
        let reply = self.calls.get_output_derivatives(numbers(self.lists.groups(index)), orders, values);
        self.settle(FUNCTION, reply)
    }

    fn directional_derivative(
        &mut self,
        unknowns: &[RealRef],
        knowns: &[RealRef],
        seed: &[f64],
        result: &mut [f64],
    ) -> CallResult<()> {
        const FUNCTION: Function = Function::GetDirectionalDerivative;
        self.allow_capability(FUNCTION, self.capabilities().directional_derivative)?;
        if unknowns.len() != result.len() || knowns.len() != seed.len() {
            return Err(self.refusal(FUNCTION, Refused::Lengths));
        }
        let unknowns = self.plain(unknowns, FUNCTION)?;
        // The next list may take the place of this one.
        let unknowns = self.lists.shared(unknowns);
        let knowns = self.plain(knowns, FUNCTION)?;
        self.begin(FUNCTION);
        let knowns = numbers(self.lists.groups(knowns));
        let reply = self.calls.directional_derivative(numbers(&unknowns), knowns, seed, result);
        self.settle(FUNCTION, reply)
    }

    fn bind(&mut self, inputs: &[RealRef], outputs: &[RealRef]) -> CallResult<()> {
        self.binding = self.calls.shared.version.bind(inputs, outputs);
        self.announces = self.uses_event_mode && self.binding.access.has_discrete;
        Ok(())
    }

    /// The phase in which a step is allowed also allows setting and reading: one check serves all three calls. Whatever is
    /// unusual is left to other functions.
    fn step(&mut self, inputs: &[f64], t: f64, h: f64, commit: bool, outputs: &mut [f64]) -> CallResult<StepOutcome> {
        self.allow(Function::DoStep)?;
        let end = self.end_of_step(Function::DoStep, t, h)?;
        let binding = &self.binding;
        if outputs.len() != binding.outputs.len() || !(inputs.is_empty() || inputs.len() == binding.inputs.len()) {
            return Err(self.refusal(Function::DoStep, Refused::Lengths));
        }
        if (end >= self.progress.next_event.from) | self.announces | self.progress.requests_end {
            return self.careful_step(inputs, t, h, commit, outputs);
        }
        if self.calls.asks_for_inputs() {
            return self.asking_step(inputs, (t, h, commit, end), outputs);
        }
        self.usual_step::<false>(inputs, (t, h, commit, end), outputs)
    }

    fn enter_event_mode(&mut self) -> CallResult<()> {
        self.begin_event()
    }

    fn update_discrete_states(&mut self) -> CallResult<DiscreteUpdate> {
        self.update_states()
    }

    fn enter_step_mode(&mut self) -> CallResult<()> {
        self.end_event()
    }

    fn new_slot(&mut self) -> CallResult<Slot> {
        let slot = self.make_slot()?;
        let n_slots = self.saved_shadows.len().max(slot.0 as usize + 1);
        self.saved_shadows.resize_with(n_slots, Shadows::default);
        Ok(slot)
    }

    fn save(&mut self, slot: Slot) -> CallResult<()> {
        self.save_to(slot)?;
        if let Some(saved) = self.saved_shadows.get_mut(slot.0 as usize) {
            saved.copy_from(&self.shadows);
        }
        Ok(())
    }

    fn restore(&mut self, slot: Slot) -> CallResult<()> {
        self.restore_from(slot)?;
        self.polynomials.clear();
        if let Some(saved) = self.saved_shadows.get(slot.0 as usize) {
            self.shadows.copy_from(saved);
        }
        Ok(())
    }

    fn deserialize(&mut self, slot: Slot, bytes: &[u8]) -> CallResult<()> {
        self.fill_from_bytes(slot, bytes)?;
        // Values of arrays are read from the FMU when they are needed.
        if let Some(saved) = self.saved_shadows.get_mut(slot.0 as usize) {
            *saved = Shadows::new(&self.shadows.intermediates);
        }
        Ok(())
    }
}
