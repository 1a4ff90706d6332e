//! The security group of a bastion: who reaches it, and what it reaches.

use super::input::{GROUP, GROUP_ID as ID, Input, Network};
use super::world::World;
use crate::call::Call;
use crate::cidr::Family;
use crate::gardener::planning::steps::{create, reference, report, step, text, update};
use crate::plan::{Resource, ResourceKind, is_pending, recorded_value};
use crate::policy::{Condition, State};
use crate::provider::alicloud::queries::Region;
use crate::provider::alicloud::security_groups::{
    Changed, Direction, SECURITY_GROUPS, SecurityGroup, SecurityGroupRule, WantedRule, compare,
};
use crate::provider::alicloud::tags::{Tagged, tags};

/// The kind of the group.
const KIND: ResourceKind = ResourceKind { name: "security group", billed: false, association: false };
/// Seconds that a run waits until everybody sees a group.
const LIMIT: u32 = 90;

/// The port of SSH.
const SSH: &str = "22/22";

/// The rules of the group. `ranges` are the ones that may connect, as texts.
fn wanted_rules<'a>(input: &Input<'_>, network: &'a Network, ranges: &'a [String]) -> Vec<WantedRule<'a>> {
    let mut rules = Vec::new();
    let rule = |direction, policy, priority, ports, parameter, other_side, description| WantedRule {
        direction,
        policy,
        priority,
        protocol: "TCP",
        ports,
        parameter,
        other_side,
        description,
    };
    for (range, text) in input.ingress.iter().zip(ranges) {
        let parameter = match range.family() {
            Family::IPv4 => "SourceCidrIp",
            Family::IPv6 => "Ipv6SourceCidrIp",
        };
        rules.push(rule(Direction::Ingress, "Accept", "1", SSH, parameter, text, "SSH access for Bastion"));
    }
    let egress = |policy, priority, ports, parameter, other_side, description| {
        rule(Direction::Egress, policy, priority, ports, parameter, other_side, description)
    };
    let to_nodes = "Allow Bastion egress to Shoot workers";
    rules.push(egress("Accept", "1", SSH, "DestGroupId", network.nodes.as_str(), to_nodes));
    rules.push(egress("Drop", "100", "1/65535", "DestCidrIp", "0.0.0.0/0", "Bastion egress deny"));
    rules
}

/// The rules as a run makes them.
pub fn imagined_rules(input: &Input<'_>, network: &Network) -> Vec<SecurityGroupRule> {
    let ranges = ranges(input);
    let rules = wanted_rules(input, network, &ranges);
    let number = |(index, rule): (usize, &WantedRule<'_>)| rule.imagined(format!("(rule {})", index + 1));
    rules.iter().enumerate().map(number).collect()
}

/// The ranges that may connect, as the cloud has them.
fn ranges(input: &Input<'_>) -> Vec<String> {
    input.ingress.iter().map(|range| range.network().to_string()).collect()
}

/// Declares the group; in a deletion, every one that is the bastion's.
pub fn declare(input: &Input<'_>, world: &World, recorded: &State) -> Vec<Resource> {
    let region = Region(input.region);
    let found = world.group(recorded);
    let mut resource = Resource::new(ID, &KIND, &input.group_name());
    resource.key = Some(GROUP.to_owned());
    resource.found = found.map(|group| group.id.clone());
    resource.delete = found.map(|group| vec![step(ID, "delete", delete(region, group))]).unwrap_or_default();
    if let Some(network) = &input.network {
        resource.wanted = true;
        want(input, network, found, recorded, &mut resource);
    }
    let mut resources = vec![resource];
    let others = world.groups.iter().filter(|group| found.is_none_or(|found| found.id != group.id));
    resources.extend(others.map(|group| {
        let id = id(group, found);
        let mut resource = Resource::new(&id, &KIND, &group.name);
        resource.found = Some(group.id.clone());
        resource.delete = vec![step(&id, "delete", delete(region, group))];
        resource
    }));
    resources
}

/// The id in the plan of a group; `first` is the one of the bastion.
pub fn id(group: &SecurityGroup, first: Option<&SecurityGroup>) -> String {
    if first.is_some_and(|first| first.id == group.id) { ID.to_owned() } else { format!("{ID}/{}", group.id) }
}

fn delete(region: Region<'_>, group: &SecurityGroup) -> Call {
    region.ecs("DeleteSecurityGroup", &[("SecurityGroupId", group.id.as_str().into())])
}

fn want(
    input: &Input<'_>,
    network: &Network,
    found: Option<&SecurityGroup>,
    recorded: &State,
    resource: &mut Resource,
) {
    let region = Region(input.region);
    let name = input.group_name();
    let ranges = ranges(input);
    let rules = wanted_rules(input, network, &ranges);
    let changed = Changed { region, resource: ID, key: GROUP };
    let tag = tags(&vec![input.tag()]);
    let parameters = [
        ("SecurityGroupName", name.as_str().into()),
        ("VpcId", network.vpc.as_str().into()),
        ("Tag", (&tag).into()),
    ];
    let mut create_group = create(ID, region.ecs("CreateSecurityGroup", &parameters), GROUP, "/SecurityGroupId");
    if is_pending(recorded, ID) {
        // After a crash, the cloud may not show yet the group that it answers with, or may have deleted it.
        let look = region.ecs("DescribeSecurityGroups", &[("SecurityGroupId", reference(GROUP))]);
        let seen = Condition::Present { present: "/SecurityGroupId" };
        create_group.until = Some(SECURITY_GROUPS.probe(look, reference(GROUP), seen, LIMIT));
    }
    resource.create = vec![create_group];
    resource.create.extend(changed.authorize(&rules.iter().collect::<Vec<_>>()));
    let rules_of = |found: Option<&SecurityGroup>| {
        let difference = compare(&changed, &rules, found.and_then(|found| found.rules.as_deref()));
        let found = difference.found.unwrap_or_default();
        update("rules", Some(difference.wanted), &found, difference.steps)
    };
    resource.attributes = vec![rules_of(found)];
    let Some(found) = found else { return };
    resource.attributes.push(report("name", text(&name), &found.name));
    if !input.is_marked(&found.tags) {
        resource.unmarked = recorded_value(recorded, GROUP) != Some(found.id.as_str());
        let group = (Tagged("securitygroup"), found.id.as_str());
        resource.attributes.push(region.mark(ID, group, &input.tag(), &found.tags));
    }
}
