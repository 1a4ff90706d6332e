//! The machines of worker pools: instances that the machine controller manager's driver makes from the policy's
//! classes.

use serde_json::{Value, json};

use super::{cloud, group, vpc};
use crate::settings::Settings;
use crate::testing::TestCloud;

/// A cloud with a VSwitch in each of two zones.
struct Site {
    cloud: TestCloud,
    /// What stands in the example, and what this cloud has instead.
    known: Vec<(&'static str, String)>,
}

impl Site {
    fn new() -> Self {
        let cloud = cloud(Settings::default());
        let vpc = vpc(&cloud);
        let vswitch = |range, zone| {
            let id = [("VpcId", vpc.as_str()), ("CidrBlock", range), ("ZoneId", zone)];
            let id = cloud.text("vpc", "CreateVSwitch", &id, "VSwitchId");
            cloud.step(60);
            id
        };
        let (a, b) = (vswitch("10.1.0.0/24", "cn-shanghai-a"), vswitch("10.2.0.0/24", "cn-shanghai-b"));
        let group = group(&cloud, &vpc);
        let known = vec![
            ("<vswitch id of eu-central-1a>", a),
            ("<vswitch id of eu-central-1b>", b),
            ("<security group id>", group),
            ("<image id of gardenlinux 1592.9.0>", "m-own".to_owned()),
            ("eu-central-1a", "cn-shanghai-a".to_owned()),
            ("eu-central-1b", "cn-shanghai-b".to_owned()),
            ("eu-central-1", "cn-shanghai".to_owned()),
        ];
        Self { cloud, known }
    }

    /// The classes of the example with an edit of its pool, each with its user data.
    fn classes(&self, edit: impl Fn(&mut Value)) -> Vec<(Value, String)> {
        let text = include_str!("../../../../../examples/two-zones.yaml");
        let mut shoot: Value = serde_saphyr::from_str(text).unwrap();
        edit(&mut shoot["spec"]["provider"]["workers"][0]);
        let request = json!({ "cluster": { "shoot": shoot } }).to_string();
        let mut answer = trellis_core::call("alicloud", "workers", &request);
        for (from, to) in &self.known {
            answer = answer.replace(from, to);
        }
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let objects = answer["objects"].as_array().unwrap_or_else(|| panic!("{answer}"));
        let pair = |pair: &[Value]| (pair[1].clone(), pair[0]["data"]["userData"].as_str().unwrap().to_owned());
        objects.chunks(2).map(pair).collect()
    }
}

/// The parameters of `RunInstances` that the driver makes of a class (`alicloud-manifests` 7).
fn run_instances(machine: &str, class: &Value, user_data: &str) -> Vec<(String, String)> {
    let spec = &class["providerSpec"];
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut parameters = vec![
        ("InstanceName".to_owned(), machine.to_owned()),
        ("UserData".to_owned(), user_data.to_owned()),
        ("ClientToken".to_owned(), format!("token-of-{machine}")),
    ];
    let names = [
        ("imageID", "ImageId"),
        ("instanceType", "InstanceType"),
        ("zoneID", "ZoneId"),
        ("securityGroupID", "SecurityGroupId"),
        ("vSwitchID", "VSwitchId"),
        ("instanceChargeType", "InstanceChargeType"),
        ("internetChargeType", "InternetChargeType"),
        ("internetMaxBandwidthIn", "InternetMaxBandwidthIn"),
        ("spotStrategy", "SpotStrategy"),
        ("keyPairName", "KeyPairName"),
    ];
    for (key, name) in names {
        if !spec[key].is_null() {
            parameters.push((name.to_owned(), plain(&spec[key])));
        }
    }
    for (key, name) in [("category", "SystemDisk.Category"), ("size", "SystemDisk.Size")] {
        if !spec["systemDisk"][key].is_null() {
            parameters.push((name.to_owned(), plain(&spec["systemDisk"][key])));
        }
    }
    for (index, disk) in spec["dataDisks"].as_array().into_iter().flatten().enumerate() {
        let mut add =
            |name: &str, value: String| parameters.push((format!("DataDisk.{}.{name}", index + 1), value));
        add("DiskName", format!("{machine}-{}-data-disk", plain(&disk["name"])));
        add("Encrypted", disk["encrypted"].as_bool().unwrap_or_default().to_string());
        for (key, name) in [
            ("category", "Category"),
            ("size", "Size"),
            ("description", "Description"),
            ("deleteWithInstance", "DeleteWithInstance"),
        ] {
            if !disk[key].is_null() {
                add(name, plain(&disk[key]));
            }
        }
    }
    for (index, (key, value)) in spec["tags"].as_object().unwrap().iter().enumerate() {
        parameters.push((format!("Tag.{}.Key", index + 1), key.clone()));
        parameters.push((format!("Tag.{}.Value", index + 1), plain(value)));
    }
    parameters
}

fn borrowed(parameters: &[(String, String)]) -> Vec<(&str, &str)> {
    parameters.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

#[test]
fn machines_of_the_example_start_are_found_and_go() {
    let site = Site::new();
    let classes = site.classes(|pool| {
        pool["dataVolumes"] = json!([{ "name": "data", "size": "75Gi", "type": "cloud_essd", "encrypted": true }]);
    });
    assert_eq!(classes.len(), 2);
    let mut made = Vec::new();
    for (index, (class, user_data)) in classes.iter().enumerate() {
        let parameters = run_instances(&format!("machine-{index}"), class, user_data);
        let answer = site.cloud.call("ecs", "RunInstances", &borrowed(&parameters));
        made.push(answer["InstanceIdSets"]["InstanceIdSet"][0].as_str().unwrap().to_owned());
    }
    site.cloud.step(120);
    // The driver finds its machines by the tag of the cluster.
    let tag = [("Tag.1.Key", "kubernetes.io/cluster/shoot--dev--two-zones"), ("Tag.1.Value", "1")];
    let found = site.cloud.call("ecs", "DescribeInstances", &tag);
    let found = found["Instances"]["Instance"].as_array().unwrap();
    assert_eq!(found.len(), 2);
    for (instance, zone) in [(&found[0], "cn-shanghai-a"), (&found[1], "cn-shanghai-b")] {
        assert_eq!((&instance["ZoneId"], &instance["Status"]), (&json!(zone), &json!("Running")), "{instance}");
        assert_eq!(instance["InstanceType"], "ecs.g7.large");
        let tags = instance["Tags"]["Tag"].as_array().unwrap();
        assert!(
            tags.iter().any(|tag| tag["TagKey"] == "kubernetes.io/role/worker/shoot--dev--two-zones"),
            "{tags:?}"
        );
    }
    for id in &made {
        site.cloud.call("ecs", "DeleteInstance", &[("InstanceId", id.as_str()), ("Force", "true")]);
    }
    site.cloud.step(120);
    assert_eq!(site.cloud.call("ecs", "DescribeInstances", &tag)["TotalCount"], 0);
}

/// A class with a field that the cloud refuses makes no machine.
#[test]
fn a_class_with_a_broken_field_is_refused() {
    let site = Site::new();
    let rows = [
        ("/providerSpec/imageID", json!("m-none"), "InvalidImageId.NotFound"),
        ("/providerSpec/instanceType", json!("ecs.none"), "InvalidInstanceType.ValueNotSupported"),
        ("/providerSpec/zoneID", json!("cn-shanghai-b"), "InvalidZoneId.Mismatch"),
        ("/providerSpec/vSwitchID", json!("vsw-none"), "InvalidVSwitchId.NotFound"),
        ("/providerSpec/securityGroupID", json!("sg-none"), "InvalidSecurityGroupId"),
        ("/providerSpec/systemDisk/category", json!("tape"), "InvalidDiskCategory.ValueNotSupported"),
        ("/providerSpec/systemDisk/size", json!(19), "InvalidSystemDiskSize.LessThanImageSize"),
        ("/providerSpec/instanceChargeType", json!("PrePaid"), "InvalidInstanceChargeType"),
        ("/providerSpec/internetChargeType", json!("PayByWish"), "InvalidInternetChargeType"),
        ("/providerSpec/internetMaxBandwidthIn", json!(0), "InvalidInternetMaxBandwidthIn"),
        ("/providerSpec/spotStrategy", json!("Cheap"), "InvalidSpotStrategy"),
        ("/providerSpec/tags", json!({ "aliyun": "1" }), "InvalidTag.1.Key"),
    ];
    let (class, user_data) = site.classes(|_| {}).remove(0);
    for (pointer, value, code) in rows {
        let mut broken = class.clone();
        *broken.pointer_mut(pointer).unwrap() = value;
        let parameters = run_instances("machine", &broken, &user_data);
        assert_eq!(site.cloud.refused("ecs", "RunInstances", &borrowed(&parameters)), code, "{pointer}");
    }
    let parameters = run_instances("machine", &class, "#!/bin/sh");
    let code = site.cloud.refused("ecs", "RunInstances", &borrowed(&parameters));
    assert_eq!(code, "InvalidUserData.Base64FormatInvalid");
    let disks =
        site.classes(|pool| pool["dataVolumes"] = json!([{ "name": "data", "size": "75Gi", "type": "tape" }]));
    let parameters = run_instances("machine", &disks[0].0, &user_data);
    let code = site.cloud.refused("ecs", "RunInstances", &borrowed(&parameters));
    assert_eq!(code, "InvalidDiskCategory.ValueNotSupported");
}
