//! Queries about VSwitches and images, and how their responses are read.

use crate::call::{Call, Paging, Query};
use crate::collections::NameMap;
use crate::document::Value;
use crate::policy::RequestError;

/// Error code of a fact: whoever asked could not read the account's credentials.
pub const CREDENTIALS_UNAVAILABLE: &str = "CredentialsUnavailable";
/// Error code of a fact: whoever asked could not make a client for the account.
pub const CLIENT_UNAVAILABLE: &str = "ClientUnavailable";

/// Asks for the VSwitches of a VPC.
pub fn vswitches(region: &str, vpc: &str) -> Query {
    Query {
        id: format!("vpc/DescribeVSwitches/{region}/{vpc}"),
        call: Call {
            service: "vpc",
            action: "DescribeVSwitches",
            parameters: NameMap::from([("RegionId", region.into()), ("VpcId", vpc.into())]),
            ..Call::default()
        },
        paging: Paging::PageNumber,
        identity: None,
    }
}

/// A VSwitch, as a response to [`vswitches`] has it.
#[derive(Clone, Copy, Debug)]
pub struct VSwitch<'r> {
    /// Id.
    pub id: &'r str,
    /// IPv4 range.
    pub cidr: &'r str,
    /// IPv6 range; empty where the VSwitch has none.
    pub ipv6_cidr: &'r str,
}

/// Each VSwitch in a response to [`vswitches`], which must be the whole list.
pub fn vswitches_in<'r>(query: &Query, response: &'r Value<'r>) -> Result<Vec<VSwitch<'r>>, RequestError> {
    let wrong = |problem| RequestError::Fact { query: query.id.clone(), problem };
    let Some(Value::Array(list)) = response.at(&["VSwitches", "VSwitch"]) else {
        return Err(wrong("has no list `VSwitches.VSwitch` in its response"));
    };
    if let Some(Value::Number(total)) = response.get("TotalCount")
        && total.parse() != Ok(list.len())
    {
        return Err(wrong(
            "has not as many VSwitches as `TotalCount` says; the entries of all pages belong together",
        ));
    }
    let read = |vswitch: &'r Value<'r>| {
        let text = |key| vswitch.get(key).and_then(Value::as_str);
        let ipv6_cidr = text("Ipv6CidrBlock").unwrap_or_default();
        Some(VSwitch { id: text("VSwitchId")?, cidr: text("CidrBlock")?, ipv6_cidr })
    };
    let all: Option<Vec<_>> = list.iter().map(read).collect();
    all.ok_or_else(|| wrong("has a VSwitch without `VSwitchId` or `CidrBlock`"))
}

/// Asks for an image, as the account sees it.
pub fn image(region: &str, id: &str) -> Query {
    Query {
        id: format!("ecs/DescribeImages/{region}/{id}"),
        call: Call {
            service: "ecs",
            action: "DescribeImages",
            parameters: NameMap::from([("ImageId", id.into()), ("RegionId", region.into())]),
            ..Call::default()
        },
        paging: Paging::None,
        identity: None,
    }
}

/// Whether Alibaba Cloud owns the image in a response to [`image`]. An image that the account does not see counts as not
/// owned by Alibaba Cloud.
pub fn is_system_image(query: &Query, response: &Value<'_>) -> Result<bool, RequestError> {
    let wrong = |problem| RequestError::Fact { query: query.id.clone(), problem };
    let Some(Value::Array(images)) = response.at(&["Images", "Image"]) else {
        return Err(wrong("has no list `Images.Image` in its response"));
    };
    let Some(image) = images.first() else { return Ok(false) };
    let owner = image.get("ImageOwnerAlias").and_then(Value::as_str);
    owner.map(|owner| owner == "system").ok_or_else(|| wrong("has an image without `ImageOwnerAlias`"))
}
