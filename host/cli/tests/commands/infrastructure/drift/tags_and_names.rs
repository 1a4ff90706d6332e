//! Somebody changes the tags and the names of resources.

use super::built::Built;
use super::{Edit, edit};
use crate::infrastructure::site::CLUSTER_TAG;

/// Changes of the tags of each resource.
pub(super) fn tag_edits() -> Vec<Edit> {
    let kinds = [
        ("vpc", "VPC", "VPC", "vpc"),
        ("ecs", "securitygroup", "NodesSecurityGroup", "securitygroup"),
        ("vpc", "IPV6GATEWAY", "IPV6Gateway", "ipv6gateway"),
        ("vpc", "VSWITCH", "b/VSwitch", "zones/b/vswitch"),
        ("vpc", "NATGATEWAY", "NatGateway", "natgateway"),
        ("vpc", "ROUTETABLE", "RouteTable", "routetable"),
        ("vpc", "EIP", "b/NATGatewayElasticIP", "zones/b/eip"),
    ];
    let mut edits = Vec::new();
    for (service, kind, key, id) in kinds {
        let add = move |built: &Built, tag: &str, value: &str| {
            let id = format!("@{key}");
            let parameters =
                [("ResourceType", kind), ("ResourceId.1", &id), ("Tag.1.Key", tag), ("Tag.1.Value", value)];
            built.call(service, "TagResources", &parameters);
        };
        let remove = move |built: &Built, (name, value): (&str, &str)| {
            let action = if service == "vpc" { "UnTagResources" } else { "UntagResources" };
            let id = format!("@{key}");
            built.call(service, action, &[("ResourceType", kind), ("ResourceId.1", &id), (name, value)]);
        };
        let says: &'static str = format!("update {id}: tags").leak();
        let says_unmarked: &'static str = format!("adopt {id}: tags").leak();
        edits.extend([
            edit(&format!("{id}: gets a tag"), &[says], move |built| add(built, "team", "blue")),
            edit(&format!("{id}: gets another name in its tags"), &[says], move |built| {
                add(built, "Name", "other");
            }),
            edit(&format!("{id}: its tag gets another value"), &[says], move |built| add(built, CLUSTER_TAG, "2")),
            edit(&format!("{id}: loses its tag"), &[says_unmarked], move |built| {
                remove(built, ("TagKey.1", CLUSTER_TAG));
            }),
            edit(&format!("{id}: loses all tags"), &[says_unmarked], move |built| remove(built, ("All", "true"))),
        ]);
    }
    edits
}

/// Changes of the name of each resource.
pub(super) fn name_edits() -> Vec<Edit> {
    fn rename(what: (&'static str, &'static str), id: (&'static str, &'static str), says: &'static str) -> Edit {
        let ((action, name), service) = (what, if id.0 == "SecurityGroupId" { "ecs" } else { "vpc" });
        edit(&format!("{action}: another name"), &[says], move |built| {
            let table = ("SnatTableId", "@SnatTable");
            let of = if id.0 == "SnatEntryId" { vec![table, id] } else { vec![id] };
            built.call(service, action, &[of, vec![(name, "other")]].concat());
        })
    }
    vec![
        rename(("ModifyVpcAttribute", "VpcName"), ("VpcId", "@VPC"), "note vpc: name"),
        rename(
            ("ModifySecurityGroupAttribute", "SecurityGroupName"),
            ("SecurityGroupId", "@NodesSecurityGroup"),
            "note securitygroup: name",
        ),
        rename(
            ("ModifyIpv6GatewayAttribute", "Name"),
            ("Ipv6GatewayId", "@IPV6Gateway"),
            "note ipv6gateway: name",
        ),
        rename(
            ("ModifyVSwitchAttribute", "VSwitchName"),
            ("VSwitchId", "@b/VSwitch"),
            "note zones/b/vswitch: name",
        ),
        rename(("ModifyNatGatewayAttribute", "Name"), ("NatGatewayId", "@NatGateway"), "note natgateway: name"),
        rename(
            ("ModifyEipAddressAttribute", "Name"),
            ("AllocationId", "@b/NATGatewayElasticIP"),
            "note zones/b/eip: name",
        ),
        rename(("ModifySnatEntry", "SnatEntryName"), ("SnatEntryId", "@b/SnatEntry"), "note zones/b/snat: name"),
        rename(
            ("ModifyRouteTableAttributes", "RouteTableName"),
            ("RouteTableId", "@RouteTable"),
            "note routetable: name",
        ),
    ]
}
