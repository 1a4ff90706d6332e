//! The security group of the nodes and its rules (`alicloud-cloud` 2.5).

use super::{Desired, Layout, vpc};
use crate::cidr::Cidr;
use crate::collections::sorted_once;
use crate::plan::{Attribute, Difference, Resource, ResourceKind, is_pending, recorded_value};
use crate::policy::Condition;
use crate::provider::alicloud::infrastructure::names::{SECURITY_GROUP, VPC};
use crate::provider::alicloud::infrastructure::steps::{
    SHORT, Tagged, create, ids, reference, report, step, tags, text,
};
use crate::provider::alicloud::security_groups::{
    Changed, Direction, RuleDifference, SECURITY_GROUPS, SecurityGroup, SecurityGroupRule, WantedRule, compare,
};

/// The kind of security groups.
pub const KIND: ResourceKind = ResourceKind { name: "security group", billed: false, association: false };

/// Its id in the plan.
pub const ID: &str = "securitygroup";

/// Ports at which nodes reach each other.
const NODES: [&str; 3] = ["1/22", "24/513", "515/65535"];
/// Protocols and ports at which pods reach nodes.
const PODS: (&str, &str) = ("ALL", "-1/-1");

/// A rule that has to exist, for traffic that comes in: protocol, ports and source.
pub type DesiredRule<'a> = (&'static str, &'static str, &'a str);

/// The rules that have to exist in a VPC of a range.
pub fn wanted_rules<'a>(vpc_cidr: &'a str, pods: Option<&'a str>) -> Vec<DesiredRule<'a>> {
    let mut rules: Vec<DesiredRule<'_>> = vec![("TCP", "30000/32767", "0.0.0.0/0")];
    for &protocol in &["TCP", "UDP"] {
        for ports in NODES {
            rules.push((protocol, ports, vpc_cidr));
        }
    }
    rules.extend(pods.map(|pods| (PODS.0, PODS.1, pods)));
    rules
}

/// Declares it.
pub fn declare(layout: &Layout<'_>, desired: &mut Desired<'_>) {
    let Layout { input, region, world, .. } = layout;
    let recorded_id = recorded_value(&desired.state, SECURITY_GROUP).unwrap_or_default();
    let name = layout.names.name("sg");
    let groups = &world.security_groups;
    let found = (groups.iter().find(|group| group.id == recorded_id))
        .or_else(|| groups.iter().find(|group| layout.are_tags_of(&group.tags, &name)))
        .or_else(|| groups.iter().find(|group| group.name == name));
    let none = SecurityGroup::default();
    let seen = found.unwrap_or(&none);

    let vpc_cidr = match &world.vpc {
        Some(vpc) => vpc.cidr.as_str(),
        None => input.config.networks.vpc.cidr.unwrap_or_default(),
    };
    let rules = wanted_rules(vpc_cidr, input.pods);
    let wanted_tags = layout.names.tags(name.clone());
    let tag = tags(&wanted_tags);
    let description = format!("Security group for {}", input.technical_id);
    let parameters = [
        ("SecurityGroupName", name.as_str().into()),
        ("VpcId", reference(VPC)),
        ("Description", description.as_str().into()),
        ("Tag", (&tag).into()),
    ];
    let create_group = region.ecs("CreateSecurityGroup", &parameters);
    let all: Vec<WantedRule<'_>> = rules.iter().map(permission).collect();
    let mut create_group = create(ID, create_group, SECURITY_GROUP, "/SecurityGroupId");
    if is_pending(&desired.state, ID) {
        // After a crash, the cloud may not show yet the group that it answers with, or may have deleted it.
        let look = region.ecs("DescribeSecurityGroups", &[("SecurityGroupId", reference(SECURITY_GROUP))]);
        let seen = Condition::Present { present: "/SecurityGroupId" };
        create_group.until = Some(SECURITY_GROUPS.probe(look, reference(SECURITY_GROUP), seen, SHORT));
    }
    let mut creation = vec![create_group];
    creation.extend(changed(layout).authorize(&all.iter().collect::<Vec<_>>()));
    let delete = region.ecs("DeleteSecurityGroup", &[("SecurityGroupId", seen.id.as_str().into())]);
    let mut resource = Resource::new(ID, &KIND, &name);
    resource.wanted = layout.wanted;
    resource.found = found.map(|group| group.id.clone());
    resource.key = Some(SECURITY_GROUP.to_owned());
    resource.unmarked = !layout.names.are_ours(&seen.tags);
    resource.needs = ids(&[vpc::ID]);
    resource.uses = ids(&[vpc::ID]);
    resource.attributes = vec![
        report("name", Some(name.clone()), &seen.name),
        rules_attribute(layout, &rules, seen),
        region.tags(ID, (Tagged("securitygroup"), &seen.id), &wanted_tags, &seen.tags),
    ];
    resource.create = creation;
    resource.delete = vec![step(ID, "delete", delete)];
    desired.resources.push(resource);
}

/// All rules as one attribute: the plan authorizes missing rules first, and then revokes surplus ones.
fn rules_attribute(layout: &Layout<'_>, wanted: &[DesiredRule<'_>], group: &SecurityGroup) -> Attribute {
    let all: Vec<WantedRule<'_>> = wanted.iter().map(permission).collect();
    let RuleDifference { wanted: text, found, mut surplus, steps } =
        compare(&changed(layout), &all, group.rules.as_deref());
    surplus.retain(|rule| rule.direction == Direction::Ingress.name());
    let disruption = cut_off(wanted, &surplus);
    Attribute {
        name: "rules",
        // Where no plan needs the rules, none differs.
        wanted: (group.id.is_empty() || group.rules.is_some()).then_some(text),
        found,
        difference: Difference::Update(steps, disruption),
    }
}

fn changed<'a>(layout: &Layout<'a>) -> Changed<'a> {
    Changed { region: layout.region, resource: ID, key: SECURITY_GROUP }
}

fn permission<'a>(&(protocol, ports, source): &DesiredRule<'a>) -> WantedRule<'a> {
    WantedRule {
        direction: Direction::Ingress,
        policy: "Accept",
        priority: "1",
        protocol,
        ports,
        parameter: "SourceCidrIp",
        other_side: source,
        description: "",
    }
}

/// Who loses traffic where the plan revokes rules that an earlier run authorized for other ranges: pods and nodes
/// may still have addresses of those ranges, unless a wanted rule lets them in too.
fn cut_off(wanted: &[DesiredRule<'_>], surplus: &[&SecurityGroupRule]) -> Option<String> {
    let mut sentences = Vec::new();
    for SecurityGroupRule { policy, priority, protocol, ports, source, .. } in surplus {
        let Some(range) = Cidr::parse(source).filter(|_| policy.eq_ignore_ascii_case("accept") && priority == "1")
        else {
            continue;
        };
        let is = |(known, at): (&str, &str)| protocol.eq_ignore_ascii_case(known) && ports == at;
        let lets_in = |(known, at, from): &DesiredRule<'_>| {
            (is((known, at)) || (*known, *at) == PODS)
                && Cidr::parse(from).is_some_and(|from| from.contains(&range))
        };
        if wanted.iter().any(lets_in) {
            continue;
        }
        if is(PODS) {
            sentences.push(format!("Pods with addresses of {source} no longer reach the nodes."));
        } else if NODES.iter().any(|ports| is(("TCP", ports)) || is(("UDP", ports))) {
            sentences.push(format!("Nodes with addresses of {source} no longer reach the others."));
        }
    }
    text(&sorted_once(sentences).join(" "))
}
