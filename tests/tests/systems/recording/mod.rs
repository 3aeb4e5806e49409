//! What is recorded, and the files that it goes to.

mod mat;
mod parquet;
mod selection;
