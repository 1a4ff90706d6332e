//! Types of instances: `DescribeInstanceTypes`.

use serde_json::{Value, json};

use super::paging::{BAD_TOKEN, TOKEN as NEXT_TOKEN};
use super::same;
use crate::action::{
    Action, COUNT, Call, CloudError, Form, Rule, Shape, TEXT, field, items, list, optional, record, slice, start,
};
use crate::world::World;

/// The actions of this file.
pub const ACTIONS: &[Action] = &[DESCRIBE];

/// A type of instances.
#[derive(Debug)]
pub(super) struct InstanceType {
    /// Such as `ecs.g7.large`.
    pub(super) id: &'static str,
    /// Such as `ecs.g7`.
    pub(super) family: &'static str,
    /// `X86` or `ARM`.
    pub(super) architecture: &'static str,
    /// Virtual cores.
    pub(super) cores: i64,
    /// In GiB.
    pub(super) memory: i64,
    category: &'static str,
    level: &'static str,
    /// Most network interfaces.
    interfaces: i64,
    /// Most addresses of a network interface.
    addresses: i64,
}

const fn kind(
    (id, family): (&'static str, &'static str),
    architecture: &'static str,
    (cores, memory): (i64, i64),
    (category, level): (&'static str, &'static str),
    (interfaces, addresses): (i64, i64),
) -> InstanceType {
    InstanceType { id, family, architecture, cores, memory, category, level, interfaces, addresses }
}

const SHARED: (&str, &str) = ("Shared", "EntryLevel");
const BURST: (&str, &str) = ("Shared", "CreditEntryLevel");
const GENERAL: (&str, &str) = ("General-purpose", "EnterpriseLevel");
const COMPUTE: (&str, &str) = ("Compute-optimized", "EnterpriseLevel");
const MEMORY: (&str, &str) = ("Memory-optimized", "EnterpriseLevel");

/// Some of them, the smallest first.
pub(super) const INSTANCE_TYPES: &[InstanceType] = &[
    kind(("ecs.t5-lc1m1.small", "ecs.t5"), "X86", (1, 1), BURST, (1, 2)),
    kind(("ecs.n4.small", "ecs.n4"), "X86", (1, 2), SHARED, (1, 2)),
    kind(("ecs.t6-c1m1.large", "ecs.t6"), "X86", (2, 2), BURST, (2, 2)),
    kind(("ecs.e-c1m2.large", "ecs.e"), "X86", (2, 4), SHARED, (2, 2)),
    kind(("ecs.c7.large", "ecs.c7"), "X86", (2, 4), COMPUTE, (3, 6)),
    kind(("ecs.c8y.large", "ecs.c8y"), "ARM", (2, 4), COMPUTE, (3, 6)),
    kind(("ecs.g6.large", "ecs.g6"), "X86", (2, 8), GENERAL, (3, 6)),
    kind(("ecs.g7.large", "ecs.g7"), "X86", (2, 8), GENERAL, (3, 6)),
    kind(("ecs.g8y.large", "ecs.g8y"), "ARM", (2, 8), GENERAL, (3, 6)),
    kind(("ecs.r7.large", "ecs.r7"), "X86", (2, 16), MEMORY, (3, 6)),
    kind(("ecs.c7.xlarge", "ecs.c7"), "X86", (4, 8), COMPUTE, (4, 15)),
    kind(("ecs.g7.xlarge", "ecs.g7"), "X86", (4, 16), GENERAL, (4, 15)),
    kind(("ecs.g8y.xlarge", "ecs.g8y"), "ARM", (4, 16), GENERAL, (4, 15)),
    kind(("ecs.g7.2xlarge", "ecs.g7"), "X86", (8, 32), GENERAL, (4, 15)),
];

/// The type of this name.
pub(super) fn instance_type(id: &str) -> Option<&'static InstanceType> {
    INSTANCE_TYPES.iter().find(|kind| kind.id == id)
}

impl InstanceType {
    /// Whether images of an architecture run on it.
    pub(super) fn runs(&self, architecture: &str) -> bool {
        (self.architecture == "ARM") == (architecture == "arm64")
    }
}

const TYPE: Shape = record(&[
    field("InstanceTypeId", Shape::Text),
    field("InstanceTypeFamily", Shape::Text),
    field("InstanceFamilyLevel", Shape::Text),
    field("InstanceCategory", Shape::Text),
    field("CpuArchitecture", Shape::Text),
    field("CpuCoreCount", Shape::Integer),
    field("MemorySize", Shape::Number),
    field("GPUAmount", Shape::Integer),
    field("GPUSpec", Shape::Text),
    field("LocalStorageCategory", Shape::Text),
    field("EniQuantity", Shape::Integer),
    field("EniTotalQuantity", Shape::Integer),
    field("EniPrivateIpAddressQuantity", Shape::Integer),
    field("EniTrunkSupported", Shape::Boolean),
    field("DiskQuantity", Shape::Integer),
    field("NvmeSupport", Shape::Text),
]);

const GIB: Form =
    Form::Text(&Rule { what: "a number", check: |text| text.parse::<f64>().is_ok_and(f64::is_finite) });
const ARCHITECTURE: Form = Form::OneOf(&["X86", "ARM"]);

const DESCRIBE: Action = Action::read("DescribeInstanceTypes", describe)
    .parameters(&[
        optional("InstanceTypes", list(100, &TEXT)),
        optional("InstanceTypeFamily", TEXT),
        optional("InstanceTypeFamilies", list(10, &TEXT)),
        optional("InstanceCategory", TEXT),
        optional("InstanceFamilyLevel", TEXT),
        optional("CpuArchitecture", ARCHITECTURE),
        optional("CpuArchitectures", list(10, &ARCHITECTURE)),
        optional("MinimumCpuCoreCount", COUNT),
        optional("MaximumCpuCoreCount", COUNT),
        optional("MinimumMemorySize", GIB),
        optional("MaximumMemorySize", GIB),
        optional("MaxResults", Form::Integer(1, 1600)).or("1600"),
        optional("NextToken", TEXT),
    ])
    .left_out(&[
        "AdditionalAttributes",
        "GPUSpec",
        "GpuSpecs",
        "InstanceCategories",
        "LocalStorageCategories",
        "LocalStorageCategory",
        "MaximumCpuSpeedFrequency",
        "MaximumCpuTurboFrequency",
        "MaximumGPUAmount",
        "MinimumBaselineCredit",
        "MinimumCpuSpeedFrequency",
        "MinimumCpuTurboFrequency",
        "MinimumDiskQuantity",
        "MinimumEniIpv6AddressQuantity",
        "MinimumEniPrivateIpAddressQuantity",
        "MinimumEniQuantity",
        "MinimumEriQuantity",
        "MinimumGPUAmount",
        "MinimumInitialCredit",
        "MinimumInstanceBandwidthRx",
        "MinimumInstanceBandwidthTx",
        "MinimumInstancePpsRx",
        "MinimumInstancePpsTx",
        "MinimumLocalStorageAmount",
        "MinimumLocalStorageCapacity",
        "MinimumPrimaryEniQueueNumber",
        "MinimumQueuePairNumber",
        "MinimumSecondaryEniQueueNumber",
        "NvmeSupport",
        "PhysicalProcessorModel",
        "PhysicalProcessorModels",
    ])
    .answer(&[field("InstanceTypes", record(&[field("InstanceType", items(&TYPE))])), NEXT_TOKEN])
    .errors(&[&BAD_TOKEN]);

fn describe(_: &World, call: &Call<'_>) -> Result<Value, CloudError> {
    let among = |name, value: &str| {
        let wanted = call.texts(name);
        wanted.is_empty() || wanted.iter().any(|wanted| wanted == value)
    };
    let gib = |name| call.given(name).and_then(|text| text.parse::<f64>().ok());
    let rows = INSTANCE_TYPES.iter().filter(|kind| {
        among("InstanceTypes", kind.id)
            && same(call, "InstanceTypeFamily", kind.family)
            && among("InstanceTypeFamilies", kind.family)
            && same(call, "InstanceCategory", kind.category)
            && same(call, "InstanceFamilyLevel", kind.level)
            && same(call, "CpuArchitecture", kind.architecture)
            && among("CpuArchitectures", kind.architecture)
            && call.integer("MinimumCpuCoreCount").is_none_or(|least| kind.cores >= least)
            && call.integer("MaximumCpuCoreCount").is_none_or(|most| kind.cores <= most)
            && gib("MinimumMemorySize").is_none_or(|least| memory(kind) >= least)
            && gib("MaximumMemorySize").is_none_or(|most| memory(kind) <= most)
    });
    let most = usize::try_from(call.integer("MaxResults").unwrap_or(1600)).unwrap_or_default();
    let (rows, _, token) = slice(call, start(call, &BAD_TOKEN)?, most, rows.collect());
    let types: Vec<Value> = rows
        .into_iter()
        .map(|kind| {
            json!({
                "InstanceTypeId": kind.id,
                "InstanceTypeFamily": kind.family,
                "InstanceFamilyLevel": kind.level,
                "InstanceCategory": kind.category,
                "CpuArchitecture": kind.architecture,
                "CpuCoreCount": kind.cores,
                "MemorySize": memory(kind),
                "GPUAmount": 0,
                "GPUSpec": "",
                "LocalStorageCategory": "",
                "EniQuantity": kind.interfaces,
                "EniTotalQuantity": kind.interfaces,
                "EniPrivateIpAddressQuantity": kind.addresses,
                "EniTrunkSupported": kind.level == "EnterpriseLevel",
                "DiskQuantity": 17,
                "NvmeSupport": if kind.architecture == "ARM" { "required" } else { "unsupported" },
            })
        })
        .collect();
    Ok(json!({ "InstanceTypes": { "InstanceType": types }, "NextToken": token.unwrap_or_default() }))
}

fn memory(kind: &InstanceType) -> f64 {
    f64::from(i32::try_from(kind.memory).unwrap_or(i32::MAX))
}

#[cfg(test)]
mod tests {
    use crate::testing::TestCloud;

    fn ids(cloud: &TestCloud, parameters: &[(&str, &str)]) -> Vec<String> {
        let answer = cloud.call("ecs", "DescribeInstanceTypes", parameters);
        let types = answer["InstanceTypes"]["InstanceType"].as_array().unwrap();
        types.iter().map(|kind| kind["InstanceTypeId"].as_str().unwrap().to_owned()).collect()
    }

    #[test]
    fn types_are_filtered() {
        let cloud = TestCloud::new();
        assert_eq!(ids(&cloud, &[]).len(), super::INSTANCE_TYPES.len());
        for (parameters, expected) in [
            (&[("InstanceTypes.1", "ecs.g7.large")][..], &["ecs.g7.large"][..]),
            (&[("InstanceTypeFamily", "ecs.c7")], &["ecs.c7.large", "ecs.c7.xlarge"]),
            (&[("InstanceTypeFamilies.1", "ecs.r7")], &["ecs.r7.large"]),
            (&[("CpuArchitecture", "ARM"), ("MaximumCpuCoreCount", "2")], &["ecs.c8y.large", "ecs.g8y.large"]),
            (&[("CpuArchitectures.1", "ARM"), ("MinimumCpuCoreCount", "4")], &["ecs.g8y.xlarge"]),
            (&[("MinimumMemorySize", "16.5")], &["ecs.g7.2xlarge"]),
            (&[("MaximumMemorySize", "1")], &["ecs.t5-lc1m1.small"]),
            (&[("InstanceCategory", "Memory-optimized")], &["ecs.r7.large"]),
            (&[("InstanceFamilyLevel", "EntryLevel")], &["ecs.n4.small", "ecs.e-c1m2.large"]),
        ] {
            assert_eq!(ids(&cloud, parameters), expected, "{parameters:?}");
        }
    }

    #[test]
    fn pages_follow_each_other() {
        let cloud = TestCloud::new();
        let first = cloud.call("ecs", "DescribeInstanceTypes", &[("MaxResults", "13")]);
        let token = first["NextToken"].as_str().unwrap();
        assert_eq!(ids(&cloud, &[("MaxResults", "13"), ("NextToken", token)]), ["ecs.g7.2xlarge"]);
        assert_eq!(
            cloud.refused("ecs", "DescribeInstanceTypes", &[("NextToken", "x")]),
            "InvalidParameter.NextToken"
        );
    }
}
