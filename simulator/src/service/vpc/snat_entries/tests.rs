use serde_json::json;

use crate::service::vpc::fixture::Network;

#[test]
fn an_entry_comes_and_goes() {
    let network = Network::new();
    let gateway = network.gateway();
    let address = network.bound_address(&gateway);
    let entry = network.begin_snat(&gateway, &address);
    let reported = |field| network.of_snat(&gateway, &entry, field);
    let by_id = [("SnatTableId", gateway.table.as_str()), ("SnatEntryId", &entry)];
    assert_eq!(reported("Status"), Some(json!("Pending")));
    for action in ["DeleteSnatEntry", "ModifySnatEntry"] {
        assert_eq!(network.refused("vpc", action, &by_id), "IncorretSnatEntryStatus");
    }
    network.step(4);
    assert_eq!(reported("Status"), Some(json!("Available")));
    assert_eq!(reported("SourceCIDR"), Some(json!("172.16.0.0/24")));
    assert_eq!(reported("SourceVSwitchId"), Some(json!(network.vswitch)));
    assert_eq!(reported("SnatIp"), Some(json!(address.ip)));
    assert_eq!(reported("NatGatewayId"), Some(json!(gateway.id)));
    network.call("vpc", "DeleteSnatEntry", &by_id);
    assert_eq!(reported("Status"), Some(json!("Deleting")));
    network.step(4);
    assert_eq!(reported("Status"), None);
    for action in ["DeleteSnatEntry", "ModifySnatEntry"] {
        assert_eq!(network.refused("vpc", action, &by_id), "InvalidSnatEntryId.NotFound");
        let elsewhere = [("SnatTableId", "stb-x"), by_id[1]];
        assert_eq!(network.refused("vpc", action, &elsewhere), "InvalidSnatTableId.NotFound");
    }
}

#[test]
fn an_entry_leads_through_addresses_of_its_gateway() {
    let network = Network::new();
    let (gateway, other) = (network.gateway(), network.gateway());
    let (bound, free, elsewhere) =
        (network.bound_address(&gateway), network.address(), network.bound_address(&other));
    let entry = network.snat(&gateway, &bound);
    let binding = network.address();
    network.begin_binding(&binding, &gateway);
    let many: Vec<String> = (0..65).map(|number| format!("192.0.2.{number}")).collect();
    for (addresses, error) in [
        ("192.0.2.1", "InvalidSnatIp.NotFound"),
        ("eip-x", "InvalidSnatIp.Malformed"),
        (&format!("{},{}", bound.ip, bound.ip), "InvalidSnatIp.Malformed"),
        (&many.join(","), "SNAT_IP_POOL_COUNT_TOO_MANY"),
        (&free.ip, "EIP_NOT_IN_GATEWAY"),
        (&elsewhere.ip, "EIP_NOT_IN_GATEWAY"),
        (&binding.ip, "OperationUnsupported.EipInBinding"),
    ] {
        let create =
            [("SnatTableId", gateway.table.as_str()), ("SourceCIDR", "172.16.0.0/16"), ("SnatIp", addresses)];
        assert_eq!(network.refused("vpc", "CreateSnatEntry", &create), error, "{addresses}");
        let modify = [("SnatTableId", gateway.table.as_str()), ("SnatEntryId", &entry), ("SnatIp", addresses)];
        assert_eq!(network.refused("vpc", "ModifySnatEntry", &modify), error, "{addresses}");
    }
}

#[test]
fn an_entry_is_for_one_source_of_its_own() {
    let network = Network::with(r#"{ "quotas": { "snatEntries": 2 } }"#);
    let gateway = network.gateway();
    let address = network.bound_address(&gateway);
    network.snat(&gateway, &address);
    let vswitch = network.vswitch.clone();
    let refused = |more: &[(&str, &str)]| {
        let mut parameters = vec![("SnatTableId", gateway.table.as_str()), ("SnatIp", &address.ip)];
        parameters.extend(more);
        network.refused("vpc", "CreateSnatEntry", &parameters)
    };
    assert_eq!(refused(&[]), "MissingParameter");
    assert_eq!(refused(&[("SourceCIDR", "10.0.0.0/8"), ("SourceVSwitchId", &vswitch)]), "INVALID_PARAMETER");
    assert_eq!(refused(&[("SourceVSwitchId", "vsw-x")]), "InvalidVSwitchId.NotFound");
    assert_eq!(refused(&[("SourceVSwitchId", &vswitch)]), "Forbidden.SourceVSwitchId.Duplicated");
    assert_eq!(refused(&[("SourceCIDR", "172.16.0.0/24")]), "Forbidden.SourceVSwitchId.Duplicated");
    let named = [("SourceCIDR", "10.0.0.0/8"), ("SnatEntryName", "1")];
    assert_eq!(refused(&named), "InvalidParameter.Name.Malformed");
    let second =
        [("SnatTableId", gateway.table.as_str()), ("SnatIp", &address.ip), ("SourceCIDR", "172.16.0.0/16")];
    network.call("vpc", "CreateSnatEntry", &second);
    assert_eq!(refused(&[("SourceCIDR", "10.0.0.0/8")]), "Forbidden.SnatEntryCountLimited");
    let elsewhere = [("SnatTableId", "stb-x"), ("SnatIp", &address.ip), ("SourceCIDR", "10.0.0.0/8")];
    assert_eq!(network.refused("vpc", "CreateSnatEntry", &elsewhere), "InvalidSnatTableId.NotFound");
    let without = [("SnatTableId", gateway.table.as_str()), ("SourceCIDR", "10.0.0.0/8")];
    assert_eq!(network.refused("vpc", "CreateSnatEntry", &without), "MissingParameter");
}

#[test]
fn a_gateway_that_is_not_available_takes_no_entry() {
    let network = Network::new();
    let gateway = network.begin_gateway(&[]);
    let address = network.address();
    let parameters =
        [("SnatTableId", gateway.table.as_str()), ("SnatIp", &address.ip), ("SourceVSwitchId", &network.vswitch)];
    assert_eq!(network.refused("vpc", "CreateSnatEntry", &parameters), "IncorrectStatus.NATGW");
}

#[test]
fn an_entry_changes_its_addresses() {
    let network = Network::new();
    let gateway = network.gateway();
    let (old, new) = (network.bound_address(&gateway), network.bound_address(&gateway));
    let entry = network.snat(&gateway, &old);
    let change = |name, value: &str| {
        let by_id = [("SnatTableId", gateway.table.as_str()), ("SnatEntryId", entry.as_str()), (name, value)];
        network.try_call("vpc", "ModifySnatEntry", &by_id).map_err(|error| error.error.code)
    };
    let reported = |field| network.of_snat(&gateway, &entry, field);
    change("SnatEntryName", "two").unwrap();
    assert_eq!(reported("SnatEntryName"), Some(json!("two")));
    assert_eq!(reported("Status"), Some(json!("Available")));
    assert_eq!(change("SnatEntryName", "2").unwrap_err(), "InvalidParameter.Name.Malformed");
    change("SnatIp", &format!("{},{}", new.ip, old.ip)).unwrap();
    assert_eq!(reported("Status"), Some(json!("Pending")));
    network.step(4);
    assert_eq!(reported("SnatIp"), Some(json!(format!("{},{}", new.ip, old.ip))));
    change("EipAffinity", "1").unwrap();
    network.step(4);
    assert_eq!(reported("EipAffinity"), Some(json!("1")));
    change("SnatIp", &new.ip).unwrap();
    network.step(4);
    network.call("vpc", "UnassociateEipAddress", &[("AllocationId", &old.id)]);
}

#[test]
fn a_dry_run_changes_nothing() {
    let network = Network::new();
    let gateway = network.gateway();
    let address = network.bound_address(&gateway);
    let parameters = [
        ("SnatTableId", gateway.table.as_str()),
        ("SnatIp", &address.ip),
        ("SourceVSwitchId", &network.vswitch),
        ("DryRun", "true"),
    ];
    assert_eq!(network.refused("vpc", "CreateSnatEntry", &parameters), "DryRunOperation");
}

#[test]
fn entries_are_found_by_what_they_are() {
    let network = Network::new();
    let (gateway, other) = (network.gateway(), network.gateway());
    let address = network.bound_address(&gateway);
    let entry = network.snat(&gateway, &address);
    network.snat(&other, &network.bound_address(&other));
    for (name, value, count) in [
        ("NatGatewayId", gateway.id.as_str(), 1),
        ("SnatEntryId", &entry, 1),
        ("SnatEntryId", "snat-x", 0),
        ("SnatEntryName", "x", 0),
        ("SnatIp", &address.ip, 1),
        ("SnatIp", "192.0.2.1", 0),
        ("SourceVSwitchId", &network.vswitch, 1),
        ("SourceCIDR", "172.16.0.0/24", 1),
        ("SourceCIDR", "172.16.0.0/16", 0),
    ] {
        let parameters = [("SnatTableId", gateway.table.as_str()), (name, value)];
        let found = network.get("DescribeSnatTableEntries", &parameters, "/TotalCount");
        assert_eq!(found, Some(json!(count)), "{name} {value}");
    }
    for (given, error) in [
        (&[][..], "MissingParameter"),
        (&[("NatGatewayId", "ngw-x")], "InvalidSnatTableId.NotFound"),
        (&[("SnatTableId", "stb-x")], "InvalidSnatTableId.NotFound"),
        (&[("SnatTableId", &gateway.table), ("NatGatewayId", &other.id)], "InvalidSnatTableId.NotFound"),
    ] {
        assert_eq!(network.refused("vpc", "DescribeSnatTableEntries", given), error, "{given:?}");
    }
}

#[test]
fn no_entry_is_for_a_vswitch_that_goes() {
    let network = Network::new();
    let gateway = network.gateway();
    let address = network.bound_address(&gateway);
    let vswitch = network.add_vswitch("172.16.1.0/24");
    network.call("vpc", "DeleteVSwitch", &[("VSwitchId", &vswitch)]);
    let create = [("SnatTableId", gateway.table.as_str()), ("SourceVSwitchId", &vswitch), ("SnatIp", &address.ip)];
    assert_eq!(network.refused("vpc", "CreateSnatEntry", &create), "IncorrectStatus.VSWITCH");
    network.step(60);
    assert_eq!(network.refused("vpc", "CreateSnatEntry", &create), "InvalidVSwitchId.NotFound");
}
