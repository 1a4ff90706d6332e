//! What is secret stays in the object and its patch.

use serde_json::{Value, json};
use trellis_core::text::base64;
use trellis_tests::mutations::mutate;

const CANARY: &str = "CANARY-b5e0";

/// The parts of an answer that people read.
fn reported(answer: &Value) -> String {
    ["error", "findings", "undecided", "changes"].map(|part| answer[part].to_string()).concat()
}

fn assert_hidden(request: &Value) {
    let answer = mutate(request);
    for text in [CANARY.to_owned(), base64::encode(CANARY.as_bytes())] {
        assert!(!reported(&answer).contains(&text), "{answer}");
    }
}

#[test]
fn no_message_has_a_value_of_a_secret() {
    let encoded = base64::encode(CANARY.as_bytes());
    let wrong = format!("%{CANARY}");
    for data in [
        json!({ "accessKeyID": encoded, "accessKeySecret": encoded }),
        json!({ "accessKeyID": encoded }),
        json!({ "accessKeySecret": encoded, "other": encoded }),
        json!({ "accessKeyID": wrong, "accessKeySecret": encoded }),
        json!({ "accessKeyID": [CANARY], "accessKeySecret": encoded }),
        json!({ "accessKeyID": encoded, "accessKeySecret": encoded, "credentialsFile": wrong }),
        json!(CANARY),
        json!([CANARY]),
    ] {
        let metadata = json!({ "name": "cloudprovider", "namespace": "n" });
        let object = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": metadata, "data": data });
        assert_hidden(&json!({ "webhook": "cloudprovider", "object": object }));
        let mut plain = object.clone();
        plain["stringData"] = json!({ "accessKeyID": CANARY, "credentialsFile": CANARY });
        assert_hidden(&json!({ "webhook": "cloudprovider", "object": plain }));
    }
}

#[test]
fn no_message_has_the_content_of_a_file_or_a_unit() {
    let shoot = json!({ "spec": { "kubernetes": { "version": "1.33.0" } } });
    let contents = [
        format!("{CANARY}: ["),
        format!("a: 1\n{CANARY}"),
        format!("providerID: [{CANARY}]\n"),
        format!("providerID: &{CANARY} x\n"),
        format!("kind: {CANARY}\n"),
        format!("[Service]\n{CANARY}\n"),
        format!("[{CANARY}"),
        format!("[Service]\nExecStart={CANARY}\n"),
        format!("a: *{CANARY}\n"),
        format!("%{CANARY}"),
        format!("a: !{CANARY} b\n\t- c"),
        format!("'{CANARY}"),
    ];
    for (content, encoding) in
        contents.iter().flat_map(|content| [(content, ""), (content, "b64"), (content, "x")])
    {
        let file = |path: &str| json!({ "path": path, "content": { "inline": { "data": content, "encoding": encoding } } });
        let object = json!({
            "apiVersion": "extensions.gardener.cloud/v1alpha1",
            "kind": "OperatingSystemConfig",
            "metadata": { "name": "osc", "namespace": "n" },
            "spec": {
                "purpose": "reconcile",
                "units": [{ "name": "kubelet.service", "content": content }],
                "files": [file("/var/lib/kubelet/config/kubelet"), file("/etc/sysctl.d/99-k8s-general.conf")],
            },
        });
        assert_hidden(&json!({ "webhook": "controlplane", "object": object, "cluster": { "shoot": shoot } }));
    }
}
