//! The variables of an instance that its steps set and read.

use std::sync::{Arc, Mutex, PoisonError};

use lotka_instance::RealRef;

use crate::last_call::LastCall;

/// Number of bindings searched for one to share: a few threads may bind instances at the same time.
const LAST_BINDINGS: usize = 8;

/// The variables that every step of an instance sets and reads, and where its calls are recorded. `A` is how the variables are
/// accessed.
pub(crate) struct Binding<A> {
    pub inputs: Box<[RealRef]>,
    pub outputs: Box<[RealRef]>,
    pub access: A,
    pub last_call: LastCall,
}

/// The most recent bindings of instances.
pub(crate) struct Bindings<A>(Mutex<Vec<Arc<Binding<A>>>>);

impl<A> Bindings<A> {
    pub fn new() -> Self {
        Self(Mutex::default())
    }

    /// Returns the binding, whose access `access` determines. Instances with equal bindings, bound in succession on one thread,
    /// share it: with many instances, memory is the bottleneck.
    pub fn bind(&self, inputs: &[RealRef], outputs: &[RealRef], access: impl FnOnce() -> A) -> Arc<Binding<A>> {
        let last_call = LastCall::of_this_thread();
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let is_same = |binding: &&Arc<Binding<A>>| {
            *binding.inputs == *inputs && *binding.outputs == *outputs && binding.last_call.is_same(last_call)
        };
        if let Some(found) = last.iter().find(is_same) {
            return found.clone();
        }
        let binding = Arc::new(Binding { inputs: inputs.into(), outputs: outputs.into(), access: access(), last_call });
        last.insert(0, binding.clone());
        last.truncate(LAST_BINDINGS);
        binding
    }
}
