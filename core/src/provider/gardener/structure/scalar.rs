//! Values without parts.

use super::Type;
use super::rules;
use crate::document::Value;
use crate::document::float::FLOAT64;
use crate::kube::duration::Duration;
use crate::kube::quantity::Quantity;
use crate::kube::time::Time;
use crate::report::Rule;

/// Why a value is not of a type: the rule, and what the type needs.
pub type Mismatch = (&'static Rule, &'static str);

/// Checks a value, which is not `null`.
pub fn check(value: &Value<'_>, wanted: &Type) -> Result<(), Mismatch> {
    let is_right = match (wanted, value) {
        (Type::Text | Type::IntOrText, Value::String(_)) | (Type::Boolean, Value::Bool(_)) => true,
        (Type::Integer32 | Type::IntOrText, Value::Number(number)) => number.parse::<i32>().is_ok(),
        (Type::Integer64, Value::Number(number)) => number.parse::<i64>().is_ok(),
        (Type::Float, Value::Number(number)) => FLOAT64.holds(number),
        (Type::Duration, Value::String(text)) => Duration::parse(text).is_ok(),
        (Type::Quantity, Value::String(text) | Value::Number(text)) => Quantity::parse(text.trim()).is_ok(),
        (Type::Time, Value::String(text)) => Time::parse(text).is_some(),
        _ => false,
    };
    if is_right { Ok(()) } else { Err(mismatch(wanted)) }
}

fn mismatch(wanted: &Type) -> Mismatch {
    match wanted {
        Type::Any | Type::Text => (&rules::DEC_004, "a string"),
        Type::Boolean => (&rules::DEC_004, "a boolean"),
        Type::Float => (&rules::DEC_004, "a number"),
        Type::List(_) => (&rules::DEC_004, "a list"),
        Type::Map(_) | Type::Object(_) => (&rules::DEC_004, "an object"),
        Type::Integer32 => (&rules::DEC_005, "a 32-bit integer"),
        Type::Integer64 => (&rules::DEC_005, "an integer"),
        Type::Duration => (&rules::DEC_007, "a duration such as `1h30m`"),
        Type::Quantity => (&rules::DEC_008, "a quantity such as `50Gi`"),
        Type::IntOrText => (&rules::DEC_009, "a 32-bit integer or a string"),
        Type::Time => (&rules::DEC_010, "a time such as `2026-06-01T00:00:00Z`"),
    }
}
