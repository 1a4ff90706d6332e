//! Security groups: `CreateSecurityGroup`, `DescribeSecurityGroups`, `ModifySecurityGroupAttribute`,
//! `DeleteSecurityGroup`.

use serde_json::{Value, json};

use super::long_tags::LONG_TAGS;
use super::paging::{BAD_TOKEN, NUMBER, SIZE, TOKEN as NEXT_TOKEN, TOTAL, pages};
use super::rules::NOT_FOUND;
use super::{DESCRIPTION, DUPLICATE_TAG, NAME, distinct_tags, listed, same};
use crate::action::{
    Action, BOOLEAN, COUNT, Call, CloudError, ErrorCode, Form, Shape, TAG_FILTER, TAGS, TEXT, TOKEN, field, items,
    optional, record, required,
};
use crate::resource::{Status, Tags};
use crate::settings::Quota;
use crate::world::World;
use crate::world::ecs::SecurityGroup;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[CREATE, DESCRIBE, MODIFY, DELETE];

/// <https://www.alibabacloud.com/help/en/ecs/user-guide/limitations>
pub(super) const QUOTA: Quota = Quota::new("securityGroups", 100);
/// How many instances a group may have, by its type.
pub(super) const INSTANCES: Quota = Quota::new("securityGroupInstances", 2000);

const QUOTA_EXCEEDED: ErrorCode =
    ErrorCode::new(403, "QuotaExceed.SecurityGroup", "The maximum number of security groups is reached.");
const NO_VPC: ErrorCode =
    ErrorCode::new(403, "InvalidVpcId.NotFound", "vpc id must not empty when only support vpc vm.");
const VPC_NOT_FOUND: ErrorCode = ErrorCode::new(404, "InvalidVpcId.NotFound", "Specified VPC does not exist.");
const VPC_STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectVpcStatus", "Current VPC status does not support this operation.");
const BAD_NAME: ErrorCode =
    ErrorCode::new(400, "InvalidSecurityGroupName.Malformed", "Specified security group name is not valid.");
pub(super) const BAD_DESCRIPTION: ErrorCode = ErrorCode::new(
    400,
    "InvalidSecurityGroupDiscription.Malformed",
    "Specified security group description is not valid.",
);
const HAS_INSTANCES: ErrorCode =
    ErrorCode::new(403, "DependencyViolation", "There is still instance(s) in the specified security group.");
const IS_AUTHORIZED: ErrorCode =
    ErrorCode::new(403, "DependencyViolation", "The specified security group has been authorized in another one.");

const CREATE: Action = Action::write("CreateSecurityGroup", create)
    .parameters(&[
        required("RegionId", TEXT),
        optional("VpcId", TEXT),
        optional("SecurityGroupName", NAME).malformed(&BAD_NAME),
        optional("Description", DESCRIPTION).malformed(&BAD_DESCRIPTION),
        optional("SecurityGroupType", Form::OneOf(&["normal", "enterprise"])).or("normal"),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&["ResourceGroupId", "ServiceManaged"])
    .answer(&[field("SecurityGroupId", Shape::Text)])
    .errors(&[&NO_VPC, &VPC_NOT_FOUND, &VPC_STATUS, &QUOTA_EXCEEDED, &BAD_NAME, &BAD_DESCRIPTION, &DUPLICATE_TAG]);

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    distinct_tags(call)?;
    let region = world.region(call);
    let vpc = region.vpc.vpcs.get(call.given("VpcId").ok_or(&NO_VPC)?).ok_or(&VPC_NOT_FOUND)?;
    if vpc.phase.status != Status::Available {
        return Err((&VPC_STATUS).into());
    }
    call.within(&QUOTA, region.ecs.security_groups.len(), &QUOTA_EXCEEDED)?;
    let security_group_id = world.id("sg-");
    world.region_mut(call).ecs.security_groups.insert(SecurityGroup {
        security_group_id: security_group_id.clone(),
        security_group_name: call.text("SecurityGroupName").to_owned(),
        description: call.text("Description").to_owned(),
        security_group_type: call.text("SecurityGroupType").to_owned(),
        vpc_id: call.text("VpcId").to_owned(),
        rules: Vec::new(),
        creation_time: call.time(),
        tags: Tags::read(call),
    });
    Ok(json!({ "SecurityGroupId": security_group_id }))
}

const SECURITY_GROUP: Shape = record(&[
    field("SecurityGroupId", Shape::Text),
    field("SecurityGroupName", Shape::Text),
    field("Description", Shape::Text),
    field("SecurityGroupType", Shape::Text),
    field("VpcId", Shape::Text),
    field("CreationTime", Shape::Text),
    field("EcsCount", Shape::Integer),
    field("AvailableInstanceAmount", Shape::Integer),
    field("RuleCount", Shape::Integer),
    field("GroupToGroupRuleCount", Shape::Integer),
    field("ServiceManaged", Shape::Boolean),
    field("ResourceGroupId", Shape::Text),
    field("Tags", LONG_TAGS),
]);

const DESCRIBE: Action = Action::read("DescribeSecurityGroups", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("VpcId", TEXT),
        optional("SecurityGroupId", TEXT),
        optional("SecurityGroupIds", Form::Json(100)),
        optional("SecurityGroupName", TEXT),
        optional("SecurityGroupType", Form::OneOf(&["normal", "enterprise"])),
        optional("NetworkType", Form::OneOf(&["vpc", "classic"])),
        optional("ServiceManaged", BOOLEAN),
        optional("IsQueryEcsCount", BOOLEAN),
        optional("MaxResults", Form::Integer(1, 100)),
        optional("NextToken", TEXT),
        optional("PageNumber", COUNT),
        optional("PageSize", Form::Integer(1, 100)),
        TAG_FILTER,
    ])
    .left_out(&["DryRun", "FuzzyQuery", "ResourceGroupId"])
    .answer(&[
        TOTAL,
        NUMBER,
        SIZE,
        NEXT_TOKEN,
        field("RegionId", Shape::Text),
        field("SecurityGroups", record(&[field("SecurityGroup", items(&SECURITY_GROUP))])),
    ])
    .errors(&[&BAD_TOKEN]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let ecs = &world.region(call).ecs;
    let rows = ecs.security_groups.iter().filter(|group| {
        same(call, "VpcId", &group.vpc_id)
            && same(call, "SecurityGroupId", &group.security_group_id)
            && listed(call, "SecurityGroupIds", &group.security_group_id)
            && same(call, "SecurityGroupName", &group.security_group_name)
            && same(call, "SecurityGroupType", &group.security_group_type)
            && same(call, "NetworkType", "vpc")
            && call.flag("ServiceManaged") != Some(true)
            && group.tags.matches(call)
    });
    let most = call.settings.quota(&INSTANCES);
    let mut answer = pages(call, 1..=100, ("SecurityGroups", "SecurityGroup"), rows.collect(), |group| {
        let counted = call.flag("IsQueryEcsCount") == Some(true);
        let members = || ecs.instances.iter().filter(|instance| instance.in_group(&group.security_group_id));
        let count = if counted { members().count() } else { 0 };
        json!({
            "SecurityGroupId": group.security_group_id,
            "SecurityGroupName": group.security_group_name,
            "Description": group.description,
            "SecurityGroupType": group.security_group_type,
            "VpcId": group.vpc_id,
            "CreationTime": group.creation_time,
            "EcsCount": count,
            "AvailableInstanceAmount": if counted { most.saturating_sub(count) } else { 0 },
            "RuleCount": group.rules.len(),
            "GroupToGroupRuleCount": group.rules.iter().filter(|rule| !rule.group_id.is_empty()).count(),
            "ServiceManaged": false,
            "ResourceGroupId": "",
            "Tags": group.tags.listed_long(),
        })
    })?;
    if let Some(answer) = answer.as_object_mut() {
        answer.insert("RegionId".to_owned(), json!(call.region));
    }
    Ok(answer)
}

const MODIFY: Action = Action::write("ModifySecurityGroupAttribute", modify)
    .parameters(&[
        required("RegionId", TEXT),
        required("SecurityGroupId", TEXT),
        optional("SecurityGroupName", NAME).malformed(&BAD_NAME),
        optional("Description", DESCRIPTION).malformed(&BAD_DESCRIPTION),
    ])
    .errors(&[&NOT_FOUND, &BAD_NAME, &BAD_DESCRIPTION]);

fn modify(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("SecurityGroupId");
    world.region(call).ecs.security_groups.get(id).ok_or(&NOT_FOUND)?;
    let group = world.region_mut(call).ecs.security_groups.get_mut(id).ok_or(&NOT_FOUND)?;
    if let Some(name) = call.given("SecurityGroupName") {
        name.clone_into(&mut group.security_group_name);
    }
    if let Some(description) = call.given("Description") {
        description.clone_into(&mut group.description);
    }
    Ok(json!({}))
}

const DELETE: Action = Action::write("DeleteSecurityGroup", delete)
    .parameters(&[required("RegionId", TEXT), required("SecurityGroupId", TEXT)])
    .errors(&[&NOT_FOUND, &HAS_INSTANCES, &IS_AUTHORIZED]);

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let id = call.text("SecurityGroupId");
    let ecs = &world.region(call).ecs;
    ecs.security_groups.get(id).ok_or(&NOT_FOUND)?;
    if ecs.instances.iter().any(|instance| instance.in_group(id)) {
        return Err((&HAS_INSTANCES).into());
    }
    if ecs.security_groups.iter().flat_map(|group| &group.rules).any(|rule| rule.group_id == id) {
        return Err((&IS_AUTHORIZED).into());
    }
    world.region_mut(call).ecs.security_groups.remove(id);
    Ok(json!({}))
}
