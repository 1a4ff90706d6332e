//! The `WorkerConfig` of a pool: volumes, node template, and what AWS gets for an instance (AWS-WRKC).

use super::{IO1, hardware};
use crate::collections::{NameMap, NameSet};
use crate::document::Path;
use crate::gardener::checks::choice::check_one_of;
use crate::gardener::checks::node_template::{NodeTemplateRules, check_node_template};
use crate::gardener::types::worker::Worker;
use crate::provider::aws::api::{CapacityReservation, IamInstanceProfile, InstanceMetadataOptions, WorkerConfig};
use crate::provider::aws::rules::worker_config as rules;
use crate::report::{ErrorType, Report, Severity};
use crate::text::TextRule;

const NODE_TEMPLATE: NodeTemplateRules =
    NodeTemplateRules { capacity: &rules::WRKC_011, virtual_capacity: &rules::WRKC_012, whole: &rules::WRKC_013 };

const SNAPSHOT_ID: TextRule = TextRule::pattern(r"^snap-[a-z0-9]+$").length(0, 255);
const PROFILE_NAME: TextRule = TextRule::pattern(r"^[\w+=,.@-]+$").required("cannot be empty").length(0, 128);
const PROFILE_ARN: TextRule = TextRule::pattern(r"^arn:[\w +=,.@\-/:]+$").length(0, 255);
const RESERVATION_ID: TextRule = TextRule::pattern(r"^cr-[a-z0-9]+$").required("cannot be empty").length(0, 255);
const RESERVATION_GROUP: TextRule =
    TextRule::pattern(r"^arn:[\w-]+:resource-groups:[\w+=,.@\-\/:]+$").required("cannot be empty").length(0, 255);

/// The capacity reservations that instances use are those that a person names, or any open one.
const RESERVATIONS_ONLY: &str = "capacity-reservations-only";
/// Most hops of an answer of the metadata service. Source: `HttpPutResponseHopLimit` of the EC2 API.
const MAX_HOPS: i32 = 64;

/// Judges the configuration of a pool.
pub fn validate(config: &WorkerConfig<'_>, worker: &Worker<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    volumes(config, worker, path, report);
    if let Some(profile) = &config.iam_instance_profile {
        iam_instance_profile(profile, &path.key("iamInstanceProfile"), report);
    }
    if let Some(template) = &config.node_template {
        check_node_template(template, &NODE_TEMPLATE, &path.key("nodeTemplate"), report);
    }
    if let Some(reservation) = &config.capacity_reservation {
        capacity_reservation(reservation, &path.key("capacityReservation"), report);
    }
    if let Some(options) = &config.instance_metadata_options {
        metadata_options(options, &path.key("instanceMetadataOptions"), report);
    }
    hardware::validate(config, path, report);
}

fn volumes(config: &WorkerConfig<'_>, worker: &Worker<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if let Some(volume_type) = worker.volume.and_then(|volume| volume.volume_type) {
        let settings = config.volume.map(|volume| (volume.iops, volume.throughput));
        volume(settings.unwrap_or_default(), volume_type, &path.key("volume"), report);
    }
    let mut settings = NameMap::new();
    for volume in &config.data_volumes {
        settings.or_insert_with(volume.name, || (volume.iops, volume.throughput));
    }
    let path = path.key("dataVolumes");
    let mut names = NameSet::new();
    for (index, data_volume) in worker.data_volumes.iter().enumerate() {
        let Some(volume_type) = data_volume.volume_type else { continue };
        names.insert(data_volume.name);
        let settings = settings.get(data_volume.name).copied().unwrap_or_default();
        // The existing extension counts the data volumes of the pool here, and those of the configuration below.
        volume(settings, volume_type, &path.index(index), report);
    }
    let mut seen = NameSet::new();
    for (index, volume) in config.data_volumes.iter().enumerate() {
        if report.is_full(Severity::Error) {
            return;
        }
        let path = path.index(index);
        if !names.contains(volume.name) {
            let detail = format!("{} not found in data volumes configured in worker pool", volume.name);
            report.error(&rules::WRKC_006, &path.key("name"), ErrorType::Invalid, detail);
        }
        if !seen.insert(volume.name) {
            report.error(&rules::WRKC_007, &path.key("name"), ErrorType::Duplicate, "");
        }
        if let Some(id) = volume.snapshot_id {
            report.text(&rules::WRKC_008, &path.key("snapshotID"), id, &SNAPSHOT_ID);
        }
    }
}

/// Judges IOPS and throughput of a volume.
fn volume(
    (iops, throughput): (Option<i32>, Option<i32>),
    volume_type: &str,
    path: &Path<'_>,
    report: &mut Report<'_>,
) {
    match iops {
        Some(iops) if iops <= 0 => {
            let detail = "iops must be a positive value";
            report.error(&rules::WRKC_001, &path.key("iops"), ErrorType::Forbidden, detail);
        }
        None if volume_type == IO1 => {
            let detail = "iops must be provided when using io1 volumes";
            report.error(&rules::WRKC_002, &path.key("iops"), ErrorType::Required, detail);
        }
        _ => {}
    }
    if throughput.is_some_and(|throughput| throughput <= 0) {
        let detail = "throughput must be a positive value";
        report.error(&rules::WRKC_003, &path.key("throughput"), ErrorType::Invalid, detail);
    }
}

fn iam_instance_profile(profile: &IamInstanceProfile<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if profile.name.is_some() == profile.arn.is_some() {
        let detail = "exactly one of 'name' or 'arn' must be specified";
        report.error(&rules::WRKC_009, path, ErrorType::Invalid, detail);
    }
    for &(key, text, must) in &[("name", profile.name, &PROFILE_NAME), ("arn", profile.arn, &PROFILE_ARN)] {
        if let Some(text) = text {
            report.text(&rules::WRKC_010, &path.key(key), text, must);
        }
    }
}

fn capacity_reservation(reservation: &CapacityReservation<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let id = reservation.capacity_reservation_id;
    let group = reservation.capacity_reservation_resource_group_arn;
    if let Some(preference) = reservation.capacity_reservation_preference {
        let path = path.key("capacityReservationPreference");
        check_one_of(&rules::WRKC_014, preference, &[RESERVATIONS_ONLY, "open", "none"], &path, report);
        if preference != RESERVATIONS_ONLY && (id.is_some() || group.is_some()) {
            let detail = "'capacityReservationId' or 'capacityReservationResourceGroupArn' may only be given if \
                          'capacityReservationPreference' is 'capacity-reservations-only' (or absent)";
            report.error(&rules::WRKC_015, &path, ErrorType::Forbidden, detail);
        }
    }
    let id_path = path.key("capacityReservationId");
    if let Some(id) = id {
        report.text(&rules::WRKC_016, &id_path, id, &RESERVATION_ID);
    }
    if let Some(group) = group {
        let path = path.key("capacityReservationResourceGroupArn");
        report.text(&rules::WRKC_017, &path, group, &RESERVATION_GROUP);
    }
    if id.is_some() && group.is_some() {
        let detail = "only one of 'capacityReservationId' and 'capacityReservationResourceGroupArn' may be given";
        report.error(&rules::WRKC_018, &id_path, ErrorType::Forbidden, detail);
    }
}

fn metadata_options(options: &InstanceMetadataOptions<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    if options.http_put_response_hop_limit.is_some_and(|hops| !(1..=MAX_HOPS).contains(&hops)) {
        let detail = "only values between 1 and 64 are allowed";
        report.error(&rules::WRKC_019, &path.key("httpPutResponseHopLimit"), ErrorType::Invalid, detail);
    }
    let values = ["required", "optional"];
    if options.http_tokens.is_some_and(|tokens| !values.contains(&tokens)) {
        let detail = "only the following values are allowed: [required optional]";
        report
            .error(&rules::WRKC_020, &path.key("httpTokens"), ErrorType::Invalid, detail)
            .choices(values.into_iter());
    }
}
