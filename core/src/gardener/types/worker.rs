//! Worker pools of a Shoot.
//!
//! A part that no rule looks into is not decoded: what Gardener hands on to other objects as it is (`taints`, the kubelet's
//! settings, `clusterAutoscaler`, `controlPlane`, `providerConfig`) is read as JSON, by
//! [`pool`](crate::gardener::shoot::pool).

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error, Visitor};

use crate::collections::NameMap;

/// A worker pool.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, rename_all = "camelCase")]
pub struct Worker<'a> {
    /// Name, unique in the Shoot.
    pub name: &'a str,
    /// Machine type and image of the nodes.
    #[serde(borrow)]
    pub machine: Machine<'a>,
    /// Smallest number of nodes.
    pub minimum: i32,
    /// Largest number of nodes.
    pub maximum: i32,
    /// How many nodes an update adds at once.
    #[serde(borrow)]
    pub max_surge: Option<Amount<'a>>,
    /// How many nodes may be missing during an update.
    #[serde(borrow)]
    pub max_unavailable: Option<Amount<'a>>,
    /// The system disk.
    #[serde(borrow)]
    pub volume: Option<Volume<'a>>,
    /// Further disks.
    #[serde(borrow)]
    pub data_volumes: Vec<DataVolume<'a>>,
    /// Name of the data volume that the kubelet uses.
    pub kubelet_data_volume_name: Option<&'a str>,
    /// Labels of the nodes.
    #[serde(borrow)]
    pub labels: NameMap<'a, &'a str>,
    /// Annotations of the nodes.
    #[serde(borrow)]
    pub annotations: NameMap<'a, &'a str>,
    /// Certificates that the nodes trust, in PEM.
    pub ca_bundle: Option<&'a str>,
    /// Kubernetes of the nodes.
    #[serde(borrow)]
    pub kubernetes: Option<WorkerKubernetes<'a>>,
    /// Whether Gardener's own components run here.
    pub system_components: Option<SystemComponents>,
    /// Kernel settings of the nodes.
    #[serde(borrow)]
    pub sysctls: NameMap<'a, &'a str>,
    /// The order in which the cluster autoscaler considers pools.
    pub priority: Option<i32>,
    /// How a change reaches the nodes.
    pub update_strategy: Option<&'a str>,
    /// The zones that the nodes are spread over.
    #[serde(borrow)]
    pub zones: Vec<&'a str>,
}

impl Worker<'_> {
    /// Whether a change is made on the running nodes, and does not replace them.
    pub fn updates_in_place(&self) -> bool {
        matches!(self.update_strategy, Some("AutoInPlaceUpdate" | "ManualInPlaceUpdate"))
    }
}

/// Machine type and image of a pool's nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Machine<'a> {
    /// Machine type.
    #[serde(rename = "type")]
    pub machine_type: &'a str,
    /// Image; the API server fills it in.
    #[serde(borrow)]
    pub image: Option<MachineImage<'a>>,
    /// Processor architecture; the API server fills it in.
    pub architecture: Option<&'a str>,
}

/// Name and version of an image.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(default)]
pub struct MachineImage<'a> {
    /// Name.
    pub name: &'a str,
    /// Version.
    pub version: Option<&'a str>,
}

/// The system disk of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct Volume<'a> {
    /// Name.
    pub name: Option<&'a str>,
    /// Disk category.
    #[serde(rename = "type")]
    pub volume_type: Option<&'a str>,
    /// Size, a quantity.
    pub size: &'a str,
    /// Whether the disk is encrypted.
    pub encrypted: Option<bool>,
}

/// A further disk of a node.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct DataVolume<'a> {
    /// Name.
    pub name: &'a str,
    /// Disk category.
    #[serde(rename = "type")]
    pub volume_type: Option<&'a str>,
    /// Size, a quantity.
    pub size: &'a str,
    /// Whether the disk is encrypted.
    pub encrypted: Option<bool>,
}

/// Kubernetes of a pool's nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct WorkerKubernetes<'a> {
    /// Version; without it the nodes have the Shoot's.
    pub version: Option<&'a str>,
}

/// Whether Gardener's own components run on a pool's nodes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
pub struct SystemComponents {
    /// Whether they do.
    pub allow: bool,
}

/// A number of nodes, or a percentage of a pool's nodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Amount<'a> {
    /// A number.
    Number(i64),
    /// A percentage, such as `10%`.
    Percentage(&'a str),
}

impl<'de: 'a, 'a> Deserialize<'de> for Amount<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct AmountVisitor;
        impl<'de> Visitor<'de> for AmountVisitor {
            type Value = Amount<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a number or a percentage")
            }

            fn visit_i64<E: Error>(self, number: i64) -> Result<Amount<'de>, E> {
                Ok(Amount::Number(number))
            }

            fn visit_borrowed_str<E: Error>(self, text: &'de str) -> Result<Amount<'de>, E> {
                Ok(Amount::Percentage(text))
            }
        }
        deserializer.deserialize_any(AmountVisitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::decode::{Mode, decode};
    use crate::document::parse;

    #[test]
    fn an_amount_of_nodes_is_a_number_or_a_percentage() {
        let value = parse(r#"{"maxSurge":2,"maxUnavailable":"10%"}"#).unwrap();
        let worker: Worker<'_> = decode(&value, Mode::Lenient).unwrap();
        assert_eq!(worker.max_surge, Some(Amount::Number(2)));
        assert_eq!(worker.max_unavailable, Some(Amount::Percentage("10%")));
        let wrong = parse(r#"{"maxSurge":true}"#).unwrap();
        assert!(decode::<Worker<'_>>(&wrong, Mode::Lenient).is_err());
    }
}
