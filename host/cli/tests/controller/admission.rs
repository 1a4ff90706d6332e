//! `trellis admission` as a process, with the policies in the sandbox: reviews over TLS, and its end.

#[cfg(target_os = "linux")]
mod hostile;
mod load;
mod mistakes;
mod modes;
mod replicas;
pub mod stage;
mod verdicts;

use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use hyper::body::Bytes;
use rustix::process::Signal;
use serde_json::{Value, json};

use crate::process::Trellis;
use crate::support::reviewer::{Reviewer, certify};
use crate::wait::{LIMIT, until};

/// Nobody listens there: what is judged here needs no garden.
const KUBECONFIG: &str = "
apiVersion: v1
kind: Config
current-context: none
contexts: [{ name: none, context: { cluster: none, user: none } }]
clusters: [{ name: none, cluster: { server: 'http://127.0.0.1:1' } }]
users: [{ name: none, user: {} }]
";

const VALIDATE: &str = "/webhooks/validate";

fn review() -> Bytes {
    review_of(&json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot", "metadata": { "name": "s", "namespace": "garden-a" },
        "spec": { "provider": { "type": "alicloud", "workers": [{ "name": "a" }] } },
    }))
}

/// A review of a new Shoot.
fn review_of(shoot: &Value) -> Bytes {
    let review = json!({
        "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview",
        "request": {
            "uid": "u", "operation": "CREATE", "object": shoot,
            "kind": { "group": "core.gardener.cloud", "version": "v1beta1", "kind": "Shoot" },
        },
    });
    review.to_string().into()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_program_answers_every_review_until_it_has_ended() {
    let folder = tempfile::tempdir().unwrap();
    let certificate = certify(folder.path());
    std::fs::write(folder.path().join("kubeconfig"), KUBECONFIG).unwrap();
    let own = format!("--webhook-config-cert-dir={}", folder.path().display());
    let kubeconfig = folder.path().join("kubeconfig");
    let mut trellis = Trellis::start_admission(
        &kubeconfig,
        &[&own, "--webhook-config-server-port=0", "--shutdown-delay-seconds=2"],
    )
    .await;
    let reviewer = Reviewer::new(&certificate, trellis.webhooks());
    let reported = reviewer.connect().await.unwrap().send(VALIDATE, review()).await;
    assert!(reported.response["allowed"] == false && !reported.is_last, "{}", reported.response);
    let message = reported.response["status"]["message"].as_str().unwrap();
    assert!(message.contains("(ALI-SHOOT-003)"), "{message}");
    assert_eq!(trellis.health("/readyz").await.0, 200);

    let (answered, has_ended) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicBool::new(false)));
    let clients: Vec<_> = (0..4)
        .map(|_| {
            let (reviewer, answered, has_ended) =
                (reviewer.clone(), Arc::clone(&answered), Arc::clone(&has_ended));
            tokio::spawn(async move {
                while let Some(mut connection) = reviewer.connect().await {
                    while !connection.send(VALIDATE, review()).await.is_last {
                        answered.fetch_add(1, Ordering::Relaxed);
                    }
                }
                has_ended.store(true, Ordering::Relaxed);
            })
        })
        .collect();
    until("reviews are answered", LIMIT, async || (answered.load(Ordering::Relaxed) > 50).then_some(())).await;
    trellis.signal(Signal::TERM);
    let unready = until("it is not ready", LIMIT, async || {
        Some(trellis.health("/readyz").await).filter(|reported| reported.0 == 503)
    });
    assert_eq!(unready.await.1, "not ready: webhooks\n");
    // Who has not heard of that yet is answered.
    assert!(!has_ended.load(Ordering::Relaxed));
    let status = trellis.exit().await;
    assert!(status.success(), "{status}: {:#?}", trellis.log());
    for client in clients {
        client.await.unwrap();
    }
    assert!(TcpStream::connect(trellis.webhooks()).is_err());
}
