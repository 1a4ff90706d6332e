//! What a person should know (EQX-ADV). Source: section 8 of the fact sheet `equinixmetal`.

use super::parts::{Parts, image_names};
use crate::collections::NameMap;
use crate::document::Path;
use crate::gardener::shoot::WORKERS;
use crate::gardener::types::worker::Worker;
use crate::provider::equinixmetal::api::WorkerConfig;
use crate::provider::equinixmetal::boot::{BootIndex, MAPPINGS};
use crate::provider::equinixmetal::rules::advice as rules;
use crate::report::{Report, Severity};

/// The only image whose disks the existing extension sets up.
const FLATCAR: &str = "flatcar";

/// Looks at a Shoot.
pub fn shoot(new: &Parts<'_>, old: Option<&Parts<'_>>, report: &mut Report<'_>) {
    let before: NameMap<'_, Option<&WorkerConfig<'_>>> =
        old.into_iter().flat_map(Parts::pools).map(|(worker, config)| (worker.name, config)).collect();
    for (index, (worker, config)) in new.pools().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let path = WORKERS.index(index);
        if let Some(config) = config {
            reservations(config, &path.key("providerConfig"), report);
            if let Some(Some(old)) = before.get(worker.name)
                && machine(config) != machine(old)
            {
                let detail = format!("the change does not replace the machines of worker pool {}", worker.name);
                report.warn(&rules::ADV_003, &path.key("providerConfig"), detail);
            }
        }
        if worker.zones.len() > 1 {
            let detail = "machines are not spread over the zones by number";
            report.warn(&rules::ADV_004, &path.key("zones"), detail);
        }
    }
    disks(&new.shoot.spec.provider.workers, report);
}

/// The settings that an order of a machine has.
fn machine<'c, 'v>(config: &'c WorkerConfig<'v>) -> (&'c [&'v str], bool) {
    (&config.reservation_ids, config.reserved_devices_only.unwrap_or_default())
}

fn reservations(config: &WorkerConfig<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let path = path.key("reservedDevicesOnly");
    match config.reserved_devices_only {
        Some(false) => {
            let detail = "false is the same as unset: without a free reservation, machines are ordered on demand";
            report.warn(&rules::ADV_001, &path, detail).fix_removal();
        }
        Some(true) if config.reservation_ids.is_empty() => {
            report.warn(&rules::ADV_002, &path, "no reservation is listed in reservationIDs that could be free");
        }
        _ => {}
    }
}

/// Where any pool has a `volume`, the existing extension sets up the disks of all nodes with Flatcar.
/// `dataVolumes` alone sets up no disk.
fn disks(workers: &[Worker<'_>], report: &mut Report<'_>) {
    let with_volume = workers.iter().find(|worker| worker.volume.is_some());
    let images = image_names(workers);
    let other_image = if images.len() == 1 { images.iter().next().filter(|name| *name != FLATCAR) } else { None };
    for (index, worker) in workers.iter().enumerate() {
        if report.is_full(Severity::Warning) {
            return;
        }
        let path = WORKERS.index(index);
        match (with_volume, worker.volume, other_image) {
            (Some(other), None, _) => {
                let detail =
                    format!("nodes are set up for volumes here too, as worker pool {} has one", other.name);
                report.warn(&rules::ADV_005, &path.key("volume"), detail);
            }
            (Some(_), Some(_), Some(image)) => {
                let detail = format!("no disks are set up with image {image}");
                report.warn(&rules::ADV_006, &path.key("volume"), detail);
            }
            (None, _, _) if !worker.data_volumes.is_empty() => {
                let detail = "no disks are set up, as no worker pool has a volume";
                report.warn(&rules::ADV_007, &path.key("dataVolumes"), detail);
            }
            _ => {}
        }
    }
}

/// Looks at a change of image mappings.
pub fn cloud_profile(new: &BootIndex<'_, '_>, old: &BootIndex<'_, '_>, report: &mut Report<'_>) {
    let all = old.iter().flat_map(|(name, versions)| versions.iter().map(move |version| (name, version)));
    for (name, (version, image)) in all {
        if report.is_full(Severity::Warning) {
            return;
        }
        if !image.ipxe_script_url.is_empty() && new.get(name, version).is_none() {
            let detail = format!("image {name} in version {version} is gone, and its iPXE script with it");
            report.warn(&rules::ADV_009, &MAPPINGS, detail);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::fired;

    /// Rules about disks for pools given as `image`, `volume`, `dataVolumes`.
    fn disks(pools: &[(&str, bool, bool)]) -> Vec<String> {
        let pool = |(index, (image, volume, data)): (usize, &(&str, bool, bool))| {
            let mut pool =
                json!({ "name": index.to_string(), "machine": { "image": { "name": image, "version": "1" } } });
            if *volume {
                pool["volume"] = json!({ "size": "50Gi" });
            }
            if *data {
                pool["dataVolumes"] = json!([{ "name": "d", "size": "50Gi" }]);
            }
            pool
        };
        let workers: Vec<Value> = pools.iter().enumerate().map(pool).collect();
        let provider = json!({ "infrastructureConfig": {}, "workers": workers });
        let request = json!({ "object": { "kind": "Shoot", "spec": { "provider": provider } } });
        let place = |(rule, pointer): (String, String)| {
            format!("{} {}", &rule[4..], pointer.trim_start_matches("/spec/provider/workers"))
        };
        fired(&request).into_iter().map(place).collect()
    }

    #[test]
    fn disks_are_set_up_by_volume_for_all_nodes_of_flatcar() {
        for (pools, expected) in [
            (&[("flatcar", true, true), ("flatcar", true, false)] as &[_], &[] as &[&str]),
            (&[("flatcar", true, false), ("flatcar", false, true)], &["ADV-005 /1/volume"]),
            (&[("ubuntu", true, false), ("ubuntu", true, false)], &["ADV-006 /0/volume", "ADV-006 /1/volume"]),
            (&[("ubuntu", true, false), ("flatcar", true, false)], &["CHK-001 "]),
            (&[("ubuntu", false, false), ("flatcar", false, false)], &[]),
            (&[("flatcar", false, true), ("flatcar", false, false)], &["ADV-007 /0/dataVolumes"]),
        ] {
            assert_eq!(disks(pools), expected, "{pools:?}");
        }
    }

    #[test]
    fn a_change_of_reservations_reaches_new_machines_only() {
        let shoot = |config: Value| {
            let workers = json!([{ "name": "a", "machine": {}, "providerConfig": config }]);
            json!({ "kind": "Shoot", "spec": { "provider": { "infrastructureConfig": {}, "workers": workers } } })
        };
        let changed = |old, new| {
            let fired = fired(&json!({ "object": shoot(new), "oldObject": shoot(old) }));
            fired.iter().any(|(rule, _)| rule == "EQX-ADV-003")
        };
        assert!(changed(json!({ "reservationIDs": ["x"] }), json!({ "reservationIDs": ["y"] })));
        assert!(changed(Value::Null, json!({ "reservedDevicesOnly": true })));
        assert!(!changed(Value::Null, json!({ "kind": "WorkerConfig", "reservedDevicesOnly": false })));
    }
}
