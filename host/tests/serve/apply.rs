//! The page's button: who may press it, and what it does.

#![expect(clippy::unwrap_used, reason = "the answers are our own")]

use std::io::Write as _;
use std::net::TcpStream;

use serde_json::{Value, json};

use crate::program::{Started, program};
use crate::served::{Answer, Built};

/// The program with a page.
struct Site {
    started: Started,
    _built: Built,
}

impl Site {
    fn new() -> Self {
        let built = Built::new();
        let started = Started::new(&mut program(&["--listen", "127.0.0.1:0"], &built.page()));
        Self { started, _built: built }
    }

    /// By the older protocol, whose answers are in one piece.
    fn send(&self, method: &str, path: &str, headers: &[&str], body: &str) -> Answer {
        let mut stream = TcpStream::connect(self.started.address()).unwrap();
        let head = [&[&*format!("{method} {path} HTTP/1.0"), "Connection: close"], headers].concat().join("\r\n");
        let request = format!("{head}\r\nContent-Length: {}\r\n\r\n{body}", body.len());
        // Who refuses early may have closed already.
        let _ = stream.write_all(request.as_bytes());
        Answer::read(&mut stream)
    }

    fn headers(&self) -> [String; 3] {
        let address = self.started.address();
        [
            format!("Host: {address}"),
            format!("Origin: http://{address}"),
            "Content-Type: application/json".to_owned(),
        ]
    }

    /// What the page sends.
    fn post(&self, body: &str) -> Answer {
        let headers = self.headers();
        self.send("POST", "/apply", &headers.each_ref().map(String::as_str), body)
    }

    /// Carries out an operation: its events.
    fn apply(&self, shoot: &Value, operation: &str) -> Vec<Value> {
        let answer = self.post(&json!({ "manifests": [shoot], "operation": operation }).to_string());
        assert_eq!(answer.status, 200, "{}", answer.text());
        assert_eq!(answer.header("content-type"), "application/x-ndjson");
        answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    fn recorded(&self) -> Value {
        let answer = self.send("GET", "/apply/state", &[&self.headers()[0]], "");
        assert_eq!(answer.status, 200, "{}", answer.text());
        serde_json::from_str(answer.text()).unwrap()
    }
}

fn shoot() -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": { "name": "page", "namespace": "garden-dev" },
        "spec": {
            "cloudProfileName": "alicloud",
            "region": "eu-central-1",
            "secretBindingName": "core-alicloud",
            "provider": {
                "type": "alicloud",
                "infrastructureConfig": {
                    "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                    "kind": "InfrastructureConfig",
                    "networks": {
                        "vpc": { "cidr": "10.250.0.0/16" },
                        "zones": [{ "name": "eu-central-1a", "workers": "10.250.0.0/19" }],
                    },
                },
                "workers": [{
                    "name": "worker",
                    "machine": { "type": "ecs.g7.large", "image": { "name": "gardenlinux", "version": "1592.9.0" } },
                    "minimum": 1, "maximum": 2, "zones": ["eu-central-1a"],
                    "volume": { "type": "cloud_essd", "size": "50Gi" },
                }],
            },
            "networking": {
                "type": "calico", "nodes": "10.250.0.0/16", "pods": "10.96.0.0/11", "services": "192.168.0.0/17",
            },
            "kubernetes": { "version": "1.33.2" },
        },
    })
}

#[test]
fn a_network_is_applied_shown_and_taken_down() {
    let site = Site::new();
    assert_eq!(site.recorded(), json!({ "manifests": [], "state": {} }));
    let events = site.apply(&shoot(), "reconcile");
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert!(of("stepStarted") > 5 && of("stepStarted") == of("stepDone"), "{events:?}");
    let result = events.last().unwrap();
    assert_eq!((&result["event"], &result["ending"]["kind"]), (&json!("result"), &json!("done")), "{result}");
    assert_eq!(result["status"]["egressCIDRs"].as_array().map(Vec::len), Some(1));
    assert!(result["inventory"].to_string().contains("shoot--dev--page-vpc"), "{result}");
    let recorded = site.recorded();
    assert_eq!(recorded["manifests"], json!([shoot()]));
    assert!(recorded["state"]["VPC"].as_str().unwrap().starts_with("vpc-"));
    let again = site.apply(&shoot(), "reconcile");
    assert!(again.iter().all(|event| event["event"] != "stepStarted"), "{again:?}");
    let gone = site.apply(&shoot(), "delete");
    assert!(!gone.last().unwrap()["inventory"].to_string().contains("shoot--dev--page"), "{gone:?}");
    assert_eq!(site.recorded()["manifests"], json!([]));
}

#[test]
fn what_is_recorded_of_the_last_run_has_no_secrets() {
    let site = Site::new();
    let secret = |kind: &str| json!({ "kind": kind, "metadata": { "name": kind }, "data": { "a": "hunter2" } });
    let inner = json!({ "kind": "List", "items": [secret("InternalSecret"), shoot()] });
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": [secret("Secret"), inner] });
    let answer = site.post(&json!({ "manifests": [list], "operation": "reconcile" }).to_string());
    assert_eq!(answer.status, 200, "{}", answer.text());
    let recorded = site.recorded();
    assert_eq!(recorded["manifests"], json!([shoot()]));
    assert!(!recorded.to_string().contains("hunter2"));
}

#[test]
fn what_rules_refuse_is_a_result_and_what_is_no_shoot_an_error() {
    let site = Site::new();
    let mut broken = shoot();
    broken["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"][0]["workers"] = "10.9.0.0/19".into();
    let events = site.apply(&broken, "reconcile");
    assert_eq!((events.len(), &events[0]["ending"]["kind"]), (1, &json!("refused")));
    assert!(events[0]["findings"][0]["rule"].is_string(), "{events:?}");
    let events = site.apply(&json!({ "kind": "ConfigMap" }), "reconcile");
    assert_eq!((events.len(), &events[0]["event"]), (1, &json!("error")));
    assert!(events[0]["message"].as_str().unwrap().contains("give a Shoot"), "{events:?}");
    assert_eq!(site.recorded()["manifests"], json!([]));
}

#[test]
fn only_the_page_itself_may_ask() {
    let site = Site::new();
    let [host, origin, json] = site.headers();
    let body = r#"{"manifests":[],"operation":"reconcile"}"#;
    for (headers, status) in [
        ([&*host, "Origin: https://example.com", &json].as_slice(), 403),
        (&[&host, "Origin: null", &json], 403),
        (&[&host, &json], 403),
        (&["Host: example.com", "Origin: http://example.com", &json], 421),
        (&[&host, &origin, "Content-Type: text/plain"], 415),
        (&[&host, &origin], 415),
    ] {
        assert_eq!(site.send("POST", "/apply", headers, body).status, status, "{headers:?}");
    }
    assert_eq!(site.send("GET", "/apply", &[&host], "").status, 405);
    assert_eq!(site.post("no JSON").status, 400);
    assert_eq!(site.post(r#"{"manifests":[],"operation":"reboot"}"#).status, 400);
    assert_eq!(site.post(&format!("\"{}\"", "x".repeat(4 << 20))).status, 413);
    // Every answer has the headers that keep a page safe.
    assert!(site.post(body).header("content-security-policy").starts_with("default-src 'self'"));
}
