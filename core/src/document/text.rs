//! Values that are written into an answer as they are.

use serde::ser::{Serialize, SerializeStruct as _, Serializer};

use super::Value;

/// The name by which serde_json knows a `RawValue`, whose text it writes as it is.
///
/// To make a `RawValue` itself, serde_json reads the text again. That reader, with its errors and floating-point numbers, was
/// a tenth of a browser's download.
const RAW_VALUE: &str = "$serde_json::private::RawValue";

/// The JSON text of a value, with numbers as the person spelled them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&Value<'_>> for JsonText {
    fn from(value: &Value<'_>) -> Self {
        Self(value.to_string())
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut text = serializer.serialize_struct(RAW_VALUE, 1)?;
        text.serialize_field(RAW_VALUE, &self.0)?;
        text.end()
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for JsonText {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        serde_json::Value::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        serde_json::Value::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    #[test]
    fn a_value_is_written_into_an_answer_as_it_was_read() {
        for text in [r#"{"a":[1.30,-0,1e999,123456789012345678901234567890,"\"\n"],"b":null}"#, "true", "[]"] {
            let value = JsonText::from(&parse(text).unwrap());
            assert_eq!(serde_json::to_string(&[value]).unwrap(), format!("[{text}]"));
        }
    }
}
