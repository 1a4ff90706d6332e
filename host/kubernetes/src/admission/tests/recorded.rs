//! The recorded admissions of the existing extension, sent as reviews.

use std::io::Read as _;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::read::GzDecoder;
use hyper::Method;
use serde_json::{Value, json};

use super::world::{PROVIDER, World};
use crate::admission::Mode;
use crate::webhook::testing::{Connection, review};

const RECORDED: &[u8] = include_bytes!("../../../../../tests/vectors/alicloud-admission.ndjson.gz");

fn cases() -> Vec<Value> {
    let mut text = String::new();
    GzDecoder::new(RECORDED).read_to_string(&mut text).unwrap();
    text.lines().skip(1).map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// What `trellis eval` answers for a case, with the answers of the cloud that the recording had.
fn eval(case: &Value, function: &str) -> Value {
    let owner = if case["context"]["imageOwnedByAli"] == false { "self" } else { "system" };
    let mut facts = Vec::new();
    loop {
        let mut request = json!({ "object": case["new"], "facts": facts });
        if !case["old"].is_null() {
            request["oldObject"] = case["old"].clone();
        }
        if !case["context"]["cloudProfile"].is_null() {
            request["context"] = json!({ "cloudProfile": case["context"]["cloudProfile"] });
        }
        let answer = trellis_core::call(PROVIDER, function, &request.to_string());
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let known = facts.len();
        for query in answer["undecided"].as_array().into_iter().flatten().map(|one| &one["query"]) {
            if query.is_null() || facts.iter().any(|fact: &Value| fact["query"] == query["id"]) {
                continue;
            }
            let name = &query["call"]["parameters"]["name"];
            let answer = match query["call"]["action"].as_str().unwrap() {
                "DescribeVSwitches" => json!({ "response": { "VSwitches": { "VSwitch": [] } } }),
                "DescribeImages" => {
                    json!({ "response": { "Images": { "Image": [{ "ImageOwnerAlias": owner }] } } })
                }
                _ => json!({ "error": {
                    "code": "NotFound", "httpStatus": 404,
                    "message": format!("cloudprofiles.core.gardener.cloud {name} not found"),
                } }),
            };
            facts.push(json!({ "query": query["id"], "answer": answer }));
        }
        if facts.len() == known {
            return answer;
        }
    }
}

/// Whether the parts that are judged stay as they are.
fn is_unchanged(case: &Value) -> bool {
    case["old"]["spec"] == case["new"]["spec"] && !case["old"].is_null()
}

fn is_deleted(case: &Value) -> bool {
    !case["new"]["metadata"]["deletionTimestamp"].is_null()
}

async fn ask(world: &World, connection: &mut Connection, path: &str, case: &Value) -> Value {
    world.put_only_profile(case["context"]["cloudProfile"].clone());
    world.owned_by(if case["context"]["imageOwnedByAli"] == false { "self" } else { "system" });
    let operation = if case["old"].is_null() { "CREATE" } else { "UPDATE" };
    let body = review(operation, &case["new"], &case["old"]).to_string();
    let reported = connection.send(Method::POST, path, body).await.unwrap();
    assert_eq!(reported.status, 200, "{}", reported.body);
    let document: Value = serde_json::from_str(&reported.body).unwrap();
    document["response"].clone()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_judges_as_the_policy_and_as_the_existing_extension_do() {
    let world = World::new();
    let running = world.start(Mode::Enforce).await;
    let mut connection = running.caller.connect().await.unwrap();
    let (mut judged, mut denied) = (0, 0);
    for case in cases() {
        let id = &case["id"];
        let reported = ask(&world, &mut connection, "/webhooks/validate", &case).await;
        let message = reported["status"]["message"].as_str().unwrap_or_default();
        let expected = eval(&case, "validate");
        if is_unchanged(&case) || is_deleted(&case) || expected["error"]["code"] == "OtherProvider" {
            assert_eq!(reported["allowed"], true, "{id}: {message}");
            continue;
        }
        judged += 1;
        if let Some(error) = expected["error"]["message"].as_str() {
            assert!(reported["allowed"] == false && message.contains(error), "{id}: {message}\n{expected}");
            continue;
        }
        assert_eq!(reported["allowed"], expected["verdict"] == "accept", "{id}: {message}\n{expected}");
        if case["panic"].is_null() {
            assert_eq!(reported["allowed"], case["allowed"], "{id}: {message}\n{}", case["message"]);
        }
        let findings = expected["findings"].as_array().unwrap();
        let (errors, warnings): (Vec<_>, Vec<_>) =
            findings.iter().partition(|finding| finding["severity"] == "error");
        for finding in &errors {
            let [rule, field] = ["rule", "field"].map(|key| finding[key].as_str().unwrap());
            assert!(
                message.contains(&format!("({rule})")) && message.contains(field),
                "{id}: {message}\n{finding}"
            );
        }
        denied += usize::from(!errors.is_empty());
        let lines = message.lines().count();
        assert_eq!(lines, if errors.len() > 1 { errors.len() + 1 } else { errors.len() }, "{id}: {message}");
        assert_eq!(reported["warnings"].as_array().map_or(0, Vec::len), warnings.len(), "{id}");
    }
    assert!(judged > 1_400 && denied > 1_200, "{judged} judged, {denied} denied");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_server_completes_as_the_policy_does() {
    let world = World::new();
    let running = world.start(Mode::Enforce).await;
    let mut connection = running.caller.connect().await.unwrap();
    let (mut changed, mut denied, mut undecided) = (0, 0, 0);
    let kinds = ["Shoot", "CloudProfile", "NamespacedCloudProfile"];
    for case in cases().into_iter().filter(|case| kinds.iter().any(|kind| case["kind"] == *kind)) {
        let id = &case["id"];
        let reported = ask(&world, &mut connection, "/webhooks/mutate", &case).await;
        let expected = eval(&case, "default");
        let stays = is_unchanged(&case) && case["old"]["status"] == case["new"]["status"];
        if stays || is_deleted(&case) || expected["error"]["code"] == "OtherProvider" {
            assert_eq!((&reported["allowed"], &reported["patch"]), (&json!(true), &Value::Null), "{id}");
            continue;
        }
        let message = reported["status"]["message"].as_str().unwrap_or_default();
        if let Some(error) = expected["error"]["message"].as_str() {
            assert!(reported["allowed"] == false && message.contains(error), "{id}: {message}\n{expected}");
            denied += 1;
        } else if expected["undecided"].as_array().is_some_and(|open| !open.is_empty()) {
            assert!(reported["allowed"] == false && message.contains("try again"), "{id}: {reported}\n{expected}");
            undecided += 1;
        } else if expected["patch"] == json!([]) {
            assert_eq!(
                (&reported["allowed"], &reported["patch"]),
                (&json!(true), &Value::Null),
                "{id}: {message}"
            );
        } else {
            let patch =
                BASE64_STANDARD.decode(reported["patch"].as_str().unwrap_or_else(|| panic!("{id}: {reported}")));
            let patch: Value = serde_json::from_slice(&patch.unwrap()).unwrap();
            assert_eq!(patch, expected["patch"], "{id}");
            changed += 1;
        }
    }
    assert!(changed > 300 && denied > 50, "{changed} changed, {denied} denied, {undecided} undecided");
}
