//! A formula as instructions for a stack of dual numbers: one pass computes the value and the exact derivative.

use super::{formula::ARGUMENTS, functions::Function};

/// Capacity of the stack.
const ROOM: usize = 64;

/// An instruction. Operators take their operands from the stack.
#[derive(Debug, Clone, Copy)]
pub(super) enum Instruction {
    Number(f64),
    /// The argument with this index.
    Argument(usize),
    Negate,
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Apply(&'static Function),
}

/// A number with its derivative with respect to one argument.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Dual {
    pub(super) value: f64,
    pub(super) slope: f64,
}

/// Instructions in postfix order; the result remains on the stack.
#[derive(Debug, Clone, Default)]
pub(super) struct Program {
    instructions: Vec<Instruction>,
    height: usize,
}

/// The stack is full.
#[derive(Debug)]
pub(super) struct Room;

impl Program {
    /// Adds an instruction whose operands are results of earlier instructions.
    pub(super) fn push(&mut self, instruction: Instruction) -> Result<(), Room> {
        match instruction {
            Instruction::Number(_) | Instruction::Argument(_) if self.height == ROOM => return Err(Room),
            Instruction::Number(_) | Instruction::Argument(_) => self.height += 1,
            Instruction::Negate | Instruction::Apply(_) => {}
            _ => self.height -= 1,
        }
        self.instructions.push(instruction);
        Ok(())
    }

    /// Returns whether an argument occurs.
    pub(super) fn uses(&self, argument: usize) -> bool {
        self.instructions.iter().any(|instruction| matches!(instruction, Instruction::Argument(used) if *used == argument))
    }

    /// Returns the value, and its slope with respect to one of the arguments.
    pub(super) fn run(&self, arguments: &[f64; ARGUMENTS], by: usize) -> Dual {
        let mut stack = [Dual::default(); ROOM];
        let mut height = 0;
        for instruction in &self.instructions {
            let operands = match instruction {
                Instruction::Number(_) | Instruction::Argument(_) => 0,
                Instruction::Negate | Instruction::Apply(_) => 1,
                _ => 2,
            };
            let first = height - operands;
            stack[first] = match *instruction {
                Instruction::Number(value) => Dual { value, slope: 0.0 },
                Instruction::Argument(index) => Dual { value: arguments[index], slope: f64::from(u8::from(index == by)) },
                Instruction::Negate => Dual { value: -stack[first].value, slope: -stack[first].slope },
                Instruction::Apply(function) => stack[first].apply(function),
                operator => stack[first].operate(operator, stack[first + 1]),
            };
            height = first + 1;
        }
        stack[0]
    }
}

impl Dual {
    fn apply(self, function: &Function) -> Self {
        let slope = along(self.slope, || (function.derivative)(self.value));
        Self { value: (function.value)(self.value), slope }
    }

    fn operate(self, operator: Instruction, with: Self) -> Self {
        let (a, b) = (self, with);
        match operator {
            Instruction::Add => Self { value: a.value + b.value, slope: a.slope + b.slope },
            Instruction::Subtract => Self { value: a.value - b.value, slope: a.slope - b.slope },
            Instruction::Multiply => {
                let slope = along(a.slope, || b.value) + along(b.slope, || a.value);
                Self { value: a.value * b.value, slope }
            }
            Instruction::Divide => {
                let value = a.value / b.value;
                Self { value, slope: along(a.slope, || 1.0 / b.value) - along(b.slope, || value / b.value) }
            }
            _ => a.power(b),
        }
    }

    fn power(self, exponent: Self) -> Self {
        let value = self.value.powf(exponent.value);
        let by_base = || if exponent.value == 0.0 { 0.0 } else { exponent.value * self.value.powf(exponent.value - 1.0) };
        let slope = along(self.slope, by_base) + along(exponent.slope, || value * self.value.ln());
        Self { value, slope }
    }
}

/// Returns the contribution of a slope; zero if the slope is zero, even where the derivative is infinite.
fn along(slope: f64, derivative: impl FnOnce() -> f64) -> f64 {
    if slope == 0.0 { 0.0 } else { slope * derivative() }
}
