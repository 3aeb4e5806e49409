//! The C functions that both versions have, under the names of each: the version chooses the types and the names.

/// Defines functions that run their body behind the guard: `name: Function(|c| argument: Type, …) { body }`.
macro_rules! guarded {
    ($prefix:literal, $instance:ty; $(
        $(#[$about:meta])*
        $name:ident: $function:ident(|$c:ident| $($argument:ident: $type:ty),* $(,)?) $body:block
    )*) => {$(
        #[doc = concat!("`", $prefix, stringify!($function), "`.")]
        $(#[$about])*
        pub unsafe extern "C" fn $name<M: Model>(instance: $instance, $($argument: $type),*) -> ffi::RawStatus {
            let body = move |$c: &mut Component<M>| $body;
            // SAFETY: the importer passes one of its instances.
            unsafe { guard(instance, Function::$function, body) }
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

        #[doc = concat!("`", $prefix, stringify!($get), "`.")]
        pub unsafe extern "C" fn get_fmu_state<M: Model>(instance: $instance, handle: *mut ffi::FmuState) -> ffi::RawStatus {
            // SAFETY: the guarantees of the importer are passed on.
            unsafe { shared::get_state::<M, _>(Function::$get, instance, handle) }
        }

        #[doc = concat!("`", $prefix, stringify!($set), "`.")]
        pub unsafe extern "C" fn set_fmu_state<M: Model>(instance: $instance, state: ffi::FmuState) -> ffi::RawStatus {
            // SAFETY: the guarantees of the importer are passed on.
            unsafe { shared::set_state::<M, _>(Function::$set, instance, state) }
        }

        #[doc = concat!("`", $prefix, stringify!($free), "`.")]
        pub unsafe extern "C" fn free_fmu_state<M: Model>(instance: $instance, handle: *mut ffi::FmuState) -> ffi::RawStatus {
            // SAFETY: the guarantees of the importer are passed on.
            unsafe { shared::free_state::<M, _>(Function::$free, instance, handle) }
        }

        #[doc = concat!("`", $prefix, stringify!($size), "`.")]
        pub unsafe extern "C" fn serialized_fmu_state_size<M: Model>(
            instance: $instance,
            state: ffi::FmuState,
            size: *mut usize,
        ) -> ffi::RawStatus {
            // SAFETY: the guarantees of the importer are passed on.
            unsafe { shared::serialized_size::<M, _>(Function::$size, instance, identifier, state, size) }
        }

        #[doc = concat!("`", $prefix, stringify!($serialize), "`.")]
        pub unsafe extern "C" fn serialize_fmu_state<M: Model>(
            instance: $instance,
            state: ffi::FmuState,
            bytes: *mut ffi::Byte,
            size: usize,
        ) -> ffi::RawStatus {
            // SAFETY: the guarantees of the importer are passed on.
            unsafe { shared::serialize::<M, _>(Function::$serialize, instance, identifier, state, bytes.cast(), size) }
        }

        #[doc = concat!("`", $prefix, stringify!($deserialize), "`.")]
        pub unsafe extern "C" fn $deserialize_name<M: Model>(
            instance: $instance,
            bytes: *const ffi::Byte,
            size: usize,
            handle: *mut ffi::FmuState,
        ) -> ffi::RawStatus {
            // SAFETY: the guarantees of the importer are passed on.
            unsafe { shared::deserialize::<M, _>(Function::$deserialize, instance, identifier, (bytes.cast(), size), handle) }
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

        guarded! { $prefix, $instance;
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
