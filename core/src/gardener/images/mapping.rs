//! What a provider's configuration maps images to.

use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::gardener::finding::{complain, is_full};
use crate::gardener::provider_config::Config;
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE, Capabilities};
use crate::record;
use crate::report::{ErrorType, Report, Rule};

/// The place of the mappings.
pub const MAPPINGS: Path<'_> =
    Path::root("spec.providerConfig.machineImages", "/spec/providerConfig/machineImages");

record! {
    /// The versions of an image.
    #[derive(Clone, Debug, Default, PartialEq)]
    #[cfg_attr(feature = "schema", schemars(rename = "MachineImages", bound = "V: schemars::JsonSchema + Default"))]
    pub struct MachineImages<'a, V> {
        /// Logical name, as in the CloudProfile's `spec.machineImages`.
        pub name: &'a str,
        /// Versions.
        pub versions: Vec<V>,
    }
}

/// An image of a provider's configuration. `T` is what a version is mapped to.
#[derive(Clone, Debug)]
pub struct MappedImage<'v, T> {
    /// Name.
    pub name: &'v str,
    /// Versions, each with what it is mapped to.
    pub versions: Vec<(&'v str, T)>,
}

/// What a version is mapped to in a cloud whose images have an id in each region.
#[derive(Clone, Debug, Default)]
pub struct Mapping<'c, 'v> {
    /// Images by region, where the version does not distinguish flavors.
    pub regions: Vec<RegionImage<'v>>,
    /// Images by region of each flavor, with what the flavor offers.
    pub flavors: Vec<(&'c Capabilities<'v>, Vec<RegionImage<'v>>)>,
}

/// An image in a region.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RegionImage<'v> {
    /// Region.
    pub region: &'v str,
    /// What identifies the image there.
    pub id: &'v str,
    /// Architecture of the image, where the entry has it. A flavor has it among its capabilities.
    pub architecture: Option<&'v str>,
}

impl<'v> RegionImage<'v> {
    /// Architecture of an image without flavors.
    pub(super) fn architecture(&self) -> &'v str {
        self.architecture.unwrap_or(AMD64)
    }
}

impl<'v> Mapping<'_, 'v> {
    /// Whether the version is mapped to nothing.
    pub fn is_empty(&self) -> bool {
        self.regions.is_empty() && self.flavors.is_empty()
    }

    /// The architectures of images without flavors.
    pub(super) fn architectures(&self) -> NameSet<'v> {
        self.regions.iter().map(RegionImage::architecture).collect()
    }
}

/// The images of a configuration, in its order; `map` gives a version with what it is mapped to.
pub fn map_images<'c, 'v, V, T>(
    images: &'c [MachineImages<'v, V>],
    map: impl Fn(&'c V) -> (&'v str, T),
) -> Vec<MappedImage<'v, T>> {
    let mut mapped = Vec::with_capacity(images.len());
    for image in images {
        mapped.push(MappedImage { name: image.name, versions: image.versions.iter().map(&map).collect() });
    }
    mapped
}

/// The images with one entry a version, where entries add up: all images without flavors count, and of entries
/// with flavors the first.
pub(super) fn added_up<'c, 'v>(
    images: &[MappedImage<'v, Mapping<'c, 'v>>],
) -> Vec<MappedImage<'v, Mapping<'c, 'v>>> {
    let mut all = Vec::with_capacity(images.len());
    for image in images {
        let mut versions: Vec<(&'v str, Mapping<'c, 'v>)> = Vec::new();
        let mut places: NameMap<'v, usize> = NameMap::new();
        for (version, mapping) in &image.versions {
            let place = *places.or_insert_with(version, || {
                versions.push((version, Mapping::default()));
                versions.len() - 1
            });
            let Some((_, sum)) = versions.get_mut(place) else { continue };
            sum.regions.extend(&mapping.regions);
            if sum.flavors.is_empty() {
                sum.flavors.clone_from(&mapping.flavors);
            }
        }
        all.push(MappedImage { name: image.name, versions });
    }
    all
}

/// A CloudProfileConfig of a cloud whose images have an id in each region.
pub trait MapsImages<'v>: Config<'v> {
    /// What messages call such an image, with an article: `an Image`, `an AMI`.
    const IMAGE: &'static str;

    /// The number of flavors of each version, without the cost of [`images`](Self::images).
    fn flavor_counts(&self) -> impl Iterator<Item = usize>;

    /// The images that the configuration maps, in its order.
    fn images(&self) -> Vec<MappedImage<'v, Mapping<'_, 'v>>>;
}

/// What an image without flavors offers.
pub(super) fn of_architecture(architecture: &str) -> Capabilities<'_> {
    Capabilities::from([(ARCHITECTURE, vec![architecture])])
}

/// The rules that every mapping obeys, and the place of the mappings.
#[derive(Debug)]
pub struct MappingRules {
    /// The list of images, as the existing extension prints its place.
    pub place: Path<'static>,
    /// An image has a name.
    pub name: &'static Rule,
    /// An image has versions.
    pub versions: &'static Rule,
    /// A version has a text.
    pub version: &'static Rule,
    /// How a message names an image.
    pub name_of: fn(&str) -> String,
}

impl MappingRules {
    /// These rules, for a cloud whose existing extension prints the whole place, and names in quotes.
    pub const fn of(name: &'static Rule, versions: &'static Rule, version: &'static Rule) -> Self {
        Self { place: MAPPINGS, name, versions, version, name_of: |name| format!("\"{name}\"") }
    }
}

/// Checks each mapping by itself; `judge` checks what a version, given with its image, is mapped to.
pub fn check_mappings<T>(
    images: &[MappedImage<'_, T>],
    rules: &MappingRules,
    report: &mut Report<'_>,
    mut judge: impl FnMut([&str; 2], &T, &Path<'_>, &mut Report<'_>),
) {
    for (index, image) in images.iter().enumerate() {
        let path = rules.place.index(index);
        if image.name.is_empty() {
            complain(rules.name, &path.key("name"), ErrorType::Required, "must provide a name", report);
        }
        let versions = path.key("versions");
        if image.versions.is_empty() {
            let detail =
                format!("must provide at least one version for machine image {}", (rules.name_of)(image.name));
            complain(rules.versions, &versions, ErrorType::Required, detail, report);
        }
        for (index, (version, mapping)) in image.versions.iter().enumerate() {
            if is_full(rules.version, report) {
                return;
            }
            let path = versions.index(index);
            if version.is_empty() {
                let version = path.key("version");
                complain(rules.version, &version, ErrorType::Required, "must provide a version", report);
            }
            judge([image.name, version], mapping, &path, report);
        }
    }
}

/// Looks at each region of the images at `place`, with its own place.
pub fn each_region<'v>(
    images: &[MappedImage<'v, Mapping<'_, 'v>>],
    place: &Path<'_>,
    mut look: impl FnMut(&RegionImage<'v>, &Path<'_>),
) {
    let mut look_at = |regions: &[RegionImage<'v>], base: &Path<'_>| {
        let path = base.key("regions");
        for (index, image) in regions.iter().enumerate() {
            look(image, &path.index(index));
        }
    };
    for (index, image) in images.iter().enumerate() {
        let path = place.index(index);
        let versions = path.key("versions");
        for (index, (_, mapping)) in image.versions.iter().enumerate() {
            let path = versions.index(index);
            look_at(&mapping.regions, &path);
            let flavors = path.key("capabilityFlavors");
            for (index, (_, regions)) in mapping.flavors.iter().enumerate() {
                look_at(regions, &flavors.index(index));
            }
        }
    }
}
