//! Hashes of worker pools: a hash that changes replaces every node of its pool, and one for updates in place
//! changes them (`gardener-contract` 3.5, `alicloud-policy` 5.6).
//!
//! A pool with a node agent Secret has the new hash, of that Secret's name. A pool without one has the old hash,
//! of what the name stands for.

use std::borrow::Cow;
use std::fmt::Write as _;

use super::Pool;
use super::pool::KubeletConfig;
use crate::document::Value;
use crate::kube::quantity::Quantity;
use crate::kube::semver::SemVer;
use crate::kube::time::Time;
use crate::kube::version::{self, NO_VERSION};
use crate::text::digest::sha256;
use crate::text::join;

/// Why a pool has no hash.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HashError {
    /// The Kubernetes version cannot be read.
    #[error("failed to parse kubernetes version {0}: {NO_VERSION}")]
    Version(String),
    /// The time of a rotation cannot be read.
    #[error("the time at which the rotation of {0} began cannot be read")]
    Time(&'static str),
}

/// The hash of a pool, five digits. `raw` is the pool as JSON, `additional` what the provider adds.
pub fn pool_hash(
    pool: &Pool<'_>,
    raw: &Value<'_>,
    shoot: &Value<'_>,
    additional: &[Cow<'_, str>],
) -> Result<String, HashError> {
    let mut parts = Parts::default();
    if let Some(secret) = pool.node_agent_secret_name {
        parts.add(secret);
    }
    if pool.updates_in_place() {
        parts.add(&in_place_hash(pool, shoot)?);
    } else if pool.node_agent_secret_name.is_some() {
        parts.add_all(additional);
    } else {
        add_old_rule(&mut parts, pool, raw, shoot, additional)?;
    }
    Ok(parts.hash(5))
}

/// The hash of what changes nodes in place, sixteen digits.
pub fn in_place_hash(pool: &Pool<'_>, shoot: &Value<'_>) -> Result<String, HashError> {
    let mut parts = Parts::default();
    parts.add(&minor_version(pool.kubernetes_version.unwrap_or_default())?);
    parts.add(pool.machine_image.version);
    for time in rotations(pool.name, shoot)? {
        parts.add(&time);
    }
    for (_, value) in kubelet_inputs(&pool.kubelet_config) {
        if let Some(value) = value {
            parts.add(&value);
        }
    }
    Ok(parts.hash(16))
}

/// What the old hash covers.
fn add_old_rule(
    parts: &mut Parts,
    pool: &Pool<'_>,
    raw: &Value<'_>,
    shoot: &Value<'_>,
    additional: &[Cow<'_, str>],
) -> Result<(), HashError> {
    let of_shoot = || shoot.at(&["spec", "kubernetes", "version"]).and_then(Value::as_str);
    let version = pool.kubernetes_version.or_else(of_shoot).unwrap_or_default();
    parts.add(&minor_version(version)?);
    parts.add(pool.machine_type);
    parts.add(&join(&[pool.machine_image.name, pool.machine_image.version], ""));
    if let Some(volume) = pool.volume {
        parts.add(volume.size);
        if let Some(volume_type) = volume.volume_type {
            parts.add(volume_type);
        }
    }
    if let Some(config) = raw.get("providerConfig") {
        parts.add(&as_stored(config));
    }
    parts.add_all(additional);
    let workers = shoot.at(&["spec", "provider", "workers"]).map(Value::items).unwrap_or_default();
    let worker = workers.iter().find(|worker| worker.get("name").and_then(Value::as_str) == Some(pool.name));
    if let Some(cri) = worker.and_then(|worker| worker.at(&["cri", "name"])).and_then(Value::as_str) {
        parts.add(cri);
    }
    for time in rotations(pool.name, shoot)? {
        parts.add(&time);
    }
    if has_node_local_dns(shoot, version) {
        parts.add("node-local-dns");
    }
    Ok(())
}

/// Digests that are hashed together.
#[derive(Default)]
struct Parts(String);

impl Parts {
    fn add(&mut self, part: &str) {
        self.0.push_str(&sha256(part.as_bytes()));
    }

    fn add_all(&mut self, parts: &[Cow<'_, str>]) {
        for part in parts {
            self.add(part);
        }
    }

    /// So many digits of the hash.
    fn hash(self, digits: usize) -> String {
        let mut hash = sha256(self.0.as_bytes());
        hash.truncate(digits);
        hash
    }
}

/// The settings of the kubelet that a hash covers, by their names.
pub(super) fn kubelet_inputs(config: &KubeletConfig<'_>) -> [(&'static str, Option<String>); 3] {
    let reserved = config.kube_reserved.as_ref().map(|reserved| {
        let all = [&reserved.cpu, &reserved.memory, &reserved.pid, &reserved.ephemeral_storage];
        let text = |quantity: &Option<Quantity>| match quantity {
            Some(quantity) => quantity.to_string(),
            None => "<nil>".to_owned(),
        };
        join(&all.map(text), "-")
    });
    let eviction = config.eviction_hard.as_ref().map(|eviction| {
        let all = [
            eviction.image_fs_available,
            eviction.image_fs_inodes_free,
            eviction.memory_available,
            eviction.node_fs_available,
            eviction.node_fs_inodes_free,
        ];
        join(&all, "-")
    });
    let policy = config.cpu_manager_policy.map(str::to_owned);
    [("kubeReserved", reserved), ("evictionHard", eviction), ("cpuManagerPolicy", policy)]
}

/// Major and minor version.
pub(super) fn minor_version(version: &str) -> Result<String, HashError> {
    let read = SemVer::parse(version).ok_or_else(|| HashError::Version(version.to_owned()))?;
    Ok(format!("{}.{}", read.major(), read.minor()))
}

/// When the rotations of the authorities and of the key for service accounts began, as Go prints times; for a pool
/// that waits for its own rollout, when that began.
pub(super) fn rotations(pool: &str, shoot: &Value<'_>) -> Result<Vec<String>, HashError> {
    let mut times = Vec::new();
    for (credential, words) in
        [("certificateAuthorities", "the authorities"), ("serviceAccountKey", "the key for service accounts")]
    {
        let Some(rotation) = shoot.at(&["status", "credentials", "rotation", credential]) else { continue };
        let pending = rotation.get("pendingWorkersRollouts").map(Value::items).unwrap_or_default();
        let own = pending.iter().find(|rollout| rollout.get("name").and_then(Value::as_str) == Some(pool));
        let Some(time) = own.unwrap_or(rotation).get("lastInitiationTime") else { continue };
        let time = time.as_str().and_then(Time::parse).ok_or(HashError::Time(words))?;
        times.push(time.to_string());
    }
    Ok(times)
}

/// Whether node-local DNS replaces nodes: it changes what they are made of before Kubernetes 1.34, and later where
/// kube-proxy uses IPVS.
pub(super) fn has_node_local_dns(shoot: &Value<'_>, version: &str) -> bool {
    let is_on = |keys: &[&str]| matches!(shoot.at(keys), Some(Value::Bool(true)));
    let kube_proxy = ["spec", "kubernetes", "kubeProxy"];
    let [spec, kubernetes, proxy] = kube_proxy;
    let uses_ipvs = is_on(&[spec, kubernetes, proxy, "enabled"])
        && shoot.at(&[spec, kubernetes, proxy, "mode"]).and_then(Value::as_str) == Some("IPVS");
    is_on(&["spec", "systemComponents", "nodeLocalDNS", "enabled"])
        && (!version::is_at_least(version, 34) || uses_ipvs)
}

/// The text by which the API server stores a value that it does not know: with sorted members, and with the
/// escapes of Go.
fn as_stored(value: &Value<'_>) -> String {
    let json = value.canonical(false).to_string();
    let mut text = String::with_capacity(json.len());
    for char in json.chars() {
        match char {
            // Outside of texts, JSON has none of them.
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => {
                // Writing to a string does not fail.
                let _ = write!(text, "\\u{:04x}", u32::from(char));
            }
            char => text.push(char),
        }
    }
    text
}
