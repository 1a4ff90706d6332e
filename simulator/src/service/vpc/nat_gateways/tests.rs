use serde_json::json;

use crate::service::vpc::fixture::Network;

#[test]
fn a_gateway_comes_and_goes() {
    let network = Network::new();
    let gateway = network.begin_gateway(&[("Name", "one"), ("Tag.1.Key", "k"), ("EipBindMode", "NAT")]);
    let status = || network.of_gateway(&gateway, "/Status");
    assert_eq!(status(), Some(json!("Creating")));
    let by_id = [("NatGatewayId", gateway.id.as_str())];
    assert_eq!(network.refused("vpc", "DeleteNatGateway", &by_id), "IncorrectStatus.NatGateway");
    assert_eq!(network.refused("vpc", "ModifyNatGatewayAttribute", &by_id), "IncorrectStatus.NATGW");
    network.step(45);
    assert_eq!(status(), Some(json!("Available")));
    network.call("vpc", "DeleteNatGateway", &by_id);
    assert_eq!(status(), Some(json!("Deleting")));
    network.step(30);
    assert_eq!(status(), None);
    for action in ["DeleteNatGateway", "ModifyNatGatewayAttribute", "GetNatGatewayAttribute"] {
        assert_eq!(network.refused("vpc", action, &by_id), "InvalidNatGatewayId.NotFound");
    }
}

#[test]
fn a_gateway_is_created_where_it_can_be() {
    let network = Network::with(r#"{ "quotas": { "natGateways": 2 } }"#);
    let good = [
        ("VpcId", network.vpc.as_str()),
        ("VSwitchId", network.vswitch.as_str()),
        ("NatType", "Enhanced"),
        ("Name", "one"),
        ("Description", "d"),
    ];
    let other = network.text("vpc", "CreateVpc", &[], "VpcId");
    for (name, value, error) in [
        ("NatType", "", "MissingParameter"),
        ("NatType", "Normal", "OperationFailed.NormalInventoryNotEnough"),
        ("VSwitchId", "", "MissingParameter"),
        ("VSwitchId", "vsw-x", "InvalidVSwitchId.NotFound"),
        ("VpcId", "vpc-x", "InvalidVpcId.NotFound"),
        ("VpcId", &other, "OperationFailed.VswNotBelongToVpc"),
        ("Name", "1", "InvalidNatGatewayName.MalFormed"),
        ("Description", "http://", "InvalidNatGatewayDescription.MalFormed"),
    ] {
        let bad: Vec<_> = good.iter().map(|pair| if pair.0 == name { (name, value) } else { *pair }).collect();
        assert_eq!(network.refused("vpc", "CreateNatGateway", &bad), error, "{name} {value}");
    }
    network.begin_gateway(&[]);
    assert_eq!(network.refused("vpc", "CreateNatGateway", &good), "TaskConflict");
    network.step(45);
    network.gateway();
    assert_eq!(network.refused("vpc", "CreateNatGateway", &good), "OperationFailed.EnhancedQuotaExceed");
}

#[test]
fn a_gateway_waits_for_its_network() {
    let network = Network::new();
    let vpc = network.text("vpc", "CreateVpc", &[], "VpcId");
    network.step(60);
    let vswitch = |block| {
        let parameters = [("VpcId", vpc.as_str()), ("ZoneId", "cn-shanghai-b"), ("CidrBlock", block)];
        network.text("vpc", "CreateVSwitch", &parameters, "VSwitchId")
    };
    let create = |vswitch: &str| {
        let parameters = [("VpcId", vpc.as_str()), ("VSwitchId", vswitch), ("NatType", "Enhanced")];
        network.try_call("vpc", "CreateNatGateway", &parameters).map_err(|error| error.error.code)
    };
    let one = vswitch("172.16.0.0/24");
    assert_eq!(create(&one).unwrap_err(), "VswitchStatusError");
    network.step(60);
    create(&one).unwrap();
    network.step(60);
    network.call("vpc", "ModifyVpcAttribute", &[("VpcId", vpc.as_str()), ("EnableIPv6", "true")]);
    assert_eq!(create(&one).unwrap_err(), "InvalidVPCStatus");
}

#[test]
fn the_default_route_comes_and_goes_with_the_first_gateway() {
    let network = Network::new();
    let routes = || {
        let world = network.cloud.world();
        let (_, account) = world.accounts().next().unwrap();
        let (_, region) = account.regions().next().unwrap();
        let defaults = region.vpc.route_entries.iter().filter(|entry| entry.next_hop_type == "NatGateway");
        defaults.map(|entry| entry.next_hop_id.clone()).collect::<Vec<_>>()
    };
    let first = network.gateway();
    let second = network.gateway();
    assert_eq!(routes(), [first.id.as_str()]);
    network.call("vpc", "DeleteNatGateway", &[("NatGatewayId", &second.id)]);
    network.step(60);
    assert_eq!(routes(), [first.id.as_str()]);
    network.call("vpc", "DeleteNatGateway", &[("NatGatewayId", &first.id)]);
    network.step(60);
    assert_eq!(routes(), Vec::<String>::new());
}

#[test]
fn what_depends_on_a_gateway_goes_first() {
    let network = Network::new();
    let gateway = network.gateway();
    let address = network.bound_address(&gateway);
    let delete = |error| {
        assert_eq!(network.refused("vpc", "DeleteNatGateway", &[("NatGatewayId", &gateway.id)]), error);
    };
    let entry = network.begin_snat(&gateway, &address);
    delete("IncorrectStatus.SnatEntry");
    network.step(4);
    delete("DependencyViolation.SnatEntry");
    network.call("vpc", "DeleteSnatEntry", &[("SnatTableId", &gateway.table), ("SnatEntryId", &entry)]);
    network.step(4);
    delete("DependencyViolation.EIPS");
    network.call("vpc", "UnassociateEipAddress", &[("AllocationId", &address.id)]);
    delete("DependencyViolation.EIPS");
    network.step(4);
    network.call("vpc", "DeleteNatGateway", &[("NatGatewayId", &gateway.id)]);
}

#[test]
fn a_route_of_a_custom_table_keeps_a_gateway() {
    let network = Network::new();
    let gateway = network.gateway();
    let table = network.text("vpc", "CreateRouteTable", &[("VpcId", &network.vpc)], "RouteTableId");
    network.step(60);
    let route = [
        ("RouteTableId", table.as_str()),
        ("DestinationCidrBlock", "0.0.0.0/0"),
        ("NextHopType", "NatGateway"),
        ("NextHopId", &gateway.id),
    ];
    network.call("vpc", "CreateRouteEntry", &route);
    network.step(60);
    let by_id = [("NatGatewayId", gateway.id.as_str())];
    assert_eq!(network.refused("vpc", "DeleteNatGateway", &by_id), "DependencyViolation.RouterEntry");
    network.call("vpc", "DeleteNatGateway", &[by_id[0], ("Force", "true")]);
}

#[test]
fn force_takes_entries_along_and_frees_addresses() {
    let network = Network::new();
    let gateway = network.gateway();
    let address = network.bound_address(&gateway);
    let entry = network.snat(&gateway, &address);
    network.call("vpc", "DeleteNatGateway", &[("NatGatewayId", &gateway.id), ("Force", "true")]);
    assert_eq!(network.of_snat(&gateway, &entry, "Status"), Some(json!("Deleting")));
    assert_eq!(network.of_address(&address, "Status"), Some(json!("Unassociating")));
    network.step(30);
    assert_eq!(network.of_address(&address, "Status"), Some(json!("Available")));
    assert_eq!(network.of_address(&address, "InstanceId"), Some(json!("")));
    let by_table = [("SnatTableId", gateway.table.as_str())];
    assert_eq!(network.refused("vpc", "DescribeSnatTableEntries", &by_table), "InvalidSnatTableId.NotFound");
}

#[test]
fn what_is_changed_is_reported() {
    let network = Network::new();
    let gateway = network.gateway();
    let change = |name, value| {
        network.try_call("vpc", "ModifyNatGatewayAttribute", &[("NatGatewayId", &gateway.id), (name, value)])
    };
    change("Name", "two").unwrap();
    change("Description", "why").unwrap();
    change("IcmpReplyEnabled", "false").unwrap();
    assert_eq!(network.of_gateway(&gateway, "/Name"), Some(json!("two")));
    assert_eq!(network.of_gateway(&gateway, "/Description"), Some(json!("why")));
    assert_eq!(network.of_gateway(&gateway, "/IcmpReplyEnabled"), Some(json!(false)));
    assert_eq!(change("Name", "http://").unwrap_err().error.code, "InvalidParameter.Name.Malformed");
    let refused = change("Description", "http://").unwrap_err();
    assert_eq!(refused.error.code, "InvalidParameter.Description.Malformed");
}

#[test]
fn a_token_creates_one_gateway() {
    let network = Network::new();
    let first = network.begin_gateway(&[("ClientToken", "t")]);
    assert_eq!(network.begin_gateway(&[("ClientToken", "t")]).id, first.id);
    let other = [
        ("VpcId", network.vpc.as_str()),
        ("VSwitchId", &network.vswitch),
        ("NatType", "Enhanced"),
        ("Name", "other"),
        ("ClientToken", "t"),
    ];
    assert_eq!(network.refused("vpc", "CreateNatGateway", &other), "IdempotentParameterMismatch");
}
