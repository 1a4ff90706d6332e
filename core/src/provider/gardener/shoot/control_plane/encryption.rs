//! The encryption of what etcd keeps (GDN-ENC).

use super::API_SERVER;
use crate::collections::{NameSet, sorted_once};
use crate::document::Value;
use crate::kube::duration::Duration;
use crate::provider::gardener::fields::{items, text, texts};
use crate::provider::gardener::rules::api_server as rules;
use crate::provider::gardener::shoot::one_of;
use crate::report::{ErrorType, Report};
use crate::text::{join, quote};

/// What etcd keeps and no API serves.
const WITHOUT_API: [&str; 3] = ["apiserveripinfo", "serviceipallocations", "servicenodeportallocations"];

/// How etcd's data is encrypted.
const PROVIDERS: [&str; 3] = ["aescbc", "aesgcm", "secretbox"];

/// How long a key of etcd lives before Gardener makes another one.
const ROTATION: &[&str] =
    &["spec", "maintenance", "autoRotation", "credentials", "etcdEncryptionKey", "rotationPeriod"];

/// A resource such as `deployments.apps`, as Gardener compares it: one of the core group needs no dot behind it.
fn plain(resource: &str) -> &str {
    match resource.split_once('.') {
        Some((name, "")) => name,
        _ => resource,
    }
}

/// The resources that a list names, sorted, each once.
pub fn resources<'v>(list: &'v [Value<'_>]) -> Vec<&'v str> {
    sorted_once(texts(list).map(plain).collect())
}

/// Judges the configuration of a Shoot's API server.
pub fn judge(shoot: &Value<'_>, server: &Value<'_>, report: &mut Report<'_>) {
    let Some(config) = server.get("encryptionConfig") else { return };
    let path = API_SERVER.key("encryptionConfig");
    let all = path.key("resources");
    let mut seen = NameSet::new();
    let listed = items(config, &["resources"]);
    for (index, resource) in texts(listed).enumerate() {
        let group = resource.split_once('.').map(|(_, group)| group).unwrap_or_default();
        let place = all.index(index);
        for (is_wrong, rule, detail) in [
            (resource.to_lowercase() != resource, &rules::GDN_ENC_001, "resource must be lower case"),
            (
                WITHOUT_API.contains(&resource),
                &rules::GDN_ENC_002,
                "resources which do not have REST API/s cannot be encrypted",
            ),
            (resource.ends_with('.'), &rules::GDN_ENC_003, "resource should not end with '.'"),
            (resource.bytes().any(|byte| byte == b'*'), &rules::GDN_ENC_004, "wildcards are not supported"),
            (
                group == "events.k8s.io",
                &rules::GDN_ENC_005,
                "'*.events.k8s.io' objects are stored using the 'events' API group in etcd. Use 'events' instead",
            ),
            (
                group == "extensions",
                &rules::GDN_ENC_006,
                "'extensions' group has been removed and cannot be used for encryption",
            ),
        ] {
            if is_wrong {
                report.error(rule, &place, ErrorType::Invalid, detail);
            }
        }
        if !seen.insert(plain(resource)) {
            report.error(&rules::GDN_ENC_007, &place, ErrorType::Duplicate, "").fix_removal_from(listed);
        }
        if plain(resource) == "secrets" {
            let detail = join(&[&quote(resource), "are always encrypted"], " ");
            report.error(&rules::GDN_ENC_008, &place, ErrorType::Forbidden, detail).fix_removal_from(listed);
        }
    }
    let provider = path.key("provider");
    if let Some(at_rest) = config.get("provider") {
        one_of(&rules::GDN_ENC_009, at_rest, "type", &PROVIDERS, &provider, report);
    }
    let is_rotated = Duration::parse(text(shoot, ROTATION)).is_ok_and(|period| period != Duration::default());
    if text(config, &["provider", "type"]) == "aesgcm" && !is_rotated {
        let detail = "etcdEncryptionKey auto rotation must be enabled when encryption at rest provider is AES-GCM";
        report.error(&rules::GDN_ENC_010, &provider.key("type"), ErrorType::Forbidden, detail);
    }
}
