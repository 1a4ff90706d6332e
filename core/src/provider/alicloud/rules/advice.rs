//! Advice beyond what rejects: what is deprecated, disrupts, costs, or is refused by the cloud later.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{CLOUD_PROFILE, SECRET, SHOOT};

rules! {
    ADV_001 = Rule::warning("ALI-ADV-001", SHOOT, Both)
        .summary("A zone uses `workers` instead of the deprecated `worker`.")
        .why("`worker` is deprecated and read for the sake of old Shoots only.")
        .fix("Rename `worker` to `workers` and keep the CIDR; nothing is recreated.");
    ADV_002 = Rule::warning("ALI-ADV-002", SHOOT, Both)
        .summary("A zone of `networks.zones` has a name.")
        .why("Alibaba Cloud creates no VSwitch without a zone.")
        .fix("Set `name` to a zone of the Shoot's region, for example `eu-central-1a`.");
    ADV_003 = Rule::warning("ALI-ADV-003", SHOOT, Both)
        .summary("No zone is listed twice in `networks.zones`.")
        .why("Nodes of a zone use its first VSwitch; a second entry mostly lies idle.")
        .fix("Give the zone one entry, with a CIDR that is large enough.");
    ADV_004 = Rule::warning("ALI-ADV-004", SHOOT, Both)
        .summary("A zone of `networks.zones` has a CIDR.")
        .why("Alibaba Cloud creates no VSwitch without a range.")
        .fix("Set the zone's `workers`, for example `10.250.0.0/19`.");
    ADV_005 = Rule::warning("ALI-ADV-005", SHOOT, Update)
        .summary("`natGateway.eipAllocationID` stays as it is.")
        .why("A change interrupts outgoing traffic and alters its source address; an elastic IP that \
              Gardener created is deleted for good.")
        .fix("Keep the old value, or change it in a quiet hour after adapting allowlists that hold the old address.");
    ADV_006 = Rule::warning("ALI-ADV-006", SHOOT, Update)
        .summary("Disk encryption of a worker pool stays as it is.")
        .why("Disks are encrypted when they are created, so all nodes of the pool are replaced.")
        .fix("Keep `encrypted`, or plan the rolling update: check `maxSurge`, `maxUnavailable` and disruption \
              budgets.");
    ADV_007 = Rule::warning("ALI-ADV-007", SHOOT, Update)
        .summary("The machine image of a worker pool stays as it is.")
        .why("Nodes boot from the image, so all nodes of the pool are replaced.")
        .fix("Keep `machine.image`, or plan the rolling update: check `maxSurge`, `maxUnavailable` and disruption \
              budgets.");
    ADV_008 = Rule::warning("ALI-ADV-008", SHOOT, Update)
        .summary("Type, size and number of a worker pool's volumes stay as they are.")
        .why("Disks come with the machine, so all nodes of the pool are replaced.")
        .fix("Keep `volume` and `dataVolumes`, or plan the rolling update: check `maxSurge` and disruption budgets.");
    ADV_009 = Rule::warning("ALI-ADV-009", SHOOT, Both)
        .summary("Volumes of a worker pool have 20 GiB or more, and say so in `Gi`.")
        .why("Alibaba Cloud refuses smaller disks, and the nodes would not start. The number counts as GiB, whatever the unit.")
        .fix("Set `size` to `20Gi` or more, in `Gi`.");
    ADV_010 = Rule::warning("ALI-ADV-010", SHOOT, Create)
        .summary("An existing VPC with a NAT gateway of your own is prepared for the Shoot.")
        .why("Gardener then manages neither the gateway nor the VPC's ranges, and nodes without egress never join.")
        .fix("Keep the zones' `workers` inside the VPC and clear of your VSwitches; provide an enhanced NAT gateway on \
              your own VSwitch with SNAT entries, the default route and DNS, or set `gardenerManagedNATGateway: true`.");
    ADV_011 = Rule::warning("ALI-ADV-011", SHOOT, Update)
        .summary("`csi.enableADController` is not switched on where old volumes exist.")
        .why("Persistent volumes from before 2021 may fail to mount afterwards.")
        .fix("Check the age of the cluster's PersistentVolumes first; leave the field off or migrate the old ones.");
    ADV_012 = Rule::warning("ALI-ADV-012", SHOOT, Both)
        .summary("A Shoot for production sets no feature gates of the cloud controller manager.")
        .why("Alpha features or disabled stable ones can make the cluster unstable.")
        .fix("Remove `cloudControllerManager.featureGates`, or try them on a Shoot of another `purpose`.");
    ADV_013 = Rule::warning("ALI-ADV-013", SHOOT, Both)
        .summary("A zone's CIDR has an address for every node that its pools may have.")
        .why("Every node takes an address, and Alibaba Cloud reserves four in each VSwitch; the pools stop short of \
              `maximum`.")
        .fix("Choose a larger `workers` on a new Shoot, append a zone, or lower `maximum`.");
    ADV_014 = Rule::warning("ALI-ADV-014", SHOOT, Both)
        .summary("`spec.kubernetes.version` is a text, not a number.")
        .why("YAML reads `1.30` as the number 1.3, which is another version.")
        .fix("Put the version into quotes, for example `\"1.30.4\"`.");
    ADV_015 = Rule::warning("ALI-ADV-015", SHOOT, Both)
        .summary("`ipv6CidrBlock` is set with dual-stack only.")
        .why("Without dual-stack VSwitches get no IPv6 block, and the value has no effect.")
        .fix("Set `dualStack.enabled: true`, or leave `ipv6CidrBlock` out when you create the Shoot.");
    ADV_016 = Rule::warning("ALI-ADV-016", SHOOT, Both)
        .summary("`gardenerManagedNATGateway` is set for an existing VPC only.")
        .why("A new VPC always gets a managed NAT gateway, whatever the value says.")
        .fix("Leave `gardenerManagedNATGateway` out when you create the Shoot; it cannot be changed later.");
    ADV_017 = Rule::warning("ALI-ADV-017", SHOOT, Both)
        .summary("No two data volumes of a worker pool have the same name.")
        .why("Encryption and mounts are found by name, so one volume could get what is meant for the other.")
        .fix("Give each entry of `dataVolumes` a `name` of its own.");
    ADV_018 = Rule::warning("ALI-ADV-018", CLOUD_PROFILE, Both)
        .summary("Image mappings name regions of `spec.regions`.")
        .why("No Shoot can be in another region; mostly the name is misspelt and the right region has no image.")
        .fix("Correct each region's `name` in `providerConfig`, or add the region to `spec.regions`.");
    ADV_019 = Rule::warning("ALI-ADV-019", SECRET, Both)
        .summary("`accessKeySecret` neither begins nor ends with a blank.")
        .why("Blanks count as part of the secret, and Alibaba Cloud rejects every signature.")
        .fix("Encode the secret again without blanks around it.");
    ADV_020 = Rule::warning("ALI-ADV-020", &["Secret", "SecretBinding", "CredentialsBinding"], Both)
        .summary("No key of a Secret is another one, misspelt.")
        .why("Nobody reads the misspelt key, and Gardener misses the right one.")
        .fix("Rename the key; upper and lower case count.");
}
