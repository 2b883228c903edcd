//! A small language for heuristics: `max(manhattan, blockers - 1)`, `if up == 1 then m + 2 else m`.
//!
//! From the loosest to the tightest: `if A then B else C` (which extends as far to the right as possible), `or`, `and`,
//! `not`, the comparisons `< <= > >= == !=`, `+ -`, `* /`, and the minus sign. `min` and `max` take any number of
//! arguments, `abs`, `floor` and `ceil` one. Numbers and conditions are different types, which the parser checks: a
//! condition cannot be added to a number.
//!
//! A precedence-climbing (Pratt) parser compiles an expression in one pass to the instructions of a stack machine.
//! There is no syntax tree, so only the nesting of operands takes stack, and it is limited. Running the program
//! allocates nothing and takes some nanoseconds: an audit does it a hundred million times.

mod parse;
#[cfg(test)]
mod tests;

use crate::error::ExpressionError;

/// An expression over named features, compiled for the stack machine.
#[derive(Debug, Clone)]
pub(crate) struct Program {
    code: Vec<Instruction>,
    /// The features that it uses, each once.
    features: Vec<&'static str>,
    /// The largest size of the stack.
    max_stack: usize,
}

/// An instruction of the stack machine. The top of the stack is kept in a variable, the *value*; the stack proper has
/// the values below it. Conditions are 1 and 0.
#[derive(Debug, Clone, Copy)]
enum Instruction {
    /// Pushes the value and replaces it by a number.
    Number(f64),
    /// Pushes the value and replaces it by a feature's.
    Feature(usize),
    /// Replaces the value by a function of it.
    Unary(fn(f64) -> f64),
    /// Pops the left operand; the value is the right one.
    Binary(fn(f64, f64) -> f64),
    /// Jumps if the value is 0. Pops the next value in either case.
    JumpUnless(usize),
    Jump(usize),
}

/// The deepest nesting of operands, and so the largest stack.
const MAX_NESTING: usize = 100;

/// A stack of this size is enough for most expressions, and faster to clear than one of the largest size.
const SMALL_STACK: usize = 8;

impl Program {
    /// The most features that one expression can use.
    pub(crate) const MAX_FEATURES: usize = 32;

    /// Reads an expression over features of these names. A hyphen in a name may be written as an underscore, and the
    /// other way round.
    pub(crate) fn parse(text: &str, names: &[&'static str]) -> Result<Self, ExpressionError> {
        parse::program(text, names)
    }

    /// The features whose values [`Program::run`] takes, in this order.
    pub(crate) fn features(&self) -> &[&'static str] {
        &self.features
    }

    /// The value of the expression, given the values of its features.
    #[inline]
    pub(crate) fn run(&self, features: &[f64]) -> f64 {
        if self.max_stack <= SMALL_STACK {
            self.run_with_stack::<SMALL_STACK>(features)
        } else {
            self.run_with_stack::<MAX_NESTING>(features)
        }
    }

    fn run_with_stack<const SIZE: usize>(&self, features: &[f64]) -> f64 {
        let mut stack = [0.0; SIZE];
        let mut size = 0;
        let mut value = 0.0;
        let mut next = 0;
        while let Some(&instruction) = self.code.get(next) {
            next += 1;
            let mut push = |value: f64| {
                stack[size] = value;
                size += 1;
            };
            match instruction {
                Instruction::Number(number) => {
                    push(value);
                    value = number;
                }
                Instruction::Feature(slot) => {
                    push(value);
                    value = features[slot];
                }
                Instruction::Unary(function) => value = function(value),
                Instruction::Binary(function) => {
                    size -= 1;
                    value = function(stack[size], value);
                }
                Instruction::JumpUnless(to) => {
                    next = if value == 0.0 { to } else { next };
                    size -= 1;
                    value = stack[size];
                }
                Instruction::Jump(to) => next = to,
            }
        }
        value
    }
}
