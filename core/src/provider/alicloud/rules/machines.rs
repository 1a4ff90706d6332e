//! What forbids to make machines, and what is not known of them.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::WORKER;

rules! {
    MCH_001 = Rule::error("ALI-MCH-001", WORKER, Both)
        .summary("The status of the infrastructure is there and can be read.")
        .why("It names the VSwitches and the security group of machines, and encrypted copies of images.")
        .fix("Wait until the Infrastructure is ready; its status is of the kind `InfrastructureStatus`.");
    MCH_002 = Rule::error("ALI-MCH-002", WORKER, Both)
        .summary("The status of the infrastructure has a security group for nodes.")
        .why("Machines are created in it.")
        .fix("Wait until the Infrastructure is ready, so that its status has a security group of the purpose `nodes`.");
    MCH_003 = Rule::error("ALI-MCH-003", WORKER, Both)
        .summary("The status of the infrastructure has a VSwitch for nodes in each zone of a pool.")
        .why("Machines of a zone are created in it.")
        .fix("Add the zone to the `networks.zones` of the InfrastructureConfig and wait until the Infrastructure is ready, or remove the zone from the pool.");
    MCH_004 = Rule::error("ALI-MCH-004", WORKER, Both)
        .summary("Each pool has an image.")
        .why("A machine starts from it.")
        .fix("Choose an image that the CloudProfile maps to an id in the region of the Shoot, and give the CloudProfile.");
    MCH_005 = Rule::error("ALI-MCH-005", WORKER, Both)
        .summary("Each pool has a system disk, and the size of each disk begins with a number.")
        .why("Alibaba Cloud gets the size as a whole number of GiB.")
        .fix("Give the pool a `volume` with a `size` such as `50Gi`.");
    MCH_006 = Rule::error("ALI-MCH-006", WORKER, Both)
        .summary("`maxSurge` and `maxUnavailable` are numbers or percentages.")
        .why("Each zone of the pool gets its share of them.")
        .fix("Write a number such as `1`, or a percentage such as `10%`.");
    MCH_007 = Rule::error("ALI-MCH-007", WORKER, Both)
        .summary("What the hash of a pool is made of can be read.")
        .why("A hash that changes replaces every node of the pool.")
        .fix("Correct the Kubernetes version of the pool, or the times in the status of the Shoot.");
    MCH_008 = Rule::error("ALI-MCH-008", WORKER, Both)
        .summary("The Secret with the user data of each pool is there, and has the key that the pool names.")
        .why("A machine without user data does not become a node.")
        .fix("Wait until gardenlet has written the Secret; or correct the Secret, or the `userDataSecretRef` that names it.");
    MCH_009 = Rule::error("ALI-MCH-009", WORKER, Both)
        .summary("The provider's part of the CloudProfile can be read.")
        .why("It maps images to ids.")
        .fix("Correct `spec.providerConfig` of the CloudProfile; it is of the kind `CloudProfileConfig`.");
    MCH_010 = Rule::error("ALI-MCH-010", WORKER, Both)
        .summary("No two machine deployments have the same name.")
        .why("The second one would take the place of the first.")
        .fix("Give each pool a name of its own, and list each zone of a pool once.");
    MCH_011 = Rule::warning("ALI-MCH-011", WORKER, Both)
        .summary("In a preview, a placeholder stands for what the Shoot does not say.")
        .why("Only the cloud and the seed know ids, user data and hashes.")
        .fix("Ask with the Worker and the Cluster of the seed.")
        .informative("A placeholder is never a mistake.");
    MCH_012 = Rule::warning("ALI-MCH-012", WORKER, Both)
        .summary("Whether an edit replaces the nodes of a pool may depend on which hash the pool has.")
        .why("A pool without a node agent Secret has the old hash, which covers the provider's part of the pool, and not the kubelet's settings.")
        .fix("Look at the Worker in the seed: a pool with `nodeAgentSecretName` has the new hash.")
        .informative("It is no mistake; only the cluster knows.");
}
