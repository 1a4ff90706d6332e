//! Answers that are errors, or of another shape.

use super::*;

#[test]
fn what_cannot_be_read_is_reported_with_codes() {
    let mut dual_stack = request("reconcile", &existing(), &["a"], &json!({}));
    dual_stack["request"]["infrastructure"]["spec"]["providerConfig"]["dualStack"] = json!({ "enabled": true });
    let mut own_eip = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    own_eip["request"]["infrastructure"]["spec"]["providerConfig"]["networks"]["zones"][0]["natGateway"] =
        json!({ "eipAllocationID": "eip-own" });
    let cold = request("reconcile", &existing(), &["a"], &json!({}));
    let made = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    let delete = request("delete", &existing(), &["a"], &recorded(&["a"]));
    let unreported =
        existing_cloud().with("DescribeNatGateways", json!({ "NatGatewayId": "ngw-2", "VpcId": "vpc-9" }));
    for (cloud, action, code, document, rule, field, words) in [
        (
            existing_cloud(),
            "DescribeVpcs",
            "Throttling.User",
            &cold,
            "ALI-ICV-004",
            "networks.vpc.id",
            "validateVPC GetVpc vpc-9 failed",
        ),
        (
            existing_cloud(),
            "DescribeNatGateways",
            "Throttling.User",
            &cold,
            "ALI-ICV-006",
            "networks.vpc.id",
            "validateVPC FindNatGatewayByVPC vpc-9 failed",
        ),
        (
            unreported,
            "ListTagResources",
            "Throttling.User",
            &cold,
            "ALI-ICV-007",
            "networks.vpc.id",
            "validateVPC GetNatGatewayTags vpc-9 failed",
        ),
        (
            existing_cloud(),
            "DescribeIpv6Gateways",
            "Throttling.User",
            &dual_stack,
            "ALI-ICV-012",
            "networks.vpc.id",
            "validateVpcIPv6 FindIpv6GatewayByVPC vpc-9 failed",
        ),
        (
            existing_cloud(),
            "DescribeVSwitches",
            "Throttling.User",
            &cold,
            "ALI-ICV-014",
            "networks.vpc.id",
            "FindVSwitchesByVPC vpc-9 failed",
        ),
        (
            Cloud::made(&["a"]),
            "ListEnhanhcedNatGatewayAvailableZones",
            "Throttling.User",
            &made,
            "ALI-ICV-017",
            "",
            "list natgateway availableZones failed",
        ),
        (
            Cloud::made(&["a"]),
            "DescribeEipAddresses",
            "Throttling.User",
            &own_eip,
            "ALI-ICV-019",
            "networks.zones[].natGateway.eipAllocationID",
            "validateEIP GetEIP eip-own failed",
        ),
        (
            Cloud::made(&["a"]),
            "DescribeVpcs",
            "Throttling.User",
            &made,
            "ALI-PLAN-001",
            "",
            "vpc DescribeVpcs failed",
        ),
        (
            existing_cloud(),
            "DescribeNatGateways",
            "Throttling.User",
            &delete,
            "ALI-PLAN-001",
            "",
            "vpc DescribeNatGateways failed",
        ),
    ] {
        let seen = converse(&cloud.failing(action, code), document.clone());
        let detail = format!("{words}: {code}: the cloud says no");
        assert_eq!(seen.errors(), (vec![(rule, field, detail.as_str())], vec!["ERR_INFRA_RATE_LIMITS_EXCEEDED"]));
    }
}

#[test]
fn credentials_that_cannot_be_used_are_reported_once() {
    let cold = request("reconcile", &existing(), &["a"], &json!({}));
    for (code, rule, words, codes) in [
        (
            "CredentialsUnavailable",
            "ALI-ICV-002",
            "could not get Alicloud credentials: the cloud says no",
            &[][..],
        ),
        ("ClientUnavailable", "ALI-ICV-003", "create aliclient actor failed: the cloud says no", &[]),
        (
            "SignatureDoesNotMatch",
            "ALI-PLAN-001",
            "vpc DescribeVpcs failed: SignatureDoesNotMatch: the cloud says no",
            &["ERR_INFRA_UNAUTHORIZED"],
        ),
    ] {
        let seen = converse(&Cloud::new().failing("DescribeVpcs", code).failing("GetRole", code), cold.clone());
        assert_eq!(seen.errors(), (vec![(rule, "", words)], codes.to_vec()), "it is reported once");
    }
}

#[test]
fn answers_of_another_shape_are_refused() {
    let document = |response: Value| {
        let mut document = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
        document["facts"] = json!([
            { "query": "vpc/DescribeVSwitches/cn-shanghai/VpcId=vpc-1", "answer": { "response": response } }
        ]);
        document
    };
    for (response, problem) in [
        (json!({}), "lacks the list of entries in its response"),
        (json!({ "VSwitches": [] }), "lacks the list of entries in its response"),
        (
            json!({ "VSwitches": { "VSwitch": [{}] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "VSwitches": { "VSwitch": ["vsw-1"] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "VSwitches": { "VSwitch": [{ "VSwitchId": "vsw-1" }] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "VSwitches": { "VSwitch": [{ "VSwitchId": "vsw-1", "VpcId": "vpc-1", "Tags": { "Tag": [1] } }] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "VSwitches": { "VSwitch": [{ "VSwitchId": "vsw-1", "VpcId": "vpc-1", "CidrBlock": {} }] } }),
            "has an entry in its response that is not of the API's shape",
        ),
        (
            json!({ "TotalCount": 2, "VSwitches": { "VSwitch": [{ "VSwitchId": "vsw-1" }] } }),
            "has fewer entries than `TotalCount` says; the entries of all pages belong together",
        ),
    ] {
        let query = "vpc/DescribeVSwitches/cn-shanghai/VpcId=vpc-1".to_owned();
        assert_eq!(observed(&document(response)).unwrap_err(), RequestError::Fact { query, problem });
    }
    let good = json!({ "TotalCount": 1, "VSwitches": { "VSwitch": [
        { "VSwitchId": "vsw-1", "VpcId": "vpc-1", "Tags": null, "CidrBlock": null }
    ] } });
    assert!(observed(&document(good)).is_ok());
}

#[test]
fn tags_are_read_in_both_spellings() {
    let zones = ["a"];
    let cloud = Cloud::made(&zones)
        .without("DescribeVSwitches")
        .with("DescribeVSwitches", json!({ "VSwitchId": "vsw-a", "VpcId": "vpc-1", "Tags": long_tags("x") }));
    let seen = converse(&cloud, request("reconcile", &managed(), &zones, &recorded(&zones)));
    let expected = [("Name".to_owned(), "x".to_owned()), (format!("kubernetes.io/cluster/{NS}"), "1".to_owned())];
    assert_eq!(seen.world().vswitches[0].tags, expected);
}
