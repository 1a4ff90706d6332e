//! Values that are written into an answer as they are.

use serde::ser::{Serialize, Serializer};

use super::Value;
use super::write::JSON;

/// The JSON text of a value, with numbers as the person spelled them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonText(String);

impl JsonText {
    /// Takes a text that is JSON.
    pub(crate) fn from_json(json: String) -> Self {
        Self(json)
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl From<&Value<'_>> for JsonText {
    fn from(value: &Value<'_>) -> Self {
        let mut text = String::new();
        value.write(&mut text);
        Self(text)
    }
}

impl Serialize for JsonText {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_newtype_struct(JSON, &self.0)
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
    use crate::document::{parse, write};

    #[test]
    fn a_value_is_written_into_an_answer_as_it_was_read() {
        for text in [r#"{"a":[1.30,-0,1e999,123456789012345678901234567890,"\"\n"],"b":null}"#, "true", "[]"] {
            let value = JsonText::from(&parse(text).unwrap());
            assert_eq!(write(&[value]), format!("[{text}]"));
        }
    }
}
