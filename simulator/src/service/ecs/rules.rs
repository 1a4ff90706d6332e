//! The rules of security groups, and `DescribeSecurityGroupAttribute`.

use serde_json::{Value, json};

use super::paging::{BAD_TOKEN, TOKEN as NEXT_TOKEN};
use crate::action::{
    Action, Call, CloudError, ErrorCode, Form, Shape, TEXT, field, items, optional, record, required, slice, start,
};
use crate::world::World;
use crate::world::ecs::{Direction, SecurityGroupRule};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE];

pub(super) const NOT_FOUND: ErrorCode =
    ErrorCode::new(404, "InvalidSecurityGroupId.NotFound", "The specified SecurityGroupId does not exist.");

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
