use super::*;
use crate::document::parse;
use crate::policy::StatusRequest;

const CONFIG: &str =
    r#""apiVersion":"alicloud.provider.extensions.gardener.cloud/v1alpha1","kind":"CloudProfileConfig""#;

/// A CloudProfile whose images are listed by region: `linux` 1.0 and 2.0.
fn by_region() -> String {
    format!(
        r#"{{"spec":{{"providerConfig":{{{CONFIG},"machineImages":[{{"name":"linux","versions":[
            {{"version":"1.0","regions":[{{"name":"r","id":"m-1"}}]}},
            {{"version":"2.0","regions":[{{"name":"other","id":"m-2"}}]}},
            {{"version":"3","regions":[{{"name":"r","id":""}}]}}]}}]}}}}}}"#
    )
}

/// A CloudProfile whose images have capabilities: `linux` 1.0 for two architectures, 2.0 in the older form.
fn by_capabilities() -> String {
    let flavor = |arch: &str, id: &str| {
        format!(r#"{{"capabilities":{{"architecture":["{arch}"]}},"regions":[{{"name":"r","id":"{id}"}}]}}"#)
    };
    format!(
        r#"{{"metadata":{{"name":"profile"}},"spec":{{
            "machineCapabilities":[{{"name":"architecture","values":["amd64","arm64"]}}],
            "machineTypes":[
                {{"name":"amd","capabilities":{{"architecture":["amd64"]}}}},
                {{"name":"arm","capabilities":{{"architecture":["arm64"]}}}}],
            "providerConfig":{{{CONFIG},"machineImages":[{{"name":"linux","versions":[
                {{"version":"1.0","capabilityFlavors":[{},{}]}},
                {{"version":"2.0","regions":[{{"name":"r","id":"m-old"}}]}}]}}]}}}}}}"#,
        flavor("amd64", "m-amd"),
        flavor("arm64", "m-arm"),
    )
}

/// A worker pool: machine type, version of `linux`, and what it says of its volume.
fn pool((machine, version, volume): (&str, &str, &str)) -> String {
    let volume = if volume.is_empty() { String::new() } else { format!(r#","volume":{volume}"#) };
    format!(
        r#"{{"name":"w","machine":{{"type":"{machine}","image":{{"name":"linux","version":"{version}"}}}}{volume}}}"#
    )
}

const ENCRYPTED: &str = r#"{"encrypted":true}"#;

/// A request for worker pools, with the images of an earlier status.
fn request(profile: &str, pools: &[(&str, &str, &str)], known: &str) -> String {
    let pools: Vec<String> = pools.iter().copied().map(pool).collect();
    format!(
        r#"{{"request":{{"operation":"reconcile",
            "infrastructure":{{"spec":{{"region":"r"}},"status":{{"providerStatus":{{"machineImages":{known}}}}}}},
            "cluster":{{"cloudProfile":{profile},"shoot":{{"spec":{{"provider":{{"workers":[{}]}}}}}}}},
            "configuration":{{"toBeSharedImageIDs":["m-1","m-amd"]}}}}}}"#,
        pools.join(",")
    )
}

/// `wanted`, as texts: id of the source, of the copy, whether it is to be shared; and what is missing.
fn reported(request: &str, state: &[(&str, &str)]) -> (Vec<String>, Vec<String>) {
    let document = parse(request).unwrap();
    let request = StatusRequest::read(&document).unwrap().request;
    let state = state.iter().map(|(key, value)| (*key, value.to_string())).collect();
    let found = wanted(&request, &state).unwrap();
    let image = |image: &PoolImage<'_>| {
        let share = if image.share { " share" } else { "" };
        let copy =
            if image.encrypted { format!(" -> {}", image.copy.as_deref().unwrap_or("?")) } else { String::new() };
        format!("{} {}{copy}{share}", image.version, image.source)
    };
    let missing = |missing: &MissingImage| format!("{}: {}", missing.worker, missing.detail);
    (found.images.iter().map(image).collect(), found.missing.iter().map(missing).collect())
}

/// `machineImages` of the status.
fn in_status(request: &str, state: &[(&str, &str)]) -> String {
    let document = parse(request).unwrap();
    let request = StatusRequest::read(&document).unwrap().request;
    let state = state.iter().map(|(key, value)| (*key, value.to_string())).collect();
    Value::Array(status(&request, &state).unwrap()).to_string()
}

#[test]
fn an_image_is_wanted_once_in_the_order_of_the_worker_pools() {
    let pools = [("t", "1.0", ENCRYPTED), ("t", "1.0", ""), ("u", "1.0", "{}"), ("t", "1.0", ENCRYPTED)];
    let (images, missing) = reported(&request(&by_region(), &pools, "[]"), &[]);
    assert_eq!(images, ["1.0 m-1 -> ? share", "1.0 m-1 share"]);
    assert!(missing.is_empty());
}

#[test]
fn an_encrypted_copy_is_the_recorded_one_else_that_of_the_status() {
    let known = r#"[{"name":"linux","version":"1.0","id":"m-0","encrypted":true}]"#;
    let request = request(&by_region(), &[("t", "1.0", ENCRYPTED)], known);
    assert_eq!(reported(&request, &[]).0, ["1.0 m-1 -> m-0"]);
    assert_eq!(reported(&request, &[("EncryptedImages/linux/1.0/m-1", "m-9")]).0, ["1.0 m-1 -> m-9"]);
    // The CloudProfile had another id before: nodes keep their image.
    assert_eq!(reported(&request, &[("EncryptedImages/linux/1.0/m-7", "m-9")]).0, ["1.0 m-1 -> m-9"]);
    for other in ["EncryptedImages/linux/2.0/m-1", "EncryptedImages/linuxes/1.0/m-1"] {
        assert_eq!(reported(&request, &[(other, "m-9")]).0, ["1.0 m-1 -> m-0"]);
    }
    assert_eq!(reported(&request, &[("EncryptedImages/linux/1.0/m-1", "<deleted>")]).0, ["1.0 m-1 -> m-0"]);
}

#[test]
fn an_image_that_the_cloud_profile_does_not_have_any_more_is_that_of_the_status() {
    let known = r#"[{"name":"linux","version":"2.0","id":"m-0"},{"name":"linux","version":"2.0","id":"m-e","encrypted":true}]"#;
    let plain = request(&by_region(), &[("t", "2.0", "")], known);
    assert_eq!(reported(&plain, &[]).0, ["2.0 m-0"]);
    assert_eq!(in_status(&plain, &[]), r#"[{"name":"linux","version":"2.0","id":"m-0"}]"#);
    let encrypted = request(&by_region(), &[("t", "2.0", ENCRYPTED)], known);
    assert_eq!(reported(&encrypted, &[]).0, ["2.0 m-0 -> m-e"]);
    let only_copy = request(
        &by_region(),
        &[("t", "2.0", ENCRYPTED)],
        r#"[{"name":"linux","version":"2.0","id":"m-e","encrypted":true}]"#,
    );
    assert_eq!(reported(&only_copy, &[]).0, ["2.0  -> m-e"]);
}

#[test]
fn an_image_that_nobody_knows_is_missing() {
    let (images, missing) =
        reported(&request(&by_region(), &[("t", "1.0", ""), ("t", "2.0", ""), ("t", "3", ENCRYPTED)], "[]"), &[]);
    assert_eq!(images, ["1.0 m-1 share"]);
    assert_eq!(
        missing,
        [
            r#"1: could not find an image for name "linux" in version "2.0""#,
            r#"2: could not find an image for name "linux" in version "3""#,
        ]
    );
    let (_, missing) = reported(&request(&by_capabilities(), &[("none", "1.0", "")], "[]"), &[]);
    assert_eq!(missing, [r#"0: machine type "none" not found in cloud profile "profile""#]);
}

#[test]
fn of_several_flavors_each_architecture_has_its_own_image_and_copy() {
    let pools = [
        ("amd", "1.0", ""),
        ("arm", "1.0", ""),
        ("amd", "1.0", ENCRYPTED),
        ("arm", "1.0", ENCRYPTED),
        ("amd", "2.0", ""),
    ];
    let request = request(&by_capabilities(), &pools, "[]");
    let state = [("EncryptedImages/linux/1.0/m-arm", "m-copy")];
    assert_eq!(
        reported(&request, &state).0,
        ["1.0 m-amd share", "1.0 m-arm", "1.0 m-amd -> ? share", "1.0 m-arm -> m-copy", "2.0 m-old"]
    );
    assert_eq!(
        in_status(&request, &state),
        concat!(
            r#"[{"name":"linux","version":"1.0","id":"m-amd","encrypted":false,"capabilities":{"architecture":["amd64"]}},"#,
            r#"{"name":"linux","version":"1.0","id":"m-arm","encrypted":false,"capabilities":{"architecture":["arm64"]}},"#,
            r#"{"name":"linux","version":"1.0","id":"m-copy","encrypted":true,"capabilities":{"architecture":["arm64"]}},"#,
            r#"{"name":"linux","version":"2.0","id":"m-old","encrypted":false,"capabilities":{"architecture":["amd64"]}}]"#,
        )
    );
}

#[test]
fn the_copy_in_a_status_is_that_of_the_same_capabilities() {
    let known = r#"[{"name":"linux","version":"1.0","id":"m-x","encrypted":true,"capabilities":{"architecture":["arm64"]}},
        {"name":"linux","version":"1.0","id":"m-y","encrypted":true}]"#;
    let of = |machine| reported(&request(&by_capabilities(), &[(machine, "1.0", ENCRYPTED)], known), &[]).0;
    assert_eq!(of("arm"), ["1.0 m-arm -> m-x"]);
    // An image that does not say is for amd64.
    assert_eq!(of("amd"), ["1.0 m-amd -> m-y"]);
}

#[test]
fn an_encrypted_copy_is_in_the_status_once_it_is_there() {
    let request = request(&by_region(), &[("t", "1.0", ENCRYPTED)], "[]");
    assert_eq!(in_status(&request, &[]), "[]");
    let made = [("EncryptedImages/linux/1.0/m-1", "m-9")];
    assert_eq!(in_status(&request, &made), r#"[{"name":"linux","version":"1.0","id":"m-9","encrypted":true}]"#);
}

#[test]
fn without_a_shoot_or_a_cloud_profile_the_images_of_before_stay() {
    let known = r#"[{"name":"linux","version":"0","id":"m-0","odd":1}]"#;
    let whole = request(&by_region(), &[("t", "1.0", "")], known);
    let without = |member: &str, whole: &str| {
        whole.replacen(&format!("\"{member}\":{{"), &format!("\"{member}\":null,\"_\":{{"), 1)
    };
    for member in ["shoot", "cloudProfile"] {
        let request = without(member, &whole);
        assert_eq!(reported(&request, &[]), Default::default());
        assert_eq!(in_status(&request, &[]), known);
    }
}

#[test]
fn a_worker_pool_that_does_not_say_which_image_it_wants_has_none_yet() {
    let whole = request(&by_region(), &[("t", "1.0", "")], "[]").replace(r#","version":"1.0"}}"#, "}}");
    assert_eq!(reported(&whole, &[]), Default::default());
}

#[test]
fn names_of_a_copy_are_those_of_the_existing_extension() {
    let image =
        PoolImage { name: "g.linux", version: "1.2.3", source: "m-1", encrypted: true, ..PoolImage::default() };
    assert_eq!(image.stack("eu-1"), "encrypt_image_g-linux_1-2-3_eu-1_m-1");
    assert_eq!(image.destination("eu-1"), "g.linux-1.2.3-eu-1-m-1-encrypted");
    assert_eq!(image.description(), "copied from image m-1");
    assert_eq!(image.key(), "EncryptedImages/g.linux/1.2.3/m-1");
    assert!(image.owned_by_alibaba_cloud().starts_with("image (g.linux-1.2.3/m-1) is owned by AliCloud."));
}
