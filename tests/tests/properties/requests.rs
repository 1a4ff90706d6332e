//! The requests that the properties are tried on.

use std::collections::{BTreeMap, BTreeSet};

use json_patch::Patch;
use serde_json::{Value, json};
use trellis_tests::{corpus, gardener, vectors};

/// A request of a function.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Where the request comes from.
    pub name: String,
    /// Name of the policy.
    pub provider: String,
    /// Function that is called.
    pub function: String,
    /// The request.
    pub request: Value,
}

impl Asked {
    /// The answer to the request.
    pub fn answer(&self) -> Value {
        self.ask(&self.request)
    }

    /// The answer to another request of the same function.
    pub fn ask(&self, request: &Value) -> Value {
        let text = trellis_core::call(&self.provider, &self.function, &request.to_string());
        serde_json::from_str(&text).unwrap()
    }

    /// Kind of the object.
    pub fn kind(&self) -> &str {
        self.request["object"]["kind"].as_str().unwrap_or_default()
    }
}

/// Requests of the corpus. A text that is no JSON document is left out.
pub fn of_corpus() -> Vec<Asked> {
    let asked = |case: corpus::Case| {
        let request = serde_json::from_str(&case.request).ok()?;
        Some(Asked { name: case.path(), provider: case.provider, function: case.function, request })
    };
    corpus::cases().into_iter().filter_map(asked).collect()
}

/// Of the recorded cases of Gardener, the properties are tried on each fifth one.
const OF_GARDENER: usize = 5;

/// Recorded requests of `validate` and `default`.
pub fn of_recordings() -> Vec<Asked> {
    let mut recorded = Vec::new();
    for gardener::Recorded { id, request } in gardener::requests(OF_GARDENER) {
        recorded.extend(["validate", "default"].map(|function| Asked {
            name: id.clone(),
            provider: "gardener".to_owned(),
            function: function.to_owned(),
            request: serde_json::from_str(&request).unwrap(),
        }));
    }
    for admission in vectors::admissions() {
        let provider = &admission.provider;
        for case in &admission.cases {
            for function in ["validate", "default"] {
                let call = |request: &str| trellis_core::call(provider, function, request);
                recorded.extend(admission.requests(case, call).iter().map(|request| Asked {
                    name: case.id().to_owned(),
                    provider: provider.clone(),
                    function: function.to_owned(),
                    request: serde_json::from_str(request).unwrap(),
                }));
            }
        }
    }
    recorded
}

/// Recorded requests of Gardener itself, as the policy `gardener` is asked; profiles come from the request alone.
pub fn of_gardener() -> Vec<Asked> {
    let asked = |(case, _): (Value, String)| {
        let mut context = case["context"].clone();
        context["gardenerVersion"] = json!("1.143.1");
        let now = context.as_object_mut().unwrap().remove("now");
        let object = if case["defaulted"].is_null() { &case["new"] } else { &case["defaulted"] };
        let mut request = json!({ "object": object, "context": context });
        request["now"] = now.unwrap_or_else(|| json!("2026-06-01T00:00:00Z"));
        if !case["old"].is_null() {
            request["oldObject"] = case["old"].clone();
        }
        let name = case["id"].as_str().unwrap().to_owned();
        Asked { name, provider: "gardener".to_owned(), function: "validate".to_owned(), request }
    };
    vectors::of_gardener().into_iter().map(asked).collect()
}

/// How many old objects each object of the corpus gets, the object itself among them.
const PAIRS: usize = 5;
/// How many objects of a policy and kind become pairs; of more, they are picked evenly.
const OBJECTS: usize = 300;

/// Updates from an object of the corpus to another one of its provider and kind.
pub fn of_pairs() -> Vec<Asked> {
    let mut by_kind: BTreeMap<(String, String), Vec<Asked>> = BTreeMap::new();
    for asked in
        of_corpus().into_iter().filter(|asked| asked.function == "validate" && asked.request["object"].is_object())
    {
        by_kind.entry((asked.provider.clone(), asked.kind().to_owned())).or_default().push(asked);
    }
    let mut pairs = Vec::new();
    for objects in by_kind.values() {
        for (index, new) in objects.iter().enumerate().step_by(objects.len().div_ceil(OBJECTS)) {
            for step in 0..PAIRS {
                let old = &objects[(index + step * step) % objects.len()];
                let mut pair = new.clone();
                pair.name = format!("from {} to {}", old.name, new.name);
                pair.request["oldObject"] = old.request["object"].clone();
                pairs.push(pair);
            }
        }
    }
    pairs
}

/// Requires that each policy is among those that a property was tried on.
pub fn assert_every_policy(tried: &BTreeSet<String>) {
    assert_policies(tried, |_| true);
}

/// Requires that each policy that has a certain rule is among those that a property was tried on.
pub fn assert_policies(tried: &BTreeSet<String>, has: impl Fn(&Value) -> bool) {
    for policy in trellis_core::policies() {
        let rules: Value = serde_json::from_str(&trellis_core::call(policy, "rules", "{}")).unwrap();
        let is_wanted = entries(&rules["rules"]).any(&has);
        assert!(!is_wanted || tried.contains(policy), "the property was not tried on {policy}");
    }
}

/// The object after an RFC 6902 patch.
pub fn patched(object: &Value, operations: &Value) -> Value {
    let patch: Patch = serde_json::from_value(operations.clone()).unwrap();
    let mut object = object.clone();
    json_patch::patch(&mut object, &patch).unwrap();
    object
}

/// Entries of a list; none where there is no list.
pub fn entries(list: &Value) -> impl Iterator<Item = &Value> {
    list.as_array().into_iter().flatten()
}

/// The errors of an answer.
pub fn errors(answer: &Value) -> impl Iterator<Item = &Value> {
    entries(&answer["findings"]).filter(|finding| finding["severity"] == json!("error"))
}
