//! The security group of the nodes and its rules (`alicloud-cloud` 2.5).

use super::{Desired, Layout, vpc};
use crate::call::Argument;
use crate::cidr::Cidr;
use crate::collections::{NameMap, sorted_once};
use crate::plan::{Attribute, Difference, Resource, ResourceKind, is_pending, recorded_value};
use crate::policy::{Condition, Step};
use crate::provider::alicloud::infrastructure::names::{SECURITY_GROUP, VPC};
use crate::provider::alicloud::infrastructure::steps::{
    SECURITY_GROUPS, SHORT, Tagged, create, ids, reference, report, step, tags, text,
};
use crate::provider::alicloud::infrastructure::world::{SecurityGroup, SecurityGroupRule};

/// The kind of security groups.
pub const KIND: ResourceKind = ResourceKind { name: "security group", billed: false, association: false };

/// Its id in the plan.
pub const ID: &str = "securitygroup";

/// Most rules in one call.
const MOST: usize = 100;

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
    let all: Vec<&DesiredRule<'_>> = rules.iter().collect();
    let mut create_group = create(ID, create_group, SECURITY_GROUP, "/SecurityGroupId");
    if is_pending(&desired.state, ID) {
        // After a crash, the cloud may not show yet the group that it answers with, or may have deleted it.
        let look = region.ecs("DescribeSecurityGroups", &[("SecurityGroupId", reference(SECURITY_GROUP))]);
        let seen = Condition::Present { present: "/SecurityGroupId" };
        create_group.until = Some(SECURITY_GROUPS.probe(look, reference(SECURITY_GROUP), seen, SHORT));
    }
    let mut creation = vec![create_group];
    creation.extend(authorize(layout, &all));
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
    let texts: Vec<String> = wanted.iter().map(wanted_text).collect();
    let found = group.rules.as_deref().unwrap_or_default();
    let is_found = |text: &String| found.iter().any(|rule| found_text(rule) == *text);
    let missing: Vec<&DesiredRule<'_>> =
        wanted.iter().zip(&texts).filter(|(_, text)| !is_found(text)).map(|(rule, _)| rule).collect();
    let surplus = |direction: &str| -> Vec<&SecurityGroupRule> {
        let mut rules: Vec<&SecurityGroupRule> = found.iter().collect();
        rules.retain(|rule| rule.direction == direction && !texts.contains(&found_text(rule)));
        rules
    };
    let mut steps = authorize(layout, &missing);
    for &(direction, action) in &[("ingress", "RevokeSecurityGroup"), ("egress", "RevokeSecurityGroupEgress")] {
        for (index, rules) in surplus(direction).chunks(MOST).enumerate() {
            let ids = Argument::List(rules.iter().map(|rule| rule.id.as_str().into()).collect());
            let parameters =
                [("SecurityGroupId", reference(SECURITY_GROUP)), ("SecurityGroupRuleId", (&ids).into())];
            let verb = numbered(&format!("revoke-{direction}"), index);
            steps.push(step(ID, &verb, layout.region.ecs(action, &parameters)));
        }
    }
    let disruption = cut_off(wanted, &surplus("ingress"));
    let found = group.rules.as_ref().map(|rules| lines(rules.iter().map(found_text).collect()));
    Attribute {
        name: "rules",
        // Where no plan needs the rules, none differs.
        wanted: (group.id.is_empty() || group.rules.is_some()).then(|| lines(texts)),
        found,
        difference: Difference::Update(steps, disruption),
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

fn authorize(layout: &Layout<'_>, rules: &[&DesiredRule<'_>]) -> Vec<Step> {
    let permission = |(protocol, ports, source): &&DesiredRule<'_>| {
        Argument::Object(NameMap::from([
            ("Policy", "Accept".into()),
            ("Priority", "1".into()),
            ("IpProtocol", (*protocol).into()),
            ("PortRange", (*ports).into()),
            ("SourceCidrIp", (*source).into()),
        ]))
    };
    let call = |(index, rules): (usize, &[&DesiredRule<'_>])| {
        let permissions = Argument::List(rules.iter().map(permission).collect());
        let parameters = [("SecurityGroupId", reference(SECURITY_GROUP)), ("Permissions", (&permissions).into())];
        step(ID, &numbered("authorize", index), layout.region.ecs("AuthorizeSecurityGroup", &parameters))
    };
    rules.chunks(MOST).enumerate().map(call).collect()
}

fn numbered(verb: &str, index: usize) -> String {
    if index == 0 { verb.to_owned() } else { format!("{verb}-{}", index + 1) }
}

fn wanted_text((protocol, ports, source): &DesiredRule<'_>) -> String {
    rule_text(["ingress", "accept", "1", protocol, ports, source, ""])
}

fn found_text(rule: &SecurityGroupRule) -> String {
    let SecurityGroupRule { direction, policy, priority, protocol, ports, source, destination, .. } = rule;
    rule_text([direction, policy, priority, protocol, ports, source, destination])
}

/// A rule as a text that distinguishes it from others. The cloud may answer protocols and policies in either case.
fn rule_text([direction, policy, priority, protocol, ports, source, destination]: [&str; 7]) -> String {
    let (policy, protocol) = (policy.to_ascii_lowercase(), protocol.to_ascii_uppercase());
    let side = |word: &str, value: &str| if value.is_empty() { String::new() } else { format!(" {word} {value}") };
    let (from, to) = (side("from", source), side("to", destination));
    format!("{direction} {policy} {protocol} {ports}{from}{to} priority {priority}")
}

fn lines(rules: Vec<String>) -> String {
    sorted_once(rules).join("\n")
}
