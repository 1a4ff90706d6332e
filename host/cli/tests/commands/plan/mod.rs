//! `trellis plan` on what a policy plans: what it reads, what it asks, what it writes.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "the inputs are our own")]

mod forms;
mod planner;

use std::fs;

use serde_json::{Value, json};
use tempfile::TempDir;
use trellis_cli::Status;

use planner::{Planner, finding};

const SHOOT: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata:
  name: crazy
  namespace: garden-dev
spec:
  cloudProfileName: acme
  region: eu-1
  provider:
    type: acme
    infrastructureConfig:
      networks: 10.0.0.0/16
";

const CLOUD_PROFILE: &str = "\
kind: CloudProfile
metadata: {name: acme}
spec:
  type: acme
  providerConfig: {images: [x]}
  machineTypes: [a lot]
";

const INFRASTRUCTURE: &str = "\
apiVersion: extensions.gardener.cloud/v1alpha1
kind: Infrastructure
metadata: {name: crazy, namespace: shoot--dev--crazy}
spec: {type: acme, region: eu-1, secretRef: {name: cloudprovider, namespace: shoot--dev--crazy}}
";

const CLUSTER: &str = "\
apiVersion: extensions.gardener.cloud/v1alpha1
kind: Cluster
metadata: {name: shoot--dev--crazy}
spec:
  cloudProfile: {spec: {providerConfig: {images: [z]}, machineTypes: [a lot]}}
  seed: {kind: Seed}
  shoot: {kind: Shoot}
";

const EXTENSION: &str = "{apiVersion: extensions.gardener.cloud/v1alpha1";
const ENTRY: &str = "\
apiVersion: extensions.gardener.cloud/v1alpha1
kind: BackupEntry
metadata: {name: shoot--dev--crazy--1}
spec: {type: acme, region: eu-1, bucketName: pail, secretRef: {name: entry, namespace: garden}}
";

fn resource(id: &str, kind: &str, action: Option<&str>) -> Value {
    json!({ "id": id, "kind": kind, "name": format!("shoot--dev--crazy-{id}"), "action": action, "needs": [] })
}

fn step(id: &str, action: &str) -> Value {
    json!({ "id": id, "call": { "service": "vpc", "action": action, "parameters": {} }, "after": [] })
}

/// A plan with a change of every kind.
fn plan() -> Value {
    let with = |mut one: Value, more: Value| {
        one.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        one
    };
    let change = |action: &str, kind: &str, id: &str, more: Value| {
        let of = json!({ "id": id, "action": action, "kind": kind, "name": format!("shoot--dev--crazy-{id}"), "steps": [] });
        with(of, more)
    };
    json!({
        "state": { "VPC": "vpc-1" },
        "resources": [
            with(resource("vpc", "VPC", Some("update")), json!({ "resourceId": "vpc-1" })),
            with(resource("natgateway", "NAT gateway", Some("replace")), json!({ "needs": ["vpc"], "billed": true })),
            with(resource("eip", "EIP", Some("create")), json!({ "billed": true })),
            with(resource("own-eip", "EIP", None), json!({ "billed": true, "foreign": true })),
            with(resource("snat", "SNAT \"entry\" <b>", Some("associate")), json!({ "needs": ["natgateway", "eip"] })),
            with(resource("old", "VSwitch", Some("delete")), json!({ "needs": ["vpc"] })),
            with(resource("group", "security group", Some("adopt")), json!({ "needs": ["vpc"] })),
        ],
        "changes": [
            change("update", "VPC", "vpc", json!({
                "resourceId": "vpc-1",
                "before": { "ipv6": "false", "tags": null, "rules": "a\nb\nc" },
                "after": { "ipv6": "true", "tags": "a=b", "rules": "a\nc\nd" },
            })),
            change("replace", "NAT gateway", "natgateway", json!({
                "resourceId": "ngw-1", "before": { "vswitch": "vsw-1" }, "after": { "vswitch": null },
                "forcesReplacement": ["vswitch"],
                "disruption": "Nodes lose their connections to the outside until the new one is there.",
            })),
            change("create", "EIP", "eip", json!({ "after": { "address": null, "bandwidth": "100" } })),
            change("associate", "SNAT \"entry\" <b>", "snat", json!({ "after": { "cidr": "10.0.0.0/19" } })),
            change("delete", "VSwitch", "old", json!({ "resourceId": "vsw-0", "before": { "cidr": "10.1.0.0/19" } })),
            change("adopt", "security group", "group", json!({ "resourceId": "sg-1" })),
        ],
        "steps": [
            step("vpc/ipv6", "ModifyVpcAttribute"), step("vpc/tags", "TagResources"),
            step("natgateway/delete", "DeleteNatGateway"), step("natgateway/create", "CreateNatGateway"),
            step("eip/create", "AllocateEipAddress"), step("snat/create", "CreateSnatEntry"),
            step("old/delete", "DeleteVSwitch"), step("group/tags", "TagResources"),
        ],
        "notes": [{ "id": "vpc", "attribute": "name", "wanted": "shoot--dev--crazy-vpc", "found": "mine" }],
    })
}

fn planner() -> Planner {
    Planner::new(json!({ "plan": plan() }))
}

#[test]
fn people_see_disruptions_first_and_then_what_changes() {
    let outcome = planner().trellis(&["plan", "--baseline", "empty"], SHOOT);
    assert_eq!((outcome.status, outcome.stderr.as_str()), (Status::Success, ""));
    insta::assert_snapshot!("human", outcome.stdout);
}

#[test]
fn a_flowchart_shows_what_stands_on_what() {
    let outcome = planner().trellis(&["plan", "--baseline", "empty", "--format", "mermaid"], SHOOT);
    insta::assert_snapshot!("mermaid", outcome.stdout);
}

#[test]
fn programs_get_the_answer_of_the_policy() {
    let outcome = planner().trellis(&["plan", "--baseline", "empty", "-o", "json"], SHOOT);
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(answer["plan"]["changes"].as_array().unwrap().len(), 6);
    assert_eq!(answer["plan"]["state"], json!({ "VPC": "vpc-1" }));
}

#[test]
fn changes_are_signalled_only_on_request() {
    let nothing = Planner::new(json!({ "plan": { "state": {}, "resources": [], "changes": [], "steps": [] } }));
    let ends = |planner: &Planner, arguments: &[&str]| {
        let outcome = planner.trellis(&[&["plan", "--baseline", "empty"], arguments].concat(), SHOOT);
        (outcome.status.code(), outcome.stdout)
    };
    assert_eq!(ends(&planner(), &[]).0, 0);
    assert_eq!(ends(&planner(), &["--detailed-exitcode"]).0, 2);
    // Where nobody asks the cloud, nothing is said to be missing there.
    for arguments in [&["--detailed-exitcode"][..], &["--detailed-exitcode", "--destroy"]] {
        let (code, reported) = ends(&nothing, arguments);
        assert_eq!(code, 0);
        assert!(reported.ends_with("No changes: there is nothing to do in the cloud.\n"), "{reported}");
    }
    // An error must not look like a change.
    assert_eq!(ends(&planner(), &["--detailed-exitcode", "--no-such-option"]).0, 1);
    assert_eq!(planner().trellis(&["plan", "--detailed-exitcode", "no-such-file"], "").status.code(), 1);
}

#[test]
fn what_forbids_a_plan_is_shown_where_the_person_wrote_it() {
    let wrong = finding("ACM-VPC-001", "networks", "/spec/provider/infrastructureConfig/networks", "is taken");
    let planner = Planner::new(json!({ "findings": [wrong], "codes": ["ERR_CONFIGURATION_PROBLEM"] }));
    let outcome = planner.trellis(&["plan", "--baseline", "empty"], SHOOT);
    assert_eq!(outcome.status.code(), 1);
    insta::assert_snapshot!("forbidden", outcome.stdout);
    let outcome = planner.trellis(&["plan", "--baseline", "empty", "-o", "json"], SHOOT);
    let answer: Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!(
        (&answer["findings"][0]["rule"], &answer["codes"][0]),
        (&json!("ACM-VPC-001"), &json!("ERR_CONFIGURATION_PROBLEM"))
    );
}

#[test]
fn a_shoot_that_would_not_be_admitted_is_not_planned() {
    let planner = planner();
    let shoot = SHOOT.replace("eu-1", "nowhere");
    let outcome = planner.trellis(&["plan", "--baseline", "empty"], &shoot);
    assert_eq!(outcome.status.code(), 1);
    assert!(
        outcome.stdout.contains("error[ACM-NET-001]: spec.region: Invalid value: \"x\": there is no such region"),
        "{}",
        outcome.stdout
    );
    assert!(planner.asked().is_empty());
    // What is wrong must not keep anybody from taking it down.
    assert_eq!(planner.trellis(&["plan", "--destroy", "--baseline", "empty"], &shoot).status.code(), 0);
    assert_eq!(planner.asked()[0]["request"]["operation"], "delete");
}

#[test]
fn a_shoot_is_asked_about_with_its_defaults_and_what_is_read_of_its_cloud_profile() {
    let planner = planner();
    planner.trellis(&["plan", "--baseline", "empty"], &format!("{CLOUD_PROFILE}---\n{SHOOT}"));
    let [asked] = planner.asked().try_into().unwrap();
    assert_eq!((&asked["baseline"], &asked["request"]["operation"]), (&json!("empty"), &json!("reconcile")));
    let cluster = &asked["request"]["cluster"];
    assert_eq!(cluster["shoot"]["spec"]["mode"], "defaulted");
    assert_eq!(cluster["cloudProfile"], json!({ "spec": { "providerConfig": { "images": ["x"] } } }));
    assert_eq!(asked["request"].get("infrastructure"), None);
}

#[test]
fn an_older_version_is_a_baseline() {
    let planner = planner();
    let folder = TempDir::new().unwrap();
    let old = folder.path().join("old.yaml");
    fs::write(&old, SHOOT.replace("10.0.0.0/16", "10.1.0.0/16")).unwrap();
    let old = old.to_str().unwrap();
    assert_eq!(planner.trellis(&["plan", "--baseline", old], SHOOT).status, Status::Success);
    let networks =
        |request: &Value| request["cluster"]["shoot"]["spec"]["provider"]["infrastructureConfig"].clone();
    let [asked] = planner.asked().try_into().unwrap();
    assert_eq!(networks(&asked["request"]), json!({ "networks": "10.0.0.0/16" }));
    assert_eq!(networks(&asked["baseline"]), json!({ "networks": "10.1.0.0/16" }));
    let other = planner.trellis(&["plan", "--baseline", old], &SHOOT.replace("crazy", "other"));
    assert_eq!(other.status.code(), 1);
    assert!(
        other.stderr.contains("the older version is of Shoot garden-dev/crazy, not of Shoot garden-dev/other")
    );
}

#[test]
fn objects_of_a_seed_are_planned_as_they_are() {
    let planner = planner();
    let objects = format!("{INFRASTRUCTURE}---\n{CLUSTER}");
    let outcome = planner.trellis(&["plan", "--baseline", "empty"], &objects);
    assert_eq!(outcome.status, Status::Success, "{}", outcome.stderr);
    let heading = "Infrastructure shoot--dev--crazy/crazy (acme, <stdin>:1), shoot--dev--crazy in eu-1\n";
    assert!(outcome.stdout.starts_with(heading), "{}", outcome.stdout);
    let annotated =
        objects.replace("name: crazy,", "name: crazy, annotations: {gardener.cloud/operation: restore},");
    planner.trellis(&["plan", "--baseline", "empty"], &annotated);
    let [asked, restored] = planner.asked().try_into().unwrap();
    assert_eq!(asked["request"]["infrastructure"]["kind"], "Infrastructure");
    assert_eq!(
        asked["request"]["cluster"],
        json!({
            "cloudProfile": { "spec": { "providerConfig": { "images": ["z"] } } },
            "seed": { "kind": "Seed" }, "shoot": { "kind": "Shoot" },
        })
    );
    assert_eq!(
        (&asked["request"]["operation"], &restored["request"]["operation"]),
        (&json!("reconcile"), &json!("restore"))
    );
}

#[test]
fn other_objects_of_a_seed_or_a_garden_are_planned_too() {
    let reference = "secretRef: {name: s, namespace: garden}";
    let record = format!(
        "{EXTENSION}, kind: DNSRecord, metadata: {{name: crazy, namespace: shoot--dev--crazy}}, spec: {{type: acme-dns, {reference}}}}}"
    );
    let bucket = format!(
        "{EXTENSION}, kind: BackupBucket, metadata: {{name: pail}}, spec: {{type: acme, region: eu-1, {reference}}}}}"
    );
    let with_cluster = format!("{record}\n---\n{CLUSTER}");
    for (input, member, heading) in [
        (bucket.as_str(), "backupBucket", "BackupBucket pail (acme, <stdin>:1), backupbucket.pail in eu-1\n"),
        (
            record.as_str(),
            "dnsRecord",
            "DNSRecord shoot--dev--crazy/crazy (acme, <stdin>:1), dnsrecord.shoot--dev--crazy.crazy\n",
        ),
        (with_cluster.as_str(), "dnsRecord", "DNSRecord shoot--dev--crazy/crazy (acme, "),
    ] {
        let planner = planner();
        let outcome = planner.trellis(&["plan", "--baseline", "empty"], input);
        assert!(outcome.stdout.starts_with(heading), "{}{}", outcome.stderr, outcome.stdout);
        let [asked] = planner.asked().try_into().unwrap();
        assert!(asked["request"][member]["kind"].is_string(), "{asked}");
        assert_eq!(asked["request"]["cluster"].get("shoot").is_some(), input.contains("kind: Shoot"), "{asked}");
    }
}

#[test]
fn what_it_is_about_has_to_be_clear() {
    let both = format!("{SHOOT}---\n{}", SHOOT.replace("crazy", "other"));
    let hostile = SHOOT.replace("name: crazy", "name: ../../crazy");
    let status = format!("{SHOOT}status: {{technicalID: /etc}}\n");
    let of_other = format!("{SHOOT}status: {{technicalID: dnsrecord.a}}\n");
    let umbra = SHOOT.replace("type: acme", "type: umbra");
    let nameless = SHOOT.replace("  name: crazy\n", "");
    for (input, words) in [
        (CLOUD_PROFILE, "none of the objects given is one that Trellis plans"),
        (both.as_str(), "Shoot garden-dev/other is given, and Shoot garden-dev/crazy too"),
        (INFRASTRUCTURE, "the Cluster of Infrastructure shoot--dev--crazy/crazy is not given"),
        (INFRASTRUCTURE, "kubectl get clusters.extensions.gardener.cloud shoot--dev--crazy -o yaml"),
        (hostile.as_str(), "`shoot--dev--../../crazy`"),
        (status.as_str(), "`/etc`"),
        (umbra.as_str(), "Trellis does not plan the kind Infrastructure of `umbra` yet"),
        (umbra.as_str(), "use `trellis validate`"),
        (nameless.as_str(), "has no `metadata.name`"),
        (of_other.as_str(), "`dnsrecord.a`"),
    ] {
        let outcome = planner().trellis(&["plan", "--baseline", "empty"], input);
        assert_eq!((outcome.status.code(), outcome.stdout.as_str()), (1, ""), "{words}");
        assert!(outcome.stderr.contains(words), "{words}: {}", outcome.stderr);
    }
}

#[test]
fn failures_of_the_policy_are_reported() {
    let failure = json!({ "error": { "code": "Malformed", "message": "the request is odd" } });
    let outcome = Planner::new(failure).trellis(&["plan", "--baseline", "empty"], SHOOT);
    assert_eq!(outcome.status.code(), 1);
    assert!(outcome.stderr.contains("Shoot garden-dev/crazy could not be planned: the request is odd"));
}

#[test]
fn the_least_ram_policy_is_of_the_calls_that_plans_can_make() {
    let outcome = planner().trellis(&["ram-policy"], "");
    let policy: Value = serde_json::from_str(&outcome.stdout).unwrap();
    let statement = json!({ "Effect": "Allow", "Action": ["vpc:CreateVpc"], "Resource": "*" });
    assert_eq!(policy, json!({ "Version": "1", "Statement": [statement] }));
    let outcome = planner().trellis(&["ram-policy", "--provider", "umbra"], "");
    assert_eq!(outcome.status.code(), 1);
    assert!(outcome.stderr.contains("the policy of `umbra` names no calls that it makes"), "{}", outcome.stderr);
}
