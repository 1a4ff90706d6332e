//! Whose credentials allow a pod to use an image that the node has (GDN-KLT-025 to 029).

use crate::document::{Path, Value};
use crate::kube::image_reference;
use crate::kube::version::{Version, compare};
use crate::provider::gardener::fields::{flag, items, text};
use crate::provider::gardener::rules::kubelet as rules;
use crate::provider::gardener::shoot::one_of;
use crate::report::{ErrorType, Report};
use crate::text::join;

const POLICY: &str = "imagePullCredentialsVerificationPolicy";
const ALLOWED: &str = "preloadedImagesVerificationAllowlist";
const BY_LIST: &str = "NeverVerifyAllowlistedImages";
const POLICIES: [&str; 4] = ["AlwaysVerify", "NeverVerify", BY_LIST, "NeverVerifyPreloadedImages"];

/// Judges the policy, and the list of images that it is about.
pub fn judge(kubelet: &Value<'_>, version: &str, path: &Path<'_>, report: &mut Report<'_>) {
    let policy = kubelet.get(POLICY).and_then(Value::as_str);
    if policy.is_some() {
        let place = path.key(POLICY);
        if Version::parse(version).is_some() && compare(version, "<", "1.35") == Ok(true) {
            let detail = join(&[POLICY, "is only available for Kubernetes versions >= 1.35"], " ");
            report.error(&rules::GDN_KLT_025, &place, ErrorType::Forbidden, detail);
        }
        if flag(kubelet, &["featureGates", "KubeletEnsureSecretPulledImages"]) == Some(false) {
            let detail = join(
                &[POLICY, "may not be set when the KubeletEnsureSecretPulledImages feature gate is disabled"],
                " ",
            );
            report.error(&rules::GDN_KLT_026, &place, ErrorType::Forbidden, detail);
        }
        one_of(&rules::GDN_KLT_027, kubelet, POLICY, &POLICIES, path, report);
    }
    let Some(Value::Array(_)) = kubelet.get(ALLOWED) else { return };
    let place = path.key(ALLOWED);
    if policy != Some(BY_LIST) {
        let detail = join(&[ALLOWED, "may only be set when", POLICY, "is set to", BY_LIST], " ");
        report.error(&rules::GDN_KLT_028, &place, ErrorType::Forbidden, detail);
        return;
    }
    for (index, entry) in items(kubelet, &[ALLOWED]).iter().enumerate() {
        if let Err(detail) = check(text(entry, &[])) {
            report.error(&rules::GDN_KLT_029, &place.index(index), ErrorType::Invalid, detail);
        }
    }
}

/// What is wrong with a pattern of images.
fn check(pattern: &str) -> Result<(), String> {
    if pattern.trim() != pattern {
        return Err("leading/trailing spaces are not allowed".into());
    }
    let (name, is_wide) = match pattern.strip_suffix("/*") {
        Some(name) => (join(&[name, "/"], ""), true),
        None => (pattern.to_owned(), false),
    };
    if name.is_empty() {
        return Err("the supplied pattern is too short".into());
    }
    if name.bytes().any(|byte| byte == b'*') {
        return Err("not a valid wildcard pattern, only patterns ending with '/*' are allowed".into());
    }
    if is_wide {
        return if name == "/" { Err("at least registry hostname is required".into()) } else { Ok(()) };
    }
    let reference = image_reference::read(pattern)
        .map_err(|error| join(&["failed to parse as an image name:", &error.to_string()], " "))?;
    if reference.names_one {
        Err("neither tag nor digest is accepted in an image reference".into())
    } else {
        Ok(())
    }
}
