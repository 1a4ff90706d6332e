//! CloudProfiles and NamespacedCloudProfiles.

use serde::Deserialize;

use super::Metadata;
use super::capabilities::{Capabilities, Definition};
use crate::document::{Path, Value};
use crate::policy::kind_of;

/// The provider's part of a profile, as an RFC 6901 pointer.
pub const PROVIDER_CONFIG: &str = "/spec/providerConfig";
/// The images of a profile.
pub const IMAGES: Path<'_> = Path::root("spec.machineImages", "/spec/machineImages");

/// The provider's part of a profile.
pub fn provider_config<'v>(profile: &'v Value<'v>) -> Option<&'v Value<'v>> {
    profile.at(&["spec", "providerConfig"])
}

/// A CloudProfile, which says what a landscape offers of a cloud, or a NamespacedCloudProfile, which extends one.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct CloudProfile<'a> {
    /// Metadata.
    #[serde(borrow)]
    pub metadata: Metadata<'a>,
    /// The specification.
    #[serde(borrow)]
    pub spec: CloudProfileSpec<'a>,
}

/// The specification of a profile.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct CloudProfileSpec<'a> {
    /// The CloudProfile that a NamespacedCloudProfile extends.
    #[serde(borrow)]
    pub parent: Parent<'a>,
    /// Capabilities that images and machine types may have.
    #[serde(borrow)]
    pub machine_capabilities: Vec<Definition<'a>>,
    /// Images.
    #[serde(borrow)]
    pub machine_images: Vec<MachineImage<'a>>,
    /// Machine types.
    #[serde(borrow)]
    pub machine_types: Vec<MachineType<'a>>,
    /// Regions.
    #[serde(borrow)]
    pub regions: Vec<Region<'a>>,
}

/// Reference to a parent profile.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Parent<'a> {
    /// Its kind.
    pub kind: &'a str,
    /// Its name.
    pub name: &'a str,
}

/// An image, by its logical name.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct MachineImage<'a> {
    /// Logical name.
    pub name: &'a str,
    /// Versions.
    #[serde(borrow)]
    pub versions: Vec<MachineImageVersion<'a>>,
}

/// A version of an image.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct MachineImageVersion<'a> {
    /// Logical version.
    pub version: &'a str,
    /// What the image offers: an entry for each flavor.
    #[serde(borrow)]
    pub capability_flavors: Vec<Capabilities<'a>>,
}

/// A machine type.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct MachineType<'a> {
    /// Name.
    pub name: &'a str,
    /// What the machine type demands of an image.
    #[serde(borrow)]
    pub capabilities: Capabilities<'a>,
}

/// A region.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Region<'a> {
    /// Name.
    pub name: &'a str,
}

/// The part of a profile that offers something: `spec`, or, of a NamespacedCloudProfile, what Gardener merged into the
/// status from the parent and the profile.
pub fn offering<'v>(profile: &'v Value<'v>) -> Option<&'v Value<'v>> {
    match kind_of(profile).0 {
        "NamespacedCloudProfile" => profile.at(&["status", "cloudProfileSpec"]),
        _ => profile.get("spec"),
    }
}

/// What [`zone_names`] reads, as pointers into the context.
pub const ZONES_READ: &[&str] = &[
    "/cloudProfile/kind",
    "/cloudProfile/spec/regions/*/name",
    "/cloudProfile/spec/regions/*/zones/*/name",
    "/cloudProfile/status/cloudProfileSpec/regions/*/name",
    "/cloudProfile/status/cloudProfileSpec/regions/*/zones/*/name",
];

/// Names of the zones that a profile lists for a region.
pub fn zone_names<'v>(profile: &'v Value<'v>, region: &str) -> impl Iterator<Item = &'v str> {
    let regions = offering(profile).and_then(|spec| spec.get("regions")).map(Value::items).unwrap_or_default();
    let region = regions.iter().find(|entry| entry.get("name").and_then(Value::as_str) == Some(region));
    let zones = region.and_then(|region| region.get("zones")).map(Value::items).unwrap_or_default();
    zones.iter().filter_map(|zone| zone.get("name")?.as_str())
}
