//! What the instances of both versions do in the same way, as macros: the C types differ by version, and so do the names of
//! some functions. What is not here is where the versions differ.

/// The calls that take the same arguments in both versions, for a struct `Calls` with the fields `shared` and `instance`:
/// functions whose only argument is the instance, those for states, and logging. `$deserialize` is the field of the function
/// that FMI 2.0 and 3.0 spell differently.
macro_rules! common_calls {
    ($deserialize:ident, required { $($required:ident)* } optional { $($optional:ident)* }) => {
        // SAFETY: FMI allows an instance to be used from different threads, one at a time.
        unsafe impl Send for Calls {}

        fn boolean(value: bool) -> ffi::Boolean {
            if value { ffi::TRUE } else { ffi::FALSE }
        }

        impl Calls {
            #[inline]
            fn functions(&self) -> &ffi::Functions {
                &self.shared.version.functions
            }

            /// The address that identifies the instance.
            #[inline]
            pub fn address(&self) -> usize {
                self.instance as usize
            }

            /// Marks the instance as never to be freed: no function may be called any more.
            pub fn abandon(&mut self) {
                self.instance = std::ptr::null_mut();
            }

            $(pub fn $required(&mut self) -> ffi::RawStatus {
                // SAFETY: see the top of this file.
                unsafe { (self.functions().$required)(self.instance) }
            })*

            $(pub fn $optional(&mut self) -> Reply {
                let function = self.functions().$optional.ok_or(Refused::Missing)?;
                // SAFETY: see the top of this file.
                Ok(unsafe { function(self.instance) })
            })*

            pub fn set_debug_logging(&mut self, on: bool, categories: &[CString]) -> Reply {
                let function = self.functions().set_debug_logging.ok_or(Refused::Missing)?;
                let pointers: Vec<ffi::FmiString> = categories.iter().map(|category| category.as_ptr()).collect();
                // SAFETY: the number of pointers is the one passed, and they live during the call.
                Ok(unsafe { function(self.instance, boolean(on), pointers.len(), pointers.as_ptr()) })
            }
        }

        impl $crate::instance::StateCalls for Calls {
            #[inline]
            fn save(&mut self, state: &mut $crate::instance::SavedState) -> Reply {
                let function = self.functions().get_fmu_state.ok_or(Refused::Missing)?;
                // SAFETY: the state is NULL or was made by this instance.
                Ok(unsafe { function(self.instance, &raw mut state.0) })
            }

            #[inline]
            fn restore(&mut self, state: &$crate::instance::SavedState) -> Reply {
                let function = self.functions().set_fmu_state.ok_or(Refused::Missing)?;
                // SAFETY: the state was made by this instance.
                Ok(unsafe { function(self.instance, state.0) })
            }

            fn free_state(&mut self, state: &mut $crate::instance::SavedState) -> Reply {
                let function = self.functions().free_fmu_state.ok_or(Refused::Missing)?;
                let mut freed = std::mem::replace(&mut state.0, std::ptr::null_mut());
                // SAFETY: the state was made by this instance and cannot be used again.
                Ok(unsafe { function(self.instance, &raw mut freed) })
            }

            fn serialized_size(&mut self, state: &$crate::instance::SavedState) -> Result<(ffi::RawStatus, usize), Refused> {
                let function = self.functions().serialized_fmu_state_size.ok_or(Refused::Missing)?;
                let mut size = 0;
                let call = |size: &mut [usize]| {
                    // SAFETY: the state was made by this instance, and the pointer is valid for one number.
                    unsafe { function(self.instance, state.0, size.as_mut_ptr()) }
                };
                let status = $crate::instance::read(std::slice::from_mut(&mut size), call)?;
                Ok((status, size))
            }

            fn serialize(&mut self, state: &$crate::instance::SavedState, bytes: &mut [u8]) -> Reply {
                let function = self.functions().serialize_fmu_state.ok_or(Refused::Missing)?;
                $crate::instance::read_some(bytes, |bytes| {
                    // SAFETY: the state was made by this instance, and the buffer has the length that is passed.
                    unsafe { function(self.instance, state.0, bytes.as_mut_ptr().cast(), bytes.len()) }
                })
            }

            fn deserialize(&mut self, bytes: &[u8], state: &mut $crate::instance::SavedState) -> Reply {
                let function = self.functions().$deserialize.ok_or(Refused::Missing)?;
                // SAFETY: the buffer has the length that is passed, and the pointer is valid for one state.
                Ok(unsafe { function(self.instance, bytes.as_ptr().cast(), bytes.len(), &raw mut state.0) })
            }
        }

        impl Drop for Calls {
            fn drop(&mut self) {
                if !self.instance.is_null() {
                    // SAFETY: the instance is freed here and nowhere else.
                    unsafe { (self.functions().free_instance)(self.instance) }
                }
            }
        }
    };
}

/// What is known of an `FmuInstance` without a call, how it keeps states, and how it ends. The names of the functions for states
/// are those of the version; `$set_reals` sets Real variables.
macro_rules! common_instance {
    (states { $save:ident $restore:ident $free:ident $size:ident $write:ident $read:ident } set { $set_reals:ident }) => {
        impl $crate::instance::Imported for FmuInstance {
            type Function = Function;

            #[inline]
            fn lost(&self) -> &$crate::shared::Lost {
                &self.calls.shared.lost
            }

            #[inline]
            fn address(&self) -> usize {
                self.calls.address()
            }

            #[inline]
            fn last_call(&self) -> $crate::last_call::LastCall {
                self.binding.last_call
            }

            #[inline]
            fn progress(&self) -> &Progress {
                &self.progress
            }

            #[inline]
            fn progress_mut(&mut self) -> &mut Progress {
                &mut self.progress
            }

            fn identity(&self) -> &Identity {
                &self.identity
            }
        }

        impl $crate::instance::Stateful for FmuInstance {
            type Calls = Calls;
            const SAVE: Function = Function::$save;
            const RESTORE: Function = Function::$restore;
            const FREE: Function = Function::$free;
            const SIZE: Function = Function::$size;
            const WRITE: Function = Function::$write;
            const READ: Function = Function::$read;

            #[inline]
            fn calls_and_slots(&mut self) -> (&mut Calls, &mut Slots) {
                (&mut self.calls, &mut self.slots)
            }

            fn state_capabilities(&self) -> (bool, bool) {
                let capabilities = &self.calls.shared.capabilities;
                (capabilities.save_state, capabilities.serialize_state)
            }

            fn token(&self) -> &str {
                &self.calls.shared.version.state_token
            }
        }

        impl FmuInstance {
            /// Processes the result of setting the bound inputs, if it is not just OK.
            #[cold]
            pub(super) fn settle_inputs(&mut self, reply: Reply) -> lotka_instance::CallResult<()> {
                let result = self.settle(Function::$set_reals, reply);
                let binding = Arc::clone(&self.binding);
                let references = binding.inputs.iter().map(|reference| reference.0);
                self.naming(result, (Lane::Real, $crate::instance::Access::Set), references)
            }

            /// Processes the result of reading the bound outputs, if it is not just OK.
            #[cold]
            pub(super) fn settle_outputs(&mut self, reply: Reply) -> lotka_instance::CallResult<()> {
                let result = self.settle(Self::reader(Lane::Real), reply);
                let binding = Arc::clone(&self.binding);
                let references = binding.outputs.iter().map(|reference| reference.0);
                self.naming(result, (Lane::Real, $crate::instance::Access::Read), references)
            }
        }

        impl std::fmt::Debug for FmuInstance {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let mut shown = f.debug_struct("FmuInstance");
                shown.field("name", &self.identity.name).field("progress", &self.progress).finish_non_exhaustive()
            }
        }

        impl Drop for FmuInstance {
            fn drop(&mut self) {
                self.calls.shared.will_free(self.calls.address());
                let is_inside = self.progress.phase == lotka_instance::Phase::StepInProgress || self.binding.last_call.is_open();
                if self.calls.shared.is_lost() || is_inside {
                    self.calls.abandon();
                } else {
                    self.begin(<Self as $crate::instance::Stateful>::FREE);
                    self.slots.free_all(&mut self.calls);
                    self.begin(Function::FreeInstance);
                }
            }
        }
    };
}

/// The methods of [`Instance`](lotka_instance::Instance) that check, call and process the status in the same way.
macro_rules! common_methods {
    () => {
        fn name(&self) -> &str {
            &self.identity.name
        }

        fn phase(&self) -> Phase {
            self.current_phase()
        }

        fn capabilities(&self) -> &Capabilities {
            &self.calls.shared.capabilities
        }

        fn set_debug_logging(&mut self, on: bool, categories: &[&str]) -> CallResult<()> {
            self.check(Function::SetDebugLogging)?;
            let categories = self.c_strings(Function::SetDebugLogging, categories)?;
            let reply = self.calls.set_debug_logging(on, &categories);
            self.settle(Function::SetDebugLogging, reply)
        }

        fn exit_initialization_mode(&mut self) -> CallResult<()> {
            self.check(Function::ExitInitializationMode)?;
            let process_state = ProcessState::note();
            let status = self.calls.exit_initialization_mode();
            warn_of_changes(self.identity.journal(), process_state);
            self.settle(Function::ExitInitializationMode, Ok(status))?;
            self.progress.phase = self.phase_after_initialization();
            Ok(())
        }

        fn terminate(&mut self) -> CallResult<()> {
            self.check(Function::Terminate)?;
            let status = self.calls.terminate();
            self.settle(Function::Terminate, Ok(status))?;
            self.progress.phase = Phase::Terminated;
            Ok(())
        }

        fn do_step(&mut self, t: f64, h: f64, commit: bool) -> CallResult<StepOutcome> {
            self.allow(Function::DoStep)?;
            self.advance(t, h, commit)
        }

        fn free_slot(&mut self, slot: Slot) -> CallResult<()> {
            self.give_up(slot)
        }

        fn serialize(&mut self, slot: Slot) -> CallResult<Vec<u8>> {
            self.write_bytes(slot)
        }
    };
}

pub(crate) use {common_calls, common_instance, common_methods};
