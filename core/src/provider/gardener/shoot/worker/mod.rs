//! A worker pool (GDN-WRK).

mod control_plane;
mod kubernetes;
mod machine;
mod node;
mod replacement;
mod settings;
mod volume;

use super::metadata::{label, too_long};
use super::{Check, one_of};
use crate::document::{Path, Value};
use crate::provider::gardener::fields::{integer, text};
use crate::provider::gardener::rules::workers as rules;
use crate::report::{ErrorType, Report, Rule};
use crate::text::is_certificate;

/// The longest name of a pool or of a disk, in bytes.
const MOST_OF_NAME: usize = 15;

const STRATEGIES: [&str; 3] = ["AutoInPlaceUpdate", "AutoRollingUpdate", "ManualInPlaceUpdate"];

/// Judges a pool, in the order in which Gardener does.
pub fn judge(check: &Check<'_>, pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let (name, at_name) = (text(pool, &["name"]), path.key("name"));
    label(&rules::GDN_WRK_001, name, &at_name, report);
    if name.len() > MOST_OF_NAME {
        too_long(&rules::GDN_WRK_002, MOST_OF_NAME, &at_name, report);
    }
    machine::judge(check, pool, path, report);
    replacement::judge(pool, path, report);
    node::judge(pool, path, report);
    kubernetes::judge(check, pool, path, report);
    if pool.at(&["caBundle"]).and_then(Value::as_str).is_some_and(|bundle| !is_certificate(bundle)) {
        let detail = "caBundle is not a valid PEM-encoded certificate";
        report.error(&rules::GDN_WRK_040, &path.key("caBundle"), ErrorType::Invalid, detail);
    }
    volume::judge(pool, path, report);
    machine::runtime(pool, path, report);
    settings::judge(pool, path, report);
    one_of(&rules::GDN_WRK_059, pool, "updateStrategy", &STRATEGIES, path, report);
    if integer(pool, &["priority"]) < -1 {
        report.error(&rules::GDN_WRK_060, &path.key("priority"), ErrorType::Invalid, "can not be less than -1");
    }
    control_plane::judge(check, pool, path, report);
    node::sysctls(pool, path, report);
}

/// Judges the name of a pool's disk.
fn disk_name(rule: &'static Rule, name: &str, path: &Path<'_>, report: &mut Report<'_>) {
    if name.is_empty() {
        report.error(rule, path, ErrorType::Required, "must specify a name");
        return;
    }
    label(rule, name, path, report);
    if name.len() > MOST_OF_NAME {
        too_long(rule, MOST_OF_NAME, path, report);
    }
}
