//! NamespacedCloudProfiles: they map what they add to the parent, in every flavor, and nothing else.

use super::capabilities::{Definitions, render};
use super::mapping::{MappedImage, Mapping, added_up};
use super::mismatch::{MappingForm, Mismatch, UNDEFINED, UNSPECIFIED};
use super::rules::{ArchitectureRules, Mapped, OfferRules};
use super::versions::Versions;
use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::gardener::types::capabilities::Capabilities;
use crate::gardener::types::cloud_profile::{CloudProfile, MachineImageVersion};
use crate::report::{ErrorType, Report, Severity};

/// Image versions of a profile. Of several images with one name the last counts, and of its versions with one name
/// the last, or the first.
type Offered<'c, 'v> = Versions<'v, &'c MachineImageVersion<'v>>;

fn offered<'c, 'v>(profile: &'c CloudProfile<'v>, first_version_counts: bool) -> Offered<'c, 'v> {
    Versions::last(profile.spec.machine_images.iter().map(|image| {
        let mut versions: Vec<_> = image.versions.iter().map(|version| (version.version, version)).collect();
        if first_version_counts {
            versions.reverse();
        }
        (image.name, versions)
    }))
}

/// Compares the images of a NamespacedCloudProfile with the configuration, whose images are at `place`. Without a
/// parent, which comes with its definitions of capabilities, it only looks for mappings that the profile does not
/// use. Of several mappings with one name the last counts.
pub fn check_namespaced_profile(
    profile: &CloudProfile<'_>,
    parent: Option<(&CloudProfile<'_>, &Definitions<'_, '_>)>,
    images: &[MappedImage<'_, Mapping<'_, '_>>],
    place: &Path<'_>,
    rules: &OfferRules,
    report: &mut Report<'_>,
) {
    let own = offered(profile, rules.first_version_counts);
    let of_parent = parent.map(|(parent, _)| offered(parent, false));
    let mut comparison = Comparison { place, rules, report };
    if let (Some((_, definitions)), Some(of_parent)) = (parent, &of_parent) {
        comparison.images_are_mapped(&own, of_parent, images, definitions);
    }
    let definitions = parent.map(|(_, definitions)| definitions);
    comparison.mappings_are_used(&own, of_parent.as_ref(), images, definitions);
}

struct Comparison<'p, 'r, 'd> {
    place: &'p Path<'p>,
    rules: &'p OfferRules,
    report: &'r mut Report<'d>,
}

impl Comparison<'_, '_, '_> {
    fn mismatch(&mut self, mismatch: &Mismatch<'_>, path: &Path<'_>) {
        let (rule, detail) = (self.rules.mismatch)(mismatch);
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
        let added = self.rules.entries_add_up.then(|| added_up(images));
        let images = added.as_deref().unwrap_or(images);
        let mapped = Versions::last(images.iter().map(|image| {
            let versions = image.versions.iter().map(|(version, mapping)| (*version, mapping));
            (image.name, versions)
        }));
        for (image, versions) in own.iter() {
            let is_of_parent = of_parent.image(image).is_some();
            if !is_of_parent && mapped.image(image).is_none() {
                self.mismatch_anywhere(&Mismatch::Image(image));
                continue;
            }
            for (version, own) in versions.iter() {
                if self.is_full() {
                    return;
                }
                let name = [image, version];
                let each = self.rules.architectures.as_ref().filter(|rules| !rules.has_regions);
                match mapped.get(image, version) {
                    _ if definitions.is_empty()
                        && is_of_parent
                        && each.is_some_and(|rules| rules.mapped == Mapped::ImagesFirst) => {}
                    // Images that are in all regions are not reported a second time.
                    _ if each.is_some() && of_parent.get(image, version).is_some() => {}
                    mapping if each.is_some() && definitions.is_empty() => {
                        if let Some(rules) = each {
                            self.each_architecture(rules, name, &own.architectures, mapping);
                        }
                    }
                    Some(mapping) if definitions.is_empty() => {
                        if let Some(rules) = &self.rules.architectures {
                            self.architectures(rules, name, &own.architectures, mapping);
                        }
                    }
                    Some(mapping) => self.flavors(name, &own.capability_flavors, mapping, definitions),
                    None if of_parent.get(image, version).is_some() => {}
                    None => self.mismatch_anywhere(&Mismatch::Version(name)),
                }
            }
        }
    }

    /// Without capabilities, a version has each of its architectures in each of its regions, and no other.
    fn architectures(
        &mut self,
        rules: &ArchitectureRules,
        [image, version]: [&str; 2],
        own: &[&str],
        mapping: &Mapping<'_, '_>,
    ) {
        let own: NameSet<'_> = own.iter().copied().collect();
        let mut regions: NameMap<'_, NameSet<'_>> = NameMap::new();
        let what = format!("machine image version {image}@{version}");
        for entry in &mapping.regions {
            if self.is_full() {
                return;
            }
            let (region, architecture) = (entry.region, entry.architecture());
            if !own.contains(architecture) {
                let detail = format!(
                    "{what} in region \"{region}\" has an excess entry for architecture \"{architecture}\", {UNSPECIFIED}"
                );
                self.report.error(rules.excess, self.place, ErrorType::Forbidden, detail);
            }
            regions.or_insert_with(region, NameSet::new).insert(architecture);
        }
        for architecture in own.iter() {
            if regions.is_empty() {
                let detail = format!("{what} with architecture \"{architecture}\" is {UNDEFINED}");
                self.report.error(rules.unmapped, self.place, ErrorType::Required, detail);
            }
            for (region, _) in regions.iter().filter(|(_, mapped)| !mapped.contains(architecture)) {
                if self.is_full() {
                    return;
                }
                let detail =
                    format!("{what} for region \"{region}\" with architecture \"{architecture}\" is {UNDEFINED}");
                self.report.error(rules.incomplete, self.place, ErrorType::Required, detail);
            }
        }
    }

    /// Without capabilities, a version has each of its architectures.
    fn each_architecture(
        &mut self,
        rules: &ArchitectureRules,
        [image, version]: [&str; 2],
        own: &[&str],
        mapping: Option<&Mapping<'_, '_>>,
    ) {
        let mapped = mapping.map(Mapping::architectures).unwrap_or_default();
        for architecture in own.iter().filter(|architecture| !mapped.contains(architecture)) {
            if self.is_full() {
                return;
            }
            let detail = format!(
                "machine image version {image}@{version} and architecture: \"{architecture}\" is {UNDEFINED}"
            );
            self.report.error(rules.unmapped, self.place, ErrorType::Required, detail);
        }
    }

    /// An image that is in all regions has an architecture that its version has.
    fn no_other_architecture(
        &mut self,
        [image, version]: [&str; 2],
        mapping: &Mapping<'_, '_>,
        specified: Option<&MachineImageVersion<'_>>,
        definitions: &Definitions<'_, '_>,
    ) {
        let rules = self.rules;
        let Some(of_architecture) = rules.architectures.as_ref().filter(|rules| !rules.has_regions) else {
            return;
        };
        if of_architecture.mapped == Mapped::ImagesFirst && specified.is_none() {
            return;
        }
        let mut own = NameSet::new();
        if definitions.is_empty() {
            own.extend(specified.iter().flat_map(|version| &version.architectures).copied());
            for architecture in mapping.architectures().iter().filter(|architecture| !own.contains(architecture)) {
                let detail = format!(
                    "machine image version {image}@{version} has an excess entry for architecture \"{architecture}\", \
                     {UNSPECIFIED}"
                );
                self.report.error(of_architecture.excess, self.place, ErrorType::Forbidden, detail);
            }
        } else if let (Some(specified), true) = (specified, mapping.flavors.is_empty()) {
            let any = [Capabilities::new()];
            let flavors = &specified.capability_flavors;
            for flavor in if flavors.is_empty() { any.as_slice() } else { flavors } {
                own.extend(rules.needed(flavor, definitions).iter().copied());
            }
            for architecture in mapping.architectures().iter().filter(|architecture| !own.contains(architecture)) {
                self.mismatch_anywhere(&Mismatch::ExcessArchitecture([image, version], architecture));
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
        let rules = self.rules;
        let architectures = |flavor| rules.needed(flavor, definitions);
        let mut own_architectures = NameSet::new();
        for flavor in own {
            own_architectures.extend(architectures(flavor).iter().copied());
        }
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
        let mut all_regions = NameSet::new();
        for ((capabilities, regions), key) in mapping.flavors.iter().zip(&mapped_keys) {
            if !specified.contains(key) && !self.is_full() {
                self.mismatch_anywhere(&Mismatch::ExcessFlavor(version, &render(capabilities)));
            }
            let mapped = mapped.or_insert_with(key, NameSet::new);
            for image in regions {
                mapped.insert(image.region);
                all_regions.insert(image.region);
            }
        }
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
            for region in all_regions.iter().filter(|region| !of_flavor.contains(region)) {
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
        definitions: Option<&Definitions<'_, '_>>,
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
            for (index, (version, mapping)) in mapped.iter().enumerate() {
                if !specified.contains(version) {
                    self.mismatch(&Mismatch::UnknownVersion([image, version]), &versions.index(index));
                }
                if let Some(definitions) = definitions {
                    let specified = specified.get(version).copied();
                    self.no_other_architecture([image, version], mapping, specified, definitions);
                }
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
    use crate::gardener::types::cloud_profile::{CloudProfileSpec, MachineImage};

    const PLACE: Path<'_> = Path::root("images", "/images");

    #[test]
    fn an_image_without_flavors_has_the_architectures_of_the_flavors_and_no_other() {
        let definitions = [Definition { name: ARCHITECTURE, values: vec!["amd64", "arm64"] }];
        let definitions = Definitions::new(&definitions).unwrap();
        let flavor = Capabilities::from([(ARCHITECTURE, vec!["amd64"])]);
        let version = MachineImageVersion { version: "1", capability_flavors: vec![flavor], ..Default::default() };
        let image = MachineImage { name: "i", versions: vec![version] };
        let spec = CloudProfileSpec { machine_images: vec![image], ..CloudProfileSpec::default() };
        let profile = CloudProfile { spec, ..CloudProfile::default() };
        let parent = CloudProfile::default();
        let object = parse("{}").unwrap();
        let details = |architecture| {
            let regions = vec![RegionImage { region: "r", id: "x", architecture: Some(architecture) }];
            let mapping = Mapping { regions, ..Mapping::default() };
            let images = [MappedImage { name: "i", versions: vec![("1", mapping)] }];
            let mut report = Report::new(&object);
            check_namespaced_profile(
                &profile,
                Some((&parent, &definitions)),
                &images,
                &PLACE,
                &OFFERS,
                &mut report,
            );
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
