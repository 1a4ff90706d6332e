//! The system disk of a pool.

use super::{Check, Pool, is_usable};
use crate::document::Value;
use crate::kube::quantity::Quantity;
use crate::provider::gardener::fields::{items, named, quantity, supported, text};
use crate::provider::gardener::rules::profile as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report, Reported};

/// Judges type and size of the system disk; the first mistake counts.
pub fn judge(check: &Check<'_>, pool: &Pool<'_, '_>, report: &mut Report<'_>) {
    let volume_type = text(pool.worker, &["volume", "type"]);
    let is_written = pool.worker.at(&["volume", "type"]).is_some();
    let before = pool.old.and_then(|old| old.at(&["volume", "type"])).and_then(Value::as_str);
    let volume = pool.path.key("volume");
    let types = items(check.profile, &["volumeTypes"]);
    let lacks = |name: &str| check.is_unavailable(pool, "unavailableVolumeTypes", name);
    if is_written && before != Some(volume_type) {
        let valid = || {
            let usable = types.iter().filter(|offered| is_usable(offered));
            let names = usable.map(|offered| text(offered, &["name"]));
            let mut valid: Vec<&str> = names.filter(|name| !lacks(name)).collect();
            valid.sort_unstable();
            valid
        };
        let path = volume.key("type");
        let Some(offered) = named(types, volume_type) else {
            let valid = valid();
            let detail = supported(valid.iter().copied());
            let entry = report.error(&rules::ADM_VOL_001, &path, ErrorType::NotSupported, detail);
            if types.is_empty() {
                entry.remedy("Ask the operators of the CloudProfile for a volume type: it has none.");
            } else {
                choose(entry, volume_type, &valid);
            }
            return;
        };
        let mut faults = String::new();
        if !is_usable(offered) {
            faults.push_str("is unusable, ");
        }
        if lacks(volume_type) {
            faults.push_str("is unavailable in at least one zone, ");
        }
        if !faults.is_empty() {
            let valid = valid();
            let detail =
                format!("volume type \"{volume_type}\" {faults}supported types are [{}]", valid.join(" "));
            let entry = report.error(&rules::ADM_VOL_002, &path, ErrorType::Invalid, detail);
            choose(entry, volume_type, &valid);
            return;
        }
    }
    let size = quantity(pool.worker, &["volume", "size"]).and_then(|size| Quantity::parse(size).ok());
    if let (Some(size), Some(least)) = (size, least(check, pool, volume_type))
        && size < least
    {
        let detail = format!("size must be >= {least}");
        report.error(&rules::ADM_VOL_003, &volume.key("size"), ErrorType::Invalid, detail);
    }
}

/// Offers the volume types that fit.
fn choose(entry: Reported<'_>, volume_type: &str, valid: &[&str]) {
    if valid.is_empty() {
        entry.remedy("No volume type of the CloudProfile fits. Choose other zones.");
    } else {
        offer(entry, volume_type, valid, by_likeness);
    }
}

/// The smallest size: what the machine type needs, or the volume type allows.
fn least(check: &Check<'_>, pool: &Pool<'_, '_>, volume_type: &str) -> Option<Quantity> {
    if volume_type.is_empty() {
        return None;
    }
    let read =
        |value: &Value<'_>, path: &[&str]| quantity(value, path).and_then(|text| Quantity::parse(text).ok());
    let machine = named(items(check.profile, &["machineTypes"]), text(pool.worker, &["machine", "type"]));
    let of_machine = machine
        .filter(|machine| text(machine, &["storage", "type"]) == volume_type)
        .and_then(|machine| read(machine, &["storage", "minSize"]));
    let of_type =
        named(items(check.profile, &["volumeTypes"]), volume_type).and_then(|offered| read(offered, &["minSize"]));
    match (of_machine, of_type) {
        (Some(machine), Some(of_type)) => Some(if machine < of_type { of_type } else { machine }),
        (one, other) => one.or(other),
    }
}
