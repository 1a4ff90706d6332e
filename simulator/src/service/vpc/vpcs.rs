//! Networks: `CreateVpc`, `DescribeVpcs`, `DeleteVpc`.

use std::time::Duration;

use ipnet::Ipv4Net;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::{DESCRIPTION, NAME};
use crate::action::{
    Action, BOOLEAN, CIDR4, COUNT, Call, CloudError, ErrorCode, Form, Shape, TEXT, TOKEN, field, items, optional,
    record, required,
};
use crate::world::{Phase, Quota, Status, TAG_FILTER, TAG_SHAPE, TAGS, Tags, World, page, resource};

/// What this kind of resource can do.
pub const ACTIONS: &[Action] = &[CREATE, DESCRIBE, DELETE];

/// <https://www.alibabacloud.com/help/en/vpc/user-guide/vpc-quotas>
const QUOTA: Quota = Quota::new("vpcs", 10);

const QUOTA_EXCEEDED: ErrorCode = ErrorCode::new(400, "QuotaExceeded.Vpc", "VPC quota exceeded.");
const NOT_FOUND: ErrorCode = ErrorCode::new(404, "InvalidVpcID.NotFound", "Specified VPC does not exist.");
const STATUS: ErrorCode =
    ErrorCode::new(400, "IncorrectVpcStatus", "Current VPC status does not support this operation.");

/// A network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Vpc {
    /// Its identifier.
    pub vpc_id: String,
    /// Its name.
    pub vpc_name: String,
    /// What it is for.
    pub description: String,
    /// Its addresses.
    pub cidr_block: Ipv4Net,
    /// When it was created.
    pub creation_time: String,
    /// Its tags.
    pub tags: Tags,
    /// Its state.
    #[serde(flatten)]
    pub phase: Phase,
}

resource!(Vpc, vpc_id);

const CREATE: Action = Action::write("CreateVpc", create)
    .parameters(&[
        required("RegionId", TEXT),
        optional("CidrBlock", CIDR4).or("172.16.0.0/12"),
        optional("VpcName", NAME),
        optional("Description", DESCRIPTION),
        optional("DryRun", BOOLEAN),
        optional("ClientToken", TOKEN),
        TAGS,
    ])
    .left_out(&["EnableDnsHostname", "Ipv4CidrMask", "Ipv4IpamPoolId"])
    .answer(&[field("VpcId", Shape::Text)])
    .errors(&[&QUOTA_EXCEEDED])
    .takes(Duration::from_secs(3));

fn create(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    call.within(&QUOTA, world.region(call).vpc.vpcs.len(), &QUOTA_EXCEEDED)?;
    let vpc_id = world.id("vpc-");
    world.region_mut(call).vpc.vpcs.insert(Vpc {
        vpc_id: vpc_id.clone(),
        vpc_name: call.text("VpcName").to_owned(),
        description: call.text("Description").to_owned(),
        cidr_block: call.cidr4("CidrBlock").unwrap_or_default(),
        creation_time: call.time(),
        tags: Tags::read(call),
        phase: Phase::turn(Status::Pending, call.now, call.takes(), Status::Available),
    });
    Ok(json!({ "VpcId": vpc_id }))
}

const VPC: Shape = record(&[
    field("VpcId", Shape::Text),
    field("VpcName", Shape::Text),
    field("Description", Shape::Text),
    field("CidrBlock", Shape::Text),
    field("CreationTime", Shape::Text),
    field("RegionId", Shape::Text),
    field("Status", Shape::Text),
    field("Tags", TAG_SHAPE),
]);

const DESCRIBE: Action = Action::read("DescribeVpcs", describe)
    .parameters(&[
        required("RegionId", TEXT),
        optional("VpcId", Form::Commas(20)),
        optional("VpcName", NAME),
        optional("PageNumber", COUNT).or("1"),
        optional("PageSize", Form::Integer(1, 50)).or("10"),
        TAG_FILTER,
    ])
    .answer(&[
        field("TotalCount", Shape::Integer),
        field("PageNumber", Shape::Integer),
        field("PageSize", Shape::Integer),
        field("Vpcs", record(&[field("Vpc", items(&VPC))])),
    ]);

fn describe(world: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let ids = call.texts("VpcId");
    let rows = world.region(call).vpc.vpcs.iter().filter(|vpc| {
        (ids.is_empty() || ids.contains(&vpc.vpc_id))
            && call.given("VpcName").is_none_or(|name| name == vpc.vpc_name)
            && vpc.tags.matches(call)
    });
    Ok(page(call, rows, |vpc| {
        json!({
            "VpcId": vpc.vpc_id,
            "VpcName": vpc.vpc_name,
            "Description": vpc.description,
            "CidrBlock": vpc.cidr_block,
            "CreationTime": vpc.creation_time,
            "RegionId": call.region,
            "Status": vpc.phase.status,
            "Tags": vpc.tags.listed(),
        })
    })
    .answer("Vpcs", "Vpc"))
}

const DELETE: Action = Action::write("DeleteVpc", delete)
    .parameters(&[required("VpcId", TEXT), optional("RegionId", TEXT), optional("DryRun", BOOLEAN)])
    .left_out(&["ForceDelete"])
    .errors(&[&NOT_FOUND, &STATUS])
    .takes(Duration::from_secs(3));

fn delete(world: &mut World, call: &Call<'_>) -> Result<Value, CloudError> {
    let region = world.region_mut(call);
    let vpc = region.vpc.vpcs.get_mut(call.text("VpcId")).ok_or(&NOT_FOUND)?;
    if vpc.phase.status != Status::Available {
        return Err((&STATUS).into());
    }
    vpc.phase = Phase::leave(Status::Pending, call.now, call.takes());
    Ok(json!({}))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::testing::TestCloud;

    #[test]
    fn a_vpc_comes_and_goes() {
        let cloud = TestCloud::new();
        let id = cloud.text("vpc", "CreateVpc", &[("VpcName", "one"), ("Tag.1.Key", "k")], "VpcId");
        let status =
            || cloud.call("vpc", "DescribeVpcs", &[("VpcId", &id)]).pointer("/Vpcs/Vpc/0/Status").cloned();
        assert_eq!(status(), Some(json!("Pending")));
        assert_eq!(cloud.refused("vpc", "DeleteVpc", &[("VpcId", &id)]), "IncorrectVpcStatus");
        cloud.step(3);
        assert_eq!(status(), Some(json!("Available")));
        cloud.call("vpc", "DeleteVpc", &[("VpcId", &id)]);
        cloud.step(3);
        assert_eq!(status(), None);
        assert_eq!(cloud.refused("vpc", "DeleteVpc", &[("VpcId", &id)]), "InvalidVpcID.NotFound");
    }
}
