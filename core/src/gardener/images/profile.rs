//! CloudProfiles: every version that a profile offers is mapped, in every flavor.

use super::capabilities::{Definitions, limit_flavors, render, supported};
use super::mapping::{MappedImage, Mapping, added_up};
use super::missing::Missing;
use super::rules::{ArchitectureRules, Mapped, OfferRules};
use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::gardener::types::capabilities::{ARCHITECTURES, Capabilities};
use crate::gardener::types::cloud_profile::{CloudProfile, IMAGES, MachineImage, MachineImageVersion};
use crate::policy::RequestError;
use crate::report::{ErrorType, Report, Severity};

/// Checks that a configuration maps every version of a CloudProfile. Of several mappings with one name the last
/// counts.
pub fn check_profile(
    profile: &CloudProfile<'_>,
    images: &[MappedImage<'_, Mapping<'_, '_>>],
    definitions: &Definitions<'_, '_>,
    rules: &OfferRules,
    report: &mut Report<'_>,
) {
    let added = rules.entries_add_up.then(|| added_up(images));
    let images = added.as_deref().unwrap_or(images);
    // A profile may list a version often: what its mapping offers is worked out once.
    let mut mapped = NameMap::new();
    for image in images {
        let mut versions = NameMap::new();
        for (version, mapping) in &image.versions {
            let mut flavors = Vec::with_capacity(mapping.flavors.len());
            for (offer, _) in &mapping.flavors {
                flavors.push(definitions.normalize(offer));
            }
            let offer =
                Offer { architectures: mapping.architectures(), is_plain: mapping.regions.is_empty(), flavors };
            versions.insert(version, offer);
        }
        mapped.insert(image.name, versions);
    }
    let images_first = rules.architectures.as_ref().is_some_and(|rules| rules.mapped == Mapped::ImagesFirst);
    let mut check = ProfileCheck { mapped: &mapped, definitions, rules, report };
    for (index, image) in profile.spec.machine_images.iter().enumerate() {
        if images_first || !image.versions.is_empty() {
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
    /// Whether it lists no regions.
    is_plain: bool,
    /// Normalized flavors.
    flavors: Vec<String>,
}

struct ProfileCheck<'p, 'r, 'd> {
    mapped: &'p NameMap<'p, NameMap<'p, Offer<'p>>>,
    definitions: &'p Definitions<'p, 'p>,
    rules: &'p OfferRules,
    report: &'r mut Report<'d>,
}

impl ProfileCheck<'_, '_, '_> {
    fn miss(&mut self, missing: &Missing<'_>, path: &Path<'_>) {
        let (rule, detail) = (self.rules.missing)(missing, !self.definitions.is_empty());
        self.report.error(rule, path, ErrorType::Required, detail);
    }

    fn image(&mut self, image: &MachineImage<'_>, path: &Path<'_>) {
        let Some(mapped) = self.mapped.get(image.name) else {
            return self.miss(&Missing::Image { image: image.name }, path);
        };
        let versions = path.key("versions");
        for (index, version) in image.versions.iter().enumerate() {
            if self.report.is_full(Severity::Error) {
                return;
            }
            let (path, name) = (versions.index(index), [image.name, version.version]);
            let offer = mapped.get(version.version);
            match (offer, &self.rules.architectures) {
                (_, Some(rules)) if self.definitions.is_empty() => {
                    self.architectures(rules, name, version, offer, &path);
                }
                (None, _) => self.miss(&Missing::Version { version: name }, &path),
                (Some(_), _) if self.definitions.is_empty() => {}
                (Some(offer), _) => self.flavors(name, &version.capability_flavors, offer, &path),
            }
        }
    }

    /// Without capabilities, a version lists its architectures.
    fn architectures(
        &mut self,
        rules: &ArchitectureRules,
        version: [&str; 2],
        specified: &MachineImageVersion<'_>,
        offer: Option<&Offer<'_>>,
        path: &Path<'_>,
    ) {
        let list = path.key("architectures");
        let mut seen = NameSet::new();
        for (index, architecture) in specified.architectures.iter().enumerate() {
            if self.report.is_full(Severity::Error) {
                return;
            }
            if !seen.insert(architecture) {
                continue;
            }
            let is_judged = offer.is_some() || self.rules.judges_unmapped;
            if is_judged && !ARCHITECTURES.contains(architecture) {
                let (field, pointer) = (list.field(), list.index(index).pointer());
                let detail = supported(ARCHITECTURES.into_iter());
                self.report.error(rules.known, &Path::root(&field, &pointer), ErrorType::NotSupported, detail);
            }
            match offer {
                None if rules.has_regions => self.miss(&Missing::Version { version }, path),
                Some(offer) if offer.is_plain && rules.plain_has_all => {}
                Some(offer) if offer.architectures.contains(architecture) => {}
                _ => self.miss(&Missing::Architecture { version, architecture }, path),
            }
        }
    }

    /// Of an image that is in all regions, messages name the flavor.
    fn no_architecture(
        &mut self,
        version: [&str; 2],
        architecture: &str,
        flavor: &Capabilities<'_>,
        path: &Path<'_>,
    ) {
        if self.rules.architectures.as_ref().is_none_or(|rules| rules.has_regions) {
            return self.miss(&Missing::Architecture { version, architecture }, path);
        }
        let capabilities = &render(&self.definitions.with_defaults(flavor));
        self.miss(&Missing::Flavor { version, capabilities, is_unmapped: true }, path);
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
                for architecture in self.rules.needed(flavor, self.definitions) {
                    if !offer.architectures.contains(architecture)
                        && seen.insert(architecture)
                        && !self.report.is_full(Severity::Error)
                    {
                        self.no_architecture(version, architecture, flavor, &path);
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
    use crate::gardener::images::rules::tests::OFFERS;
    use crate::gardener::types::capabilities::{ARCHITECTURE, Definition};
    use crate::gardener::types::cloud_profile::{CloudProfileSpec, MachineImageVersion};

    #[test]
    fn an_image_without_flavors_covers_the_architectures_of_its_regions() {
        let definitions = [Definition { name: ARCHITECTURE, values: vec!["amd64", "arm64", "riscv64"] }];
        let definitions = Definitions::new(&definitions).unwrap();
        let version = MachineImageVersion { version: "1", ..MachineImageVersion::default() };
        let image = MachineImage { name: "i", versions: vec![version] };
        let spec = CloudProfileSpec { machine_images: vec![image], ..CloudProfileSpec::default() };
        let profile = CloudProfile { spec, ..CloudProfile::default() };
        let regions = ["amd64", "arm64"].map(|architecture| RegionImage {
            region: "r",
            id: "x",
            architecture: Some(architecture),
        });
        let mapping = Mapping { regions: regions.into(), ..Mapping::default() };
        let images = [MappedImage { name: "i", versions: vec![("1", mapping)] }];
        let object = parse("{}").unwrap();
        let mut report = Report::new(&object);
        check_profile(&profile, &images, &definitions, &OFFERS, &mut report);
        let (findings, _) = report.into_parts();
        let details: Vec<&str> = findings.iter().map(|finding| finding.detail.as_str()).collect();
        assert_eq!(
            details,
            ["missing providerConfig mapping for machine image version i@1 and architecture: riscv64"]
        );
    }
}
