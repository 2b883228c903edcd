//! The parser and compiler of expressions. Every fault has the span of the text that it marks.

use std::ops::Range;

use crate::text::shown;

use super::{Instruction, MAX_NESTING, Program};
use crate::error::ExpressionError;
use crate::registry::nearest;

pub(super) fn program(text: &str, names: &[&'static str]) -> Result<Program, ExpressionError> {
    let program = Program { code: Vec::new(), features: Vec::new(), max_stack: 0 };
    let (token, span) = (Token::End, 0..0);
    let mut parser = Parser { text, names, token, span, end_of_last: 0, program, stack: 0, nested: 0 };
    match parser.parse() {
        Ok(()) => Ok(parser.program),
        Err(fault) => Err(fault.placed_in(text)),
    }
}

/// A fault in a span of the text.
struct SpanFault {
    at: Range<usize>,
    message: String,
    note: Option<String>,
}

impl SpanFault {
    fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        SpanFault { at, message: message.into(), note: None }
    }

    /// The fault in lines and columns.
    fn placed_in(self, text: &str) -> ExpressionError {
        let before = &text[..self.at.start];
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        let marked = text[self.at].lines().next().unwrap_or("");
        ExpressionError {
            text: text.into(),
            line: before.matches('\n').count() + 1,
            column: before[line_start..].chars().count() + 1,
            length: marked.chars().count().max(1),
            message: self.message,
            note: self.note,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Token {
    Number(f64),
    /// A feature, by its index among the names.
    Feature(usize),
    /// A keyword or a function.
    Word(&'static str),
    Symbol(&'static str),
    End,
}

/// The type of an operand.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum OperandKind {
    Number,
    Condition,
}

impl OperandKind {
    fn phrase(self) -> &'static str {
        match self {
            OperandKind::Number => "a number",
            OperandKind::Condition => "a condition",
        }
    }
}

const WORDS: [&str; 11] = ["if", "then", "else", "and", "or", "not", "min", "max", "abs", "floor", "ceil"];

/// A symbol comes before its prefixes.
const SYMBOLS: [&str; 13] = ["<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "(", ")", ","];

/// The precedence of operators.
mod precedence {
    pub(super) const LOOSEST: u8 = 0;
    pub(super) const OR: u8 = 1;
    pub(super) const AND: u8 = 2;
    pub(super) const NOT: u8 = 3;
    pub(super) const COMPARISON: u8 = 4;
    pub(super) const SUM: u8 = 5;
    pub(super) const PRODUCT: u8 = 6;
    pub(super) const SIGN: u8 = 7;
}

/// A condition as a value.
fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

/// An operator between two operands.
struct Operator {
    function: fn(f64, f64) -> f64,
    precedence: u8,
    takes: OperandKind,
    gives: OperandKind,
}

impl Operator {
    fn of(token: Token) -> Option<Operator> {
        let (Token::Word(name) | Token::Symbol(name)) = token else { return None };
        let (function, precedence): (fn(f64, f64) -> f64, u8) = match name {
            "or" => (f64::max, precedence::OR),
            "and" => (f64::min, precedence::AND),
            "<" => (|left, right| truth(left < right), precedence::COMPARISON),
            "<=" => (|left, right| truth(left <= right), precedence::COMPARISON),
            ">" => (|left, right| truth(left > right), precedence::COMPARISON),
            ">=" => (|left, right| truth(left >= right), precedence::COMPARISON),
            "==" => (|left, right| truth(left == right), precedence::COMPARISON),
            "!=" => (|left, right| truth(left != right), precedence::COMPARISON),
            "+" => (|left, right| left + right, precedence::SUM),
            "-" => (|left, right| left - right, precedence::SUM),
            "*" => (|left, right| left * right, precedence::PRODUCT),
            "/" => (|left, right| left / right, precedence::PRODUCT),
            _ => return None,
        };
        let kind = |is_condition: bool| if is_condition { OperandKind::Condition } else { OperandKind::Number };
        let takes = kind(precedence <= precedence::AND);
        let gives = kind(precedence <= precedence::COMPARISON);
        Some(Operator { function, precedence, takes, gives })
    }
}

struct Parser<'a> {
    text: &'a str,
    names: &'a [&'static str],
    /// The next token and its span.
    token: Token,
    span: Range<usize>,
    end_of_last: usize,
    program: Program,
    /// The size of the stack after the instructions so far. The first value on it is that of the empty program.
    stack: usize,
    nested: usize,
}

impl Parser<'_> {
    fn parse(&mut self) -> Result<(), SpanFault> {
        self.advance()?;
        self.operand(precedence::LOOSEST, OperandKind::Number)?;
        if self.token == Token::End { Ok(()) } else { Err(self.expected("an operator")) }
    }

    /// Parses an operand of a kind, with operators of at least a precedence in it.
    fn operand(&mut self, min_precedence: u8, wanted: OperandKind) -> Result<(), SpanFault> {
        let begin = self.span.start;
        let found = self.any_operand(min_precedence)?;
        self.check(begin, found, wanted)
    }

    fn any_operand(&mut self, min_precedence: u8) -> Result<OperandKind, SpanFault> {
        if self.nested == MAX_NESTING {
            let message = format!("expected at most {MAX_NESTING} operands within each other, found more");
            return Err(SpanFault::new(self.span.clone(), message));
        }
        self.nested += 1;
        let begin = self.span.start;
        let mut kind = self.first_operand()?;
        while let Some(operator) = Operator::of(self.token).filter(|operator| operator.precedence >= min_precedence) {
            self.check(begin, kind, operator.takes)?;
            self.advance()?;
            self.operand(operator.precedence + 1, operator.takes)?;
            self.emit(Instruction::Binary(operator.function));
            kind = operator.gives;
        }
        self.nested -= 1;
        Ok(kind)
    }

    /// Checks the kind of the operand that begins at `begin`.
    fn check(&self, begin: usize, found: OperandKind, wanted: OperandKind) -> Result<(), SpanFault> {
        if found == wanted {
            return Ok(());
        }
        let message = format!("expected {}, found {}", wanted.phrase(), found.phrase());
        Err(SpanFault::new(begin..self.end_of_last, message))
    }

    /// Parses an operand without an infix operator.
    fn first_operand(&mut self) -> Result<OperandKind, SpanFault> {
        match self.token {
            Token::Number(number) => {
                self.emit(Instruction::Number(number));
                self.advance()?;
            }
            Token::Feature(name) => {
                let slot = self.slot(name)?;
                self.emit(Instruction::Feature(slot));
                self.advance()?;
            }
            Token::Symbol("(") => {
                self.advance()?;
                let kind = self.any_operand(precedence::LOOSEST)?;
                self.expect(Token::Symbol(")"), "an operator or ')'")?;
                return Ok(kind);
            }
            Token::Symbol("-") => {
                self.advance()?;
                self.operand(precedence::SIGN, OperandKind::Number)?;
                self.emit(Instruction::Unary(|value| -value));
            }
            Token::Word("not") => {
                self.advance()?;
                self.operand(precedence::NOT, OperandKind::Condition)?;
                self.emit(Instruction::Unary(|value| 1.0 - value));
                return Ok(OperandKind::Condition);
            }
            Token::Word("if") => self.conditional()?,
            Token::Word("min") => self.min_or_max(f64::min)?,
            Token::Word("max") => self.min_or_max(f64::max)?,
            Token::Word("abs") => self.function(f64::abs)?,
            Token::Word("floor") => self.function(f64::floor)?,
            Token::Word("ceil") => self.function(f64::ceil)?,
            Token::Word(_) | Token::Symbol(_) | Token::End => return Err(self.expected("a number, a feature or '('")),
        }
        Ok(OperandKind::Number)
    }

    fn conditional(&mut self) -> Result<(), SpanFault> {
        self.advance()?;
        self.operand(precedence::LOOSEST, OperandKind::Condition)?;
        self.expect(Token::Word("then"), "an operator or 'then'")?;
        let to_else = self.emit(Instruction::JumpUnless(0));
        self.operand(precedence::LOOSEST, OperandKind::Number)?;
        self.expect(Token::Word("else"), "an operator or 'else'")?;
        let to_end = self.emit(Instruction::Jump(0));
        self.program.code[to_else] = Instruction::JumpUnless(self.program.code.len());
        // Only one of the two branches pushes a value.
        self.stack -= 1;
        self.operand(precedence::LOOSEST, OperandKind::Number)?;
        self.program.code[to_end] = Instruction::Jump(self.program.code.len());
        Ok(())
    }

    /// `min` or `max` of some arguments.
    fn min_or_max(&mut self, function: fn(f64, f64) -> f64) -> Result<(), SpanFault> {
        self.open_arguments()?;
        self.operand(precedence::LOOSEST, OperandKind::Number)?;
        while self.token == Token::Symbol(",") {
            self.advance()?;
            self.operand(precedence::LOOSEST, OperandKind::Number)?;
            self.emit(Instruction::Binary(function));
        }
        self.expect(Token::Symbol(")"), "an operator, ',' or ')'")
    }

    /// A function of one argument.
    fn function(&mut self, function: fn(f64) -> f64) -> Result<(), SpanFault> {
        self.open_arguments()?;
        self.operand(precedence::LOOSEST, OperandKind::Number)?;
        self.emit(Instruction::Unary(function));
        self.expect(Token::Symbol(")"), "an operator or ')'")
    }

    fn open_arguments(&mut self) -> Result<(), SpanFault> {
        self.advance()?;
        self.expect(Token::Symbol("("), "'('")
    }

    fn expect(&mut self, token: Token, phrase: &str) -> Result<(), SpanFault> {
        if self.token == token { self.advance() } else { Err(self.expected(phrase)) }
    }

    /// The fault of an unexpected next token.
    fn expected(&self, phrase: &str) -> SpanFault {
        let found = match self.token {
            Token::End => "the end".into(),
            _ => format!("'{}'", &self.text[self.span.clone()]),
        };
        SpanFault::new(self.span.clone(), format!("expected {phrase}, found {found}"))
    }

    /// Appends an instruction and returns its index.
    fn emit(&mut self, instruction: Instruction) -> usize {
        match instruction {
            Instruction::Number(_) | Instruction::Feature(_) => self.stack += 1,
            Instruction::Binary(_) | Instruction::JumpUnless(_) => self.stack -= 1,
            Instruction::Unary(_) | Instruction::Jump(_) => {}
        }
        self.program.max_stack = self.program.max_stack.max(self.stack);
        self.program.code.push(instruction);
        self.program.code.len() - 1
    }

    /// The index of a feature among those that the program uses.
    fn slot(&mut self, name: usize) -> Result<usize, SpanFault> {
        let features = &mut self.program.features;
        if let Some(slot) = features.iter().position(|&known| known == self.names[name]) {
            return Ok(slot);
        }
        if features.len() == Program::MAX_FEATURES {
            let message = format!("expected at most {} different features, found more", Program::MAX_FEATURES);
            return Err(SpanFault::new(self.span.clone(), message));
        }
        features.push(self.names[name]);
        Ok(features.len() - 1)
    }

    /// Reads the next token.
    fn advance(&mut self) -> Result<(), SpanFault> {
        self.end_of_last = self.span.end;
        let rest = self.text[self.end_of_last..].trim_start();
        let start = self.text.len() - rest.len();
        let run = |belongs: fn(char) -> bool| &rest[..rest.find(|c| !belongs(c)).unwrap_or(rest.len())];
        let symbol = SYMBOLS.into_iter().find(|symbol| rest.starts_with(symbol));
        let (token, length) = match (rest.chars().next(), symbol) {
            (None, _) => (Token::End, 0),
            (_, Some(symbol)) => (Token::Symbol(symbol), symbol.len()),
            (Some('0'..='9' | '.'), _) => {
                let digits = run(|c| c.is_ascii_digit() || c == '.');
                let number = digits.parse().ok().filter(|number: &f64| number.is_finite());
                let message = || format!("expected a number such as 2 or 0.5, found '{digits}'");
                (
                    Token::Number(number.ok_or_else(|| SpanFault::new(start..start + digits.len(), message()))?),
                    digits.len(),
                )
            }
            (Some('a'..='z' | 'A'..='Z'), _) => {
                self.word(start, run(|c| c.is_ascii_alphanumeric() || "-_".contains(c)))?
            }
            (Some(other), _) => {
                let suggestion = match other {
                    '=' => "'=='",
                    '&' => "'and'",
                    '|' => "'or'",
                    '!' => "'not'",
                    _ => "a number, a feature or an operator",
                };
                let message = format!("expected {suggestion}, found {}", shown(other));
                return Err(SpanFault::new(start..start + other.len_utf8(), message));
            }
        };
        (self.token, self.span) = (token, start..start + length);
        Ok(())
    }

    /// The token of the longest known name that is a prefix of `run` and ends at a hyphen or at its end, and its
    /// length: `manhattan-1` is a subtraction, `linear-conflict` is not.
    fn word(&self, start: usize, run: &str) -> Result<(Token, usize), SpanFault> {
        let known = |name: &str| {
            let alike = |candidate: &&str| candidate.replace('_', "-") == name.replace('_', "-");
            let feature = self.names.iter().position(alike).map(Token::Feature);
            feature.or_else(|| WORDS.into_iter().find(|&word| word == name).map(Token::Word))
        };
        let ends = || run.match_indices('-').map(|(at, _)| at).chain([run.len()]);
        let found = ends().rev().find_map(|end| Some((known(&run[..end])?, end)));
        found.ok_or_else(|| {
            let candidates = || self.names.iter().copied().chain(WORDS);
            let close = |end: usize| Some((end, nearest(&run[..end], candidates())?));
            let (end, meant) = ends().rev().find_map(close).unzip();
            let end = end.or(ends().next()).expect("a run has an end");
            let hint = meant.map_or(String::new(), |meant| format!(", did you mean '{meant}'?"));
            SpanFault {
                at: start..start + end,
                message: format!("unknown feature '{}'{hint}", &run[..end]),
                note: Some(format!("the features are {}", self.names.join(", "))),
            }
        })
    }
}
