//! Recorded cases, and what is asked of the policy about them.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::{Value, json};
use trellis_tests::gardener::world;
use trellis_tests::vectors::of_gardener;

fn is_profile(object: &Value) -> bool {
    object["kind"].as_str().is_some_and(|kind| kind.ends_with("CloudProfile"))
}

/// A recorded case: all of it, and the line that it stands on.
pub struct Case {
    pub recorded: Value,
    line: String,
}

impl Case {
    /// Every recorded case, read once.
    pub fn all() -> impl Iterator<Item = &'static Self> {
        static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
            let case = |line: String| Case { recorded: serde_json::from_str(&line).unwrap(), line };
            of_gardener().into_iter().map(case).collect()
        });
        CASES.iter()
    }

    pub fn id(&self) -> &str {
        self.recorded["id"].as_str().unwrap()
    }

    pub fn is_shoot(&self) -> bool {
        self.recorded["kind"] == "Shoot" && self.recorded["new"]["kind"] == "Shoot"
    }

    pub fn is_update(&self) -> bool {
        !self.recorded["old"].is_null()
    }

    /// Whether Gardener decoded the object, set its defaults and crashed nowhere.
    pub fn is_judged(&self) -> bool {
        let crashed = ["panic", "mutatePanic", "admissionPanic"];
        self.recorded["decodeError"].is_null()
            && !self.recorded["defaulted"].is_null()
            && self.recorded["context"]["subresource"].is_null()
            && crashed.iter().all(|stage| self.recorded[*stage].is_null())
    }

    /// The new object as it was written, which may have a key twice.
    pub fn new_as_written(&self) -> &str {
        let start = self.line.find("\"new\":").unwrap() + "\"new\":".len();
        let mut stream =
            serde_json::Deserializer::from_str(&self.line[start..]).into_iter::<&serde_json::value::RawValue>();
        stream.next().unwrap().unwrap().get()
    }

    /// The object after Gardener's defaults, those of its plug-in too.
    pub fn mutated(&self) -> Value {
        merged(&self.recorded["defaulted"], self.recorded.get("mutated").unwrap_or(&json!({})))
    }

    /// The answer of a function about an object, given as JSON text, with what the case knows.
    pub fn ask(&self, function: &str, object: &str, old: Option<&Value>) -> Value {
        let mut context = self.recorded["context"].clone();
        let recorded = context.as_object_mut().unwrap().remove("now");
        let now = recorded.unwrap_or_else(|| json!("2026-06-01T00:00:00Z"));
        if context["gardenerVersion"].is_null() {
            context["gardenerVersion"] = json!("1.143.1");
        }
        let world = world(&self.recorded);
        let known = &context["cloudProfile"]["metadata"]["name"];
        let read: Value = serde_json::from_str(object).unwrap();
        let named = if self.recorded["kind"] == "NamespacedCloudProfile" { "parent" } else { "cloudProfile" };
        let needs_profiles = *known != read["spec"][named]["name"];
        let is_seed =
            |object: &Value| object["kind"] == "Seed" && object["metadata"]["name"] == read["spec"]["seedName"];
        let changes_profile = old.is_some_and(|old| old["spec"]["cloudProfile"] != read["spec"]["cloudProfile"]);
        let needs_profiles = needs_profiles || changes_profile;
        let objects = world.iter().filter(|object| is_seed(object) || needs_profiles && is_profile(object));
        context["objects"] = objects.cloned().collect();
        for (role, kind, field) in [
            ("secretBinding", "SecretBinding", "secretBindingName"),
            ("credentialsBinding", "CredentialsBinding", "credentialsBindingName"),
        ] {
            let is_named = |object: &&Value| {
                object["kind"] == kind
                    && object["metadata"]["name"] == read["spec"][field]
                    && object["metadata"]["namespace"] == read["metadata"]["namespace"]
            };
            if let Some(binding) = world.iter().find(is_named) {
                context[role] = binding.clone();
            }
        }
        let namespace = &read["metadata"]["namespace"];
        let is_project =
            |object: &&Value| object["kind"] == "Project" && object["spec"]["namespace"] == *namespace;
        if let Some(project) = world.iter().find(is_project) {
            context["project"] = project.clone();
        }
        let old = old.map(|old| format!(",\"oldObject\":{old}")).unwrap_or_default();
        let request = format!("{{\"object\":{object}{old},\"context\":{context},\"now\":{now}}}");
        serde_json::from_str(&trellis_core::call("gardener", function, &request)).unwrap()
    }
}

/// The findings of an answer.
pub fn findings(answer: &Value) -> Vec<Value> {
    answer["findings"].as_array().cloned().unwrap_or_default()
}

/// The texts among values.
pub fn texts<'v>(values: impl IntoIterator<Item = &'v Value>) -> BTreeSet<String> {
    values.into_iter().filter_map(|value| value.as_str().map(str::to_owned)).collect()
}

/// Type, field and detail of findings, sorted.
pub fn words_of<'v>(findings: impl IntoIterator<Item = &'v Value>) -> Vec<String> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let words = |finding: &Value| {
        format!("{} {} {}", text(&finding["type"]), text(&finding["field"]), text(&finding["detail"]))
    };
    let mut all: Vec<String> = findings.into_iter().map(words).collect();
    all.sort();
    all
}

/// The RFC 7386 patch applied to a value.
pub fn merged(value: &Value, patch: &Value) -> Value {
    let Value::Object(changes) = patch else { return patch.clone() };
    let mut object = value.as_object().cloned().unwrap_or_default();
    for (key, change) in changes {
        if change.is_null() {
            object.remove(key);
        } else {
            let merged = merged(object.get(key).unwrap_or(&Value::Null), change);
            object.insert(key.clone(), merged);
        }
    }
    Value::Object(object)
}

/// Fails where there are failures, and shows the first of them.
pub fn none_differ(failures: &[String], compared: usize) {
    let first = failures[..failures.len().min(25)].join("\n");
    assert!(failures.is_empty(), "{} of {compared} differ:\n{first}", failures.len());
}
