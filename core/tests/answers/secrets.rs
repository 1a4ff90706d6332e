//! Misspelt keys of Secrets.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::{findings, of_rule};

/// The right values of a Secret for a cloud.
fn values(provider: &str) -> Value {
    let account = json!({
        "type": "service_account",
        "project_id": "my-project",
        "client_email": "gardener@my-project.iam.gserviceaccount.com",
        "private_key_id": "0123456789abcdef0123456789abcdef01234567",
        "private_key": "-----BEGIN PRIVATE KEY-----\nzzz\n-----END PRIVATE KEY-----\n",
        "token_uri": "https://oauth2.googleapis.com/token",
    });
    match provider {
        "alicloud" => json!({ "accessKeyID": "zzzzzzzzzzzzzzzz", "accessKeySecret": "z".repeat(30) }),
        "aws" => json!({ "accessKeyID": "AKIA0123456789ABCDEF", "secretAccessKey": "z".repeat(40) }),
        "azure" => json!({
            "subscriptionID": "00000000-0000-0000-0000-000000000001",
            "tenantID": "00000000-0000-0000-0000-000000000002",
            "clientID": "00000000-0000-0000-0000-000000000003",
            "clientSecret": "zzz",
        }),
        "gcp" => json!({
            "serviceaccount.json": account.to_string(),
            "storageAPIEndpoint": "https://storage.googleapis.com/storage/v1/",
        }),
        "openstack" => {
            json!({ "domainName": "demo", "tenantName": "demo", "username": "robot", "password": "zzz" })
        }
        _ => json!({ "apiToken": "zzz", "projectID": "zzz" }),
    }
}

fn secret(values: &Value) -> Value {
    json!({
        "apiVersion": "v1",
        "kind": "Secret",
        "metadata": { "name": "demo", "namespace": "garden-dev" },
        "stringData": values,
    })
}

/// The clouds, a key of each, the key misspelt, the rule that reports it, and the rules whose findings follow.
const MISSPELT: [(&str, &str, &str, &str, &[&str]); 15] = [
    ("alicloud", "accessKeyID", "accessKeyId", "ALI-ADV-020", &["ALI-SEC-001"]),
    ("alicloud", "accessKeySecret", "accesskeysecret", "ALI-ADV-020", &["ALI-SEC-005"]),
    ("aws", "accessKeyID", "accessKeyId", "AWS-SEC-002", &["AWS-SEC-003"]),
    ("aws", "secretAccessKey", "secretAccesKey", "AWS-SEC-002", &["AWS-SEC-006"]),
    ("azure", "clientID", "clientId", "AZ-SEC-005", &["AZ-ADV-034"]),
    ("azure", "clientSecret", "clientsecret", "AZ-SEC-005", &["AZ-ADV-034"]),
    ("azure", "tenantID", "tenantId", "AZ-SEC-005", &["AZ-SEC-001"]),
    ("gcp", "serviceaccount.json", "serviceAccount.json", "GCP-ADV-022", &["GCP-SEC-002"]),
    ("gcp", "storageAPIEndpoint", "storageApiEndpoint", "GCP-ADV-022", &["GCP-SEC-001"]),
    ("openstack", "username", "userName", "OS-SEC-021", &["OS-SEC-019"]),
    ("openstack", "password", "pasword", "OS-SEC-021", &["OS-SEC-020"]),
    ("openstack", "tenantName", "tenantname", "OS-SEC-021", &["OS-SEC-001"]),
    ("openstack", "domainName", "domanName", "OS-SEC-021", &["OS-SEC-001"]),
    ("equinixmetal", "apiToken", "apitoken", "EQX-ADV-011", &["EQX-SEC-002"]),
    ("equinixmetal", "projectID", "projectId", "EQX-ADV-011", &["EQX-SEC-003"]),
];

/// The Secret with the misspelt key.
fn misspelt(provider: &str, right: &str, wrong: &str) -> Value {
    let mut values = values(provider);
    let members = values.as_object_mut().unwrap();
    let value = members.remove(right).unwrap();
    members.insert(wrong.to_owned(), value);
    secret(&values)
}

#[test]
fn a_misspelt_key_is_the_cause_of_what_lacks() {
    for (provider, right, wrong, rule, follow) in MISSPELT {
        let all = findings(provider, &misspelt(provider, right, wrong), &json!({}));
        let [cause] = of_rule(&all, rule)[..] else { panic!("{wrong}: {all:?}") };
        let pointer = format!("/stringData/{wrong}");
        assert_eq!((&cause["pointer"], &cause["atKey"]), (&json!(pointer), &json!(true)), "{wrong}");
        assert_eq!(cause["remedy"], json!(format!("Did you mean `{right}`?")));
        let fix = json!([{ "op": "move", "from": pointer, "path": format!("/stringData/{right}") }]);
        assert_eq!(cause["fix"], fix, "{wrong}");
        let followers: Vec<&Value> = all.iter().filter(|finding| *finding != cause).collect();
        let rules: BTreeSet<&str> = followers.iter().map(|finding| finding["rule"].as_str().unwrap()).collect();
        assert_eq!(rules, follow.iter().copied().collect(), "{wrong}: {all:?}");
        for finding in followers {
            assert_eq!(finding["causedBy"], json!({ "rule": rule, "pointer": pointer }), "{wrong}: {finding}");
        }
        assert!(!json!(all).to_string().contains("zzz"), "{wrong}: {all:?}");
    }
}

#[test]
fn a_binding_to_a_secret_with_a_misspelt_key_shows_the_same_without_a_fix() {
    let binding = json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "SecretBinding",
        "metadata": { "name": "demo", "namespace": "garden-dev" },
        "secretRef": { "name": "demo", "namespace": "garden-dev" },
    });
    for (provider, right, wrong, rule, follow) in MISSPELT {
        let all = findings(provider, &binding, &json!({ "secret": misspelt(provider, right, wrong) }));
        let [cause] = of_rule(&all, rule)[..] else { panic!("{wrong}: {all:?}") };
        assert_eq!((&cause["pointer"], &cause["fix"]), (&json!("/secretRef"), &Value::Null), "{wrong}");
        assert_eq!(cause["remedy"], json!(format!("Did you mean `{right}`?")));
        for follower in follow.iter().flat_map(|rule| of_rule(&all, rule)) {
            assert_eq!(follower["causedBy"], json!({ "rule": rule, "pointer": "/secretRef" }), "{follower}");
        }
        assert!(!json!(all).to_string().contains("zzz"), "{wrong}: {all:?}");
    }
}

#[test]
fn right_keys_and_keys_unlike_any_are_nobodys_cause() {
    for provider in ["alicloud", "aws", "azure", "gcp", "openstack", "equinixmetal"] {
        let all = findings(provider, &secret(&values(provider)), &json!({}));
        assert!(all.is_empty(), "{provider}: {all:?}");
        let mut other = values(provider);
        other["mars"] = json!("zzz");
        let all = findings(provider, &secret(&other), &json!({}));
        for finding in &all {
            assert!(finding["causedBy"].is_null() && finding["fix"].is_null(), "{provider}: {finding}");
        }
    }
}

#[test]
fn a_misspelt_role_is_reported_with_the_key_that_is_meant() {
    let role = "arn:aws:iam::123456789012:role/gardener";
    let identity = json!({
        "apiVersion": "security.gardener.cloud/v1alpha1",
        "kind": "WorkloadIdentity",
        "metadata": { "name": "demo", "namespace": "garden-dev" },
        "spec": { "targetSystem": { "type": "aws", "providerConfig": {
            "apiVersion": "aws.provider.extensions.gardener.cloud/v1alpha1",
            "kind": "WorkloadIdentityConfig",
            "roleArn": role,
        } } },
    });
    let all = findings("aws", &identity, &json!({}));
    let [finding] = of_rule(&all, "AWS-WID-002")[..] else { panic!("{all:?}") };
    assert_eq!((&finding["remedy"], &finding["atKey"]), (&json!("Did you mean `roleARN`?"), &json!(true)));
    assert_eq!(finding["fix"][0]["path"], "/spec/targetSystem/providerConfig/roleARN");
}
