//! Nothing but dependencies: what is built together with this crate uses what a build of the whole workspace has compiled.
