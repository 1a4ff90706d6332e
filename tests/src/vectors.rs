//! Recorded answers of an existing extension's admission, one JSON document a case.
//!
//! | field | meaning |
//! |---|---|
//! | `kind`, `new`, `old` | the object, and the old one for an update |
//! | `context.cloudProfile` | the CloudProfile; the parent, for a NamespacedCloudProfile |
//! | `context.imageOwnedByAli` | what the cloud says of any image (absent: it is Alibaba Cloud's own) |
//! | `allowed`, `message` | verdict and text of the validating webhook, which stops at the first stage with errors |
//! | `complete`, `findings` | where `complete`: the findings of all stages |
//! | `mutated`, `mutateError` | the object after the mutating webhook, or its refusal |
//! | `panic`, `mutatePanic` | the existing extension crashed |

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::{Value, json};

/// One recorded case.
#[derive(Debug)]
pub struct Case(Value);

/// Ends the name of a recording, after that of its provider.
const SUFFIX: &str = "-admission.ndjson.gz";

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("vectors")
}

/// The providers that there are recordings for.
///
/// # Panics
///
/// If the folder with the recordings is missing.
#[expect(clippy::expect_used, reason = "missing recordings must fail the test")]
pub fn providers() -> Vec<String> {
    let entries = fs::read_dir(folder()).expect("the recordings are there").flatten();
    let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
    let mut providers: Vec<String> =
        names.filter_map(|name| Some(name.strip_suffix(SUFFIX)?.to_owned())).collect();
    providers.sort();
    providers
}

/// Reads every case of a provider.
///
/// # Panics
///
/// If the recording is missing or unreadable.
#[expect(clippy::expect_used, reason = "a broken recording must fail the test")]
pub fn read(provider: &str) -> Vec<Case> {
    let path = folder().join(format!("{provider}{SUFFIX}"));
    let mut text = String::new();
    let file = File::open(&path).expect("the recording is there");
    GzDecoder::new(file).read_to_string(&mut text).expect("the recording is compressed text");
    text.lines().map(|line| Case(serde_json::from_str(line).expect("a case is JSON"))).collect()
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

    /// The case as a request, with answers to the queries that a first answer asks.
    pub fn request(&self, facts: &[Value]) -> String {
        let mut request = json!({ "object": self.field("new"), "facts": facts });
        if !self.field("old").is_null() {
            request["oldObject"] = self.field("old").clone();
        }
        if let Some(profile) = self.field("context").get("cloudProfile") {
            request["context"] = json!({ "cloudProfile": profile });
        }
        request.to_string()
    }

    /// The answer of the policy, after the facts that it asks for have been handed to it.
    pub fn answer(&self, provider: &str, function: &str) -> Value {
        let call = |request: &str| trellis_core::call(provider, function, request);
        parse(&self.requests(call).pop().map(|request| call(&request)).unwrap_or_default())
    }

    /// The requests of the case: without facts, and with those that the answer to it asks for, if it asks for any.
    pub fn requests(&self, call: impl Fn(&str) -> String) -> Vec<String> {
        let first = self.request(&[]);
        let answer = parse(&call(&first));
        let queries = answer["undecided"].as_array().into_iter().flatten().map(|undecided| &undecided["query"]);
        let facts: Vec<Value> = queries.filter(|query| !query.is_null()).map(|query| self.fact(query)).collect();
        if facts.is_empty() { vec![first] } else { vec![first, self.request(&facts)] }
    }

    fn fact(&self, query: &Value) -> Value {
        let owned = self.field("context").get("imageOwnedByAli").is_none_or(|owned| owned == &json!(true));
        let alias = if owned { "system" } else { "self" };
        let response = match query["call"]["action"].as_str() {
            Some("DescribeImages") => json!({ "Images": { "Image": [{ "ImageOwnerAlias": alias }] } }),
            // The recorded extension saw a VPC without VSwitches.
            _ => json!({ "VSwitches": { "VSwitch": [] } }),
        };
        json!({ "query": query["id"], "answer": { "response": response } })
    }
}

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or(Value::Null)
}
