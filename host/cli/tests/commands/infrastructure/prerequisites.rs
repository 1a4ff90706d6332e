//! What a network and its nodes need in addition to resources of the network: images of machines, and a role.

use serde_json::{Value, json};
use trellis_simulator::Options;
use trellis_simulator::cloud::{ACCESS_KEY, ACCESS_KEY_SECRET, ACCOUNT, Accounts};

use crate::infrastructure::layout::{Layout, Scene, ZONES};
use crate::infrastructure::site::{REGION, Site, settings, shoot};

const OWNER: &str = "1000000000000002";

/// A CloudProfile with an image.
fn cloud_profile(image: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "CloudProfile",
        "metadata": { "name": "alicloud" },
        "spec": {
            "type": "alicloud",
            "kubernetes": { "versions": [{ "version": "1.33.2" }] },
            "machineImages": [{ "name": "gardenlinux", "versions": [{ "version": "1592.9.0", "architectures": ["amd64"] }] }],
            "machineTypes": [{ "name": "ecs.g7.large", "architecture": "amd64", "cpu": "2", "gpu": "0", "memory": "8Gi" }],
            "volumeTypes": [{ "name": "cloud_essd", "class": "premium" }],
            "regions": [{ "name": REGION, "zones": ZONES.map(|zone| json!({ "name": zone })) }],
            "providerConfig": {
                "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
                "kind": "CloudProfileConfig",
                "machineImages": [{
                    "name": "gardenlinux",
                    "versions": [{ "version": "1592.9.0", "regions": [{ "name": REGION, "id": image }] }],
                }],
            },
        },
    })
}

/// A cloud with an account that owns an image, and the Shoot's.
fn cloud_with_image(owner: &str) -> Site {
    let image = json!([{ "id": "m-shared", "name": "gardenlinux", "region": REGION }]);
    let images = |account: &str| if account == owner { image.clone() } else { json!([]) };
    let accounts: Accounts = serde_json::from_value(json!({ "accounts": [
        { "id": ACCOUNT, "accessKeys": [{ "id": ACCESS_KEY, "secret": ACCESS_KEY_SECRET }], "images": images(ACCOUNT) },
        { "id": OWNER, "accessKeys": [{ "id": "LTAI5tImageOwner", "secret": "of-the-owner" }], "images": images(OWNER) },
    ] }))
    .unwrap();
    let settings = settings(json!({ "delays": { "*": 0 } }));
    Site::of(Options {
        settings,
        accounts: accounts.check().unwrap(),
        region: REGION.to_owned(),
        ..Options::default()
    })
}

#[test]
fn an_encrypted_image_is_copied_once_and_stays() {
    let mut scene = Scene::on(cloud_with_image(ACCOUNT), Layout::Managed, 1);
    scene.shoot["spec"]["provider"]["workers"][0]["volume"]["encrypted"] = json!(true);
    scene.manifest = scene.site.write(
        "both.json",
        &json!({ "apiVersion": "v1", "kind": "List", "items": [scene.shoot, cloud_profile("m-shared")] }),
    );
    let (run, _) = scene.apply_twice();
    let image = &run["status"]["providerStatus"]["machineImages"][0];
    assert_eq!(image["encrypted"], true, "{image}");
    let copy = image["id"].as_str().unwrap();
    assert_ne!(copy, "m-shared");
    scene.site.run("destroy", &[&scene.manifest]);
    let left = scene.site.call("ecs", "DescribeImages", &[("ImageId", copy)]);
    assert_eq!(left["TotalCount"], 1, "{left}");
    // Made again, it takes the copy that is there.
    scene.apply_twice();
    let stacks = scene.site.calls(0).iter().filter(|call| call.action.as_deref() == Some("CreateStack")).count();
    assert_eq!(stacks, 1);
}

#[test]
fn an_image_of_another_account_is_shared_with_the_shoots() {
    let scene = Scene::on(cloud_with_image(OWNER), Layout::Managed, 1);
    let configuration = json!({
        "apiVersion": "alicloud.provider.extensions.config.gardener.cloud/v1alpha1",
        "kind": "ControllerConfiguration",
        "toBeSharedImageIDs": ["m-shared"],
    });
    let secret = json!({
        "apiVersion": "v1", "kind": "Secret", "metadata": { "name": "owner", "namespace": "garden" },
        "stringData": { "accessKeyID": "LTAI5tImageOwner", "accessKeySecret": "of-the-owner" },
    });
    let items = json!([scene.shoot, cloud_profile("m-shared"), configuration]);
    let manifest = scene.site.write("all.json", &json!({ "apiVersion": "v1", "kind": "List", "items": items }));
    let owner = format!("imageOwner={}", scene.site.write("owner.json", &secret).display());
    let visible = || scene.site.call("ecs", "DescribeImages", &[("ImageId", "m-shared")])["TotalCount"] == 1;
    assert!(!visible());
    scene.site.run_with("apply", &["--credentials", &owner], &[&manifest]);
    assert!(visible());
    scene.site.assert_no_changes(&manifest);
}

#[test]
fn the_role_that_nat_gateways_need_is_made_once() {
    let site = Site::new();
    let manifest = site.write("shoot.json", &shoot(1, &json!({})));
    let roles =
        || site.calls(0).iter().filter(|call| call.action.as_deref() == Some("CreateServiceLinkedRole")).count();
    for _ in 0..2 {
        site.apply(&manifest);
        assert_eq!(roles(), 1);
        site.destroy(&manifest);
        site.assert_empty();
    }
}
