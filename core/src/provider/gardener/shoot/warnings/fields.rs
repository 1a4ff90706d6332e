//! What later versions of Kubernetes refuse (WRN-020 to 031).

use crate::document::{PatchOperation, Path, Value};
use crate::kube::version::{compare, is_at_least};
use crate::provider::gardener::fields::{flag, items, text};
use crate::provider::gardener::rules::warnings as rules;
use crate::provider::gardener::shoot::Check;
use crate::provider::gardener::shoot::operations::{ENCRYPTION_COMPLETE, ENCRYPTION_START, OPERATION};
use crate::provider::gardener::shoot::profile_reference::renamed;
use crate::report::{Report, Reported, Rule};
use crate::text::join;

const SPEC: Path<'_> = Path::root("spec", "/spec");
const KUBERNETES: Path<'_> = Path::root("spec.kubernetes", "/spec/kubernetes");
const API_SERVER: Path<'_> = Path::root("spec.kubernetes.kubeAPIServer", "/spec/kubernetes/kubeAPIServer");
const ANNOTATIONS: Path<'_> = Path::root("metadata.annotations", "/metadata/annotations");
const PROVIDERS: Path<'_> = Path::root("spec.dns.providers", "/spec/dns/providers");

/// Warns of fields and values, in the order in which Gardener does.
pub fn judge(check: &Check<'_>, report: &mut Report<'_>) {
    let kubernetes = |keys| check.shoot.at(&["spec", "kubernetes"]).and_then(|kubernetes| kubernetes.at(keys));
    if kubernetes(&["kubeControllerManager", "podEvictionTimeout"]).is_some() {
        let manager = KUBERNETES.key("kubeControllerManager");
        let more = "The field does not have effect since Kubernetes 1.13 and is forbidden to be set starting from Kubernetes 1.33. Instead, \
                    use the spec.kubernetes.kubeAPIServer.(defaultNotReadyTolerationSeconds/defaultUnreachableTolerationSeconds) fields.";
        set(&rules::WRN_020, &manager.key("podEvictionTimeout"), more, report).fix_removal();
    }
    operation(check, report);
    if let Some(scaler) = kubernetes(&["clusterAutoscaler"]) {
        bulk(check, scaler, report);
    }
    profile(check, report);
    addons(check, report);
    proxy(check, report);
    if kubernetes(&["kubeScheduler", "kubeMaxPDVols"]).is_some() {
        let scheduler = KUBERNETES.key("kubeScheduler");
        let more = "The field has been deprecated and is forbidden to be set starting from Kubernetes 1.35. The kubeMaxPDVols configuration \
                    is no longer necessary as values are set by the respective CSI driver.";
        set(&rules::WRN_027, &scheduler.key("kubeMaxPDVols"), more, report).fix_removal();
    }
    if check.shoot.at(&["spec", "secretBindingName"]).is_some() {
        let detail = "spec.secretBindingName is deprecated and will be disallowed starting with Kubernetes 1.34. For migration instructions, \
                      see: https://github.com/gardener/gardener/blob/master/docs/usage/shoot-operations/secretbinding-to-credentialsbinding-migration.md";
        report.warn(&rules::WRN_028, &SPEC.key("secretBindingName"), detail);
    }
    if let Some(anonymous) = kubernetes(&["kubeAPIServer", "enableAnonymousAuthentication"]) {
        let more = "The field is deprecated. Using Kubernetes v1.32 and above, please use anonymous authentication configuration. See: \
                    https://kubernetes.io/docs/reference/access-authn-authz/authentication/#anonymous-authenticator-configuration";
        let entry = set(&rules::WRN_029, &API_SERVER.key("enableAnonymousAuthentication"), more, report);
        if *anonymous == Value::Bool(false) {
            entry.fix_removal();
        }
    }
    if kubernetes(&["kubeAPIServer", "watchCacheSizes", "default"]).is_some() {
        let sizes = API_SERVER.key("watchCacheSizes");
        let more = "The field has been deprecated and is forbidden to be set starting from Kubernetes 1.35. The cache size is automatically \
                    sized by the kube-apiserver.";
        set(&rules::WRN_030, &sizes.key("default"), more, report).fix_removal();
    }
    dns(check, report);
}

/// Warns of a field that a person sets.
fn set<'r>(rule: &'static Rule, path: &Path<'_>, more: &str, report: &'r mut Report<'_>) -> Reported<'r> {
    let detail = join(&["you are setting the ", &path.field(), " field. ", more], "");
    report.warn(rule, path, detail)
}

/// Warns of an operation that is a part of another one.
fn operation(check: &Check<'_>, report: &mut Report<'_>) {
    let operation = text(check.shoot, &["metadata", "annotations", OPERATION]);
    if matches!(operation, ENCRYPTION_START | ENCRYPTION_COMPLETE) {
        let words = [
            "you are setting the operation annotation to ",
            operation,
            ". This annotation has been deprecated and is forbidden to be set starting from Kubernetes 1.34. Instead, use the \
             rotate-etcd-encryption-key annotation, which performs a full rotation of the ETCD encryption key.",
        ];
        report.warn(&rules::WRN_021, &ANNOTATIONS.entry(OPERATION), join(&words, ""));
    }
}

/// Warns of the older one of two fields that say how many nodes are deleted at once.
fn bulk(check: &Check<'_>, scaler: &Value<'_>, report: &mut Report<'_>) {
    let Some(number) = scaler.get("maxEmptyBulkDelete") else { return };
    if compare(check.version(), "<", "1.33") != Ok(true) || check.waits_for_version() {
        return;
    }
    let path = KUBERNETES.key("clusterAutoscaler");
    let place = path.key("maxEmptyBulkDelete");
    let more = "The field has been deprecated and is forbidden to be set starting from Kubernetes 1.33. The value is not used and will be set \
                to nil. Instead, use the spec.kubernetes.clusterAutoscaler.maxScaleDownParallelism field.";
    let newer = path.key("maxScaleDownParallelism").pointer();
    // Where nobody wrote the newer field, it has the number of the older one by default.
    let newer = PatchOperation::add(newer, scaler.get("maxScaleDownParallelism").unwrap_or(number));
    let operations = vec![newer, PatchOperation::remove(place.pointer())];
    set(&rules::WRN_022, &place, more, report).fix(operations);
}

/// Warns of the older one of two ways to name the profile.
fn profile(check: &Check<'_>, report: &mut Report<'_>) {
    let name = text(check.shoot, &["spec", "cloudProfileName"]);
    if name.is_empty() || !is_at_least(check.version(), 33) {
        return;
    }
    let place = SPEC.key("cloudProfileName");
    let more = "The field is deprecated and will be forcefully set empty starting with Kubernetes 1.34. Use the new spec.cloudProfile.name \
                field instead.";
    set(&rules::WRN_023, &place, more, report).fix(renamed(check.shoot));
}

/// Warns of addons, also of those that are off.
fn addons(check: &Check<'_>, report: &mut Report<'_>) {
    let Some(addons) = check.shoot.at(&["spec", "addons"]) else { return };
    let more = "The field is deprecated and will be forbidden starting with Kubernetes 1.35.";
    let is_on = |addon| flag(addons, &[addon, "enabled"]) == Some(true);
    let is_any_on = ["kubernetesDashboard", "nginxIngress"].into_iter().any(is_on);
    let entry = set(&rules::WRN_024, &SPEC.key("addons"), more, report);
    if !is_any_on {
        entry.remedy("Remove `addons`: none is on.").fix_removal();
    }
}

/// Warns of a proxy in a mode that Kubernetes gives up.
fn proxy(check: &Check<'_>, report: &mut Report<'_>) {
    let is_ipvs = |shoot: &Value<'_>| {
        let proxy = shoot.at(&["spec", "kubernetes", "kubeProxy"]);
        proxy.is_some_and(|proxy| flag(proxy, &["enabled"]) == Some(true) && text(proxy, &["mode"]) == "IPVS")
    };
    if !is_ipvs(check.shoot) {
        return;
    }
    let proxy = KUBERNETES.key("kubeProxy");
    let mut warn = |rule, beginning| {
        let more = " IPVS mode for kube-proxy. The IPVS mode is deprecated starting with Kubernetes 1.35. Please switch to iptables or \
                    nftables mode.";
        report.warn(rule, &proxy.key("mode"), join(&[beginning, more], ""));
    };
    if is_at_least(check.version(), 35) {
        warn(&rules::WRN_025, "you are using");
    } else if check.old.is_some_and(|old| !is_ipvs(old)) && !check.waits_for_version() {
        warn(&rules::WRN_026, "you have switched to");
    }
}

/// Warns of the older one of two ways to name the credentials of a DNS provider.
fn dns(check: &Check<'_>, report: &mut Report<'_>) {
    for (index, provider) in items(check.shoot, &["spec", "dns", "providers"]).iter().enumerate() {
        if provider.get("secretName").is_none() {
            continue;
        }
        let provider = PROVIDERS.index(index);
        let more = [
            "The field is deprecated and is forbidden to be set starting from Kubernetes 1.35. Use ",
            &provider.key("credentialsRef").field(),
            " instead.",
        ];
        set(&rules::WRN_031, &provider.key("secretName"), &join(&more, ""), report);
    }
}
