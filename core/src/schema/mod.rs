//! JSON Schemas of the documents of every policy, and of the kinds of a provider's own API.

mod patch;

use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema};
use serde_json::{Map, Value};

/// How the schema of a provider's kind is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is: parts under `$defs`, and null allowed where a value may be absent.
    Full,
    /// In one piece, for completion and forms: without references, and without null, which Kubernetes reads as
    /// absent.
    Inlined,
}

impl Form {
    /// The schema of what is read as `T`.
    pub fn of<T: JsonSchema>(self) -> Schema {
        let settings = match self {
            Self::Full => SchemaSettings::draft2020_12(),
            Self::Inlined => without_null(SchemaSettings::draft2020_12().with(|settings| {
                settings.inline_subschemas = true;
                settings.meta_schema = None;
            })),
        };
        settings.into_generator().into_root_schema_for::<T>()
    }
}

/// The schema of an answer, which leaves out what is absent and has no null of its own.
pub(crate) fn answer<T: JsonSchema>() -> Schema {
    without_null(SchemaSettings::draft2020_12().for_serialize()).into_generator().into_root_schema_for::<T>()
}

/// The schema of a request whose members are never null.
pub(crate) fn request<T: JsonSchema>() -> Schema {
    without_null(SchemaSettings::draft2020_12()).into_generator().into_root_schema_for::<T>()
}

/// The schema of a request whose members may be null, which is the same as absent.
pub(crate) fn request_with_null<T: JsonSchema>() -> Schema {
    Form::Full.of::<T>()
}

fn without_null(settings: SchemaSettings) -> SchemaSettings {
    settings.with_transform(RecursiveTransform(remove_null))
}

/// Takes null from the values that members of an object may have: one that is absent is left out. What a map or a
/// list has stays.
fn remove_null(schema: &mut Schema) {
    if let Some(Value::Object(members)) = schema.get_mut("properties") {
        members.values_mut().filter_map(Value::as_object_mut).for_each(remove_null_of);
    }
}

fn remove_null_of(object: &mut Map<String, Value>) {
    if object.get("default") == Some(&Value::Null) {
        object.remove("default");
    }
    if let Some(Value::Array(types)) = object.get_mut("type") {
        types.retain(|name| name != "null");
        if let [only] = types.as_slice() {
            let only = only.clone();
            object.insert("type".to_owned(), only);
        }
    }
    if let Some(Value::Array(options)) = object.get_mut("anyOf") {
        options.retain(|option| option.get("type").is_none_or(|name| name != "null"));
        if let [Value::Object(only)] = options.as_slice() {
            let only = only.clone();
            object.remove("anyOf");
            // What is said of the place goes before what is said of the type.
            for (key, value) in only {
                object.entry(key).or_insert(value);
            }
        }
    }
}

/// Schemas by kind, which is also their title.
pub(crate) fn by_kind<const N: usize>(schemas: [(&str, Schema); N]) -> BTreeMap<String, Value> {
    let titled = |(kind, mut schema): (&str, Schema)| {
        schema.insert("title".to_owned(), kind.into());
        (kind.to_owned(), schema.to_value())
    };
    schemas.into_iter().map(titled).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A zone.
    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of use")]
    struct Zone {
        /// Its name.
        name: Option<String>,
    }

    #[derive(JsonSchema)]
    #[expect(dead_code, reason = "only its schema is of use")]
    struct Networks {
        /// The first zone.
        first: Option<Zone>,
        zones: Vec<Zone>,
    }

    #[test]
    fn an_inlined_schema_has_no_references_and_no_null() {
        let schema = Form::Inlined.of::<Networks>().to_value();
        let zone = schema.pointer("/properties/zones/items").unwrap();
        assert_eq!(zone.pointer("/properties/name/type").unwrap(), "string");
        assert_eq!(schema.pointer("/properties/first/description").unwrap(), "The first zone.");
        let text = schema.to_string();
        assert!(["$ref", "$defs", "$schema", "anyOf", "null"].iter().all(|word| !text.contains(word)), "{text}");
    }

    #[test]
    fn a_full_schema_allows_null_where_a_value_may_be_absent() {
        let schema = Form::Full.of::<Networks>().to_value();
        assert_eq!(schema.pointer("/properties/zones/items/$ref").unwrap(), "#/$defs/Zone");
        assert_eq!(schema.pointer("/$defs/Zone/properties/name/type/1").unwrap(), "null");
    }

    #[test]
    fn answers_leave_out_what_is_absent() {
        let schema = answer::<crate::policy::Validation>().to_value();
        assert_eq!(schema.pointer("/$defs/Finding/properties/fix/type").unwrap(), "array");
        assert_eq!(schema.pointer("/$defs/Undecided/properties/query/$ref").unwrap(), "#/$defs/Query");
        let description = schema.pointer("/$defs/Undecided/properties/query/description").unwrap();
        assert!(description.as_str().unwrap().starts_with("What to ask"));
    }

    #[test]
    fn a_plan_may_start_from_a_name_or_an_older_request() {
        let schema = &crate::policy::documents()["PlanRequest"];
        let kinds = schema.pointer("/$defs/Baseline/anyOf").unwrap().as_array().unwrap();
        let kinds: Vec<_> = kinds.iter().filter_map(|kind| kind.get("$ref")?.as_str()).collect();
        assert_eq!(kinds, ["#/$defs/NamedBaseline", "#/$defs/PlanSubject"]);
    }

    #[test]
    fn a_change_of_an_attribute_may_be_from_null_or_to_null() {
        let schema = answer::<crate::policy::PlanAnswer>().to_value();
        let change = schema.pointer("/$defs/ResourceChange/properties").unwrap();
        assert_eq!(
            change.pointer("/before/additionalProperties/type").unwrap(),
            &serde_json::json!(["string", "null"])
        );
    }

    #[test]
    fn a_patch_operation_has_a_value_unless_it_removes_or_moves() {
        let schema = answer::<crate::policy::Defaulting>().to_value();
        let kinds = schema.pointer("/$defs/PatchOperation/oneOf").unwrap().as_array().unwrap();
        for kind in kinds {
            let op = kind.pointer("/properties/op/const").unwrap();
            assert_ne!(kind.pointer("/properties/value").is_some(), op == "remove" || op == "move", "{kind}");
            assert_eq!(kind.pointer("/properties/from").is_some(), op == "move", "{kind}");
        }
        assert_eq!(kinds.len(), 4);
    }
}
