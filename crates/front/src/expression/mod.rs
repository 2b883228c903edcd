//! A small language for heuristics: `max(manhattan, blockers - 1)`, `if up == 1 then m + 2 else m`.
//!
//! From the loosest to the tightest: `if A then B else C` (as far to the right as it goes), `or`, `and`, `not`, the
//! comparisons `< <= > >= == !=`, `+ -`, `* /`, and the minus sign. `min` and `max` take any number of arguments, `abs`,
//! `floor` and `ceil` one. Numbers and conditions are different things, and the parser tells them apart: a condition
//! cannot be added to a number.
//!
//! An expression is read once, by a precedence-climbing (Pratt) parser that writes the instructions of a stack machine
//! as it goes. There is no tree to walk or to drop, so only real nesting takes stack, and that is limited. Running the
//! instructions allocates nothing and takes some nanoseconds: an audit does it a hundred million times.

mod parse;
#[cfg(test)]
mod tests;

use crate::error::ExpressionError;

/// An expression over named features, ready to run.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Program {
    code: Vec<Instruction>,
    /// The features that it uses, each once.
    features: Vec<&'static str>,
    /// The most values that are set aside at a time.
    deepest: usize,
}

/// Works on the present value, and on those that were set aside before it. Conditions are 1 and 0.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Instruction {
    /// Sets the present value aside and takes a number instead.
    Number(f64),
    /// Sets the present value aside and takes that of a feature instead.
    Feature(usize),
    Unary(Unary),
    /// Takes up the value that was set aside last, as the left operand.
    Binary(Binary),
    /// Drops the present value for the one that was set aside last, and goes on elsewhere if the dropped one was 0.
    JumpUnless(usize),
    Jump(usize),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Unary {
    Negate,
    Not,
    Absolute,
    Floor,
    Ceiling,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Least,
    Greatest,
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// Operands within operands, and so the values that can be set aside.
const MOST_NESTED: usize = 100;

/// The values that most expressions set aside at the most: an array of so many is cleared in no time.
const FEW: usize = 8;

impl Program {
    /// The most features that one expression can use.
    pub(crate) const MOST_FEATURES: usize = 32;

    /// Reads an expression over features of these names. A hyphen in a name may be written as an underscore, and the
    /// other way round.
    pub(crate) fn parse(text: &str, names: &[&'static str]) -> Result<Self, ExpressionError> {
        parse::program(text, names)
    }

    /// The features whose values [`Program::run`] wants.
    pub(crate) fn features(&self) -> &[&'static str] {
        &self.features
    }

    /// The value, given those of the features.
    #[inline]
    pub(crate) fn run(&self, features: &[f64]) -> f64 {
        if self.deepest <= FEW { self.run_within::<FEW>(features) } else { self.run_within::<MOST_NESTED>(features) }
    }

    fn run_within<const MOST: usize>(&self, features: &[f64]) -> f64 {
        let mut aside = [0.0; MOST];
        let mut count = 0;
        let mut value = 0.0;
        let mut next = 0;
        while let Some(&instruction) = self.code.get(next) {
            next += 1;
            let mut set_aside = |value: f64| {
                aside[count] = value;
                count += 1;
            };
            match instruction {
                Instruction::Number(number) => {
                    set_aside(value);
                    value = number;
                }
                Instruction::Feature(slot) => {
                    set_aside(value);
                    value = features[slot];
                }
                Instruction::Unary(unary) => value = unary.of(value),
                Instruction::Binary(binary) => {
                    count -= 1;
                    value = binary.of(aside[count], value);
                }
                Instruction::JumpUnless(to) => {
                    next = if value == 0.0 { to } else { next };
                    count -= 1;
                    value = aside[count];
                }
                Instruction::Jump(to) => next = to,
            }
        }
        value
    }
}

impl Unary {
    #[inline]
    fn of(self, value: f64) -> f64 {
        match self {
            Unary::Negate => -value,
            Unary::Not => 1.0 - value,
            Unary::Absolute => value.abs(),
            Unary::Floor => value.floor(),
            Unary::Ceiling => value.ceil(),
        }
    }
}

impl Binary {
    #[inline]
    fn of(self, left: f64, right: f64) -> f64 {
        let truth = |holds: bool| f64::from(u8::from(holds));
        match self {
            Binary::Add => left + right,
            Binary::Subtract => left - right,
            Binary::Multiply => left * right,
            Binary::Divide => left / right,
            Binary::Least | Binary::And => left.min(right),
            Binary::Greatest | Binary::Or => left.max(right),
            Binary::Less => truth(left < right),
            Binary::LessOrEqual => truth(left <= right),
            Binary::Greater => truth(left > right),
            Binary::GreaterOrEqual => truth(left >= right),
            Binary::Equal => truth(left == right),
            Binary::NotEqual => truth(left != right),
        }
    }
}
