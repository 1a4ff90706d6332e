//! NamespacedCloudProfiles: they map what they add to the parent, in every flavor, and nothing else.

use std::fmt;

use super::capabilities::{Definitions, render};
use super::mapping::{MappedImage, Mapping};
use super::versions::Versions;
use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::gardener::types::capabilities::{ARCHITECTURE, Capabilities};
use crate::gardener::types::cloud_profile::{CloudProfile, MachineImageVersion};
use crate::report::{ErrorType, Report, Rule, Severity};

/// What does not match between the images of a NamespacedCloudProfile, of its parent and of the configuration. The text is that
/// of most existing extensions.
#[derive(Debug)]
pub enum Mismatch<'m> {
    /// Neither the parent nor the configuration has an image.
    Image(&'m str),
    /// Neither the parent nor the configuration has a version.
    Version([&'m str; 2]),
    /// The configuration has a flavor, given as Go prints it, that the version lacks.
    ExcessFlavor([&'m str; 2], &'m str),
    /// The configuration lacks a flavor, given as Go prints it.
    MissingFlavor([&'m str; 2], &'m str, MappingForm),
    /// The configuration lacks a region, in a flavor, which other flavors have.
    MissingRegion([&'m str; 2], &'m str, &'m str),
    /// The configuration has an architecture that no flavor of the version has.
    ExcessArchitecture([&'m str; 2], &'m str),
    /// The parent has a version that the configuration maps.
    InParent([&'m str; 2]),
    /// The profile lacks an image that the configuration maps.
    UnknownImage(&'m str),
    /// The profile lacks a version that the configuration maps.
    UnknownVersion([&'m str; 2]),
}

/// How the configuration maps a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MappingForm {
    /// By flavors.
    Flavors,
    /// Without flavors.
    Architectures,
    /// To nothing.
    Nothing,
}

impl fmt::Display for Mismatch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const UNDEFINED: &str = "not defined in the NamespacedCloudProfile providerConfig";
        const UNSPECIFIED: &str = "which is not defined in the machineImages spec";
        match self {
            Self::Image(image) => write!(f, "machine image {image} is {UNDEFINED}"),
            Self::Version([image, version]) => write!(f, "machine image version {image}@{version} is {UNDEFINED}"),
            Self::ExcessFlavor([image, version], flavor) => write!(
                f,
                "machine image version {image}@{version} has an excess capabilityFlavor {flavor}, {UNSPECIFIED}"
            ),
            Self::MissingFlavor([image, version], flavor, _) => {
                write!(f, "machine image version {image}@{version} has a capabilityFlavor {flavor} {UNDEFINED}")
            }
            Self::MissingRegion([image, version], flavor, region) => write!(
                f,
                "machine image version {image}@{version} is missing region \"{region}\" in capabilityFlavor {flavor} \
                 in the NamespacedCloudProfile providerConfig"
            ),
            Self::ExcessArchitecture([image, version], architecture) => write!(
                f,
                "machine image version {image}@{version} has an excess architecture \"{architecture}\", {UNSPECIFIED}"
            ),
            Self::InParent([image, version]) => {
                write!(f, "machine image version {image}@{version} is already defined in the parent CloudProfile")
            }
            Self::UnknownImage(image) => {
                write!(f, "machine image {image} is not defined in the NamespacedCloudProfile .spec.machineImages")
            }
            Self::UnknownVersion(_) => {
                f.write_str("machine image version is not defined in the NamespacedCloudProfile")
            }
        }
    }
}

impl Mismatch<'_> {
    fn error_type(&self) -> ErrorType {
        match self {
            Self::ExcessFlavor(..) | Self::ExcessArchitecture(..) | Self::InParent(_) => ErrorType::Forbidden,
            Self::UnknownVersion(_) => ErrorType::Invalid,
            _ => ErrorType::Required,
        }
    }
}

/// Image versions of a profile. Of several entries with one name the last counts.
type Offered<'c, 'v> = Versions<'v, &'c MachineImageVersion<'v>>;

fn offered<'c, 'v>(profile: &'c CloudProfile<'v>) -> Offered<'c, 'v> {
    Versions::last(profile.spec.machine_images.iter().map(|image| {
        let versions = image.versions.iter().map(|version| (version.version, version));
        (image.name, versions)
    }))
}

/// Compares the images of a NamespacedCloudProfile with the configuration at `place`. Without a parent, which comes with its
/// definitions of capabilities, it only looks for mappings that the profile does not use. `words` names the rule for a
/// mismatch, and its detail. Of several mappings with one name the last counts.
pub fn check_namespaced_profile(
    profile: &CloudProfile<'_>,
    parent: Option<(&CloudProfile<'_>, &Definitions<'_, '_>)>,
    images: &[MappedImage<'_, Mapping<'_, '_>>],
    place: &Path<'_>,
    words: fn(&Mismatch<'_>) -> (&'static Rule, String),
    report: &mut Report<'_>,
) {
    let own = offered(profile);
    let of_parent = parent.map(|(parent, _)| offered(parent));
    let mut comparison = Comparison { place, words, report };
    if let (Some((_, definitions)), Some(of_parent)) = (parent, &of_parent) {
        comparison.images_are_mapped(&own, of_parent, images, definitions);
    }
    comparison.mappings_are_used(&own, of_parent.as_ref(), images);
}

struct Comparison<'p, 'r, 'd> {
    place: &'p Path<'p>,
    words: fn(&Mismatch<'_>) -> (&'static Rule, String),
    report: &'r mut Report<'d>,
}

impl Comparison<'_, '_, '_> {
    fn mismatch(&mut self, mismatch: &Mismatch<'_>, path: &Path<'_>) {
        let (rule, detail) = (self.words)(mismatch);
        self.report.error(rule, path, mismatch.error_type(), detail);
    }

    /// Reports a mismatch at the whole configuration, as the existing extensions do.
    fn mismatch_anywhere(&mut self, mismatch: &Mismatch<'_>) {
        self.mismatch(mismatch, self.place);
    }

    fn is_full(&self) -> bool {
        self.report.is_full(Severity::Error)
    }

    fn images_are_mapped(
        &mut self,
        own: &Offered<'_, '_>,
        of_parent: &Offered<'_, '_>,
        images: &[MappedImage<'_, Mapping<'_, '_>>],
        definitions: &Definitions<'_, '_>,
    ) {
        let mapped = Versions::last(images.iter().map(|image| {
            let versions = image.versions.iter().map(|(version, mapping)| (*version, mapping));
            (image.name, versions)
        }));
        for (image, versions) in own.iter() {
            if of_parent.image(image).is_none() && mapped.image(image).is_none() {
                self.mismatch_anywhere(&Mismatch::Image(image));
                continue;
            }
            for (version, own) in versions.iter() {
                if self.is_full() {
                    return;
                }
                let name = [image, version];
                match mapped.get(image, version) {
                    Some(_) if definitions.is_empty() => {}
                    Some(mapping) => self.flavors(name, &own.capability_flavors, mapping, definitions),
                    None if of_parent.get(image, version).is_some() => {}
                    None => self.mismatch_anywhere(&Mismatch::Version(name)),
                }
            }
        }
    }

    /// A version without flavors has one, with all values.
    fn flavors(
        &mut self,
        version: [&str; 2],
        own: &[Capabilities<'_>],
        mapping: &Mapping<'_, '_>,
        definitions: &Definitions<'_, '_>,
    ) {
        let any = [Capabilities::new()];
        let own = if own.is_empty() { &any } else { own };
        if !mapping.flavors.is_empty() {
            return self.mapped_flavors(version, own, mapping, definitions);
        }
        let form = if mapping.regions.is_empty() { MappingForm::Nothing } else { MappingForm::Architectures };
        let architectures = |flavor| definitions.values(flavor, ARCHITECTURE);
        let own_architectures: NameSet<'_> = own.iter().flat_map(architectures).copied().collect();
        let mapped = mapping.architectures();
        for architecture in mapped.iter().filter(|architecture| !own_architectures.contains(architecture)) {
            self.mismatch_anywhere(&Mismatch::ExcessArchitecture(version, architecture));
        }
        for flavor in own {
            let mut values = architectures(flavor).iter();
            if form == MappingForm::Architectures && values.all(|value| mapped.contains(value)) {
                continue;
            }
            if self.is_full() {
                return;
            }
            let flavor = render(&definitions.with_defaults(flavor));
            self.mismatch_anywhere(&Mismatch::MissingFlavor(version, &flavor, form));
        }
    }

    fn mapped_flavors(
        &mut self,
        version: [&str; 2],
        own: &[Capabilities<'_>],
        mapping: &Mapping<'_, '_>,
        definitions: &Definitions<'_, '_>,
    ) {
        let keys: Vec<String> = own.iter().map(|flavor| definitions.normalize(flavor)).collect();
        let specified: NameSet<'_> = keys.iter().map(String::as_str).collect();
        let mapped_keys: Vec<String> =
            mapping.flavors.iter().map(|(capabilities, _)| definitions.normalize(capabilities)).collect();
        let mut mapped: NameMap<'_, NameSet<'_>> = NameMap::new();
        for ((capabilities, regions), key) in mapping.flavors.iter().zip(&mapped_keys) {
            if !specified.contains(key) && !self.is_full() {
                self.mismatch_anywhere(&Mismatch::ExcessFlavor(version, &render(capabilities)));
            }
            mapped.or_insert_with(key, NameSet::new).extend(regions.iter().map(|image| image.region));
        }
        let regions: NameSet<'_> = mapped.iter().flat_map(|(_, regions)| regions.iter()).collect();
        let mut seen = NameSet::new();
        for (flavor, key) in own.iter().zip(&keys) {
            if self.is_full() {
                return;
            }
            let flavor = || render(&definitions.with_defaults(flavor));
            let Some(of_flavor) = mapped.get(key) else {
                self.mismatch_anywhere(&Mismatch::MissingFlavor(version, &flavor(), MappingForm::Flavors));
                continue;
            };
            if !seen.insert(key) {
                continue;
            }
            for region in regions.iter().filter(|region| !of_flavor.contains(region)) {
                if self.is_full() {
                    return;
                }
                self.mismatch_anywhere(&Mismatch::MissingRegion(version, &flavor(), region));
            }
        }
    }

    fn mappings_are_used(
        &mut self,
        own: &Offered<'_, '_>,
        of_parent: Option<&Offered<'_, '_>>,
        images: &[MappedImage<'_, Mapping<'_, '_>>],
    ) {
        let place = self.place;
        for (index, MappedImage { name: image, versions: mapped }) in images.iter().enumerate() {
            let path = place.index(index);
            let versions = path.key("versions");
            for (index, (version, _)) in mapped.iter().enumerate() {
                if self.is_full() {
                    return;
                }
                if of_parent.is_some_and(|parent| parent.get(image, version).is_some()) {
                    self.mismatch(&Mismatch::InParent([image, version]), &versions.index(index));
                }
            }
            let Some(specified) = own.image(image) else {
                self.mismatch(&Mismatch::UnknownImage(image), &path);
                continue;
            };
            for (index, (version, _)) in
                mapped.iter().enumerate().filter(|(_, (version, _))| !specified.contains(version))
            {
                self.mismatch(&Mismatch::UnknownVersion([image, version]), &versions.index(index));
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
    use crate::gardener::types::cloud_profile::{CloudProfileSpec, MachineImage};
    use crate::rules;

    rules! {
        MATCHED = Rule::error("TOY-001", &["NamespacedCloudProfile"], crate::report::Operation::Both);
    }

    #[test]
    fn an_image_without_flavors_has_the_architectures_of_the_flavors_and_no_other() {
        let definitions = [Definition { name: ARCHITECTURE, values: vec!["amd64", "arm64"] }];
        let definitions = Definitions::new(&definitions).unwrap();
        let flavor = Capabilities::from([(ARCHITECTURE, vec!["amd64"])]);
        let version = MachineImageVersion { version: "1", capability_flavors: vec![flavor] };
        let image = MachineImage { name: "i", versions: vec![version] };
        let spec = CloudProfileSpec { machine_images: vec![image], ..CloudProfileSpec::default() };
        let profile = CloudProfile { spec, ..CloudProfile::default() };
        let parent = CloudProfile::default();
        let object = parse("{}").unwrap();
        let details = |architecture| {
            let regions = vec![RegionImage { region: "r", id: "x", architecture }];
            let mapping = Mapping { regions, ..Mapping::default() };
            let images = [MappedImage { name: "i", versions: vec![("1", mapping)] }];
            let mut report = Report::new(&object);
            let (parent, place) = (Some((&parent, &definitions)), Path::root("images", "/images"));
            let words = |mismatch: &Mismatch<'_>| (ALL[0], mismatch.to_string());
            check_namespaced_profile(&profile, parent, &images, &place, words, &mut report);
            let findings = report.into_parts().0;
            findings.into_iter().map(|finding| finding.detail).collect::<Vec<_>>()
        };
        assert_eq!(details("amd64"), [] as [&str; 0]);
        assert_eq!(
            details("arm64"),
            [
                "machine image version i@1 has an excess architecture \"arm64\", which is not defined in the \
                 machineImages spec",
                "machine image version i@1 has a capabilityFlavor map[architecture:[amd64]] not defined in the \
                 NamespacedCloudProfile providerConfig",
            ]
        );
    }
}
