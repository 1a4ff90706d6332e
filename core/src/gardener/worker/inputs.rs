//! What of a Shoot decides whether the nodes of a pool stay (`gardener-contract` 3.5).

use super::hash::{has_node_local_dns, kubelet_inputs, minor_version, rotations};
use super::pool::KubeletConfig;
use crate::document::decode::{Mode, decode};
use crate::document::{Path, Value};
use crate::policy::Range;
use crate::text::join;

/// The value that turns the local DNS of nodes on.
pub const NODE_LOCAL_DNS: &str = "spec.systemComponents.nodeLocalDNS.enabled";

/// A value that a hash covers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Input {
    /// Its name: within the pool, or from `spec` on.
    pub field: String,
    /// Its place in the Shoot.
    pub pointer: String,
    /// The value; none where it is absent.
    pub value: Option<String>,
    /// Which hashes cover it.
    pub covered: Covered,
}

/// Which hashes cover a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Covered {
    /// All hashes.
    Everywhere,
    /// Those that replace nodes.
    WhereRolled,
    /// The new one that replaces nodes, and the one for updates in place.
    NotByOldHash,
    /// The old one that replaces nodes.
    ByOldHashAlone,
}

/// A pool in a Shoot.
#[derive(Clone, Copy, Debug)]
pub struct PoolIn<'s> {
    /// The Shoot.
    pub shoot: &'s Value<'s>,
    /// The pool.
    pub pool: &'s Value<'s>,
    /// Its place among the pools.
    pub index: usize,
}

impl<'s> PoolIn<'s> {
    /// The name of the pool.
    pub fn name(&self) -> &'s str {
        self.pool.get("name").and_then(Value::as_str).unwrap_or_default()
    }

    /// A value of the pool.
    pub fn input(&self, keys: &[&str], covered: Covered) -> Input {
        Input {
            field: join(keys, "."),
            pointer: self.pointer(keys),
            value: self.pool.at(keys).map(plain),
            covered,
        }
    }

    /// The place of a value of the pool.
    pub fn pointer(&self, keys: &[&str]) -> String {
        pointer(&format!("/spec/provider/workers/{}", self.index), keys)
    }

    /// A value of `kubernetes` that the pool has, or else the Shoot: its name, its place, and the value.
    pub fn kubernetes(&self, key: &str) -> (String, String, Option<&'s Value<'s>>) {
        let keys = ["kubernetes", key];
        if let Some(value) = self.pool.at(&keys) {
            return (join(&keys, "."), self.pointer(&keys), Some(value));
        }
        let value = self.shoot.get("spec").and_then(|spec| spec.at(&keys));
        (format!("spec.kubernetes.{key}"), pointer("/spec", &keys), value)
    }

    /// The zones of the pool.
    pub fn zones(&self) -> impl Iterator<Item = &'s str> {
        self.pool.get("zones").map(Value::items).unwrap_or_default().iter().filter_map(Value::as_str)
    }

    /// The bounds that the pool says.
    pub fn bounds(&self) -> Range {
        Range { minimum: self.number("minimum"), maximum: self.number("maximum") }
    }

    /// How many nodes the pool has: none while the Shoot hibernates.
    pub fn size(&self) -> Range {
        if self.is_asleep() { Range { minimum: 0, maximum: 0 } } else { self.bounds() }
    }

    /// Whether the Shoot hibernates.
    pub fn is_asleep(&self) -> bool {
        matches!(self.shoot.at(&["spec", "hibernation", "enabled"]), Some(Value::Bool(true)))
    }

    /// A number of the pool; 0 where it is absent.
    pub fn number(&self, key: &str) -> i32 {
        match self.pool.get(key) {
            Some(Value::Number(digits)) => {
                digits.parse::<i64>().map_or(0, |count| i32::try_from(count).unwrap_or(i32::MAX))
            }
            _ => 0,
        }
    }

    /// Whether a change is made on the running nodes, and does not replace them.
    pub fn updates_in_place(&self) -> bool {
        let strategy = self.pool.get("updateStrategy").and_then(Value::as_str);
        matches!(strategy, Some("AutoInPlaceUpdate" | "ManualInPlaceUpdate"))
    }

    /// What hashes cover of every provider's pools. A text that cannot be read counts as it is.
    pub fn inputs(&self) -> Vec<Input> {
        use Covered::{Everywhere, NotByOldHash, WhereRolled};
        let (field, pointer, version) = self.kubernetes("version");
        let version = version.and_then(Value::as_str).unwrap_or_default();
        let minor = minor_version(version).unwrap_or_else(|_| version.to_owned());
        let mut inputs = vec![Input { field, pointer, value: Some(minor), covered: Everywhere }];
        inputs.extend(
            [
                (["machine", "type"].as_slice(), WhereRolled),
                (&["machine", "image", "name"], WhereRolled),
                (&["machine", "image", "version"], Everywhere),
                (&["volume", "size"], WhereRolled),
                (&["volume", "type"], WhereRolled),
                (&["cri", "name"], WhereRolled),
                (&["providerConfig"], Covered::ByOldHashAlone),
            ]
            .map(|(keys, covered)| self.input(keys, covered)),
        );
        let times = rotations(self.name(), self.shoot).unwrap_or_default();
        let rotation = "/status/credentials/rotation".to_owned();
        let value = Some(join(&times, " ")).filter(|times| !times.is_empty());
        inputs.push(Input {
            field: "status.credentials.rotation".to_owned(),
            pointer: rotation,
            value,
            covered: Everywhere,
        });
        inputs.push(Input {
            field: NODE_LOCAL_DNS.to_owned(),
            pointer: "/spec/systemComponents/nodeLocalDNS/enabled".to_owned(),
            value: has_node_local_dns(self.shoot, version).then(String::new),
            covered: WhereRolled,
        });
        let (field, pointer, kubelet) = self.kubernetes("kubelet");
        let config: KubeletConfig<'_> =
            kubelet.and_then(|kubelet| decode(kubelet, Mode::Lenient).ok()).unwrap_or_default();
        for (key, value) in kubelet_inputs(&config) {
            let (field, pointer) = (format!("{field}.{key}"), format!("{pointer}/{key}"));
            inputs.push(Input { field, pointer, value, covered: NotByOldHash });
        }
        inputs
    }
}

/// A place below another one.
fn pointer(base: &str, keys: &[&str]) -> String {
    keys.iter().fold(base.to_owned(), |pointer, key| Path::root("", &pointer).key(key).pointer())
}

/// A value as a text: a text as it is, something else as JSON with sorted members.
pub fn plain(value: &Value<'_>) -> String {
    match value {
        Value::String(text) => text.to_string(),
        other => other.canonical(true).to_string(),
    }
}
