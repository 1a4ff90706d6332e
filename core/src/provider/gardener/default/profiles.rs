//! CloudProfiles and NamespacedCloudProfiles (DEF-CPR).

use super::fill::{Row, entry, fill, put, row, text};
use crate::document::Value;
use crate::policy::Defaulted;
use crate::provider::gardener::fields::items;
use crate::provider::gardener::rules::default as rules;

const ARCHITECTURE: &str = "what a profile offers is for this architecture unless you say otherwise";

static TYPE: &[Row] = &[row(&rules::DEF_CPR_002, &["architecture"], text("amd64"), ARCHITECTURE)];
static IMAGE: &[Row] = &[row(
    &rules::DEF_CPR_003,
    &["updateStrategy"],
    text("major"),
    "nodes get the next major version of an image unless you say otherwise",
)];
static USABLE: &[Row] = &[row(
    &rules::DEF_CPR_005,
    &["usable"],
    Value::Bool(true),
    "what a profile offers may be used unless you say otherwise",
)];

/// Fills in a CloudProfile.
pub fn cloud_profile<'r>(object: &Value<'r>, mut defaulted: Defaulted<'r>) -> Defaulted<'r> {
    let has_capabilities = !items(object, &["spec", "machineCapabilities"]).is_empty();
    for (index, image) in items(object, &["spec", "machineImages"]).iter().enumerate() {
        let base = entry("/spec/machineImages", index);
        for (index, version) in items(image, &["versions"]).iter().enumerate() {
            let base = entry(&crate::text::join(&[&base, "versions"], "/"), index);
            if !has_capabilities && items(version, &["architectures"]).is_empty() {
                let (path, only) = ((base.as_str(), &["architectures"][..]), vec![Value::string("amd64")]);
                put(&mut defaulted, &rules::DEF_CPR_001, path, Value::Array(only), ARCHITECTURE);
            }
            if items(version, &["cri"]).is_empty() {
                let only = vec![Value::object([("name", Value::string("containerd"))])];
                let (path, reason) = ((base.as_str(), &["cri"][..]), "images run containers by containerd");
                put(&mut defaulted, &rules::DEF_CPR_004, path, Value::Array(only), reason);
            }
        }
        fill(&mut defaulted, &base, IMAGE);
    }
    if !has_capabilities {
        each(&mut defaulted, "machineTypes", TYPE);
    }
    usable(&mut defaulted);
    defaulted
}

/// Fills in a NamespacedCloudProfile.
pub fn namespaced_cloud_profile(mut defaulted: Defaulted<'_>) -> Defaulted<'_> {
    usable(&mut defaulted);
    defaulted
}

fn usable(defaulted: &mut Defaulted<'_>) {
    each(defaulted, "machineTypes", USABLE);
    each(defaulted, "volumeTypes", USABLE);
}

/// Fills in each entry of a list.
fn each(defaulted: &mut Defaulted<'_>, list: &str, rows: &'static [Row]) {
    let base = crate::text::join(&["/spec", list], "/");
    for index in 0..items(&defaulted.object, &["spec", list]).len() {
        fill(defaulted, &entry(&base, index), rows);
    }
}
