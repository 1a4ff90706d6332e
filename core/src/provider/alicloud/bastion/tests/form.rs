use serde_json::{Value, json};

use super::cloud::{Cloud, findings, request};

/// The findings about a Bastion with a changed member: where each is, and what it says.
fn said(pointer: &str, value: Value) -> Vec<(String, String)> {
    let mut request = request("reconcile", &json!({}));
    *request.pointer_mut(&format!("/request/bastion{pointer}")).unwrap() = value;
    let (answer, asked) = Cloud::new().plan(&request);
    if !findings(&answer).is_empty() {
        assert_eq!(asked, Vec::<String>::new(), "nothing is asked for what is wrong in itself");
        assert_eq!(answer["codes"], json!(["ERR_CONFIGURATION_PROBLEM"]));
        assert!(!answer.to_string().contains("c2VjcmV0"), "user data is shown nowhere");
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let findings = answer["findings"].as_array().cloned().unwrap_or_default();
    findings.iter().map(|finding| (text(&finding["pointer"]), text(&finding["detail"]))).collect()
}

#[test]
fn what_a_bastion_lacks_is_said_at_its_place() {
    let cidr = |cidr: &str| json!([{ "ipBlock": { "cidr": cidr } }]);
    for (pointer, value, place, detail) in [
        ("/metadata/namespace", json!(""), "/metadata/namespace", "clusterName can't be empty"),
        ("/metadata/name", json!(""), "/metadata/name", "bastionName can't be empty"),
        ("/spec/userData", json!(null), "/spec/userData", "a bastion needs `userData`"),
        ("/spec/userData", json!(""), "/spec/userData", "a bastion needs `userData`"),
        ("/spec/userData", json!("c2VjcmV0$"), "/spec/userData", "must be base64"),
        ("/spec/userData", json!(["c2VjcmV0"]), "/spec/userData", "must be base64"),
        ("/spec/userData", json!("AAAA".repeat(11_000)), "/spec/userData", "may not be more than 32768 bytes"),
        ("/spec/ingress", json!(null), "/spec/ingress", "a bastion needs `ingress`"),
        ("/spec/ingress", json!([]), "/spec/ingress", "a bastion needs `ingress`"),
        ("/spec/ingress", json!({}), "/spec/ingress", "must be a list"),
        (
            "/spec/ingress",
            cidr("203.0.113.0"),
            "/spec/ingress/0/ipBlock/cidr",
            "invalid ingress CIDR \"203.0.113.0\": must be a range such as 203.0.113.0/24",
        ),
        (
            "/spec/ingress",
            json!([{ "cidr": "10.0.0.0/8" }]),
            "/spec/ingress/0",
            "needs a range as `ipBlock.cidr`, which is a text such as 203.0.113.0/24",
        ),
        (
            "/spec/ingress",
            json!([{ "ipBlock": { "cidr": "10.0.0.0/8", "except": ["10.1.0.0/16"] } }]),
            "/spec/ingress/0/ipBlock/except",
            "Alibaba Cloud opens whole ranges; list the ranges that may connect instead",
        ),
    ] {
        assert_eq!(said(pointer, value.clone()), [(place.to_owned(), detail.to_owned())], "{pointer} {value}");
    }
    let many: Vec<Value> = (0..101).map(|_| json!({ "ipBlock": { "cidr": "10.0.0.0/8" } })).collect();
    assert_eq!(said("/spec/ingress", json!(many))[0].1, "must have at most 100 items");
    assert_eq!(said("/spec/ingress", json!([{ "ipBlock": { "cidr": "10.0.0.0/8", "except": [] } }])), []);
}

#[test]
fn a_network_that_is_not_known_is_the_error_of_the_existing_extension() {
    for (pointer, value, detail) in [
        ("", json!(null), "infrastructure provider status must be not empty for worker"),
        ("/vpc/id", json!(""), "vpc id must be not empty for infrastructure provider status"),
        ("/vpc/vswitches", json!([]), "vswitches id must be not empty for infrastructure provider status"),
        ("/vpc/vswitches/0/zone", json!(""), "vswitches id must be not empty for infrastructure provider status"),
        ("/machineImages", json!([]), "machineImages id must be not empty for infrastructure provider status"),
        (
            "/vpc/securityGroups",
            json!(null),
            "shoot securityGroups id must be not empty for infrastructure provider status",
        ),
    ] {
        let mut request = request("reconcile", &json!({}));
        *request.pointer_mut(&format!("/request/infrastructureStatus{pointer}")).unwrap() = value;
        let (answer, _) = Cloud::new().plan(&request);
        assert_eq!(findings(&answer), ["ALI-BAST-001"], "{pointer}");
        assert_eq!(answer["findings"][0]["detail"], detail);
        assert_eq!(answer.get("codes"), None);
    }
}
