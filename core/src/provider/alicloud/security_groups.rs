//! Security groups: what the cloud has of them, and the steps that change their rules.

use crate::call::{Argument, Query};
use crate::collections::{NameMap, sorted_once};
use crate::gardener::planning::Tags;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::Facts;
use crate::gardener::planning::steps::{Listing, Parameter, Parameters, reference, step};
use crate::policy::Step;
use crate::provider::alicloud::queries::Region;
use crate::provider::alicloud::tags::tags_of;

/// Security groups in a response.
pub const SECURITY_GROUPS: Listing = Listing { list: "/SecurityGroups/SecurityGroup", key: "SecurityGroupId" };

/// Most rules in one call.
const MOST: usize = 100;

/// A security group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecurityGroup {
    /// `SecurityGroupId`
    pub id: String,
    /// `SecurityGroupName`
    pub name: String,
    /// `VpcId`
    pub vpc: String,
    /// Its rules; `None` where no plan needs them.
    pub rules: Option<Vec<SecurityGroupRule>>,
    /// `Tags`
    pub tags: Tags,
}

/// A rule of a security group.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SecurityGroupRule {
    /// `SecurityGroupRuleId`
    pub id: String,
    /// `Direction`: `ingress` or `egress`.
    pub direction: String,
    /// `Policy`: `Accept` or `Drop`.
    pub policy: String,
    /// `Priority`: 1 to 100.
    pub priority: String,
    /// `IpProtocol`: `TCP`, `UDP`, `ALL`, …
    pub protocol: String,
    /// `PortRange`: `first/last`, `-1/-1` for all.
    pub ports: String,
    /// Where traffic comes from: `SourceCidrIp`, `Ipv6SourceCidrIp`, `SourceGroupId` or `SourcePrefixListId`.
    pub source: String,
    /// Where traffic goes to: `DestCidrIp`, `Ipv6DestCidrIp`, `DestGroupId` or `DestPrefixListId`.
    pub destination: String,
}

/// A rule that has to exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WantedRule<'a> {
    /// Which traffic it is about.
    pub direction: Direction,
    /// `Accept` or `Drop`.
    pub policy: &'static str,
    /// 1 to 100; the lowest counts first.
    pub priority: &'static str,
    /// Such as `TCP`.
    pub protocol: &'static str,
    /// Such as `22/22`.
    pub ports: &'static str,
    /// The parameter that has the other side.
    pub parameter: &'static str,
    /// The other side.
    pub other_side: &'a str,
    /// What people read of it; empty where nothing.
    pub description: &'static str,
}

/// Which traffic a rule is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// What comes in.
    Ingress,
    /// What goes out.
    Egress,
}

impl Direction {
    /// As the cloud has it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Ingress => "ingress",
            Self::Egress => "egress",
        }
    }

    const fn authorize(self) -> (&'static str, &'static str) {
        match self {
            Self::Ingress => ("authorize", "AuthorizeSecurityGroup"),
            Self::Egress => ("authorize-egress", "AuthorizeSecurityGroupEgress"),
        }
    }

    const fn revoke(self) -> (&'static str, &'static str) {
        match self {
            Self::Ingress => ("revoke-ingress", "RevokeSecurityGroup"),
            Self::Egress => ("revoke-egress", "RevokeSecurityGroupEgress"),
        }
    }
}

impl SecurityGroupRule {
    fn read(entry: &Entry<'_>) -> Self {
        let text = |key: &str| entry.text(&[key]).to_owned();
        Self {
            id: text("SecurityGroupRuleId"),
            direction: text("Direction"),
            policy: text("Policy"),
            priority: text("Priority"),
            protocol: text("IpProtocol"),
            ports: text("PortRange"),
            source: entry
                .first(&["SourceCidrIp", "Ipv6SourceCidrIp", "SourceGroupId", "SourcePrefixListId"])
                .to_owned(),
            destination: entry
                .first(&["DestCidrIp", "Ipv6DestCidrIp", "DestGroupId", "DestPrefixListId"])
                .to_owned(),
        }
    }

    /// As a text that distinguishes it from others.
    fn text(&self) -> String {
        let Self { direction, policy, priority, protocol, ports, source, destination, .. } = self;
        rule_text([direction, policy, priority, protocol, ports, source, destination])
    }
}

impl WantedRule<'_> {
    /// As a text that distinguishes it from others.
    fn text(&self) -> String {
        let (source, destination) = match self.direction {
            Direction::Ingress => (self.other_side, ""),
            Direction::Egress => ("", self.other_side),
        };
        let direction = self.direction.name();
        rule_text([direction, self.policy, self.priority, self.protocol, self.ports, source, destination])
    }

    /// The rule as a run makes it.
    pub fn imagined(&self, id: String) -> SecurityGroupRule {
        let other_side = self.other_side.to_owned();
        let (source, destination) = match self.direction {
            Direction::Ingress => (other_side, String::new()),
            Direction::Egress => (String::new(), other_side),
        };
        SecurityGroupRule {
            id,
            direction: self.direction.name().to_owned(),
            policy: self.policy.to_owned(),
            priority: self.priority.to_owned(),
            protocol: self.protocol.to_owned(),
            ports: self.ports.to_owned(),
            source,
            destination,
        }
    }

    fn permission(&self) -> Argument {
        let mut permission = NameMap::from([
            ("Policy", self.policy.into()),
            ("Priority", self.priority.into()),
            ("IpProtocol", self.protocol.into()),
            ("PortRange", self.ports.into()),
            (self.parameter, self.other_side.into()),
        ]);
        if !self.description.is_empty() {
            permission.insert("Description", self.description.into());
        }
        Argument::Object(permission)
    }
}

/// The cloud may answer protocols and policies in either case.
fn rule_text([direction, policy, priority, protocol, ports, source, destination]: [&str; 7]) -> String {
    let (policy, protocol) = (policy.to_ascii_lowercase(), protocol.to_ascii_uppercase());
    let side = |word: &str, value: &str| if value.is_empty() { String::new() } else { format!(" {word} {value}") };
    let (from, to) = (side("from", source), side("to", destination));
    format!("{direction} {policy} {protocol} {ports}{from}{to} priority {priority}")
}

/// Security groups by one of their members, such as `VpcId`.
pub fn groups_by(region: Region<'_>, member: &'static str, value: &str) -> Query {
    let parameters = [(member, value.into())];
    region.pages_by_token("ecs", "DescribeSecurityGroups", Some(("MaxResults", "100")), &parameters)
}

/// Reads the groups that a query asks for, without their rules.
pub fn groups(facts: &mut Facts<'_>, query: Query) -> Option<Vec<SecurityGroup>> {
    facts.list(query, SECURITY_GROUPS.list, None, read_group)
}

/// Reads a group, without its rules.
pub fn read_group(entry: &Entry<'_>) -> SecurityGroup {
    SecurityGroup {
        id: entry.id("SecurityGroupId").to_owned(),
        name: entry.text(&["SecurityGroupName"]).to_owned(),
        vpc: entry.text(&["VpcId"]).to_owned(),
        rules: None,
        tags: tags_of(entry),
    }
}

/// Reads the rules of a group, both ways.
pub fn rules(facts: &mut Facts<'_>, region: Region<'_>, group: &str) -> Option<Vec<SecurityGroupRule>> {
    let parameters = [("SecurityGroupId", group.into())];
    let query =
        region.pages_by_token("ecs", "DescribeSecurityGroupAttribute", Some(("MaxResults", "1000")), &parameters);
    facts.list(query, "/Permissions/Permission", None, SecurityGroupRule::read)
}

/// The group whose rules steps change.
#[derive(Clone, Copy, Debug)]
pub struct Changed<'a> {
    /// Where it is.
    pub region: Region<'a>,
    /// Its id in the plan.
    pub resource: &'a str,
    /// The key of the state that has its id in the cloud.
    pub key: &'a str,
}

impl Changed<'_> {
    /// The steps that add rules.
    pub fn authorize(&self, wanted: &[&WantedRule<'_>]) -> Vec<Step> {
        let mut steps = Vec::new();
        for direction in [Direction::Ingress, Direction::Egress] {
            let permissions = wanted.iter().filter(|rule| rule.direction == direction);
            let permissions: Vec<Argument> = permissions.map(|rule| rule.permission()).collect();
            self.add(&mut steps, direction.authorize(), "Permissions", &permissions);
        }
        steps
    }

    /// The steps that remove rules.
    fn revoke(&self, surplus: &[&SecurityGroupRule]) -> Vec<Step> {
        let mut steps = Vec::new();
        for direction in [Direction::Ingress, Direction::Egress] {
            let ids = surplus.iter().filter(|rule| rule.direction == direction.name());
            let ids: Vec<Argument> = ids.map(|rule| rule.id.as_str().into()).collect();
            self.add(&mut steps, direction.revoke(), "SecurityGroupRuleId", &ids);
        }
        steps
    }

    fn add(
        &self,
        steps: &mut Vec<Step>,
        (verb, action): (&str, &'static str),
        parameter: &'static str,
        values: &[Argument],
    ) {
        for (index, values) in values.chunks(MOST).enumerate() {
            let values = Argument::List(values.to_vec());
            let group: (&'static str, Parameter<'_>) = ("SecurityGroupId", reference(self.key));
            let parameters: &Parameters<'_> = &[group, (parameter, (&values).into())];
            let verb = if index == 0 { verb.to_owned() } else { format!("{verb}-{}", index + 1) };
            steps.push(step(self.resource, &verb, self.region.call("ecs", action, parameters)));
        }
    }
}

/// How the rules of a group differ from the wanted ones.
#[derive(Debug)]
pub struct RuleDifference<'r> {
    /// The wanted rules, one a line.
    pub wanted: String,
    /// The rules that are found, one a line; `None` where nobody read them.
    pub found: Option<String>,
    /// The rules that nobody wants.
    pub surplus: Vec<&'r SecurityGroupRule>,
    /// The steps that add the missing rules, and then remove the surplus ones.
    pub steps: Vec<Step>,
}

/// Compares the rules of a group with the wanted ones.
pub fn compare<'r>(
    changed: &Changed<'_>,
    wanted: &[WantedRule<'_>],
    found: Option<&'r [SecurityGroupRule]>,
) -> RuleDifference<'r> {
    let texts: Vec<String> = wanted.iter().map(WantedRule::text).collect();
    let rules = found.unwrap_or_default();
    let is_found = |text: &String| rules.iter().any(|rule| rule.text() == *text);
    let missing: Vec<&WantedRule<'_>> =
        wanted.iter().zip(&texts).filter(|(_, text)| !is_found(text)).map(|(rule, _)| rule).collect();
    let surplus: Vec<&SecurityGroupRule> = rules.iter().filter(|rule| !texts.contains(&rule.text())).collect();
    let mut steps = changed.authorize(&missing);
    steps.extend(changed.revoke(&surplus));
    let found = found.map(|rules| lines(rules.iter().map(SecurityGroupRule::text).collect()));
    RuleDifference { wanted: lines(texts), found, surplus, steps }
}

fn lines(rules: Vec<String>) -> String {
    sorted_once(rules).join("\n")
}
