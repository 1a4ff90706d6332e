use serde_json::{Value, json};

use crate::settings::Settings;
use crate::testing::TestCloud;

/// A network with an IPv6 gateway, a custom route table and a VSwitch.
struct Network {
    cloud: TestCloud,
    vpc: String,
    gateway: String,
    system: String,
    table: String,
}

fn network(settings: Settings) -> Network {
    let cloud = TestCloud::with(settings);
    let created = cloud.call("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/16"), ("EnableIpv6", "true")]);
    cloud.step(3);
    let vpc = created["VpcId"].as_str().unwrap().to_owned();
    let vswitch = [("VpcId", vpc.as_str()), ("ZoneId", "cn-shanghai-a"), ("CidrBlock", "10.0.0.0/24")];
    cloud.call("vpc", "CreateVSwitch", &vswitch);
    let gateway = cloud.text("vpc", "CreateIpv6Gateway", &[("VpcId", &vpc)], "Ipv6GatewayId");
    let table = cloud.text("vpc", "CreateRouteTable", &[("VpcId", &vpc)], "RouteTableId");
    cloud.step(5);
    Network { cloud, vpc, gateway, system: created["RouteTableId"].as_str().unwrap().to_owned(), table }
}

impl Network {
    fn entries(&self, table: &str, filter: &[(&str, &str)]) -> Vec<Value> {
        let parameters = [&[("RouteTableId", table)], filter].concat();
        let answer = self.cloud.call("vpc", "DescribeRouteEntryList", &parameters);
        answer["RouteEntrys"]["RouteEntry"].as_array().unwrap().clone()
    }

    fn create(&self, destination: &str) -> Result<String, &'static str> {
        let parameters = [
            ("RouteTableId", self.table.as_str()),
            ("DestinationCidrBlock", destination),
            ("NextHopType", "IPv6Gateway"),
            ("NextHopId", self.gateway.as_str()),
        ];
        let answer = self.cloud.try_call("vpc", "CreateRouteEntry", &parameters);
        answer
            .map(|answer| answer["RouteEntryId"].as_str().unwrap().to_owned())
            .map_err(|refused| refused.error.code)
    }
}

#[test]
fn a_custom_entry_comes_and_goes() {
    let network = network(Settings::default());
    let Network { cloud, table, gateway, .. } = &network;
    let id = network.create("::/0").unwrap();
    let status = || network.entries(table, &[("RouteEntryId", &id)]).first().map(|entry| entry["Status"].clone());
    assert_eq!(status(), Some(json!("Pending")));
    assert_eq!(network.create("2001:db9::/32"), Err("IncorrectRouteEntryStatus"));
    let entry = [("RouteEntryId", id.as_str()), ("NextHopId", gateway.as_str())];
    assert_eq!(cloud.refused("vpc", "DeleteRouteEntry", &entry), "IncorrectRouteEntryStatus");
    cloud.step(3);
    assert_eq!(
        network.entries(table, &[("RouteEntryType", "Custom"), ("DestinationCidrBlock", "::/0")]),
        [json!({
            "Description": "",
            "DestinationCidrBlock": "::/0",
            "IpVersion": "ipv6",
            "NextHops": { "NextHop": [{
                "Enabled": 1, "NextHopId": gateway, "NextHopType": "IPv6Gateway", "Weight": 0,
            }] },
            "RouteEntryId": id,
            "RouteEntryName": "",
            "RouteTableId": table,
            "Status": "Available",
            "Type": "Custom",
        })]
    );
    let parameters = [("RouteTableId", table.as_str())];
    let refused = cloud.refused("vpc", "DeleteRouteTable", &parameters);
    assert_eq!(refused, "IncorrectRouteTableStatus.RouteEntryExist");
    cloud.call("vpc", "DeleteRouteEntry", &entry);
    assert_eq!(status(), Some(json!("Pending")));
    cloud.step(3);
    assert_eq!(status(), None);
    assert_eq!(cloud.refused("vpc", "DeleteRouteEntry", &entry), "InvalidRouteEntry.NotFound");
}

#[test]
fn an_entry_is_named_by_its_identifier_or_by_table_and_destination() {
    let network = network(Settings::default());
    let Network { cloud, table, system, .. } = &network;
    let id = network.create("2001:db9::/32").unwrap();
    cloud.step(3);
    let service = network.entries(table, &[("RouteEntryType", "System")])[0]["RouteEntryId"].clone();
    for (parameters, code) in [
        (&[][..], "MissingParameter"),
        (&[("RouteTableId", table.as_str())], "MissingParameter"),
        (&[("DestinationCidrBlock", "2001:db9::/32")], "MissingParameter"),
        (&[("RouteEntryId", id.as_str()), ("DestinationCidrBlock", "2001:db9::/32")], "InvalidParameter"),
        (&[("RouteEntryId", id.as_str()), ("RouteTableId", system)], "InvalidRouteEntry.NotFound"),
        (&[("RouteEntryId", id.as_str()), ("RouteTableId", "vtb-none")], "InvalidRouteTableId.NotFound"),
        (&[("RouteEntryId", "rte-none")], "InvalidRouteEntry.NotFound"),
        (&[("RouteEntryId", id.as_str()), ("NextHopId", "other")], "InvalidRouteEntry.NotFound"),
        (&[("RouteTableId", table.as_str()), ("DestinationCidrBlock", "one")], "InvalidCidrBlock.Malformed"),
        (&[("RouteEntryId", service.as_str().unwrap())], "OperationDenied"),
    ] {
        assert_eq!(cloud.refused("vpc", "DeleteRouteEntry", parameters), code, "{parameters:?}");
    }
    let pair = [("RouteTableId", table.as_str()), ("DestinationCidrBlock", "2001:db9::/32")];
    cloud.call("vpc", "DeleteRouteEntry", &pair);
}

#[test]
fn what_no_entry_may_be_is_refused() {
    let network = network(serde_json::from_str(r#"{ "quotas": { "routeEntries": 1 } }"#).unwrap());
    let Network { cloud, vpc, table, gateway, .. } = &network;
    let other = cloud.text("vpc", "CreateVpc", &[("EnableIpv6", "true")], "VpcId");
    cloud.step(3);
    let other = cloud.text("vpc", "CreateIpv6Gateway", &[("VpcId", &other)], "Ipv6GatewayId");
    let good = [
        ("RouteTableId", table.as_str()),
        ("DestinationCidrBlock", "::/0"),
        ("NextHopType", "IPv6Gateway"),
        ("NextHopId", gateway.as_str()),
    ];
    for (changes, code) in [
        (&[("RouteTableId", "vtb-none")][..], "InvalidRouteTableId.NotFound"),
        (&[("DestinationCidrBlock", "::1/0")], "InvalidCidrBlock.Malformed"),
        (&[("DestinationCidrBlock", "100.64.0.0/16")], "InvalidCidrBlock.Malformed"),
        (&[("DestinationCidrBlock", "0.0.0.0/0")], "InvalidNextHopType"),
        (&[("NextHopType", "NatGateway")], "InvalidNextHopType"),
        (&[("NextHopType", "VpnGateway")], "InvalidNextHopType"),
        (&[("NextHopType", "")], "InvalidNextHopId.NotFound"),
        (&[("NextHopType", "NetworkInterface")], "InvalidNextHopId.NotFound"),
        (&[("NextHopId", "")], "MissingParameter"),
        (&[("NextHopId", "ipv6gw-none")], "InvalidNextHopId.NotFound"),
        (&[("NextHopId", other.as_str())], "InvalidNextHopId.NotFound"),
        (
            &[("DestinationCidrBlock", "10.0.0.0/24"), ("NextHopType", "Instance"), ("NextHopId", "i-none")],
            "InvalidNextHopId.NotFound",
        ),
    ] {
        let mut parameters = good.to_vec();
        for change in changes {
            parameters.retain(|(name, _)| name != &change.0);
            parameters.push(*change);
        }
        assert_eq!(cloud.refused("vpc", "CreateRouteEntry", &parameters), code, "{changes:?}");
    }
    network.create("::/0").unwrap();
    cloud.step(3);
    assert_eq!(network.create("::/0"), Err("InvalidCIDRBlock.Duplicate"));
    assert_eq!(network.create("2001:db9::/32"), Err("QuotaExceeded"));
    cloud.call("vpc", "DeleteIpv6Gateway", &[("Ipv6GatewayId", gateway)]);
    assert_eq!(network.create("2001:db9::/32"), Err("IncorrectInstanceStatus"));
    cloud.step(5);
    let system = [("RouteTableId", table.as_str())];
    cloud.call("vpc", "DeleteRouteTable", &system);
    assert_eq!(network.create("2001:db9::/32"), Err("IncorrectVpcStatus"));
    assert_eq!(cloud.call("vpc", "DescribeVpcs", &[("VpcId", vpc)])["TotalCount"], 1);
}

#[test]
fn an_entry_gets_another_name_at_once_and_another_next_hop_in_time() {
    let network = network(Settings::default());
    let Network { cloud, table, gateway, .. } = &network;
    let id = network.create("::/0").unwrap();
    cloud.step(3);
    let modify = |parameters: &[(&str, &str)]| {
        let parameters = [&[("RouteEntryId", id.as_str())], parameters].concat();
        cloud.try_call("vpc", "ModifyRouteEntry", &parameters).map(|_| ()).map_err(|refused| refused.error.code)
    };
    modify(&[("RouteEntryName", "one"), ("Description", "text")]).unwrap();
    let reported = || network.entries(table, &[("RouteEntryId", &id)])[0].clone();
    assert_eq!([&reported()["RouteEntryName"], &reported()["Status"]], ["one", "Available"]);
    modify(&[("NewNextHopId", gateway), ("NewNextHopType", "IPv6Gateway")]).unwrap();
    assert_eq!(reported()["Status"], "Modifying");
    assert_eq!(modify(&[("RouteEntryName", "two")]), Err("IncorrectRouteEntryStatus"));
    cloud.step(3);
    for (parameters, code) in [
        (&[("NewNextHopType", "IPv6Gateway")][..], "MissingParameter"),
        (&[("NewNextHopId", "ipv6gw-none")], "InvalidNextHopId.NotFound"),
        (&[("NewNextHopId", gateway), ("NewNextHopType", "NatGateway")], "InvalidNextHopType"),
        (&[("RouteTableId", "vtb-none")], "InvalidRouteTableId.NotFound"),
        (&[("DestinationCidrBlock", "one")], "InvalidCidrBlock.Malformed"),
        (&[("DryRun", "true")], "DryRunOperation"),
    ] {
        assert_eq!(modify(parameters), Err(code), "{parameters:?}");
    }
    assert_eq!(
        cloud.refused("vpc", "ModifyRouteEntry", &[("RouteEntryId", "rte-none")]),
        "InvalidRouteEntry.NotFound"
    );
    let service = network.entries(table, &[("NextHopType", "service")])[0]["RouteEntryId"].clone();
    let refused = cloud.refused("vpc", "ModifyRouteEntry", &[("RouteEntryId", service.as_str().unwrap())]);
    assert_eq!(refused, "OperationDenied");
}

#[test]
fn routes_to_a_nat_gateway_wait_for_it_and_go_with_it() {
    let network = network(Settings::default());
    let Network { cloud, vpc, system, table, .. } = &network;
    let vswitch = cloud.call("vpc", "DescribeVSwitches", &[])["VSwitches"]["VSwitch"][0]["VSwitchId"].clone();
    let create = [("VpcId", vpc.as_str()), ("VSwitchId", vswitch.as_str().unwrap()), ("NatType", "Enhanced")];
    let nat = cloud.text("vpc", "CreateNatGateway", &create, "NatGatewayId");
    let default = |table: &str| {
        let entries = network.entries(table, &[("DestinationCidrBlock", "0.0.0.0/0")]);
        entries.iter().map(|entry| entry["NextHops"]["NextHop"][0]["NextHopId"].clone()).collect::<Vec<_>>()
    };
    assert_eq!(default(system), [nat.as_str()]);
    let route = [
        ("RouteTableId", table.as_str()),
        ("DestinationCidrBlock", "0.0.0.0/0"),
        ("NextHopType", "NatGateway"),
        ("NextHopId", nat.as_str()),
    ];
    assert_eq!(cloud.refused("vpc", "CreateRouteEntry", &route), "IncorrectInstanceStatus");
    cloud.step(60);
    let route = cloud.text("vpc", "CreateRouteEntry", &route, "RouteEntryId");
    let other = cloud.text("vpc", "CreateNatGateway", &create, "NatGatewayId");
    assert_eq!(default(system), [nat.as_str()], "there is one already");
    cloud.step(3);
    let modify = [("RouteEntryId", route.as_str()), ("NewNextHopId", other.as_str())];
    assert_eq!(cloud.refused("vpc", "ModifyRouteEntry", &modify), "IncorrectInstanceStatus");
    cloud.step(60);

    for id in [&nat, &other] {
        cloud.call("vpc", "DeleteNatGateway", &[("NatGatewayId", id), ("Force", "true")]);
    }
    assert_eq!(network.entries(table, &[("RouteEntryId", &route)])[0]["Status"], "Pending");
    let next = cloud.text("vpc", "CreateNatGateway", &create, "NatGatewayId");
    cloud.step(60);
    assert_eq!((default(system), default(table)), (vec![json!(next)], vec![]));
}

#[test]
fn entries_are_found_by_filters_in_pages() {
    let network = network(Settings::default());
    let Network { cloud, system, gateway, .. } = &network;
    for (filter, found) in [
        (&[][..], vec!["100.64.0.0/10", "10.0.0.0/24", "::/0"]),
        (&[("RouteEntryType", "Custom")], vec!["::/0"]),
        (&[("RouteEntryType", "BGP")], vec![]),
        (&[("IpVersion", "ipv4")], vec!["100.64.0.0/10", "10.0.0.0/24"]),
        (&[("NextHopId", gateway.as_str())], vec!["::/0"]),
        (&[("NextHopType", "local")], vec!["10.0.0.0/24"]),
        (&[("RouteEntryName", "one")], vec![]),
        (&[("DestCidrBlockList.1", "::/0"), ("DestCidrBlockList.2", "10.0.0.0/24")], vec!["10.0.0.0/24", "::/0"]),
    ] {
        let entries = network.entries(system, filter);
        let blocks: Vec<_> = entries.iter().map(|entry| &entry["DestinationCidrBlock"]).collect();
        assert_eq!(blocks, found, "{filter:?}");
    }

    let mut token = String::new();
    let mut pages = Vec::new();
    loop {
        let mut parameters = vec![("RouteTableId", system.as_str()), ("MaxResult", "2")];
        parameters.push(("NextToken", &token));
        let answer = cloud.call("vpc", "DescribeRouteEntryList", &parameters);
        assert_eq!(answer["TotalCount"], 3);
        pages.push(answer["RouteEntrys"]["RouteEntry"].as_array().unwrap().len());
        token = answer["NextToken"].as_str().unwrap().to_owned();
        if token.is_empty() {
            break;
        }
    }
    assert_eq!(pages, [2, 1]);
    let parameters = [("RouteTableId", system.as_str()), ("NextToken", "made-up")];
    assert_eq!(cloud.refused("vpc", "DescribeRouteEntryList", &parameters), "InvalidNextToken");
}
