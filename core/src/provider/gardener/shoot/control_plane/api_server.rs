//! The kube-apiserver (GDN-API).

use super::{API_SERVER, admission_plugins, authentication, autoscaling, encryption, runtime_config};
use crate::document::Value;
use crate::kube::duration;
use crate::kube::names::{label_faults, subdomain_faults};
use crate::kube::version::is_at_least;
use crate::provider::gardener::fields::{integer, items, text};
use crate::provider::gardener::rules::api_server as rules;
use crate::provider::gardener::shoot::limits::Measure::Integer;
use crate::provider::gardener::shoot::limits::{self, Limit, NOT_NEGATIVE};
use crate::provider::gardener::shoot::{Check, feature_gates, one_of};
use crate::report::{ErrorType, Report, Rule};
use crate::text::{join, quote};

/// The least that the autoscaling of the API server may allow.
const LEAST: [(&str, &str); 2] = [("cpu", "20m"), ("memory", "200M")];

static LOGS_AND_TOLERATIONS: [Limit; 4] = [
    Limit::of(&rules::GDN_API_025, "verbosity", Integer, NOT_NEGATIVE).within("logging"),
    Limit::of(&rules::GDN_API_025, "httpAccessVerbosity", Integer, NOT_NEGATIVE).within("logging"),
    Limit::of(&rules::GDN_API_027, "defaultNotReadyTolerationSeconds", Integer, NOT_NEGATIVE),
    Limit::of(&rules::GDN_API_027, "defaultUnreachableTolerationSeconds", Integer, NOT_NEGATIVE),
];

static REQUESTS: [Limit; 4] = [
    requests(&rules::GDN_API_028, "maxNonMutatingInflight", NOT_NEGATIVE),
    requests(&rules::GDN_API_028, "maxNonMutatingInflight", "cannot set higher than 5000")
        .at_least(i64::MIN)
        .at_most(5000),
    requests(&rules::GDN_API_029, "maxMutatingInflight", NOT_NEGATIVE),
    requests(&rules::GDN_API_029, "maxMutatingInflight", "cannot set higher than 2500")
        .at_least(i64::MIN)
        .at_most(2500),
];

const fn requests(rule: &'static Rule, key: &'static str, detail: &'static str) -> Limit {
    Limit::of(rule, key, Integer, detail).within("requests")
}

/// Judges the API server, in the order in which Gardener does.
pub fn judge(check: &Check<'_>, kubernetes: &Value<'_>, report: &mut Report<'_>) {
    let Some(server) = kubernetes.get("kubeAPIServer") else { return };
    let version = check.version();
    if server.get("enableAnonymousAuthentication").is_some() && is_at_least(version, 35) {
        let path = API_SERVER.key("enableAnonymousAuthentication");
        let detail = "for Kubernetes versions >= 1.35, enableAnonymousAuthentication field is no longer supported";
        report.error(&rules::GDN_API_001, &path, ErrorType::Forbidden, detail).fix_removal();
    }
    admission_plugins::judge(check.garden, items(server, &["admissionPlugins"]), version, report);
    runtime_config::judge(check, server.get("runtimeConfig"), report);
    audit(server, report);
    authentication::structured(server, report);
    watch_cache(server, version, report);
    limits::judge(&LOGS_AND_TOLERATIONS, server, &API_SERVER, report);
    encryption::judge(check.shoot, server, report);
    limits::judge(&REQUESTS, server, &API_SERVER, report);
    authentication::service_accounts(check, server, report);
    events(check, server, report);
    one_of(&rules::GDN_API_041, server, "tlsMinVersion", &["VersionTLS12", "VersionTLS13"], &API_SERVER, report);
    if let Some(scaling) = server.get("autoscaling") {
        autoscaling::judge(scaling, &LEAST, &API_SERVER.key("autoscaling"), report);
    }
    feature_gates::judge(check.garden, server, version, &API_SERVER, report);
    authentication::audiences(items(server, &["apiAudiences"]), report);
}

fn audit(server: &Value<'_>, report: &mut Report<'_>) {
    let Some(reference) = server.at(&["auditConfig", "auditPolicy", "configMapRef"]) else { return };
    let config = API_SERVER.key("auditConfig");
    let policy = config.key("auditPolicy");
    let path = policy.key("configMapRef");
    let name = text(reference, &["name"]);
    if name.is_empty() {
        report.error(&rules::GDN_API_014, &path.key("name"), ErrorType::Required, "must provide a name");
    } else {
        for fault in subdomain_faults(name) {
            report.error(&rules::GDN_API_014, &path.key("name"), ErrorType::Invalid, fault);
        }
    }
    let namespace = text(reference, &["namespace"]);
    if !namespace.is_empty() {
        for fault in label_faults(namespace) {
            report.error(&rules::GDN_API_015, &path.key("namespace"), ErrorType::Invalid, fault);
        }
    }
}

fn watch_cache(server: &Value<'_>, version: &str, report: &mut Report<'_>) {
    let Some(sizes) = server.get("watchCacheSizes") else { return };
    let path = API_SERVER.key("watchCacheSizes");
    if sizes.get("default").is_some() {
        let path = path.key("default");
        if is_at_least(version, 35) {
            let detail =
                "for Kubernetes versions >= 1.35, configuring the default watch cache size is no longer supported";
            report.error(&rules::GDN_API_021, &path, ErrorType::Forbidden, detail).fix_removal();
        } else if integer(sizes, &["default"]) < 0 {
            report.error(&rules::GDN_API_021, &path, ErrorType::Invalid, NOT_NEGATIVE);
        }
    }
    let all = path.key("resources");
    for (index, size) in items(sizes, &["resources"]).iter().enumerate() {
        let path = all.index(index);
        for &(rule, key, excluded) in
            &[(&rules::GDN_API_022, "resource", ",. #"), (&rules::GDN_API_023, "apiGroup", ", #")]
        {
            let (name, place) = (text(size, &[key]), path.key(key));
            if name.is_empty() {
                if key == "resource" {
                    report.error(rule, &place, ErrorType::Required, "must not be empty");
                }
                continue;
            }
            if name.to_lowercase() != name {
                report.error(rule, &place, ErrorType::Invalid, "must be lower case");
            }
            if name.chars().any(|char| excluded.chars().any(|other| other == char)) {
                let detail = join(&["must not contain any of the following characters:", &quote(excluded)], " ");
                report.error(rule, &place, ErrorType::Invalid, detail);
            }
        }
        if integer(size, &["size"]) < 0 {
            report.error(&rules::GDN_API_024, &path.key("size"), ErrorType::Invalid, NOT_NEGATIVE);
        }
    }
}

fn events(check: &Check<'_>, server: &Value<'_>, report: &mut Report<'_>) {
    let Ok(kept) = duration::Duration::parse(text(server, &["eventTTL"])) else { return };
    let path = API_SERVER.key("eventTTL");
    if kept < duration::Duration::default() {
        report.error(&rules::GDN_API_026, &path, ErrorType::Invalid, "can not be negative");
    }
    // On an update, older releases make it a day.
    if kept > duration::Duration::from_hours(24) && (check.old.is_none() || check.garden.is_from(147)) {
        report.error(&rules::GDN_API_026, &path, ErrorType::Invalid, "can not be longer than 24h");
    }
}
