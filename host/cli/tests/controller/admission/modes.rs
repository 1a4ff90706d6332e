//! What becomes of Shoots at Gardener's own API server, in each mode.

use serde_json::{Value, json};

use super::stage::{Person, Stage, broken, good};
use crate::process::Trellis;
use crate::wait::{LIMIT, until};

/// What people read of the three mistakes of [`broken`].
const MISTAKES: [&str; 3] = [
    "networks.zones[0].workers: Invalid value: \"10.250.1.0/19\": must be valid canonical CIDR (ALI-INF-003). \
     Write the first address of the range: `10.250.0.0/19`",
    "networks.zones[1].workers: Invalid value: \"10.250.128.0/19\": must be a subset of \"networking.nodes\" \
     (\"10.250.0.0/17\") (ALI-INF-007). Choose a range within `10.250.0.0/17`",
    "networking.pods: Invalid value: \"10.250.192.0/18\": must not overlap with \"networks.vpc.cidr\" \
     (\"10.250.0.0/16\") (ALI-INF-016). Choose `pods` and `services` outside of the VPC's range, for example in `172.16.0.0/12`",
];

/// What is wrong with [`another_range`].
const FURTHER: [&str; 2] = [
    "spec.provider.infrastructureConfig.networks.zones[1].workers: Invalid value: \"10.250.32.1/19\": field is immutable (ALI-INFU-006). \
     Restore `name: eu-central-1b`, `workers: 10.250.128.0/19`; add further zones behind the existing ones",
    "networks.zones[1].workers: Invalid value: \"10.250.32.1/19\": must be valid canonical CIDR (ALI-INF-003). \
     Write the first address of the range: `10.250.32.0/19`",
];

/// The message of a refusal.
fn refused(mistakes: &[&str]) -> String {
    let head = "admission webhook \"validator.admission-alicloud.extensions.gardener.cloud\" denied the request: ";
    match mistakes {
        [one] => format!("{head}{one}"),
        all => format!("{head}{} errors\n- {}", all.len(), all.join("\n- ")),
    }
}

/// Starts admission in a mode, and waits until the API server asks it about new Shoots.
async fn start(stage: &Stage, mode: &str) -> Trellis {
    let trellis = stage.admission(None, &["--mode", mode, "--shutdown-delay-seconds=0"]).await;
    let (person, shoot) = (stage.person(), broken("asked"));
    until("admission is asked", LIMIT, async || {
        let reported = person.dry_run(&shoot).await;
        [&reported.warnings.concat(), reported.refusal()].iter().any(|text| text.contains("ALI-")).then_some(())
    })
    .await;
    trellis
}

fn purpose(purpose: &str) -> Value {
    json!({ "spec": { "purpose": purpose } })
}

/// Another range of the second zone, which is a further mistake.
fn another_range() -> Value {
    let mut networks = broken("old")["spec"]["provider"]["infrastructureConfig"]["networks"].take();
    networks["zones"][1]["workers"] = json!("10.250.32.1/19");
    json!({ "spec": { "provider": { "infrastructureConfig": { "networks": networks } } } })
}

/// People who have a broken Shoot can delete it, and the controller that cleans up after it can remove the
/// finalizer.
async fn a_broken_shoot_can_go(person: &Person, name: &str) {
    let annotations = json!({ "confirmation.gardener.cloud/deletion": "true" });
    let reported = person.patch(name, &json!({ "metadata": { "annotations": annotations } })).await;
    assert_eq!(reported.code, 200, "{reported:?}");
    assert_eq!(person.delete(name).await.code, 200);
    let reported = person.get(name).await;
    assert!(reported.object["metadata"]["deletionTimestamp"].is_string(), "{reported:?}");
    let reported = person.patch(name, &json!({ "metadata": { "finalizers": null } })).await;
    assert_eq!(reported.code, 200, "{reported:?}");
    assert_eq!(person.get(name).await.code, 404);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn gardeners_api_server_refuses_warns_and_completes_as_the_mode_says() {
    let stage = Stage::new().await;
    let person = stage.person();
    // Shoots with mistakes, from before there was admission.
    for name in ["old", "leaving"] {
        assert_eq!(person.create(&broken(name)).await.code, 201);
        let reported = person.patch(name, &json!({ "metadata": { "finalizers": ["gardener"] } })).await;
        assert_eq!(reported.code, 200, "{reported:?}");
    }

    let trellis = start(&stage, "enforce").await;
    assert_eq!(person.dry_run(&broken("new")).await.refusal(), refused(&MISTAKES));
    let reported = person.dry_run(&good("new")).await;
    assert!(reported.code == 201 && reported.warnings.is_empty(), "{reported:?}");
    let completed = &reported.object["spec"]["provider"]["controlPlaneConfig"]["csi"]["enableADController"];
    assert_eq!(*completed, true, "{reported:?}");
    assert_eq!(person.patch("old", &purpose("testing")).await.refusal(), refused(&MISTAKES));
    a_broken_shoot_can_go(&person, "leaving").await;
    trellis.end().await;

    let trellis = start(&stage, "ratchet").await;
    assert_eq!(
        person.dry_run(&broken("new")).await.refusal(),
        refused(&MISTAKES),
        "nothing is stored of this one"
    );
    let reported = person.patch("old", &purpose("testing")).await;
    assert_eq!((reported.code, reported.warnings), (200, MISTAKES.map(str::to_owned).to_vec()));
    let reported = person.patch("old", &another_range()).await;
    assert_eq!(reported.refusal(), refused(&FURTHER), "of what was there before it only warns");
    assert_eq!(reported.warnings, [MISTAKES[0], MISTAKES[2]]);
    trellis.end().await;

    let trellis = start(&stage, "warn").await;
    let with_number = [&["3 errors".to_owned()], &MISTAKES.map(|mistake| format!("- {mistake}"))[..]].concat();
    let reported = person.create(&broken("new")).await;
    assert_eq!((reported.code, reported.warnings), (201, with_number.clone()));
    let reported = person.patch("new", &purpose("testing")).await;
    assert_eq!((reported.code, reported.warnings), (200, with_number));
    let reported = person.patch("old", &another_range()).await;
    assert_eq!((reported.code, reported.warnings[0].as_str()), (200, "4 errors"));
    assert_eq!(person.dry_run(&good("another")).await.warnings, [""; 0]);
    trellis.end().await;
}
