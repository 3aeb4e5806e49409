//! Which meshes a run with `tolerance` may use, and which rows belong to its result.

mod apart;
mod inner;
mod rows;
