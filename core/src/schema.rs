//! JSON Schemas of the documents of every policy, and of the kinds of a provider's own API.

use std::borrow::Cow;
use std::collections::BTreeMap;

use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde_json::{Map, Value};

use crate::patch::PatchOperation;
use crate::policy::{
    AddedZones, Addresses, Classification, Defaulting, Failure, Info, InfrastructureStatus, Planning, Rules,
    Validation,
};

/// How the schema of a provider's kind is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As it is: parts under `$defs`, and null allowed where a value may be absent.
    Full,
    /// In one piece, for completion and forms: without references, and without null, which Kubernetes reads as absent.
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
fn answer<T: JsonSchema>() -> Schema {
    without_null(SchemaSettings::draft2020_12().for_serialize()).into_generator().into_root_schema_for::<T>()
}

/// The schema of a request in which null is not the same as absent.
fn request<T: JsonSchema>() -> Schema {
    without_null(SchemaSettings::draft2020_12()).into_generator().into_root_schema_for::<T>()
}

fn without_null(settings: SchemaSettings) -> SchemaSettings {
    settings.with_transform(RecursiveTransform(remove_null))
}

/// Takes null from the values that members of an object may have: one that is absent is left out. What a map or a list has
/// stays.
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

/// What a patch operation has depends on what it does, which its type does not tell.
impl JsonSchema for PatchOperation {
    fn schema_name() -> Cow<'static, str> {
        "PatchOperation".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        PatchOperationDocument::json_schema(generator)
    }
}

/// One operation of an RFC 6902 patch.
#[derive(JsonSchema)]
#[serde(tag = "op", rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is of use")]
enum PatchOperationDocument {
    /// Adds a member or entry.
    Add {
        /// Where, as an RFC 6901 pointer.
        path: String,
        /// The new value.
        value: Value,
    },
    /// Replaces a value.
    Replace {
        /// Where, as an RFC 6901 pointer.
        path: String,
        /// The new value.
        value: Value,
    },
    /// Removes a value.
    Remove {
        /// Where, as an RFC 6901 pointer.
        path: String,
    },
}

/// The input of `validate`, `default` and `addresses`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct RequestDocument {
    /// The object to judge.
    object: Map<String, Value>,
    /// What it was before; present on an update.
    old_object: Option<Map<String, Value>>,
    /// Other objects by role, such as `cloudProfile` and `secret`; `info` tells what is read of them.
    #[serde(default)]
    context: BTreeMap<String, Map<String, Value>>,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<FactDocument>,
    /// On an update, errors that the old object already had become warnings.
    #[serde(default)]
    ratchet: bool,
}

/// The input of `zones`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct ZonesRequestDocument {
    /// The zones to add, in their order.
    add: Vec<ZoneRequestDocument>,
    #[serde(flatten)]
    request: RequestDocument,
}

/// A zone to add.
#[derive(JsonSchema)]
#[schemars(rename = "ZoneRequest")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct ZoneRequestDocument {
    /// Name of the zone.
    name: String,
    /// Length of the prefix of its range; by default that of the other zones.
    prefix_length: Option<u8>,
}

/// The input of `plan`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct PlanRequestDocument {
    /// What is wanted.
    request: InfrastructureRequestDocument,
    /// The recorded state: texts by key; absent where nobody keeps one beside `status.state` of the Infrastructure.
    state: Option<BTreeMap<String, String>>,
    /// What to start from; what the cloud tells where absent.
    baseline: Option<BaselineDocument>,
    /// What the person has agreed to beside the manifest.
    #[serde(default)]
    consent: Vec<ConsentDocument>,
    /// Answers to queries of an earlier answer.
    #[serde(default)]
    facts: Vec<FactDocument>,
}

/// The input of `status`.
#[derive(JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct StatusRequestDocument {
    /// What was wanted.
    request: InfrastructureRequestDocument,
    /// The recorded state: texts by key; absent where nobody keeps one beside `status.state` of the Infrastructure.
    state: Option<BTreeMap<String, String>>,
}

/// An infrastructure, and what is wanted of it; with `infrastructure` or `cluster.shoot`, or both.
#[derive(JsonSchema)]
#[schemars(rename = "InfrastructureRequest")]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct InfrastructureRequestDocument {
    /// What is to become of it.
    operation: PlanOperationDocument,
    /// The Infrastructure object; absent where only a Shoot is known.
    infrastructure: Option<Map<String, Value>>,
    /// The objects of its cluster.
    cluster: Option<ClusterDocument>,
    /// The extension's own configuration, `ControllerConfiguration`.
    configuration: Option<Map<String, Value>>,
}

/// The objects of a cluster.
#[derive(JsonSchema)]
#[schemars(rename = "Cluster")]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct ClusterDocument {
    /// The CloudProfile of the Shoot.
    cloud_profile: Option<Map<String, Value>>,
    /// The Seed that the Shoot's control plane is on.
    seed: Option<Map<String, Value>>,
    /// The Shoot; absent where only an Infrastructure is known.
    shoot: Option<Map<String, Value>>,
}

/// What is to become of an infrastructure.
#[derive(JsonSchema)]
#[schemars(rename = "PlanOperation")]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
enum PlanOperationDocument {
    /// It is made, or brought to what is wanted.
    Reconcile,
    /// It is taken down.
    Delete,
    /// As `reconcile`, after a control plane moved to another seed.
    Restore,
    /// It is left alone, for another seed to take over.
    Migrate,
}

/// What a plan starts from.
#[derive(JsonSchema)]
#[schemars(rename = "Baseline")]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
enum BaselineDocument {
    /// A name for it.
    Named(NamedBaselineDocument),
    /// What an older request would have made: what an edit does, before anything is known of the cloud.
    Request(Box<InfrastructureRequestDocument>),
}

/// What a plan starts from, by name.
#[derive(JsonSchema)]
#[schemars(rename = "NamedBaseline")]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
enum NamedBaselineDocument {
    /// What the cloud tells.
    Observed,
    /// Nothing: a preview.
    Empty,
}

/// What a person agrees to beside the manifest.
#[derive(JsonSchema)]
#[schemars(rename = "Consent")]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
enum ConsentDocument {
    /// What is found by its tags or names alone, with nothing recorded, is taken over or deleted.
    Adopt,
    /// The record of a network of which nothing is found is given up.
    Forget,
}

/// The input of `classify`.
#[derive(JsonSchema)]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
#[serde(deny_unknown_fields)]
struct ClassifyRequestDocument {
    /// The call that failed.
    call: FailedCallDocument,
    /// How it failed.
    error: FactErrorDocument,
}

/// A call that failed.
#[derive(JsonSchema)]
#[schemars(rename = "FailedCall")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct FailedCallDocument {
    /// The API, such as `vpc`.
    service: String,
    /// The action, such as `CreateVpc`.
    action: String,
}

/// The answer to a query.
#[derive(JsonSchema)]
#[schemars(rename = "Fact")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct FactDocument {
    /// Id of the query.
    query: String,
    /// What came back.
    answer: FactAnswerDocument,
}

/// What came back: one of both.
#[derive(JsonSchema)]
#[schemars(rename = "FactAnswer")]
#[serde(rename_all = "lowercase")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
enum FactAnswerDocument {
    /// The response, as the API gives it.
    Response(Map<String, Value>),
    /// The call failed.
    Error(FactErrorDocument),
}

/// How a call failed.
#[derive(JsonSchema)]
#[schemars(rename = "FactError")]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only its schema is of use: requests are read from their text")]
struct FactErrorDocument {
    /// The API's error code.
    code: String,
    /// The API's message.
    #[serde(default)]
    message: String,
    /// Status of the response, 0 where there was none.
    #[serde(default)]
    http_status: i64,
}

/// Schemas of the requests and answers, which are the same for every provider.
pub fn documents() -> BTreeMap<String, Value> {
    by_kind([
        ("ClassifyRequest", request::<ClassifyRequestDocument>()),
        ("PlanRequest", request::<PlanRequestDocument>()),
        ("Request", Form::Full.of::<RequestDocument>()),
        ("StatusRequest", request::<StatusRequestDocument>()),
        ("ZonesRequest", Form::Full.of::<ZonesRequestDocument>()),
        ("AddressesAnswer", answer::<Addresses>()),
        ("ClassifyAnswer", answer::<Classification>()),
        ("DefaultAnswer", answer::<Defaulting>()),
        ("ErrorAnswer", answer::<Failure>()),
        ("InfoAnswer", answer::<Info>()),
        ("PlanAnswer", answer::<Planning>()),
        ("RulesAnswer", answer::<Rules>()),
        ("StatusAnswer", answer::<InfrastructureStatus>()),
        ("ValidateAnswer", answer::<Validation>()),
        ("ZonesAnswer", answer::<AddedZones>()),
    ])
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
        let schema = answer::<Validation>().to_value();
        assert_eq!(schema.pointer("/$defs/Finding/properties/fix/type").unwrap(), "array");
        assert_eq!(schema.pointer("/$defs/Undecided/properties/query/$ref").unwrap(), "#/$defs/Query");
        let description = schema.pointer("/$defs/Undecided/properties/query/description").unwrap();
        assert!(description.as_str().unwrap().starts_with("What to ask"));
    }

    #[test]
    fn a_plan_may_start_from_a_name_or_an_older_request() {
        let schema = request::<PlanRequestDocument>().to_value();
        let kinds = schema.pointer("/$defs/Baseline/anyOf").unwrap().as_array().unwrap();
        let kinds: Vec<_> = kinds.iter().filter_map(|kind| kind.get("$ref")?.as_str()).collect();
        assert_eq!(kinds, ["#/$defs/NamedBaseline", "#/$defs/InfrastructureRequest"]);
    }

    #[test]
    fn a_change_of_an_attribute_may_be_from_null_or_to_null() {
        let schema = answer::<Planning>().to_value();
        let change = schema.pointer("/$defs/PlanChange/properties").unwrap();
        assert_eq!(
            change.pointer("/before/additionalProperties/type").unwrap(),
            &serde_json::json!(["string", "null"])
        );
    }

    #[test]
    fn a_patch_operation_has_a_value_unless_it_removes() {
        let schema = answer::<Defaulting>().to_value();
        let kinds = schema.pointer("/$defs/PatchOperation/oneOf").unwrap().as_array().unwrap();
        for kind in kinds {
            let removes = kind.pointer("/properties/op/const").unwrap() == "remove";
            assert_ne!(kind.pointer("/properties/value").is_some(), removes, "{kind}");
        }
        assert_eq!(kinds.len(), 3);
    }
}
