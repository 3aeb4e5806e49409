//! Whether an instance switches within a step at the correct time, or only at communication points.

use lotka_instance::Slot;
use lotka_step::algorithm::Coupled;

use super::try_step::try_step;
use crate::mesh::{Scan, Suspect};

/// Number of steps of different sizes from one state, and the share of the change of the outputs below which nothing is sought.
const LOOKS: usize = 24;
const SMALL: f64 = 1e-3;

/// Times that differ by less than this share of the step are equal.
const LEAST: f64 = 1e-9;

/// Whether outputs jump or have a kink at a time within a step of up to this size, with constant inputs. If the instance decides
/// at the beginning of steps, its outputs change smoothly as the size grows.
pub(super) fn switches(coupled: &mut Coupled, (reader, slot): (usize, Slot), inputs: &[f64], (t, h): (f64, f64)) -> bool {
    let mut outputs = |time: f64| try_step(coupled, reader, slot, inputs, (t, time - t));
    let times: Vec<f64> = (1..=LOOKS).map(|look| t + h * look as f64 / LOOKS as f64).collect();
    let Some(rows) = times.iter().map(|time| outputs(*time)).collect::<Option<Vec<_>>>() else { return false };
    let columns = (0..rows[0].len()).map(|output| rows.iter().map(|row| row[output]).collect()).collect();
    let scan = Scan::new(times, columns);
    let suspects = scan.suspects(SMALL);
    let mut is_corner =
        |suspect: &Suspect| scan.locate(suspect, LEAST * h, |time| Some(outputs(time)?[suspect.column])).is_some();
    suspects.iter().any(&mut is_corner)
}
