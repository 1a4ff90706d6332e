//! NamespacedCloudProfiles, which add image versions to a parent CloudProfile (ALI-NSCP).

use super::image_mappings::{self, MAPPINGS};
use crate::document::Path;
use crate::document::decode::Mode;
use crate::gardener::images::{
    Definitions, MappingForm, MapsImages, Mismatch, check_namespaced_profile, check_parent_kind, limit_profile,
    read_parent,
};
use crate::gardener::provider_config::Config;
use crate::gardener::types::cloud_profile::{CloudProfile, PROVIDER_CONFIG, provider_config};
use crate::policy::{Request, RequestError, read};
use crate::provider::alicloud::api::CloudProfileConfig;
use crate::provider::alicloud::rules::namespaced_cloud_profile as rules;
use crate::report::{ErrorType, Report, Rule};

/// Judges a NamespacedCloudProfile. An update is judged like a creation.
pub fn namespaced_cloud_profile(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let profile: CloudProfile<'_> = read(request.object)?;
    if profile.metadata.deletion_timestamp.is_some() {
        return Ok(());
    }
    let place = Path::root("", PROVIDER_CONFIG);
    let config = match provider_config(request.object) {
        None => Some(CloudProfileConfig::default()),
        Some(raw) => CloudProfileConfig::read_reporting(raw, Mode::Strict, &place, report, |error| {
            let name = profile.metadata.name;
            let detail =
                format!("could not decode providerConfig of NamespacedCloudProfile for '{name}': {error}");
            (&rules::NSCP_003, ErrorType::Denied, detail)
        }),
    };
    let Some(config) = config else { return Ok(()) };
    if !check_parent_kind(&profile, &rules::NSCP_004, report) {
        return Ok(());
    }
    let parent = read_parent(request, &profile, &rules::NSCP_005, report)?;
    let definitions =
        parent.as_ref().map(|parent| Definitions::new(&parent.spec.machine_capabilities)).transpose()?;
    limit_profile(&profile)?;
    let images = config.images();
    image_mappings::validate(&images, definitions.as_ref(), report)?;
    let parent = parent.as_ref().zip(definitions.as_ref());
    check_namespaced_profile(&profile, parent, &images, &MAPPINGS, mismatch, report);
    Ok(())
}

fn mismatch(mismatch: &Mismatch<'_>) -> (&'static Rule, String) {
    let rule = match mismatch {
        Mismatch::Image(_) => &rules::NSCP_010,
        Mismatch::Version(_) => &rules::NSCP_011,
        Mismatch::ExcessFlavor(..) => &rules::NSCP_014,
        Mismatch::MissingFlavor(_, _, MappingForm::Flavors) => &rules::NSCP_015,
        Mismatch::MissingRegion(..) => &rules::NSCP_016,
        Mismatch::ExcessArchitecture(..) => &rules::NSCP_017,
        Mismatch::MissingFlavor(_, _, MappingForm::Architectures) => &rules::NSCP_018,
        Mismatch::MissingFlavor(_, _, MappingForm::Nothing) => &rules::NSCP_019,
        Mismatch::InParent(_) => &rules::NSCP_020,
        Mismatch::UnknownImage(_) => &rules::NSCP_021,
        Mismatch::UnknownVersion(_) => &rules::NSCP_022,
    };
    (rule, mismatch.to_string())
}
