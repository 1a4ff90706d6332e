use serde_json::{Value, json};

use super::{OTHER, as_other, cloud, group, texts, vpc, vswitch};
use crate::settings::Settings;
use crate::testing::{ACCOUNT, TestCloud};

fn ids(cloud: &TestCloud, parameters: &[(&str, &str)]) -> Vec<String> {
    let parameters = [parameters, &[("PageSize", "100")]].concat();
    texts(&cloud.call("ecs", "DescribeImages", &parameters), "/Images/Image", "ImageId")
}

fn image(cloud: &TestCloud, parameters: &[(&str, &str)]) -> Value {
    cloud.call("ecs", "DescribeImages", parameters)["Images"]["Image"][0].clone()
}

#[test]
fn images_are_found_by_filters() {
    let cloud = cloud(Settings::default());
    for (parameters, expected) in [
        (&[("ImageOwnerAlias", "self")][..], &["m-own", "m-arm"][..]),
        (&[("ImageId", "m-own")], &["m-own"]),
        (&[("ImageId", "m-arm,m-own")], &["m-own", "m-arm"]),
        (&[("ImageId", "m-other")], &[]),
        (&[("ImageId", "m-own"), ("RegionId", "cn-beijing")], &[]),
        (&[("ImageName", "arm")], &["m-arm"]),
        (&[("ImageName", "o*")], &["m-own"]),
        (&[("ImageOwnerAlias", "self"), ("Architecture", "arm64")], &["m-arm"]),
        (&[("ImageOwnerAlias", "self"), ("InstanceType", "ecs.g8y.large")], &["m-arm"]),
        (&[("ImageOwnerAlias", "self"), ("InstanceType", "ecs.none")], &[]),
        (&[("ImageOwnerAlias", "self"), ("OSType", "windows")], &[]),
        (&[("ImageOwnerAlias", "self"), ("Status", "Creating")], &[]),
        (&[("ImageOwnerAlias", "self"), ("Status", "ALL")], &["m-own", "m-arm"]),
        (&[("ImageOwnerAlias", "self"), ("Usage", "instance")], &[]),
        (&[("ImageOwnerAlias", "others")], &[]),
        (&[("ImageOwnerAlias", "marketplace")], &[]),
        (&[("ImageOwnerId", ACCOUNT)], &["m-own", "m-arm"]),
        (&[("ImageFamily", "acs:ubuntu_22_04_arm64")], &["ubuntu_22_04_arm64_20G_alibase_20240926.vhd"]),
        (&[("Tag.1.Key", "k")], &[]),
    ] {
        assert_eq!(ids(&cloud, parameters), expected, "{parameters:?}");
    }
    assert_eq!(ids(&cloud, &[("ImageOwnerAlias", "system")]).len(), 6);
    let page = cloud.call("ecs", "DescribeImages", &[("PageSize", "3"), ("PageNumber", "2")]);
    assert_eq!((&page["TotalCount"], page["Images"]["Image"].as_array().unwrap().len()), (&json!(8), 3));
    let system = image(&cloud, &[("ImageOwnerAlias", "system"), ("OSType", "windows")]);
    assert_eq!((&system["Size"], &system["Platform"]), (&json!(40), &json!("Windows Server 2022")));
}

#[test]
fn an_image_is_shared_within_its_region_and_taken_back() {
    let cloud = cloud(Settings::default());
    let seen =
        || texts(&as_other(&cloud, "DescribeImages", &[("ImageId", "m-own")]), "/Images/Image", "ImageOwnerAlias");
    let accounts = || {
        let answer = cloud.call("ecs", "DescribeImageSharePermission", &[("ImageId", "m-own")]);
        texts(&answer, "/Accounts/Account", "AliyunId")
    };
    assert_eq!(seen(), [""; 0]);
    cloud.call("ecs", "ModifyImageSharePermission", &[("ImageId", "m-own"), ("AddAccount.1", OTHER)]);
    assert_eq!(seen(), ["others"]);
    assert_eq!(accounts(), [OTHER]);
    assert_eq!(image(&cloud, &[("ImageId", "m-own")])["IsSelfShared"], "True");
    assert_eq!(cloud.refused("ecs", "DeleteImage", &[("ImageId", "m-own")]), "ImageUseShared");
    cloud.call("ecs", "ModifyImageSharePermission", &[("ImageId", "m-own"), ("RemoveAccount.1", OTHER)]);
    assert_eq!((seen(), accounts()), (vec![], vec![]));
    cloud.call("ecs", "DeleteImage", &[("ImageId", "m-own")]);
    cloud.call("ecs", "DeleteImage", &[("ImageId", "m-own")]);
    assert_eq!(ids(&cloud, &[("ImageId", "m-own")]), [""; 0]);
}

#[test]
fn what_cannot_be_shared_is_refused() {
    let cloud = cloud(serde_json::from_value(json!({ "quotas": { "imageShares": 0 } })).unwrap());
    let secret = cloud.text("ecs", "CopyImage", &[("ImageId", "m-own"), ("Encrypted", "true")], "ImageId");
    for (parameters, code) in [
        (&[("ImageId", "m-none")][..], "InvalidImageId.NotFound"),
        (&[("ImageId", "m-other"), ("AddAccount.1", OTHER)], "InvalidImageId.NotFound"),
        (&[("ImageId", "debian_12_6_x64_20G_alibase_20240819.vhd")], "Image.Public"),
        (&[("ImageId", "m-own"), ("AddAccount.1", "3")], "InvalidAccount.NotFound"),
        (&[("ImageId", "m-own"), ("AddAccount.1", ACCOUNT)], "InvalidAccount.Forbbiden"),
        (&[("ImageId", "m-own"), ("AddAccount.1", OTHER)], "QuotaExceed.ShareImageUser"),
        (&[("ImageId", &secret), ("AddAccount.1", OTHER)], "OperationDeined.EncryptedSnapshot"),
        (&[("ImageId", "m-own"), ("LaunchPermission", "x")], "InvalidParameter"),
    ] {
        assert_eq!(cloud.refused("ecs", "ModifyImageSharePermission", parameters), code, "{parameters:?}");
    }
    for (id, code) in
        [("m-none", "InvalidImageId.NotFound"), ("debian_12_6_x64_20G_alibase_20240819.vhd", "Image.Public")]
    {
        assert_eq!(cloud.refused("ecs", "DescribeImageSharePermission", &[("ImageId", id)]), code);
    }
}

#[test]
fn a_copy_is_created_and_then_available() {
    let cloud = cloud(Settings::default());
    let copy = [
        ("ImageId", "m-own"),
        ("DestinationRegionId", "cn-beijing"),
        ("DestinationImageName", "encrypted"),
        ("DestinationDescription", "copied from image m-own"),
        ("Encrypted", "true"),
        ("KMSKeyId", "key"),
        ("Tag.1.Key", "k"),
    ];
    let id = cloud.text("ecs", "CopyImage", &copy, "ImageId");
    let state = || {
        let image =
            image(&cloud, &[("RegionId", "cn-beijing"), ("ImageId", &id), ("Status", "Creating,Available")]);
        (image["Status"].as_str().unwrap().to_owned(), image["Progress"].as_str().unwrap().to_owned())
    };
    assert_eq!(state(), ("Creating".to_owned(), "0%".to_owned()));
    assert_eq!(ids(&cloud, &[("RegionId", "cn-beijing"), ("ImageOwnerAlias", "self")]), [""; 0]);
    let there = [("RegionId", "cn-beijing"), ("ImageId", id.as_str())];
    assert_eq!(cloud.refused("ecs", "DeleteImage", &there), "OperationDenied.ImageCopying");
    assert_eq!(cloud.refused("ecs", "CopyImage", &there), "IncorrectImageStatus");
    cloud.step(60);
    assert_eq!(state().1, "50%");
    cloud.step(60);
    assert_eq!(state(), ("Available".to_owned(), "100%".to_owned()));
    let copy = image(&cloud, &there);
    for (field, value) in [
        ("IsCopied", json!(true)),
        ("ImageName", json!("encrypted")),
        ("Description", json!("copied from image m-own")),
        ("Tags", json!({ "Tag": [{ "TagKey": "k", "TagValue": "" }] })),
    ] {
        assert_eq!(copy[field], value);
    }
    assert_eq!(copy.pointer("/DiskDeviceMappings/DiskDeviceMapping/0/Encrypted"), Some(&json!(true)));
    let share = [there.as_slice(), &[("AddAccount.1", OTHER)]].concat();
    cloud.call("ecs", "ModifyImageSharePermission", &share);
    cloud.call("ecs", "DeleteImage", &[there.as_slice(), &[("Force", "true")]].concat());
}

#[test]
fn a_shared_image_is_copied_in_its_region_only() {
    let cloud = cloud(Settings::default());
    as_other(&cloud, "ModifyImageSharePermission", &[("ImageId", "m-other"), ("AddAccount.1", ACCOUNT)]);
    let away = [("ImageId", "m-other"), ("DestinationRegionId", "cn-beijing")];
    assert_eq!(cloud.refused("ecs", "CopyImage", &away), "OperationDenied.SameRegionOnly");
    let copy = cloud.text("ecs", "CopyImage", &[("ImageId", "m-other"), ("Encrypted", "true")], "ImageId");
    cloud.step(120);
    assert_eq!(image(&cloud, &[("ImageId", &copy)])["ImageOwnerAlias"], "self");
}

#[test]
fn what_makes_no_copy_is_refused() {
    let cloud = cloud(serde_json::from_value(json!({ "quotas": { "images": 2 } })).unwrap());
    let copy = |parameters: &[(&str, &str)]| {
        cloud.refused("ecs", "CopyImage", &[parameters, &[("ImageId", "m-own")]].concat())
    };
    for (parameters, code) in [
        (&[("DestinationRegionId", "cn-moon")][..], "DestinationRegion.NotFound"),
        (&[("DestinationImageName", "1")], "InvalidImageName.Malformed"),
        (&[("DestinationImageName", "arm")], "InvalidImageName.Duplicated"),
        (&[("DestinationDescription", "x")], "InvalidDescription.Malformed"),
        (&[("KMSKeyId", "key")], "InvalidParameter"),
        (&[("Tag.1.Key", "a"), ("Tag.2.Key", "a")], "Duplicate.TagKey"),
        (&[], "QuotaExceed.Image"),
        (&[("DestinationRegionId", "cn-beijing"), ("DryRun", "true")], "DryRunOperation"),
    ] {
        assert_eq!(copy(parameters), code, "{parameters:?}");
    }
    for id in ["m-none", "m-other", "debian_12_6_x64_20G_alibase_20240819.vhd"] {
        assert_eq!(cloud.refused("ecs", "CopyImage", &[("ImageId", id)]), "InvalidImageId.NotFound");
    }
}

#[test]
fn an_image_that_instances_use_stays() {
    let cloud = cloud(Settings::default());
    let vpc = vpc(&cloud);
    let (vswitch, group) = (vswitch(&cloud, &vpc), group(&cloud, &vpc));
    let run = [
        ("ImageId", "m-own"),
        ("InstanceType", "ecs.g7.large"),
        ("VSwitchId", vswitch.as_str()),
        ("SecurityGroupId", &group),
    ];
    cloud.call("ecs", "RunInstances", &run);
    assert_eq!(ids(&cloud, &[("Usage", "instance")]), ["m-own"]);
    assert_eq!(cloud.refused("ecs", "DeleteImage", &[("ImageId", "m-own")]), "ImageUsingByInstance");
    cloud.call("ecs", "DeleteImage", &[("ImageId", "m-own"), ("Force", "true")]);
}
