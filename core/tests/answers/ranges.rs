//! Ranges and families of addresses.

use serde_json::json;

use crate::{aws_shoot, findings, of_rule, with};

#[test]
fn a_shoot_with_ipv6_alone_leaves_its_ranges_to_the_cloud() {
    for (families, range, removes) in [
        (json!(["IPv6"]), "10.250.0.0/16", true),
        (json!(["IPv6"]), "x", true),
        (json!(["IPv4"]), "x", false),
        (json!(["IPv4"]), "2001:db8::/48", false),
        (json!(["IPv4", "IPv6"]), "x", false),
    ] {
        let changes = [("/spec/networking/ipFamilies", families), ("/spec/networking/nodes", json!(range))];
        let all = findings("gardener", &with(&aws_shoot(), &changes), &json!({}));
        let [finding] = of_rule(&all, "GDN-NET-007")[..] else { panic!("{all:?}") };
        let remedy = finding["remedy"].as_str().unwrap();
        assert_eq!(remedy.starts_with("Remove `nodes`"), removes, "{remedy}");
        let fix = json!([{ "op": "remove", "path": "/spec/networking/nodes" }]);
        assert_eq!(finding["fix"] == fix, removes, "{finding}");
    }
}

#[test]
fn dual_stack_is_advised_against_only_where_the_families_lack_ipv6() {
    for (families, expected) in
        [(json!(["IPv4"]), 1), (json!([]), 1), (json!(["IPv4", "IPv6"]), 0), (json!(["IPv6"]), 0)]
    {
        let changes = [
            ("/spec/networking/ipFamilies", families.clone()),
            ("/spec/provider/infrastructureConfig/dualStack", json!({ "enabled": true })),
        ];
        let all = findings("aws", &with(&aws_shoot(), &changes), &json!({}));
        assert_eq!(of_rule(&all, "AWS-ADV-005").len(), expected, "{families}");
    }
}
