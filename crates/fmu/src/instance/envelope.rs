//! Bytes of a saved state: the bytes written by the FMU, after a header that identifies their origin.
//!
//! Header: the mark `LFS2`, phase (1 byte), flags (1 byte), time (8 bytes), time of the next event (8 bytes; infinite without
//! one), length of the token of the FMU (4 bytes) and the token (the GUID of FMI 2.0). Numbers are little-endian.

use lotka_instance::Phase;

use super::{NextEvent, Progress};

const MARK: &[u8; 4] = b"LFS2";

/// Flags: whether there is a time, and whether the instance requested the end of the simulation.
const SET_UP: u8 = 1;
const REQUESTS_END: u8 = 2;

/// The phases in which a state can be saved.
const PHASES: [Phase; 8] = [
    Phase::Instantiated,
    Phase::Initialization,
    Phase::StepComplete,
    Phase::StepFailed,
    Phase::StepCanceled,
    Phase::Terminated,
    Phase::Error,
    Phase::Event,
];

/// The reason why bytes are not a saved state of an FMU.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum BadEnvelope {
    #[error("the bytes are not a saved state, or are truncated")]
    Damaged,
    #[error("the state was saved by another FMU, or with other values of its structural parameters")]
    OtherFmu,
}

/// Creates the header for a state.
pub(super) fn header(progress: &Progress, token: &str) -> Vec<u8> {
    let mut bytes = MARK.to_vec();
    let flags = (u8::from(progress.is_set_up) * SET_UP) | (u8::from(progress.requests_end) * REQUESTS_END);
    bytes.extend([progress.phase as u8, flags]);
    bytes.extend(progress.time.to_le_bytes());
    bytes.extend(progress.next_event.time.to_le_bytes());
    bytes.extend((token.len() as u32).to_le_bytes());
    bytes.extend(token.as_bytes());
    bytes
}

/// Checks the header and returns its contents, with the bytes of the FMU.
pub(super) fn open<'a>(bytes: &'a [u8], token: &str) -> Result<(Progress, &'a [u8]), BadEnvelope> {
    const DAMAGED: BadEnvelope = BadEnvelope::Damaged;
    let (mark, rest) = bytes.split_first_chunk().ok_or(DAMAGED)?;
    let ([phase, flags], rest) = rest.split_first_chunk().ok_or(DAMAGED)?;
    let (time, rest) = rest.split_first_chunk().ok_or(DAMAGED)?;
    let (event_time, rest) = rest.split_first_chunk().ok_or(DAMAGED)?;
    let (length, rest) = rest.split_first_chunk().ok_or(DAMAGED)?;
    let (other_token, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize).ok_or(DAMAGED)?;
    let phase = PHASES.into_iter().find(|known| *known as u8 == *phase).ok_or(DAMAGED)?;
    if mark != MARK {
        return Err(DAMAGED);
    }
    if other_token != token.as_bytes() {
        return Err(BadEnvelope::OtherFmu);
    }
    let next_event = NextEvent::at(f64::from_le_bytes(*event_time));
    Ok((
        Progress {
            phase,
            is_set_up: flags & SET_UP != 0,
            time: f64::from_le_bytes(*time),
            next_event,
            requests_end: flags & REQUESTS_END != 0,
        },
        rest,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for phase in PHASES {
            for (is_set_up, next_event) in [(false, NextEvent::UNKNOWN), (true, NextEvent::at(3.0))] {
                let progress = Progress { phase, is_set_up, time: 2.5, next_event, requests_end: !is_set_up };
                let mut bytes = header(&progress, "{guid}");
                bytes.extend([1, 2, 3]);
                assert_eq!(open(&bytes, "{guid}"), Ok((progress, [1, 2, 3].as_slice())));
            }
        }
    }

    #[test]
    fn foreign_and_cut_bytes_are_refused() {
        let bytes = header(&Progress::START, "{guid}");
        assert_eq!(open(&bytes, "{other}"), Err(BadEnvelope::OtherFmu));
        for length in 0..bytes.len() {
            assert_eq!(open(&bytes[..length], "{guid}"), Err(BadEnvelope::Damaged), "{length}");
        }
        for (index, value) in [(0, b'X'), (4, 200)] {
            let mut changed = bytes.clone();
            changed[index] = value;
            assert_eq!(open(&changed, "{guid}"), Err(BadEnvelope::Damaged), "{index}");
        }
    }
}
