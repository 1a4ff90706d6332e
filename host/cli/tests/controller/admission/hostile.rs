//! Reviews that no API server would send do the process no harm.

use serde_json::json;

use crate::process::Trellis;
use crate::support::garden::Garden;
use crate::support::reviewer::{Reviewer, certify};
use trellis_testing::reviews::Hostile;

const PROFILES: &str = "apis/core.gardener.cloud/v1beta1/cloudprofiles";

/// The calls of policies, by function and more.
const CALLS: &str = "trellis_policy_calls_total{";
/// The least of them.
const CALLED: f64 = 1_000.0;
/// After so many, the process has all the memory that it needs.
const FIRST: usize = 1_000;
const ALL: usize = 10_000;
/// By how much its memory may differ then, in KiB: what one large review takes with its copies comes and goes.
const MORE: u64 = 16 << 10;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn ten_thousand_hostile_reviews_are_answered_by_one_process_whose_memory_stays() {
    let garden = Garden::new(&[PROFILES]);
    garden.add(PROFILES, json!({ "metadata": { "name": "alicloud" }, "spec": { "type": 5 } }));
    let folder = tempfile::tempdir().unwrap();
    let certificate = certify(folder.path());
    let own = format!("--webhook-config-cert-dir={}", folder.path().display());
    let arguments =
        [&own, "--webhook-config-server-port=0", "--policy-config-map-namespace=", "--shutdown-delay-seconds=0"];
    let trellis = Trellis::start_admission(&garden.kubeconfig(), &arguments).await;
    let reviewer = Reviewer::new(&certificate, trellis.webhooks());
    let mut connection = reviewer.connect().await.unwrap();
    let (mut verdicts, mut before) = ([0; 3], 0);
    for (at, (path, body)) in Hostile::default().take(ALL).enumerate() {
        let reported = connection.post(&path, body.into()).await;
        let text = String::from_utf8_lossy(&reported.body);
        assert!(!text.contains("broke off") && !text.contains("panic"), "{text}");
        let verdict = match reported.status.as_u16() {
            400 => 0,
            200 if text.contains(r#""allowed":true"#) => 1,
            200 => 2,
            status => panic!("{status}: {text}"),
        };
        verdicts[verdict] += 1;
        if reported.is_last {
            connection = reviewer.connect().await.unwrap();
        }
        if at == FIRST {
            before = trellis.memory().0;
        }
    }
    assert!(verdicts.iter().all(|count| *count > ALL / 100), "{verdicts:?}");
    let called: f64 =
        trellis.scrape().await.iter().filter(|(name, _)| name.starts_with(CALLS)).map(|(_, count)| count).sum();
    assert!(called > CALLED, "the policy was asked {called} times");
    let (after, peak) = trellis.memory();
    println!(
        "{verdicts:?}: unreadable, admitted, refused; {called} calls of the policy; {before} KiB, then {after} KiB, at most {peak} KiB"
    );
    assert!(after <= before + MORE, "{before} KiB, then {after} KiB");
    trellis.end().await;
}
