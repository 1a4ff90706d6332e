//! Somebody changes and deletes resources, and adds others.

use super::built::Built;
use super::{Edit, edit};
use crate::infrastructure::layout::{bring_eip, bring_nat_gateway, bring_vswitch};
use crate::infrastructure::site::{CLUSTER_TAG, TECHNICAL_ID};

pub(super) fn rule_edits() -> Vec<Edit> {
    const GROUP: (&str, &str) = ("SecurityGroupId", "@NodesSecurityGroup");
    const CORRECTED: &[&str] = &["update securitygroup: rules"];
    let rule = |what, action: &'static str, range: (&'static str, &'static str)| {
        edit(what, CORRECTED, move |built| {
            let rule = [("Permissions.1.IpProtocol", "TCP"), ("Permissions.1.PortRange", "22/22"), range];
            built.ecs(action, &[&[GROUP], rule.as_slice()].concat());
        })
    };
    vec![
        rule("a rule lets more in", "AuthorizeSecurityGroup", ("Permissions.1.SourceCidrIp", "0.0.0.0/0")),
        rule("a rule lets more in by IPv6", "AuthorizeSecurityGroup", ("Permissions.1.Ipv6SourceCidrIp", "::/0")),
        edit("a rule lets a group in", CORRECTED, |built| {
            let group = [("VpcId", "@VPC"), ("SecurityGroupName", "mine")];
            let group = built.ecs("CreateSecurityGroup", &group)["SecurityGroupId"].clone();
            let rule = [("Permissions.1.IpProtocol", "TCP"), ("Permissions.1.PortRange", "22/22")];
            let of = [GROUP, ("Permissions.1.SourceGroupId", group.as_str().unwrap())];
            built.ecs("AuthorizeSecurityGroup", &[of, rule].concat());
        }),
        rule(
            "a rule is about what goes out",
            "AuthorizeSecurityGroupEgress",
            ("Permissions.1.DestCidrIp", "10.0.0.0/8"),
        ),
        edit("a rule is gone", CORRECTED, |built| {
            let rule = [("Permissions.1.IpProtocol", "ALL"), ("Permissions.1.PortRange", "-1/-1")];
            let of = [("Permissions.1.SourceCidrIp", "10.96.0.0/11"), ("Permissions.1.Priority", "1")];
            built.ecs("RevokeSecurityGroup", &[&[GROUP], rule.as_slice(), &of].concat());
        }),
        edit("a rule has another priority", CORRECTED, |built| {
            let rule = [("Permissions.1.IpProtocol", "TCP"), ("Permissions.1.PortRange", "30000/32767")];
            let range = ("Permissions.1.SourceCidrIp", "0.0.0.0/0");
            built.ecs(
                "RevokeSecurityGroup",
                &[&[GROUP], rule.as_slice(), &[range, ("Permissions.1.Priority", "1")]].concat(),
            );
            built.ecs(
                "AuthorizeSecurityGroup",
                &[&[GROUP], rule.as_slice(), &[range, ("Permissions.1.Priority", "9")]].concat(),
            );
        }),
        edit("the group is gone", &["create securitygroup"], |built| {
            built.ecs("DeleteSecurityGroup", &[GROUP]);
        }),
    ]
}

const EVERYTHING: &[&str] = &[
    "create vpc",
    "create securitygroup",
    "create ipv6gateway",
    "create zones/a/vswitch",
    "create zones/b/vswitch",
    "create natgateway",
    "create routetable",
    "create routetable/default",
    "create routetable/ipv6",
    "associate zones/a/routetable",
    "associate zones/b/routetable",
    "create zones/a/eip",
    "associate zones/a/eip/association",
    "create zones/a/snat",
    "create zones/b/eip",
    "associate zones/b/eip/association",
    "create zones/b/snat",
];

pub(super) fn network_edits() -> Vec<Edit> {
    vec![
        edit("a VSwitch has no IPv6 any more", &["update zones/b/vswitch: ipv6"], |built| {
            built.vpc("ModifyVSwitchAttribute", &[("VSwitchId", "@b/VSwitch"), ("EnableIPv6", "false")]);
        }),
        edit("a VSwitch has another IPv6 block", &["note zones/b/vswitch: ipv6"], |built| {
            built.vpc("ModifyVSwitchAttribute", &[("VSwitchId", "@b/VSwitch"), ("EnableIPv6", "false")]);
            built.vpc("ModifyVSwitchAttribute", &[("VSwitchId", "@b/VSwitch"), ("Ipv6CidrBlock", "77")]);
        }),
        edit("a VSwitch is no longer in the route table", &["associate zones/b/routetable"], |built| {
            built.unassociate_route_table("b");
        }),
        edit(
            "a VSwitch is gone",
            &["create zones/b/vswitch", "associate zones/b/routetable", "create zones/b/snat"],
            |built| {
                built.delete_snat_entry("b");
                built.delete_vswitch("b");
            },
        ),
        edit("the IPv6 gateway is gone", &["create ipv6gateway", "create routetable/ipv6"], |built| {
            built.delete_entry("::/0");
            built.vpc("DeleteIpv6Gateway", &[("Ipv6GatewayId", "@IPV6Gateway")]);
        }),
        edit(
            "the NAT gateway is gone",
            &[
                "create natgateway",
                "create routetable/default",
                "associate zones/a/eip/association",
                "create zones/a/snat",
                "associate zones/b/eip/association",
                "create zones/b/snat",
            ],
            Built::delete_nat_gateway,
        ),
        edit(
            "the NAT gateway and the VSwitch that it stood in are gone",
            &[
                "create zones/a/vswitch",
                "create natgateway",
                "create routetable/default",
                "associate zones/a/routetable",
                "associate zones/a/eip/association",
                "create zones/a/snat",
                "associate zones/b/eip/association",
                "create zones/b/snat",
            ],
            |built| {
                built.delete_nat_gateway();
                built.delete_vswitch("a");
            },
        ),
        edit("the NAT gateway stands in somebody else's VSwitch", &["refused ALI-PLAN-003"], |built| {
            built.delete_nat_gateway();
            let site = &built.scene.site;
            let gateway = bring_nat_gateway(site, &built.id("VPC"));
            let tags = [("Tag.1.Key", CLUSTER_TAG), ("Tag.1.Value", "1"), ("Tag.2.Key", "Name")];
            let of = [("ResourceType", "NATGATEWAY"), ("ResourceId.1", gateway.as_str())];
            let name = format!("{TECHNICAL_ID}-natgw");
            site.call("vpc", "TagResources", &[&of, tags.as_slice(), &[("Tag.2.Value", &name)]].concat());
        }),
        edit("the network is gone", EVERYTHING, |built| {
            built.delete_nat_gateway();
            built.delete_route_table();
            for zone in ["a", "b"] {
                built.vpc("DeleteVSwitch", &[("VSwitchId", &format!("@{zone}/VSwitch"))]);
                let eip = format!("@{zone}/NATGatewayElasticIP");
                built.vpc("ReleaseEipAddress", &[("AllocationId", &eip)]);
            }
            built.vpc("DeleteIpv6Gateway", &[("Ipv6GatewayId", "@IPV6Gateway")]);
            built.ecs("DeleteSecurityGroup", &[("SecurityGroupId", "@NodesSecurityGroup")]);
            built.vpc("DeleteVpc", &[("VpcId", "@VPC")]);
        }),
    ]
}

pub(super) fn egress_edits() -> Vec<Edit> {
    vec![
        edit("an elastic IP has another bandwidth", &["update zones/b/eip: bandwidth"], |built| {
            let eip = ("AllocationId", "@b/NATGatewayElasticIP");
            built.vpc("ModifyEipAddressAttribute", &[eip, ("Bandwidth", "7")]);
        }),
        edit(
            "an elastic IP serves nothing any more",
            &["associate zones/b/eip/association", "create zones/b/snat"],
            |built| built.unassociate_eip("b"),
        ),
        edit("an elastic IP serves something else", &["refused ALI-PLAN-004"], |built| {
            built.unassociate_eip("b");
            let gateway = bring_nat_gateway(&built.scene.site, &built.id("VPC"));
            let eip = ("AllocationId", "@b/NATGatewayElasticIP");
            built.vpc("AssociateEipAddress", &[eip, ("InstanceId", &gateway), ("InstanceType", "Nat")]);
        }),
        edit(
            "an elastic IP is gone",
            &["create zones/b/eip", "associate zones/b/eip/association", "create zones/b/snat"],
            |built| {
                built.unassociate_eip("b");
                built.vpc("ReleaseEipAddress", &[("AllocationId", "@b/NATGatewayElasticIP")]);
            },
        ),
        edit("a SNAT entry has another address", &["update zones/b/snat: address !"], |built| {
            let entry = [("SnatTableId", "@SnatTable"), ("SnatEntryId", "@b/SnatEntry")];
            let address = ("SnatIp", "@a/NATGatewayElasticIPAddress");
            built.vpc("ModifySnatEntry", &[&entry, [address].as_slice()].concat());
        }),
        edit("somebody has a SNAT entry of its own on the NAT gateway", &[], |built| {
            let of = [("SnatTableId", "@SnatTable"), ("SourceCIDR", "10.250.200.0/24")];
            built.vpc(
                "CreateSnatEntry",
                &[of, [("SnatIp", "@b/NATGatewayElasticIPAddress"), ("SnatEntryName", "theirs")]].concat(),
            );
        }),
        edit("somebody has an elastic IP of its own on the NAT gateway", &[], |built| {
            let eip = bring_eip(&built.scene.site, "mine");
            let of = [("AllocationId", eip.as_str()), ("InstanceId", "@NatGateway"), ("InstanceType", "Nat")];
            built.vpc("AssociateEipAddress", &of);
        }),
        edit("a SNAT entry is gone", &["create zones/b/snat"], |built| built.delete_snat_entry("b")),
    ]
}

pub(super) fn route_edits() -> Vec<Edit> {
    vec![
        edit(
            "the route table is gone",
            &[
                "create routetable",
                "create routetable/default",
                "create routetable/ipv6",
                "associate zones/a/routetable",
                "associate zones/b/routetable",
            ],
            Built::delete_route_table,
        ),
        edit("the way out is gone", &["create routetable/default"], |built| built.delete_entry("0.0.0.0/0")),
        edit("the way out by IPv6 is gone", &["create routetable/ipv6"], |built| built.delete_entry("::/0")),
        edit("the way out leads elsewhere", &["replace routetable/default: nextHop !"], |built| {
            let gateway = bring_nat_gateway(&built.scene.site, &built.id("VPC"));
            built.delete_entry("0.0.0.0/0");
            let entry = [("RouteTableId", "@RouteTable"), ("DestinationCidrBlock", "0.0.0.0/0")];
            let hop = [("NextHopType", "NatGateway"), ("NextHopId", gateway.as_str())];
            built.vpc("CreateRouteEntry", &[entry, hop].concat());
        }),
        edit("a route has another name", &[], |built| {
            let entry = built.entry("0.0.0.0/0").unwrap();
            built.vpc("ModifyRouteEntry", &[("RouteEntryId", &entry), ("RouteEntryName", "other")]);
        }),
        edit("somebody has another route in the table", &[], |built| {
            let entry = [("RouteTableId", "@RouteTable"), ("DestinationCidrBlock", "172.16.0.0/16")];
            let hop = [("NextHopType", "NatGateway"), ("NextHopId", "@NatGateway")];
            built.vpc("CreateRouteEntry", &[entry, hop].concat());
        }),
        edit("somebody has a VSwitch of its own in the table", &[], |built| {
            let vswitch = bring_vswitch(&built.scene.site, &built.id("VPC"), "mine", "10.250.248.0/24");
            built.vpc("AssociateRouteTable", &[("RouteTableId", "@RouteTable"), ("VSwitchId", &vswitch)]);
        }),
    ]
}
