//! The disks of a pool.

use super::disk_name;
use crate::document::{Path, Value};
use crate::provider::gardener::fields::{items, named, text};
use crate::provider::gardener::rules::workers as rules;
use crate::report::{ErrorType, Report};
use crate::text::join;

/// Judges system disk and data volumes.
pub fn judge(pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let system = path.key("volume");
    if let Some(volume) = pool.at(&["volume"]) {
        if let Some(name) = volume.get("name").and_then(Value::as_str) {
            disk_name(&rules::GDN_WRK_041, name, &system.key("name"), report);
        }
        if !is_size(text(volume, &["size"])) {
            let detail = "volume size must match the regex ^(\\d)+Gi$";
            report.error(&rules::GDN_WRK_042, &system.key("size"), ErrorType::Invalid, detail);
        }
    }
    let (all, volumes) = (path.key("dataVolumes"), items(pool, &["dataVolumes"]));
    if !volumes.is_empty() && pool.at(&["volume"]).is_none() {
        let detail = "a worker volume must be defined if data volumes are defined";
        report.error(&rules::GDN_WRK_043, &system, ErrorType::Required, detail);
    }
    let mut seen: Vec<&str> = Vec::new();
    for (index, volume) in volumes.iter().enumerate() {
        let (name, entry) = (text(volume, &["name"]), all.index(index));
        disk_name(&rules::GDN_WRK_044, name, &entry.key("name"), report);
        if seen.contains(&name) {
            report.error(&rules::GDN_WRK_045, &entry.key("name"), ErrorType::Duplicate, "");
        }
        seen.push(name);
        if !is_size(text(volume, &["size"])) {
            let detail = "data volume size must match the regex ^(\\d)+Gi$";
            report.error(&rules::GDN_WRK_046, &entry.key("size"), ErrorType::Invalid, detail);
        }
    }
    if let Some(name) = pool.at(&["kubeletDataVolumeName"]).and_then(Value::as_str)
        && named(volumes, name).is_none()
    {
        let detail = join(&["KubeletDataVolumeName refers to unrecognized data volume", name], " ");
        report.error(&rules::GDN_WRK_047, &path.key("kubeletDataVolumeName"), ErrorType::Invalid, detail);
    }
}

fn is_size(text: &str) -> bool {
    let number = text.strip_suffix("Gi").unwrap_or_default();
    !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit())
}
