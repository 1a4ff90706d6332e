//! Advice that never rejects (ALI-ADV).

use super::images::MAPPINGS;
use super::infrastructure::NETWORKS;
use super::parts::{Parts, WORKERS, with_old};
use crate::cidr::Cidr;
use crate::collections::{NameMap, NameSet};
use crate::document::{PatchOperation, Path, Value};
use crate::gardener::cloud_profile::CloudProfile;
use crate::gardener::credentials::Values;
use crate::gardener::shoot::{KUBERNETES_VERSION, Worker, kubernetes_version};
use crate::provider::alicloud::api::{CloudProfileConfig, InfrastructureConfig};
use crate::provider::alicloud::credentials::ACCESS_KEY_SECRET;
use crate::provider::alicloud::rules::advice as rules;
use crate::report::{Report, Severity};
use std::borrow::Cow;

/// Smallest cloud disk, in GiB. Source: the user documentation.
const MIN_VOLUME_GIB: u64 = 20;
/// Addresses of a VSwitch that no node gets: the first and the last three. Source: Alibaba Cloud's
/// documentation of VSwitches.
const RESERVED_ADDRESSES: u128 = 4;

const CONTROL_PLANE: Path<'_> =
    Path::root("spec.provider.controlPlaneConfig", "/spec/provider/controlPlaneConfig");

/// Looks at a Shoot.
pub fn shoot(new: &Parts<'_>, old: Option<&Parts<'_>>, report: &mut Report<'_>) {
    if let Some(config) = &new.infrastructure {
        zones(config, report);
        vpc(config, old.is_none(), report);
        node_ranges(config, &new.shoot.spec.provider.workers, report);
    }
    volumes(&new.shoot.spec.provider.workers, old.is_none(), report);
    control_plane(new, old, report);
    if let (version, true) = kubernetes_version(new.object) {
        let detail = format!("the number {version} is not a version; YAML drops what a number does not need");
        report
            .warn(&rules::ADV_014, &Path::root("spec.kubernetes.version", KUBERNETES_VERSION), detail)
            .remedy(format!("Put the version into quotes: `\"{version}\"`."))
            .fix_value(&Value::string(version));
    }
    if let Some(old) = old {
        if let (Some(config), Some(before)) = (&new.infrastructure, &old.infrastructure) {
            egress(config, before, report);
        }
        rolling(new, old, report);
    }
}

fn zones(config: &InfrastructureConfig<'_>, report: &mut Report<'_>) {
    let path = NETWORKS.key("zones");
    let mut names = NameSet::new();
    for (index, zone) in config.networks.zones.iter().enumerate() {
        let path = path.index(index);
        if !zone.worker.is_empty() {
            let worker = path.key("worker");
            let entry = report.warn(&rules::ADV_001, &worker, "the field is deprecated, use `workers`");
            if zone.workers.is_empty() {
                entry.fix(vec![
                    PatchOperation::add(path.key("workers").pointer(), &Value::string(zone.worker)),
                    PatchOperation::remove(worker.pointer()),
                ]);
            }
        }
        if zone.name.is_empty() {
            report.warn(&rules::ADV_002, &path.key("name"), "the zone has no name");
        } else if !names.insert(zone.name) {
            report.warn(&rules::ADV_003, &path.key("name"), format!("zone {} is listed before", zone.name));
        }
        if zone.cidr().is_empty() {
            report.warn(&rules::ADV_004, &path.key("workers"), "the zone has no address range for nodes");
        }
        if zone.ipv6_cidr_block.is_some() && !config.is_dual_stack() {
            report.warn(&rules::ADV_015, &path.key("ipv6CidrBlock"), "has no effect without dual-stack");
        }
    }
}

fn vpc(config: &InfrastructureConfig<'_>, create: bool, report: &mut Report<'_>) {
    let vpc = &config.networks.vpc;
    let path = NETWORKS.key("vpc");
    let managed = vpc.gardener_managed_nat_gateway;
    if vpc.id.is_some() && managed != Some(true) && create {
        let detail = "the NAT gateway of an existing VPC is yours to provide";
        report.warn(&rules::ADV_010, &path.key("id"), detail);
    }
    if vpc.cidr.is_some() && vpc.id.is_none() && managed.is_some() {
        let detail = "has no effect on a new VPC, whose NAT gateway is always managed";
        report.warn(&rules::ADV_016, &path.key("gardenerManagedNATGateway"), detail);
    }
}

/// Pools spread their nodes evenly over their zones.
fn node_ranges(config: &InfrastructureConfig<'_>, workers: &[Worker<'_>], report: &mut Report<'_>) {
    let mut wanted: NameMap<'_, u64> = NameMap::new();
    for worker in workers {
        let maximum = u64::try_from(worker.maximum).unwrap_or(0);
        let zones: NameSet<'_> = worker.zones.iter().copied().collect();
        for zone in zones.iter() {
            *wanted.or_insert_with(zone, || 0) += maximum.div_ceil(zones.len() as u64);
        }
    }
    let path = NETWORKS.key("zones");
    for (index, zone) in config.networks.zones.iter().enumerate() {
        let (Some(cidr), Some(wanted)) = (Cidr::parse(zone.cidr()), wanted.get(zone.name)) else { continue };
        let usable = cidr.size().saturating_sub(RESERVED_ADDRESSES);
        if u128::from(*wanted) > usable {
            let path = path.index(index);
            let path = path.key(if zone.workers.is_empty() { "worker" } else { "workers" });
            let detail = format!("has {usable} addresses for nodes, the worker pools may want {wanted}");
            report.warn(&rules::ADV_013, &path, detail);
        }
    }
}

fn volumes(workers: &[Worker<'_>], create: bool, report: &mut Report<'_>) {
    for (index, worker) in workers.iter().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let path = WORKERS.index(index);
        if let Some(volume) = worker.volume {
            disk_size(volume.size, &path.key("volume").key("size"), create, report);
        }
        let volumes = path.key("dataVolumes");
        let mut names = NameSet::new();
        for (index, volume) in worker.data_volumes.iter().enumerate() {
            let path = volumes.index(index);
            disk_size(volume.size, &path.key("size"), create, report);
            if !volume.name.is_empty() && !names.insert(volume.name) {
                let detail = format!("data volume {} is listed before", volume.name);
                report.warn(&rules::ADV_017, &path.key("name"), detail);
            }
        }
    }
}

/// The existing extension takes the leading digits of a size as GiB and ignores the unit.
fn disk_size(size: &str, path: &Path<'_>, create: bool, report: &mut Report<'_>) {
    let end = size.find(|char: char| !char.is_ascii_digit()).unwrap_or(size.len());
    let Some((digits, unit)) = size.split_at_checked(end) else { return };
    let Ok(gib) = digits.parse::<u64>() else { return };
    if gib < MIN_VOLUME_GIB {
        let detail = format!("{size} makes a disk of {gib} GiB, less than the smallest of {MIN_VOLUME_GIB} GiB");
        let entry = report.warn(&rules::ADV_009, path, detail);
        // A new size of an existing volume rolls the nodes; whoever wants that decides it.
        if unit == "Gi" && create {
            entry.fix_value(&Value::string(format!("{MIN_VOLUME_GIB}Gi")));
        }
    } else if unit != "Gi" {
        let detail = format!("{size} makes a disk of {gib} GiB: the unit is ignored");
        report.warn(&rules::ADV_009, path, detail);
    }
}

fn control_plane(new: &Parts<'_>, old: Option<&Parts<'_>>, report: &mut Report<'_>) {
    let Some(config) = &new.control_plane else { return };
    let gates = config.cloud_controller_manager.as_ref().is_some_and(|manager| !manager.feature_gates.is_empty());
    if gates && new.shoot.spec.purpose == Some("production") {
        let manager = CONTROL_PLANE.key("cloudControllerManager");
        let detail = "feature gates are not recommended for production";
        report.warn(&rules::ADV_012, &manager.key("featureGates"), detail);
    }
    let enabled = |parts: &Parts<'_>| {
        let csi = parts.control_plane.as_ref()?.csi?;
        csi.enable_ad_controller
    };
    if enabled(new) == Some(true) && old.is_some_and(|old| enabled(old) != Some(true)) {
        let csi = CONTROL_PLANE.key("csi");
        let detail = "volumes from before 2021 may fail to mount afterwards";
        report.warn(&rules::ADV_011, &csi.key("enableADController"), detail);
    }
}

fn egress(new: &InfrastructureConfig<'_>, old: &InfrastructureConfig<'_>, report: &mut Report<'_>) {
    let path = NETWORKS.key("zones");
    for (index, (zone, before)) in new.networks.zones.iter().zip(&old.networks.zones).enumerate() {
        if zone.eip() == before.eip() {
            continue;
        }
        let detail = match (before.eip(), zone.eip()) {
            (None, _) => {
                "replaces the elastic IP that Gardener created, which is deleted for good; egress is interrupted"
            }
            (Some(_), None) => "releases your elastic IP for one that Gardener creates; egress is interrupted",
            (Some(_), Some(_)) => "replaces the elastic IP; egress is interrupted",
        };
        let path = path.index(index);
        report.warn(&rules::ADV_005, &path.key("natGateway").key("eipAllocationID"), detail);
    }
}

/// Changes that replace every node of a pool. Pools that are updated in place keep their nodes; names of data
/// volumes do not count. Source: section 5.6 of the fact sheet `alicloud-policy`.
fn rolling(new: &Parts<'_>, old: &Parts<'_>, report: &mut Report<'_>) {
    for (index, worker, _, before) in with_old(new, old).filter(|(_, worker, ..)| !worker.updates_in_place()) {
        let path = WORKERS.index(index);
        let detail = |what: &str| format!("changing {what} rolls the nodes of worker pool {}", worker.name);
        let (volume, old_volume) = (worker.volume.unwrap_or_default(), before.volume.unwrap_or_default());
        if volume.encrypted != old_volume.encrypted {
            report.warn(&rules::ADV_006, &path.key("volume").key("encrypted"), detail("the encryption"));
        }
        if worker.machine.image != before.machine.image && before.machine.image.is_some() {
            report.warn(&rules::ADV_007, &path.key("machine").key("image"), detail("the machine image"));
        }
        if (volume.volume_type, volume.size) != (old_volume.volume_type, old_volume.size) {
            report.warn(&rules::ADV_008, &path.key("volume"), detail("the volume"));
        }
        let (disks, old_disks) = (&worker.data_volumes, &before.data_volumes);
        let pairs = || disks.iter().zip(old_disks);
        let data_volumes = path.key("dataVolumes");
        if disks.len() != old_disks.len()
            || pairs().any(|(new, old)| (new.volume_type, new.size) != (old.volume_type, old.size))
        {
            report.warn(&rules::ADV_008, &data_volumes, detail("data volumes"));
        } else if pairs().any(|(new, old)| new.encrypted != old.encrypted) {
            report.warn(&rules::ADV_006, &data_volumes, detail("the encryption"));
        }
    }
}

/// Looks at a CloudProfile.
pub fn cloud_profile(profile: &CloudProfile<'_>, config: &CloudProfileConfig<'_>, report: &mut Report<'_>) {
    let offered: NameSet<'_> = profile.spec.regions.iter().map(|region| region.name).collect();
    for (index, image) in config.machine_images.iter().enumerate() {
        let path = MAPPINGS.index(index);
        let versions = path.key("versions");
        for (index, version) in image.versions.iter().enumerate() {
            let path = versions.index(index);
            let mut look = |base: &Path<'_>, regions: &[crate::provider::alicloud::api::RegionIdMapping<'_>]| {
                let path = base.key("regions");
                for (index, region) in regions.iter().enumerate() {
                    if !region.name.is_empty() && !offered.contains(region.name) {
                        let detail = format!("region {} is not in spec.regions", region.name);
                        report.warn(&rules::ADV_018, &path.index(index).key("name"), detail);
                    }
                }
            };
            look(&path, &version.regions);
            let flavors = path.key("capabilityFlavors");
            for (index, flavor) in version.capability_flavors.iter().enumerate() {
                look(&flavors.index(index), &flavor.regions);
            }
        }
    }
}

/// Looks at a Secret.
pub fn secret<'p>(values: &Values<'_>, place: impl Fn(&str) -> Cow<'p, str>, report: &mut Report<'_>) {
    let is_blank = |byte: Option<&u8>| matches!(byte, Some(b' ' | b'\t'));
    if let Some(secret) = values.get(ACCESS_KEY_SECRET)
        && (is_blank(secret.first()) || is_blank(secret.last()))
    {
        let path = place(ACCESS_KEY_SECRET);
        report.warn(&rules::ADV_019, &Path::root("", &path), "accessKeySecret begins or ends with a blank");
    }
}
