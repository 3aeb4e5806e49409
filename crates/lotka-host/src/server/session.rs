//! Requests, processed one after the other.

use std::convert::Infallible;
use std::process;

use fmu::{Fmu, InstantiateOptions};
use lotka_instance::{CallError, CallResult, Instance, LogSink, StepOutcome, Structure};

use super::{Channel, Loaded, Reply, Request, Start};
use crate::pair_run::PairRun;
use crate::platform;
use crate::platform::{ProcessState, Watched};
use crate::protocol::{Garbled, Kind, LONGEST_MESSAGE, PostedStep};

/// Maximum length of a line that an error quotes \[byte\].
const LONGEST_LINE: usize = 1 << 16;

/// Puts other bytes in place of an encoded reply.
pub(super) type Lie = Box<dyn FnMut(Vec<u8>) -> Vec<u8>>;

pub(super) struct Session {
    channel: Channel,
    /// Of a host that tests its master.
    lie: Option<Lie>,
    log: LogSink,
    fmu: Option<Fmu>,
    instance: Option<Box<dyn Instance>>,
    before: Option<ProcessState>,
    inputs: Vec<f64>,
    outputs: Vec<f64>,
}

impl Session {
    pub fn new(channel: Channel, log: LogSink, lie: Option<Lie>) -> Self {
        let (inputs, outputs) = (Vec::new(), Vec::new());
        Self { channel, lie, log, fmu: None, instance: None, before: None, inputs, outputs }
    }

    /// Answers requests forever; the process ends on request of the master, or when the master is gone. `load` loads the FMU.
    pub fn run(
        &mut self,
        load: impl Fn(u32, &Start) -> Result<(Fmu, Loaded, ProcessState), String>,
    ) -> Result<Infallible, Garbled> {
        loop {
            self.wait()?;
            match self.channel.kind()? {
                Kind::Step => self.step()?,
                kind @ (Kind::Message | Kind::Part) => {
                    let reply = match self.request(kind)? {
                        Request::Start(start) => self.start(load(self.channel.master(), &start)),
                        Request::End => self.end(),
                        Request::Free => self.free(),
                        Request::ProcessState => self.process_state(),
                        Request::Pair(pair_run) => self.pair(&pair_run),
                        request => self.answer(request),
                    };
                    self.reply(&reply)?;
                }
                Kind::Stepped | Kind::Next => return Err(Garbled("the order of requests")),
            }
        }
    }

    fn wait(&mut self) -> Result<(), Garbled> {
        if self.channel.look(self.channel.host_spins())? {
            return Ok(());
        }
        while !self.channel.sleep(platform::LOOK_AROUND)? {
            platform::end_without(self.channel.master());
        }
        Ok(())
    }

    /// Reads the request with all its parts.
    fn request(&mut self, mut kind: Kind) -> Result<Request, Garbled> {
        self.channel.read_part(kind, true, LONGEST_MESSAGE)?;
        while kind == Kind::Part {
            self.channel.post_next();
            self.wait()?;
            kind = self.channel.kind()?;
            self.channel.read_part(kind, false, LONGEST_MESSAGE)?;
        }
        self.channel.read_request()
    }

    fn reply(&mut self, reply: &Reply) -> Result<(), Garbled> {
        if let Some(instance) = &self.instance {
            self.channel.set_phase(instance.phase() as u64);
        }
        self.channel.write_reply(reply);
        if let Some(lie) = &mut self.lie {
            self.channel.change(lie);
        }
        while self.channel.post_part() {
            self.wait()?;
            if self.channel.kind()? != Kind::Next {
                return Err(Garbled("the order of requests"));
            }
        }
        Ok(())
    }

    fn step(&mut self) -> Result<(), Garbled> {
        let PostedStep { t, h, commit } = self.channel.step(&mut self.inputs, &mut self.outputs)?;
        let instance = self.instance.as_mut().ok_or(Garbled("a step of no instance"))?;
        match instance.step(&self.inputs, t, h, commit, &mut self.outputs) {
            Ok(StepOutcome::Complete) if self.lie.is_none() => self.channel.post_stepped(&self.outputs),
            Ok(outcome) => self.reply(&Reply::Outcome(outcome, self.outputs.clone()))?,
            Err(error) => self.reply(&failed(error))?,
        }
        Ok(())
    }

    fn start(&mut self, loaded: Result<(Fmu, Loaded, ProcessState), String>) -> Reply {
        match loaded {
            Ok((fmu, loaded, before)) => {
                (self.fmu, self.before) = (Some(fmu), Some(before));
                Reply::Loaded(loaded)
            }
            Err(reason) => Reply::Refused(reason),
        }
    }

    /// Frees the instance and ends the process normally, so that exit handlers of the FMU run.
    fn end(&mut self) -> ! {
        self.instance = None;
        self.channel.set_host_ends();
        process::exit(0);
    }

    fn free(&mut self) -> Reply {
        self.instance = None;
        Reply::Done
    }

    fn process_state(&self) -> Reply {
        match &self.before {
            Some(before) => Reply::ProcessState(Box::new(Watched { before: before.clone(), now: ProcessState::read() })),
            None => Reply::Refused("no FMU is loaded".to_owned()),
        }
    }

    fn pair(&self, pair_run: &PairRun) -> Reply {
        match &self.fmu {
            Some(fmu) => pair_run.run(fmu).map_or_else(Reply::Refused, Reply::Pair),
            None => Reply::Refused("no FMU is loaded".to_owned()),
        }
    }

    fn answer(&mut self, request: Request) -> Reply {
        if let Request::Instantiate { name, logging_on, visible, pending_timeout_s, event_mode, input_polynomials, structure } =
            request
        {
            let log = Some(self.log.clone());
            let options = InstantiateOptions { log, logging_on, visible, pending_timeout_s, event_mode, input_polynomials };
            return self.instantiate(&name, &options, &structure);
        }
        match &mut self.instance {
            Some(instance) => call(instance.as_mut(), request).unwrap_or_else(failed),
            None => Reply::Refused("there is no instance".to_owned()),
        }
    }

    fn instantiate(&mut self, name: &str, options: &InstantiateOptions, structure: &Structure) -> Reply {
        let Some(fmu) = &self.fmu else { return Reply::Refused("no FMU is loaded".to_owned()) };
        let fmu = match fmu.with_structure(structure) {
            Ok(fmu) => fmu,
            Err(error) => return Reply::Refused(error.to_string()),
        };
        match fmu.instantiate(name, options) {
            Ok(instance) => {
                self.instance = Some(instance);
                Reply::Done
            }
            Err(error) => Reply::Refused(error.to_string()),
        }
    }
}

/// The reply to a call that failed, with what the FMU logged cut to the length that a master accepts.
fn failed(mut error: Box<CallError>) -> Reply {
    for line in error.log.iter_mut().filter(|line| line.len() > LONGEST_LINE) {
        *line = line.chars().take(LONGEST_LINE / 4).collect();
    }
    Reply::Failed(error)
}

/// Makes the call for a request.
fn call(instance: &mut dyn Instance, request: Request) -> CallResult<Reply> {
    let done = |()| Reply::Done;
    match request {
        Request::SetDebugLogging(on, categories) => instance.set_debug_logging(on, &texts(&categories)).map(done),
        Request::SetupExperiment(experiment) => instance.setup_experiment(&experiment).map(done),
        Request::EnterInitializationMode => instance.enter_initialization_mode().map(done),
        Request::ExitInitializationMode => instance.exit_initialization_mode().map(done),
        Request::Terminate => instance.terminate().map(done),
        Request::Reset => instance.reset().map(done),
        Request::SetReal(references, values) => instance.set_real(&references, &values).map(done),
        Request::SetInteger(references, values) => instance.set_integer(&references, &values).map(done),
        Request::SetBoolean(references, values) => instance.set_boolean(&references, &values).map(done),
        Request::SetString(references, values) => instance.set_string(&references, &texts(&values)).map(done),
        Request::SetBinary(references, values) => instance.set_binary(&references, &slices(&values)).map(done),
        Request::SetInputDerivatives(references, orders, values) => {
            instance.set_input_derivatives(&references, &orders, &values).map(done)
        }
        Request::DoStep { t, h, commit } => instance.do_step(t, h, commit).map(|outcome| Reply::Outcome(outcome, Vec::new())),
        Request::Bind(inputs, outputs) => instance.bind(&inputs, &outputs).map(done),
        Request::Step { inputs, t, h, commit, n_outputs } => {
            let mut outputs = vec![0.0; n_outputs];
            instance.step(&inputs, t, h, commit, &mut outputs).map(|outcome| Reply::Outcome(outcome, outputs))
        }
        Request::EnterEventMode => instance.enter_event_mode().map(done),
        Request::UpdateDiscreteStates => instance.update_discrete_states().map(Reply::Updated),
        Request::EnterStepMode => instance.enter_step_mode().map(done),
        Request::NewSlot => instance.new_slot().map(Reply::Slot),
        Request::Save(slot) => instance.save(slot).map(done),
        Request::Restore(slot) => instance.restore(slot).map(done),
        Request::FreeSlot(slot) => instance.free_slot(slot).map(done),
        Request::Serialize(slot) => instance.serialize(slot).map(Reply::Bytes),
        Request::Deserialize(slot, bytes) => instance.deserialize(slot, &bytes).map(done),
        request => read(instance, request),
    }
}

/// Like [`call`], for requests that read values.
fn read(instance: &mut dyn Instance, request: Request) -> CallResult<Reply> {
    Ok(match request {
        Request::GetReal(references, count) => {
            let mut values = vec![0.0; count];
            instance.get_real(&references, &mut values)?;
            Reply::Reals(values)
        }
        Request::GetInteger(references, count) => {
            let mut values = vec![0; count];
            instance.get_integer(&references, &mut values)?;
            Reply::Integers(values)
        }
        Request::GetBoolean(references, count) => {
            let mut values = vec![false; count];
            instance.get_boolean(&references, &mut values)?;
            Reply::Booleans(values)
        }
        Request::GetString(references, count) => {
            let mut values = vec![String::new(); count];
            instance.get_string(&references, &mut values)?;
            Reply::Strings(values)
        }
        Request::GetBinary(references, count) => {
            let mut values = vec![Vec::new(); count];
            instance.get_binary(&references, &mut values)?;
            Reply::Binaries(values)
        }
        Request::GetOutputDerivatives(references, orders, count) => {
            let mut values = vec![0.0; count];
            instance.get_output_derivatives(&references, &orders, &mut values)?;
            Reply::Reals(values)
        }
        Request::DirectionalDerivative { unknowns, knowns, seed, result } => {
            let mut result = vec![0.0; result];
            instance.directional_derivative(&unknowns, &knowns, &seed, &mut result)?;
            Reply::Reals(result)
        }
        _ => Reply::Refused("the request belongs elsewhere".to_owned()),
    })
}

fn texts(texts: &[String]) -> Vec<&str> {
    texts.iter().map(String::as_str).collect()
}

fn slices(values: &[Vec<u8>]) -> Vec<&[u8]> {
    values.iter().map(Vec::as_slice).collect()
}
