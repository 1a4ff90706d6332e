//! Remedies that fit the case: they name what there is.

use serde_json::{Value, json};

use crate::{aws_shoot, findings, of_rule, with};

/// The remedy of the first finding of a rule.
fn remedy(provider: &str, object: &Value, context: &Value, rule: &str) -> String {
    let all = findings(provider, object, context);
    let found = of_rule(&all, rule);
    let first = found.first().unwrap_or_else(|| panic!("{rule}: {all:?}"));
    first["remedy"].as_str().unwrap().to_owned()
}

/// A Shoot on a cloud, with the changes of a provider's configurations.
fn shoot(provider: &str, infrastructure: Value, control_plane: Value) -> Value {
    let typed = |kind: &str, config: Value| {
        let api_version = format!("{provider}.provider.extensions.gardener.cloud/v1alpha1");
        let mut typed = json!({ "apiVersion": api_version, "kind": kind });
        typed.as_object_mut().unwrap().extend(config.as_object().unwrap().clone());
        typed
    };
    let changes = [
        ("/spec/cloudProfile/name", json!("cloud")),
        ("/spec/provider/type", json!(provider)),
        ("/spec/provider/infrastructureConfig", typed("InfrastructureConfig", infrastructure)),
        ("/spec/provider/controlPlaneConfig", typed("ControlPlaneConfig", control_plane)),
    ];
    with(&aws_shoot(), &changes)
}

fn openstack_shoot() -> Value {
    let infrastructure = json!({ "floatingPoolName": "internet", "networks": { "workers": "10.250.0.0/19" } });
    shoot("openstack", infrastructure, json!({ "loadBalancerProvider": "amphora" }))
}

/// What is known in addition to a Shoot on OpenStack: its profile, its binding, and the Secret behind that.
fn openstack_context(constraints: &Value, secret: &Value) -> Value {
    json!({
        "cloudProfile": {
            "kind": "CloudProfile",
            "metadata": { "name": "cloud" },
            "spec": {
                "regions": [{ "name": "eu-west-1" }],
                "providerConfig": {
                    "apiVersion": "openstack.provider.extensions.gardener.cloud/v1alpha1",
                    "kind": "CloudProfileConfig",
                    "constraints": constraints,
                },
            },
        },
        "objects": [
            {
                "apiVersion": "security.gardener.cloud/v1alpha1",
                "kind": "CredentialsBinding",
                "metadata": { "name": "demo", "namespace": "garden-dev" },
                "credentialsRef": { "apiVersion": "v1", "kind": "Secret", "name": "demo", "namespace": "garden-dev" },
            },
            {
                "apiVersion": "v1",
                "kind": "Secret",
                "metadata": { "name": "demo", "namespace": "garden-dev" },
                "stringData": secret,
            },
        ],
    })
}

#[test]
fn remedies_on_openstack_name_what_the_profile_has() {
    let secret = json!({ "domainName": "demo", "tenantName": "demo", "username": "robot", "password": "secret" });
    let pools = |names: &[&str]| names.iter().map(|name| json!({ "name": name })).collect::<Value>();
    let none = json!({});
    let some = json!({ "floatingPools": pools(&["dmz", "lan"]), "loadBalancerProviders": pools(&["ovn", "f5"]) });
    let pattern = json!({ "floatingPools": pools(&["dmz-*"]) });
    let other = json!({ "domainName": "demo" });
    for (constraints, secret, rule, begins) in [
        (&none, &secret, "OS-INFCP-001", "Ask the operators of the CloudProfile for a floating pool: it has none"),
        (&some, &secret, "OS-INFCP-001", "Set `floatingPoolName` to one of `dmz`, `lan`."),
        (
            &pattern,
            &secret,
            "OS-INFCP-001",
            "Set `floatingPoolName` to a floating pool of the CloudProfile; a `*`",
        ),
        (&none, &secret, "OS-CPCP-001", "Ask the operators of the CloudProfile for a load balancer provider"),
        (&some, &secret, "OS-CPCP-001", "Set `loadBalancerProvider` to a provider that the CloudProfile has"),
        (&some, &other, "OS-SHOOT-002", "Fix the Secret garden-dev/demo, to which the binding leads."),
    ] {
        let said = remedy("openstack", &openstack_shoot(), &openstack_context(constraints, secret), rule);
        assert!(said.starts_with(begins), "{rule}: {said}");
    }
    let group = json!({
        "apiVersion": "openstack.provider.extensions.gardener.cloud/v1alpha1",
        "kind": "WorkerConfig",
        "serverGroup": { "policy": "affinity" },
    });
    let grouped = with(&openstack_shoot(), &[("/spec/provider/workers/0/providerConfig", group)]);
    let said = remedy("openstack", &grouped, &openstack_context(&some, &secret), "OS-WRKC-002");
    assert_eq!(said, "Remove `serverGroup`: the CloudProfile has no policy of server groups.");
}

#[test]
fn what_is_missing_is_to_be_added() {
    for (provider, shoot, key, rule, begins) in [
        (
            "openstack",
            openstack_shoot(),
            "controlPlaneConfig",
            "OS-SHOOT-005",
            "Add `spec.provider.controlPlaneConfig`",
        ),
        ("openstack", openstack_shoot(), "infrastructureConfig", "OS-SHOOT-004", "Add `spec.provider.infra"),
        ("aws", aws_shoot(), "infrastructureConfig", "AWS-SHOOT-004", "Add `spec.provider.infrastructureConfig`"),
    ] {
        let mut shoot = shoot;
        shoot["spec"]["provider"].as_object_mut().unwrap().remove(key);
        let said = remedy(provider, &shoot, &json!({}), rule);
        assert!(said.starts_with(begins), "{rule}: {said}");
    }
}

#[test]
fn a_data_volume_lacks_one_thing_at_a_time() {
    for (volume, expected) in [
        (
            json!({ "name": "data", "size": "50Gi" }),
            "Set `type` of the data volume, for example `StandardSSD_LRS`.",
        ),
        (json!({ "name": "data", "type": "x", "size": "" }), "Set `size` of the data volume, for example `50Gi`."),
        (json!({ "type": "x", "size": "5Gi", "encrypted": true }), "Remove `encrypted` of the data volume."),
    ] {
        let changes = [("/spec/provider/workers/0/dataVolumes", json!([volume]))];
        let shoot = with(&shoot("azure", json!({}), json!({})), &changes);
        assert_eq!(remedy("azure", &shoot, &json!({}), "AZ-WRK-006"), expected);
    }
}

#[test]
fn no_zone_is_to_be_chosen_where_there_is_none() {
    let profile = json!({ "cloudProfile": {
        "kind": "CloudProfile",
        "metadata": { "name": "aws" },
        "spec": { "regions": [{ "name": "eu-west-1" }], "machineTypes": [] },
    } });
    let ask = "Ask the operators of the CloudProfile for zones: it has none in region `eu-west-1`.";
    assert_eq!(remedy("aws", &aws_shoot(), &profile, "AWS-INFP-001"), ask);
    let mut azure = shoot("azure", json!({ "zoned": true, "networks": { "zones": [{ "name": 1 }] } }), json!({}));
    azure["spec"]["cloudProfile"]["name"] = json!("aws");
    assert_eq!(remedy("azure", &azure, &profile, "AZ-INF-002"), ask);
    let zones = "/spec/provider/infrastructureConfig/networks/zones";
    let bare = with(&aws_shoot(), &[(zones, json!([]))]);
    let said = remedy("aws", &bare, &json!({}), "AWS-WRK-010");
    assert_eq!(said, "Add the zone to `networks.zones` with its ranges: there is no zone yet.");
    let bare =
        shoot("alicloud", json!({ "networks": { "vpc": { "cidr": "10.250.0.0/16" }, "zones": [] } }), json!({}));
    let said = remedy("alicloud", &bare, &json!({}), "ALI-WRK-010");
    assert!(said.starts_with("Append the zone to `infrastructureConfig.networks.zones`"), "{said}");
}

/// What Gardener knows of the Shoot in addition to it: a profile with these parts.
fn gardener_context(parts: &Value) -> Value {
    let mut spec = json!({
        "type": "aws",
        "kubernetes": { "versions": [{ "version": "1.33.2" }] },
        "regions": [{ "name": "eu-west-1", "zones": [{ "name": "eu-west-1a" }] }],
        "machineTypes": [{ "name": "m5.large", "cpu": "2", "gpu": "0", "memory": "8Gi" }],
        "machineImages": [{ "name": "gardenlinux", "versions": [{ "version": "1592.1.0" }] }],
        "volumeTypes": [{ "name": "gp3", "class": "standard" }],
    });
    spec.as_object_mut().unwrap().extend(parts.as_object().unwrap().clone());
    json!({ "cloudProfile": { "kind": "CloudProfile", "metadata": { "name": "aws" }, "spec": spec } })
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table")]
fn remedies_of_gardener_name_what_the_profile_has() {
    let previews = json!([{ "version": "1.33.4", "classification": "preview" }, { "version": "1.32.1" }]);
    let image = |version: &Value| json!([{ "name": "gardenlinux", "versions": [version] }]);
    let pool = "/spec/provider/workers/0";
    let (version, tag) = ("/spec/kubernetes/version".to_owned(), format!("{pool}/machine/image/version"));
    let (volume, cri) = (format!("{pool}/volume/type"), format!("{pool}/cri"));
    let containerd = json!({ "name": "containerd", "containerRuntimes": [{ "type": "gvisor" }] });
    let named = json!({ "version": "1592.1.0", "cri": [{ "name": "containerd" }] });
    for (at, value, parts, rule, expected) in [
        (
            &version,
            json!("1.33"),
            json!({ "kubernetes": { "versions": previews } }),
            "ADM-K8S-001",
            "Write the whole version, for example `1.33.4`: the CloudProfile has previews alone for `1.33`",
        ),
        (
            &version,
            json!("1.31.0"),
            json!({ "kubernetes": { "versions": previews } }),
            "ADM-K8S-001",
            "Choose one of the listed versions. A preview has to be chosen in full",
        ),
        (&version, json!("1.31.0"), json!({}), "ADM-K8S-001", "Choose one of the listed versions."),
        (
            &version,
            json!("1.31.0"),
            json!({ "kubernetes": { "versions": [] } }),
            "ADM-K8S-001",
            "Ask the operators of the CloudProfile for a Kubernetes version: it offers none.",
        ),
        (
            &tag,
            json!("1592"),
            json!({ "machineImages": image(&json!({ "version": "1592.1.0", "classification": "preview" })) }),
            "ADM-MACH-020",
            "Write the whole version, for example `1592.1.0`",
        ),
        (
            &tag,
            json!("1.0.0"),
            json!({ "machineImages": [{ "name": "gardenlinux", "versions": [] }] }),
            "ADM-MACH-020",
            "No version of the image fits.",
        ),
        (
            &tag,
            json!("1.0.0"),
            json!({ "machineImages": [] }),
            "ADM-MACH-020",
            "Ask the operators of the CloudProfile for an image: it has none.",
        ),
        (
            &volume,
            json!("io1"),
            json!({ "volumeTypes": [] }),
            "ADM-VOL-001",
            "Ask the operators of the CloudProfile for a volume type: it has none.",
        ),
        (
            &volume,
            json!("io1"),
            json!({ "volumeTypes": [{ "name": "gp3", "usable": false }] }),
            "ADM-VOL-001",
            "No volume type of the CloudProfile fits.",
        ),
        (&cri, containerd.clone(), json!({}), "ADM-CRI-001", "Remove `containerRuntimes`"),
        (&cri, json!({ "name": "docker" }), json!({}), "ADM-CRI-001", "Write `containerd`"),
        (
            &cri,
            containerd,
            json!({ "machineImages": image(&named) }),
            "ADM-CRI-002",
            "Remove the container runtime",
        ),
        (
            &"/spec/accessRestrictions".to_owned(),
            json!([{ "name": "eu" }]),
            json!({}),
            "ADM-ACC-002",
            "Remove the restriction: the region has none.",
        ),
        (
            &"/spec/region".to_owned(),
            json!("mars"),
            json!({ "regions": [] }),
            "ADM-REG-001",
            "Ask the operators of the CloudProfile for a region: it has none.",
        ),
        (
            &"/spec/region".to_owned(),
            json!("eu-west-1"),
            json!({ "type": "" }),
            "ADM-PROV-001",
            "Name another CloudProfile",
        ),
    ] {
        let mut request = json!({ "object": with(&aws_shoot(), &[(at, value.clone())]) });
        request["context"] = gardener_context(&parts);
        request["now"] = json!("2026-06-01T00:00:00Z");
        let answer: Value =
            serde_json::from_str(&trellis_core::call("gardener", "validate", &request.to_string())).unwrap();
        let all = answer["findings"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let [finding] = of_rule(all, rule)[..] else { panic!("{rule}: {all:?}") };
        let said = finding["remedy"].as_str().unwrap();
        assert!(said.starts_with(expected), "{at} {value}: {said}");
    }
}

#[test]
fn an_unreadable_profile_is_named_with_its_key() {
    let cases = [
        (
            openstack_shoot(),
            "openstack",
            "OS-SHOOT-006",
            json!({ "useOctavia": true }),
            "has an unknown field: `useOctavia`",
        ),
        (
            openstack_shoot(),
            "openstack",
            "OS-SHOOT-006",
            json!({ "a": 1, "b": 2 }),
            "has unknown fields: `a`, `b`",
        ),
        (
            shoot("gcp", json!({ "networks": { "workers": "10.250.0.0/19" } }), json!({ "zone": "eu-west-1a" })),
            "gcp",
            "GCP-SHOOT-015",
            json!({ "useOctavia": true }),
            "has an unknown field: `useOctavia`",
        ),
        (
            shoot("aws", json!({ "networks": { "vpc": {}, "zones": [] } }), json!({})),
            "aws",
            "AWS-SHOOT-002",
            json!({ "useOctavia": true }),
            "has an unknown field: `useOctavia`",
        ),
    ];
    for (shoot, provider, rule, config, expected) in cases {
        let mut context = openstack_context(&json!({}), &json!({}));
        let written = &mut context["cloudProfile"]["spec"]["providerConfig"];
        written.as_object_mut().unwrap().remove("constraints");
        written["apiVersion"] = json!(format!("{provider}.provider.extensions.gardener.cloud/v1alpha1"));
        written.as_object_mut().unwrap().extend(config.as_object().unwrap().clone());
        let all = findings(provider, &shoot, &context);
        let [finding] = of_rule(&all, rule)[..] else { panic!("{rule}: {all:?}") };
        let summary = finding["summary"].as_str().unwrap();
        assert_eq!(summary, format!("the CloudProfile `cloud` {expected}"));
        let asked = finding["remedy"].as_str().unwrap();
        assert!(asked.starts_with("Ask the operators to remove `"), "{asked}");
    }
}
