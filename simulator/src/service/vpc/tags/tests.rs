use serde_json::{Value, json};

use crate::service::vpc::fixture::Network;

fn rows(answer: &Value) -> Vec<(String, String)> {
    let rows = answer.pointer("/TagResources/TagResource").and_then(Value::as_array).unwrap();
    let text = |row: &Value, field: &str| row[field].as_str().unwrap().to_owned();
    rows.iter().map(|row| (text(row, "ResourceId"), text(row, "TagKey"))).collect()
}

#[test]
fn every_kind_has_tags() {
    let network = Network::new();
    let gateway = network.gateway();
    let address = network.address();
    let table = network.text("vpc", "CreateRouteTable", &[("VpcId", &network.vpc)], "RouteTableId");
    let ipv6 = network.text("vpc", "CreateVpc", &[("EnableIpv6", "true")], "VpcId");
    network.step(60);
    let ipv6 = network.text("vpc", "CreateIpv6Gateway", &[("VpcId", &ipv6)], "Ipv6GatewayId");
    network.step(60);
    for (kind, id) in [
        ("VPC", &network.vpc),
        ("VSWITCH", &network.vswitch),
        ("NATGATEWAY", &gateway.id),
        ("EIP", &address.id),
        ("ROUTETABLE", &table),
        ("IPV6GATEWAY", &ipv6),
    ] {
        let lower = kind.to_lowercase();
        let one = [("ResourceType", lower.as_str()), ("ResourceId.1", id)];
        network.call("vpc", "TagResources", &[one[0], one[1], ("Tag.1.Key", "k"), ("Tag.1.Value", "v")]);
        let row = network.get("ListTagResources", &one, "/TagResources/TagResource/0");
        let wanted = json!({ "ResourceId": id, "ResourceType": kind, "TagKey": "k", "TagValue": "v" });
        assert_eq!(row, Some(wanted));
        network.call("vpc", "UnTagResources", &[one[0], one[1], ("TagKey.1", "k")]);
        assert_eq!(rows(&network.call("vpc", "ListTagResources", &one)), []);
    }
}

#[test]
fn a_value_is_replaced_and_all_are_removed() {
    let network = Network::new();
    let one = [("ResourceType", "VPC"), ("ResourceId.1", network.vpc.as_str())];
    let tag =
        |value| network.call("vpc", "TagResources", &[one[0], one[1], ("Tag.1.Key", "k"), ("Tag.1.Value", value)]);
    let value = || network.get("ListTagResources", &one, "/TagResources/TagResource/0/TagValue");
    tag("v");
    tag("w");
    assert_eq!(value(), Some(json!("w")));
    network.call("vpc", "UnTagResources", &one);
    network.call("vpc", "UnTagResources", &[one[0], one[1], ("All", "true"), ("TagKey.1", "other")]);
    assert_eq!(value(), Some(json!("w")), "all are removed only where no key is named");
    network.call("vpc", "UnTagResources", &[one[0], one[1], ("All", "true")]);
    assert_eq!(value(), None);
}

#[test]
fn resources_are_found_by_all_of_their_tags() {
    let network = Network::new();
    let (both, one) = (network.address(), network.address());
    for (id, keys) in [(&both.id, &["a", "b", "c"][..]), (&one.id, &["a"])] {
        for key in keys {
            let parameters =
                [("ResourceType", "EIP"), ("ResourceId.1", id.as_str()), ("Tag.1.Key", key), ("Tag.1.Value", "1")];
            network.call("vpc", "TagResources", &parameters);
        }
    }
    let found = |filter: &[(&str, &str)]| {
        let mut parameters = vec![("ResourceType", "EIP")];
        parameters.extend(filter);
        rows(&network.call("vpc", "ListTagResources", &parameters))
    };
    let row = |id: &str, key: &str| (id.to_owned(), key.to_owned());
    assert_eq!(found(&[("Tag.1.Key", "a")]), [row(&both.id, "a"), row(&one.id, "a")]);
    let two = [("Tag.1.Key", "a"), ("Tag.1.Value", "1"), ("Tag.2.Key", "b")];
    assert_eq!(found(&two), [row(&both.id, "a"), row(&both.id, "b")]);
    assert_eq!(found(&[two[0], ("Tag.1.Value", "2")]), []);
    assert_eq!(found(&[two[0], ("ResourceId.1", &one.id)]), [row(&one.id, "a")]);
    assert_eq!(found(&[("ResourceId.1", "eip-x")]), []);
}

#[test]
fn a_list_goes_on_with_its_token() {
    let network = Network::new();
    let address = network.address();
    let base = [("ResourceType", "EIP"), ("ResourceId.1", address.id.as_str())];
    for key in ["a", "b", "c"] {
        network.call("vpc", "TagResources", &[base[0], base[1], ("Tag.1.Key", key)]);
    }
    let page = network.call("vpc", "ListTagResources", &[base[0], base[1], ("MaxResults", "2")]);
    assert_eq!(rows(&page).len(), 2);
    let token = page["NextToken"].as_str().unwrap();
    let rest = network.call("vpc", "ListTagResources", &[base[0], base[1], ("NextToken", token)]);
    assert_eq!(rows(&rest), [(address.id.clone(), "c".to_owned())]);
    assert_eq!(rest.get("NextToken"), None);
    let forged = [base[0], base[1], ("NextToken", "x")];
    assert_eq!(network.refused("vpc", "ListTagResources", &forged), "InvalidParameter.NextToken");
}

#[test]
fn what_cannot_be_tagged_is_refused() {
    let network = Network::new();
    let vpc = network.vpc.as_str();
    let good = [("ResourceType", "VPC"), ("ResourceId.1", vpc), ("Tag.1.Key", "k")];
    let long = "k".repeat(129);
    for (more, error) in [
        (vec![("ResourceType", "VPNGATEWAY")], "InvalidInstanceType.NotFound"),
        (vec![("ResourceId.2", "vpc-x")], "InvalidInstanceIds.NotFound"),
        (vec![("Tag.1.Key", "")], "InvalidTagKey"),
        (vec![("Tag.1.Key", "acs:k")], "InvalidTagKey"),
        (vec![("Tag.1.Key", &long)], "InvalidTagKey"),
        (vec![("Tag.1.Value", "aliyun")], "InvalidTagValue"),
        (vec![("Tag.2.Key", "k")], "Forbidden.TagKey.Duplicated"),
    ] {
        let mut parameters: Vec<_> =
            good.iter().filter(|pair| more.iter().all(|(name, _)| *name != pair.0)).copied().collect();
        parameters.extend(more.clone());
        assert_eq!(network.refused("vpc", "TagResources", &parameters), error, "{more:?}");
    }
    let filters = [(&[][..], "BothEmpty.TagsAndResources"), (&[("Tag.1.Value", "v")], "InvalidTagKey")];
    for (filter, error) in filters {
        let mut parameters = vec![("ResourceType", "VPC")];
        parameters.extend(filter);
        assert_eq!(network.refused("vpc", "ListTagResources", &parameters), error, "{filter:?}");
    }
    for action in ["UnTagResources", "ListTagResources"] {
        let unknown = [("ResourceType", "VPNGATEWAY"), good[1]];
        assert_eq!(network.refused("vpc", action, &unknown), "InvalidInstanceType.NotFound");
    }
}

#[test]
fn numbers_are_limited() {
    let network = Network::new();
    let vpc = network.vpc.as_str();
    let numbered = |prefix: &str, suffix: &str, value: &str, count: usize| -> Vec<(String, String)> {
        (1..=count).map(|n| (format!("{prefix}.{n}{suffix}"), value.replace('#', &n.to_string()))).collect()
    };
    let call = |action: &str, lists: Vec<(String, String)>| {
        let mut parameters = vec![("ResourceType", "VPC")];
        parameters.extend(lists.iter().map(|(name, value)| (name.as_str(), value.as_str())));
        network.try_call("vpc", action, &parameters).map(|_| ()).map_err(|error| error.error.code)
    };
    let id = || numbered("ResourceId", "", vpc, 1);
    let tags = |key: &str, count| [id(), numbered("Tag", ".Key", key, count)].concat();
    assert_eq!(call("TagResources", tags("k#", 21)), Err("SizeLimitExceeded.TagNum"));
    assert_eq!(call("TagResources", tags("k#", 20)), Ok(()));
    assert_eq!(call("TagResources", tags("k#", 20)), Ok(()), "the same keys need no room");
    assert_eq!(call("TagResources", tags("other", 1)), Err("QuotaExceeded.TagNum"));
    let keys = [id(), numbered("TagKey", "", "k#", 21)].concat();
    assert_eq!(call("UnTagResources", keys), Err("SizeLimitExceeded.TagNum"));
    assert_eq!(call("ListTagResources", tags("k#", 21)), Err("SizeLimitExceeded.TagNum"));
    let ids = numbered("ResourceId", "", vpc, 51);
    for action in ["UnTagResources", "ListTagResources"] {
        assert_eq!(call(action, ids.clone()), Err("SizeLimitExceeded.ResourceId"));
    }
    let tagged = [ids, numbered("Tag", ".Key", "k", 1)].concat();
    assert_eq!(call("TagResources", tagged), Err("SizeLimitExceeded.ResourceId"));
    let unknown = [("ResourceId.1".to_owned(), "vpc-x".to_owned())];
    assert_eq!(call("UnTagResources", unknown.to_vec()), Err("InvalidInstanceIds.NotFound"));
}
