//! Queries that only planning asks.

use super::input::Input;
use super::names::Names;
use super::steps::{Region, tags};
use crate::call::{Argument, Query};
use crate::provider::alicloud::queries::{account, in_chunks};

/// Name of the role by which the NAT gateway service acts on networks.
pub const NAT_ROLE: &str = "AliyunServiceRoleForNatgw";

/// Key of the tag by which the cloud controller manager marks load balancers with the cluster that they are of.
pub const LOAD_BALANCER_TAG: &str = "ack.aliyun.com";

/// Asks in one region on behalf of one Shoot.
#[derive(Clone, Debug)]
pub struct Queries<'i> {
    region: Region<'i>,
    names: Names<'i>,
}

impl<'i> Queries<'i> {
    /// The queries of an input.
    pub fn new(input: &'i Input<'_>) -> Self {
        Self { region: Region(input.region), names: input.names() }
    }

    /// The VPC with an id.
    pub fn vpc(&self, id: &str) -> Query {
        self.region.pages("vpc", "DescribeVpcs", "50", &[("VpcId", id.into())])
    }

    /// The VPC with the Shoot's tags.
    pub fn tagged_vpc(&self) -> Query {
        let shoots = self.names.tags(self.names.technical_id.to_owned());
        self.region.pages("vpc", "DescribeVpcs", "50", &[("Tag", (&tags(&shoots)).into())])
    }

    /// All NAT gateways of a VPC.
    pub fn nat_gateways(&self, vpc: &str) -> Query {
        self.region.pages("vpc", "DescribeNatGateways", "50", &[("VpcId", vpc.into())])
    }

    /// The tags of some NAT gateways.
    pub fn nat_gateway_tags(&self, ids: &[&str]) -> Vec<Query> {
        in_chunks(ids, &|ids| {
            let ids = list(ids);
            let parameters = [("ResourceType", "NATGATEWAY".into()), ("ResourceId", (&ids).into())];
            self.region.pages_by_token("vpc", "ListTagResources", None, &parameters)
        })
    }

    /// Zones that offer enhanced NAT gateways. Alibaba Cloud spells the action like that.
    pub fn nat_zones(&self) -> Query {
        self.region.query("vpc", "ListEnhanhcedNatGatewayAvailableZones", &[])
    }

    /// Elastic IPs with some ids.
    pub fn eips(&self, ids: &[&str]) -> Vec<Query> {
        in_chunks(ids, &|ids| {
            let ids = ids.join(",");
            self.region.pages("vpc", "DescribeEipAddresses", "100", &[("AllocationId", ids.as_str().into())])
        })
    }

    /// Elastic IPs with the Shoot's tag.
    pub fn tagged_eips(&self) -> Query {
        let tags = tags(&vec![(self.names.cluster_tag(), "1".to_owned())]);
        self.region.pages("vpc", "DescribeEipAddresses", "100", &[("Tag", (&tags).into())])
    }

    /// All SNAT entries of a NAT gateway.
    pub fn snat_entries(&self, nat_gateway: &str) -> Query {
        self.region.pages("vpc", "DescribeSnatTableEntries", "50", &[("NatGatewayId", nat_gateway.into())])
    }

    /// The route table with an id.
    pub fn route_table(&self, id: &str) -> Query {
        self.region.pages("vpc", "DescribeRouteTableList", "50", &[("RouteTableId", id.into())])
    }

    /// All custom route tables of a VPC.
    pub fn route_tables(&self, vpc: &str) -> Query {
        self.region.pages(
            "vpc",
            "DescribeRouteTableList",
            "50",
            &[("RouteTableType", "Custom".into()), ("VpcId", vpc.into())],
        )
    }

    /// All custom entries of a route table.
    pub fn route_entries(&self, table: &str) -> Query {
        let parameters = [("RouteEntryType", "Custom".into()), ("RouteTableId", table.into())];
        self.region.pages_by_token("vpc", "DescribeRouteEntryList", Some(("MaxResult", "100")), &parameters)
    }

    /// The IPv6 gateways of a VPC.
    pub fn ipv6_gateways(&self, vpc: &str) -> Query {
        self.region.pages("vpc", "DescribeIpv6Gateways", "50", &[("VpcId", vpc.into())])
    }

    /// The role of the NAT gateway service.
    pub fn nat_role(&self) -> Query {
        self.region.query("resourcemanager", "GetRole", &[("RoleName", NAT_ROLE.into())])
    }

    /// All classic load balancers of the region: one on the Internet is in no VPC.
    pub fn slb_load_balancers(&self) -> Query {
        self.region.pages("slb", "DescribeLoadBalancers", "100", &[])
    }

    /// The server groups of a classic load balancer.
    pub fn slb_server_groups(&self, load_balancer: &str) -> Query {
        self.region.query("slb", "DescribeVServerGroups", &[("LoadBalancerId", load_balancer.into())])
    }

    /// The network load balancers that the Shoot's cloud controller manager created.
    pub fn nlb_load_balancers(&self) -> Query {
        let tags = tags(&vec![(LOAD_BALANCER_TAG.to_owned(), self.names.technical_id.to_owned())]);
        let parameters = [("Tag", (&tags).into())];
        self.region.pages_by_token("nlb", "ListLoadBalancers", Some(("MaxResults", "100")), &parameters)
    }

    /// Instances with a key pair.
    pub fn key_pair_instances(&self, key_pair: &str) -> Query {
        let parameters = [("KeyPairName", key_pair.into())];
        self.region.pages_by_token("ecs", "DescribeInstances", Some(("MaxResults", "100")), &parameters)
    }

    /// The account that the credentials belong to.
    pub fn account(&self) -> Query {
        account(self.region.0)
    }

    /// Stacks with some names.
    pub fn stacks(&self, names: &[String]) -> Vec<Query> {
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        in_chunks(&names, &|names| {
            self.region.pages("ros", "ListStacks", "50", &[("StackName", (&list(names)).into())])
        })
    }
}

/// Texts as an argument.
fn list(texts: &[&str]) -> Argument {
    Argument::List(texts.iter().copied().map(Argument::from).collect())
}
