//! The shape of an answer.

use serde_json::{Map, Value};

/// What a value of an answer looks like.
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
    /// Names with values that no declaration knows.
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
    /// What its value looks like.
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

/// An answer is not what was declared: a mistake of this program.
#[derive(Debug, thiserror::Error)]
#[error("`{path}` is {value}, which is declared as {shape}")]
pub struct Mismatch {
    path: String,
    value: String,
    shape: &'static str,
}

/// Keeps of a value what is declared.
pub fn project(fields: &'static [Field], value: Value) -> Result<Map<String, Value>, Mismatch> {
    match take(Shape::Record(fields), value).map_err(|mismatch| *mismatch)? {
        Value::Object(map) => Ok(map),
        _ => Ok(Map::new()),
    }
}

fn take(shape: Shape, value: Value) -> Result<Value, Box<Mismatch>> {
    Ok(match (shape, value) {
        (Shape::Record(fields), Value::Object(mut given)) => {
            let mut taken = Map::new();
            for field in fields {
                match given.remove(field.name) {
                    None | Some(Value::Null) => {}
                    Some(value) => {
                        let value = take(field.shape, value).map_err(|mut mismatch| {
                            mismatch.path = format!("{}.{}", field.name, mismatch.path);
                            mismatch
                        })?;
                        taken.insert(field.name.to_owned(), value);
                    }
                }
            }
            Value::Object(taken)
        }
        (Shape::Items(of), Value::Array(values)) => {
            Value::Array(values.into_iter().map(|value| take(*of, value)).collect::<Result<_, _>>()?)
        }
        (Shape::Text, value @ Value::String(_))
        | (Shape::Number, value @ Value::Number(_))
        | (Shape::Boolean, value @ Value::Bool(_))
        | (Shape::Map, value @ Value::Object(_)) => value,
        (Shape::Integer, value) if value.is_i64() || value.is_u64() => value,
        (shape, value) => {
            return Err(Box::new(Mismatch { path: String::new(), value: value.to_string(), shape: shape.name() }));
        }
    })
}

impl Shape {
    /// What it is called.
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
