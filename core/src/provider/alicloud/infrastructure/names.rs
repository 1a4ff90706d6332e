//! Names and tags of the resources of a Shoot, and keys of its recorded state (`alicloud-cloud` 1.9 and 2.10).

use super::world::Tags;

pub use crate::gardener::planning::state_form::zone_key;

/// Key of the VPC's id.
pub const VPC: &str = "VPC";
/// Key of the node security group's id.
pub const SECURITY_GROUP: &str = "NodesSecurityGroup";
/// Key of the NAT gateway's id.
pub const NAT_GATEWAY: &str = "NatGateway";
/// Key of the IPv6 gateway's id.
pub const IPV6_GATEWAY: &str = "IPV6Gateway";
/// Key of the custom route table's id.
pub const ROUTE_TABLE: &str = "RouteTable";
/// Key of the id of the SNAT table of the NAT gateway in use. The existing extension does not have this key.
pub const SNAT_TABLE: &str = "SnatTable";

/// How the key of a tag begins that names the Shoot that owns a resource.
pub const CLUSTER_TAG_PREFIX: &str = "kubernetes.io/cluster/";

/// Names and tags of one Shoot's resources.
#[derive(Clone, Debug)]
pub struct Names<'a> {
    /// The Shoot's technical id.
    pub technical_id: &'a str,
}

impl Names<'_> {
    /// A name: the technical id with a suffix, such as `natgw`.
    pub fn name(&self, suffix: &str) -> String {
        format!("{}-{suffix}", self.technical_id)
    }

    /// Key of the tag of resources that this Shoot owns.
    pub fn cluster_tag(&self) -> String {
        format!("{CLUSTER_TAG_PREFIX}{}", self.technical_id)
    }

    /// The tags of a resource, of which one is its name.
    pub fn tags(&self, name: String) -> Tags {
        vec![("Name".to_owned(), name), (self.cluster_tag(), "1".to_owned())]
    }

    /// Whether tags are of a resource that this Shoot owns.
    pub fn are_ours(&self, tags: &Tags) -> bool {
        let key = self.cluster_tag();
        tags.iter().any(|(name, _)| *name == key)
    }
}

/// Whether tags are of a resource that some Shoot owns.
pub fn are_gardeners(tags: &Tags) -> bool {
    tags.iter().any(|(key, _)| key.starts_with(CLUSTER_TAG_PREFIX))
}
