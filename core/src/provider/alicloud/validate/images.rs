//! Image mappings of CloudProfiles and NamespacedCloudProfiles (ALI-CPROF-006…015).

use crate::collections::NameMap;
use crate::document::Path;
use crate::gardener::capabilities::{self, Definitions, limit_flavors};
use crate::policy::RequestError;
use crate::provider::alicloud::api::{CloudProfileConfig, MachineImageVersion, RegionIdMapping};
use crate::provider::alicloud::rules::cloud_profile as rules;
use crate::report::{ErrorType, Report, Severity};

/// Where image mappings are.
pub const MAPPINGS: Path<'_> =
    Path::root("spec.providerConfig.machineImages", "/spec/providerConfig/machineImages");
/// Where a profile lists its images.
pub const IMAGES: Path<'_> = Path::root("spec.machineImages", "/spec/machineImages");

/// Judges each mapping by itself; of capabilities only where their definitions are known.
pub fn validate(
    config: &CloudProfileConfig<'_>,
    definitions: Option<&Definitions<'_, '_>>,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    for (index, image) in config.machine_images.iter().enumerate() {
        let path = MAPPINGS.index(index);
        if image.name.is_empty() {
            report.error(&rules::CPROF_006, &path.key("name"), ErrorType::Required, "must provide a name");
        }
        let versions = path.key("versions");
        if image.versions.is_empty() {
            let detail = format!("must provide at least one version for machine image \"{}\"", image.name);
            report.error(&rules::CPROF_007, &versions, ErrorType::Required, detail);
        }
        for (index, version) in image.versions.iter().enumerate() {
            limit_flavors(version.capability_flavors.len())?;
            if report.is_full(Severity::Error) {
                continue;
            }
            validate_version(image.name, version, definitions, &versions.index(index), report);
        }
    }
    Ok(())
}

fn validate_version(
    image: &str,
    version: &MachineImageVersion<'_>,
    definitions: Option<&Definitions<'_, '_>>,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    if version.version.is_empty() {
        report.error(&rules::CPROF_008, &path.key("version"), ErrorType::Required, "must provide a version");
    }
    let flavors = path.key("capabilityFlavors");
    let Some(definitions) = definitions else {
        // Which of the two formats is right is not known, but what is written must be complete.
        if !version.regions.is_empty() {
            regions(image, version.version, &version.regions, path, report);
        }
        for (index, flavor) in version.capability_flavors.iter().enumerate() {
            regions(image, version.version, &flavor.regions, &flavors.index(index), report);
        }
        return;
    };
    if definitions.is_empty() {
        regions(image, version.version, &version.regions, path, report);
        if !version.capability_flavors.is_empty() {
            let detail = "must not be set as CloudProfile does not define capabilities. Use regions instead.";
            report.error(&rules::CPROF_015, &flavors, ErrorType::Forbidden, detail);
        }
        return;
    }
    if !version.regions.is_empty() && !version.capability_flavors.is_empty() {
        let detail = "must not be set together with capabilityFlavors. Use one format per version.";
        report.error(&rules::CPROF_010, &path.key("regions"), ErrorType::Forbidden, detail);
        return;
    }
    for (index, flavor) in version.capability_flavors.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = flavors.index(index);
        let capabilities = path.key("capabilities");
        capabilities::validate(&rules::CPROF_011, &flavor.capabilities, definitions, &capabilities, report);
        regions(image, version.version, &flavor.regions, &path, report);
    }
    if version.capability_flavors.is_empty() {
        regions(image, version.version, &version.regions, path, report);
    }
}

fn regions(image: &str, version: &str, regions: &[RegionIdMapping<'_>], base: &Path<'_>, report: &mut Report<'_>) {
    let path = base.key("regions");
    if regions.is_empty() {
        let detail =
            format!("must provide at least one region for machine image \"{image}\" and version \"{version}\"");
        report.error(&rules::CPROF_012, &path, ErrorType::Required, detail);
    }
    for (index, region) in regions.iter().enumerate() {
        let path = path.index(index);
        if region.name.is_empty() {
            report.error(&rules::CPROF_013, &path.key("name"), ErrorType::Required, "must provide a name");
        }
        if region.id.is_empty() {
            report.error(&rules::CPROF_014, &path.key("id"), ErrorType::Required, "must provide an id");
        }
    }
}

/// The mapping by image name and version. Of several entries with one name the last counts.
pub struct Mappings<'c, 'v> {
    places: NameMap<'v, NameMap<'v, usize>>,
    /// The versions of all images, one after the other.
    pub versions: Vec<&'c MachineImageVersion<'v>>,
}

impl<'c, 'v> Mappings<'c, 'v> {
    /// Indexes a configuration.
    pub fn of(config: &'c CloudProfileConfig<'v>) -> Self {
        let (mut places, mut versions) = (NameMap::new(), Vec::new());
        for image in &config.machine_images {
            let mut of_image = NameMap::new();
            for version in &image.versions {
                of_image.insert(version.version, versions.len());
                versions.push(version);
            }
            places.insert(image.name, of_image);
        }
        Self { places, versions }
    }

    /// Whether an image is mapped.
    pub fn has_image(&self, name: &str) -> bool {
        self.places.contains(name)
    }

    /// The mapping of an image version, with its place in `versions`.
    pub fn version(&self, name: &str, version: &str) -> Option<(usize, &'c MachineImageVersion<'v>)> {
        let place = *self.places.get(name)?.get(version)?;
        Some((place, self.versions.get(place)?))
    }
}
