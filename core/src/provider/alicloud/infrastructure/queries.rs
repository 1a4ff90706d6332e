//! What can be asked of Alibaba Cloud about a network.
//!
//! Source of parameters and page sizes: the models of the official SDKs.

use std::fmt::Write as _;

use super::input::Input;
use super::names::Names;
use super::steps::{Parameters, Region};
use crate::call::{Argument, Paging, Query};
use crate::collections::NameMap;

/// Most ids in one parameter, with commas between them or as a list.
const MAX_IDS: usize = 50;

/// Name of the role by which the NAT gateway service acts on networks.
pub const NAT_ROLE: &str = "AliyunServiceRoleForNatgw";

/// Key of the tag by which the cloud controller manager marks load balancers with the cluster that they are of.
pub const LOAD_BALANCER_TAG: &str = "ack.aliyun.com";

/// Asks in one region on behalf of one Shoot.
#[derive(Clone, Debug)]
pub struct Queries<'i> {
    region: &'i str,
    names: Names<'i>,
}

impl<'i> Queries<'i> {
    /// The queries of an input.
    pub fn new(input: &'i Input<'_>) -> Self {
        Self { region: input.region, names: input.names() }
    }

    /// The VPC with an id.
    pub fn vpc(&self, id: &str) -> Query {
        self.pages("vpc", "DescribeVpcs", "50", vec![("VpcId", id.into())])
    }

    /// The VPC with the Shoot's tags.
    pub fn tagged_vpc(&self) -> Query {
        let tags = self.names.tags(self.names.technical_id.to_owned());
        let tags = tags.into_iter().map(|(key, value)| tag(key, value)).collect();
        self.pages("vpc", "DescribeVpcs", "50", vec![("Tag", Argument::List(tags))])
    }

    /// All VSwitches of a VPC.
    pub fn vswitches(&self, vpc: &str) -> Query {
        self.pages("vpc", "DescribeVSwitches", "50", vec![("VpcId", vpc.into())])
    }

    /// All NAT gateways of a VPC.
    pub fn nat_gateways(&self, vpc: &str) -> Query {
        self.pages("vpc", "DescribeNatGateways", "50", vec![("VpcId", vpc.into())])
    }

    /// The tags of some NAT gateways.
    pub fn nat_gateway_tags(&self, ids: &[&str]) -> Vec<Query> {
        let query = |ids: &[&str]| {
            let ids = ids.iter().copied().map(Argument::from).collect();
            let parameters = vec![("ResourceType", "NATGATEWAY".into()), ("ResourceId", Argument::List(ids))];
            self.query("vpc", "ListTagResources", parameters, Paging::NextToken)
        };
        ids.chunks(MAX_IDS).map(query).collect()
    }

    /// Zones that offer enhanced NAT gateways. The action is spelled like that.
    pub fn nat_zones(&self) -> Query {
        self.query("vpc", "ListEnhanhcedNatGatewayAvailableZones", vec![], Paging::None)
    }

    /// Elastic IPs with some ids.
    pub fn eips(&self, ids: &[&str]) -> Vec<Query> {
        let query = |ids: &[&str]| {
            self.pages("vpc", "DescribeEipAddresses", "100", vec![("AllocationId", ids.join(",").into())])
        };
        ids.chunks(MAX_IDS).map(query).collect()
    }

    /// Elastic IPs with the Shoot's tag.
    pub fn tagged_eips(&self) -> Query {
        let tags = vec![tag(self.names.cluster_tag(), "1".to_owned())];
        self.pages("vpc", "DescribeEipAddresses", "100", vec![("Tag", Argument::List(tags))])
    }

    /// All SNAT entries of a NAT gateway.
    pub fn snat_entries(&self, nat_gateway: &str) -> Query {
        self.pages("vpc", "DescribeSnatTableEntries", "50", vec![("NatGatewayId", nat_gateway.into())])
    }

    /// The security group with an id.
    pub fn security_group(&self, id: &str) -> Query {
        let parameters = vec![("MaxResults", "100".into()), ("SecurityGroupId", id.into())];
        self.query("ecs", "DescribeSecurityGroups", parameters, Paging::NextToken)
    }

    /// All security groups of a VPC.
    pub fn security_groups(&self, vpc: &str) -> Query {
        let parameters = vec![("MaxResults", "100".into()), ("VpcId", vpc.into())];
        self.query("ecs", "DescribeSecurityGroups", parameters, Paging::NextToken)
    }

    /// The rules of a security group, both ways.
    pub fn security_group_rules(&self, id: &str) -> Query {
        let parameters = vec![("MaxResults", "1000".into()), ("SecurityGroupId", id.into())];
        self.query("ecs", "DescribeSecurityGroupAttribute", parameters, Paging::NextToken)
    }

    /// The route table with an id.
    pub fn route_table(&self, id: &str) -> Query {
        self.pages("vpc", "DescribeRouteTableList", "50", vec![("RouteTableId", id.into())])
    }

    /// All custom route tables of a VPC.
    pub fn route_tables(&self, vpc: &str) -> Query {
        self.pages(
            "vpc",
            "DescribeRouteTableList",
            "50",
            vec![("RouteTableType", "Custom".into()), ("VpcId", vpc.into())],
        )
    }

    /// All custom entries of a route table.
    pub fn route_entries(&self, table: &str) -> Query {
        let parameters =
            vec![("MaxResult", "100".into()), ("RouteEntryType", "Custom".into()), ("RouteTableId", table.into())];
        self.query("vpc", "DescribeRouteEntryList", parameters, Paging::NextToken)
    }

    /// The IPv6 gateways of a VPC.
    pub fn ipv6_gateways(&self, vpc: &str) -> Query {
        self.pages("vpc", "DescribeIpv6Gateways", "50", vec![("VpcId", vpc.into())])
    }

    /// The role of the NAT gateway service.
    pub fn nat_role(&self) -> Query {
        self.query("resourcemanager", "GetRole", vec![("RoleName", NAT_ROLE.into())], Paging::None)
    }

    /// All classic load balancers of the region: those on the Internet are in no VPC.
    pub fn slb_load_balancers(&self) -> Query {
        self.pages("slb", "DescribeLoadBalancers", "100", vec![])
    }

    /// The server groups of a classic load balancer.
    pub fn slb_server_groups(&self, load_balancer: &str) -> Query {
        self.query("slb", "DescribeVServerGroups", vec![("LoadBalancerId", load_balancer.into())], Paging::None)
    }

    /// The network load balancers that the Shoot's cloud controller manager made.
    pub fn nlb_load_balancers(&self) -> Query {
        let tags = vec![tag(LOAD_BALANCER_TAG.to_owned(), self.names.technical_id.to_owned())];
        let parameters = vec![("MaxResults", "100".into()), ("Tag", Argument::List(tags))];
        self.query("nlb", "ListLoadBalancers", parameters, Paging::NextToken)
    }

    /// Instances with a key pair.
    pub fn key_pair_instances(&self, key_pair: &str) -> Query {
        let parameters = vec![("KeyPairName", key_pair.into()), ("MaxResults", "100".into())];
        self.query("ecs", "DescribeInstances", parameters, Paging::NextToken)
    }

    /// The account that the credentials belong to.
    pub fn account(&self) -> Query {
        Query { identity: Some("/AccountId"), ..self.query("sts", "GetCallerIdentity", vec![], Paging::None) }
    }

    /// Images with some ids that the account sees.
    pub fn images(&self, ids: &[&str]) -> Vec<Query> {
        let query =
            |ids: &[&str]| self.pages("ecs", "DescribeImages", "100", vec![("ImageId", ids.join(",").into())]);
        ids.chunks(MAX_IDS).map(query).collect()
    }

    /// Stacks with some names.
    pub fn stacks(&self, names: &[String]) -> Vec<Query> {
        let query = |names: &[String]| {
            let names = names.iter().map(|name| name.as_str().into()).collect();
            self.pages("ros", "ListStacks", "50", vec![("StackName", Argument::List(names))])
        };
        names.chunks(MAX_IDS).map(query).collect()
    }

    fn pages(
        &self,
        service: &'static str,
        action: &'static str,
        page_size: &'static str,
        parameters: Parameters,
    ) -> Query {
        let mut query = self.query(service, action, parameters, Paging::PageNumber);
        query.call.parameters.insert("PageSize", page_size.into());
        query
    }

    /// A query whose id tells all of its arguments, save the region's name and the size of pages.
    fn query(&self, service: &'static str, action: &'static str, parameters: Parameters, paging: Paging) -> Query {
        let mut id = format!("{service}/{action}/{}", self.region);
        for (name, argument) in parameters.iter().filter(|(name, _)| !name.starts_with("MaxResult")) {
            let _ = write!(id, "/{name}=");
            push(&mut id, argument);
        }
        Query { id, call: Region(self.region).call(service, action, parameters), paging, identity: None }
    }
}

fn tag(key: String, value: String) -> Argument {
    Argument::Object(NameMap::from([("Key", key.into()), ("Value", value.into())]))
}

/// Writes an argument of a query into its id.
fn push(id: &mut String, argument: &Argument) {
    match argument {
        Argument::Text(text) => id.push_str(text),
        Argument::List(entries) => {
            for (index, entry) in entries.iter().enumerate() {
                id.push_str(if index == 0 { "" } else { "," });
                push(id, entry);
            }
        }
        Argument::Object(members) => {
            for (index, (_, member)) in members.iter().enumerate() {
                id.push_str(if index == 0 { "" } else { "=" });
                push(id, member);
            }
        }
        // A query has no references, and Alibaba Cloud's parameters are texts.
        _ => {}
    }
}
