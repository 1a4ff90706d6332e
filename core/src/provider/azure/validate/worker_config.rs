//! The `WorkerConfig` of a pool (AZ-WRKC).

use super::names::{self, COMMUNITY_GALLERY, SHARED_GALLERY, STORAGE_URI, URN};
use crate::document::Path;
use crate::gardener::checks::choice::check_one_of;
use crate::gardener::checks::node_template::{NodeTemplateRules, check_node_template};
use crate::gardener::checks::worker_configs::check_configs;
use crate::gardener::shoot::Manifest;
use crate::gardener::types::worker::Worker;
use crate::provider::azure::api::{DataVolume, Image, WorkerConfig};
use crate::provider::azure::resource_id::ResourceId;
use crate::provider::azure::rules::{shoot, worker_config as rules};
use crate::report::{ErrorType, Report, Severity};
use crate::text::Url;

const NODE_TEMPLATE: NodeTemplateRules =
    NodeTemplateRules { capacity: &rules::WRKC_002, virtual_capacity: &rules::WRKC_003, whole: &rules::WRKC_004 };

const CACHING: &[&str] = &["None", "ReadOnly", "ReadWrite"];
/// Type of the resource that reserves capacity.
const RESERVATION_GROUPS: &str = "CapacityReservationGroups";

/// Judges the configurations of worker pools, and gives them; none where nobody can read it.
pub fn validate<'v>(manifest: &Manifest<'v>, report: &mut Report<'_>) -> Vec<Option<WorkerConfig<'v>>> {
    check_configs(manifest, &shoot::SHOOT_030, judge, report)
}

fn judge(config: &WorkerConfig<'_>, worker: &Worker<'_>, pool: &Path<'_>, report: &mut Report<'_>) {
    let path = &pool.key("providerConfig");
    if let Some(uri) = config.diagnostics_profile.and_then(|profile| profile.storage_uri) {
        let path = path.key("diagnosticsProfile");
        let path = path.key("storageURI");
        if Url::parse(uri).is_none() {
            report.error(&rules::WRKC_001, &path, ErrorType::Invalid, "must be a valid URL: it is no URL");
        }
        report.text(&rules::WRKC_001, &path, uri, &STORAGE_URI);
    }
    if let Some(template) = &config.node_template {
        check_node_template(template, &NODE_TEMPLATE, &path.key("nodeTemplate"), report);
    }
    data_volumes(&config.data_volumes, worker, &path.key("dataVolumes"), report);
    if let Some(caching) = config.volume.and_then(|volume| volume.caching) {
        let path = path.key("volume");
        check_one_of(&rules::WRKC_012, caching, CACHING, &path.key("caching"), report);
    }
    if let Some(id) = config.capacity_reservation.and_then(|reservation| reservation.capacity_reservation_group_id)
    {
        let path = path.key("capacityReservation");
        capacity_reservation(id, &path.key("capacityReservationGroupID"), report);
    }
}

fn data_volumes(volumes: &[DataVolume<'_>], worker: &Worker<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    for (index, volume) in volumes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let Some(image) = volume.image_ref else { continue };
        let path = path.index(index);
        if !worker.data_volumes.iter().any(|of_pool| of_pool.name == volume.name) {
            let detail = "no dataVolume with this name exists";
            report
                .error(&rules::WRKC_005, &path.key("name"), ErrorType::Invalid, detail)
                .choices(worker.data_volumes.iter().map(|of_pool| of_pool.name));
        }
        if !self::image(&image, &path.key("imageRef"), report) {
            return;
        }
    }
}

/// Judges an image. The existing extension looks at no further volume behind one whose resource id nobody can
/// read.
fn image(image: &Image<'_>, path: &Path<'_>, report: &mut Report<'_>) -> bool {
    if *image == Image::default() {
        let detail = "imageRef is defined but empty";
        report.error(&rules::WRKC_006, path, ErrorType::Invalid, detail);
        return true;
    }
    for &(rule, key, text, must) in &[
        (&rules::WRKC_007, "urn", image.urn, &URN),
        (&rules::WRKC_008, "communityGalleryImageID", image.community_gallery_image_id, &COMMUNITY_GALLERY),
        (&rules::WRKC_009, "sharedGalleryImageID", image.shared_gallery_image_id, &SHARED_GALLERY),
    ] {
        if let Some(text) = text {
            report.text(rule, &path.key(key), text, must);
        }
    }
    let Some(id) = image.id else { return true };
    match ResourceId::parse(id) {
        Err(error) => {
            let detail = format!("invalid image ID: {error}");
            report.error(&rules::WRKC_010, &path.key("id"), ErrorType::Invalid, detail);
            false
        }
        Ok(id) => {
            names::resource_id(&rules::WRKC_011, &id, &path.renamed("id", "images"), report);
            true
        }
    }
}

fn capacity_reservation(id: &str, path: &Path<'_>, report: &mut Report<'_>) {
    match ResourceId::parse(id) {
        Err(error) => {
            let detail = format!("invalid Azure resource ID: {error}");
            report.error(&rules::WRKC_013, path, ErrorType::Invalid, detail);
        }
        Ok(id) if !id.resource_type.eq_ignore_ascii_case(RESERVATION_GROUPS) => {
            let found = id.resource_type;
            let detail = format!("provided resource ID must be of type '{RESERVATION_GROUPS}', got '{found}'");
            report.error(&rules::WRKC_014, path, ErrorType::Invalid, detail);
        }
        Ok(_) => {}
    }
}
