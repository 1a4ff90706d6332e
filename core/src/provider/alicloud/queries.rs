//! What the policy asks of the world outside.

use std::collections::BTreeMap;

use crate::json::Value;
use crate::policy::{Call, Paging, Query};

/// Code of a fact's error where the account's credentials could not be read.
pub const CREDENTIALS_UNAVAILABLE: &str = "CredentialsUnavailable";
/// Code of a fact's error where no client for the account could be made.
pub const CLIENT_UNAVAILABLE: &str = "ClientUnavailable";

/// The VSwitches of a VPC.
pub fn vswitches(region: &str, vpc: &str) -> Query {
    Query {
        id: format!("vpc/DescribeVSwitches/{region}/{vpc}"),
        call: Call {
            service: "vpc",
            action: "DescribeVSwitches",
            parameters: BTreeMap::from([("RegionId", region.to_owned()), ("VpcId", vpc.to_owned())]),
        },
        paging: Paging::PageNumber,
    }
}

/// Id and range of each VSwitch in a response to [`vswitches`].
pub fn vswitches_in<'r>(response: &'r Value<'r>) -> impl Iterator<Item = (&'r str, &'r str)> {
    let list = response.at(&["VSwitches", "VSwitch"]).map_or(&[] as &[_], Value::items);
    list.iter().map(|vswitch| {
        let text = |key| vswitch.get(key).and_then(Value::as_str).unwrap_or_default();
        (text("VSwitchId"), text("CidrBlock"))
    })
}

/// An image, as the account sees it.
pub fn image(region: &str, id: &str) -> Query {
    Query {
        id: format!("ecs/DescribeImages/{region}/{id}"),
        call: Call {
            service: "ecs",
            action: "DescribeImages",
            parameters: BTreeMap::from([("ImageId", id.to_owned()), ("RegionId", region.to_owned())]),
        },
        paging: Paging::None,
    }
}

/// Whether a response to [`image`] shows an image of Alibaba Cloud's own. An image that is not visible to the
/// account is none.
pub fn is_system_image(response: &Value<'_>) -> bool {
    let images = response.at(&["Images", "Image"]).map_or(&[] as &[_], Value::items);
    images.first().and_then(|image| image.get("ImageOwnerAlias")).and_then(Value::as_str) == Some("system")
}

/// An object of the Kubernetes API.
pub fn object(api_version: &str, kind: &str, namespace: &str, name: &str) -> Query {
    Query {
        id: format!("kubernetes/get/{api_version}/{kind}/{namespace}/{name}"),
        call: Call {
            service: "kubernetes",
            action: "get",
            parameters: BTreeMap::from([
                ("apiVersion", api_version.to_owned()),
                ("kind", kind.to_owned()),
                ("name", name.to_owned()),
                ("namespace", namespace.to_owned()),
            ]),
        },
        paging: Paging::None,
    }
}
