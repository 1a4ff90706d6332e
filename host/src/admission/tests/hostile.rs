//! Reviews that no API server would send.

use hyper::Method;
use serde_json::{Value, json};

use super::world::World;
use crate::admission::Mode;
use crate::webhook::testing::review;

/// So many reviews; each is answered within a second or two of a slow machine.
const REVIEWS: usize = 2_000;

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

#[tokio::test]
async fn each_hostile_review_is_answered_and_the_server_goes_on() {
    let world = World::new();
    world.put_only_profile(
        json!({ "kind": "CloudProfile", "metadata": { "name": "alicloud" }, "spec": { "type": 5 } }),
    );
    let running = world.start(Mode::Enforce).await;
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
    let mut deep = json!(1);
    for _ in 0..70 {
        deep = json!([deep]);
    }
    let long = "x".repeat(1 << 20);
    let odd = [
        Value::Null,
        json!(true),
        json!(-1),
        json!(1e300),
        json!("\u{0}\u{202e}"),
        json!([]),
        json!({ "": {} }),
        json!([[], {}, null]),
        deep,
        json!(long),
        json!("v2"),
        json!("aws"),
    ];
    let paths = ["/webhooks/validate", "/webhooks/mutate", "/webhooks/validate/secrets"];
    let mut random = fastrand::Rng::with_seed(7);
    let mut connection = running.caller.connect().await.unwrap();
    for at in 0..REVIEWS {
        let operation = ["CREATE", "UPDATE", "DELETE", "CONNECT", "ODD"][random.usize(..5)];
        let mut old = shoot.clone();
        old["spec"]["region"] = json!("q");
        let mut document = review(operation, &shoot, &old);
        for _ in 0..random.usize(1..3) {
            // A long text now and then is enough.
            let by = &odd[random.usize(..odd.len())];
            let by = if *by == json!(long) && at % 10 > 0 { &odd[0] } else { by };
            break_at(&mut document["request"], &mut random.usize(1..70), by);
        }
        let mut body = document.to_string().into_bytes();
        if random.u8(..) < 16 {
            let at = random.usize(..body.len());
            body[at] = 0xff;
        }
        let path = format!("{}?timeout=2s", paths[at % paths.len()]);
        let told = match connection.send(Method::POST, &path, body.clone()).await {
            Ok(told) => told,
            Err(error) => panic!("{error}: {:.2000}", String::from_utf8_lossy(&body)),
        };
        assert!([200, 400].contains(&told.status), "{told:?}");
        assert!(!told.body.contains("broke off"), "{:.2000}\n{}", String::from_utf8_lossy(&body), told.body);
        if told.is_last {
            connection = running.caller.connect().await.unwrap();
        }
    }
    let told = running.caller.review(paths[1], &review("DELETE", &Value::Null, &shoot)).await;
    assert_eq!(told["allowed"], true);
}
