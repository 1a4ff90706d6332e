//! What is asked, round by round.

mod existing;
mod failures;
mod image_copies;
mod managed;
mod operations;
mod others;

use serde_json::{Value, json};

use crate::policy::RequestError;
use crate::provider::alicloud::infrastructure::testing::{
    Cloud, NS, Observed, converse, long_tags, managed, observed, planned, recorded, request, tags,
};
use crate::provider::alicloud::infrastructure::world::{LoadBalancerKind, Role};
use crate::provider::alicloud::security_groups::SecurityGroup;

/// The actions that check a complete state.
const COMPLETE: [&str; 8] = [
    "DescribeVpcs",
    "DescribeVSwitches",
    "DescribeNatGateways",
    "ListEnhanhcedNatGatewayAvailableZones",
    "DescribeSnatTableEntries",
    "DescribeEipAddresses",
    "DescribeSecurityGroupAttribute",
    "DescribeSecurityGroups",
];

/// A VPC that the person brings.
fn existing() -> Value {
    json!({ "id": "vpc-9" })
}

/// A cloud that has it, with the NAT gateway of the person.
fn existing_cloud() -> Cloud {
    Cloud::new()
        .with("DescribeVpcs", json!({ "VpcId": "vpc-9", "CidrBlock": "10.250.0.0/16", "Status": "Available" }))
        .with_children("vpc-9", &["a"])
        .with(
            "DescribeNatGateways",
            json!({ "NatGatewayId": "ngw-1", "VpcId": "vpc-9", "Name": "mine", "SnatTableIds": { "SnatTableId": ["stb-1"] },
                    "Tags": { "Tag": [] } }),
        )
}

/// A request with a worker pool, whose volume may be encrypted, and whose image may have to be shared.
fn with_workers(encrypted: bool, share: bool) -> Value {
    let mut document = request("reconcile", &managed(), &["a"], &recorded(&["a"]));
    document["request"]["cluster"] = json!({
        "cloudProfile": { "spec": { "machineImages": [], "machineTypes": [{ "name": "ecs.g6.large" }], "providerConfig": {
            "apiVersion": "alicloud.provider.extensions.gardener.cloud/v1alpha1",
            "kind": "CloudProfileConfig",
            "machineImages": [{ "name": "gardenlinux", "versions": [
                { "version": "1.0.0", "regions": [{ "name": "cn-shanghai", "id": "m-1" }] }
            ] }]
        } } },
        "shoot": { "spec": { "region": "cn-shanghai", "provider": { "workers": [
            { "name": "w", "machine": { "type": "ecs.g6.large", "image": { "name": "gardenlinux", "version": "1.0.0" } },
              "volume": { "size": "20Gi", "encrypted": encrypted } }
        ] } } }
    });
    if share {
        document["request"]["configuration"] = json!({ "toBeSharedImageIDs": ["m-1"] });
    }
    document
}
