use serde_json::{Value, json};

use crate::service::addresses::vswitches;
use crate::testing::TestCloud;

const TYPE: (&str, &str) = ("ResourceType", "loadbalancer");

fn balancer(cloud: &TestCloud) -> String {
    let (vpc, [one, two]) = vswitches(cloud);
    let create = [
        ("AddressType", "Intranet"),
        ("VpcId", &vpc),
        ("ZoneMappings.1.ZoneId", "cn-shanghai-a"),
        ("ZoneMappings.1.VSwitchId", &one),
        ("ZoneMappings.2.ZoneId", "cn-shanghai-b"),
        ("ZoneMappings.2.VSwitchId", &two),
    ];
    cloud.text("nlb", "CreateLoadBalancer", &create, "LoadbalancerId")
}

fn listed(cloud: &TestCloud, parameters: &[(&str, &str)]) -> Vec<(Value, Value, Value)> {
    let answer = cloud.call("nlb", "ListTagResources", &[&[TYPE], parameters].concat());
    let rows = answer["TagResources"].as_array().unwrap().iter();
    rows.map(|row| (row["ResourceId"].clone(), row["TagKey"].clone(), row["TagValue"].clone())).collect()
}

#[test]
fn load_balancers_are_tagged_found_and_untagged() {
    let cloud = TestCloud::new();
    let (one, two) = (balancer(&cloud), balancer(&cloud));
    let (first, second) = (("ResourceId.1", one.as_str()), ("ResourceId.2", two.as_str()));
    let tag = |key, value: &'static str| [TYPE, first, second, ("Tag.1.Key", key), ("Tag.1.Value", value)];
    cloud.call("nlb", "TagResources", &tag("ack.aliyun.com", "shoot--foo--bar"));
    cloud.call("nlb", "TagResources", &tag("k", "v")[..]);
    let of_shoot = [("Tag.1.Key", "ack.aliyun.com"), ("Tag.1.Value", "shoot--foo--bar")];
    let tag = |id: &String| (json!(id), json!("ack.aliyun.com"), json!("shoot--foo--bar"));
    assert_eq!(listed(&cloud, &of_shoot), [tag(&one), tag(&two)], "the tags of the filter alone");
    assert_eq!(listed(&cloud, &[first, second]).len(), 4);
    assert_eq!(listed(&cloud, &[first])[1], (json!(one), json!("k"), json!("v")));
    assert_eq!(listed(&cloud, &[("Tag.1.Key", "other")]), []);
    let page = cloud.call("nlb", "ListTagResources", &[TYPE, first, ("MaxResults", "1")]);
    assert_eq!(
        (&page["TotalCount"], &page["TagResources"][0]["AliUid"]),
        (&json!(2), &json!(1_000_000_000_000_001_i64))
    );
    let token = ("NextToken", page["NextToken"].as_str().unwrap());
    assert_eq!(listed(&cloud, &[first, ("MaxResults", "1"), token]).len(), 1);

    cloud.call("nlb", "UntagResources", &[TYPE, first, ("TagKey.1", "k")]);
    assert_eq!(listed(&cloud, &[first]).len(), 1);
    cloud.call("nlb", "UntagResources", &[TYPE, first, second, ("All", "true")]);
    assert_eq!(listed(&cloud, &[first, second]), []);
}

#[test]
fn what_is_wrong_with_tags_is_said() {
    let cloud = TestCloud::new();
    let id = balancer(&cloud);
    let (known, unknown) = (("ResourceId.1", id.as_str()), ("ResourceId.2", "nlb-x"));
    let tag = ("Tag.1.Key", "k");
    for number in 0..20 {
        cloud.call("nlb", "TagResources", &[TYPE, known, ("Tag.1.Key", &format!("k{number}"))]);
    }
    for (action, parameters, code) in [
        ("TagResources", &[TYPE, known, tag][..], "QuotaExceeded.TagNum"),
        ("TagResources", &[TYPE, ("ResourceId.1", "nlb-x"), tag], "ResourceNotFound.loadBalancer"),
        ("TagResources", &[TYPE, known], "MissingTag"),
        ("TagResources", &[("ResourceType", "listener"), known, tag], "InvalidResourceType"),
        ("UntagResources", &[TYPE, known], "MissingParam.TagKey"),
        ("UntagResources", &[TYPE, known, unknown, ("All", "true")], "ResourceNotFound.loadBalancer"),
        ("ListTagResources", &[TYPE], "MissingParam.ResourceId"),
        ("ListTagResources", &[TYPE, known, ("NextToken", "x")], "IllegalParam.nextToken"),
    ] {
        assert_eq!(cloud.refused("nlb", action, parameters), code, "{action} {parameters:?}");
    }
}
