//! Recorded answers of existing extensions. `vectors/README.md` lists them.
//!
//! A case of an admission's answers is a JSON document:
//!
//! | field | meaning |
//! |---|---|
//! | `kind`, `new`, `old` | the object, and the old one for an update |
//! | `context` | the context of the request; the parent as `cloudProfile`, for a NamespacedCloudProfile |
//! | `allowed`, `message` | verdict and text of the validating webhook, which stops at the first stage with errors |
//! | `complete`, `findings` | where `complete`: the findings of all stages |
//! | `mutated`, `mutateError` | the object after the mutating webhook, or its refusal |
//! | `panic`, `mutatePanic` | the existing extension crashed |

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufRead as _, BufReader};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The recorded answers of an admission.
#[derive(Debug)]
pub struct Admission {
    /// Provider type.
    pub provider: String,
    /// What a comparison with the answers allows for.
    pub allowance: Allowance,
    /// The cases.
    pub cases: Vec<Case>,
}

/// What a comparison with recorded answers allows for: the file next to the recording.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Allowance {
    /// Cases whose object names another provider, which the existing extension judges all the same.
    #[serde(default)]
    pub of_another_provider: Vec<String>,
    /// Beginnings of details that end in the words of a Go decoder, for which Trellis has its own.
    #[serde(default)]
    pub decoded: Vec<String>,
    /// Whether the existing extension leaves the order of the flavors of an image to chance.
    #[serde(default)]
    pub unordered_flavors: bool,
    /// A configuration to which `default` adds what the existing extension leaves out.
    pub typed: Option<Typed>,
    /// What the cloud answers.
    #[serde(default)]
    responses: Vec<CloudAnswer>,
    /// How many cases a comparison covers at least, by name of the comparison.
    pub at_least: BTreeMap<String, usize>,
}

/// A configuration to which `default` adds `apiVersion` and `kind` where it changes the configuration.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub struct Typed {
    /// The rule that is listed among the differences.
    pub rule: String,
    /// Where the configuration is.
    pub pointer: String,
    /// What `default` writes.
    pub api_version: String,
    /// What `default` writes.
    pub kind: String,
}

/// What the cloud answers to queries of an action.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CloudAnswer {
    action: String,
    /// Members that the context of the case has.
    #[serde(default)]
    context: Map<String, Value>,
    response: Value,
}

/// What an answer leaves open.
#[derive(Deserialize)]
struct Open {
    #[serde(default)]
    undecided: Vec<Value>,
}

/// One recorded case.
#[derive(Debug)]
pub struct Case(Value);

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// The recordings whose names end so.
#[expect(clippy::expect_used, reason = "missing recordings must fail the test")]
fn paths(suffix: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder()).expect("the recordings are there").flatten().map(|entry| entry.path());
    let mut paths: Vec<PathBuf> = entries.filter(|path| path.to_string_lossy().ends_with(suffix)).collect();
    paths.sort();
    paths
}

/// The text of a recording.
#[expect(clippy::expect_used, reason = "missing recordings must fail the test")]
fn open(path: &Path) -> GzDecoder<File> {
    GzDecoder::new(File::open(path).expect("the recording is readable"))
}

/// What `answers` of the recordings says, which have a case a line.
const ADMISSION: &str = "admission";
const CONTROL_PLANES: &str = "controlPlanes";
const GARDENER: &str = "gardener";
const WEBHOOKS: &str = "webhooks";
const WORKERS: &str = "workers";

/// The recordings of such answers, each with its provider and its cases. Of the others, only the first line is
/// read.
#[expect(clippy::expect_used, reason = "a broken recording must fail the test")]
fn recordings(answers: &'static str) -> impl Iterator<Item = (PathBuf, String, Vec<String>)> {
    let read = move |path: PathBuf| {
        let mut lines =
            BufReader::new(open(&path)).lines().map(|line| line.expect("the recording is compressed text"));
        let header: Value = serde_json::from_str(&lines.next().unwrap_or_default()).expect("a line is JSON");
        let [found, provider] = ["answers", "provider"].map(|name| header[name].as_str().unwrap_or_default());
        let is_known = [ADMISSION, CONTROL_PLANES, GARDENER, WEBHOOKS, WORKERS].contains(&found);
        assert!(is_known, "{}: the first line says what is recorded", path.display());
        (found == answers).then(|| (path, provider.to_owned(), lines.collect()))
    };
    paths(".ndjson.gz").into_iter().filter_map(read)
}

/// The recorded answers of every admission.
///
/// # Panics
///
/// If a recording is missing, unreadable, or of a provider without a policy.
pub fn admissions() -> Vec<Admission> {
    let mut admissions = Vec::new();
    for (path, provider, lines) in recordings(ADMISSION) {
        assert!(trellis_core::providers().any(|known| known == provider), "{}: no such provider", path.display());
        let companion = path.with_extension("").with_extension("yaml");
        let allowance =
            fs::read_to_string(&companion).unwrap_or_else(|error| panic!("{}: {error}", companion.display()));
        let allowance =
            serde_saphyr::from_str(&allowance).unwrap_or_else(|error| panic!("{}: {error}", companion.display()));
        admissions.push(Admission {
            provider,
            allowance,
            cases: lines.iter().map(|line| Case(read(line))).collect(),
        });
    }
    assert!(!admissions.is_empty(), "there are recorded answers of an admission");
    admissions
}

/// The recorded answers of Gardener itself, as the text of a JSON document each, which may have a key twice.
///
/// # Panics
///
/// If the recording is missing or unreadable.
pub fn of_gardener() -> Vec<String> {
    lines("gardener", GARDENER)
}

/// Control planes that the existing extension of a provider rendered: `in`, what it was given, and `out`, what it
/// made.
///
/// # Panics
///
/// Where the recording is not there or no JSON.
pub fn control_planes(provider: &str) -> Vec<Value> {
    lines(provider, CONTROL_PLANES).iter().map(|line| read(line)).collect()
}

/// Workers whose machines the existing extension of a provider made: `in`, what it was given, and `out`, what it
/// made.
///
/// # Panics
///
/// Where the recording is not there or no JSON.
pub fn workers(provider: &str) -> Vec<Value> {
    lines(provider, WORKERS).iter().map(|line| read(line)).collect()
}

/// Objects that the webhooks of the existing extension of a provider saw: `in`, what they were given, and `out`,
/// what they made.
///
/// # Panics
///
/// Where the recording is not there or no JSON.
pub fn webhooks(provider: &str) -> Vec<Value> {
    lines(provider, WEBHOOKS).iter().map(|line| read(line)).collect()
}

/// The cases of the recording of a provider.
fn lines(provider: &str, answers: &'static str) -> Vec<String> {
    let lines: Vec<String> =
        recordings(answers).filter(|(_, of, _)| of == provider).flat_map(|(_, _, lines)| lines).collect();
    assert!(!lines.is_empty(), "there is a recording");
    lines
}

/// What stands in a line of a recording, or in an answer.
#[expect(clippy::expect_used, reason = "a broken recording must fail the test")]
fn read<'t, T: Deserialize<'t>>(text: &'t str) -> T {
    serde_json::from_str(text).expect("recordings and answers are JSON")
}

/// Worlds that existing extensions built, with their states and status.
///
/// # Panics
///
/// If a recording is missing or unreadable.
#[expect(clippy::expect_used, reason = "a broken recording must fail the test")]
pub fn worlds() -> Vec<Value> {
    let read = |path: PathBuf| {
        let text = io::read_to_string(open(&path)).expect("the recording is compressed text");
        serde_json::from_str(&text).expect("a recording is JSON")
    };
    let worlds: Vec<Value> = paths(".json.gz")
        .into_iter()
        .map(read)
        .filter(|recording: &Value| recording["answers"] == "worlds")
        .collect();
    assert!(!worlds.is_empty(), "there are recorded worlds");
    worlds
}

impl Case {
    /// A field of the case; `null` where absent.
    pub fn field(&self, name: &str) -> &Value {
        self.0.get(name).unwrap_or(&Value::Null)
    }

    /// Name of the case.
    pub fn id(&self) -> &str {
        self.field("id").as_str().unwrap_or_default()
    }

    /// Kind of the object.
    pub fn kind(&self) -> &str {
        self.field("kind").as_str().unwrap_or_default()
    }

    /// Whether the extension crashed while judging or filling in the object.
    pub fn crashed(&self, field: &str) -> bool {
        !self.field(field).is_null()
    }
}

impl Admission {
    /// The case as a request, with answers to the queries that a first answer asks.
    pub fn request(&self, case: &Case, facts: &[Value]) -> String {
        let mut request = json!({ "object": case.field("new"), "facts": facts });
        if !case.field("old").is_null() {
            request["oldObject"] = case.field("old").clone();
        }
        // What only the cloud knows is no part of the context.
        let is_known =
            |name: &String| !self.allowance.responses.iter().any(|known| known.context.contains_key(name));
        let context = case.field("context").as_object().into_iter().flatten().filter(|(name, _)| is_known(name));
        let context: Map<String, Value> = context.map(|(name, value)| (name.clone(), value.clone())).collect();
        if !context.is_empty() {
            request["context"] = context.into();
        }
        request.to_string()
    }

    /// The answer of the policy, after the facts that it asks for have been handed to it.
    pub fn answer(&self, case: &Case, function: &str) -> Value {
        self.asked(case, function).pop().map(|(_, answer)| read(&answer)).unwrap_or_default()
    }

    /// The answers of the policy, each with its request before it: without facts, and then with those that the
    /// answers before ask for, as long as one asks.
    pub fn asked(&self, case: &Case, function: &str) -> Vec<(String, String)> {
        let (mut facts, mut asked) = (Vec::new(), Vec::new());
        loop {
            let request = self.request(case, &facts);
            let answer = trellis_core::call(&self.provider, function, &request);
            let Open { undecided } = read(&answer);
            asked.push((request, answer));
            let known = facts.len();
            for query in undecided.iter().map(|undecided| &undecided["query"]) {
                if !query.is_null() && facts.iter().all(|fact: &Value| fact["query"] != query["id"]) {
                    facts.push(self.fact(case, query));
                }
            }
            if facts.len() == known {
                return asked;
            }
        }
    }

    fn fact(&self, case: &Case, query: &Value) -> Value {
        let call = &query["call"];
        if call["service"] == "kubernetes" {
            return json!({ "query": query["id"], "answer": { "error": not_found(&call["parameters"]) } });
        }
        let action = call["action"].as_str().unwrap_or_default();
        let fits = |known: &&CloudAnswer| {
            let mut members = known.context.iter();
            known.action == action && members.all(|(name, value)| &case.field("context")[name] == value)
        };
        let response = self.allowance.responses.iter().find(fits);
        let response = response.unwrap_or_else(|| panic!("{}: nothing answers {query}", case.id()));
        json!({ "query": query["id"], "answer": { "response": response.response } })
    }
}

/// What the API server answers for an object that is none of those that the context of a case has.
fn not_found(parameters: &Value) -> Value {
    let text = |name: &str| parameters[name].as_str().unwrap_or_default();
    let group = text("apiVersion").split_once('/').map(|(group, _)| format!(".{group}")).unwrap_or_default();
    let kind = text("kind").to_lowercase();
    let plural = kind.strip_suffix('y').map_or_else(|| format!("{kind}s"), |stem| format!("{stem}ies"));
    let message = format!("{plural}{group} \"{}\" not found", text("name"));
    json!({ "code": "NotFound", "message": message, "httpStatus": 404 })
}
