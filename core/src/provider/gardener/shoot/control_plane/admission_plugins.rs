//! The admission plug-ins of the kube-apiserver (GDN-API-002 to 010).

use super::API_SERVER;
use crate::document::{Path, Value};
use crate::kube::admission_plugins::{find, is_configurable, is_required, names};
use crate::kube::listing::Entry;
use crate::kube::semver::SemVer;
use crate::kube::version::{NO_VERSION, Version};
use crate::provider::gardener::fields::{flag, text};
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::rules::api_server as rules;
use crate::provider::gardener::structure::nearest::{by_likeness, offer};
use crate::report::{ErrorType, Report};
use crate::text::{join, quote};

/// Where the whole fails that depends on the version; the version is what a person fixes.
const ALL_BY_VERSION: Path<'_> =
    Path::root("spec.kubernetes.kubeAPIServer.admissionPlugins", "/spec/kubernetes/version");

/// The plug-ins that may ask a server outside the cluster.
const ASKING: [&str; 3] = ["ImagePolicyWebhook", "MutatingAdmissionWebhook", "ValidatingAdmissionWebhook"];

/// The versions of `PodSecurityConfiguration`.
const POD_SECURITY: [&str; 3] = [
    "pod-security.admission.config.k8s.io/v1",
    "pod-security.admission.config.k8s.io/v1alpha1",
    "pod-security.admission.config.k8s.io/v1beta1",
];

/// Judges the plug-ins that a person lists.
pub fn judge(garden: Garden, plugins: &[Value<'_>], version: &str, report: &mut Report<'_>) {
    if SemVer::parse(version).is_none() {
        report.error(&rules::GDN_API_002, &ALL_BY_VERSION, ErrorType::Internal, NO_VERSION);
        return;
    }
    let all = API_SERVER.key("admissionPlugins");
    for (index, plugin) in plugins.iter().enumerate() {
        let (name, path) = (text(plugin, &["name"]), all.index(index));
        let place = path.key("name");
        if name.is_empty() {
            report.error(&rules::GDN_API_003, &place, ErrorType::Required, "must provide a name");
            return;
        }
        let reported = join(&["admission plugin ", &quote(name)], "");
        let Some(known) = find(name, garden.newest_kubernetes()) else {
            let entry =
                report.error(&rules::GDN_API_004, &place, ErrorType::Invalid, join(&["unknown", &reported], " "));
            offer(entry, name, &names(garden.newest_kubernetes()), by_likeness);
            continue;
        };
        if !Version::parse(version).is_some_and(|version| known.interval.contains(version)) {
            let detail = join(&[&reported, "is not supported in Kubernetes version", version], " ");
            report.error(&rules::GDN_API_005, &place, ErrorType::Forbidden, detail);
            continue;
        }
        settings(plugin, &known, &reported, &path, report);
    }
}

/// Judges the settings of a plug-in, with its name as messages have it.
fn settings(plugin: &Value<'_>, known: &Entry<'_>, reported: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let config = plugin.get("config");
    if config.is_some() && !is_configurable(known) {
        let detail = join(&[reported, "does not allow configuration"], " ");
        report.error(&rules::GDN_API_006, &path.key("config"), ErrorType::Forbidden, detail).fix_removal();
    }
    if flag(plugin, &["disabled"]) == Some(true) && is_required(known) {
        let detail = join(&[reported, "cannot be disabled"], " ");
        report.error(&rules::GDN_API_007, path, ErrorType::Forbidden, detail);
    }
    if plugin.get("kubeconfigSecretName").is_some() && !ASKING.contains(&known.name) {
        let detail = join(&[reported, "does not allow specifying external kubeconfig"], " ");
        let place = path.key("kubeconfigSecretName");
        report.error(&rules::GDN_API_008, &place, ErrorType::Forbidden, detail).fix_removal();
    }
    if let Some(config) = config.filter(|_| known.name == "PodSecurity") {
        pod_security(config, &path.key("config"), report);
    }
}

/// Judges whether Kubernetes can read the configuration of pod security. It ignores unknown fields, and nobody
/// judges the levels.
fn pod_security(config: &Value<'_>, path: &Path<'_>, report: &mut Report<'_>) {
    let mut unreadable = |words: &str| {
        let detail = join(&["cannot decode the given config: ", words], "");
        report.error(&rules::GDN_API_010, path, ErrorType::Invalid, detail);
    };
    let is_text = |key| config.get(key).is_none_or(|value| value.as_str().is_some());
    if !matches!(config, Value::Object(_)) || !is_text("kind") || !is_text("apiVersion") {
        unreadable("couldn't get version/kind; json parse error");
        return;
    }
    for (key, reported) in [("kind", "Kind"), ("apiVersion", "apiVersion")] {
        if text(config, &[key]).is_empty() {
            unreadable(&join(&["Object '", reported, "' is missing in '", &config.to_string(), "'"], ""));
            return;
        }
    }
    if text(config, &["kind"]) != "PodSecurityConfiguration"
        || !POD_SECURITY.contains(&text(config, &["apiVersion"]))
    {
        let detail = "expected pod-security.admission.config.k8s.io/v1.PodSecurityConfiguration";
        report.error(&rules::GDN_API_009, path, ErrorType::Invalid, detail);
    } else if let Some(key) = misshapen(config) {
        unreadable(&join(&["`", key, "` has a value of a wrong type"], ""));
    }
}

/// The part of the configuration that has a value of a wrong type.
fn misshapen(config: &Value<'_>) -> Option<&'static str> {
    let is_text = |value: &Value<'_>| matches!(value, Value::Null | Value::String(_));
    let is_list = |value: &Value<'_>| match value {
        Value::Null => true,
        Value::Array(entries) => entries.iter().all(is_text),
        _ => false,
    };
    let has = |key, fields: &[&str], is_right: &dyn Fn(&Value<'_>) -> bool| match config.get(key) {
        None => true,
        Some(part @ Value::Object(_)) => fields.iter().all(|field| part.get(field).is_none_or(is_right)),
        Some(_) => false,
    };
    let levels = ["enforce", "enforce-version", "audit", "audit-version", "warn", "warn-version"];
    if !has("defaults", &levels, &is_text) {
        Some("defaults")
    } else if !has("exemptions", &["usernames", "namespaces", "runtimeClasses"], &is_list) {
        Some("exemptions")
    } else {
        None
    }
}
