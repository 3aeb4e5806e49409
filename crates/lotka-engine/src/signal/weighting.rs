//! The origin of the weights of a signal.

use super::{
    Block, exact,
    polynomial::{CONDITIONS, mean, slope_at_end, value_at},
    rules::{Rule, derivative},
};
use crate::source::Piece;

/// The known data of a signal, which determine the weights.
#[derive(Clone, Copy)]
pub(super) enum Weighting<'a> {
    Rule(&'a Rule),
    Block(&'a Block),
    /// The signal is known over the step, and delivered as a polynomial of this degree.
    Exact(&'a Piece, usize),
}

impl Weighting<'_> {
    pub(super) fn mean(self) -> [f64; CONDITIONS] {
        match self {
            Self::Rule(rule) => rule.mean,
            Self::Block(block) => mean(block.rows()),
            Self::Exact(..) => exact::MEAN,
        }
    }

    pub(super) fn end(self) -> [f64; CONDITIONS] {
        match self {
            Self::Rule(rule) => rule.end,
            Self::Block(block) => value_at(block.rows(), 1.0),
            Self::Exact(..) => exact::END,
        }
    }

    pub(super) fn end_slope(self, h: f64) -> [f64; CONDITIONS] {
        match self {
            Self::Rule(rule) => rule.end_slope(h),
            Self::Block(block) => slope_at_end(block.rows(), h),
            Self::Exact(piece, degree) => slope_at_end(exact::rows(piece, degree), h),
        }
    }

    pub(super) fn derivative(self, order: usize, h: f64) -> [f64; CONDITIONS] {
        match self {
            Self::Rule(rule) => rule.derivative(order, h),
            Self::Block(block) => derivative(block.rows(), order, h),
            Self::Exact(piece, degree) => derivative(exact::rows(piece, degree), order, h),
        }
    }
}
