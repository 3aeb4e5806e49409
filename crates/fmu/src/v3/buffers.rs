//! Buffers for the conversion of values to and from C.

/// Buffers for the conversion of values to and from C, which keep their memory.
#[derive(Default)]
pub(crate) struct Buffers {
    pub(super) doubles: Vec<f64>,
    pub(super) singles: Vec<f32>,
    pub(super) int8: Vec<i8>,
    pub(super) uint8: Vec<u8>,
    pub(super) int16: Vec<i16>,
    pub(super) uint16: Vec<u16>,
    pub(super) int32: Vec<i32>,
    pub(super) uint32: Vec<u32>,
    pub(super) int64: Vec<i64>,
    pub(super) uint64: Vec<u64>,
    pub(super) whole: Vec<i128>,
    pub(super) flags: Vec<bool>,
    pub(super) texts: Vec<String>,
    pub(super) bytes: Vec<Vec<u8>>,
}

/// Takes a buffer, with this number of values.
pub(super) fn take<T: Clone + Default>(buffer: &mut Vec<T>, length: usize) -> Vec<T> {
    let mut taken = std::mem::take(buffer);
    taken.clear();
    taken.resize(length, T::default());
    taken
}
