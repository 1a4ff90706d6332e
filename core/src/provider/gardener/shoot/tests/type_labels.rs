use serde_json::{Value, json};

use super::{refusals, with};

const IMAGE: &str = "GDN-META-023 spec.provider.workers[0].machine.image.name";
const DNS: &str = "GDN-META-023 spec.dns.providers[0].type";

fn pool(part: &Value) -> Value {
    let mut pool = json!({ "name": "a", "machine": { "type": "m" }, "minimum": 1, "maximum": 1 });
    json_patch::merge(&mut pool, part);
    json!({ "spec": { "provider": { "workers": [pool] } } })
}

fn provider(of: &str) -> Value {
    json!({ "spec": { "dns": { "domain": "a.example.com", "providers": [{ "type": of, "primary": true }] } } })
}

#[test]
fn types_are_names_that_a_label_may_have() {
    let image = |name: &str| pool(&json!({ "machine": { "image": { "name": name, "version": "1.0.0" } } }));
    for (part, wanted) in [
        (provider("aws-route53"), vec![]),
        (provider("unmanaged"), vec![]),
        (provider("aws route53"), vec![DNS]),
        (provider(""), vec![DNS]),
        (image("gardenlinux"), vec![]),
        (image(&"a".repeat(64)), vec![IMAGE]),
        // Other rules judge these.
        (image(""), vec![]),
        (json!({ "spec": { "networking": { "type": "a b" } } }), vec![]),
    ] {
        let shoot = with(&[&part]);
        let sent = refusals(&["GDN-META-"], &shoot, None, &json!({ "request": true }));
        assert_eq!(sent, wanted, "{part}");
        // Only the API server makes labels.
        assert_eq!(refusals(&["GDN-META-"], &shoot, None, &json!({})), [""; 0], "{part}");
        let mut deleted = shoot;
        json_patch::merge(&mut deleted, &json!({ "metadata": { "deletionTimestamp": "2026-01-01T00:00:00Z" } }));
        let gone = refusals(&["GDN-META-023"], &deleted, Some(&deleted.clone()), &json!({ "request": true }));
        assert_eq!(gone, [""; 0], "{part}");
    }
}

#[test]
fn an_image_without_a_name_is_refused_before_anybody_knows_the_profile() {
    for image in [json!({}), json!({ "version": "1.0.0" }), json!({ "name": "", "version": "1.0.0" })] {
        let shoot = with(&[&pool(&json!({ "machine": { "image": image } }))]);
        let sent = refusals(&["GDN-WRK-005"], &shoot, None, &json!({ "request": true }));
        assert_eq!(sent, ["GDN-WRK-005 spec.provider.workers[0].machine.image.name"], "{image}");
    }
}
