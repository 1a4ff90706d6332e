//! The images of a profile, from the configuration alone to what the profile offers.

use super::capabilities::{Definitions, limit_flavors};
use super::mapping::{MappedImage, Mapping, check_mappings};
use super::namespaced_profile::check_namespaced_profile;
use super::parent::{check_parent_kind, read_parent};
use super::profile::{check_profile, limit_profile};
use super::rules::ImageRules;
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::policy::{Request, RequestError};
use crate::report::{ErrorType, Report};

/// Judges the images of a CloudProfile.
pub fn judge_profile(
    profile: &CloudProfile<'_>,
    images: &[MappedImage<'_, Mapping<'_, '_>>],
    rules: &ImageRules,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    let definitions = Definitions::new(&profile.spec.machine_capabilities)?;
    limit_profile(profile)?;
    if images.is_empty() {
        let detail = "must provide at least one machine image";
        report.error(rules.any, &rules.mapping.place, ErrorType::Required, detail);
    }
    judge_mappings(images, Some(&definitions), rules, report)?;
    check_profile(profile, images, &definitions, &rules.offers, report);
    Ok(())
}

/// Judges the images of a NamespacedCloudProfile, with what its parent offers.
pub fn judge_namespaced_profile(
    request: &Request<'_>,
    profile: &CloudProfile<'_>,
    images: &[MappedImage<'_, Mapping<'_, '_>>],
    rules: &ImageRules,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    if !check_parent_kind(profile, rules.parent_kind, report) {
        return Ok(());
    }
    let parent = read_parent(request, profile, rules.parent, report)?;
    let definitions =
        parent.as_ref().map(|parent| Definitions::new(&parent.spec.machine_capabilities)).transpose()?;
    limit_profile(profile)?;
    judge_mappings(images, definitions.as_ref(), rules, report)?;
    let parent = parent.as_ref().zip(definitions.as_ref());
    check_namespaced_profile(profile, parent, images, &rules.mapping.place, &rules.offers, report);
    Ok(())
}

/// Judges each mapping by itself. Without `definitions`, capabilities are not judged.
fn judge_mappings(
    images: &[MappedImage<'_, Mapping<'_, '_>>],
    definitions: Option<&Definitions<'_, '_>>,
    rules: &ImageRules,
    report: &mut Report<'_>,
) -> Result<(), RequestError> {
    for (_, mapping) in images.iter().flat_map(|image| &image.versions) {
        limit_flavors(mapping.flavors.len())?;
    }
    check_mappings(images, &rules.mapping, report, |version, mapping, path, report| {
        (rules.version)(version, mapping, definitions, path, report);
    });
    Ok(())
}
