//! The kube-proxy (GDN-KPXY).

use super::{KUBERNETES, gate};
use crate::document::Value;
use crate::provider::gardener::fields::text;
use crate::provider::gardener::rules::control_plane as rules;
use crate::provider::gardener::shoot::{Check, feature_gates, one_of};
use crate::report::{ErrorType, Report};

/// How the proxy forwards.
const MODES: [&str; 3] = ["IPTables", "IPVS", "NFTables"];

/// Judges the proxy of a Shoot with workers.
pub fn judge(check: &Check<'_>, kubernetes: &Value<'_>, report: &mut Report<'_>) {
    let Some(proxy) = kubernetes.get("kubeProxy") else { return };
    let path = KUBERNETES.key("kubeProxy");
    one_of(&rules::GDN_KPXY_002, proxy, "mode", &MODES, &path, report);
    if text(proxy, &["mode"]) == "NFTables" && gate(proxy, "NFTablesProxyMode") == Some(false) {
        let detail = "NFTables mode cannot be used when feature gate NFTablesProxyMode is explicitly set to false";
        report.error(&rules::GDN_KPXY_003, &path.key("mode"), ErrorType::Invalid, detail);
    }
    feature_gates::judge(check.garden, proxy, check.version(), &path, report);
}
