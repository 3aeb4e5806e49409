//! The thread that starts hosts.
//!
//! The kernel kills a host when the thread that started it ends ([`crate::server`] asks for that). So one thread starts all hosts
//! and lives as long as this process, whichever threads ask for hosts.

use std::io;
use std::process::{Child, Command};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::thread;

/// A program to start, and where its process goes.
type Order = (Command, Sender<io::Result<Child>>);

/// The orders of the thread, and the process in which it runs: a process that was forked has none.
static STARTER: Mutex<Option<(u32, Sender<Order>)>> = Mutex::new(None);

/// Starts a program, which the kernel can kill with this process.
pub(super) fn spawn(command: Command) -> io::Result<Child> {
    let (to, from) = channel();
    let gone = || io::Error::other("the thread that starts processes is gone");
    orders()?.send((command, to)).map_err(|_| gone())?;
    from.recv().map_err(|_| gone())?
}

fn orders() -> io::Result<Sender<Order>> {
    let mut starter = STARTER.lock().unwrap_or_else(PoisonError::into_inner);
    let own = std::process::id();
    if let Some((_, orders)) = starter.as_ref().filter(|(process, _)| *process == own) {
        return Ok(orders.clone());
    }
    let (orders, received) = channel();
    thread::Builder::new().name("fmu hosts".into()).stack_size(256 << 10).spawn(move || start_all(&received))?;
    *starter = Some((own, orders.clone()));
    Ok(orders)
}

fn start_all(orders: &Receiver<Order>) {
    for (mut command, to) in orders {
        let started = fmu::outside_of_calls(|| command.spawn());
        // Files for the host end here, so that their other ends notice its end.
        drop(command);
        if let Err(error) = to.send(started)
            && let Ok(mut child) = error.0
        {
            // Whoever asked for it is gone.
            let _ = child.kill().and_then(|()| child.wait());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::thread::gettid;

    #[test]
    fn all_programs_are_started_by_one_thread_that_stays() {
        let parent = || {
            let started = spawn({
                let mut command = Command::new("sleep");
                command.arg("1000");
                command
            });
            let mut child = started.unwrap();
            // The children of a thread are those that it has started.
            let own = std::fs::read_to_string(format!("/proc/self/task/{}/children", gettid().as_raw_nonzero())).unwrap();
            assert!(!own.split_whitespace().any(|number| number == child.id().to_string()));
            child.kill().unwrap();
            child.wait().unwrap();
            orders().unwrap()
        };
        thread::spawn(parent).join().unwrap();
        let process = STARTER.lock().unwrap().as_ref().map(|(process, _)| *process);
        parent();
        assert_eq!(process, Some(std::process::id()));
    }

    #[test]
    fn a_program_that_does_not_exist_is_an_error() {
        assert_eq!(spawn(Command::new("/no such program")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
