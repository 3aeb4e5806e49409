//! Conversion of state to and from the bytes of a checkpoint.

use serde::{Serialize, de::DeserializeOwned};

/// The error that the bytes of a checkpoint do not fit the run that is to continue from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the bytes of the checkpoint do not fit")]
pub struct Mismatch;

/// The result of a transfer.
pub type Transferred = Result<(), Mismatch>;

/// State that is carried from one communication point to the next.
///
/// One function serves both directions, so that a field listed once cannot be forgotten on the way back. Values that are
/// recomputed in every step, or follow from the system, are not listed. A type without memory uses the default body.
pub trait Persistent {
    /// Writes all persistent fields as bytes, or replaces them by the values read.
    ///
    /// # Errors
    /// The bytes do not fit.
    fn transfer(&mut self, _: &mut Transfer<'_>) -> Transferred {
        Ok(())
    }
}

/// Writes values as bytes, or replaces them by the values read; numbers keep every bit.
pub struct Transfer<'a>(Bytes<'a>);

enum Bytes<'a> {
    /// Values are written.
    Out(Vec<u8>),
    /// Values are replaced.
    In(&'a [u8]),
}

impl<'a> Transfer<'a> {
    /// Writes.
    #[must_use]
    pub fn out() -> Self {
        Self(Bytes::Out(Vec::new()))
    }

    /// Reads from these bytes.
    #[must_use]
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        Self(Bytes::In(bytes))
    }

    /// Transfers one value.
    ///
    /// # Errors
    /// The bytes do not fit.
    pub fn value<T: Serialize + DeserializeOwned>(&mut self, value: &mut T) -> Transferred {
        match &mut self.0 {
            Bytes::Out(bytes) => put(bytes, value),
            Bytes::In(bytes) => {
                *value = take(bytes)?;
                Ok(())
            }
        }
    }

    /// Transfers values whose number follows from the system.
    ///
    /// # Errors
    /// The bytes do not fit.
    pub fn slice<T: Serialize + DeserializeOwned>(&mut self, values: &mut [T]) -> Transferred {
        match &mut self.0 {
            Bytes::Out(bytes) => put(bytes, &&*values),
            Bytes::In(bytes) => {
                let read: Vec<T> = take(bytes)?;
                if read.len() != values.len() {
                    return Err(Mismatch);
                }
                values.iter_mut().zip(read).for_each(|(value, read)| *value = read);
                Ok(())
            }
        }
    }

    /// Transfers a part whose presence follows from the system.
    ///
    /// # Errors
    /// The bytes do not fit.
    pub fn optional<T: Persistent>(&mut self, part: Option<&mut T>) -> Transferred {
        let mut is_there = part.is_some();
        self.value(&mut is_there)?;
        match part {
            Some(part) if is_there => part.transfer(self),
            None if !is_there => Ok(()),
            _ => Err(Mismatch),
        }
    }

    /// Ends the transfer. When reading, all bytes must have been used; when writing, returns the bytes.
    ///
    /// # Errors
    /// The bytes do not fit.
    pub fn finish(self) -> Result<Vec<u8>, Mismatch> {
        match self.0 {
            Bytes::Out(bytes) => Ok(bytes),
            Bytes::In([]) => Ok(Vec::new()),
            Bytes::In(_) => Err(Mismatch),
        }
    }

    /// Whether values are read.
    pub(crate) fn is_in(&self) -> bool {
        matches!(self.0, Bytes::In(_))
    }
}

fn put<T: Serialize>(bytes: &mut Vec<u8>, value: &T) -> Transferred {
    *bytes = postcard::to_extend(value, std::mem::take(bytes)).map_err(|_| Mismatch)?;
    Ok(())
}

fn take<T: DeserializeOwned>(bytes: &mut &[u8]) -> Result<T, Mismatch> {
    let (value, rest) = postcard::take_from_bytes(bytes).map_err(|_| Mismatch)?;
    *bytes = rest;
    Ok(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, Clone, PartialEq)]
    struct Part {
        numbers: Vec<f64>,
        count: u64,
    }

    impl Persistent for Part {
        fn transfer(&mut self, transfer: &mut Transfer<'_>) -> Transferred {
            transfer.slice(&mut self.numbers)?;
            transfer.value(&mut self.count)
        }
    }

    fn written(part: &Part) -> Vec<u8> {
        let mut out = Transfer::out();
        part.clone().transfer(&mut out).unwrap();
        out.finish().unwrap()
    }

    fn read(bytes: &[u8], into: &mut Part) -> Transferred {
        let mut transfer = Transfer::from_bytes(bytes);
        into.transfer(&mut transfer)?;
        transfer.finish().map(drop)
    }

    #[test]
    fn what_is_written_comes_back_bit_for_bit() {
        let part = Part { numbers: vec![0.1 + 0.2, -0.0, f64::NAN, f64::INFINITY, 5e-324], count: u64::MAX };
        let mut other = Part { numbers: vec![1.0; 5], count: 0 };
        read(&written(&part), &mut other).unwrap();
        let bits = |part: &Part| part.numbers.iter().map(|number| number.to_bits()).collect::<Vec<_>>();
        assert_eq!((bits(&part), part.count), (bits(&other), other.count));
    }

    #[test]
    fn another_shape_bytes_that_are_cut_and_bytes_that_are_left_are_refused() {
        let bytes = written(&Part { numbers: vec![1.0, 2.0], count: 3 });
        assert_eq!(read(&bytes, &mut Part { numbers: vec![0.0; 3], count: 0 }), Err(Mismatch));
        for length in 0..bytes.len() {
            assert_eq!(read(&bytes[..length], &mut Part { numbers: vec![0.0; 2], count: 0 }), Err(Mismatch));
        }
        let longer = [bytes.as_slice(), &[0]].concat();
        assert_eq!(read(&longer, &mut Part { numbers: vec![0.0; 2], count: 0 }), Err(Mismatch));
    }

    #[test]
    fn what_is_there_on_one_side_only_is_refused() {
        let mut part = Part { numbers: Vec::new(), count: 1 };
        let mut out = Transfer::out();
        out.optional(Some(&mut part)).unwrap();
        let bytes = out.finish().unwrap();
        assert_eq!(Transfer::from_bytes(&bytes).optional::<Part>(None), Err(Mismatch));
        assert_eq!(Transfer::from_bytes(&bytes).optional(Some(&mut part)), Ok(()));
    }
}
