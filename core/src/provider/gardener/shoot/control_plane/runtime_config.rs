//! The APIs that the kube-apiserver serves (GDN-API-011 to 013).

use super::API_SERVER;
use crate::document::Value;
use crate::kube::api_groups::find;
use crate::kube::names::entries;
use crate::kube::version::{NO_VERSION, Version};
use crate::provider::gardener::rules::api_server as rules;
use crate::provider::gardener::shoot::Check;
use crate::report::{ErrorType, Report};
use crate::text::{join, quote};

/// Judges what a person switches on and off.
pub fn judge(check: &Check<'_>, apis: Option<&Value<'_>>, report: &mut Report<'_>) {
    let (version, has_workers) = (check.version(), !check.workers().is_empty());
    let path = API_SERVER.key("runtimeConfig");
    for (name, value) in entries(apis) {
        let place = path.entry(name);
        let api = match find(name, has_workers, check.garden.newest_kubernetes()) {
            Ok(api) => api,
            Err(detail) => {
                report.error(&rules::GDN_API_011, &place, ErrorType::Invalid, detail).at_key();
                continue;
            }
        };
        let reported = join(&["api ", &quote(name)], "");
        match Version::parse(version) {
            None => {
                report.error(&rules::GDN_API_011, &place, ErrorType::Invalid, NO_VERSION);
                continue;
            }
            Some(parsed) if !api.interval.contains(parsed) => {
                let detail = format!(
                    "{reported} is not supported in Kubernetes version {version}, only supported in {}",
                    api.interval
                );
                report.error(&rules::GDN_API_012, &place, ErrorType::Forbidden, detail).fix_removal();
                continue;
            }
            Some(_) => {}
        }
        if matches!(value, Value::Bool(true)) {
            continue;
        }
        let tail = if has_workers { " cannot be disabled" } else { " cannot be disabled for workerless clusters" };
        for required in api.required {
            let detail = join(&["api ", &quote(&required), tail], "");
            report.error(&rules::GDN_API_013, &place, ErrorType::Forbidden, detail).fix_removal();
        }
    }
}
