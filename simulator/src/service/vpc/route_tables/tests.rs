use serde_json::{Value, json};

use crate::settings::Settings;
use crate::testing::TestCloud;

struct Network {
    cloud: TestCloud,
    vpc: String,
    vswitch: String,
    system: String,
}

fn network(settings: Settings) -> Network {
    let cloud = TestCloud::with(settings);
    let created = cloud.call("vpc", "CreateVpc", &[("CidrBlock", "10.0.0.0/16")]);
    cloud.step(3);
    let vpc = created["VpcId"].as_str().unwrap().to_owned();
    let vswitch = [("VpcId", vpc.as_str()), ("ZoneId", "cn-shanghai-a"), ("CidrBlock", "10.0.0.0/24")];
    let vswitch = cloud.text("vpc", "CreateVSwitch", &vswitch, "VSwitchId");
    cloud.step(3);
    Network { cloud, vpc, vswitch, system: created["RouteTableId"].as_str().unwrap().to_owned() }
}

impl Network {
    fn table(&self) -> String {
        let id = self.cloud.text("vpc", "CreateRouteTable", &[("VpcId", &self.vpc)], "RouteTableId");
        self.cloud.step(3);
        id
    }

    fn described(&self, id: &str) -> Value {
        let answer = self.cloud.call("vpc", "DescribeRouteTableList", &[("RouteTableId", id)]);
        answer["RouterTableList"]["RouterTableListType"][0].clone()
    }

    fn bind(&self, action: &str, table: &str, vswitch: &str) -> Result<(), &'static str> {
        let pair = [("RouteTableId", table), ("VSwitchId", vswitch)];
        self.cloud.try_call("vpc", action, &pair).map(|_| ()).map_err(|refused| refused.error.code)
    }
}

#[test]
fn a_custom_table_comes_and_goes() {
    let network = network(Settings::default());
    let cloud = &network.cloud;
    let create = [("VpcId", network.vpc.as_str()), ("RouteTableName", "one"), ("Tag.1.Key", "k")];
    let id = cloud.text("vpc", "CreateRouteTable", &create, "RouteTableId");
    let reported = network.described(&id);
    assert_eq!(
        [&reported["Status"], &reported["RouteTableType"], &reported["RouterType"]],
        ["Pending", "Custom", "VRouter"]
    );
    assert_eq!(reported["Tags"], json!({ "Tag": [{ "Key": "k", "Value": "" }] }));
    assert_eq!(reported["RouterId"], network.described(&network.system)["RouterId"]);
    let rename = [("RouteTableId", id.as_str()), ("RouteTableName", "two"), ("Description", "text")];
    for action in ["DeleteRouteTable", "ModifyRouteTableAttributes"] {
        let parameters = if action == "DeleteRouteTable" { &rename[..1] } else { &rename };
        assert_eq!(cloud.refused("vpc", action, parameters), "IncorrectRouteTableStatus", "{action}");
    }
    cloud.step(3);
    cloud.call("vpc", "ModifyRouteTableAttributes", &rename);
    let reported = network.described(&id);
    assert_eq!(
        [&reported["RouteTableName"], &reported["Description"], &reported["Status"]],
        ["two", "text", "Available"]
    );
    for (parameter, code) in [
        ("RouteTableName", "InvalidParameter.RouteTableName.Malformed"),
        ("Description", "InvalidParameter.Description.Malformed"),
    ] {
        let parameters = [("RouteTableId", id.as_str()), (parameter, "http://text")];
        assert_eq!(cloud.refused("vpc", "ModifyRouteTableAttributes", &parameters), code);
    }
    let entries = cloud.call("vpc", "DescribeRouteEntryList", &[("RouteTableId", &id)]);
    assert_eq!(entries["TotalCount"], 2, "the services and the VSwitch");

    cloud.call("vpc", "DeleteRouteTable", &[("RouteTableId", &id)]);
    cloud.step(3);
    assert_eq!(network.described(&id), Value::Null);
    for action in ["DeleteRouteTable", "ModifyRouteTableAttributes", "DescribeRouteEntryList"] {
        let refused = cloud.refused("vpc", action, &[("RouteTableId", &id)]);
        assert_eq!(refused, "InvalidRouteTableId.NotFound", "{action}");
    }
}

#[test]
fn what_no_table_may_be_is_refused() {
    let network = network(serde_json::from_str(r#"{ "quotas": { "routeTables": 1 } }"#).unwrap());
    let cloud = &network.cloud;
    for (parameter, value, code) in [
        ("VpcId", "vpc-none", "InvalidVpcId.NotFound"),
        ("RouteTableName", "http://name", "InvalidParameter.RouteTableName.Malformed"),
        ("Description", "http://text", "InvalidParameter.Description.Malformed"),
        ("AssociateType", "Gateway", "InvalidAssociateType"),
    ] {
        let mut parameters = vec![("VpcId", network.vpc.as_str())];
        parameters.retain(|(name, _)| *name != parameter);
        parameters.push((parameter, value));
        assert_eq!(cloud.refused("vpc", "CreateRouteTable", &parameters), code, "{parameter} {value}");
    }
    network.table();
    let more = [("VpcId", network.vpc.as_str())];
    assert_eq!(cloud.refused("vpc", "CreateRouteTable", &more), "QuotaExceeded.RouteTable");
    let system = [("RouteTableId", network.system.as_str())];
    assert_eq!(cloud.refused("vpc", "DeleteRouteTable", &system), "IncorrectRouteTableType");
    let pending = cloud.text("vpc", "CreateVpc", &[], "VpcId");
    assert_eq!(cloud.refused("vpc", "CreateRouteTable", &[("VpcId", &pending)]), "IncorrectVpcStatus");
}

#[test]
fn a_vswitch_has_one_table_at_a_time() {
    let network = network(Settings::default());
    let Network { cloud, vswitch, system, .. } = &network;
    let (one, two) = (network.table(), network.table());
    let associate = |table: &str| network.bind("AssociateRouteTable", table, vswitch);
    let unassociate = |table: &str| network.bind("UnassociateRouteTable", table, vswitch);

    assert_eq!(associate(system), Err("ResourceAlreadyAssociated.RouteTable"));
    assert_eq!(unassociate(system), Err("OperationUnsupported.SystemRouteTable"));
    assert_eq!(unassociate(&one), Err("InvalidBindingStatus.RouteTable"));
    associate(&one).unwrap();
    assert_eq!(network.described(&one)["Status"], "Available");
    assert_eq!(associate(&two), Err("IncorrectVSwitchStatus"));
    assert_eq!(unassociate(&one), Err("IncorrectVSwitchStatus"));
    cloud.step(4);
    assert_eq!(network.described(&one)["VSwitchIds"], json!({ "VSwitchId": [vswitch] }));
    assert_eq!(associate(&one), Err("ResourceAlreadyAssociated.RouteTable"));
    assert_eq!(associate(&two), Err("Forbidden.VSwitchAlreadyAssociatedRouteTable"));
    assert_eq!(associate(system), Err("OperationDenied.SwitchToSystemRouteTable"));
    assert_eq!(cloud.refused("vpc", "DeleteVSwitch", &[("VSwitchId", vswitch)]), "DependencyViolation.RouteTable");
    assert_eq!(cloud.refused("vpc", "DeleteRouteTable", &[("RouteTableId", &one)]), "IncorrectVSwitchStatus");
    unassociate(&one).unwrap();
    cloud.step(4);
    assert_eq!(network.described(&one)["VSwitchIds"], json!({ "VSwitchId": [] }));
    assert_eq!(network.described(system)["VSwitchIds"], json!({ "VSwitchId": [vswitch] }));
    cloud.call("vpc", "DeleteRouteTable", &[("RouteTableId", &one)]);
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", vswitch)]);
}

#[test]
fn several_vswitches_change_tables_at_the_same_time() {
    let network = network(Settings::default());
    let Network { cloud, vpc, vswitch, .. } = &network;
    let other = [("VpcId", vpc.as_str()), ("ZoneId", "cn-shanghai-b"), ("CidrBlock", "10.0.1.0/24")];
    let other = cloud.text("vpc", "CreateVSwitch", &other, "VSwitchId");
    let table = network.table();
    for action in ["AssociateRouteTable", "UnassociateRouteTable"] {
        network.bind(action, &table, vswitch).unwrap();
        network.bind(action, &table, &other).unwrap();
        cloud.step(4);
    }
}

#[test]
fn associations_need_both_ends_ready_in_one_vpc() {
    let network = network(Settings::default());
    let Network { cloud, vpc, vswitch, .. } = &network;
    let associate = |table: &str, vswitch: &str| network.bind("AssociateRouteTable", table, vswitch);
    let table = network.table();
    let created = cloud.call("vpc", "CreateVpc", &[]);
    for action in ["AssociateRouteTable", "UnassociateRouteTable"] {
        for (table, vswitch, code) in [
            ("vtb-none", vswitch.as_str(), "InvalidRouteTableId.NotFound"),
            (&table, "vsw-none", "InvalidVSwitchId.NotFound"),
            (created["RouteTableId"].as_str().unwrap(), vswitch, "IncorrectStatus.RouteTable"),
        ] {
            assert_eq!(network.bind(action, table, vswitch), Err(code), "{action} {code}");
        }
    }
    cloud.step(3);
    let other = [("VpcId", created["VpcId"].as_str().unwrap())];
    let other = cloud.text("vpc", "CreateRouteTable", &other, "RouteTableId");
    cloud.step(3);
    assert_eq!(associate(&other, vswitch), Err("Forbidden.NotInSameVpc"));
    let pending = [("VpcId", vpc.as_str()), ("ZoneId", "cn-shanghai-b"), ("CidrBlock", "10.0.1.0/24")];
    let pending = cloud.text("vpc", "CreateVSwitch", &pending, "VSwitchId");
    assert_eq!(associate(&table, &pending), Err("IncorrectVSwitchStatus"));
}

#[test]
fn tables_are_found_by_filters() {
    let network = network(Settings::default());
    let Network { cloud, vpc, system, .. } = &network;
    let create = [("VpcId", vpc.as_str()), ("RouteTableName", "one"), ("Tag.1.Key", "k")];
    let one = &cloud.text("vpc", "CreateRouteTable", &create, "RouteTableId");
    let other = cloud.call("vpc", "CreateVpc", &[]);
    let other = &other["RouteTableId"].as_str().unwrap().to_owned();
    let reported = network.described(system);
    let router = reported["RouterId"].as_str().unwrap();
    for (filter, found) in [
        (&[][..], vec![system, one, other]),
        (&[("VpcId", vpc.as_str())], vec![system, one]),
        (&[("RouteTableName", "one")], vec![one]),
        (&[("RouteTableType", "System")], vec![system, other]),
        (&[("RouterId", router)], vec![system, one]),
        (&[("RouterType", "VBR")], vec![]),
        (&[("RouterType", "VBR"), ("VpcId", vpc.as_str())], vec![system, one]),
        (&[("Tag.1.Key", "k")], vec![one]),
        (&[("PageSize", "2"), ("PageNumber", "2")], vec![other]),
    ] {
        let answer = cloud.call("vpc", "DescribeRouteTableList", filter);
        let rows = answer["RouterTableList"]["RouterTableListType"].as_array().unwrap();
        assert_eq!(rows.iter().map(|row| &row["RouteTableId"]).collect::<Vec<_>>(), found, "{filter:?}");
    }
}

#[test]
fn a_table_has_no_entry_to_a_vswitch_that_goes() {
    let network = network(Settings::default());
    let cloud = &network.cloud;
    cloud.call("vpc", "DeleteVSwitch", &[("VSwitchId", &network.vswitch)]);
    let table = network.table();
    cloud.step(60);
    let entries = cloud.call("vpc", "DescribeRouteEntryList", &[("RouteTableId", &table)]);
    assert_eq!(entries["TotalCount"], 1, "{entries}");
}
