//! The form of the state in `status.state`, as policies say it.

use std::sync::Arc;
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};
use tokio::time::Instant;
use trellis_policies::engine::{Asker, Engine, Native, PolicyThreads};
use trellis_runner::document::State;
use trellis_runner::run::form::PolicyForm;
use trellis_runner::state::object::Form;
use trellis_testing::engine::FakeEngine;

const API_VERSION: &str = "alicloud.provider.extensions.gardener.cloud/v1alpha1";

fn request(status: &Value) -> Box<RawValue> {
    let request = json!({ "operation": "reconcile", "infrastructure": {
        "metadata": { "name": "bar", "namespace": "shoot--dev--bar", "uid": "1" },
        "spec": { "providerConfig": { "networks": { "zones": [{ "name": "a" }] } } },
        "status": status,
    } });
    RawValue::from_string(request.to_string()).unwrap()
}

fn form_of(engine: impl Engine + 'static, request: &RawValue) -> PolicyForm {
    PolicyForm::new(Asker::new(Arc::new(engine), "alicloud", PolicyThreads::default()), request).unwrap()
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(9)
}

fn state(entries: &[(&str, &str)]) -> State {
    entries.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

#[tokio::test]
async fn the_document_of_the_object_is_read_whatever_the_request_has() {
    let flow = |data: Value| json!({ "kind": "FlowState", "apiVersion": API_VERSION, "data": data });
    let terraform = json!({ "outputs": { "vpc_id": { "value": "v" } }, "resources": [] }).to_string();
    let cached = flow(json!({ "VPC": "of somebody who read it before" }));
    for status in [Value::Null, json!({}), json!({ "state": cached, "conditions": [] })] {
        let form = form_of(Native, &request(&status));
        for (document, wanted) in [
            (
                flow(json!({ "VPC": "v", "Unknown/x": "y", "Empty": "" })),
                state(&[("Unknown/x", "y"), ("VPC", "v")]),
            ),
            (flow(json!({})), State::new()),
            (
                json!({ "data": terraform, "encoding": "none" }),
                state(&[("MigratedFromTerraform", "true"), ("VPC", "v"), ("Zones/a/Suffix", "z0")]),
            ),
        ] {
            let found = form.read(&document, soon()).await.unwrap();
            assert_eq!(found, wanted, "{document}");
            let written = form.write(&found, soon()).await.unwrap();
            assert_eq!(Value::Object(written), flow(serde_json::to_value(&wanted).unwrap()), "{document}");
        }
        for (document, words) in [
            (json!({ "kind": "Other", "apiVersion": API_VERSION }), "unknown kind or group"),
            (flow(json!({ "VPC": 1 })), "`VPC` is a number"),
        ] {
            let error = form.read(&document, soon()).await.unwrap_err().to_string();
            assert!(error.contains(words), "{document}: {error}");
        }
    }
}

#[test]
fn a_request_without_an_object_has_no_place_for_the_state() {
    let asker = || Asker::new(Arc::new(Native), "alicloud", PolicyThreads::default());
    for member in ["infrastructure", "backupBucket", "backupEntry", "dnsRecord", "bastion"] {
        let request = RawValue::from_string(json!({ member: {} }).to_string()).unwrap();
        assert!(PolicyForm::new(asker(), &request).is_ok(), "{request}");
    }
    for request in [r#"{"cluster":{"shoot":{}}}"#, r#"{"infrastructure":null}"#, "[]"] {
        let request = RawValue::from_string(request.to_owned()).unwrap();
        assert!(PolicyForm::new(asker(), &request).is_err(), "{request}");
    }
}

#[tokio::test]
async fn the_document_of_every_kind_of_object_is_read() {
    for member in ["backupBucket", "backupEntry", "dnsRecord", "bastion"] {
        let policy = FakeEngine::new(&[], move |_, _, request| {
            let request: Value = serde_json::from_str(request).unwrap();
            json!({ "state": request["request"][member]["status"]["state"] }).to_string()
        });
        let request = RawValue::from_string(json!({ member: { "metadata": {} } }).to_string()).unwrap();
        let document = json!({ "kind": "SomeState", "data": { "Bucket": "b" } });
        let found = form_of(policy, &request).read(&document, soon()).await.unwrap();
        assert_eq!(found, state(&[("Bucket", "b")]), "{member}");
    }
}

#[tokio::test]
async fn an_answer_that_is_no_document_with_texts_is_an_error() {
    for (answer, words) in [
        (r#"{"state":{"kind":"FlowState"}}"#, "missing field `data`"),
        (r#"{"state":{"data":{"VPC":1}}}"#, "invalid type"),
        (r#"{"state":{"data":{"VPC":{"a":"b"}}}}"#, "invalid type"),
        (r#"{"state":[]}"#, "is not a document"),
        (r#"{"state":null}"#, "is not a document"),
        ("{}", "missing field `state`"),
        (r#"{"error":{"code":"Malformed","message":"the request is odd"}}"#, "the request is odd"),
    ] {
        let policy = FakeEngine::new(&[], move |_, _, _| answer.to_owned());
        let form = form_of(policy, &request(&json!({})));
        let read = form.read(&json!({}), soon()).await.unwrap_err().to_string();
        let written = form.write(&State::new(), soon()).await.unwrap_err().to_string();
        assert!(read.contains(words) && written.contains(words), "{answer}: {read}; {written}");
    }
}
