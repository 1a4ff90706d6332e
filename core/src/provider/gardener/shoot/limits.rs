//! How small and how large numbers of a configuration may be.

use crate::document::float::FLOAT64;
use crate::document::{Path, Value};
use crate::kube::duration;
use crate::kube::quantity::{self, QuantityError};
use crate::report::{ErrorType, Report, Rule};

pub const SECOND: i64 = 1_000_000_000;
pub const HOUR: i64 = 3_600 * SECOND;

/// What Gardener says of a negative number.
pub const NOT_NEGATIVE: &str = "must be greater than or equal to 0";
/// What Gardener says of a negative duration.
pub const NO_NEGATIVE_TIME: &str = "must be non-negative";

/// What a value counts as.
#[derive(Clone, Copy)]
pub enum Measure {
    /// A number.
    Integer,
    /// Nanoseconds.
    Duration,
    /// The sign of a quantity: -1, 0 or 1.
    Quantity,
    /// Where a number of floating point is: below [0](NOTHING), there, below [1](ALL), there, or above.
    Share,
}

/// The share 0.
pub const NOTHING: i64 = 0;
/// A share between 0 and 1.
pub const PART: i64 = 1;
/// The share 1.
pub const ALL: i64 = 2;

/// The bounds of a value.
pub struct Limit {
    rule: &'static Rule,
    /// The object with the value; empty where that is the configuration itself.
    group: &'static str,
    key: &'static str,
    /// The name by which field errors print the key.
    printed: &'static str,
    measure: Measure,
    least: i64,
    most: i64,
    detail: &'static str,
}

impl Limit {
    /// A value that is not negative.
    pub const fn of(rule: &'static Rule, key: &'static str, measure: Measure, detail: &'static str) -> Self {
        Self { rule, group: "", key, printed: key, measure, least: 0, most: i64::MAX, detail }
    }

    /// A value in an object of the configuration.
    pub const fn within(self, group: &'static str) -> Self {
        Self { group, ..self }
    }

    /// A value that field errors print by another name.
    pub const fn printed(self, printed: &'static str) -> Self {
        Self { printed, ..self }
    }

    /// A value that is at least so large.
    pub const fn at_least(self, least: i64) -> Self {
        Self { least, ..self }
    }

    /// A value that is at most so large.
    pub const fn at_most(self, most: i64) -> Self {
        Self { most, ..self }
    }
}

/// Judges the numbers of a configuration at `path`, in the order of the limits.
pub fn judge(limits: &[Limit], configuration: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    for limit in limits {
        let group = if limit.group.is_empty() { Some(configuration) } else { configuration.get(limit.group) };
        let Some(value) = group.and_then(|group| group.get(limit.key)) else { continue };
        let is_within =
            limit.measure.of(value).is_none_or(|measured| (limit.least..=limit.most).contains(&measured));
        if !is_within {
            let inner = path.key(limit.group);
            let around = if limit.group.is_empty() { path } else { &inner };
            let place = around.renamed(limit.key, limit.printed);
            report.error(limit.rule, &place, ErrorType::Invalid, limit.detail);
        }
    }
}

/// Whether a quantity is less than 0; `None` where the text is no quantity.
pub fn is_negative(text: &str) -> Option<bool> {
    match quantity::Quantity::parse(text) {
        Ok(quantity) => Some(quantity.sign().is_lt()),
        Err(QuantityError::Digits) => Some(text.starts_with('-')),
        Err(_) => None,
    }
}

impl Measure {
    fn of(self, value: &Value<'_>) -> Option<i64> {
        match (self, value) {
            (Self::Integer, Value::Number(number)) => number.parse().ok(),
            (Self::Duration, Value::String(text)) => {
                duration::Duration::parse(text).ok().map(duration::Duration::nanoseconds)
            }
            (Self::Quantity, Value::String(text) | Value::Number(text)) => {
                is_negative(text.trim()).map(|is_negative| -i64::from(is_negative))
            }
            (Self::Share, Value::Number(number)) => Some(share(number)),
            _ => None,
        }
    }
}

fn share(number: &str) -> i64 {
    if FLOAT64.is_zero(number) {
        NOTHING
    } else if number.starts_with('-') {
        NOTHING - 1
    } else if FLOAT64.compare_with_share(number).is_gt() {
        ALL + 1
    } else if FLOAT64.is_one_or_more(number) {
        ALL
    } else {
        PART
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_ranged() {
        for (number, place) in [
            ("-0.1", NOTHING - 1),
            ("-0.0", NOTHING),
            ("0", NOTHING),
            ("0.999", PART),
            ("1.0", ALL),
            ("1.01", ALL + 1),
        ] {
            assert_eq!(Measure::Share.of(&Value::Number(number.into())), Some(place), "{number}");
        }
    }
}
