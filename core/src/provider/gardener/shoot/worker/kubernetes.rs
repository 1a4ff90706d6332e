//! The Kubernetes version of a pool.

use crate::document::{Path, Value};
use crate::kube::semver::SemVer;
use crate::kube::version::{NO_VERSION, Version, compare};
use crate::provider::gardener::rules::workers as rules;
use crate::provider::gardener::shoot::Check;
use crate::report::{ErrorType, Report};

/// How many minor versions later an API server does not work with the kubelets of a pool any more.
const TOO_FAR: u64 = 4;

/// Judges the version of a pool by that of the Shoot.
pub fn judge(check: &Check<'_>, pool: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let Some(version) = pool.at(&["kubernetes", "version"]).and_then(Value::as_str) else { return };
    let of_shoot = check.version();
    let kubernetes = path.key("kubernetes");
    let place = kubernetes.key("version");
    // Gardener crashes on such a version, after it compared the text.
    let Some(own) = SemVer::parse(version).and_then(|_| Version::parse(version)) else {
        report.error(&rules::GDN_WRK_032, &place, ErrorType::Invalid, NO_VERSION);
        return;
    };
    match compare(version, ">", of_shoot) {
        Ok(false) => {}
        Ok(true) => {
            let detail = "worker group kubernetes version must not be higher than control plane version";
            report.error(&rules::GDN_WRK_031, &place, ErrorType::Forbidden, detail);
        }
        Err(detail) => {
            report.error(&rules::GDN_WRK_030, &place, ErrorType::Invalid, detail);
        }
    }
    match Version::parse(of_shoot) {
        Some(of_shoot) if of_shoot >= own.minors_later(TOO_FAR) => {
            let detail = "worker group kubernetes version must be at most three minor versions behind control plane version";
            report.error(&rules::GDN_WRK_033, &place, ErrorType::Forbidden, detail);
        }
        Some(_) => {}
        None => {
            report.error(&rules::GDN_WRK_033, &place, ErrorType::Invalid, NO_VERSION);
        }
    }
}
