use serde_json::json;

use super::{refusals, with};

#[test]
fn extensions_are_judged() {
    for (extensions, wanted) in [
        (json!([{ "type": "a-1" }, { "type": "b" }]), vec![]),
        (json!([{}]), vec!["GDN-EXT-001 spec.extensions[0].type"]),
        (json!([{ "type": "a.b" }]), vec!["GDN-EXT-002 spec.extensions[0].type"]),
        (json!([{ "type": "a" }, { "type": "a", "disabled": true }]), vec!["GDN-EXT-003 spec.extensions[1].type"]),
        (
            json!([{ "type": "" }, {}]),
            vec![
                "GDN-EXT-001 spec.extensions[0].type",
                "GDN-EXT-001 spec.extensions[1].type",
                "GDN-EXT-003 spec.extensions[1].type",
            ],
        ),
    ] {
        let shoot = with(&[&json!({ "spec": { "extensions": extensions } })]);
        assert_eq!(refusals(&["GDN-EXT-"], &shoot, None, &json!({})), wanted, "{extensions}");
    }
}

#[test]
fn resources_are_judged() {
    let secret = json!({ "apiVersion": "v1", "kind": "Secret", "name": "s" });
    for (resources, wanted) in [
        (
            json!([
                { "name": "a", "resourceRef": secret },
                { "name": "b", "resourceRef": { "apiVersion": "v1", "kind": "ConfigMap", "name": "c" } },
                { "name": "c", "resourceRef": {
                    "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "name": "w" } },
                { "name": "d", "resourceRef": { "apiVersion": "/v1", "kind": "Secret", "name": "s" } },
            ]),
            vec![],
        ),
        (
            json!([{ "resourceRef": secret }, { "name": "", "resourceRef": secret }]),
            vec!["GDN-RES-001 spec.resources[0].name", "GDN-RES-001 spec.resources[1].name"],
        ),
        (
            json!([{ "name": "a", "resourceRef": secret }, { "name": "a", "resourceRef": secret }]),
            vec!["GDN-RES-002 spec.resources[1].name"],
        ),
        (
            json!([{ "name": "a" }]),
            vec![
                "GDN-RES-003 spec.resources[0].resourceRef.apiVersion",
                "GDN-RES-004 spec.resources[0].resourceRef.kind",
                "GDN-RES-006 spec.resources[0].resourceRef",
                "GDN-RES-007 spec.resources[0].resourceRef.name",
            ],
        ),
        (
            json!([{ "name": "a", "resourceRef": { "apiVersion": "a/b/c", "kind": "Secret", "name": "s" } }]),
            vec!["GDN-RES-005 spec.resources[0].resourceRef"],
        ),
        (
            json!([{ "name": "a", "resourceRef": { "apiVersion": "core/v1", "kind": "Secret", "name": "s" } }]),
            vec!["GDN-RES-006 spec.resources[0].resourceRef"],
        ),
        (
            json!([{ "name": "a", "resourceRef": {
                "apiVersion": "/security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "name": "s" } }]),
            vec!["GDN-RES-005 spec.resources[0].resourceRef"],
        ),
    ] {
        let shoot = with(&[&json!({ "spec": { "resources": resources } })]);
        assert_eq!(refusals(&["GDN-RES-"], &shoot, None, &json!({})), wanted, "{resources}");
    }
}
