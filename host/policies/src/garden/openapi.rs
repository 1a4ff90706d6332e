//! A garden's OpenAPI document as names of fields, which is all that Gardener's rules on structure want of it.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::manifest::OF_GARDENER;

const GROUP: &str = "core.gardener.cloud";
const VERSION: &str = "v1beta1";
/// Stands for every key of a map.
const EVERY: &str = "*";
/// How deep a schema is followed; Gardener's are half as deep.
const MAX_DEPTH: usize = 32;

/// The names of the fields of each kind: an object with a member for each field, whose value has the fields below
/// it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldNames(BTreeMap<&'static str, Value>);

/// Why a document does not show the fields.
#[derive(Debug, thiserror::Error)]
pub enum OpenApiError {
    /// It is no JSON.
    #[error("it is no JSON: {0}")]
    NotJson(#[from] serde_json::Error),
    /// It is no OpenAPI document.
    #[error(
        "it has neither `definitions` nor `components.schemas`, as an OpenAPI document of version 2 or 3 does"
    )]
    NoSchemas,
    /// It is of another API.
    #[error("none of its {schemas} schemas is of a kind of {GROUP}/{VERSION}")]
    NoKinds {
        /// How many there are.
        schemas: usize,
    },
    /// A reference leads nowhere.
    #[error("`{at}` refers to `{reference}`, which the document does not have")]
    NoTarget {
        /// The place of the field.
        at: String,
        /// Where the reference leads.
        reference: String,
    },
}

impl FieldNames {
    /// Reads the document of `kubectl get --raw /openapi/v2`, or of
    /// `/openapi/v3/apis/core.gardener.cloud/v1beta1`.
    pub fn read(document: &[u8]) -> Result<Self, OpenApiError> {
        let document: Value = serde_json::from_slice(document)?;
        let schemas = document.get("definitions").or_else(|| document.get("components")?.get("schemas"));
        let schemas = schemas.and_then(Value::as_object).ok_or(OpenApiError::NoSchemas)?;
        let mut kinds = BTreeMap::new();
        for (name, schema) in schemas {
            if let Some(kind) = kind_of(name, schema) {
                let mut walk = Walk { schemas, above: Vec::new() };
                kinds.insert(kind, walk.names(schema, &format!("/{kind}"))?);
            }
        }
        if kinds.is_empty() { Err(OpenApiError::NoKinds { schemas: schemas.len() }) } else { Ok(Self(kinds)) }
    }

    /// The fields of a kind as `context.openapi` has them, as JSON text.
    pub fn of_kind(&self, kind: &str) -> String {
        let names = self.0.get(kind).map(|names| json!({ kind: names }));
        names.unwrap_or_else(|| json!({})).to_string()
    }
}

/// The kind that a schema describes, where it is one of Gardener's.
fn kind_of(name: &str, schema: &Value) -> Option<&'static str> {
    let text = |value: &Value, key: &str| value.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let reported = schema.get("x-kubernetes-group-version-kind").and_then(Value::as_array);
    let mut reported = reported.into_iter().flatten();
    let reported = reported.find(|kind| text(kind, "group") == GROUP && text(kind, "version") == VERSION);
    let reported = reported.map(|kind| text(kind, "kind"));
    OF_GARDENER.into_iter().find(|kind| match &reported {
        Some(reported) => reported == kind,
        None => name.ends_with(&format!(".core.{VERSION}.{kind}")),
    })
}

struct Walk<'d> {
    schemas: &'d Map<String, Value>,
    /// The names of the schemas that lead to this one.
    above: Vec<&'d str>,
}

impl<'d> Walk<'d> {
    /// The names below a schema.
    fn names(&mut self, schema: &'d Value, at: &str) -> Result<Value, OpenApiError> {
        let Some(reference) = reference(schema) else { return self.own_names(schema, at) };
        let name = reference.rsplit('/').next().unwrap_or_default();
        let Some((name, target)) = self.schemas.get_key_value(name) else {
            return Err(OpenApiError::NoTarget { at: at.to_owned(), reference: reference.to_owned() });
        };
        // What holds itself says nothing of what is below.
        if self.above.contains(&name.as_str()) || self.above.len() == MAX_DEPTH {
            return Ok(json!({}));
        }
        self.above.push(name);
        let names = self.names(target, at);
        self.above.pop();
        names
    }

    fn own_names(&mut self, schema: &'d Value, at: &str) -> Result<Value, OpenApiError> {
        if let Some(items) = schema.get("items") {
            return self.names(items, at);
        }
        if let Some(properties) = schema.get("properties").and_then(Value::as_object) {
            let below = |(name, schema): (&String, &'d Value)| {
                Ok((name.clone(), self.names(schema, &format!("{at}/{name}"))?))
            };
            return properties.iter().map(below).collect::<Result<Map<_, _>, _>>().map(Value::Object);
        }
        match schema.get("additionalProperties") {
            Some(every @ Value::Object(_)) => Ok(json!({ EVERY: self.names(every, &format!("{at}/{EVERY}"))? })),
            _ => Ok(json!({})),
        }
    }
}

/// Where a schema refers to. Version 3 wraps a reference where it says something next to it.
fn reference(schema: &Value) -> Option<&str> {
    let wrapped = || schema.get("allOf")?.as_array()?.first()?.get("$ref");
    schema.get("$ref").or_else(wrapped)?.as_str()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(document: &Value) -> Result<FieldNames, OpenApiError> {
        FieldNames::read(document.to_string().as_bytes())
    }

    fn schemas() -> Value {
        json!({
            "com.github.gardener.gardener.pkg.apis.core.v1beta1.Shoot": {
                "properties": {
                    "kind": { "type": "string" },
                    "spec": { "default": {}, "allOf": [{ "$ref": "#/x/Spec" }] },
                    "metadata": { "$ref": "#/x/Meta" },
                },
            },
            "Spec": {
                "properties": {
                    "workers": { "type": "array", "items": { "$ref": "#/x/Worker" } },
                    "options": { "type": "object", "additionalProperties": { "type": "string" } },
                    "providerConfig": { "type": "object" },
                },
            },
            "Worker": { "properties": { "name": { "type": "string" }, "again": { "$ref": "#/x/Worker" } } },
            "Meta": { "properties": { "name": { "type": "string" } } },
            "io.k8s.Shoot": { "properties": { "of": { "type": "string" } } },
        })
    }

    #[test]
    fn both_versions_of_openapi_give_names_of_fields() {
        let spec = json!({
            "workers": { "name": {}, "again": {} }, "options": { "*": {} }, "providerConfig": {},
        });
        let expected = json!({ "Shoot": { "kind": {}, "spec": spec, "metadata": { "name": {} } } }).to_string();
        for document in [json!({ "definitions": schemas() }), json!({ "components": { "schemas": schemas() } })] {
            let names = names(&document).unwrap();
            assert_eq!(names.of_kind("Shoot"), expected);
            assert_eq!(names.of_kind("CloudProfile"), "{}");
        }
    }

    #[test]
    fn a_kind_is_known_by_what_its_schema_says() {
        let schema = |group: &str| {
            let of = json!([{ "group": group, "version": "v1beta1", "kind": "Shoot" }]);
            json!({ "definitions": { "a": { "x-kubernetes-group-version-kind": of, "properties": { "b": {} } } } })
        };
        assert_eq!(names(&schema("core.gardener.cloud")).unwrap().of_kind("Shoot"), r#"{"Shoot":{"b":{}}}"#);
        assert!(names(&schema("operator.gardener.cloud")).is_err());
    }

    #[test]
    fn what_is_wrong_with_a_document_is_said() {
        let dangling = json!({ "x.core.v1beta1.Shoot": { "properties": { "spec": { "$ref": "#/d/Nowhere" } } } });
        for (document, message) in [
            ("{", "it is no JSON: EOF while parsing an object at line 1 column 1".to_owned()),
            ("[]", "it has neither `definitions` nor `components.schemas`, as an OpenAPI document of version 2 or 3 does".to_owned()),
            (r#"{"definitions":{"a":{},"b":{}}}"#, "none of its 2 schemas is of a kind of core.gardener.cloud/v1beta1".to_owned()),
            (
                &json!({ "definitions": dangling }).to_string(),
                "`/Shoot/spec` refers to `#/d/Nowhere`, which the document does not have".to_owned(),
            ),
        ] {
            assert_eq!(FieldNames::read(document.as_bytes()).unwrap_err().to_string(), message);
        }
    }
}
