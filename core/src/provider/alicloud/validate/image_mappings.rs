//! Mappings of images to ids, in CloudProfiles and NamespacedCloudProfiles (ALI-CPROF-006…015).

use crate::document::Path;
use crate::gardener::images::{
    Definitions, MappedImage, Mapping, MappingRules, RegionRules, check_mappings, check_regions, limit_flavors,
};
use crate::policy::RequestError;
use crate::provider::alicloud::rules::cloud_profile as rules;
use crate::report::Report;

/// The place of image mappings.
pub const MAPPINGS: Path<'_> =
    Path::root("spec.providerConfig.machineImages", "/spec/providerConfig/machineImages");

const MAPPING: MappingRules = MappingRules {
    place: MAPPINGS,
    name: &rules::CPROF_006,
    versions: &rules::CPROF_007,
    version: &rules::CPROF_008,
    name_of: |name| format!("\"{name}\""),
};

const REGIONS: RegionRules = RegionRules {
    one_form: &rules::CPROF_010,
    capabilities: &rules::CPROF_011,
    regions: &rules::CPROF_012,
    region: &rules::CPROF_013,
    id: &rules::CPROF_014,
    id_key: "id",
    id_missing: "must provide an id",
    flavors: &rules::CPROF_015,
};

/// Judges each mapping by itself. Without `definitions`, capabilities are not judged.
pub fn validate(
    images: &[MappedImage<'_, Mapping<'_, '_>>],
    definitions: Option<&Definitions<'_, '_>>,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    for (_, mapping) in images.iter().flat_map(|image| &image.versions) {
        limit_flavors(mapping.flavors.len())?;
    }
    check_mappings(images, &MAPPING, report, |version, mapping, path, report| {
        check_regions(version, mapping, definitions, &REGIONS, path, report);
    });
    Ok(())
}
