//! From text to instructions. Every fault knows the part of the text that it is about.

use std::ops::Range;

use crate::text::shown;

use super::{Binary, Instruction, MOST_NESTED, Program, Unary};
use crate::error::ExpressionError;
use crate::registry::nearest;

pub(super) fn program(text: &str, names: &[&'static str]) -> Result<Program, ExpressionError> {
    let program = Program { code: Vec::new(), features: Vec::new(), deepest: 0 };
    let (token, span) = (Token::End, 0..0);
    let mut parser = Parser { text, names, token, span, end_of_last: 0, program, aside: 0, nested: 0 };
    match parser.whole() {
        Ok(()) => Ok(parser.program),
        Err(fault) => Err(fault.placed_in(text)),
    }
}

/// Something wrong with a part of the text.
struct Fault {
    at: Range<usize>,
    message: String,
    note: Option<String>,
}

impl Fault {
    fn new(at: Range<usize>, message: impl Into<String>) -> Self {
        Fault { at, message: message.into(), note: None }
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
    /// By its place among the names.
    Feature(usize),
    /// A word of the language.
    Word(&'static str),
    Symbol(&'static str),
    End,
}

/// What an operand is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Kind {
    Number,
    Condition,
}

impl Kind {
    fn phrase(self) -> &'static str {
        match self {
            Kind::Number => "a number",
            Kind::Condition => "a condition",
        }
    }
}

const WORDS: [&str; 11] = ["if", "then", "else", "and", "or", "not", "min", "max", "abs", "floor", "ceil"];

/// Where one begins another, the longer comes first.
const SYMBOLS: [&str; 13] = ["<=", ">=", "==", "!=", "<", ">", "+", "-", "*", "/", "(", ")", ","];

/// How tightly operators bind.
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

/// An operator between two operands.
struct Operator {
    instruction: Binary,
    precedence: u8,
    takes: Kind,
    gives: Kind,
}

impl Operator {
    fn of(token: Token) -> Option<Operator> {
        let (Token::Word(name) | Token::Symbol(name)) = token else { return None };
        let (instruction, precedence) = match name {
            "or" => (Binary::Or, precedence::OR),
            "and" => (Binary::And, precedence::AND),
            "<" => (Binary::Less, precedence::COMPARISON),
            "<=" => (Binary::LessOrEqual, precedence::COMPARISON),
            ">" => (Binary::Greater, precedence::COMPARISON),
            ">=" => (Binary::GreaterOrEqual, precedence::COMPARISON),
            "==" => (Binary::Equal, precedence::COMPARISON),
            "!=" => (Binary::NotEqual, precedence::COMPARISON),
            "+" => (Binary::Add, precedence::SUM),
            "-" => (Binary::Subtract, precedence::SUM),
            "*" => (Binary::Multiply, precedence::PRODUCT),
            "/" => (Binary::Divide, precedence::PRODUCT),
            _ => return None,
        };
        let kind = |is_condition: bool| if is_condition { Kind::Condition } else { Kind::Number };
        let takes = kind(precedence <= precedence::AND);
        let gives = kind(precedence <= precedence::COMPARISON);
        Some(Operator { instruction, precedence, takes, gives })
    }
}

struct Parser<'a> {
    text: &'a str,
    names: &'a [&'static str],
    /// The token that comes next, and where it is.
    token: Token,
    span: Range<usize>,
    end_of_last: usize,
    program: Program,
    /// How many values the instructions so far leave set aside, the first of them that of the empty program.
    aside: usize,
    nested: usize,
}

impl Parser<'_> {
    fn whole(&mut self) -> Result<(), Fault> {
        self.advance()?;
        self.operand(precedence::LOOSEST, Kind::Number)?;
        if self.token == Token::End { Ok(()) } else { Err(self.expected("an operator")) }
    }

    /// Reads an operand of a kind, with the operators in it that bind at least so tightly.
    fn operand(&mut self, tightness: u8, wanted: Kind) -> Result<(), Fault> {
        let begin = self.span.start;
        let found = self.any_operand(tightness)?;
        self.check(begin, found, wanted)
    }

    fn any_operand(&mut self, tightness: u8) -> Result<Kind, Fault> {
        if self.nested == MOST_NESTED {
            let message = format!("expected at most {MOST_NESTED} operands within each other, found more");
            return Err(Fault::new(self.span.clone(), message));
        }
        self.nested += 1;
        let begin = self.span.start;
        let mut kind = self.first_operand()?;
        while let Some(operator) = Operator::of(self.token).filter(|operator| operator.precedence >= tightness) {
            self.check(begin, kind, operator.takes)?;
            self.advance()?;
            self.operand(operator.precedence + 1, operator.takes)?;
            self.emit(Instruction::Binary(operator.instruction));
            kind = operator.gives;
        }
        self.nested -= 1;
        Ok(kind)
    }

    /// Checks the kind of what was read from `begin` on.
    fn check(&self, begin: usize, found: Kind, wanted: Kind) -> Result<(), Fault> {
        if found == wanted {
            return Ok(());
        }
        let message = format!("expected {}, found {}", wanted.phrase(), found.phrase());
        Err(Fault::new(begin..self.end_of_last, message))
    }

    /// Reads what has no operator to its left.
    fn first_operand(&mut self) -> Result<Kind, Fault> {
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
                self.demand(Token::Symbol(")"), "an operator or ')'")?;
                return Ok(kind);
            }
            Token::Symbol("-") => {
                self.advance()?;
                self.operand(precedence::SIGN, Kind::Number)?;
                self.emit(Instruction::Unary(Unary::Negate));
            }
            Token::Word("not") => {
                self.advance()?;
                self.operand(precedence::NOT, Kind::Condition)?;
                self.emit(Instruction::Unary(Unary::Not));
                return Ok(Kind::Condition);
            }
            Token::Word("if") => self.choice()?,
            Token::Word("min") => self.extreme(Binary::Least)?,
            Token::Word("max") => self.extreme(Binary::Greatest)?,
            Token::Word("abs") => self.function(Unary::Absolute)?,
            Token::Word("floor") => self.function(Unary::Floor)?,
            Token::Word("ceil") => self.function(Unary::Ceiling)?,
            Token::Word(_) | Token::Symbol(_) | Token::End => return Err(self.expected("a number, a feature or '('")),
        }
        Ok(Kind::Number)
    }

    fn choice(&mut self) -> Result<(), Fault> {
        self.advance()?;
        self.operand(precedence::LOOSEST, Kind::Condition)?;
        self.demand(Token::Word("then"), "an operator or 'then'")?;
        let to_else = self.emit(Instruction::JumpUnless(0));
        self.operand(precedence::LOOSEST, Kind::Number)?;
        self.demand(Token::Word("else"), "an operator or 'else'")?;
        let to_end = self.emit(Instruction::Jump(0));
        self.program.code[to_else] = Instruction::JumpUnless(self.program.code.len());
        // Only one of the two values will be there.
        self.aside -= 1;
        self.operand(precedence::LOOSEST, Kind::Number)?;
        self.program.code[to_end] = Instruction::Jump(self.program.code.len());
        Ok(())
    }

    /// The least or the greatest of some arguments.
    fn extreme(&mut self, instruction: Binary) -> Result<(), Fault> {
        self.open_arguments()?;
        self.operand(precedence::LOOSEST, Kind::Number)?;
        while self.token == Token::Symbol(",") {
            self.advance()?;
            self.operand(precedence::LOOSEST, Kind::Number)?;
            self.emit(Instruction::Binary(instruction));
        }
        self.demand(Token::Symbol(")"), "an operator, ',' or ')'")
    }

    /// A function of one argument.
    fn function(&mut self, instruction: Unary) -> Result<(), Fault> {
        self.open_arguments()?;
        self.operand(precedence::LOOSEST, Kind::Number)?;
        self.emit(Instruction::Unary(instruction));
        self.demand(Token::Symbol(")"), "an operator or ')'")
    }

    fn open_arguments(&mut self) -> Result<(), Fault> {
        self.advance()?;
        self.demand(Token::Symbol("("), "'('")
    }

    fn demand(&mut self, token: Token, phrase: &str) -> Result<(), Fault> {
        if self.token == token { self.advance() } else { Err(self.expected(phrase)) }
    }

    /// The fault that the next token is something else.
    fn expected(&self, phrase: &str) -> Fault {
        let found = match self.token {
            Token::End => "the end".into(),
            _ => format!("'{}'", &self.text[self.span.clone()]),
        };
        Fault::new(self.span.clone(), format!("expected {phrase}, found {found}"))
    }

    /// Adds an instruction and gives its place.
    fn emit(&mut self, instruction: Instruction) -> usize {
        match instruction {
            Instruction::Number(_) | Instruction::Feature(_) => self.aside += 1,
            Instruction::Binary(_) | Instruction::JumpUnless(_) => self.aside -= 1,
            Instruction::Unary(_) | Instruction::Jump(_) => {}
        }
        self.program.deepest = self.program.deepest.max(self.aside);
        self.program.code.push(instruction);
        self.program.code.len() - 1
    }

    /// The place of a feature among those that are used.
    fn slot(&mut self, name: usize) -> Result<usize, Fault> {
        let features = &mut self.program.features;
        if let Some(slot) = features.iter().position(|&known| known == self.names[name]) {
            return Ok(slot);
        }
        if features.len() == Program::MOST_FEATURES {
            let message = format!("expected at most {} different features, found more", Program::MOST_FEATURES);
            return Err(Fault::new(self.span.clone(), message));
        }
        features.push(self.names[name]);
        Ok(features.len() - 1)
    }

    /// Goes to the next token.
    fn advance(&mut self) -> Result<(), Fault> {
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
                (Token::Number(number.ok_or_else(|| Fault::new(start..start + digits.len(), message()))?), digits.len())
            }
            (Some('a'..='z' | 'A'..='Z'), _) => {
                self.word(start, run(|c| c.is_ascii_alphanumeric() || "-_".contains(c)))?
            }
            (Some(other), _) => {
                let meant = match other {
                    '=' => "'=='",
                    '&' => "'and'",
                    '|' => "'or'",
                    '!' => "'not'",
                    _ => "a number, a feature or an operator",
                };
                let message = format!("expected {meant}, found {}", shown(other));
                return Err(Fault::new(start..start + other.len_utf8(), message));
            }
        };
        (self.token, self.span) = (token, start..start + length);
        Ok(())
    }

    /// The longest known name that letters, digits, hyphens and underscores begin with, and its length: `manhattan-1` is
    /// a subtraction, `linear-conflict` is not.
    fn word(&self, start: usize, run: &str) -> Result<(Token, usize), Fault> {
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
            Fault {
                at: start..start + end,
                message: format!("unknown feature '{}'{hint}", &run[..end]),
                note: Some(format!("the features are {}", self.names.join(", "))),
            }
        })
    }
}
