//! The C functions that both versions have, under the names of each: the version chooses the types and the names.

/// Defines functions that run their body behind a guard: `name: Function(|c| argument: Type, …) { body }`.
macro_rules! guarded {
    ($guard:ident: $prefix:literal, $instance:ty; $(
        $(#[$about:meta])*
        $name:ident: $function:ident(|$c:ident| $($argument:ident: $type:ty),* $(,)?) $body:block
    )*) => {$(
        #[doc = concat!("`", $prefix, stringify!($function), "`.")]
        $(#[$about])*
        pub unsafe extern "C" fn $name<M: Model>(instance: $instance, $($argument: $type),*) -> ffi::RawStatus {
            let body = move |$c: &mut Component<M>| $body;
            // SAFETY: the importer passes one of its instances.
            unsafe { crate::component::$guard(instance, Function::$function, body) }
        }
    )*};
}

/// Defines the functions that save, restore and serialize states. `$identifier` returns what ties a serialized state to its FMU.
macro_rules! state_functions {
    ($prefix:literal, $instance:ty, |$declared:ident| $identifier:expr;
        get $get:ident, set $set:ident, free $free:ident, size $size:ident, serialize $serialize:ident,
        deserialize $deserialize:ident $deserialize_name:ident
    ) => {
        fn identifier<M>($declared: &Declared<M>) -> &str {
            $identifier
        }

        guarded! { guard_often: $prefix, $instance;
            get_fmu_state: $get(|c| handle: *mut ffi::FmuState) {
                // SAFETY: the guarantees of the importer are passed on.
                unsafe { shared::get_state(c, handle) }
            }
            set_fmu_state: $set(|c| state: ffi::FmuState) {
                // SAFETY: the guarantees of the importer are passed on.
                unsafe { shared::set_state(c, state) }
            }
        }

        guarded! { guard: $prefix, $instance;
            free_fmu_state: $free(|c| handle: *mut ffi::FmuState) {
                // SAFETY: the guarantees of the importer are passed on.
                unsafe { shared::free_state(c, handle) }
            }
            serialized_fmu_state_size: $size(|c| state: ffi::FmuState, size: *mut usize) {
                // SAFETY: the guarantees of the importer are passed on.
                unsafe { shared::serialized_size(c, identifier, state, size) }
            }
            serialize_fmu_state: $serialize(|c| state: ffi::FmuState, bytes: *mut ffi::Byte, size: usize) {
                // SAFETY: the guarantees of the importer are passed on.
                unsafe { shared::serialize(c, identifier, state, bytes.cast(), size) }
            }
            $deserialize_name: $deserialize(|c| bytes: *const ffi::Byte, size: usize, handle: *mut ffi::FmuState) {
                // SAFETY: the guarantees of the importer are passed on.
                unsafe { shared::deserialize(c, identifier, (bytes.cast(), size), handle) }
            }
        }
    };
}

/// Defines the functions of the life cycle that have the same arguments. `$is_on` converts a Boolean of the version, and
/// `$next` returns the phase after initialization.
macro_rules! life_functions {
    ($prefix:literal, $instance:ty, $is_on:expr, $next:expr) => {
        #[doc = concat!("`", $prefix, "FreeInstance`. NULL is ignored.")]
        pub unsafe extern "C" fn free_instance<M: Model>(instance: $instance) {
            // SAFETY: the importer passes one of its instances, and does not use it again.
            unsafe { shared::free::<M>(instance) };
        }

        guarded! { guard: $prefix, $instance;
            /// No category means all of them; unknown ones are ignored.
            set_debug_logging: SetDebugLogging(|c| logging_on: ffi::Boolean, n: usize, categories: *const ffi::FmiString) {
                // SAFETY: the importer passes `n` strings.
                unsafe { shared::set_debug_logging(c, $is_on(logging_on), n, categories) }
            }
            /// Event mode follows if it is used.
            exit_initialization_mode: ExitInitializationMode(|c|) {
                let next = $next(&*c);
                shared::exit_initialization(c, next)
            }
            /// Final values stay readable.
            terminate: Terminate(|c|) {
                shared::terminate(c);
                Ok(())
            }
            /// The state is that right after instantiation.
            reset: Reset(|c|) {
                c.state = State::new(c.declared, &c.environment);
                Ok(())
            }
        }
    };
}

pub(in crate::entry) use {guarded, life_functions, state_functions};
