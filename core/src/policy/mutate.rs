//! `mutate`: what a webhook changes in an object.

use std::borrow::Cow;

use serde::Serialize;

use super::member::{facts, known_members, malformed};
use super::owner::are_of_provider;
use super::{ClusterObjects, DefaultChange, Provider, RequestError};
use crate::call::{Fact, Known};
use crate::document::{JsonText, PatchOperation, Path, Value, patch};
use crate::kube::query;
use crate::report::{Finding, Rule, Undecided};
use crate::text::{enumerate, quote};

/// Most images that replace those of the policy.
const MAX_IMAGES: usize = 1_000;

/// What one provider changes in the objects that its webhooks see.
pub trait Mutates: Provider {
    /// The names of the webhooks, as its fact sheet has them.
    fn webhooks(&self) -> Vec<&'static str>;

    /// Changes an object, or asks for what has to be known before.
    fn mutate(&self, request: &MutateRequest<'_>) -> Result<Mutation, RequestError>;
}

/// The input of `mutate`. It has no `Debug`, so that no message can show a Secret.
pub struct MutateRequest<'r> {
    /// The name of the webhook that sees the object.
    pub webhook: &'static str,
    /// The object.
    pub object: &'r Value<'r>,
    /// The object before the update; absent where the object is new.
    pub old_object: Option<&'r Value<'r>>,
    /// The extension's own configuration, `ControllerConfiguration`.
    pub configuration: Option<&'r Value<'r>>,
    /// Images that replace those of the policy, in Gardener's format.
    pub images: &'r [Value<'r>],
    cluster: Option<ClusterObjects<'r>>,
    facts: Vec<Fact<'r>>,
}

impl<'r> MutateRequest<'r> {
    const MEMBERS: [&'static str; 7] =
        ["webhook", "object", "oldObject", "cluster", "configuration", "images", "facts"];

    /// Reads a request document about an object that one of these webhooks sees.
    pub fn read(document: &'r Value<'r>, webhooks: &[&'static str]) -> Result<Self, RequestError> {
        known_members(document, "the request", &Self::MEMBERS)?;
        let webhook = document.get("webhook").and_then(Value::as_str);
        let webhook = webhooks.iter().find(|known| webhook == Some(**known)).ok_or_else(|| {
            let quoted: Vec<String> = webhooks.iter().map(|known| quote(known)).collect();
            malformed(format!("`webhook` must be {}", enumerate(&quoted, "or")))
        })?;
        Ok(Self {
            webhook,
            object: object(document, "object")?.ok_or_else(|| malformed("the request has no `object`"))?,
            old_object: object(document, "oldObject")?,
            configuration: object(document, "configuration")?,
            images: images(document)?,
            cluster: object(document, "cluster")?.map(cluster).transpose()?,
            facts: facts(document)?,
        })
    }

    /// The name of the object.
    pub fn name(&self) -> &'r str {
        metadata(self.object, "name")
    }

    /// The namespace of the object.
    pub fn namespace(&self) -> &'r str {
        metadata(self.object, "namespace")
    }

    /// Whether somebody deletes the object: webhooks leave it as it is.
    pub fn is_deleted(&self) -> bool {
        self.object.at(&["metadata", "deletionTimestamp"]).is_some()
    }

    /// What is known of the Cluster that the object belongs to: its name is the namespace of the object.
    pub fn cluster(&self) -> Known<ClusterObjects<'r>> {
        if let Some(cluster) = self.cluster {
            return Known::Found(cluster);
        }
        let query = query::object("extensions.gardener.cloud/v1alpha1", "Cluster", "", self.namespace());
        let answer = Fact::of(&self.facts, &query);
        match Known::answered(query, answer) {
            Known::Found(found) => match found.get("spec").map(of_cluster) {
                Some(Ok(cluster)) => Known::Found(ClusterObjects { metadata: found.get("metadata"), ..cluster }),
                Some(Err(_)) | None => Known::Failed("the Cluster has no Shoot".to_owned()),
            },
            Known::Failed(message) => Known::Failed(message),
            Known::Unknown(query) => Known::Unknown(query),
        }
    }

    /// Refuses an object whose Cluster is of another provider.
    pub(super) fn is_of_provider(&self, provider: &'static str) -> Result<(), RequestError> {
        let Known::Found(cluster) = self.cluster() else { return Ok(()) };
        are_of_provider(
            [
                (Some(cluster.shoot), "Shoot", "/spec/provider/type"),
                (cluster.cloud_profile, "CloudProfile", "/spec/type"),
            ],
            provider,
        )
    }
}

fn metadata<'r>(object: &'r Value<'r>, member: &str) -> &'r str {
    object.at(&["metadata", member]).and_then(Value::as_str).unwrap_or_default()
}

/// A member that is an object.
fn object<'r>(document: &'r Value<'r>, name: &str) -> Result<Option<&'r Value<'r>>, RequestError> {
    match document.get(name) {
        value @ (None | Some(Value::Object(_))) => Ok(value),
        Some(other) => Err(malformed(format!("`{name}` must be an object, not {}", other.kind()))),
    }
}

fn cluster<'r>(cluster: &'r Value<'r>) -> Result<ClusterObjects<'r>, RequestError> {
    Ok(ClusterObjects { metadata: object(cluster, "metadata")?, ..of_cluster(cluster)? })
}

fn of_cluster<'r>(objects: &'r Value<'r>) -> Result<ClusterObjects<'r>, RequestError> {
    Ok(ClusterObjects {
        metadata: None,
        cloud_profile: object(objects, "cloudProfile")?,
        seed: object(objects, "seed")?,
        shoot: object(objects, "shoot")?.ok_or_else(|| malformed("the request has no `cluster.shoot`"))?,
    })
}

fn images<'r>(document: &'r Value<'r>) -> Result<&'r [Value<'r>], RequestError> {
    match document.get("images") {
        None => Ok(&[]),
        Some(Value::Array(images)) if images.len() > MAX_IMAGES => Err(RequestError::TooMany {
            what: "`images`",
            count: images.len(),
            unit: "entries",
            limit: MAX_IMAGES,
        }),
        Some(Value::Array(images)) => Ok(images.as_slice()),
        Some(other) => Err(malformed(format!("`images` must be a list, not {}", other.kind()))),
    }
}

/// An object that a webhook changes. It has no `Debug`, so that no message can show a Secret.
pub struct Mutated<'r> {
    object: Value<'r>,
    patch: Vec<PatchOperation>,
    changes: Vec<DefaultChange>,
}

impl<'r> Mutated<'r> {
    /// An object as a webhook gets it.
    pub fn of(object: &Value<'r>) -> Self {
        Self { object: object.clone(), patch: Vec::new(), changes: Vec::new() }
    }

    /// The object as it is by now.
    pub fn object(&self) -> &Value<'r> {
        &self.object
    }

    /// Sets the member under nested keys, and says why. Objects on the way that are absent come with the member,
    /// in one operation. Nothing happens where the member has the value.
    pub fn set(
        &mut self,
        rule: &'static Rule,
        keys: &[&'static str],
        value: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Result<(), RequestError> {
        let mut pointer = String::new();
        let mut value = value;
        let mut known = Some(&self.object);
        for (depth, key) in keys.iter().enumerate() {
            match known {
                Some(Value::Object(_)) => {}
                Some(other) => {
                    let message = format!("the value must be an object, not {}", other.kind());
                    return Err(RequestError::Malformed { message, pointer: Some(pointer) });
                }
                None => {
                    // What follows is absent: the rest comes as one value.
                    for key in keys.iter().skip(depth).rev() {
                        value = Value::object([(*key, value)]);
                    }
                    break;
                }
            }
            pointer = Path::root("", &pointer).key(key).pointer();
            known = known.and_then(|object| object.get(key));
        }
        if known.is_some_and(|known| known.canonical(false) == value.canonical(false)) {
            return Ok(());
        }
        self.replace(rule, pointer, value, reason)
    }

    /// Sets the member or the entry at `pointer`, whose parent exists, and says why.
    pub fn replace(
        &mut self,
        rule: &'static Rule,
        pointer: String,
        value: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Result<(), RequestError> {
        let operation = PatchOperation::add(pointer.clone(), &value);
        let Some(op) = patch::set(&mut self.object, &pointer, value) else {
            return Err(no_place(pointer));
        };
        self.note(rule, PatchOperation { op, ..operation }, reason);
        Ok(())
    }

    /// Adds an entry to the end of the list under nested keys, and says why. A list that is absent comes with its
    /// entry.
    pub fn append(
        &mut self,
        rule: &'static Rule,
        keys: &[&'static str],
        entry: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Result<(), RequestError> {
        let count = match self.object.at(keys) {
            None => return self.set(rule, keys, Value::Array(vec![entry]), reason),
            Some(list) => list.items().len(),
        };
        let list = keys.iter().fold(String::new(), |pointer, key| Path::root("", &pointer).key(key).pointer());
        self.append_at(rule, &list, count, entry, reason)
    }

    /// Adds an entry to the end of the list at `list`, which exists and has so many entries, and says why.
    pub fn append_at(
        &mut self,
        rule: &'static Rule,
        list: &str,
        count: usize,
        entry: Value<'r>,
        reason: impl Into<Cow<'static, str>>,
    ) -> Result<(), RequestError> {
        let operation = PatchOperation::add(format!("{list}/{count}"), &entry);
        if !patch::append(&mut self.object, list, entry) {
            return Err(no_place(list.to_owned()));
        }
        self.note(rule, operation, reason);
        Ok(())
    }

    fn note(&mut self, rule: &'static Rule, operation: PatchOperation, reason: impl Into<Cow<'static, str>>) {
        self.changes.push(DefaultChange {
            rule: rule.id,
            pointer: operation.path.clone(),
            reason: reason.into(),
            overrules: false,
        });
        self.patch.push(operation);
    }
}

fn no_place(pointer: String) -> RequestError {
    RequestError::Malformed { message: "the value must be a list".to_owned(), pointer: Some(pointer) }
}

/// The answer of `mutate`.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mutation {
    /// The object after the webhook; absent where findings forbid it, or something has to be known before.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub object: Option<JsonText>,
    /// What the webhook changes, as an RFC 6902 patch of the object of the request; absent where the object is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub patch: Option<Vec<PatchOperation>>,
    /// Why, one line for each operation of the patch; absent where the object is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub changes: Option<Vec<DefaultChange>>,
    /// Errors, which forbid to change the object.
    pub findings: Vec<Finding>,
    /// What has to be known before, with the query that somebody has to ask.
    pub undecided: Vec<Undecided>,
}

impl Mutation {
    /// The answer to a request: nothing changes where something is wrong or open.
    pub fn of(mutated: Mutated<'_>, findings: Vec<Finding>, undecided: Vec<Undecided>) -> Self {
        if findings.is_empty() && undecided.is_empty() {
            let Mutated { object, patch, changes } = mutated;
            let object = Some(JsonText::from(&object));
            return Self { object, patch: Some(patch), changes: Some(changes), findings, undecided };
        }
        Self { object: None, patch: None, changes: None, findings, undecided }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
    use crate::report::Operation::Both;

    const RULE: Rule = Rule::default("X-1", &["A"], Both);

    fn patch_of(mutated: &Mutated<'_>) -> String {
        crate::document::write(&mutated.patch)
    }

    #[test]
    fn what_is_absent_on_the_way_comes_in_one_operation() {
        let object = parse(r#"{"a":{"b":null}}"#).unwrap();
        let mut mutated = Mutated::of(&object);
        mutated.set(&RULE, &["a", "b", "c", "d"], Value::Bool(true), "why").unwrap();
        assert_eq!(patch_of(&mutated), r#"[{"op":"replace","path":"/a/b","value":{"c":{"d":true}}}]"#);
        assert_eq!(mutated.object().to_string(), r#"{"a":{"b":{"c":{"d":true}}}}"#);
    }

    #[test]
    fn nothing_happens_where_the_value_is_there() {
        let object = parse(r#"{"a":{"b":[{"x":1,"y":2}]}}"#).unwrap();
        let mut mutated = Mutated::of(&object);
        let same = parse(r#"[{"y":2,"x":1}]"#).unwrap();
        mutated.set(&RULE, &["a", "b"], same, "why").unwrap();
        assert_eq!(patch_of(&mutated), "[]");
    }

    #[test]
    fn entries_go_to_the_end_of_their_list() {
        let object = parse(r#"{"a":{"b":[1]}}"#).unwrap();
        let mut mutated = Mutated::of(&object);
        mutated.append(&RULE, &["a", "b"], Value::Null, "why").unwrap();
        mutated.append(&RULE, &["a", "c"], Value::Null, "why").unwrap();
        assert_eq!(
            patch_of(&mutated),
            r#"[{"op":"add","path":"/a/b/1","value":null},{"op":"add","path":"/a/c","value":[null]}]"#
        );
    }

    #[test]
    fn a_place_of_another_type_is_malformed() {
        let object = parse(r#"{"a":5,"l":{}}"#).unwrap();
        let mut mutated = Mutated::of(&object);
        let error = mutated.set(&RULE, &["a", "b"], Value::Null, "why").unwrap_err();
        assert_eq!(error.to_string(), "the value must be an object, not a number");
        let error = mutated.append(&RULE, &["l"], Value::Null, "why").unwrap_err();
        assert_eq!(error.to_string(), "the value must be a list");
        assert_eq!(patch_of(&mutated), "[]");
    }
}
