//! The members of a type, from all schemas of its documents.

use anyhow::Context as _;
use serde_json::{Map, Value};

/// A member of a type.
pub(super) struct Member<'s> {
    pub(super) name: &'s str,
    pub(super) schema: &'s Value,
    /// How many of the schemas ask for it.
    required: usize,
    /// The words that stand for one of the schemas each; empty where the member distinguishes none.
    words: Vec<&'s str>,
}

/// The members of a type whose documents have one of some schemas.
pub(super) struct Members<'s> {
    pub(super) all: Vec<Member<'s>>,
    schemas: usize,
}

impl<'s> Members<'s> {
    /// Joins the members of schemas: where one has a member that the ones before lack, the member stands before
    /// the member that it precedes there.
    pub(super) fn of(schemas: &[&'s Value]) -> anyhow::Result<Self> {
        let mut all: Vec<Member<'s>> = Vec::new();
        for schema in schemas {
            let mut place = all.len();
            for (name, schema) in properties(schema)?.iter().rev() {
                match all.iter().position(|known| known.name == name) {
                    Some(known) => place = known,
                    None => all.insert(place, Member { name, schema, required: 0, words: Vec::new() }),
                }
            }
        }
        for schema in schemas {
            for member in &mut all {
                let required = schema.get("required").and_then(Value::as_array);
                member.required +=
                    usize::from(required.is_some_and(|names| names.iter().any(|name| name == member.name)));
                let word = schema.pointer(&format!("/properties/{}/const", member.name)).and_then(Value::as_str);
                member.words.extend(word);
            }
        }
        Ok(Self { all, schemas: schemas.len() })
    }
}

impl Member<'_> {
    /// Whether every document has the member.
    pub(super) fn is_required(&self, of: &Members<'_>) -> bool {
        self.required == of.schemas
    }

    /// Whether documents of some schema always have the member.
    pub(super) fn is_always_written(&self) -> bool {
        self.required > 0
    }

    /// What a person reads of it.
    pub(super) fn description(&self) -> String {
        match self.words.as_slice() {
            [] => description(self.schema).to_owned(),
            words => format!("One of `{}`.", words.join("`, `")),
        }
    }
}

/// What a schema says of itself.
pub(super) fn description(schema: &Value) -> &str {
    schema.get("description").and_then(Value::as_str).unwrap_or_default()
}

pub(super) fn properties(schema: &Value) -> anyhow::Result<&Map<String, Value>> {
    schema.get("properties").and_then(Value::as_object).context("the schema is not of an object")
}
