use serde_json::{Value, json};

use crate::provider::gardener::shoot::tests::judged;

fn shoot(dns: &Value, version: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": { "name": "demo", "namespace": "garden-dev" },
        "spec": { "dns": dns, "kubernetes": { "version": version } },
    })
}

/// The rules on DNS and credentials that find something, and those that are undecided.
fn rules(shoot: &Value, old: Option<&Value>, context: &Value) -> (Vec<String>, Vec<String>) {
    let answer = judged(shoot, old, context);
    let of = |list: &str| {
        let all = answer[list].as_array().unwrap_or_else(|| panic!("{answer}"));
        let ids =
            all.iter().filter_map(|entry| entry["rule"].as_str()).filter_map(|rule| rule.strip_prefix("GDN-"));
        let mut ids: Vec<String> =
            ids.filter(|rule| rule.starts_with("DNS-") || rule.starts_with("CRED-")).map(str::to_owned).collect();
        ids.dedup();
        ids
    };
    (of("findings"), of("undecided"))
}

#[test]
fn dns_is_judged() {
    let secret = json!({ "apiVersion": "v1", "kind": "Secret", "name": "one" });
    let identity =
        json!({ "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "name": "one" });
    let of_secret = json!({ "type": "aws-route53", "secretName": "one", "credentialsRef": secret });
    let mut primary = of_secret.clone();
    primary["primary"] = true.into();
    for (dns, wanted) in [
        (json!({}), &[][..]),
        (json!({ "domain": "demo.example.com" }), &[]),
        (json!({ "domain": "Demo" }), &["DNS-001"]),
        (json!({ "domain": "" }), &["DNS-001"]),
        (json!({ "domain": "d.example.com", "providers": [primary] }), &[]),
        (json!({ "providers": [primary] }), &["DNS-002"]),
        (json!({ "providers": [{ "type": "unmanaged", "primary": true }] }), &[]),
        (json!({ "providers": [{ "primary": true, "secretName": "one" }] }), &["DNS-004"]),
        (json!({ "providers": [{ "type": "a", "credentialsRef": secret }] }), &["DNS-006"]),
        (json!({ "providers": [{ "type": "a", "credentialsRef": identity }] }), &[]),
        (json!({ "providers": [{ "type": "a", "credentialsRef": identity, "secretName": "one" }] }), &["DNS-007"]),
        (json!({ "providers": [of_secret, of_secret] }), &["DNS-008"]),
        (
            json!({ "domain": "d.example.com", "providers": [{ "primary": true }, { "primary": true }] }),
            &["DNS-009"],
        ),
        (json!({ "providers": [{ "type": "unmanaged", "credentialsRef": identity }] }), &["DNS-010"]),
        (json!({ "providers": [{ "credentialsRef": identity }] }), &["DNS-011"]),
        (json!({ "providers": [{ "type": "a" }] }), &["DNS-012"]),
        (
            json!({ "providers": [{ "type": "a", "credentialsRef": {} }] }),
            &["CRED-001", "CRED-002", "CRED-003", "CRED-004", "CRED-007"],
        ),
    ] {
        assert_eq!(rules(&shoot(&dns, "1.33.1"), None, &json!({})).0, wanted, "{dns}");
    }
}

#[test]
fn from_1_35_on_only_credentials_ref_names_a_secret() {
    let reference = json!({ "apiVersion": "v1", "kind": "Secret", "name": "one" });
    for (provider, version, wanted) in [
        (json!({ "primary": true, "secretName": "one" }), "1.35.0", &["DNS-003"][..]),
        (json!({ "type": "a", "credentialsRef": reference, "secretName": "two" }), "1.35.0", &["DNS-003"]),
        (json!({ "type": "a", "credentialsRef": reference }), "1.35.0", &[]),
        (json!({ "type": "a", "credentialsRef": reference }), "", &[]),
        (json!({ "type": "a", "credentialsRef": reference, "secretName": "two" }), "1.34.9", &["DNS-006"]),
    ] {
        let shoot = shoot(&json!({ "providers": [provider] }), version);
        assert_eq!(rules(&shoot, None, &json!({})).0, wanted, "{provider} {version}");
    }
}

#[test]
fn what_gardener_may_complete_on_submit_is_undecided() {
    let sent = json!({ "request": true });
    for (dns, rule) in [
        (json!({ "providers": [{ "type": "a", "primary": true }] }), "DNS-002"),
        (json!({ "domain": "d.example.com", "providers": [{ "type": "a" }] }), "DNS-012"),
    ] {
        let mut new = shoot(&dns, "1.33.1");
        assert_eq!(rules(&new, None, &sent), (vec![rule.to_owned()], vec![]), "{dns}");
        new["spec"]["seedName"] = "seed".into();
        assert_eq!(rules(&new, None, &sent), (vec![], vec![rule.to_owned()]), "{dns}");
        assert_eq!(rules(&new, None, &json!({})).0, [rule], "{dns}");
    }
    let old =
        shoot(&json!({ "domain": "d.example.com", "providers": [{ "type": "a", "primary": true }] }), "1.33.1");
    let new =
        shoot(&json!({ "domain": "d.example.com", "providers": [{ "type": "b" }, { "type": "a" }] }), "1.33.1");
    assert_eq!(rules(&new, Some(&old), &sent), (vec![], vec!["DNS-012".to_owned(); 1]));
}
