//! Images, and the legacy key pair.

use super::*;

#[test]
fn images_are_asked_for_where_they_are_shared_or_copied() {
    let cloud = Cloud::made(&["a"])
        .with("DescribeImages", json!({ "ImageId": "m-1", "ImageOwnerAlias": "others" }))
        .with("ListStacks", json!({ "StackName": "encrypt_image_gardenlinux_1-0-0_cn-shanghai_m-1", "StackId": "s-1", "Status": "CREATE_COMPLETE" }))
        .with("ListStacks", json!({ "StackName": "encrypt_image_gardenlinux_1-0-0_cn-shanghai_m-1", "StackId": "s-0", "Status": "DELETE_COMPLETE" }));
    assert_eq!(converse(&cloud, with_workers(false, false)).calls(), [COMPLETE]);
    let seen = converse(&cloud, with_workers(false, true));
    assert_eq!(seen.calls()[0][8..], ["DescribeImages"]);
    assert_eq!(seen.world().account, "1000000000000001");
    assert!(seen.world().images[0].visible);
    let seen = converse(&cloud, with_workers(true, false));
    assert_eq!(seen.calls()[0][8..], ["DescribeImages", "ListStacks"]);
    assert_eq!(seen.world().images[0].owner, "others");
    assert_eq!(seen.world().stacks.iter().map(|stack| stack.id.as_str()).collect::<Vec<_>>(), ["s-1"]);
    let seen = converse(&Cloud::made(&["a"]), with_workers(true, true));
    assert!(!seen.world().images[0].visible);
}

#[test]
fn instances_with_the_legacy_key_pair_are_asked_for() {
    let mut document = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    document["request"]["infrastructure"]["status"] = json!({ "providerStatus": { "keyPairName": "old" } });
    let cloud =
        Cloud::made(&["a"]).with("DescribeInstances", json!({ "InstanceId": "i-1", "KeyPairName": "old" }));
    assert_eq!(converse(&cloud, document).world().key_pair_instances, ["i-1"]);
}
