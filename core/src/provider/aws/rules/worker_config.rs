//! `WorkerConfig` of worker pools.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

/// What the capacity of a node template is for.
const CAPACITY: &str = "The cluster-autoscaler counts with this capacity when it starts nodes from zero.";
/// Where a value goes.
const EC2: &str = "EC2 refuses to start an instance with another value.";
/// What volumes a configuration is about.
const VOLUMES: &str = "The configuration adds to the data volumes of the pool, which it knows by their names.";
/// Why cores and threads go together.
const CPU: &str = "EC2 takes the number of cores and the threads of each core together.";
/// How cards are counted.
const CARDS: &str = "Network cards are counted from 0, by a number of 32 bits.";

rules! {
    WRKC_001 = Rule::error("AWS-WRKC-001", SHOOT, Both)
        .summary("`iops` of a volume is positive.")
        .why(EC2)
        .fix("Set `iops` to a number that the volume type allows, for example `3000`; or remove it.");
    WRKC_002 = Rule::error("AWS-WRKC-002", SHOOT, Both)
        .summary("A volume of type `io1` has `iops`.")
        .why("Such a volume has exactly the IOPS that you ask for.")
        .fix("Set `iops` of the volume, from 100 to 64000; or choose the type `gp3`.");
    WRKC_003 = Rule::error("AWS-WRKC-003", SHOOT, Both)
        .summary("`throughput` of a volume is positive.")
        .why(EC2)
        .fix("Set `throughput` to a number of MiB a second, for example `125`; or remove it.");
    WRKC_004 = Rule::error("AWS-WRKC-004", SHOOT, Both)
        .summary("`volume` of the configuration is judged by the type of the pool's volume.")
        .why("Which speed a volume may have depends on its type.")
        .fix("Follow the finding.")
        .informative("The row says where AWS-WRKC-001 to AWS-WRKC-003 look.");
    WRKC_005 = Rule::error("AWS-WRKC-005", SHOOT, Both)
        .summary("`dataVolumes` of the configuration are judged by the types of the pool's data volumes.")
        .why("Which speed a volume may have depends on its type.")
        .fix("Follow the finding; its number counts the pool's data volumes.")
        .informative("The row says where AWS-WRKC-001 to AWS-WRKC-003 look.");
    WRKC_006 = Rule::error("AWS-WRKC-006", SHOOT, Both)
        .summary("Each entry of `dataVolumes` has the name of a data volume of the pool that has a type.")
        .why(VOLUMES)
        .fix("Write the name of a data volume of the pool, or remove the entry.");
    WRKC_007 = Rule::error("AWS-WRKC-007", SHOOT, Both)
        .summary("No two entries of `dataVolumes` have the same name.")
        .why(VOLUMES)
        .fix("Keep one entry for the data volume.");
    WRKC_008 = Rule::error("AWS-WRKC-008", SHOOT, Both)
        .summary("`snapshotID` is the id of a snapshot.")
        .why("AWS finds a snapshot by its id.")
        .fix("Write the snapshot's id, for example `snap-0a1b2c3d4e5f60718`.");
    WRKC_009 = Rule::error("AWS-WRKC-009", SHOOT, Both)
        .summary("`iamInstanceProfile` has either a `name` or an `arn`.")
        .why("One of them says which profile is meant.")
        .fix("Set `name` for a profile of the Shoot's account or `arn`, and not both.");
    WRKC_010 = Rule::error("AWS-WRKC-010", SHOOT, Both)
        .summary("`iamInstanceProfile` has the name or the ARN of an IAM instance profile.")
        .why("AWS knows no profile with another name.")
        .fix("Write a name such as `nodes`, or an ARN such as `arn:aws:iam::123456789012:instance-profile/nodes`.");
    WRKC_011 = Rule::error("AWS-WRKC-011", SHOOT, Both)
        .summary("`cpu`, `gpu` and `memory` in `nodeTemplate.capacity` are not negative.")
        .why(CAPACITY)
        .fix("Write what a machine of the pool has, for example `cpu: 4`.");
    WRKC_012 = Rule::error("AWS-WRKC-012", SHOOT, Both)
        .summary("Quantities in `nodeTemplate.virtualCapacity` are not negative.")
        .why(CAPACITY)
        .fix("Write 0 or more.");
    WRKC_013 = Rule::error("AWS-WRKC-013", SHOOT, Both)
        .summary("Quantities in `nodeTemplate.virtualCapacity` are whole numbers.")
        .why("Kubernetes counts extended resources in whole numbers.")
        .fix("Write a whole number, for example `1`.");
    WRKC_014 = Rule::error("AWS-WRKC-014", SHOOT, Both)
        .summary("`capacityReservationPreference` is one that EC2 knows.")
        .why(EC2)
        .fix("Write `capacity-reservations-only`, `open` or `none`; or remove the field.");
    WRKC_015 = Rule::error("AWS-WRKC-015", SHOOT, Both)
        .summary("A named capacity reservation goes with the preference `capacity-reservations-only`, or with none.")
        .why("`open` and `none` leave the choice to EC2.")
        .fix("Set `capacityReservationPreference: capacity-reservations-only`, or remove the id or the ARN.");
    WRKC_016 = Rule::error("AWS-WRKC-016", SHOOT, Both)
        .summary("`capacityReservationId` is the id of a capacity reservation.")
        .why("AWS finds a reservation by its id.")
        .fix("Write the reservation's id, for example `cr-0a1b2c3d4e5f60718`.");
    WRKC_017 = Rule::error("AWS-WRKC-017", SHOOT, Both)
        .summary("`capacityReservationResourceGroupArn` is the ARN of a resource group.")
        .why("AWS finds the group by its ARN.")
        .fix("Write an ARN such as `arn:aws:resource-groups:eu-west-1:123456789012:group/reservations`.");
    WRKC_018 = Rule::error("AWS-WRKC-018", SHOOT, Both)
        .summary("A capacity reservation is named by its id or by a resource group.")
        .why("EC2 takes one of them.")
        .fix("Keep `capacityReservationId` or `capacityReservationResourceGroupArn`, and remove the other.");
    WRKC_019 = Rule::error("AWS-WRKC-019", SHOOT, Both)
        .summary("`httpPutResponseHopLimit` is between 1 and 64.")
        .why(EC2)
        .fix("Write a number from 1 to 64; pods outside the host network need 2.");
    WRKC_020 = Rule::error("AWS-WRKC-020", SHOOT, Both)
        .summary("`httpTokens` is `required` or `optional`.")
        .why(EC2)
        .fix("Write `required`, which is safer, or `optional`.");
    WRKC_021 = Rule::error("AWS-WRKC-021", SHOOT, Both)
        .summary("`amdSevSnp` is `enabled` or `disabled`.")
        .why(EC2)
        .fix("Write `enabled` or `disabled`, or remove the field.");
    WRKC_022 = Rule::error("AWS-WRKC-022", SHOOT, Both)
        .summary("`cpuOptions` with `threadsPerCore` has `coreCount`.")
        .why(CPU)
        .fix("Set `coreCount` to the number of cores, or remove `threadsPerCore`.");
    WRKC_023 = Rule::error("AWS-WRKC-023", SHOOT, Both)
        .summary("`cpuOptions` with `coreCount` has `threadsPerCore`.")
        .why(CPU)
        .fix("Set `threadsPerCore` to 1 or 2, or remove `coreCount`.");
    WRKC_024 = Rule::error("AWS-WRKC-024", SHOOT, Both)
        .summary("`threadsPerCore` is 1 or 2.")
        .why("A core has one thread or two.")
        .fix("Write `1` to switch simultaneous multithreading off, or `2`.");
    WRKC_025 = Rule::error("AWS-WRKC-025", SHOOT, Both)
        .summary("The `type` of a network interface is one that EC2 knows.")
        .why(EC2)
        .fix("Write `interface`, `efa` or `efa-only`; or remove the field.");
    WRKC_026 = Rule::error("AWS-WRKC-026", SHOOT, Both)
        .summary("A network interface has either `networkCardIndex` or `networkCardIndexRange`.")
        .why("An entry is about one network card, or about each of a range.")
        .fix("Keep one of them, and remove the other.");
    WRKC_027 = Rule::error("AWS-WRKC-027", SHOOT, Both)
        .summary("`networkCardIndex` is between 0 and 2147483647.")
        .why(CARDS)
        .fix("Write the index of a network card that the machine type has, from 0 on.");
    WRKC_028 = Rule::error("AWS-WRKC-028", SHOOT, Both)
        .summary("`networkCardIndexRange.from` is not negative.")
        .why(CARDS)
        .fix("Write the index of the first network card, from 0 on.");
    WRKC_029 = Rule::error("AWS-WRKC-029", SHOOT, Both)
        .summary("`networkCardIndexRange.to` is at most 2147483647.")
        .why(CARDS)
        .fix("Write the index of the last network card that the machine type has.");
    WRKC_030 = Rule::error("AWS-WRKC-030", SHOOT, Both)
        .summary("`networkCardIndexRange.from` is not beyond `to`.")
        .why("The range goes from the first network card to the last one.")
        .fix("Write the smaller index in `from`.");
    WRKC_031 = Rule::error("AWS-WRKC-031", SHOOT, Both)
        .summary("`deviceIndex` is between 0 and 2147483647.")
        .why("Interfaces of a network card are counted from 0, by a number of 32 bits.")
        .fix("Write 0 for the first interface of the network card.");
    WRKC_032 = Rule::error("AWS-WRKC-032", SHOOT, Both)
        .summary("The primary network interface is not of type `efa-only`.")
        .why("A node needs an IP address, and such an interface has none.")
        .fix("Set the `type` of the interface with card 0 and device 0 to `interface` or `efa`.");
    WRKC_033 = Rule::error("AWS-WRKC-033", SHOOT, Both)
        .summary("`placement.tenancy` is one that EC2 knows.")
        .why(EC2)
        .fix("Write `default`, `dedicated` or `host`; or remove the field.");
    WRKC_034 = Rule::error("AWS-WRKC-034", SHOOT, Both)
        .summary("`placement.affinity` is `default` or `host`.")
        .why(EC2)
        .fix("Write `default` or `host`, or remove the field.");
    WRKC_035 = Rule::error("AWS-WRKC-035", SHOOT, Both)
        .summary("`placement.hostId` goes with the tenancy `host`.")
        .why("Only instances of this tenancy run on a Dedicated Host.")
        .fix("Set `placement.tenancy: host`, or remove `hostId`.");
    WRKC_036 = Rule::error("AWS-WRKC-036", SHOOT, Both)
        .summary("`placement.partitionNumber` is between 1 and 2147483647.")
        .why("Partitions of a placement group are counted from 1.")
        .fix("Write the number of a partition that the placement group has.");
    WRKC_037 = Rule::error("AWS-WRKC-037", SHOOT, Both)
        .summary("`instanceMarketOptions.marketType` is one that EC2 knows.")
        .why(EC2)
        .fix("Write `spot`, `capacity-block` or `interruptible-capacity-reservation`; or remove `instanceMarketOptions` for \
              on-demand instances.");
}
