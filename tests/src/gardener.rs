//! Requests about the objects for which answers of Gardener itself are recorded.

use std::sync::LazyLock;

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::vectors::of_gardener;

/// The release whose answers are recorded, where a case names none.
const VERSION: &str = "1.143.1";
/// The time at which Gardener answered, where a case has none of its own.
const NOW: &str = "2026-06-01T00:00:00Z";

/// The objects that Gardener's plug-ins could look up, by the release that they are of.
static WORLDS: LazyLock<[Value; 2]> = LazyLock::new(|| {
    [
        include_str!("../vectors/gardener-core-objects.json"),
        include_str!("../vectors/gardener-core-1.149-objects.json"),
    ]
    .map(|text| serde_json::from_str(text).unwrap_or_default())
});

/// The objects that Gardener's plug-ins could look up in a recorded case.
pub fn world(case: &Value) -> &'static [Value] {
    let [older, newer] = &*WORLDS;
    let world = if case["context"]["gardenerVersion"].is_string() { newer } else { older };
    world["objects"].as_array().map_or(&[], Vec::as_slice)
}

/// A request about a recorded object.
#[derive(Debug)]
pub struct Recorded {
    /// Id of the case.
    pub id: String,
    /// The request. Its object is as it was written, and may have a key twice.
    pub request: String,
}

/// A request about each `nth` recorded object, from the first on.
///
/// # Panics
///
/// If the recording is missing or unreadable.
pub fn requests(nth: usize) -> Vec<Recorded> {
    of_gardener().iter().step_by(nth).map(|line| recorded(line)).collect()
}

#[expect(clippy::expect_used, reason = "a broken recording must fail the test")]
fn recorded(line: &str) -> Recorded {
    let case: Value = serde_json::from_str(line).expect("a line is JSON");
    let id = case["id"].as_str().unwrap_or_default().to_owned();
    Recorded { id, request: request(&case, as_written(line)) }
}

/// The object of a case as it was written.
#[expect(clippy::expect_used, reason = "a broken recording must fail the test")]
fn as_written(line: &str) -> &str {
    let (_, rest) = line.split_once("\"new\":").expect("a case has an object");
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
    values.next().and_then(Result::ok).expect("the object is JSON").get()
}

fn request(case: &Value, object: &str) -> String {
    let mut context = case["context"].clone();
    let now = context.as_object_mut().and_then(|context| context.shift_remove("now"));
    let now = now.unwrap_or_else(|| json!(NOW));
    if context["gardenerVersion"].is_null() {
        context["gardenerVersion"] = json!(VERSION);
    }
    let spec = &case["new"]["spec"];
    let has_profile = context["cloudProfile"]["metadata"]["name"] == spec["cloudProfile"]["name"];
    let needs = |object: &&Value| match object["kind"].as_str() {
        Some("Seed") => object["metadata"]["name"] == spec["seedName"],
        Some("CloudProfile" | "NamespacedCloudProfile") => !has_profile,
        _ => false,
    };
    context["objects"] = world(case).iter().filter(needs).cloned().collect();
    let old = if case["old"].is_null() { String::new() } else { format!(",\"oldObject\":{}", case["old"]) };
    format!("{{\"object\":{object}{old},\"context\":{context},\"now\":{now}}}")
}
