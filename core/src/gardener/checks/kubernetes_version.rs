//! Advice on the version of Kubernetes.

use crate::document::{Path, Value};
use crate::gardener::types::shoot::{KUBERNETES_VERSION, kubernetes_version};
use crate::report::{Report, Rule};

/// A version is a text: of a number, YAML drops the zeros at the end.
pub fn check_is_text(rule: &'static Rule, shoot: &Value<'_>, report: &mut Report<'_>) {
    if let (version, true) = kubernetes_version(shoot) {
        let detail = format!("the number {version} is not a version; YAML drops what a number does not need");
        report
            .warn(rule, &Path::root("spec.kubernetes.version", KUBERNETES_VERSION), detail)
            .remedy(format!("Put the version into quotes: `\"{version}\"`."))
            .fix_value(&Value::string(version));
    }
}
