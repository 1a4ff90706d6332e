//! Traces of a reconcile: a controller, an API server and a receiver of traces in this process, and a cloud on
//! loopback.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "tests may panic, the inputs are our own")]

mod api;
mod cloud;
mod receiver;
mod stage;

use opentelemetry_proto::tonic::trace::v1::status::StatusCode;
use serde_json::{Value, json};
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET};

use crate::cloud::Site;
use crate::receiver::{Receiver, Spans};
use crate::stage::{Stage, messages};

/// Whether a span of this name is below a span of that name.
fn is_below(spans: &Spans, name: &str, parent: &str) -> bool {
    spans.named(name).any(|span| spans.parent(span).is_some_and(|found| found.name == parent))
}

#[tokio::test]
async fn a_receiver_gets_the_spans_of_a_reconcile_below_each_other_and_no_secret() {
    let receiver = Receiver::start(200).await;
    let stage = Stage::new(Site::new());
    let ran = stage.reconcile(Some(&receiver.url)).await;
    assert_eq!(ran.object["status"]["lastOperation"]["state"], "Succeeded", "{}", ran.log);

    let spans = receiver.spans();
    let roots: Vec<_> = spans.all.iter().filter(|span| span.parent_span_id.is_empty()).collect();
    assert_eq!(roots.iter().map(|span| span.name.as_str()).collect::<Vec<_>>(), ["reconcile"]);
    for (key, value) in [
        ("kind", "Infrastructure"),
        ("namespace", stage::NAMESPACE),
        ("name", stage::NAME),
        ("uid", "uid-of-the-infrastructure"),
        ("operation", "Create"),
        ("outcome", "Done"),
    ] {
        assert_eq!(receiver::text(roots[0], key).as_deref(), Some(value), "{key}");
    }
    for span in &spans.all {
        assert_eq!(span.trace_id, roots[0].trace_id);
        assert!(span.parent_span_id.is_empty() || spans.parent(span).is_some(), "{span:?}");
    }
    for (name, parent) in [
        ("write metadata", "reconcile"),
        ("write status", "reconcile"),
        ("write event", "reconcile"),
        ("observe", "reconcile"),
        ("policy plan", "observe"),
        ("vpc DescribeVpcs", "observe"),
        ("apply", "reconcile"),
        ("step", "apply"),
        ("vpc CreateVpc", "step"),
        ("policy status", "reconcile"),
    ] {
        let names: Vec<_> = spans.all.iter().map(|span| &span.name).collect();
        assert!(is_below(&spans, name, parent), "{name} below {parent}: {names:?}");
    }
    assert_eq!(receiver::text(spans.named("observe").next().unwrap(), "round").as_deref(), Some("IntValue(1)"));
    let call = spans.named("vpc CreateVpc").next().unwrap();
    assert_eq!(receiver::text(call, "service").as_deref(), Some("vpc"));
    assert_eq!(receiver::text(call, "action").as_deref(), Some("CreateVpc"));
    assert_eq!(receiver::service(&receiver.requests()).as_deref(), Some("provider-alicloud"));

    // Credentials, parameters of calls, ids of the cloud, and what the object says.
    let (sent, vpc) = (receiver.text(), ran.vpc());
    assert!(sent.contains("uid-of-the-infrastructure"));
    for secret in [ACCESS_KEY_SECRET, ACCESS_KEY, "10.250.", vpc.as_str(), "InfrastructureConfig", "cloudprovider"]
    {
        assert!(!secret.is_empty() && !sent.contains(secret), "{secret}");
    }
}

#[tokio::test]
async fn what_fails_has_the_code_of_its_error_and_not_its_message() {
    let receiver = Receiver::start(200).await;
    let site = Site::new();
    site.order(json!({
        "action": "vpc:CreateVSwitch",
        "fault": { "kind": "error", "code": "QuotaExceeded.CANARY", "status": 400 },
    }));
    let ran = Stage::new(site).reconcile(Some(&receiver.url)).await;
    assert_eq!(ran.object["status"]["lastOperation"]["state"], "Error", "{}", ran.log);
    let (spans, failed) = (receiver.spans(), i32::from(StatusCode::Error));
    for (name, code) in
        [("vpc CreateVSwitch", "QuotaExceeded.CANARY"), ("step", "Failed"), ("reconcile", "Failed")]
    {
        let is_reported = |span: &_| receiver::text(span, "error.type").as_deref() == Some(code);
        let span = spans.named(name).find(|span| is_reported(span)).unwrap_or_else(|| panic!("{name}"));
        let status = span.status.as_ref().unwrap();
        assert_eq!((status.code, status.message.as_str()), (failed, ""), "{name}");
        assert!(span.events.is_empty(), "{name}: {:?}", span.events);
    }
}

#[tokio::test]
async fn a_receiver_that_is_down_or_refuses_changes_nothing_and_is_reported_once() {
    let alone = Stage::new(Site::new()).reconcile(None).await;
    let refusing = Receiver::start(503).await;
    for (url, why) in [
        (Receiver::down().await, "nobody listens there"),
        (refusing.url.clone(), "it answers with HTTP status 503"),
    ] {
        let ran = Stage::new(Site::new()).reconcile(Some(&url)).await;
        let state = |object: &Value| object["status"]["lastOperation"]["description"].clone();
        assert_eq!(state(&ran.object), state(&alone.object), "{}", ran.log);
        let (lost, rest): (Vec<_>, Vec<_>) =
            messages(&ran.log).into_iter().partition(|line| line["msg"].as_str().unwrap().contains("traces"));
        let reported: Vec<_> = lost.iter().map(|line| (line["level"].as_str().unwrap(), &line["msg"])).collect();
        let expected = [
            ("warn", &json!(format!("traces are lost: {why}"))),
            ("warn", &json!("the last traces were not sent")),
        ];
        assert!(reported == expected[..1] || reported == expected, "{reported:?}");
        assert_eq!(rest, messages(&alone.log));
    }
    assert!(refusing.requests().len() > 1, "a batch is sent once more");
}
