//! Somebody else changes, renames, tags or deletes what a Shoot has: the plan says so, and brings back what it should.

use std::path::PathBuf;

use serde_json::Value;
use tempfile::TempDir;

use crate::layout::{Layout, Scene, bring_eip, bring_nat_gateway, bring_nat_gateway_in, bring_vswitch};
use crate::site::{TECHNICAL_ID, copy, told};

const CLUSTER_TAG: &str = "kubernetes.io/cluster/shoot--dev--e2e";

/// A Shoot's network, to which it can be set back.
struct Stage {
    scene: Scene,
    /// What is recorded.
    state: Value,
    kept: TempDir,
    /// The network as it should be.
    wanted: Value,
}

impl Stage {
    fn new(layout: Layout) -> Self {
        let scene = Scene::new(layout, 2);
        scene.site.apply(&scene.manifest);
        let kept = TempDir::new().unwrap();
        copy(&scene.site.state(), &kept.path().join("state"));
        scene.site.cloud().put_snapshot("settled").unwrap();
        let recorded: Value = serde_json::from_str(&scene.site.recorded()).unwrap();
        let wanted = scene.site.world();
        Self { scene, state: recorded["state"].clone(), kept, wanted }
    }

    fn kept(&self) -> PathBuf {
        self.kept.path().join("state")
    }

    fn reset(&self) {
        self.scene.site.cloud().restore_snapshot("settled").unwrap();
        copy(&self.kept(), &self.scene.site.state());
    }

    /// A recorded id; `b/` stands for the keys of the second zone.
    fn id(&self, key: &str) -> String {
        let key = match key.split_once('/') {
            Some((zone, last)) if zone.len() == 1 => format!("Zones/eu-central-1{zone}/{last}"),
            _ => key.to_owned(),
        };
        self.state[&key].as_str().unwrap_or_else(|| panic!("nothing is recorded under `{key}`")).to_owned()
    }

    /// Calls an action; a value that begins with `@` is a recorded id.
    fn call(&self, service: &str, action: &str, parameters: &[(&str, &str)]) -> Value {
        let values: Vec<_> = parameters.iter().map(|(_, value)| self.value(value)).collect();
        let parameters: Vec<_> =
            parameters.iter().zip(&values).map(|((name, _), value)| (*name, value.as_str())).collect();
        self.scene.site.call(service, action, &parameters)
    }

    fn vpc(&self, action: &str, parameters: &[(&str, &str)]) -> Value {
        self.call("vpc", action, parameters)
    }

    fn ecs(&self, action: &str, parameters: &[(&str, &str)]) -> Value {
        self.call("ecs", action, parameters)
    }

    fn value(&self, value: &str) -> String {
        value.strip_prefix('@').map_or_else(|| value.to_owned(), |key| self.id(key))
    }

    fn entry(&self, destination: &str) -> Option<String> {
        let parameters = [("RouteTableId", "@RouteTable"), ("DestinationCidrBlock", destination)];
        let found = self.vpc("DescribeRouteEntryList", &parameters);
        found["RouteEntrys"]["RouteEntry"][0]["RouteEntryId"].as_str().map(str::to_owned)
    }

    fn delete_entry(&self, destination: &str) {
        if let Some(entry) = self.entry(destination) {
            self.vpc("DeleteRouteEntry", &[("RouteEntryId", &entry)]);
        }
    }

    fn delete_snat_entry(&self, zone: &str) {
        let entry = format!("@{zone}/SnatEntry");
        self.vpc("DeleteSnatEntry", &[("SnatTableId", "@SnatTable"), ("SnatEntryId", &entry)]);
    }

    fn unassociate_eip(&self, zone: &str) {
        self.delete_snat_entry(zone);
        let eip = format!("@{zone}/NATGatewayElasticIP");
        self.vpc(
            "UnassociateEipAddress",
            &[("AllocationId", &eip), ("InstanceId", "@NatGateway"), ("InstanceType", "Nat")],
        );
    }

    fn unassociate_route_table(&self, zone: &str) {
        let vswitch = format!("@{zone}/VSwitch");
        self.vpc("UnassociateRouteTable", &[("RouteTableId", "@RouteTable"), ("VSwitchId", &vswitch)]);
    }

    fn delete_vswitch(&self, zone: &str) {
        self.unassociate_route_table(zone);
        self.vpc("DeleteVSwitch", &[("VSwitchId", &format!("@{zone}/VSwitch"))]);
    }

    fn delete_route_table(&self) {
        self.unassociate_route_table("a");
        self.unassociate_route_table("b");
        self.delete_entry("0.0.0.0/0");
        self.delete_entry("::/0");
        self.vpc("DeleteRouteTable", &[("RouteTableId", "@RouteTable")]);
    }

    fn delete_nat_gateway(&self) {
        self.delete_entry("0.0.0.0/0");
        self.vpc("DeleteNatGateway", &[("NatGatewayId", "@NatGateway"), ("Force", "true")]);
    }

    /// What a plan says: changes with the attributes that differ, `!` where something is disrupted, and notes.
    fn plan(&self) -> Vec<String> {
        let output =
            self.scene.site.command(&["plan", "--format", "json"], &self.scene.manifest).output().unwrap();
        let answer: Value =
            serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", told(&output)));
        let text = |value: &Value| value.as_str().unwrap_or_default().replace("eu-central-1", "");
        let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
        let mut lines = Vec::new();
        for change in list(&answer["plan"]["changes"]) {
            let attributes = change["before"].as_object().or(change["after"].as_object());
            let names: Vec<_> = match change["action"].as_str() {
                Some("update" | "replace" | "adopt") => {
                    attributes.map(|attributes| attributes.keys().cloned().collect()).unwrap_or_default()
                }
                _ => Vec::new(),
            };
            let mut line = format!("{} {}", text(&change["action"]), text(&change["id"]));
            if !names.is_empty() {
                line = format!("{line}: {}", names.join(", "));
            }
            if change["disruption"].is_string() {
                line += " !";
            }
            lines.push(line);
        }
        for note in list(&answer["plan"]["notes"]) {
            lines.push(format!("note {}: {}", text(&note["id"]), text(&note["attribute"])));
        }
        for finding in list(&answer["findings"]) {
            lines.push(format!("refused {}", text(&finding["rule"])));
        }
        lines
    }
}

/// What somebody does, and what is said of it.
struct Edit {
    what: String,
    make: Box<dyn Fn(&Stage)>,
    says: Vec<&'static str>,
}

fn edit(what: &str, says: &[&'static str], make: impl Fn(&Stage) + 'static) -> Edit {
    Edit { what: what.to_owned(), make: Box::new(make), says: says.to_vec() }
}

/// What everybody can do with the tags of a resource.
fn tag_edits() -> Vec<Edit> {
    let kinds = [
        ("vpc", "VPC", "VPC", "vpc"),
        ("ecs", "securitygroup", "NodesSecurityGroup", "securitygroup"),
        ("vpc", "IPV6GATEWAY", "IPV6Gateway", "ipv6gateway"),
        ("vpc", "VSWITCH", "b/VSwitch", "zones/b/vswitch"),
        ("vpc", "NATGATEWAY", "NatGateway", "natgateway"),
        ("vpc", "ROUTETABLE", "RouteTable", "routetable"),
        ("vpc", "EIP", "b/NATGatewayElasticIP", "zones/b/eip"),
    ];
    let mut edits = Vec::new();
    for (service, kind, key, id) in kinds {
        let add = move |stage: &Stage, tag: &str, value: &str| {
            let id = format!("@{key}");
            let parameters =
                [("ResourceType", kind), ("ResourceId.1", &id), ("Tag.1.Key", tag), ("Tag.1.Value", value)];
            stage.call(service, "TagResources", &parameters);
        };
        let remove = move |stage: &Stage, (name, value): (&str, &str)| {
            let action = if service == "vpc" { "UnTagResources" } else { "UntagResources" };
            let id = format!("@{key}");
            stage.call(service, action, &[("ResourceType", kind), ("ResourceId.1", &id), (name, value)]);
        };
        let says: &'static str = format!("update {id}: tags").leak();
        let says_unmarked: &'static str = format!("adopt {id}: tags").leak();
        edits.extend([
            edit(&format!("{id}: gets a tag"), &[says], move |stage| add(stage, "team", "blue")),
            edit(&format!("{id}: gets another name in its tags"), &[says], move |stage| {
                add(stage, "Name", "other");
            }),
            edit(&format!("{id}: its tag gets another value"), &[says], move |stage| add(stage, CLUSTER_TAG, "2")),
            edit(&format!("{id}: loses its tag"), &[says_unmarked], move |stage| {
                remove(stage, ("TagKey.1", CLUSTER_TAG));
            }),
            edit(&format!("{id}: loses all tags"), &[says_unmarked], move |stage| remove(stage, ("All", "true"))),
        ]);
    }
    edits
}

/// What can be done to names.
fn name_edits() -> Vec<Edit> {
    fn rename(what: (&'static str, &'static str), id: (&'static str, &'static str), says: &'static str) -> Edit {
        let ((action, name), service) = (what, if id.0 == "SecurityGroupId" { "ecs" } else { "vpc" });
        edit(&format!("{action}: another name"), &[says], move |stage| {
            let table = ("SnatTableId", "@SnatTable");
            let of = if id.0 == "SnatEntryId" { vec![table, id] } else { vec![id] };
            stage.call(service, action, &[of, vec![(name, "other")]].concat());
        })
    }
    vec![
        rename(("ModifyVpcAttribute", "VpcName"), ("VpcId", "@VPC"), "note vpc: name"),
        rename(
            ("ModifySecurityGroupAttribute", "SecurityGroupName"),
            ("SecurityGroupId", "@NodesSecurityGroup"),
            "note securitygroup: name",
        ),
        rename(
            ("ModifyIpv6GatewayAttribute", "Name"),
            ("Ipv6GatewayId", "@IPV6Gateway"),
            "note ipv6gateway: name",
        ),
        rename(
            ("ModifyVSwitchAttribute", "VSwitchName"),
            ("VSwitchId", "@b/VSwitch"),
            "note zones/b/vswitch: name",
        ),
        rename(("ModifyNatGatewayAttribute", "Name"), ("NatGatewayId", "@NatGateway"), "note natgateway: name"),
        rename(
            ("ModifyEipAddressAttribute", "Name"),
            ("AllocationId", "@b/NATGatewayElasticIP"),
            "note zones/b/eip: name",
        ),
        rename(("ModifySnatEntry", "SnatEntryName"), ("SnatEntryId", "@b/SnatEntry"), "note zones/b/snat: name"),
        rename(
            ("ModifyRouteTableAttributes", "RouteTableName"),
            ("RouteTableId", "@RouteTable"),
            "note routetable: name",
        ),
    ]
}

fn rule_edits() -> Vec<Edit> {
    const GROUP: (&str, &str) = ("SecurityGroupId", "@NodesSecurityGroup");
    const MENDED: &[&str] = &["update securitygroup: rules"];
    let rule = |what, action: &'static str, range: (&'static str, &'static str)| {
        edit(what, MENDED, move |stage| {
            let rule = [("Permissions.1.IpProtocol", "TCP"), ("Permissions.1.PortRange", "22/22"), range];
            stage.ecs(action, &[&[GROUP], rule.as_slice()].concat());
        })
    };
    vec![
        rule("a rule lets more in", "AuthorizeSecurityGroup", ("Permissions.1.SourceCidrIp", "0.0.0.0/0")),
        rule("a rule lets more in by IPv6", "AuthorizeSecurityGroup", ("Permissions.1.Ipv6SourceCidrIp", "::/0")),
        edit("a rule lets a group in", MENDED, |stage| {
            let group = [("VpcId", "@VPC"), ("SecurityGroupName", "mine")];
            let group = stage.ecs("CreateSecurityGroup", &group)["SecurityGroupId"].clone();
            let rule = [("Permissions.1.IpProtocol", "TCP"), ("Permissions.1.PortRange", "22/22")];
            let of = [GROUP, ("Permissions.1.SourceGroupId", group.as_str().unwrap())];
            stage.ecs("AuthorizeSecurityGroup", &[of, rule].concat());
        }),
        rule(
            "a rule is about what goes out",
            "AuthorizeSecurityGroupEgress",
            ("Permissions.1.DestCidrIp", "10.0.0.0/8"),
        ),
        edit("a rule is gone", MENDED, |stage| {
            let rule = [("Permissions.1.IpProtocol", "ALL"), ("Permissions.1.PortRange", "-1/-1")];
            let of = [("Permissions.1.SourceCidrIp", "10.96.0.0/11"), ("Permissions.1.Priority", "1")];
            stage.ecs("RevokeSecurityGroup", &[&[GROUP], rule.as_slice(), &of].concat());
        }),
        edit("a rule has another priority", MENDED, |stage| {
            let rule = [("Permissions.1.IpProtocol", "TCP"), ("Permissions.1.PortRange", "30000/32767")];
            let range = ("Permissions.1.SourceCidrIp", "0.0.0.0/0");
            stage.ecs(
                "RevokeSecurityGroup",
                &[&[GROUP], rule.as_slice(), &[range, ("Permissions.1.Priority", "1")]].concat(),
            );
            stage.ecs(
                "AuthorizeSecurityGroup",
                &[&[GROUP], rule.as_slice(), &[range, ("Permissions.1.Priority", "9")]].concat(),
            );
        }),
        edit("the group is gone", &["create securitygroup"], |stage| {
            stage.ecs("DeleteSecurityGroup", &[GROUP]);
        }),
    ]
}

const EVERYTHING: &[&str] = &[
    "create vpc",
    "create securitygroup",
    "create ipv6gateway",
    "create zones/a/vswitch",
    "create zones/b/vswitch",
    "create natgateway",
    "create routetable",
    "create routetable/default",
    "create routetable/ipv6",
    "associate zones/a/routetable",
    "associate zones/b/routetable",
    "create zones/a/eip",
    "associate zones/a/eip/association",
    "create zones/a/snat",
    "create zones/b/eip",
    "associate zones/b/eip/association",
    "create zones/b/snat",
];

fn network_edits() -> Vec<Edit> {
    vec![
        edit("a VSwitch has no IPv6 any more", &["update zones/b/vswitch: ipv6"], |stage| {
            stage.vpc("ModifyVSwitchAttribute", &[("VSwitchId", "@b/VSwitch"), ("EnableIPv6", "false")]);
        }),
        edit("a VSwitch has another IPv6 block", &["note zones/b/vswitch: ipv6"], |stage| {
            stage.vpc("ModifyVSwitchAttribute", &[("VSwitchId", "@b/VSwitch"), ("EnableIPv6", "false")]);
            stage.vpc("ModifyVSwitchAttribute", &[("VSwitchId", "@b/VSwitch"), ("Ipv6CidrBlock", "77")]);
        }),
        edit("a VSwitch is no longer in the route table", &["associate zones/b/routetable"], |stage| {
            stage.unassociate_route_table("b");
        }),
        edit(
            "a VSwitch is gone",
            &["create zones/b/vswitch", "associate zones/b/routetable", "create zones/b/snat"],
            |stage| {
                stage.delete_snat_entry("b");
                stage.delete_vswitch("b");
            },
        ),
        edit("the IPv6 gateway is gone", &["create ipv6gateway", "create routetable/ipv6"], |stage| {
            stage.delete_entry("::/0");
            stage.vpc("DeleteIpv6Gateway", &[("Ipv6GatewayId", "@IPV6Gateway")]);
        }),
        edit(
            "the NAT gateway is gone",
            &[
                "create natgateway",
                "create routetable/default",
                "associate zones/a/eip/association",
                "create zones/a/snat",
                "associate zones/b/eip/association",
                "create zones/b/snat",
            ],
            Stage::delete_nat_gateway,
        ),
        edit(
            "the NAT gateway and the VSwitch that it stood in are gone",
            &[
                "create zones/a/vswitch",
                "create natgateway",
                "create routetable/default",
                "associate zones/a/routetable",
                "associate zones/a/eip/association",
                "create zones/a/snat",
                "associate zones/b/eip/association",
                "create zones/b/snat",
            ],
            |stage| {
                stage.delete_nat_gateway();
                stage.delete_vswitch("a");
            },
        ),
        edit("the NAT gateway stands in somebody else's VSwitch", &["refused ALI-PLAN-003"], |stage| {
            stage.delete_nat_gateway();
            let site = &stage.scene.site;
            let gateway = bring_nat_gateway(site, &stage.id("VPC"));
            let tags = [("Tag.1.Key", CLUSTER_TAG), ("Tag.1.Value", "1"), ("Tag.2.Key", "Name")];
            let of = [("ResourceType", "NATGATEWAY"), ("ResourceId.1", gateway.as_str())];
            let name = format!("{TECHNICAL_ID}-natgw");
            site.call("vpc", "TagResources", &[&of, tags.as_slice(), &[("Tag.2.Value", &name)]].concat());
        }),
        edit("the network is gone", EVERYTHING, |stage| {
            stage.delete_nat_gateway();
            stage.delete_route_table();
            for zone in ["a", "b"] {
                stage.vpc("DeleteVSwitch", &[("VSwitchId", &format!("@{zone}/VSwitch"))]);
                let eip = format!("@{zone}/NATGatewayElasticIP");
                stage.vpc("ReleaseEipAddress", &[("AllocationId", &eip)]);
            }
            stage.vpc("DeleteIpv6Gateway", &[("Ipv6GatewayId", "@IPV6Gateway")]);
            stage.ecs("DeleteSecurityGroup", &[("SecurityGroupId", "@NodesSecurityGroup")]);
            stage.vpc("DeleteVpc", &[("VpcId", "@VPC")]);
        }),
    ]
}

fn egress_edits() -> Vec<Edit> {
    vec![
        edit("an elastic IP has another bandwidth", &["update zones/b/eip: bandwidth"], |stage| {
            let eip = ("AllocationId", "@b/NATGatewayElasticIP");
            stage.vpc("ModifyEipAddressAttribute", &[eip, ("Bandwidth", "7")]);
        }),
        edit(
            "an elastic IP serves nothing any more",
            &["associate zones/b/eip/association", "create zones/b/snat"],
            |stage| stage.unassociate_eip("b"),
        ),
        edit("an elastic IP serves something else", &["refused ALI-PLAN-004"], |stage| {
            stage.unassociate_eip("b");
            let gateway = bring_nat_gateway(&stage.scene.site, &stage.id("VPC"));
            let eip = ("AllocationId", "@b/NATGatewayElasticIP");
            stage.vpc("AssociateEipAddress", &[eip, ("InstanceId", &gateway), ("InstanceType", "Nat")]);
        }),
        edit(
            "an elastic IP is gone",
            &["create zones/b/eip", "associate zones/b/eip/association", "create zones/b/snat"],
            |stage| {
                stage.unassociate_eip("b");
                stage.vpc("ReleaseEipAddress", &[("AllocationId", "@b/NATGatewayElasticIP")]);
            },
        ),
        edit("a SNAT entry has another address", &["update zones/b/snat: address !"], |stage| {
            let entry = [("SnatTableId", "@SnatTable"), ("SnatEntryId", "@b/SnatEntry")];
            let address = ("SnatIp", "@a/NATGatewayElasticIPAddress");
            stage.vpc("ModifySnatEntry", &[&entry, [address].as_slice()].concat());
        }),
        edit("somebody has a SNAT entry of its own on the NAT gateway", &[], |stage| {
            let of = [("SnatTableId", "@SnatTable"), ("SourceCIDR", "10.250.200.0/24")];
            stage.vpc(
                "CreateSnatEntry",
                &[of, [("SnatIp", "@b/NATGatewayElasticIPAddress"), ("SnatEntryName", "theirs")]].concat(),
            );
        }),
        edit("somebody has an elastic IP of its own on the NAT gateway", &[], |stage| {
            let eip = bring_eip(&stage.scene.site, "mine");
            let of = [("AllocationId", eip.as_str()), ("InstanceId", "@NatGateway"), ("InstanceType", "Nat")];
            stage.vpc("AssociateEipAddress", &of);
        }),
        edit("a SNAT entry is gone", &["create zones/b/snat"], |stage| stage.delete_snat_entry("b")),
    ]
}

fn route_edits() -> Vec<Edit> {
    vec![
        edit(
            "the route table is gone",
            &[
                "create routetable",
                "create routetable/default",
                "create routetable/ipv6",
                "associate zones/a/routetable",
                "associate zones/b/routetable",
            ],
            Stage::delete_route_table,
        ),
        edit("the way out is gone", &["create routetable/default"], |stage| stage.delete_entry("0.0.0.0/0")),
        edit("the way out by IPv6 is gone", &["create routetable/ipv6"], |stage| stage.delete_entry("::/0")),
        edit("the way out leads elsewhere", &["replace routetable/default: nextHop, status !"], |stage| {
            let gateway = bring_nat_gateway(&stage.scene.site, &stage.id("VPC"));
            stage.delete_entry("0.0.0.0/0");
            let entry = [("RouteTableId", "@RouteTable"), ("DestinationCidrBlock", "0.0.0.0/0")];
            let hop = [("NextHopType", "NatGateway"), ("NextHopId", gateway.as_str())];
            stage.vpc("CreateRouteEntry", &[entry, hop].concat());
        }),
        edit("a route has another name", &[], |stage| {
            let entry = stage.entry("0.0.0.0/0").unwrap();
            stage.vpc("ModifyRouteEntry", &[("RouteEntryId", &entry), ("RouteEntryName", "other")]);
        }),
        edit("somebody has another route in the table", &[], |stage| {
            let entry = [("RouteTableId", "@RouteTable"), ("DestinationCidrBlock", "172.16.0.0/16")];
            let hop = [("NextHopType", "NatGateway"), ("NextHopId", "@NatGateway")];
            stage.vpc("CreateRouteEntry", &[entry, hop].concat());
        }),
        edit("somebody has a VSwitch of its own in the table", &[], |stage| {
            let vswitch = bring_vswitch(&stage.scene.site, &stage.id("VPC"), "mine", "10.250.248.0/24");
            stage.vpc("AssociateRouteTable", &[("RouteTableId", "@RouteTable"), ("VSwitchId", &vswitch)]);
        }),
    ]
}

fn all() -> Vec<Edit> {
    [name_edits(), tag_edits(), rule_edits(), network_edits(), egress_edits(), route_edits()]
        .into_iter()
        .flatten()
        .collect()
}

/// What goes wrong with an edit, if anything does.
fn trouble(stage: &Stage, edit: &Edit) -> Option<String> {
    stage.reset();
    (edit.make)(stage);
    let site = &stage.scene.site;
    let (edited, said) = (site.inventory(), stage.plan());
    if said != edit.says {
        return Some(format!("the plan says {said:#?}"));
    }
    let output = site.command(&["apply", "--yes"], &stage.scene.manifest).output().unwrap();
    if said.iter().any(|line| line.starts_with("refused")) {
        let untouched = !output.status.success() && site.inventory() == edited;
        return (!untouched).then(|| format!("refused, but: {}", told(&output)));
    }
    if !output.status.success() {
        return Some(told(&output));
    }
    let (notes, changes): (Vec<_>, Vec<_>) = said.into_iter().partition(|line| line.starts_with("note "));
    let left = stage.plan();
    if left != notes {
        return Some(format!("afterwards the plan says {left:#?}"));
    }
    if changes.is_empty() {
        return (site.inventory() != edited).then(|| "something was changed".to_owned());
    }
    // Somebody's own things may be there, too.
    let missing = missing(&site.world(), &stage.wanted);
    (!missing.is_empty()).then(|| format!("not as it was: {missing:#?}"))
}

/// What of a world another one lacks.
fn missing(world: &Value, wanted: &Value) -> Vec<String> {
    match (world, wanted) {
        (Value::Object(world), Value::Object(wanted)) => {
            wanted.iter().flat_map(|(key, wanted)| missing(&world[key], wanted)).collect()
        }
        (Value::Array(world), Value::Array(wanted)) => {
            wanted.iter().filter(|wanted| !world.contains(wanted)).map(Value::to_string).collect()
        }
        _ if world == wanted => Vec::new(),
        _ => vec![wanted.to_string()],
    }
}

fn mends(layout: Layout, edits: impl IntoIterator<Item = Edit>) {
    let stage = Stage::new(layout);
    let troubles: Vec<_> = edits
        .into_iter()
        .filter_map(|edit| trouble(&stage, &edit).map(|trouble| format!("{}: {trouble}", edit.what)))
        .collect();
    assert!(troubles.is_empty(), "{}", troubles.join("\n\n"));
}

/// The layout with every kind of resource.
const EVERY_KIND: Layout = Layout::DualStackAndRouteTable;

#[test]
fn what_somebody_changes_is_told_and_mended() {
    mends(EVERY_KIND, all().into_iter().step_by(7));
}

#[test]
#[ignore = "every change: make verify"]
fn whatever_somebody_changes_is_told_and_mended() {
    mends(EVERY_KIND, all());
}

/// What is left when the network goes after an edit, but for what somebody brought: a VPC with that in it cannot go.
fn leftover(stage: &Stage, edit: &Edit) -> Option<String> {
    stage.reset();
    (edit.make)(stage);
    let site = &stage.scene.site;
    if site.inventory().to_string().contains("\"mine\"") {
        return None;
    }
    let mut output = site.command(&["destroy", "--yes"], &stage.scene.manifest).output().unwrap();
    // Where nothing is found, nobody gives the record up but a person.
    if edit.what == "the network is gone" {
        if output.status.success() || !told(&output).contains("ALI-PLAN-013") {
            return Some(format!("not refused: {}", told(&output)));
        }
        output = site.command(&["destroy", "--yes", "--forget"], &stage.scene.manifest).output().unwrap();
    }
    if !output.status.success() {
        return Some(told(&output));
    }
    let left = site.inventory();
    (left != stage.scene.before).then(|| format!("left: {left}"))
}

#[test]
#[ignore = "every change: make verify"]
fn whatever_somebody_changed_the_network_goes() {
    let stage = Stage::new(EVERY_KIND);
    let troubles: Vec<_> = all()
        .into_iter()
        .filter_map(|edit| leftover(&stage, &edit).map(|left| format!("{}: {left}", edit.what)))
        .collect();
    assert!(troubles.is_empty(), "{}", troubles.join("\n\n"));
}

const ANOTHER_GATEWAY: &[&str] = &[
    "associate zones/a/eip/association",
    "create zones/a/snat",
    "associate zones/b/eip/association",
    "create zones/b/snat",
];

#[test]
fn what_a_person_brings_is_changed_as_the_person_likes() {
    mends(
        Layout::OwnNatGateway,
        [
            edit("the VPC has another name", &[], |stage| {
                stage.vpc("ModifyVpcAttribute", &[("VpcId", "@VPC"), ("VpcName", "other")]);
            }),
            edit("the NAT gateway has another name", &[], |stage| {
                stage.vpc("ModifyNatGatewayAttribute", &[("NatGatewayId", "@NatGateway"), ("Name", "other")]);
            }),
            edit("the NAT gateway has tags", &[], |stage| {
                let of = [("ResourceType", "NATGATEWAY"), ("ResourceId.1", "@NatGateway")];
                stage.vpc("TagResources", &[of, [("Tag.1.Key", "team"), ("Tag.1.Value", "blue")]].concat());
            }),
            edit("there is another NAT gateway", &["refused ALI-ICV-009"], |stage| {
                bring_nat_gateway_in(&stage.scene.site, &stage.id("VPC"), "10.250.241.0/24");
            }),
            edit("the NAT gateway is gone", &["refused ALI-ICV-008"], |stage| {
                stage.vpc("DeleteNatGateway", &[("NatGatewayId", "@NatGateway"), ("Force", "true")]);
            }),
            edit("the NAT gateway is another one", ANOTHER_GATEWAY, |stage| {
                stage.vpc("DeleteNatGateway", &[("NatGatewayId", "@NatGateway"), ("Force", "true")]);
                bring_nat_gateway_in(&stage.scene.site, &stage.id("VPC"), "10.250.241.0/24");
            }),
        ],
    );
    let eip = |stage: &Stage| {
        let zone = &stage.scene.shoot["spec"]["provider"]["infrastructureConfig"]["networks"]["zones"][1];
        zone["natGateway"]["eipAllocationID"].as_str().unwrap().to_owned()
    };
    mends(
        Layout::OwnAddresses,
        [
            edit("an elastic IP has another name and bandwidth", &[], move |stage| {
                let eip = eip(stage);
                let parameters = [("AllocationId", eip.as_str()), ("Name", "other"), ("Bandwidth", "7")];
                stage.vpc("ModifyEipAddressAttribute", &parameters);
            }),
            edit(
                "an elastic IP serves nothing any more",
                &["associate zones/b/own-eip/association", "create zones/b/snat"],
                move |stage| {
                    stage.delete_snat_entry("b");
                    let eip = ("AllocationId", &*eip(stage));
                    stage.vpc(
                        "UnassociateEipAddress",
                        &[eip, ("InstanceId", "@NatGateway"), ("InstanceType", "Nat")],
                    );
                },
            ),
            edit("an elastic IP is gone", &["refused ALI-ICV-020"], move |stage| {
                stage.delete_snat_entry("b");
                let eip = ("AllocationId", &*eip(stage));
                stage.vpc("UnassociateEipAddress", &[eip, ("InstanceId", "@NatGateway"), ("InstanceType", "Nat")]);
                stage.vpc("ReleaseEipAddress", &[eip]);
            }),
        ],
    );
}
