//! Reviews that no API server would send: wrong kinds, absent objects, other providers and versions, long texts,
//! deep lists, no UTF-8.

use fastrand::Rng;
use serde_json::{Value, json};

/// The webhooks that get them, in turn.
const PATHS: [&str; 3] = ["/webhooks/validate", "/webhooks/mutate", "/webhooks/validate/secrets"];
/// Operations, most of which API servers know.
const OPERATIONS: [&str; 5] = ["CREATE", "UPDATE", "DELETE", "CONNECT", "ODD"];
/// How many bytes the longest text has. The API server stores no larger object.
const LONG: usize = 3 << 20;
/// Of so many reviews one may have such a text.
const SELDOM: usize = 50;

/// Hostile reviews for ever, the same in each run: where to send them, and the body.
pub struct Hostile {
    random: Rng,
    /// A review of a Shoot, before it is broken.
    whole: Value,
    /// What replaces parts of it.
    odd: Vec<Value>,
    long: Value,
    sent: usize,
}

impl Default for Hostile {
    /// From their beginning.
    fn default() -> Self {
        let shoot = json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": { "name": "s", "namespace": "garden-dev" },
            "spec": {
                "cloudProfileName": "alicloud", "region": "r", "secretBindingName": "core-alicloud",
                "provider": {
                    "type": "alicloud",
                    "infrastructureConfig": { "networks": { "zones": [{ "name": "z" }] } },
                    "workers": [{ "name": "w", "volume": {}, "machine": { "image": { "name": "i", "version": "1" } } }],
                },
            },
        });
        let mut old = shoot.clone();
        old["spec"]["region"] = json!("q");
        let version = json!({ "group": "core.gardener.cloud", "version": "v1beta1", "kind": "Shoot" });
        let whole = json!({
            "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
            "request": {
                "uid": "u", "kind": version, "name": "s", "namespace": "garden-dev", "operation": "CREATE",
                "userInfo": { "username": "somebody" }, "object": shoot, "oldObject": old, "dryRun": false, "options": null,
            },
        });
        let deep = (0..70).fold(json!(1), |deep, _| json!([deep]));
        let odd = vec![
            Value::Null,
            json!(true),
            json!(-1),
            json!(1e300),
            json!("\u{0}\u{202e}"),
            json!([]),
            json!({ "": {} }),
            json!([[], {}, null]),
            deep,
            json!("v2"),
            json!("aws"),
        ];
        Self { random: Rng::with_seed(7), whole, odd, long: "x".repeat(LONG).into(), sent: 0 }
    }
}

impl Iterator for Hostile {
    type Item = (String, Vec<u8>);

    fn next(&mut self) -> Option<Self::Item> {
        let Self { random, whole, odd, long, sent } = self;
        let mut document = whole.clone();
        document["request"]["operation"] = json!(random.choice(OPERATIONS));
        for _ in 0..random.usize(1..3) {
            let by = random.usize(..=odd.len());
            let by = odd.get(by).unwrap_or(if *sent % SELDOM == 0 { long } else { &Value::Null });
            break_at(&mut document["request"], &mut random.usize(1..70), by);
        }
        let mut body = document.to_string().into_bytes();
        if random.u8(..) < 16 {
            let at = random.usize(..body.len());
            body[at] = 0xff;
        }
        let path = format!("{}?timeout=2s", PATHS[*sent % PATHS.len()]);
        *sent += 1;
        Some((path, body))
    }
}

/// Replaces one of the values of a document, chosen by a number, by something else.
fn break_at(value: &mut Value, at: &mut usize, by: &Value) -> bool {
    if *at == 0 {
        *value = by.clone();
        return true;
    }
    *at -= 1;
    match value {
        Value::Object(members) => members.values_mut().any(|value| break_at(value, at, by)),
        Value::Array(items) => items.iter_mut().any(|value| break_at(value, at, by)),
        _ => false,
    }
}
