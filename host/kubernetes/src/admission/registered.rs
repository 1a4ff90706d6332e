//! How admission registers its webhooks in a garden, as the existing extensions do.

use k8s_openapi::apimachinery::pkg::apis::meta::v1::LabelSelector;

use super::kinds;
use crate::api_server::resource::Resource;
use crate::webhook::registration::{Action, Entry, Target};

/// The webhook that judges.
pub const VALIDATOR: &str = "validator";
/// The webhook that judges Secrets.
pub const SECRETS: &str = "secrets.validator";
/// The webhook that completes.
pub const MUTATOR: &str = "shoots.mutator";
/// All webhooks.
pub const NAMES: [&str; 3] = [VALIDATOR, SECRETS, MUTATOR];

/// A webhook before its provider is known.
struct WebhookTemplate {
    name: &'static str,
    path: &'static str,
    action: Action,
    sees: &'static [Resource],
    /// The label that Gardener gives objects of a provider, without the type of the provider.
    label: &'static str,
}

static TEMPLATES: [WebhookTemplate; 3] = [
    WebhookTemplate {
        name: VALIDATOR,
        path: "/webhooks/validate",
        action: Action::Validates,
        sees: &kinds::VALIDATED,
        label: "provider.extensions.gardener.cloud",
    },
    WebhookTemplate {
        name: SECRETS,
        path: "/webhooks/validate/secrets",
        action: Action::Validates,
        sees: &kinds::SECRETS,
        label: "provider.shoot.gardener.cloud",
    },
    WebhookTemplate {
        name: MUTATOR,
        path: "/webhooks/mutate",
        action: Action::Mutates,
        sees: &kinds::MUTATED,
        label: "provider.extensions.gardener.cloud",
    },
];

/// The webhooks with these names, as they are registered for objects of a provider.
pub fn entries(provider: &str, names: &[&str]) -> Vec<Entry> {
    let entry = |wanted: &WebhookTemplate| Entry {
        name: wanted.name,
        path: wanted.path,
        action: wanted.action,
        target: Target::Own,
        sees: wanted.sees,
        namespaces: LabelSelector::default(),
        objects: LabelSelector {
            match_expressions: None,
            match_labels: Some([(format!("{}/{provider}", wanted.label), "true".to_owned())].into()),
        },
    };
    TEMPLATES.iter().filter(|wanted| names.contains(&wanted.name)).map(entry).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;
    use crate::webhook::registration::{Extension, Reach, Registration};

    #[test]
    fn what_is_registered_is_what_the_existing_extension_registers() {
        let registration = |names: &[&str]| Registration {
            extension: Extension::new("admission-alicloud", "garden"),
            reach: Reach::url("gardener-extension-admission-alicloud.garden").unwrap(),
            webhooks: entries("alicloud", names),
            owner: None,
            is_self_hosted: false,
        };
        let objects = registration(&NAMES).own(b"");
        let named = |action: Action| -> &Value {
            let (_, object) = objects.iter().find(|(of, _)| *of == action).unwrap();
            assert_eq!(object["metadata"]["name"], "gardener-extension-admission-alicloud");
            &object["webhooks"]
        };
        let [validating, mutating] = [Action::Validates, Action::Mutates].map(named);
        for (webhook, name, path, label) in [
            (
                &validating[0],
                "secrets.validator",
                "/webhooks/validate/secrets",
                "provider.shoot.gardener.cloud/alicloud",
            ),
            (&validating[1], "validator", "/webhooks/validate", "provider.extensions.gardener.cloud/alicloud"),
            (&mutating[0], "shoots.mutator", "/webhooks/mutate", "provider.extensions.gardener.cloud/alicloud"),
        ] {
            assert_eq!(webhook["name"], format!("{name}.admission-alicloud.extensions.gardener.cloud"));
            let url = format!("https://gardener-extension-admission-alicloud.garden{path}");
            assert_eq!(webhook["clientConfig"]["url"], url);
            assert_eq!(webhook["objectSelector"], json!({ "matchLabels": { label: "true" } }));
            assert_eq!(webhook["namespaceSelector"], json!({}));
            assert_eq!((&webhook["failurePolicy"], &webhook["timeoutSeconds"]), (&json!("Fail"), &json!(10)));
        }
        assert_eq!(validating[1]["rules"].as_array().unwrap().len(), 8);
        assert_eq!(mutating[0]["rules"][2]["resources"], json!(["namespacedcloudprofiles/status"]));
        assert_eq!(registration(&[SECRETS]).own(b"").len(), 1);
    }
}
