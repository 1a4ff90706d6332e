//! The requests that the properties are tried on.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{LazyLock, OnceLock};

use json_patch::Patch;
use serde::Serialize;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};
use trellis_tests::{corpus, gardener, vectors};

/// A request: its members as they are written, so that a test that changes one reads no other.
#[derive(Clone, Debug, Default)]
pub struct Request(BTreeMap<String, Box<RawValue>>);

impl Request {
    /// The request that a text is; none where it is no JSON object, or has a number that no value holds.
    fn read(text: &str) -> Option<Self> {
        let _: Value = serde_json::from_str(text).ok()?;
        serde_json::from_str(text).ok().map(Self)
    }

    /// A member; null where there is none.
    pub fn member(&self, name: &str) -> Value {
        self.0.get(name).map(|member| serde_json::from_str(member.get()).unwrap()).unwrap_or_default()
    }

    /// The same request with another member.
    pub fn with(&self, name: &str, member: &impl Serialize) -> Self {
        let mut request = self.clone();
        request.0.insert(name.to_owned(), to_raw_value(member).unwrap());
        request
    }

    /// The request as text.
    pub fn text(&self) -> String {
        serde_json::to_string(&self.0).unwrap()
    }
}

/// A request of a function.
#[derive(Debug)]
pub struct Asked {
    /// Where the request comes from.
    pub name: String,
    /// Name of the policy.
    pub provider: String,
    /// Function that is called.
    pub function: String,
    /// Kind of the object.
    pub kind: String,
    /// The request.
    pub request: Request,
    answer: OnceLock<String>,
}

impl Asked {
    fn new(name: &str, provider: &str, function: &str, request: Request) -> Self {
        let [name, provider, function] = [name, provider, function].map(str::to_owned);
        let kind = request.member("object")["kind"].as_str().unwrap_or_default().to_owned();
        Self { name, provider, function, kind, request, answer: OnceLock::new() }
    }

    /// The answer to the request; several tests look at it.
    pub fn answer(&self) -> &str {
        self.answer.get_or_init(|| self.ask(&self.request))
    }

    /// The answer to another request of the same function.
    pub fn ask(&self, request: &Request) -> String {
        trellis_core::call(&self.provider, &self.function, &request.text())
    }
}

/// What an answer says.
pub fn read(answer: &str) -> Value {
    serde_json::from_str(answer).unwrap()
}

/// Requests of the corpus, without those that a test cannot read.
pub static CORPUS: LazyLock<Vec<Asked>> = LazyLock::new(|| {
    let asked = |case: corpus::Case| {
        let request = Request::read(&case.request)?;
        Some(Asked::new(&case.path(), &case.provider, &case.function, request))
    };
    corpus::cases().into_iter().filter_map(asked).collect()
});

/// Of the recorded cases of Gardener, the properties are tried on each fifth one.
const OF_GARDENER: usize = 5;

/// Recorded requests of `validate` and `default`.
pub static RECORDINGS: LazyLock<Vec<Asked>> = LazyLock::new(|| {
    let mut recorded = Vec::new();
    for gardener::Recorded { id, request } in gardener::requests(OF_GARDENER) {
        let request = Request::read(&request).unwrap();
        recorded.extend(
            ["validate", "default"].map(|function| Asked::new(&id, "gardener", function, request.clone())),
        );
    }
    for admission in vectors::admissions() {
        for case in &admission.cases {
            for function in ["validate", "default"] {
                for (request, answer) in admission.asked(case, function) {
                    let request = Request::read(&request).unwrap();
                    let asked = Asked::new(case.id(), &admission.provider, function, request);
                    recorded.push(Asked { answer: answer.into(), ..asked });
                }
            }
        }
    }
    recorded
});

/// Recorded requests of Gardener itself, as the policy `gardener` is asked; profiles come from the request alone.
pub static GARDENER: LazyLock<Vec<Asked>> = LazyLock::new(|| {
    let asked = |line: String| {
        let case: Value = serde_json::from_str(&line).unwrap();
        let mut context = case["context"].clone();
        context["gardenerVersion"] = json!("1.143.1");
        let now = context.as_object_mut().unwrap().remove("now");
        let object = if case["defaulted"].is_null() { &case["new"] } else { &case["defaulted"] };
        let mut request = Request::default().with("object", object).with("context", &context);
        request = request.with("now", &now.unwrap_or_else(|| json!("2026-06-01T00:00:00Z")));
        if !case["old"].is_null() {
            request = request.with("oldObject", &case["old"]);
        }
        Asked::new(case["id"].as_str().unwrap(), "gardener", "validate", request)
    };
    vectors::of_gardener().into_iter().map(asked).collect()
});

/// How many old objects each object of the corpus gets, the object itself among them.
const PAIRS: usize = 5;
/// How many objects of a policy and kind become pairs; of more, they are picked evenly.
const OBJECTS: usize = 300;

/// Updates from an object of the corpus to another one of its provider and kind.
pub static UPDATES: LazyLock<Vec<Asked>> = LazyLock::new(|| {
    let mut by_kind: BTreeMap<(&str, &str), Vec<(&Asked, Value)>> = BTreeMap::new();
    for asked in CORPUS.iter().filter(|asked| asked.function == "validate") {
        let object = asked.request.member("object");
        if object.is_object() {
            by_kind.entry((&asked.provider, &asked.kind)).or_default().push((asked, object));
        }
    }
    let mut updates = Vec::new();
    for objects in by_kind.values() {
        for (index, (new, _)) in objects.iter().enumerate().step_by(objects.len().div_ceil(OBJECTS)) {
            for step in 0..PAIRS {
                let (old, object) = &objects[(index + step * step) % objects.len()];
                let name = format!("from {} to {}", old.name, new.name);
                let request = new.request.with("oldObject", object);
                updates.push(Asked::new(&name, &new.provider, &new.function, request));
            }
        }
    }
    updates
});

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
