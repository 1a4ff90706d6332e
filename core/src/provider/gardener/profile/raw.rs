//! Configurations that Gardener hands on to extensions (ADM-RAW).

use crate::document::{Path, Value};
use crate::gardener::shoot::{CONTROL_PLANE, INFRASTRUCTURE, NETWORKING, WORKERS};
use crate::provider::gardener::fields::{items, text};
use crate::provider::gardener::rules::profile as rules;
use crate::report::{ErrorType, Report};

const CONFIG: &str = "providerConfig";

/// Judges every configuration of a Shoot.
pub fn judge(shoot: &Value<'_>, report: &mut Report<'_>) {
    let at = |path: &[&str]| shoot.at(path);
    configuration(at(&["spec", "provider", "infrastructureConfig"]), &INFRASTRUCTURE, report);
    configuration(at(&["spec", "provider", "controlPlaneConfig"]), &CONTROL_PLANE, report);
    configuration(at(&["spec", "networking", CONFIG]), &NETWORKING.key(CONFIG), report);
    for (index, pool) in items(shoot, &["spec", "provider", "workers"]).iter().enumerate() {
        let path = WORKERS.index(index);
        let (machine, cri) = (path.key("machine"), path.key("cri"));
        let (image, runtimes) = (machine.key("image"), cri.key("containerRuntimes"));
        configuration(pool.get(CONFIG), &path.key(CONFIG), report);
        configuration(pool.at(&["machine", "image", CONFIG]), &image.key(CONFIG), report);
        for (index, runtime) in items(pool, &["cri", "containerRuntimes"]).iter().enumerate() {
            configuration(runtime.get(CONFIG), &runtimes.index(index).key(CONFIG), report);
        }
    }
}

fn configuration(config: Option<&Value<'_>>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(config) = config else { return };
    let api_version = text(config, &["apiVersion"]);
    let version = api_version.split_once('/').map_or(api_version, |(_, version)| version);
    if version == "__internal" && !text(config, &["kind"]).is_empty() {
        report.error(&rules::ADM_RAW_001, path, ErrorType::Invalid, "must not use apiVersion 'internal'");
    }
}
