//! Numbers as Python callbacks return them: integers and fractions exactly, floats as they are.
//!
//! Comparisons are exact. Every float is a fraction with a power of two below it, so the sign of a sum of floats and
//! fractions is decided without rounding: first in floating point with an error bound, and only where that cannot tell,
//! by an exact expansion (Shewchuk 1997).

use std::cmp::Ordering;

use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyFloat, PyInt};

/// A number: a fraction of 64-bit integers in lowest terms, or a finite float that is not whole.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Value {
    /// Numerator and denominator; the denominator is positive.
    Exact(i64, i64),
    /// A float.
    Float(f64),
}

/// What a Python number says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Reading {
    /// A finite number.
    Number(Value),
    /// Positive infinity.
    Infinite,
    /// Negative infinity.
    MinusInfinite,
    /// Not a number.
    Nan,
    /// Python's `None`.
    Missing,
}

const WHOLE_FLOATS: f64 = 9_007_199_254_740_992.0;

impl Value {
    pub(crate) const ZERO: Value = Value::Exact(0, 1);

    /// A finite float.
    pub(crate) fn of_float(number: f64) -> Value {
        if number.fract() == 0.0 && number.abs() < WHOLE_FLOATS {
            Value::Exact(number as i64, 1)
        } else {
            Value::Float(number)
        }
    }

    /// A fraction; the denominator is positive.
    pub(crate) fn ratio(numerator: i64, denominator: i64) -> Value {
        let divisor = gcd(numerator.unsigned_abs(), denominator.unsigned_abs()).max(1) as i64;
        Value::Exact(numerator / divisor, denominator / divisor)
    }

    /// The nearest float.
    pub(crate) fn approximate(self) -> f64 {
        match self {
            Value::Exact(numerator, 1) => numerator as f64,
            Value::Exact(numerator, denominator) => numerator as f64 / denominator as f64,
            Value::Float(number) => number,
        }
    }

    pub(crate) fn is_negative(self) -> bool {
        self.approximate() < 0.0
    }

    /// The number times `scale`, rounded up; `None` if it is negative or does not fit.
    pub(crate) fn scaled_up(self, scale: u64) -> Option<u64> {
        match self {
            Value::Exact(numerator, denominator) => {
                let product = i128::from(numerator) * i128::from(scale);
                let quotient = product.div_euclid(denominator.into());
                u64::try_from(quotient + i128::from(product.rem_euclid(denominator.into()) != 0)).ok()
            }
            Value::Float(number) => {
                let product = number * scale as f64;
                if !(0.0..1e18).contains(&product) {
                    return None;
                }
                let error = number.mul_add(scale as f64, -product);
                let up = product.ceil();
                Some(up as u64 + u64::from(up == product && error > 0.0))
            }
        }
    }

    /// As a Python number.
    pub(crate) fn to_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self {
            Value::Exact(numerator, 1) => numerator.into_pyobject(py)?.into_any().unbind(),
            Value::Exact(numerator, denominator) => {
                py.import("fractions")?.getattr("Fraction")?.call1((numerator, denominator))?.unbind()
            }
            Value::Float(number) => number.into_pyobject(py)?.into_any().unbind(),
        })
    }
}

pub(crate) fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Reading {
    /// Reads a Python number.
    pub(crate) fn of(number: &Bound<'_, PyAny>) -> PyResult<Reading> {
        if let Ok(float) = number.cast::<PyFloat>() {
            return Ok(Reading::of_float(float.value()));
        }
        if number.is_none() {
            return Ok(Reading::Missing);
        }
        if number.is_instance_of::<PyInt>() || number.is_instance_of::<PyBool>() {
            return Self::of_integer(number);
        }
        if number.hasattr("__index__")? {
            return Self::of_integer(&number.call_method0("__index__")?);
        }
        let ratio = if number.hasattr("as_tuple")? && !number.call_method0("is_finite")?.is_truthy()? {
            None
        } else if number.hasattr("as_tuple")? {
            Some(number.call_method0("as_integer_ratio")?.extract::<(Bound<'_, PyAny>, Bound<'_, PyAny>)>()?)
        } else if number.hasattr("denominator")? && number.hasattr("numerator")? {
            Some((number.getattr("numerator")?, number.getattr("denominator")?))
        } else {
            None
        };
        if let Some((numerator, denominator)) = ratio {
            let (Ok(numerator), Ok(denominator)) = (numerator.extract::<i64>(), denominator.extract::<i64>()) else {
                let message = format!("{}: its numerator and denominator must fit into 64 bits", shown(number));
                return Err(PyOverflowError::new_err(message));
            };
            return Ok(Reading::Number(Value::ratio(numerator, denominator)));
        }
        if number.hasattr("__float__")? && !number.hasattr("__len__")? {
            return Ok(Reading::of_float(number.call_method0("__float__")?.extract()?));
        }
        Err(PyTypeError::new_err(format!("expected a number, found {}", shown(number))))
    }

    fn of_float(number: f64) -> Reading {
        if number.is_nan() {
            Reading::Nan
        } else if number.is_infinite() {
            if number > 0.0 { Reading::Infinite } else { Reading::MinusInfinite }
        } else {
            Reading::Number(Value::of_float(number))
        }
    }

    /// Integers beyond 64 bits become floats, or infinite if they exceed even those.
    fn of_integer(number: &Bound<'_, PyAny>) -> PyResult<Reading> {
        if let Ok(small) = number.extract::<i64>() {
            return Ok(Reading::Number(Value::Exact(small, 1)));
        }
        let positive = number.gt(0)?;
        let huge = if positive { Reading::Infinite } else { Reading::MinusInfinite };
        Ok(number.extract::<f64>().map_or(huge, |float| Reading::Number(Value::Float(float))))
    }
}

/// The repr of an object and its type, shortened.
pub(crate) fn shown(object: &Bound<'_, PyAny>) -> String {
    let name = object.get_type().name().map_or_else(|_| "object".into(), |name| name.to_string());
    match object.repr() {
        Ok(repr) => format!("{} of type {name}", clipped(&repr.to_string_lossy())),
        Err(_) => format!("an object of type {name}"),
    }
}

/// The repr of an object, shortened.
pub(crate) fn repr(object: &Bound<'_, PyAny>) -> String {
    object.repr().map_or_else(|_| "<unprintable>".into(), |repr| clipped(&repr.to_string_lossy()))
}

fn clipped(text: &str) -> String {
    const MOST: usize = 200;
    if text.chars().count() <= MOST { text.into() } else { text.chars().take(MOST).chain("...".chars()).collect() }
}

/// Compares `left` with the sum of `right`, exactly.
pub(crate) fn compare(left: Value, right: &[Value]) -> Ordering {
    if let Value::Exact(left, 1) = left
        && let Some(sum) = whole_sum(right)
    {
        return i128::from(left).cmp(&sum);
    }
    let rounded = right.iter().fold(left.approximate(), |sum, value| sum - value.approximate());
    let size = right.iter().fold(left.approximate().abs(), |sum, value| sum + value.approximate().abs());
    if rounded.abs() > 1e-12 * size {
        return rounded.total_cmp(&0.0);
    }
    exact_sign(left, right)
}

fn whole_sum(values: &[Value]) -> Option<i128> {
    values.iter().try_fold(0_i128, |sum, value| match value {
        Value::Exact(numerator, 1) => Some(sum + i128::from(*numerator)),
        _ => None,
    })
}

/// The sign of `left` minus the sum of `right`, by an expansion over a common denominator.
fn exact_sign(left: Value, right: &[Value]) -> Ordering {
    let denominators = right.iter().chain([&left]).filter_map(|value| match value {
        Value::Exact(_, denominator) => Some(*denominator as u64),
        Value::Float(_) => None,
    });
    let common = denominators.fold(1_u128, |common, denominator| {
        let divisor = gcd((common % u128::from(denominator)) as u64, denominator);
        common.saturating_mul(u128::from(denominator / divisor))
    });
    let mut sum = Vec::with_capacity(16);
    let mut add = |value: Value, sign: f64| match value {
        Value::Exact(numerator, denominator) => {
            let mut whole = i128::from(numerator).saturating_mul((common / denominator as u128) as i128);
            // At most three floats add up to 128 bits.
            while whole != 0 {
                let part = whole as f64;
                grow(&mut sum, sign * part);
                whole = whole.saturating_sub(part as i128);
            }
        }
        Value::Float(number) => {
            let mut scale = common as i128;
            while scale != 0 {
                let part = scale as f64;
                let product = number * part;
                grow(&mut sum, sign * product);
                grow(&mut sum, sign * number.mul_add(part, -product));
                scale = scale.saturating_sub(part as i128);
            }
        }
    };
    add(left, 1.0);
    right.iter().for_each(|value| add(*value, -1.0));
    // The components do not overlap and grow in size, so the last one that is not zero has the sign of the sum.
    sum.iter().rev().find(|part| **part != 0.0).map_or(Ordering::Equal, |part| part.total_cmp(&0.0))
}

/// Adds a float to a sum of floats that do not overlap, without rounding.
fn grow(sum: &mut Vec<f64>, number: f64) {
    let mut carried = number;
    for part in sum.iter_mut() {
        let rounded = carried + *part;
        let virtual_part = rounded - carried;
        let error = (carried - (rounded - virtual_part)) + (*part - virtual_part);
        *part = error;
        carried = rounded;
    }
    sum.push(carried);
}
