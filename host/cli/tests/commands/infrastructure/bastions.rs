//! Bastions on the wire: what becomes of their instance and its rules, in how many calls, and after a kill at each of them.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use trellis_simulator::Options;
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET, Accounts, Filter, When};

use trellis_testing::points::chosen;

use crate::infrastructure::site::{REGION, Site, TECHNICAL_ID, reported, settings, shoot};

/// A cloud with the network of a Shoot.
struct Stage {
    site: Site,
    network: Value,
}

impl Stage {
    fn new() -> Self {
        Self::in_cloud(Site::new())
    }

    fn in_cloud(site: Site) -> Self {
        let manifest = site.write("shoot.json", &shoot(1, &json!({})));
        site.apply(&manifest);
        let state: Value = serde_json::from_str(&site.recorded()).unwrap();
        let text = state.to_string();
        let id = |start: &str| {
            let begin = text.find(&format!("\"{start}")).unwrap() + 1;
            text[begin..].split('"').next().unwrap().to_owned()
        };
        let images =
            site.call("ecs", "DescribeImages", &[("ImageOwnerAlias", "system"), ("Architecture", "x86_64")]);
        let image = images["Images"]["Image"][0]["ImageId"].as_str().unwrap().to_owned();
        let network = json!({
            "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
            "kind": "InfrastructureStatus",
            "vpc": {
                "id": id("vpc-"),
                "vswitches": [{ "purpose": "nodes", "id": id("vsw-"), "zone": "eu-central-1a" }],
                "securityGroups": [{ "purpose": "nodes", "id": id("sg-") }],
            },
            "machineImages": [{ "name": "gardenlinux", "version": "1592.9.0", "id": image }],
        });
        Self { site, network }
    }

    /// The manifests of a Bastion with these ranges: its own, with its Cluster and its Worker.
    fn manifest(&self, ranges: &[&str]) -> PathBuf {
        let blocks: Vec<Value> = ranges.iter().map(|range| json!({ "ipBlock": { "cidr": range } })).collect();
        let extension = "extensions.gardener.cloud/v1alpha1";
        let shoot = json!({ "metadata": { "name": "e2e" }, "spec": { "region": REGION } });
        let all = json!({ "apiVersion": "v1", "kind": "List", "items": [
            {
                "apiVersion": extension,
                "kind": "Bastion",
                "metadata": { "name": "tunnel", "namespace": TECHNICAL_ID, "uid": "5f0f3e0a-0000-4000-8000-000000000002" },
                "spec": { "type": "alicloud", "userData": "IyEvYmluL2Jhc2gK", "ingress": blocks },
            },
            { "apiVersion": extension, "kind": "Cluster", "metadata": { "name": TECHNICAL_ID },
              "spec": { "shoot": shoot, "cloudProfile": { "spec": {} }, "seed": {} } },
            { "apiVersion": extension, "kind": "Worker", "metadata": { "name": "e2e", "namespace": TECHNICAL_ID },
              "spec": { "infrastructureProviderStatus": self.network } },
        ] });
        self.site.write("bastion.json", &all)
    }

    /// The actions of a command that works.
    fn actions(&self, operation: &str, manifest: &Path) -> Vec<String> {
        let before = self.site.cloud().last_record();
        let output = self.site.command(&[operation, "--yes"], manifest).output().unwrap();
        assert!(output.status.success(), "{}", reported(&output));
        self.site.calls(before).iter().map(|call| call.action.clone().unwrap()).collect()
    }

    /// What the cloud has of instances and of security groups, but for the nodes' group.
    fn left(&self) -> (Vec<Value>, usize) {
        let instances = self.site.call("ecs", "DescribeInstances", &[])["Instances"]["Instance"].clone();
        let groups =
            self.site.call("ecs", "DescribeSecurityGroups", &[])["SecurityGroups"]["SecurityGroup"].clone();
        (instances.as_array().unwrap().clone(), groups.as_array().unwrap().len() - 1)
    }
}

/// Who may connect.
const RANGES: [&str; 2] = ["203.0.113.7/24", "198.51.100.0/25"];

#[test]
fn a_bastion_is_made_kept_changed_and_deleted_in_fewer_calls_than_by_the_existing_extension() {
    let stage = Stage::new();
    let manifest = stage.manifest(&RANGES);
    let made = stage.actions("apply", &manifest);
    assert!(made.len() <= 4 + 15 + RANGES.len(), "the existing extension makes 21 calls: {} {made:?}", made.len());
    let again = stage.actions("apply", &manifest);
    assert_eq!(again.len(), 3, "the existing extension makes 15 calls: {again:?}");
    assert!(again.iter().all(|action| action.starts_with("Describe")), "{again:?}");
    let (instances, groups) = stage.left();
    assert_eq!((instances.len(), groups), (1, 1));
    assert_eq!(instances[0]["Status"], "Running");
    assert!(instances[0]["PublicIpAddress"]["IpAddress"][0].is_string());

    let manifest = stage.manifest(&["192.0.2.0/24"]);
    let writes = |operation| {
        let mut actions = stage.actions(operation, &manifest);
        actions.retain(|action| !action.starts_with("Describe"));
        actions
    };
    assert_eq!(writes("apply"), ["AuthorizeSecurityGroup", "RevokeSecurityGroup"]);
    assert_eq!(writes("destroy"), ["DeleteInstance", "DeleteSecurityGroup"]);
    assert_eq!(stage.left(), (Vec::new(), 0));
}

#[test]
fn a_run_that_is_killed_at_any_call_is_finished_by_the_next_one_without_a_second_instance() {
    let stage = Stage::new();
    let manifest = stage.manifest(&RANGES);
    let mut points = Vec::new();
    for operation in ["apply", "destroy"] {
        let before = stage.site.cloud().last_record();
        stage.actions(operation, &manifest);
        for (index, call) in (1..).zip(stage.site.every_call(before)) {
            for when in [When::Before, When::After] {
                points.push((operation, index, call.action.clone().unwrap(), when));
            }
        }
    }
    let points = chosen("bastions, killed", points, |(operation, _, action, when)| {
        vec![format!("{operation} {action}"), format!("{when:?}")]
    });
    for (operation, nth, action, when) in points {
        if operation == "destroy" {
            stage.site.apply(&manifest);
        }
        let is_killed = stage.site.kill_at(stage.site.command(&[operation, "--yes"], &manifest), nth, when);
        assert!(is_killed, "{operation} comes to call {nth}, {action}");
        stage.actions(operation, &manifest);
        let (instances, groups) = stage.left();
        let wanted = usize::from(operation == "apply");
        assert_eq!(
            (instances.len(), groups),
            (wanted, wanted),
            "{operation}, killed {when:?} call {nth}, {action}"
        );
        if operation == "apply" {
            stage.actions("destroy", &manifest);
        }
    }
}

#[test]
fn without_the_permission_to_list_instances_none_is_made_and_none_stays_behind_in_silence() {
    let accounts: Accounts = serde_json::from_value(json!({ "accounts": [{
        "id": "1000000000000001",
        "accessKeys": [
            { "id": ACCESS_KEY, "secret": ACCESS_KEY_SECRET },
            { "id": "blind", "secret": "hush", "user": "u", "allow": [
                "sts:*", "vpc:*", "ecs:*SecurityGroup*", "ecs:DescribeImages", "ecs:DescribeAvailableResource",
                "ecs:DescribeInstanceTypes", "ecs:RunInstances", "ecs:DeleteInstance"] },
        ],
    }] }))
    .unwrap();
    let options = Options {
        settings: settings(json!({ "delays": { "*": 0 } })),
        region: REGION.to_owned(),
        accounts,
        ..Options::default()
    };
    let stage = Stage::in_cloud(Site::of(options));
    let secret = json!({ "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "cloudprovider" },
        "stringData": { "accessKeyID": "blind", "accessKeySecret": "hush" } });
    let blind = stage.site.write("secret.json", &secret).to_str().unwrap().to_owned();
    let manifest = stage.manifest(&RANGES);
    let refused = |operation| {
        let arguments = [operation, "--yes", "--credentials", &blind];
        let text = reported(&stage.site.command(&arguments, &manifest).output().unwrap());
        assert!(text.contains("ALI-BAST-008") && text.contains("ecs:DescribeInstances"), "{text}");
    };
    refused("apply");
    assert_eq!(stage.left(), (Vec::new(), 0), "nothing is made");
    stage.site.apply(&manifest);
    refused("apply");
    refused("destroy");
    assert_eq!((stage.left().0.len(), stage.left().1), (1, 1), "nothing is deleted, and nothing is made twice");
    stage.site.destroy(&manifest);
    assert_eq!(stage.left(), (Vec::new(), 0));
}

#[test]
fn what_a_bastion_lacks_on_the_command_line_is_said_with_what_to_give() {
    let stage = Stage::new();
    let whole: Value = serde_json::from_str(&std::fs::read_to_string(stage.manifest(&RANGES)).unwrap()).unwrap();
    let without = |kind: &str| {
        let mut list = whole.clone();
        list["items"].as_array_mut().unwrap().retain(|item| item["kind"] != kind);
        let manifest = stage.site.write("part.json", &list);
        reported(&stage.site.command(&["plan"], &manifest).output().unwrap())
    };
    let text = without("Cluster");
    assert!(text.contains("the Cluster of Bastion shoot--dev--e2e/tunnel is not given"), "{text}");
    let text = without("Worker");
    assert!(text.contains("ALI-BAST-001") && text.contains("kubectl get workers"), "{text}");
    let mut nowhere = whole.clone();
    nowhere["items"][0]["metadata"].as_object_mut().unwrap().remove("namespace");
    let manifest = stage.site.write("part.json", &nowhere);
    let text = reported(&stage.site.command(&["plan"], &manifest).output().unwrap());
    assert!(text.contains("Bastion tunnel has no `metadata.namespace`"), "{text}");
    let text = reported(&stage.site.command(&["plan"], &stage.manifest(&["203.0.113.7"])).output().unwrap());
    assert!(text.contains("ALI-BAST-007") && text.contains("invalid ingress CIDR"), "{text}");
    let everything = stage.site.cloud().inventory(&Filter::default()).to_string();
    assert!(!everything.contains("tunnel"), "nothing is made");
}
