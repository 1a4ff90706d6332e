//! CloudProfiles: every version that a profile offers is mapped, in every flavor.

use std::fmt;

use super::capabilities::{Definitions, limit_flavors, render};
use super::mapping::{MappedImage, Mapping};
use super::versions::Versions;
use crate::collections::NameSet;
use crate::document::Path;
use crate::gardener::types::capabilities::{ARCHITECTURE, Capabilities};
use crate::gardener::types::cloud_profile::{CloudProfile, IMAGES, MachineImage};
use crate::policy::RequestError;
use crate::report::{ErrorType, Report, Rule, Severity};

/// What a provider's configuration does not map. The text is that of most existing extensions.
#[derive(Debug)]
pub enum Missing<'m> {
    /// An image that has versions.
    Image {
        /// Its name.
        image: &'m str,
    },
    /// A version of a mapped image.
    Version {
        /// Names of image and version.
        version: [&'m str; 2],
    },
    /// A flavor of a mapped version.
    Flavor {
        /// Names of image and version.
        version: [&'m str; 2],
        /// What the flavor offers, as Go prints it.
        capabilities: &'m str,
        /// Whether the version is mapped to nothing at all.
        is_unmapped: bool,
    },
    /// An architecture of a version that is mapped without flavors.
    Architecture {
        /// Names of image and version.
        version: [&'m str; 2],
        /// The architecture.
        architecture: &'m str,
    },
}

impl fmt::Display for Missing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MISSING: &str = "missing providerConfig mapping for machine image version";
        match self {
            Self::Image { image } => {
                write!(f, "must provide an image mapping for image \"{image}\" in providerConfig")
            }
            Self::Version { version: [image, version] } => {
                write!(f, "machine image version {image}@{version} is not defined in the providerConfig")
            }
            Self::Flavor { version: [image, version], capabilities, .. } => {
                write!(f, "{MISSING} {image}@{version} and capabilitySet {capabilities}")
            }
            Self::Architecture { version: [image, version], architecture } => {
                write!(f, "{MISSING} {image}@{version} and architecture: {architecture}")
            }
        }
    }
}

/// Checks that a configuration maps every version of a CloudProfile. `words` names the rule for what is missing, and its
/// detail. Of several mappings with one name the last counts.
pub fn check_profile(
    profile: &CloudProfile<'_>,
    images: &[MappedImage<'_, Mapping<'_, '_>>],
    definitions: &Definitions<'_, '_>,
    words: fn(&Missing<'_>) -> (&'static Rule, String),
    report: &mut Report<'_>,
) {
    // A profile may list a version often: what its mapping offers is worked out once.
    let mappings = images.iter().flat_map(|image| &image.versions).map(|(_, mapping)| mapping);
    let keys: Vec<Vec<String>> = mappings
        .clone()
        .map(|mapping| mapping.flavors.iter().map(|(offer, _)| definitions.normalize(offer)).collect())
        .collect();
    let offers: Vec<Offer<'_>> = mappings
        .zip(&keys)
        .map(|(mapping, keys)| Offer {
            architectures: mapping.architectures(),
            flavors: keys.iter().map(String::as_str).collect(),
        })
        .collect();
    let mut left = offers.iter();
    let mapped = Versions::last(images.iter().map(|image| {
        let names = image.versions.iter().map(|(version, _)| *version);
        (image.name, names.zip(left.by_ref()).collect::<Vec<_>>())
    }));
    let mut check = ProfileCheck { mapped, definitions, words, report };
    for (index, image) in profile.spec.machine_images.iter().enumerate() {
        if !image.versions.is_empty() {
            check.image(image, &IMAGES.index(index));
        }
    }
}

/// Refuses image versions of a profile with more flavors than anybody has.
pub fn limit_profile(profile: &CloudProfile<'_>) -> Result<(), RequestError> {
    let mut versions = profile.spec.machine_images.iter().flat_map(|image| &image.versions);
    versions.try_for_each(|version| limit_flavors(version.capability_flavors.len()))
}

/// What a version is mapped to.
struct Offer<'p> {
    /// Architectures, where it has no flavors.
    architectures: NameSet<'p>,
    /// Normalized flavors.
    flavors: NameSet<'p>,
}

struct ProfileCheck<'p, 'r, 'd> {
    mapped: Versions<'p, &'p Offer<'p>>,
    definitions: &'p Definitions<'p, 'p>,
    words: fn(&Missing<'_>) -> (&'static Rule, String),
    report: &'r mut Report<'d>,
}

impl ProfileCheck<'_, '_, '_> {
    fn miss(&mut self, missing: &Missing<'_>, path: &Path<'_>) {
        let (rule, detail) = (self.words)(missing);
        self.report.error(rule, path, ErrorType::Required, detail);
    }

    fn image(&mut self, image: &MachineImage<'_>, path: &Path<'_>) {
        if self.mapped.image(image.name).is_none() {
            return self.miss(&Missing::Image { image: image.name }, path);
        }
        let versions = path.key("versions");
        for (index, version) in image.versions.iter().enumerate() {
            if self.report.is_full(Severity::Error) {
                return;
            }
            let (path, name) = (versions.index(index), [image.name, version.version]);
            match self.mapped.get(image.name, version.version) {
                None => self.miss(&Missing::Version { version: name }, &path),
                Some(_) if self.definitions.is_empty() => {}
                Some(offer) => self.flavors(name, &version.capability_flavors, offer, &path),
            }
        }
    }

    /// A version without flavors has one, with all values.
    fn flavors(&mut self, version: [&str; 2], flavors: &[Capabilities<'_>], offer: &Offer<'_>, path: &Path<'_>) {
        let path = path.key("capabilityFlavors");
        let any = [Capabilities::new()];
        for (index, flavor) in if flavors.is_empty() { &any } else { flavors }.iter().enumerate() {
            let path = path.index(index);
            if self.report.is_full(Severity::Error) {
                return;
            }
            if offer.flavors.is_empty() && !offer.architectures.is_empty() {
                let mut seen = NameSet::new();
                for architecture in self.definitions.values(flavor, ARCHITECTURE) {
                    if !offer.architectures.contains(architecture)
                        && seen.insert(architecture)
                        && !self.report.is_full(Severity::Error)
                    {
                        self.miss(&Missing::Architecture { version, architecture }, &path);
                    }
                }
            } else if !offer.flavors.contains(&self.definitions.normalize(flavor)) {
                let capabilities = &render(&self.definitions.with_defaults(flavor));
                let is_unmapped = offer.flavors.is_empty();
                self.miss(&Missing::Flavor { version, capabilities, is_unmapped }, &path);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;
    use crate::gardener::images::RegionImage;
    use crate::gardener::types::capabilities::Definition;
    use crate::gardener::types::cloud_profile::{CloudProfileSpec, MachineImageVersion};
    use crate::rules;

    rules! {
        MAPPED = Rule::error("TOY-001", &["CloudProfile"], crate::report::Operation::Both);
    }

    #[test]
    fn an_image_without_flavors_covers_the_architectures_of_its_regions() {
        let definitions = [Definition { name: ARCHITECTURE, values: vec!["amd64", "arm64", "riscv64"] }];
        let definitions = Definitions::new(&definitions).unwrap();
        let version = MachineImageVersion { version: "1", ..MachineImageVersion::default() };
        let image = MachineImage { name: "i", versions: vec![version] };
        let spec = CloudProfileSpec { machine_images: vec![image], ..CloudProfileSpec::default() };
        let profile = CloudProfile { spec, ..CloudProfile::default() };
        let regions = ["amd64", "arm64"].map(|architecture| RegionImage { region: "r", id: "x", architecture });
        let mapping = Mapping { regions: regions.into(), ..Mapping::default() };
        let images = [MappedImage { name: "i", versions: vec![("1", mapping)] }];
        let object = parse("{}").unwrap();
        let mut report = Report::new(&object);
        check_profile(&profile, &images, &definitions, |missing| (ALL[0], missing.to_string()), &mut report);
        let (findings, _) = report.into_parts();
        let details: Vec<&str> = findings.iter().map(|finding| finding.detail.as_str()).collect();
        assert_eq!(
            details,
            ["missing providerConfig mapping for machine image version i@1 and architecture: riscv64"]
        );
    }
}
