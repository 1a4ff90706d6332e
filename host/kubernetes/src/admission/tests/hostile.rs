//! Reviews that no API server would send.

use hyper::Method;
use serde_json::{Value, json};
use trellis_testing::reviews::Hostile;

use super::world::World;
use crate::admission::Mode;
use crate::webhook::testing::review;

/// So many reviews; each is answered within a second or two of a slow machine.
const REVIEWS: usize = 2_000;

#[tokio::test]
async fn each_hostile_review_is_answered_and_the_server_goes_on() {
    let world = World::new();
    world.put_only_profile(
        json!({ "kind": "CloudProfile", "metadata": { "name": "alicloud" }, "spec": { "type": 5 } }),
    );
    let running = world.start(Mode::Enforce).await;
    let mut connection = running.caller.connect().await.unwrap();
    for (path, body) in Hostile::default().take(REVIEWS) {
        let reported = match connection.send(Method::POST, &path, body.clone()).await {
            Ok(reported) => reported,
            Err(error) => panic!("{error}: {:.2000}", String::from_utf8_lossy(&body)),
        };
        assert!([200, 400].contains(&reported.status), "{reported:?}");
        assert!(
            !reported.body.contains("broke off"),
            "{:.2000}\n{}",
            String::from_utf8_lossy(&body),
            reported.body
        );
        if reported.is_last {
            connection = running.caller.connect().await.unwrap();
        }
    }
    let shoot = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": { "name": "s", "namespace": "garden-dev" },
        "spec": { "provider": { "type": "alicloud" } },
    });
    let reported = running.caller.review("/webhooks/mutate", &review("DELETE", &Value::Null, &shoot)).await;
    assert_eq!(reported["allowed"], true);
}
