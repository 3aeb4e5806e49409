//! The host: one FMU, one instance, one master.
//!
//! [`serve`] maps the memory, confines and loads the FMU, and answers requests until it must end. A separate thread watches the
//! master, so that a host whose FMU hangs does not outlive it.

mod session;
mod this;

use std::io;
use std::process::ExitCode;
use std::sync::Arc;

use fmu::{Fmu, OpenOptions};
use lotka_instance::LogSink;

use crate::platform::sandbox::{DeniedCalls, confine};
use crate::platform::{self, ProcessState, SharedMemory};
use crate::protocol::{Channel, DENIED_CALLS, Loaded, LogWriter, Reply, Request, Side, Start};
use session::{Lie, Session};

pub use this::serve_if_host;
pub(crate) use this::{NAME, serves};

/// Exit code if the program was not started as a host, or with another protocol.
const USAGE: u8 = 2;

/// Hosts an FMU for the master whose memory is the standard input.
#[must_use]
pub fn serve() -> ExitCode {
    serve_with(None)
}

/// Like [`serve`], but changes the bytes of each reply, so that a test sees what its master does with them.
#[must_use]
pub fn serve_lies(lie: impl FnMut(Vec<u8>) -> Vec<u8> + 'static) -> ExitCode {
    serve_with(Some(Box::new(lie)))
}

fn serve_with(lie: Option<Lie>) -> ExitCode {
    let memory = match take_memory() {
        Ok(memory) => Arc::new(memory),
        Err(_) => {
            eprintln!("lotka-fmu-host runs an FMU for lotka, which starts it; do not start it yourself");
            return ExitCode::from(USAGE);
        }
    };
    let channel = Channel::new(Arc::clone(&memory), Side::Host);
    platform::leave_faults_to_the_system();
    platform::close_inherited();
    if let Some(version) = channel.other_version() {
        eprintln!("lotka-fmu-host and its master use different versions of the protocol ({version})");
        return ExitCode::from(USAGE);
    }
    if let Err(error) = platform::die_with(channel.master()) {
        eprintln!("lotka-fmu-host cannot end with its master: {error}");
        return ExitCode::from(USAGE);
    }
    let log = LogWriter::new(Arc::clone(&memory));
    let sink: LogSink = Arc::new(move |line| log.write(&line));
    let mut session = Session::new(channel, sink, lie);
    if session.run(|master, start| load(master, start, &memory)).is_err() {
        eprintln!("lotka-fmu-host: invalid request from the master");
        return ExitCode::from(USAGE);
    }
    ExitCode::SUCCESS
}

/// Maps the memory and leaves an empty standard input to the FMU.
fn take_memory() -> io::Result<SharedMemory> {
    let memory = SharedMemory::open(io::stdin())?;
    if !Channel::is_ours(&memory) {
        return Err(io::ErrorKind::InvalidData.into());
    }
    platform::empty_input()?;
    Ok(memory)
}

/// Confines this process, watches the master, and loads the FMU.
fn load(master: u32, start: &Start, memory: &Arc<SharedMemory>) -> Result<(Fmu, Loaded, ProcessState), String> {
    let mut warnings = Vec::new();
    if let Some((sandbox, scratch)) = &start.sandbox {
        // Denied calls are recorded as long as the process lives.
        let memory: &'static SharedMemory = Box::leak(Box::new(Arc::clone(memory)));
        let denied = DeniedCalls::new(&memory.words()[DENIED_CALLS]);
        let mut sandbox = sandbox.clone();
        sandbox.read.extend(start.preload_global.iter().filter(|path| path.is_absolute()).cloned());
        let confinement = confine(&sandbox, &start.folder, scratch, denied).map_err(|error| error.to_string())?;
        warnings.extend(confinement.warnings());
    }
    platform::end_with(master).map_err(|error| format!("the master cannot be watched: {error}"))?;
    let before = ProcessState::read();
    let options = OpenOptions { preload_global: start.preload_global.clone(), ..OpenOptions::default() };
    let fmu = Fmu::from_folder(&start.fmu, &start.folder, &options).map_err(|error| error.to_string())?;
    warnings.extend(fmu.warnings().iter().map(ToString::to_string));
    let loaded = Loaded { capabilities: *fmu.capabilities(), warnings };
    Ok((fmu, loaded, before))
}
