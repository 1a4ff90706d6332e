//! Regions that a CloudProfile names and does not offer.

use serde_json::{Value, json};

use crate::{findings, of_rule};

fn profile(config: &Value) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "CloudProfile",
        "metadata": { "name": "cloud" },
        "spec": {
            "regions": [{ "name": "eu-1" }],
            "machineImages": [{ "name": "gardenlinux", "versions": [{ "version": "1.0.0" }] }],
            "providerConfig": config,
        },
    })
}

/// A configuration that maps an image in `eu-1` and in twelve other regions.
fn config(provider: &str, id: &str) -> Value {
    let others = (10..22).map(|number| format!("mars-{number}"));
    let regions: Vec<Value> = ["eu-1".to_owned()]
        .into_iter()
        .chain(others)
        .map(|name| json!({ "name": name, id: "ami-12345678" }))
        .collect();
    json!({
        "apiVersion": format!("{provider}.provider.extensions.gardener.cloud/v1alpha1"),
        "kind": "CloudProfileConfig",
        "machineImages": [
            { "name": "gardenlinux", "versions": [{ "version": "1.0.0", "regions": regions }] },
            { "name": "ubuntu", "versions": [{ "version": "1.0.0", "regions": regions }] },
        ],
    })
}

#[test]
fn regions_that_are_not_offered_are_one_warning() {
    for (provider, rule, id) in
        [("alicloud", "ALI-ADV-018", "id"), ("aws", "AWS-ADV-031", "ami"), ("openstack", "OS-ADV-013", "id")]
    {
        let all = findings(provider, &profile(&config(provider, id)), &json!({}));
        let [finding] = of_rule(&all, rule)[..] else { panic!("{all:?}") };
        let named: Vec<String> = (10..20).map(|number| format!("mars-{number}")).collect();
        let detail = format!("regions {} and 2 more are not in spec.regions (24 places)", named.join(", "));
        assert_eq!(finding["detail"], json!(detail), "{provider}");
        assert_eq!(finding["pointer"], "/spec/providerConfig/machineImages/0/versions/0/regions/1/name");
    }
}

#[test]
fn each_cause_is_one_warning() {
    let mut openstack = config("openstack", "id");
    openstack["keystoneURLs"] = json!([{ "region": "eu-2", "url": "https://keystone.example.com/v3" }]);
    let named = json!({ "version": "1.0.0", "image": "gardenlinux-1" });
    openstack["machineImages"] = json!([{ "name": "gardenlinux", "versions": [named, named] }]);
    let types = ["b", "a"].map(|name| json!({ "name": name, "acceleratedNetworking": true }));
    let azure = json!({
        "apiVersion": "azure.provider.extensions.gardener.cloud/v1alpha1",
        "kind": "CloudProfileConfig",
        "countFaultDomains": [{ "region": "eu-2", "count": 2 }, { "region": "eu-3", "count": 2 }],
        "machineTypes": types,
    });
    for (provider, config, rule, detail) in [
        (
            "openstack",
            &openstack,
            "OS-ADV-010",
            "the name of the image is all that identifies the image (2 places)",
        ),
        ("openstack", &openstack, "OS-ADV-013", "region eu-2 is not in spec.regions"),
        ("openstack", &openstack, "OS-ADV-014", "region eu-1 has no URL of Keystone"),
        ("azure", &azure, "AZ-ADV-031", "regions eu-2, eu-3 are not in spec.regions"),
        ("azure", &azure, "AZ-ADV-032", "region eu-1 of spec.regions has no fault domains"),
        ("azure", &azure, "AZ-ADV-033", "machine types a, b are not in spec.machineTypes"),
    ] {
        let all = findings(provider, &profile(config), &json!({}));
        let details: Vec<&Value> = of_rule(&all, rule).into_iter().map(|finding| &finding["detail"]).collect();
        assert_eq!(details, [detail], "{rule}");
    }
}
