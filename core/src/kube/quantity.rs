//! Quantities of resources, as the Kubernetes API machinery reads, compares and prints them.

mod amount;
mod outline;

use std::cmp::Ordering;
use std::fmt;

use crate::document::Value;
use crate::document::decode::{DecodeError, Node, Target};
use crate::text::join;

use amount::Amount;
pub use outline::QuantityOutline;

/// A quantity such as `500m`, `2Gi` or `1e3`. Quantities are equal that have the same amount, however they are
/// written.
#[derive(Clone, Debug)]
pub struct Quantity {
    amount: Amount,
    format: Format,
    /// The text that the quantity was read from, where the API machinery prints that.
    written: Option<String>,
}

/// How a quantity is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    /// With suffixes that are powers of 10: `12M`.
    Decimal,
    /// With suffixes that are powers of 1024: `12Mi`.
    Binary,
    /// With an exponent: `12e6`.
    Exponent,
}

/// Why a text is no quantity. All but the last are in the words of the API machinery.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum QuantityError {
    /// The text has another form.
    #[error("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")]
    Format,
    /// The suffix is unknown.
    #[error("unable to parse quantity's suffix")]
    Suffix,
    /// The number has more digits than Trellis computes with.
    #[error("the quantity has more than 38 significant digits")]
    Digits,
}

/// Suffixes that are powers of 10, with the powers.
const DECIMAL: [(&str, i64); 10] =
    [("n", -9), ("u", -6), ("m", -3), ("", 0), ("k", 3), ("M", 6), ("G", 9), ("T", 12), ("P", 15), ("E", 18)];
/// Suffixes that are powers of 1024, in the order of the powers, from 1 on.
const BINARY: [&str; 6] = ["Ki", "Mi", "Gi", "Ti", "Pi", "Ei"];
/// The smallest part of a quantity is a nano.
const NANO: i64 = -9;
/// Largest quantity with a binary suffix.
const MAX_BINARY: u128 = i64::MAX as u128;

impl Quantity {
    /// Reads a text.
    ///
    /// What is finer than a nano is rounded up, away from 0. A quantity with a binary suffix is cut to that of 2⁶³
    /// − 1. A text without digits is 0, as it is for the API machinery.
    pub fn parse(text: &str) -> Result<Self, QuantityError> {
        let Written { is_negative, whole, fraction, mut format, power } = Written::parse(text)?;
        let whole = whole.trim_start_matches('0');
        let decimals = i64::try_from(fraction.len()).map_err(|_| QuantityError::Digits)?;
        let shifted = join(&[if whole.is_empty() { "0" } else { whole }, fraction], "");
        let (coefficient, zeros) = significant(&shifted)?;
        let mut amount = match format {
            Format::Binary => Amount::new(
                is_negative,
                coefficient.checked_mul(1_u128 << power).ok_or(QuantityError::Digits)?,
                zeros - decimals,
            ),
            Format::Decimal | Format::Exponent => Amount::new(is_negative, coefficient, zeros + power - decimals),
        };
        let is_canonical = is_canonical(format, power, &shifted, fraction.len());
        amount = amount.rounded_up(NANO);
        if format == Format::Binary {
            amount = amount.at_most(MAX_BINARY);
            if amount.is_positive() && amount.cmp(&Amount::new(false, 1, 0)) == Ordering::Less {
                format = Format::Decimal;
            }
        }
        Ok(Self { amount, format, written: is_canonical.then(|| text.to_owned()) })
    }

    /// Whether it is less than 0, 0, or more.
    pub fn sign(&self) -> Ordering {
        self.amount.sign()
    }

    /// Whether it is a whole number.
    pub fn is_whole(&self) -> bool {
        self.amount.is_whole()
    }

    /// The number, where it is a whole one of 64 bits.
    pub fn to_i64(&self) -> Option<i64> {
        self.amount.to_i64()
    }
}

/// The parts of a quantity, as it is written.
struct Written<'t> {
    is_negative: bool,
    /// The digits before the decimal point.
    whole: &'t str,
    /// The digits after it.
    fraction: &'t str,
    format: Format,
    /// The power of 10 of the suffix, or that of 2 for a binary one.
    power: i64,
}

impl<'t> Written<'t> {
    fn parse(text: &'t str) -> Result<Self, QuantityError> {
        if text.is_empty() {
            return Err(QuantityError::Format);
        }
        let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
        let (whole, rest) = digits(unsigned);
        let (fraction, suffix) = rest.strip_prefix('.').map_or(("", rest), digits);
        let (format, power) = interpret(suffix)?;
        Ok(Self { is_negative: text.starts_with('-'), whole, fraction, format, power })
    }
}

/// The text of a field that is a text or a number, without white space around it; none for `null`, which is 0.
fn text_of<'v>(node: &Node<'_, 'v>) -> Result<Option<&'v str>, DecodeError> {
    match node.value() {
        Value::String(text) | Value::Number(text) => Ok(Some(text.trim())),
        Value::Null => Ok(None),
        _ => Err(wrong(node)),
    }
}

fn wrong(node: &Node<'_, '_>) -> DecodeError {
    node.mismatch("a quantity such as 500m or 2Gi")
}

/// The digits at the beginning of a text, and the rest.
fn digits(text: &str) -> (&str, &str) {
    text.split_at(text.find(|char: char| !char.is_ascii_digit()).unwrap_or(text.len()))
}

/// A number, and how many zeros at its end were left out of it.
fn significant(digits: &str) -> Result<(u128, i64), QuantityError> {
    let kept = digits.trim_end_matches('0');
    let zeros = i64::try_from(digits.len() - kept.len()).map_err(|_| QuantityError::Digits)?;
    if kept.is_empty() {
        return Ok((0, 0));
    }
    let number = kept.trim_start_matches('0');
    if number.len() > 38 {
        return Err(QuantityError::Digits);
    }
    Ok((number.parse().map_err(|_| QuantityError::Digits)?, zeros))
}

/// What a suffix means: the power of 10, or that of 2 for a binary suffix.
fn interpret(suffix: &str) -> Result<(Format, i64), QuantityError> {
    if let Some((_, power)) = DECIMAL.iter().find(|(name, _)| *name == suffix) {
        return Ok((Format::Decimal, *power));
    }
    if let Some((_, power)) = BINARY.iter().zip(1..).find(|(name, _)| **name == suffix) {
        return Ok((Format::Binary, power * 10));
    }
    let letters = suffix.trim_start_matches(['e', 'E', 'i', 'n', 'u', 'm', 'k', 'K', 'M', 'G', 'T', 'P']);
    let number = letters.strip_prefix(['-', '+']).unwrap_or(letters);
    if !digits(number).1.is_empty() {
        return Err(QuantityError::Format);
    }
    let exponent = suffix.strip_prefix(['e', 'E']).and_then(|number| number.parse::<i32>().ok());
    let exponent = exponent.filter(|exponent| *exponent != i32::MIN);
    exponent.map(|exponent| (Format::Exponent, exponent.into())).ok_or(QuantityError::Suffix)
}

/// Whether the API machinery takes a text for canonical and prints it as it is; which it also does with some that
/// are not.
fn is_canonical(format: Format, power: i64, shifted: &str, decimals: usize) -> bool {
    let length = i64::try_from(shifted.len()).unwrap_or(i64::MAX);
    if format == Format::Binary {
        let last = shifted.get(shifted.len().saturating_sub(3)..).and_then(|end| end.parse::<u16>().ok());
        return decimals == 0 && length + power * 3 / 10 <= 14 && last.is_some_and(|last| last % 8 != 0);
    }
    let scale = power - i64::try_from(decimals).unwrap_or(i64::MAX);
    length <= 18 && scale >= NANO && scale % 3 == 0 && !shifted.ends_with("000") && !shifted.starts_with('0')
}

/// As the API machinery prints it. Only amounts from 1000E on differ, which it prints without their suffix.
impl fmt::Display for Quantity {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(written) = &self.written {
            return formatter.write_str(written);
        }
        if self.format == Format::Binary
            && let Some(mut number) = self.to_i64().filter(|number| number.unsigned_abs() >= 1024)
        {
            let mut suffix = "";
            for name in BINARY {
                if number % 1024 == 0 {
                    (number, suffix) = (number / 1024, name);
                } else {
                    break;
                }
            }
            return write!(formatter, "{number}{suffix}");
        }
        let (number, exponent) = self.amount.in_thousands();
        let suffix = DECIMAL.iter().find(|(_, power)| *power == exponent);
        match suffix {
            Some((name, _)) if self.format != Format::Exponent || exponent == 0 => {
                write!(formatter, "{number}{name}")
            }
            _ => write!(formatter, "{number}e{exponent}"),
        }
    }
}

impl PartialEq for Quantity {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Quantity {}

impl PartialOrd for Quantity {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Quantity {
    fn cmp(&self, other: &Self) -> Ordering {
        self.amount.cmp(&other.amount)
    }
}

impl Default for Quantity {
    fn default() -> Self {
        Self { amount: Amount::new(false, 0, 0), format: Format::Decimal, written: None }
    }
}

impl<'v> Target<'v> for Quantity {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        if let Some(text) = text_of(node)? {
            *self = Self::parse(text).map_err(|_| wrong(node))?;
        }
        Ok(())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Quantity {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Quantity".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": ["string", "number"] })
    }
}

#[cfg(test)]
mod tests;
