use serde_json::{Value, json};

use super::{refusals, with, workerless};

fn refused(parts: &[&Value], old: Option<&Value>, context: &Value) -> Vec<String> {
    refusals(&["GDN-ADD-"], &with(parts), old, context)
}

#[test]
fn addons_are_judged() {
    let large = json!({ "a": "x".repeat(1 << 20), "b": "" });
    let larger = json!({ "a": "x".repeat(1 << 20), "b": "y" });
    for (addons, wanted) in [
        (json!({}), vec![]),
        (
            json!({ "nginxIngress": { "enabled": true, "loadBalancerSourceRanges": ["10.0.0.0/8", "2001:db8::/64"] } }),
            vec![],
        ),
        (
            json!({ "nginxIngress": { "enabled": false, "loadBalancerSourceRanges": ["x"], "config": { "a b": "" },
                "externalTrafficPolicy": "x" } }),
            vec![],
        ),
        (
            json!({ "nginxIngress": { "enabled": true, "loadBalancerSourceRanges": ["10.0.0.0/8", "10.1.0.0/8", null] } }),
            vec![
                "GDN-ADD-005 spec.addons.nginxIngress.loadBalancerSourceRanges[1]",
                "GDN-ADD-005 spec.addons.nginxIngress.loadBalancerSourceRanges[2]",
            ],
        ),
        (
            json!({ "nginxIngress": { "enabled": true, "config": { "a.b": "", "a b": "", "..": "" } } }),
            vec![
                "GDN-ADD-006 spec.addons.nginxIngress.config[..]",
                "GDN-ADD-006 spec.addons.nginxIngress.config[a b]",
            ],
        ),
        (json!({ "nginxIngress": { "enabled": true, "config": large } }), vec![]),
        (
            json!({ "nginxIngress": { "enabled": true, "config": larger } }),
            vec!["GDN-ADD-007 spec.addons.nginxIngress.config"],
        ),
        (json!({ "nginxIngress": { "enabled": true, "externalTrafficPolicy": "Local" } }), vec![]),
        (
            json!({ "nginxIngress": { "enabled": true, "externalTrafficPolicy": "local" } }),
            vec!["GDN-ADD-008 spec.addons.nginxIngress.externalTrafficPolicy"],
        ),
        (json!({ "kubernetesDashboard": { "enabled": true, "authenticationMode": "token" } }), vec![]),
        (json!({ "kubernetesDashboard": { "enabled": false, "authenticationMode": "basic" } }), vec![]),
        (
            json!({ "kubernetesDashboard": { "enabled": true, "authenticationMode": "basic" } }),
            vec!["GDN-ADD-009 spec.addons.kubernetesDashboard.authenticationMode"],
        ),
    ] {
        let part = json!({ "spec": { "addons": addons } });
        assert_eq!(refused(&[&part], None, &json!({})), wanted, "{:.200}", part.to_string());
    }
}

#[test]
fn addons_need_workers_a_version_and_a_purpose() {
    let enabled = json!({ "spec": { "addons": { "nginxIngress": { "enabled": true } } } });
    let disabled = json!({ "spec": { "addons": { "kubernetesDashboard": { "enabled": false } } } });
    let version = |version| json!({ "spec": { "kubernetes": { "version": version } } });
    let purpose = |purpose| json!({ "spec": { "purpose": purpose } });
    for (addons, part, wanted) in [
        (&disabled, workerless(), vec!["GDN-ADD-001 spec.addons"]),
        (&disabled, version("1.35.0"), vec!["GDN-ADD-002 spec.addons"]),
        (&enabled, version("1.34.9"), vec![]),
        (&enabled, purpose(json!("production")), vec!["GDN-ADD-003 spec.addons"]),
        (&enabled, purpose(json!(null)), vec![]),
        (&disabled, purpose(json!("production")), vec![]),
    ] {
        assert_eq!(refused(&[addons, &part], None, &json!({})), wanted, "{addons} {part}");
    }
}

#[test]
fn operators_may_forbid_the_ingress_controller() {
    let ingress =
        |is_enabled: bool| json!({ "spec": { "addons": { "nginxIngress": { "enabled": is_enabled } } } });
    let gates = json!({ "featureGates": { "DisableNginxIngressInShoot": true } });
    let refusal = vec!["GDN-ADD-004 spec.addons.nginxIngress.enabled"];
    for (old, new, context, wanted) in [
        (None, true, &gates, refusal.clone()),
        (None, false, &gates, vec![]),
        (None, true, &json!({}), vec![]),
        (Some(false), true, &gates, refusal),
        (Some(true), true, &gates, vec![]),
    ] {
        let old = old.map(|old| with(&[&ingress(old)]));
        assert_eq!(refused(&[&ingress(new)], old.as_ref(), context), wanted, "{old:?} {new} {context}");
    }
}
