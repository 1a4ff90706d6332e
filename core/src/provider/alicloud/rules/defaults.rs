//! What defaulting sets in Shoots, `CloudProfiles` and `NamespacedCloudProfiles`.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{CLOUD_PROFILE, NAMESPACED_CLOUD_PROFILE, SHOOT};

rules! {
    DEF_001 = Rule::default("ALI-DEF-001", SHOOT, Both)
        .summary("A Shoot without workers stays as it is.")
        .why("Without nodes no default of Alibaba Cloud has a meaning.")
        .fix("Add `spec.provider.workers` if the Shoot should have nodes.")
        .informative("The row says when defaulting ends early; it sets nothing.");
    DEF_002 = Rule::default("ALI-DEF-002", SHOOT, Both)
        .summary("Network defaults apply where `spec.networking.type` is set.")
        .why("They wait while a Shoot moves to another Seed, is deleted, or is not changed at all.")
        .fix("Set what you want in `spec.networking.providerConfig` yourself.")
        .informative("The row says when ALI-DEF-003 to ALI-DEF-006 run; it sets nothing.");
    DEF_003 = Rule::default("ALI-DEF-003", SHOOT, Create)
        .summary("`networking.providerConfig.overlay.enabled` becomes `false` where `overlay` is left out.")
        .why("Routes of the VPC lead to the pods, which is faster than an overlay network.")
        .fix("Set `overlay.enabled: true` in `spec.networking.providerConfig` to have the overlay.");
    DEF_004 = Rule::default("ALI-DEF-004", SHOOT, Update)
        .summary("`networking.providerConfig.overlay` is kept where it is left out.")
        .why("Switching the overlay of a running cluster by omission would disturb its traffic.")
        .fix("Write `overlay.enabled` explicitly to change it.");
    DEF_005 = Rule::default("ALI-DEF-005", SHOOT, Both)
        .summary("Calico without overlay gets `snatToUpstreamDNS.enabled: false`.")
        .why("The VPC routes pod addresses, so queries to the upstream DNS need no translation.")
        .fix("Set `overlay.enabled: true` if translation is needed; another value does not last without overlay.");
    DEF_006 = Rule::default("ALI-DEF-006", SHOOT, Both)
        .summary("`networking.providerConfig` is written as a compact JSON object, at least `{}`.")
        .why("The network defaults are set in it, so it must be an object.")
        .fix("Write `spec.networking.providerConfig` as an object, or leave it out.");
    DEF_007 = Rule::default("ALI-DEF-007", SHOOT, Create)
        .summary("`csi.enableADController` becomes `true`, in a `controlPlaneConfig` that is created if missing.")
        .why("The attach-detach controller of Kubernetes then attaches disks, which is the way for new clusters.")
        .fix("Set `csi.enableADController: false` in `controlPlaneConfig` to have it off.");
    DEF_008 = Rule::default("ALI-DEF-008", SHOOT, Update)
        .summary("`csi.enableADController` is kept where it is left out.")
        .why("Disks are attached by one way; changing it by omission could break mounts.")
        .fix("Write `csi.enableADController` explicitly to change it.");
    DEF_009 = Rule::default("ALI-DEF-009", SHOOT, Create)
        .summary("Data volumes are encrypted.")
        .why("Data at rest is protected unless you decide otherwise; any image allows it.")
        .fix("Set `encrypted: false` on the data volume to leave it unencrypted.");
    DEF_010 = Rule::default("ALI-DEF-010", SHOOT, Create)
        .summary("System disks of pools with a customized image are encrypted.")
        .why("Encryption needs a copy of the image, which only customized images allow.")
        .fix("Set `volume.encrypted: false` on the pool to leave the system disk unencrypted.");
    DEF_011 = Rule::default("ALI-DEF-011", SHOOT, Update)
        .summary("An added pool gets the encryption defaults of a new Shoot.")
        .why("It has no nodes yet, so encryption disturbs nothing.")
        .fix("Set `encrypted: false` on its `volume` or `dataVolumes` to leave them unencrypted.");
    DEF_012 = Rule::default("ALI-DEF-012", SHOOT, Update)
        .summary("A pool's `volume.encrypted` is kept where it is left out.")
        .why("Changing it replaces all nodes of the pool, which must not happen by omission.")
        .fix("Write `volume.encrypted` explicitly to change it.");
    DEF_013 = Rule::default("ALI-DEF-013", SHOOT, Update)
        .summary("Data volumes keep `encrypted` where it is left out; added ones are encrypted.")
        .why("Changing it replaces all nodes of the pool; a new name brings new disks anyway.")
        .fix("Write `encrypted` explicitly on the data volume to change it.");
    DEF_014 = Rule::default("ALI-DEF-014", SHOOT, Update)
        .summary("`shoot.gardener.cloud/tasks` gets `deployInfrastructure` for a newly encrypted image.")
        .why("The encrypted copy of the image is made with the infrastructure and must exist before the nodes.")
        .fix("Leave the annotation; Gardener removes the task when it is done.");
    DEF_015 = Rule::default("ALI-DEF-015", CLOUD_PROFILE, Both)
        .summary("Image versions get the `capabilityFlavors` of their mapping in `providerConfig`.")
        .why("Gardener chooses images by the flavors in `spec.machineImages`; the mapping knows them best.")
        .fix("Change the flavors in `providerConfig`; those in `spec.machineImages` are overwritten.");
    DEF_016 = Rule::default("ALI-DEF-016", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("Image versions get the `capabilityFlavors` of their mapping, if the parent has capabilities.")
        .why("Gardener chooses images by the flavors in `spec.machineImages`; the mapping knows them best.")
        .fix("Change the flavors in `providerConfig`; those in `spec.machineImages` are overwritten.");
    DEF_017 = Rule::default("ALI-DEF-017", NAMESPACED_CLOUD_PROFILE, Both)
        .summary("Image mappings of `providerConfig` are merged into `status.cloudProfileSpec`.")
        .why("Shoots read the parent's and the profile's images from the status alone.")
        .fix("Change the mapping in `spec.providerConfig`; the status follows.");
}
