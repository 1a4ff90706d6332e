//! A cloud before an operation, to which it can be set back, and what the operation does when nothing goes wrong.

use std::path::PathBuf;
use std::process::{Command, Output};
use std::sync::LazyLock;
use std::thread;

use serde_json::{Value, json};
use tempfile::TempDir;
use trellis_simulator::cloud::Order;

use crate::infrastructure::layout::bring_eip;
use crate::infrastructure::site::{Site, copy, reported, shoot};
use trellis_testing::points::chosen;
use trellis_testing::world::difference;

/// What a command is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    Create,
    /// One more zone, an elastic IP of one's own in place of a managed one, and back what somebody took away.
    Update,
    Delete,
}

pub const OPERATIONS: [Operation; 3] = [Operation::Create, Operation::Update, Operation::Delete];

/// What the network has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Network {
    Plain,
    /// IPv6, a custom route table, an elastic IP of one's own.
    Full,
}

/// An operation on a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ground {
    pub network: Network,
    pub operation: Operation,
}

impl Ground {
    /// All of them.
    pub fn all() -> Vec<Self> {
        let on = |network| OPERATIONS.map(|operation| Self { network, operation });
        [Network::Plain, Network::Full].into_iter().flat_map(on).collect()
    }

    /// A cloud for it whose transitions take no time.
    pub fn stage(self) -> Stage {
        Stage::new(Site::new(), self.network, self.operation)
    }

    /// The actions that it calls. To learn them takes a stage each, therefore all tests share them.
    pub fn actions(self) -> Vec<String> {
        static ACTIONS: LazyLock<Vec<(Ground, Vec<String>)>> = LazyLock::new(|| {
            thread::scope(|scope| {
                let learned = Ground::all()
                    .into_iter()
                    .map(|ground| (ground, scope.spawn(move || ground.stage().actions())));
                let learned: Vec<_> = learned.collect();
                learned.into_iter().map(|(ground, actions)| (ground, actions.join().unwrap())).collect()
            })
        });
        ACTIONS.iter().find(|(ground, _)| *ground == self).unwrap().1.clone()
    }
}

/// The actions on a network with everything that are chosen for a test: each is, of one operation at least.
pub fn chosen_actions(test: &str) -> Vec<(Ground, String)> {
    let full = Ground::all().into_iter().filter(|ground| ground.network == Network::Full);
    let points = full.flat_map(|ground| ground.actions().into_iter().map(move |action| (ground, action)));
    chosen(test, points.collect(), |(ground, action)| vec![format!("{ground:?}"), action.clone()])
}

/// A cloud before an operation.
pub struct Stage {
    pub site: Site,
    pub manifest: PathBuf,
    /// What the operation makes of the cloud.
    pub wanted: Value,
    /// The calls that it makes, such as `vpc:CreateVpc`.
    pub calls: Vec<String>,
    operation: Operation,
    kept: TempDir,
}

impl Stage {
    pub fn new(site: Site, network: Network, operation: Operation) -> Self {
        let own = ["first", "second"].map(|name| bring_eip(&site, name));
        let mut shoot = shoot(2, &json!({}));
        let config = &mut shoot["spec"]["provider"]["infrastructureConfig"];
        if network == Network::Full {
            config["dualStack"] = json!({ "enabled": true });
            config["networks"]["vpc"]["useCustomRouteTable"] = json!(true);
            config["networks"]["zones"][1]["natGateway"] = json!({ "eipAllocationID": own[1] });
            shoot["spec"]["networking"]["ipFamilies"] = json!(["IPv4", "IPv6"]);
        }
        let manifest = site.write("shoot.json", &shoot);
        if operation != Operation::Create {
            site.apply(&manifest);
        }
        if operation == Operation::Update {
            let networks = &mut shoot["spec"]["provider"]["infrastructureConfig"]["networks"];
            networks["zones"][0]["natGateway"] = json!({ "eipAllocationID": own[0] });
            let third = json!({ "name": "eu-central-1c", "workers": "10.250.64.0/19" });
            networks["zones"].as_array_mut().unwrap().push(third);
            site.write("shoot.json", &shoot);
            drift(&site);
        }
        let kept = TempDir::new().unwrap();
        std::fs::create_dir_all(site.state()).unwrap();
        copy(&site.state(), &kept.path().join("state"));
        site.cloud().put_snapshot("before").unwrap();
        let mut stage = Self { site, manifest, wanted: Value::Null, calls: Vec::new(), operation, kept };
        let before = stage.site.cloud().last_record();
        stage.succeed("undisturbed");
        stage.wanted = stage.site.world();
        stage.calls = stage.called(before);
        stage
    }

    /// Sets the cloud and the recorded state back.
    pub fn reset(&self) {
        self.site.cloud().delete_faults(None);
        self.site.cloud().restore_snapshot("before").unwrap();
        copy(&self.kept.path().join("state"), &self.site.state());
    }

    /// The operation as a command.
    pub fn command(&self) -> Command {
        let operation = if self.operation == Operation::Delete { "destroy" } else { "apply" };
        self.site.command(&[operation, "--yes"], &self.manifest)
    }

    /// Carries the operation out.
    pub fn run(&self) -> Output {
        self.command().output().unwrap()
    }

    /// Carries the operation out, which must work.
    pub fn succeed(&self, what: &str) {
        let output = self.run();
        assert!(output.status.success(), "{what}: {}", reported(&output));
    }

    /// That the cloud is as it is when nothing goes wrong, and nothing is left to do.
    pub fn assert_wanted(&self, what: &str) {
        let world = self.site.world();
        assert!(world == self.wanted, "{what}: another world:\n{}", difference(&self.wanted, &world));
        if self.operation != Operation::Delete {
            self.site.assert_no_changes(&self.manifest);
        }
    }

    /// The actions that it calls, each once, in the order of their first calls.
    pub fn actions(&self) -> Vec<String> {
        let mut actions: Vec<String> = Vec::new();
        for call in &self.calls {
            if !actions.contains(call) {
                actions.push(call.clone());
            }
        }
        actions
    }

    /// Orders a fault: `action`, `fault`, and where wanted `occurrence` and `times`.
    pub fn order(&self, order: Value) {
        let order: Order = serde_json::from_value(order).unwrap();
        self.site.cloud().order(order).unwrap();
    }

    /// The calls after a record, such as `vpc:CreateVpc`.
    pub fn called(&self, after: u64) -> Vec<String> {
        let name = |action: &Option<String>| action.clone().unwrap_or_default();
        let calls = self.site.calls(after);
        calls.iter().map(|call| format!("{}:{}", call.service.unwrap_or("?"), name(&call.action))).collect()
    }
}

/// Takes away what a network has: a tag, and the rules of the security group.
fn drift(site: &Site) {
    let recorded: Value = serde_json::from_str(&site.recorded()).unwrap();
    let id = |key: &str| recorded["state"][key].as_str().unwrap().to_owned();
    let vswitch = id("Zones/eu-central-1a/VSwitch");
    site.call(
        "vpc",
        "UnTagResources",
        &[("ResourceType", "VSWITCH"), ("ResourceId.1", &vswitch), ("All", "true")],
    );
    let group = id("NodesSecurityGroup");
    let rules = site.call("ecs", "DescribeSecurityGroupAttribute", &[("SecurityGroupId", &group)]);
    let rules = rules["Permissions"]["Permission"].as_array().unwrap().clone();
    assert!(!rules.is_empty());
    for rule in rules.iter().filter(|rule| rule["Direction"] == "ingress") {
        let text = |member: &str| rule[member].as_str().unwrap_or_default().to_owned();
        let parameters = [
            ("SecurityGroupId", group.clone()),
            ("IpProtocol", text("IpProtocol")),
            ("PortRange", text("PortRange")),
            ("SourceCidrIp", text("SourceCidrIp")),
            ("Ipv6SourceCidrIp", text("Ipv6SourceCidrIp")),
            ("Policy", text("Policy")),
        ];
        let parameters: Vec<_> = parameters
            .iter()
            .filter(|(_, value)| !value.is_empty())
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        site.call("ecs", "RevokeSecurityGroup", &parameters);
    }
}
