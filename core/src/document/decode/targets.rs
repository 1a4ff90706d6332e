//! Scalars, lists and maps as targets of decoding.

use super::{DecodeError, Node, Target};
use crate::collections::NameMap;
use crate::document::Value;
use crate::document::float::FLOAT32;

impl<'v: 'a, 'a> Target<'v> for &'a str {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        match node.value() {
            Value::String(text) => *self = text,
            Value::Null => {}
            _ => return Err(node.mismatch("a string")),
        }
        Ok(())
    }
}

impl<'v> Target<'v> for bool {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        match node.value() {
            Value::Bool(bool) => *self = *bool,
            Value::Null => {}
            _ => return Err(node.mismatch("a boolean")),
        }
        Ok(())
    }
}

macro_rules! integers {
    ($($integer:ty, read as $widest:ty: $range:literal;)+) => { $(
        impl<'v> Target<'v> for $integer {
            fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
                match node.value() {
                    Value::Number(number) => {
                        let number = number.parse::<$widest>().ok().and_then(|number| number.try_into().ok());
                        *self = number.ok_or_else(|| node.mismatch($range))?;
                    }
                    Value::Null => {}
                    _ => return Err(node.mismatch("an integer")),
                }
                Ok(())
            }
        }
    )+ };
}
integers! {
    i32, read as i64: "a 32-bit integer";
    i64, read as i64: "an integer";
    u32, read as u64: "an integer from 0 to 2³² − 1";
    u64, read as u64: "an integer from 0 to 2⁶⁴ − 1";
}

/// A number that Go keeps as `float32`, in any spelling. One beyond the largest is refused, as Go refuses it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Float32<'a>(&'a str);

impl Float32<'_> {
    /// Whether the number is from 0 to 1.
    pub fn is_share(self) -> bool {
        FLOAT32.compare_with_share(self.0).is_eq()
    }
}

impl<'v: 'a, 'a> Target<'v> for Float32<'a> {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        match node.value() {
            Value::Number(number) if FLOAT32.holds(number) => self.0 = number,
            Value::Number(_) => return Err(node.mismatch("a number of 32 bits")),
            Value::Null => {}
            _ => return Err(node.mismatch("a number")),
        }
        Ok(())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Float32<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Float32".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        f32::json_schema(generator)
    }
}

/// A value as it stands there, whatever is in it; none where the object lacks it, or has `null` there.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Raw<'a>(pub Option<&'a Value<'a>>);

impl<'v: 'a, 'a> Target<'v> for Raw<'a> {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        self.0 = (node.value() != &Value::Null).then_some(node.value());
        Ok(())
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Raw<'_> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Raw".into()
    }

    fn json_schema(_: &mut schemars::SchemaGenerator) -> schemars::Schema {
        schemars::json_schema!({ "type": "object", "additionalProperties": true })
    }
}

impl<'v, T: Target<'v> + Default> Target<'v> for Option<T> {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        match node.value() {
            Value::Null => Ok(()),
            _ => self.get_or_insert_default().decode(node),
        }
    }
}

impl<'v, T: Target<'v> + Default> Target<'v> for Vec<T> {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        node.items(&mut |item| self.push_mut(T::default()).decode(item))
    }
}

impl<'v: 'a, 'a, V: Target<'v> + Default> Target<'v> for NameMap<'a, V> {
    fn decode(&mut self, node: &Node<'_, 'v>) -> Result<(), DecodeError> {
        node.members(&mut |name, member| self.or_insert_with(name, V::default).decode(member))
    }
}
