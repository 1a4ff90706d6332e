//! Machine classes and their Secrets (`alicloud-policy` 5.6, `alicloud-manifests` 7).

use std::borrow::Cow;

use serde::Serialize;

use crate::collections::NameMap;
use crate::document::{Value, write};
use crate::gardener::types::worker::DataVolume;
use crate::gardener::worker::{Image, Pool, PoolAt};
use crate::kube::quantity::Quantity;
use crate::text::quote;

/// What all classes of a Worker have.
#[derive(Clone, Copy, Debug)]
pub struct Site<'r> {
    /// The name of the Shoot in the cloud.
    pub technical_id: &'r str,
    /// The namespace of the Worker.
    pub namespace: &'r str,
    /// The region.
    pub region: &'r str,
    /// The Secret with the credentials: its name and its namespace.
    pub credentials: (&'r str, &'r str),
    /// The security group of nodes.
    pub security_group: &'r str,
}

/// The size of a disk in GiB: the digits that a text begins with. The unit does not count.
pub fn disk_size(size: &str) -> Option<i64> {
    let end = size.bytes().take_while(u8::is_ascii_digit).count();
    size.get(..end)?.parse().ok()
}

/// The sizes of a pool's disks: of the system disk, then of the data disks. The error names the member that has
/// none.
pub fn disk_sizes(pool: &Pool<'_>) -> Result<(i64, Vec<i64>), (String, String)> {
    let volume = pool.volume.ok_or_else(|| (String::new(), "the pool has no volume".to_owned()))?;
    let size = |size: &str, member: &dyn Fn() -> String| {
        disk_size(size)
            .ok_or_else(|| (member(), format!("the disk size {} does not begin with a number", quote(size))))
    };
    let system = size(volume.size, &|| "/volume/size".to_owned())?;
    let mut data = Vec::with_capacity(pool.data_volumes.len());
    for (index, volume) in pool.data_volumes.iter().enumerate() {
        data.push(size(volume.size, &|| format!("/dataVolumes/{index}/size"))?);
    }
    Ok((system, data))
}

/// What Alibaba Cloud adds to the hash of a pool: its disks, without their names. Encryption of the system disk is
/// that of the image.
pub fn hash_inputs<'r>(pool: &Pool<'r>) -> Vec<Cow<'r, str>> {
    let mut inputs: Vec<&'r str> = Vec::new();
    let flag = |flag: bool| if flag { "true" } else { "false" };
    inputs.extend(pool.volume.and_then(|volume| volume.encrypted).map(flag));
    for volume in &pool.data_volumes {
        inputs.push(volume.size);
        inputs.extend(volume.volume_type);
        inputs.extend(volume.encrypted.map(flag));
    }
    inputs.into_iter().map(Cow::Borrowed).collect()
}

/// The values that all classes of a pool have: with the id of its image, and the sizes of its system disk and of its
/// data disks.
pub fn class_values(
    site: &Site<'_>,
    at: PoolAt<'_>,
    image: &str,
    (system_disk, data_disks): &(i64, Vec<i64>),
) -> String {
    let pool = at.pool;
    let (cluster, role) = (
        format!("kubernetes.io/cluster/{}", site.technical_id),
        format!("kubernetes.io/role/worker/{}", site.technical_id),
    );
    let mut tags = NameMap::from([(cluster.as_str(), "1"), (role.as_str(), "1")]);
    for (key, value) in pool.labels.iter().filter(|(_, value)| !value.is_empty()) {
        tags.insert(key, *value);
    }
    let Image { name: system, version } = pool.machine_image;
    let template =
        |_| NodeTemplate { capacity: capacity(at.raw), architecture: pool.architecture.unwrap_or("amd64") };
    write(&PoolValues {
        namespace: site.namespace,
        operating_system: (!system.is_empty() && !version.is_empty())
            .then_some(OperatingSystem { name: system, version }),
        credentials_secret_ref: SecretName { name: site.credentials.0, namespace: site.credentials.1 },
        node_template: at.raw.get("nodeTemplate").map(template),
        image_id: image,
        instance_type: pool.machine_type,
        region: site.region,
        security_group_id: site.security_group,
        system_disk: SystemDisk {
            category: pool.volume.and_then(|volume| volume.volume_type),
            size: *system_disk,
        },
        data_disks: pool
            .data_volumes
            .iter()
            .zip(data_disks)
            .map(|(volume, size)| data_disk(volume, *size, site.technical_id))
            .collect(),
        tags,
    })
}

/// The values of `machineclass` (`alicloud-policy` 5.6) that all classes of a pool have.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PoolValues<'v> {
    namespace: &'v str,
    operating_system: Option<OperatingSystem<'v>>,
    credentials_secret_ref: SecretName<'v>,
    node_template: Option<NodeTemplate<'v>>,
    #[serde(rename = "imageID")]
    image_id: &'v str,
    instance_type: &'v str,
    region: &'v str,
    #[serde(rename = "securityGroupID")]
    security_group_id: &'v str,
    system_disk: SystemDisk<'v>,
    data_disks: Vec<DataDisk<'v>>,
    tags: NameMap<'v, &'v str>,
}

#[derive(Serialize)]
struct OperatingSystem<'v> {
    name: &'v str,
    version: &'v str,
}

#[derive(Serialize)]
struct SecretName<'v> {
    name: &'v str,
    namespace: &'v str,
}

#[derive(Serialize)]
struct NodeTemplate<'v> {
    capacity: NameMap<'v, String>,
    architecture: &'v str,
}

#[derive(Serialize)]
struct SystemDisk<'v> {
    category: Option<&'v str>,
    size: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct DataDisk<'v> {
    name: &'v str,
    size: i64,
    delete_with_instance: bool,
    description: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    category: Option<&'v str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encrypted: Option<bool>,
}

fn data_disk<'v>(volume: &DataVolume<'v>, size: i64, technical_id: &str) -> DataDisk<'v> {
    DataDisk {
        name: volume.name,
        size,
        delete_with_instance: true,
        description: format!("{technical_id}-datavol-{}", volume.name),
        category: volume.volume_type,
        encrypted: volume.encrypted,
    }
}

/// What a node has, each quantity as the API machinery prints it.
fn capacity<'r>(raw: &'r Value<'_>) -> NameMap<'r, String> {
    let Some(Value::Object(members)) = raw.at(&["nodeTemplate", "capacity"]) else { return NameMap::new() };
    let text = |value: &Value<'_>| match value {
        Value::String(text) | Value::Number(text) => {
            Quantity::parse(text).map_or_else(|_| text.to_string(), |quantity| quantity.to_string())
        }
        other => other.to_string(),
    };
    members.iter().map(|(key, value)| (key.as_ref(), text(value))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_unit_of_a_disk_size_does_not_count() {
        for (text, size) in [
            ("50Gi", Some(50)),
            ("1Ti", Some(1)),
            ("20480Mi", Some(20_480)),
            ("40", Some(40)),
            ("007", Some(7)),
            ("abc", None),
            ("-5Gi", None),
            ("", None),
            ("99999999999999999999Gi", None),
            ("é", None),
        ] {
            assert_eq!(disk_size(text), size, "{text}");
        }
    }
}
