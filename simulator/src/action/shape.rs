//! The shape of an answer.

use serde_json::{Map, Value};

/// The shape of a value of an answer.
#[derive(Clone, Copy, Debug)]
pub enum Shape {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// A number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// Names and values of any kind, which no declaration lists.
    Map,
    /// Any number of values.
    Items(&'static Shape),
    /// Named values.
    Record(&'static [Field]),
}

/// A named value of an answer.
#[derive(Clone, Copy, Debug)]
pub struct Field {
    /// Its name on the wire.
    pub name: &'static str,
    /// The shape of its value.
    pub shape: Shape,
}

/// A named value of an answer.
pub const fn field(name: &'static str, shape: Shape) -> Field {
    Field { name, shape }
}

/// Named values.
pub const fn record(fields: &'static [Field]) -> Shape {
    Shape::Record(fields)
}

/// Any number of values.
pub const fn items(of: &'static Shape) -> Shape {
    Shape::Items(of)
}

/// An answer does not have its declared shape: a mistake in this program.
#[derive(Debug, thiserror::Error)]
#[error("`{path}` is {value}, which is declared as {shape}")]
pub struct Mismatch {
    path: String,
    value: String,
    shape: &'static str,
}

/// Keeps the declared parts of a value.
pub fn project(fields: &'static [Field], mut value: Value) -> Result<Map<String, Value>, Mismatch> {
    keep(Shape::Record(fields), &mut value).map_err(|mismatch| *mismatch)?;
    match value {
        Value::Object(map) => Ok(map),
        _ => Ok(Map::new()),
    }
}

/// Works in place, since answers may be long.
fn keep(shape: Shape, value: &mut Value) -> Result<(), Box<Mismatch>> {
    match (shape, value) {
        (Shape::Record(fields), Value::Object(given)) => {
            let mut kept = Ok(());
            given.retain(|name, value| {
                let declared = fields.iter().find(|field| field.name == name).filter(|_| !value.is_null());
                if let (Some(field), Ok(())) = (declared, &kept) {
                    kept = keep(field.shape, value).map_err(|mut mismatch| {
                        mismatch.path = format!("{name}.{}", mismatch.path);
                        mismatch
                    });
                }
                declared.is_some()
            });
            kept
        }
        (Shape::Items(of), Value::Array(values)) => values.iter_mut().try_for_each(|value| keep(*of, value)),
        (Shape::Text, Value::String(_))
        | (Shape::Number, Value::Number(_))
        | (Shape::Boolean, Value::Bool(_))
        | (Shape::Map, Value::Object(_)) => Ok(()),
        (Shape::Integer, value) if value.is_i64() || value.is_u64() => Ok(()),
        (shape, value) => {
            Err(Box::new(Mismatch { path: String::new(), value: value.to_string(), shape: shape.name() }))
        }
    }
}

impl Shape {
    /// The name of the shape.
    pub fn name(self) -> &'static str {
        match self {
            Self::Text => "text",
            Self::Integer => "integer",
            Self::Number => "number",
            Self::Boolean => "boolean",
            Self::Map => "map",
            Self::Items(_) => "items",
            Self::Record(_) => "record",
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    const DECLARED: &[Field] = &[
        field("TotalCount", Shape::Integer),
        field("Vpcs", record(&[field("Vpc", items(&record(&[field("VpcId", Shape::Text)])))])),
    ];

    #[test]
    fn what_is_not_declared_is_left_out() {
        let value = json!({ "TotalCount": 1, "Secret": 1, "Vpcs": { "Vpc": [{ "VpcId": "v", "next": null }] } });
        let taken = project(DECLARED, value).unwrap();
        assert_eq!(Value::Object(taken), json!({ "TotalCount": 1, "Vpcs": { "Vpc": [{ "VpcId": "v" }] } }));
    }

    #[test]
    fn another_type_than_declared_is_a_mistake() {
        let mistake = project(DECLARED, json!({ "Vpcs": { "Vpc": [{ "VpcId": 1 }] } })).unwrap_err();
        assert_eq!(mistake.to_string(), "`Vpcs.Vpc.VpcId.` is 1, which is declared as text");
    }
}
