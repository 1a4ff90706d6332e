//! The requests that the properties are tried on.

use std::collections::{BTreeMap, BTreeSet};

use json_patch::Patch;
use serde_json::{Value, json};
use trellis_tests::{corpus, vectors};

/// A request of a function.
#[derive(Clone, Debug)]
pub struct Asked {
    /// Where the request comes from.
    pub name: String,
    /// Provider type.
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

/// Recorded requests of `validate` and `default`.
pub fn of_recordings() -> Vec<Asked> {
    let mut recorded = Vec::new();
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

/// How many old objects each object of the corpus gets, the object itself among them.
const PAIRS: usize = 5;

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
        for (index, new) in objects.iter().enumerate() {
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

/// Requires that each provider is among those that a property was tried on.
pub fn assert_every_provider(tried: &BTreeSet<String>) {
    assert_providers(tried, |_| true);
}

/// Requires that each provider that has a certain rule is among those that a property was tried on.
pub fn assert_providers(tried: &BTreeSet<String>, has: impl Fn(&Value) -> bool) {
    for provider in trellis_core::providers() {
        let rules: Value = serde_json::from_str(&trellis_core::call(provider, "rules", "{}")).unwrap();
        let is_wanted = entries(&rules["rules"]).any(&has);
        assert!(!is_wanted || tried.contains(provider), "the property was not tried on {provider}");
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
