//! The rules of security groups, and `DescribeSecurityGroupAttribute`.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::paging::{BAD_TOKEN, TOKEN as NEXT_TOKEN};
use crate::action::{
    Action, Call, CloudError, ErrorCode, Form, Shape, TEXT, field, items, optional, record, required,
};
use crate::world::{World, slice, start};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE];

pub(super) const NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidSecurityGroupId.NotFound", "The specified SecurityGroupId does not exist.");

/// The direction of the traffic that a rule is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Direction {
    /// Traffic to the instances.
    Ingress,
    /// Traffic from the instances.
    Egress,
}

/// A rule of a security group. A member that the rule does not have is empty.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct SecurityGroupRule {
    /// Its identifier.
    pub security_group_rule_id: String,
    /// The direction of the traffic that it is for.
    pub direction: Direction,
    /// The protocol in capitals, such as `TCP` or `ALL`.
    pub ip_protocol: String,
    /// The ports of the destination, such as `22/22`.
    pub port_range: String,
    /// The ports of the source.
    pub source_port_range: String,
    /// The IPv4 block of the source.
    pub source_cidr_ip: String,
    /// The IPv4 block of the destination.
    pub dest_cidr_ip: String,
    /// The IPv6 block of the source.
    pub ipv6_source_cidr_ip: String,
    /// The IPv6 block of the destination.
    pub ipv6_dest_cidr_ip: String,
    /// The security group on the other side: of the source for ingress, of the destination for egress.
    pub group_id: String,
    /// `Accept` or `Drop`.
    pub policy: String,
    /// From 1, the highest priority, to 100.
    pub priority: i64,
    /// Its description.
    pub description: String,
    /// When it was created.
    pub create_time: String,
}

impl SecurityGroupRule {
    /// Whether another rule is for the same traffic and does the same with it.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        let name = |rule: &Self| Self {
            security_group_rule_id: String::new(),
            description: String::new(),
            create_time: String::new(),
            ..rule.clone()
        };
        name(self) == name(other)
    }
}

const PERMISSION: Shape = record(&[
    field("SecurityGroupRuleId", Shape::Text),
    field("Direction", Shape::Text),
    field("IpProtocol", Shape::Text),
    field("PortRange", Shape::Text),
    field("SourcePortRange", Shape::Text),
    field("SourceCidrIp", Shape::Text),
    field("DestCidrIp", Shape::Text),
    field("Ipv6SourceCidrIp", Shape::Text),
    field("Ipv6DestCidrIp", Shape::Text),
    field("SourceGroupId", Shape::Text),
    field("SourceGroupName", Shape::Text),
    field("SourceGroupOwnerAccount", Shape::Text),
    field("DestGroupId", Shape::Text),
    field("DestGroupName", Shape::Text),
    field("DestGroupOwnerAccount", Shape::Text),
    field("SourcePrefixListId", Shape::Text),
    field("SourcePrefixListName", Shape::Text),
    field("DestPrefixListId", Shape::Text),
    field("DestPrefixListName", Shape::Text),
    field("Policy", Shape::Text),
    field("Priority", Shape::Text),
    field("NicType", Shape::Text),
    field("Description", Shape::Text),
    field("CreateTime", Shape::Text),
]);

const DESCRIBE: Action = Action::read("DescribeSecurityGroupAttribute", describe)
    .parameters(&[
        required("RegionId", TEXT),
        required("SecurityGroupId", TEXT),
        optional("Direction", Form::OneOf(&["all", "ingress", "egress"])).or("all"),
        optional("NicType", Form::OneOf(&["intranet", "internet"])),
        optional("MaxResults", Form::Integer(10, 1000)).or("500"),
        optional("NextToken", TEXT),
    ])
    .left_out(&["Attribute"])
    .answer(&[
        field("RegionId", Shape::Text),
        field("SecurityGroupId", Shape::Text),
        field("SecurityGroupName", Shape::Text),
        field("Description", Shape::Text),
        field("VpcId", Shape::Text),
        field("InnerAccessPolicy", Shape::Text),
        field("Permissions", record(&[field("Permission", items(&PERMISSION))])),
        NEXT_TOKEN,
    ])
    .errors(&[&NOT_FOUND, &BAD_TOKEN]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let groups = &world.region(call).ecs.security_groups;
    let group = groups.get(call.text("SecurityGroupId")).ok_or(&NOT_FOUND)?;
    let direction = match call.text("Direction") {
        "ingress" => Some(Direction::Ingress),
        "egress" => Some(Direction::Egress),
        _ => None,
    };
    let rules =
        group.rules.iter().filter(|rule| direction.is_none_or(|direction| direction == rule.direction)).collect();
    let most = usize::try_from(call.integer("MaxResults").unwrap_or(500)).unwrap_or_default();
    let (rules, _, token) = slice(call, start(call, &BAD_TOKEN)?, most, rules);
    let permissions: Vec<Value> = rules
        .into_iter()
        .map(|rule: &SecurityGroupRule| {
            let name = groups.get(&rule.group_id).map_or("", |group| &group.security_group_name);
            let (source, dest) = match rule.direction {
                Direction::Ingress => ((rule.group_id.as_str(), name), ("", "")),
                Direction::Egress => (("", ""), (rule.group_id.as_str(), name)),
            };
            json!({
                "SecurityGroupRuleId": rule.security_group_rule_id,
                "Direction": rule.direction,
                "IpProtocol": rule.ip_protocol,
                "PortRange": rule.port_range,
                "SourcePortRange": rule.source_port_range,
                "SourceCidrIp": rule.source_cidr_ip,
                "DestCidrIp": rule.dest_cidr_ip,
                "Ipv6SourceCidrIp": rule.ipv6_source_cidr_ip,
                "Ipv6DestCidrIp": rule.ipv6_dest_cidr_ip,
                "SourceGroupId": source.0,
                "SourceGroupName": source.1,
                "SourceGroupOwnerAccount": "",
                "DestGroupId": dest.0,
                "DestGroupName": dest.1,
                "DestGroupOwnerAccount": "",
                "SourcePrefixListId": "",
                "SourcePrefixListName": "",
                "DestPrefixListId": "",
                "DestPrefixListName": "",
                "Policy": rule.policy,
                "Priority": rule.priority.to_string(),
                "NicType": "intranet",
                "Description": rule.description,
                "CreateTime": rule.create_time,
            })
        })
        .collect();
    Ok(json!({
        "RegionId": call.region,
        "SecurityGroupId": group.security_group_id,
        "SecurityGroupName": group.security_group_name,
        "Description": group.description,
        "VpcId": group.vpc_id,
        "InnerAccessPolicy": if group.security_group_type == "normal" { "Accept" } else { "Drop" },
        "Permissions": { "Permission": permissions },
        "NextToken": token.unwrap_or_default(),
    }))
}
