//! Rules are added and removed: `AuthorizeSecurityGroup`, `RevokeSecurityGroup`, and the same for egress.

use serde_json::{Value, json};

use super::rule_parameters::{
    BAD_DEST, BAD_IPV6, BAD_NIC_TYPE, BAD_POLICY, BAD_PORTS, BAD_PRIORITY, BAD_PROTOCOL, BAD_SOURCE, BLOCK4,
    BLOCK6, BOTH_VERSIONS, DEST_NOT_FOUND, IPV4_PROTOCOL, IPV6_PROTOCOL, NO_DEST, NO_SOURCE, OTHER_VPC_DEST,
    OTHER_VPC_SOURCE, POLICY, PROTOCOL, PROTOCOL_AND_PORTS, RULE_DESCRIPTION, SAME_DEST, SAME_SOURCE,
    SOURCE_NOT_FOUND, rule_parameters, shows_a_rule,
};
use super::rules::NOT_FOUND;
use super::security_groups::BAD_DESCRIPTION;
use crate::action::{
    Action, Arguments, Call, CloudError, ErrorCode, Form, Parameter, TEXT, TOKEN, common, list, optional, records,
    required,
};
use crate::settings::Quota;
use crate::world::World;
use crate::world::ecs::{Direction, SecurityGroupRule};

/// The actions of this file.
pub const ACTIONS: &[Action] = &[AUTHORIZE, AUTHORIZE_EGRESS, REVOKE, REVOKE_EGRESS];

/// <https://www.alibabacloud.com/help/en/ecs/user-guide/limitations>
pub(super) const QUOTA: Quota = Quota::new("securityGroupRules", 200);

const TOO_MANY: ErrorCode = ErrorCode::new(
    403,
    "AuthorizationLimitExceed",
    "The limit of authorization records in the security group reaches.",
);
/// The codes since July 2024; before, such a call did nothing.
const NO_SUCH_RULE: ErrorCode = ErrorCode::new(
    404,
    "InvalidParam.SecurityGroupRuleId",
    "The specified security group rule does not exist in the security group.",
);
const NO_SUCH_EGRESS_RULE: ErrorCode = ErrorCode::new(
    404,
    "InvalidSecurityGroupRule.RuleNotExist",
    "The specified security group rule does not exist in the security group.",
);

/// Parameters of rules that the simulator leaves out: lists of prefixes and of ports, and groups of other
/// accounts.
const INGRESS_LEFT_OUT: &[&str] = &[
    "Permissions.N.PortRangeListId",
    "Permissions.N.SourceGroupOwnerAccount",
    "Permissions.N.SourceGroupOwnerId",
    "Permissions.N.SourcePrefixListId",
    "SourceGroupOwnerAccount",
    "SourceGroupOwnerId",
    "SourcePrefixListId",
];
const EGRESS_LEFT_OUT: &[&str] = &[
    "DestGroupOwnerAccount",
    "DestGroupOwnerId",
    "DestPrefixListId",
    "Permissions.N.DestGroupOwnerAccount",
    "Permissions.N.DestGroupOwnerId",
    "Permissions.N.DestPrefixListId",
    "Permissions.N.PortRangeListId",
];

const INGRESS: &[Parameter] = rule_parameters!("SourceGroupId", &BAD_SOURCE, &BAD_DEST);
const EGRESS: &[Parameter] = rule_parameters!("DestGroupId", &BAD_SOURCE, &BAD_DEST);

/// The errors of adding and of removing a rule, and some errors more.
macro_rules! rule_errors {
    ($($more:expr),*) => {
        &[
            &NOT_FOUND,
            $($more,)*
            &BAD_PROTOCOL,
            &PROTOCOL_AND_PORTS,
            &BAD_PORTS,
            &BAD_SOURCE,
            &BAD_DEST,
            &BAD_IPV6,
            &BOTH_VERSIONS,
            &IPV4_PROTOCOL,
            &IPV6_PROTOCOL,
            &BAD_POLICY,
            &BAD_PRIORITY,
            &BAD_NIC_TYPE,
            &BAD_DESCRIPTION,
        ]
    };
}

/// Most rules in a call.
const MOST: usize = 100;

const AUTHORIZE: Action = Action::write("AuthorizeSecurityGroup", authorize)
    .parameters(rule_parameters!(
        "SourceGroupId",
        &BAD_SOURCE,
        &BAD_DEST,
        required("RegionId", TEXT),
        required("SecurityGroupId", TEXT),
        optional("Permissions", records(MOST, INGRESS)),
        optional("ClientToken", TOKEN),
    ))
    .left_out(INGRESS_LEFT_OUT)
    .errors(rule_errors!(&TOO_MANY, &NO_SOURCE, &SOURCE_NOT_FOUND, &SAME_SOURCE, &OTHER_VPC_SOURCE));

fn authorize(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    add(world, call, Direction::Ingress)
}

const AUTHORIZE_EGRESS: Action = Action::write("AuthorizeSecurityGroupEgress", authorize_egress)
    .parameters(rule_parameters!(
        "DestGroupId",
        &BAD_SOURCE,
        &BAD_DEST,
        required("RegionId", TEXT),
        required("SecurityGroupId", TEXT),
        optional("Permissions", records(MOST, EGRESS)),
        optional("ClientToken", TOKEN),
    ))
    .left_out(EGRESS_LEFT_OUT)
    .errors(rule_errors!(&TOO_MANY, &NO_DEST, &DEST_NOT_FOUND, &SAME_DEST, &OTHER_VPC_DEST));

fn authorize_egress(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    add(world, call, Direction::Egress)
}

/// Adds the rules of a call. A rule that exists already stays as it is.
fn add(world: &mut World, call: &Call<'_>, direction: Direction) -> Result<Value, CloudError> {
    let id = call.text("SecurityGroupId");
    let groups = &world.region(call).ecs.security_groups;
    let group = groups.get(id).ok_or(&NOT_FOUND)?;
    let mut rules: Vec<SecurityGroupRule> = Vec::new();
    for reported in reported(call, direction)? {
        let rule = SecurityGroupRule::read(reported, direction)?;
        rule.refers_well(group, groups)?;
        if !group.rules.iter().chain(&rules).any(|known| known.repeats(&rule)) {
            call.within(&QUOTA, group.rules.len() + rules.len(), &TOO_MANY)?;
            rules.push(rule);
        }
    }
    for rule in &mut rules {
        rule.security_group_rule_id = world.id("sgr-");
        rule.create_time = call.time();
    }
    if let Some(group) = world.region_mut(call).ecs.security_groups.get_mut(id) {
        group.rules.extend(rules);
    }
    Ok(json!({}))
}

/// The descriptions of the rules of a call: `Permissions.N`, or the call itself.
fn reported<'a>(call: &'a Call<'_>, direction: Direction) -> Result<Vec<&'a Arguments>, CloudError> {
    let permissions = call.records("Permissions");
    if permissions.is_empty() {
        return Ok(vec![&call.arguments]);
    }
    if shows_a_rule(call, direction) {
        return Err(common::INVALID_PARAMETER
            .because("Permissions.N cannot be used together with the parameters of one rule."));
    }
    Ok(permissions.iter().collect())
}

const REVOKE: Action = Action::write("RevokeSecurityGroup", revoke)
    .parameters(rule_parameters!(
        "SourceGroupId",
        &BAD_SOURCE,
        &BAD_DEST,
        required("RegionId", TEXT),
        required("SecurityGroupId", TEXT),
        optional("SecurityGroupRuleId", list(MOST, &TEXT)),
        optional("Permissions", records(MOST, INGRESS)),
        optional("ClientToken", TOKEN),
    ))
    .left_out(INGRESS_LEFT_OUT)
    .errors(rule_errors!(&NO_SUCH_RULE, &NO_SOURCE));

fn revoke(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    remove(world, call, Direction::Ingress, &NO_SUCH_RULE)
}

const REVOKE_EGRESS: Action = Action::write("RevokeSecurityGroupEgress", revoke_egress)
    .parameters(rule_parameters!(
        "DestGroupId",
        &BAD_SOURCE,
        &BAD_DEST,
        required("RegionId", TEXT),
        required("SecurityGroupId", TEXT),
        optional("SecurityGroupRuleId", list(MOST, &TEXT)),
        optional("Permissions", records(MOST, EGRESS)),
        optional("ClientToken", TOKEN),
    ))
    .left_out(EGRESS_LEFT_OUT)
    .errors(rule_errors!(&NO_SUCH_EGRESS_RULE, &NO_DEST));

fn revoke_egress(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    remove(world, call, Direction::Egress, &NO_SUCH_EGRESS_RULE)
}

/// Removes the rules of a call. A rule that the call names by its identifier must exist; a rule that the call
/// describes may be gone already.
fn remove(
    world: &mut World,
    call: &Call<'_>,
    direction: Direction,
    unknown: &'static ErrorCode,
) -> Result<Value, CloudError> {
    let id = call.text("SecurityGroupId");
    let group = world.region(call).ecs.security_groups.get(id).ok_or(&NOT_FOUND)?;
    let ids = call.texts("SecurityGroupRuleId");
    let mut gone: Vec<String> = Vec::new();
    if ids.is_empty() {
        for reported in reported(call, direction)? {
            let read = SecurityGroupRule::read(reported, direction)?;
            let meant = group.rules.iter().filter(|rule| rule.is_meant(&read, reported));
            gone.extend(meant.map(|rule| rule.security_group_rule_id.clone()));
        }
    } else {
        if call.has("Permissions") || shows_a_rule(call, direction) {
            return Err(common::INVALID_PARAMETER
                .because("SecurityGroupRuleId.N cannot be used together with the parameters of rules."));
        }
        for id in ids {
            let known =
                |rule: &SecurityGroupRule| rule.direction == direction && rule.security_group_rule_id == *id;
            if !group.rules.iter().any(known) {
                return Err(unknown.into());
            }
            gone.push(id.clone());
        }
    }
    if let Some(group) = world.region_mut(call).ecs.security_groups.get_mut(id) {
        group.rules.retain(|rule| !gone.contains(&rule.security_group_rule_id));
    }
    Ok(json!({}))
}
