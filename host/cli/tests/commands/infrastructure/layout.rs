//! Ways to lay a network out, and what a person brings for them.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::infrastructure::site::{REGION, Site, TECHNICAL_ID, reported, shoot};

/// The zones of the Shoots here.
pub const ZONES: [&str; 3] = ["eu-central-1a", "eu-central-1b", "eu-central-1c"];

/// A way to lay a network out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    Managed,
    /// In a VPC that a person brings.
    ManagedNatGateway,
    /// In a VPC with a NAT gateway that a person brings.
    OwnNatGateway,
    DualStack,
    RouteTable,
    DualStackAndRouteTable,
    /// An elastic IP of one's own for every zone.
    OwnAddresses,
}

impl Layout {
    pub const ALL: [Self; 7] = [
        Self::Managed,
        Self::ManagedNatGateway,
        Self::OwnNatGateway,
        Self::DualStack,
        Self::RouteTable,
        Self::DualStackAndRouteTable,
        Self::OwnAddresses,
    ];

    /// What it is called in tables.
    pub fn name(self) -> &'static str {
        match self {
            Self::Managed => "managed VPC",
            Self::ManagedNatGateway => "existing VPC with `gardenerManagedNATGateway`",
            Self::OwnNatGateway => "existing VPC and NAT gateway",
            Self::DualStack => "managed VPC, dual-stack",
            Self::RouteTable => "managed VPC, custom route table",
            Self::DualStackAndRouteTable => "managed VPC, dual-stack and custom route table",
            Self::OwnAddresses => "managed VPC, own elastic IPs",
        }
    }

    pub fn is_dual_stack(self) -> bool {
        matches!(self, Self::DualStack | Self::DualStackAndRouteTable)
    }

    pub fn has_route_table(self) -> bool {
        matches!(self, Self::RouteTable | Self::DualStackAndRouteTable)
    }
}

/// A cloud with what a person brings, and the manifest of a Shoot that uses it.
pub struct Scene {
    pub site: Site,
    pub shoot: Value,
    pub manifest: PathBuf,
    /// What the cloud had before the Shoot.
    pub before: Value,
}

impl Scene {
    pub fn new(layout: Layout, zones: usize) -> Self {
        Self::on(Site::new(), layout, zones)
    }

    /// On a cloud whose account has the role that NAT gateways need.
    pub fn on(site: Site, layout: Layout, zones: usize) -> Self {
        site.call("resourcemanager", "CreateServiceLinkedRole", &[("ServiceName", "nat.aliyuncs.com")]);
        let mut shoot = shoot(zones, &json!({}));
        let config = &mut shoot["spec"]["provider"]["infrastructureConfig"];
        let vpc = &mut config["networks"]["vpc"];
        match layout {
            Layout::Managed | Layout::DualStack => {}
            Layout::ManagedNatGateway => {
                *vpc = json!({ "id": bring_vpc(&site, "mine"), "gardenerManagedNATGateway": true });
            }
            Layout::OwnNatGateway => {
                let id = bring_vpc(&site, "mine");
                bring_nat_gateway(&site, &id);
                *vpc = json!({ "id": id });
            }
            Layout::RouteTable | Layout::DualStackAndRouteTable => vpc["useCustomRouteTable"] = json!(true),
            Layout::OwnAddresses => {
                for (index, zone) in config["networks"]["zones"].as_array_mut().unwrap().iter_mut().enumerate() {
                    zone["natGateway"] = json!({ "eipAllocationID": bring_eip(&site, &format!("mine-{index}")) });
                }
            }
        }
        if layout.is_dual_stack() {
            config["dualStack"] = json!({ "enabled": true });
            shoot["spec"]["networking"]["ipFamilies"] = json!(["IPv4", "IPv6"]);
        }
        let manifest = site.write("shoot.json", &shoot);
        let before = site.inventory();
        Self { site, shoot, manifest, before }
    }

    /// Changes `networks` of the Shoot.
    pub fn edit(&mut self, edit: impl FnOnce(&mut Value)) {
        edit(&mut self.shoot["spec"]["provider"]["infrastructureConfig"]["networks"]);
        self.site.write("shoot.json", &self.shoot);
    }

    /// Changes `networks` as no admission would let through, where the former manifest is not known.
    pub fn edit_unjudged(&mut self, edit: impl FnOnce(&mut Value)) {
        self.site.forget_manifest();
        self.edit(edit);
    }

    /// Applies the Shoot, and checks that nothing is left to do and that a second run changes and writes nothing.
    /// Returns the results of both runs, which say the same.
    pub fn apply_twice(&self) -> (Value, Value) {
        let first = self.site.run("apply", &[&self.manifest]);
        self.site.assert_no_changes(&self.manifest);
        let (recorded, had) = (self.site.recorded(), self.site.inventory());
        let last = self.site.calls(0).last().map_or(0, |call| call.sequence);
        let again = self.site.run("apply", &[&self.manifest]);
        assert_eq!(self.site.recorded(), recorded, "a run without changes writes its state");
        assert_eq!(self.site.inventory(), had);
        assert_eq!(again["status"], first["status"]);
        let writes: Vec<_> = self.site.calls(last).into_iter().filter(|call| call.effect).collect();
        assert!(writes.is_empty(), "{writes:?}");
        (first, again)
    }

    /// Destroys the Shoot's network, and checks that the cloud is as it was before. Returns the result of the run.
    pub fn destroy(&self) -> Value {
        let last = self.site.run("destroy", &[&self.manifest]);
        assert_eq!(self.site.inventory(), self.before);
        last
    }

    /// What is recorded under a key.
    pub fn record(&self, key: &str) -> String {
        let recorded: Value = serde_json::from_str(&self.site.recorded()).unwrap();
        recorded["state"][key].as_str().unwrap_or_default().to_owned()
    }

    /// All that `trellis plan` prints, which must refuse the Shoot.
    pub fn refusal(&self) -> String {
        let output = self.site.command(&["plan"], &self.manifest).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", reported(&output));
        reported(&output)
    }

    /// The Shoot's objects on its seed, with the status that a run printed.
    pub fn on_seed(&self, annotations: &Value, run: &Value) -> Value {
        let status = json!({
            "providerStatus": run["status"]["providerStatus"],
            "state": run["status"]["state"],
            "egressCIDRs": run["status"]["egressCIDRs"],
        });
        objects(&self.shoot, None, annotations, &status)
    }
}

fn id(answer: &Value, name: &str) -> String {
    answer[name].as_str().unwrap().to_owned()
}

/// A VPC that a person has.
pub fn bring_vpc(site: &Site, name: &str) -> String {
    id(&site.call("vpc", "CreateVpc", &[("VpcName", name), ("CidrBlock", "10.250.0.0/16")]), "VpcId")
}

/// A VSwitch that a person has.
pub fn bring_vswitch(site: &Site, vpc: &str, name: &str, cidr: &str) -> String {
    let parameters = [("VpcId", vpc), ("VSwitchName", name), ("CidrBlock", cidr), ("ZoneId", ZONES[0])];
    id(&site.call("vpc", "CreateVSwitch", &parameters), "VSwitchId")
}

/// A NAT gateway that a person has, in a VSwitch of its own.
pub fn bring_nat_gateway(site: &Site, vpc: &str) -> String {
    bring_nat_gateway_in(site, vpc, "10.250.240.0/24")
}

/// The same with a VSwitch that has this range.
pub fn bring_nat_gateway_in(site: &Site, vpc: &str, cidr: &str) -> String {
    let vswitch = bring_vswitch(site, vpc, "mine", cidr);
    let parameters = [("VpcId", vpc), ("VSwitchId", vswitch.as_str()), ("NatType", "Enhanced"), ("Name", "mine")];
    id(&site.call("vpc", "CreateNatGateway", &parameters), "NatGatewayId")
}

/// An elastic IP that a person has.
pub fn bring_eip(site: &Site, name: &str) -> String {
    id(&site.call("vpc", "AllocateEipAddress", &[("Name", name)]), "AllocationId")
}

/// The objects by which Gardener describes a Shoot on its seed: an Infrastructure and a Cluster.
pub fn objects(shoot: &Value, cloud_profile: Option<&Value>, annotations: &Value, status: &Value) -> Value {
    let config = &shoot["spec"]["provider"]["infrastructureConfig"];
    let infrastructure = json!({
        "apiVersion": "extensions.gardener.cloud/v1alpha1",
        "kind": "Infrastructure",
        "metadata": { "name": "e2e", "namespace": TECHNICAL_ID, "annotations": annotations },
        "spec": {
            "type": "alicloud",
            "region": REGION,
            "secretRef": { "name": "cloudprovider", "namespace": TECHNICAL_ID },
            "providerConfig": config,
        },
        "status": status,
    });
    let cluster = json!({
        "apiVersion": "extensions.gardener.cloud/v1alpha1",
        "kind": "Cluster",
        "metadata": { "name": TECHNICAL_ID },
        "spec": { "cloudProfile": cloud_profile, "seed": {}, "shoot": shoot },
    });
    json!({ "apiVersion": "v1", "kind": "List", "items": [infrastructure, cluster] })
}
