//! CloudProfiles and NamespacedCloudProfiles.

use super::Metadata;
use super::capabilities::{Capabilities, Definition};
use crate::collections::NameSet;
use crate::document::{Path, Value};
use crate::policy::kind_of;
use crate::record;

/// The provider's part of a profile, as an RFC 6901 pointer.
pub const PROVIDER_CONFIG: &str = "/spec/providerConfig";
/// The images of a profile.
pub const IMAGES: Path<'_> = Path::root("spec.machineImages", "/spec/machineImages");

/// The provider's part of a profile.
pub fn provider_config<'v>(profile: &'v Value<'v>) -> Option<&'v Value<'v>> {
    profile.at(&["spec", "providerConfig"])
}

record! {
    /// A CloudProfile, which says what a landscape offers of a cloud, or a NamespacedCloudProfile, which extends
    /// one.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudProfile<'a> {
        /// Metadata.
        pub metadata: Metadata<'a>,
        /// The specification.
        pub spec: CloudProfileSpec<'a>,
    }
}

impl<'a> CloudProfile<'a> {
    /// The names of its machine types.
    pub fn machine_names(&self) -> NameSet<'a> {
        self.spec.machine_types.iter().map(|machine| machine.name).collect()
    }
}

record! {
    /// The specification of a profile.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct CloudProfileSpec<'a> {
        /// The CloudProfile that a NamespacedCloudProfile extends.
        pub parent: Parent<'a>,
        /// Capabilities that images and machine types may have.
        pub machine_capabilities: Vec<Definition<'a>>,
        /// Images.
        pub machine_images: Vec<MachineImage<'a>>,
        /// Machine types.
        pub machine_types: Vec<MachineType<'a>>,
        /// Regions.
        pub regions: Vec<Region<'a>>,
    }
}

record! {
    /// Reference to a parent profile.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Parent<'a> {
        /// Its kind.
        pub kind: &'a str,
        /// Its name.
        pub name: &'a str,
    }
}

record! {
    /// An image, by its logical name.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImage<'a> {
        /// Logical name.
        pub name: &'a str,
        /// Versions.
        pub versions: Vec<MachineImageVersion<'a>>,
    }
}

record! {
    /// A version of an image.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineImageVersion<'a> {
        /// Logical version.
        pub version: &'a str,
        /// Architectures of the image, where the CloudProfile defines no capabilities.
        pub architectures: Vec<&'a str>,
        /// What the image offers: an entry for each flavor.
        pub capability_flavors: Vec<Capabilities<'a>>,
    }
}

record! {
    /// A machine type.
    #[derive(Clone, Debug, Default, PartialEq)]
    pub struct MachineType<'a> {
        /// Name.
        pub name: &'a str,
        /// What the machine type demands of an image.
        pub capabilities: Capabilities<'a>,
    }
}

record! {
    /// A region.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Region<'a> {
        /// Name.
        pub name: &'a str,
    }
}

/// The part of a profile that offers something: `spec`, or, of a NamespacedCloudProfile, what Gardener merged into
/// the status from the parent and the profile.
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
    region_zones(profile, region).into_iter().flatten()
}

/// What to do where a CloudProfile offers no zones in a region.
pub fn no_zones(region: &str) -> String {
    ["Ask the operators of the CloudProfile for zones: it has none in region `", region, "`."].concat()
}

/// Names of the zones of a region; none where the profile does not list the region.
pub fn region_zones<'v>(profile: &'v Value<'v>, region: &str) -> Option<impl Iterator<Item = &'v str>> {
    let regions = offering(profile)?.get("regions").map(Value::items).unwrap_or_default();
    let region = regions.iter().find(|entry| entry.get("name").and_then(Value::as_str) == Some(region))?;
    let zones = region.get("zones").map(Value::items).unwrap_or_default();
    Some(zones.iter().filter_map(|zone| zone.get("name")?.as_str()))
}
