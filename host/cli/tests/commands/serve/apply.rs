//! The page's button: who may press it, and what it does.

#![expect(clippy::unwrap_used, reason = "the answers are our own")]

use std::fs;
use std::io::Write as _;
use std::net::TcpStream;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::program::{Started, program};
use super::served::{Answer, Built};

/// The technical id of [`shoot`].
const ID: &str = "shoot--dev--page";

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
        lines(&answer)
    }

    fn get(&self, path: &str) -> Answer {
        let answer = self.send("GET", path, &[&self.headers()[0]], "");
        assert_eq!(answer.header("cache-control"), "no-store");
        answer
    }

    /// What the page reads when it is opened.
    fn state(&self) -> Value {
        let answer = self.get("/apply/state");
        assert_eq!(answer.status, 200, "{}", answer.text());
        serde_json::from_str(answer.text()).unwrap()
    }

    /// The only network.
    fn network(&self) -> Value {
        let state = self.state();
        let networks = state.get("networks").and_then(Value::as_array).unwrap();
        assert_eq!(networks.len(), 1, "{state}");
        networks.first().unwrap().clone()
    }

    /// The events of the last run of a network.
    fn followed(&self, id: &str) -> Vec<Value> {
        lines(&self.get(&format!("/apply/run/{id}")))
    }
}

fn lines(answer: &Answer) -> Vec<Value> {
    answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
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

/// An example of the repository, as the page sends it.
fn example(name: &str) -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples").join(name);
    let (_, roots) = trellis_policies::source::read(name, &fs::read(file).unwrap()).unwrap();
    serde_json::from_str(&roots.first().unwrap().to_json()).unwrap()
}

#[test]
fn a_network_is_applied_shown_and_taken_down() {
    let site = Site::new();
    assert_eq!(site.state()["networks"], json!([]));
    let events = site.apply(&shoot(), "reconcile");
    let started = json!({ "event": "started", "id": ID, "shoot": "garden-dev/page", "operation": "reconcile" });
    assert_eq!(events[0], started);
    let of = |kind: &str| events.iter().filter(|event| event["event"] == kind).count();
    assert!(of("stepStarted") > 5 && of("stepStarted") == of("stepDone"), "{events:?}");
    let result = events.last().unwrap();
    assert_eq!((&result["event"], &result["ending"]["kind"]), (&json!("result"), &json!("done")), "{result}");
    assert_eq!(result["status"]["egressCIDRs"].as_array().map(Vec::len), Some(1));
    assert!(result["inventory"].to_string().contains("shoot--dev--page-vpc"), "{result}");
    let network = site.network();
    assert_eq!((&network["id"], &network["shoot"]), (&json!(ID), &json!("garden-dev/page")));
    assert_eq!(network["manifests"], json!([shoot()]));
    assert_eq!(network["lastRun"], json!({ "operation": "reconcile", "ending": "done" }));
    assert_eq!(network["resources"], 7);
    assert!(network["state"]["VPC"].as_str().unwrap().starts_with("vpc-"));
    let again = site.apply(&shoot(), "reconcile");
    assert!(again.iter().all(|event| event["event"] != "stepStarted"), "{again:?}");
    let gone = site.apply(&shoot(), "delete");
    assert!(!gone.last().unwrap()["inventory"].to_string().contains("shoot--dev--page"), "{gone:?}");
    let network = site.network();
    assert_eq!(network["manifests"], json!([]));
    assert_eq!(network["lastRun"], json!({ "operation": "delete", "ending": "done" }));
}

#[test]
fn a_run_belongs_to_the_program_so_that_every_tab_can_follow_it() {
    let site = Site::new();
    thread::scope(|scope| {
        let first = scope.spawn(|| site.apply(&shoot(), "reconcile"));
        // Another tab finds the run while the run goes on.
        let deadline = Instant::now() + Duration::from_mins(1);
        while site.state()["running"] != ID {
            assert!(Instant::now() < deadline && !first.is_finished(), "nobody saw the run");
            thread::sleep(Duration::from_millis(5));
        }
        assert_eq!(site.network()["lastRun"], json!({ "operation": "reconcile", "ending": null }));
        assert_eq!(site.post(&json!({ "manifests": [shoot()], "operation": "delete" }).to_string()).status, 409);
        let second = site.followed(ID);
        assert_eq!(second, first.join().unwrap());
    });
    assert_eq!(site.state()["running"], Value::Null);
    assert_eq!(site.followed(ID).last().unwrap()["ending"]["kind"], "done");
    assert_eq!(site.get("/apply/run/shoot--dev--other").status, 404);
}

#[test]
fn all_networks_are_listed_and_each_is_destroyed_alone() {
    let site = Site::new();
    let mut other = shoot();
    other["metadata"]["name"] = json!("another");
    for shoot in [&shoot(), &other] {
        site.apply(shoot, "reconcile");
    }
    site.apply(&other, "delete");
    let state = site.state();
    let listed: Vec<_> = state["networks"].as_array().unwrap().iter().collect();
    assert_eq!(listed[0]["shoot"], "garden-dev/another");
    assert_eq!(listed[0]["manifests"], json!([]));
    assert_eq!(listed[1]["manifests"], json!([shoot()]));
}

#[test]
fn a_refused_edit_leaves_what_was_applied() {
    let site = Site::new();
    site.apply(&shoot(), "reconcile");
    let mut moved = shoot();
    moved["spec"]["provider"]["infrastructureConfig"]["networks"]["vpc"]["cidr"] = json!("10.0.0.0/8");
    let events = site.apply(&moved, "reconcile");
    assert_eq!(events.last().unwrap()["ending"]["kind"], "refused", "{events:?}");
    let network = site.network();
    assert_eq!(network["manifests"], json!([shoot()]));
    assert_eq!(network["lastRun"]["ending"], "refused");
}

#[test]
fn the_examples_with_a_vpc_of_their_own_can_be_applied() {
    for name in ["existing-vpc-own-eip.yaml", "existing-vpc-managed-nat.yaml"] {
        let site = Site::new();
        let given = site.state()["given"].clone();
        let shoot = example(name);
        let networks = &shoot["spec"]["provider"]["infrastructureConfig"]["networks"];
        assert!(given.as_array().unwrap().contains(&networks["vpc"]["id"]), "{given}");
        let events = site.apply(&shoot, "reconcile");
        assert_eq!(events.last().unwrap()["ending"]["kind"], "done", "{name}: {events:?}");
        let events = site.apply(&shoot, "delete");
        assert_eq!(events.last().unwrap()["ending"]["kind"], "done", "{name}: {events:?}");
    }
}

#[test]
fn what_is_kept_of_a_network_has_no_secrets() {
    let site = Site::new();
    let secret = |kind: &str| json!({ "kind": kind, "metadata": { "name": kind }, "data": { "a": "hunter2" } });
    let inner = json!({ "kind": "List", "items": [secret("InternalSecret"), shoot()] });
    let list = json!({ "apiVersion": "v1", "kind": "List", "items": [secret("Secret"), inner] });
    let answer = site.post(&json!({ "manifests": [list], "operation": "reconcile" }).to_string());
    assert_eq!(answer.status, 200, "{}", answer.text());
    assert_eq!(site.network()["manifests"], json!([shoot()]));
    assert!(!site.state().to_string().contains("hunter2"));
    assert!(!site.get(&format!("/apply/run/{ID}")).text().contains("hunter2"));
}

#[test]
fn what_rules_refuse_is_a_result_and_what_is_no_shoot_an_error() {
    let site = Site::new();
    let mut broken = shoot();
    broken["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"][0]["workers"] = "10.9.0.0/19".into();
    let events = site.apply(&broken, "reconcile");
    assert_eq!((events.len(), &events[1]["ending"]["kind"]), (2, &json!("refused")));
    assert!(events[1]["findings"][0]["rule"].is_string(), "{events:?}");
    let events = site.apply(&json!({ "kind": "ConfigMap" }), "reconcile");
    assert_eq!((events.len(), &events[0]["event"]), (1, &json!("error")));
    assert!(events[0]["message"].as_str().unwrap().contains("give a Shoot"), "{events:?}");
    assert_eq!(site.network()["manifests"], json!([]));
}

#[test]
fn only_the_page_itself_may_read() {
    let site = Site::new();
    let [host, origin, _] = site.headers();
    for path in ["/apply/state", "/apply/run/shoot--dev--page"] {
        for (headers, may) in [
            ([&*host].as_slice(), true),
            (&[&host, &origin, "Sec-Fetch-Site: same-origin"], true),
            (&[&host, "Sec-Fetch-Site: none"], true),
            (&[&host, "Sec-Fetch-Site: cross-site"], false),
            (&[&host, "Sec-Fetch-Site: same-site"], false),
            (&[&host, "Origin: http://127.0.0.1:1"], false),
            (&[&host, "Origin: null"], false),
        ] {
            let answer = site.send("GET", path, headers, "");
            assert_eq!(answer.status != 403, may, "{path} {headers:?}");
            assert_eq!(answer.header("cache-control"), "no-store");
        }
    }
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
