//! CloudProfiles and NamespacedCloudProfiles: what their images boot (EQX-CPROF, EQX-LKP).

use super::advice;
use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::document::decode::{DecodeError, Mode};
use crate::gardener::images::{MappedImage, MappingRules, check_mappings};
use crate::gardener::provider_config::Config;
use crate::gardener::types::cloud_profile::{CloudProfile, IMAGES, PROVIDER_CONFIG, provider_config};
use crate::policy::{Request, RequestError, kind_of, read, read_old};
use crate::provider::equinixmetal::api::{CloudProfileConfig, MachineImageVersion};
use crate::provider::equinixmetal::boot::{self, BootIndex, MAPPINGS, not_mapped};
use crate::provider::equinixmetal::rules::{cloud_profile as rules, decoding, lookup};
use crate::report::{ErrorType, Report, Severity};
use crate::text::quote;

const MAPPING: MappingRules = MappingRules {
    place: MAPPINGS,
    name: &rules::CPROF_002,
    versions: &rules::CPROF_003,
    version: &rules::CPROF_004,
    name_of: quote,
};

/// Judges a CloudProfile, or a NamespacedCloudProfile that maps images of its own.
pub fn cloud_profile(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let profile: CloudProfile<'_> = read(request.object)?;
    if let Some(old) = request.old_object {
        read_old::<CloudProfile<'_>>(old)?;
    }
    let is_namespaced = kind_of(request.object).0 == "NamespacedCloudProfile";
    let place = Path::root("spec.providerConfig", PROVIDER_CONFIG);
    let config = match provider_config(request.object) {
        None if is_namespaced => return Ok(()),
        None => Some(CloudProfileConfig::default()),
        Some(config) => CloudProfileConfig::read_reporting(config, Mode::Strict, &place, report, |error| {
            (&decoding::DEC_003, ErrorType::Invalid, undecodable(profile.metadata.name, error))
        }),
    };
    let Some(config) = config else { return Ok(()) };
    let images = boot::images(&config);
    if images.is_empty() {
        report.warn(&rules::CPROF_001, &MAPPINGS, "must provide at least one machine image");
    }
    check_mappings(&images, &MAPPING, report, |_, version, path, report| machine_boots(version, path, report));
    first_counts(&images, report);
    let index = boot::index(&config);
    // Without any mapping, one finding says it all.
    if !is_namespaced && !images.is_empty() {
        every_version_is_mapped(&profile, &index, report);
    }
    let old = request.old_object.and_then(provider_config);
    if let Some(old) = old.and_then(|old| CloudProfileConfig::read(old, Mode::Lenient).ok()) {
        advice::cloud_profile(&index, &boot::index(&old), report);
    }
    Ok(())
}

/// Why the configuration of the profile `name` cannot be read.
pub fn undecodable(name: &str, error: &DecodeError) -> String {
    format!("could not decode providerConfig of cloudProfile for '{name}': {error}")
}

fn machine_boots(version: &MachineImageVersion<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if version.id.is_empty() {
        let entry = report.warn(&rules::CPROF_005, &path.key("id"), "must provide an id");
        if !version.ipxe_script_url.is_empty() {
            // The existing extension's documentation allows what its check, which nothing runs, does not.
            entry.remedy("Nothing, if the iPXE script installs the image: machines boot it. Else set `id`.");
        }
    }
}

fn first_counts(images: &[MappedImage<'_, &MachineImageVersion<'_>>], report: &mut Report<'_>) {
    let mut seen: NameMap<'_, NameSet<'_>> = NameMap::new();
    for (index, image) in images.iter().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let path = MAPPINGS.index(index);
        let versions = path.key("versions");
        for (index, (version, _)) in image.versions.iter().enumerate() {
            let named = !image.name.is_empty() && !version.is_empty();
            if named && !seen.or_insert_with(image.name, NameSet::new).insert(version) {
                let detail = format!(
                    "image {} in version {version} is mapped before; this entry is never used",
                    image.name
                );
                report.warn(&lookup::LKP_001, &versions.index(index), detail);
            }
        }
    }
}

fn every_version_is_mapped(profile: &CloudProfile<'_>, index: &BootIndex<'_, '_>, report: &mut Report<'_>) {
    for (position, image) in profile.spec.machine_images.iter().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let path = IMAGES.index(position);
        let versions = path.key("versions");
        for (position, version) in image.versions.iter().enumerate() {
            if index.get(image.name, version.version).is_none() {
                let detail = not_mapped(image.name, version.version);
                report
                    .warn(&lookup::LKP_002, &versions.index(position), detail)
                    .remedy("Map the version in `providerConfig.machineImages`, or do not offer it.");
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::fired;

    fn profile(versions: &[&Value]) -> Value {
        let config = json!({ "machineImages": [{ "name": "flatcar", "versions": versions }] });
        json!({ "kind": "CloudProfile", "spec": { "providerConfig": config } })
    }

    #[test]
    fn the_first_mapping_of_a_version_counts() {
        let mapped = json!({ "version": "1", "id": "x" });
        let mut object = profile(&[&mapped, &mapped]);
        object["spec"]["machineImages"] = json!([{ "name": "flatcar", "versions": [mapped, { "version": "2" }] }]);
        assert_eq!(
            fired(&json!({ "object": object })),
            [
                ("EQX-LKP-001".to_owned(), "/spec/providerConfig/machineImages/0/versions/1".to_owned()),
                ("EQX-LKP-002".to_owned(), "/spec/machineImages/0/versions/1".to_owned()),
            ]
        );
    }

    #[test]
    fn a_version_with_an_ipxe_script_is_missed_when_it_goes() {
        let kept = json!({ "version": "1", "id": "x" });
        let boots = json!({ "version": "2", "id": "y", "ipxeScriptUrl": "https://boot/2" });
        let change =
            |old: &[&Value], new: &[&Value]| fired(&json!({ "object": profile(new), "oldObject": profile(old) }));
        let missed = ("EQX-ADV-009".to_owned(), "/spec/providerConfig/machineImages".to_owned());
        assert_eq!(change(&[&kept, &boots], &[&kept]), [missed]);
        assert_eq!(change(&[&kept, &boots], &[&boots]), []);
    }
}
