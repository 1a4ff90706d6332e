//! Region, bindings, placement and system components of a Shoot.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

const SHOOT: &[&str] = &["Shoot"];
const CREDENTIALS: &str = "Gardener takes the credentials of the cloud from one binding.";
const NODES: &str = "It has no nodes on which something could run.";
const SEED: &str = "The scheduler chooses the seed that runs the control plane by it.";
const SELF_HOSTED: &str = "A self-hosted Shoot runs its control plane on its own machines.";
const DNS: &str = "CoreDNS rewrites queries of names with these suffixes.";

const CONTROL_PLANE_ZONES: &str = "Gardener runs the control plane in these zones of the Seed.";
const MOVE: &str = "Moving a control plane is an operation of its own.";
const MIGRATION: &str = "The control plane moves member by member, and serves all the time.";

rules! {
    GDN_SPEC_001 = Rule::error("GDN-SPEC-001", SHOOT, Both)
        .summary("A Shoot names its region.")
        .why("Machines are created there.")
        .fix("Set `spec.region` to a region of the CloudProfile.");
    GDN_SPEC_002 = Rule::error("GDN-SPEC-002", SHOOT, Both)
        .summary("A Shoot without workers has no `secretBindingName`.")
        .why("It has nothing on a cloud.")
        .fix("Remove `secretBindingName`, or add a worker pool.");
    GDN_SPEC_003 = Rule::error("GDN-SPEC-003", SHOOT, Both)
        .summary("A Shoot without workers has no `credentialsBindingName`.")
        .why("It has nothing on a cloud.")
        .fix("Remove `credentialsBindingName`, or add a worker pool.");
    GDN_SPEC_004 = Rule::error("GDN-SPEC-004", SHOOT, Both)
        .summary("A Shoot with workers names a binding of credentials.")
        .why(CREDENTIALS)
        .fix("Set `spec.credentialsBindingName` to a CredentialsBinding of the Shoot's namespace.");
    GDN_SPEC_005 = Rule::error("GDN-SPEC-005", SHOOT, Both)
        .summary("A Shoot names one binding of credentials, not two.")
        .why(CREDENTIALS)
        .fix("Keep `credentialsBindingName`, and remove `secretBindingName`.");
    GDN_SPEC_006 = Rule::error("GDN-SPEC-006", SHOOT, Both)
        .summary("From Kubernetes 1.34 on, a Shoot has no `secretBindingName`.")
        .why("Gardener replaces SecretBindings by CredentialsBindings.")
        .fix("Set `credentialsBindingName` to a CredentialsBinding of the same credentials, and remove `secretBindingName`.");
    GDN_SPEC_007 = Rule::error("GDN-SPEC-007", SHOOT, Both)
        .summary("`seedName` is not empty where it is there.")
        .why(SEED)
        .fix("Remove `seedName`: the scheduler sets it.");
    GDN_SPEC_008 = Rule::error("GDN-SPEC-008", SHOOT, Both)
        .summary("`seedSelector` selects by labels that can be there.")
        .why(SEED)
        .fix("Write keys and values of labels, and one of the operators `In`, `NotIn`, `Exists` and `DoesNotExist`.");
    GDN_SPEC_009 = Rule::error("GDN-SPEC-009", SHOOT, Both)
        .summary("`purpose` is one that Gardener knows.")
        .why("Gardener chooses monitoring and sizes of the control plane by it.")
        .fix("Choose one of the listed purposes.");
    GDN_TOL_001 = Rule::error("GDN-TOL-001", SHOOT, Both)
        .summary("A toleration has a key.")
        .why(SEED)
        .fix("Set `key` to the key of a taint of seeds, or remove the toleration.");
    GDN_TOL_002 = Rule::error("GDN-TOL-002", SHOOT, Both)
        .summary("The key of a toleration is a qualified name.")
        .why(SEED)
        .fix("Write the key of a taint of seeds, for example `seed.gardener.cloud/protected`.");
    GDN_TOL_003 = Rule::error("GDN-TOL-003", SHOOT, Both)
        .summary("The value of a toleration could be the value of a label.")
        .why(SEED)
        .fix("Write letters, digits, `-`, `_` and `.`, at most 63 of them.");
    GDN_TOL_004 = Rule::error("GDN-TOL-004", SHOOT, Both)
        .summary("A toleration is there once, and one without a value has no others of its key behind it.")
        .why("The others would add nothing.")
        .fix("Remove the toleration.");
    GDN_SYS_001 = Rule::error("GDN-SYS-001", SHOOT, Both)
        .summary("A Shoot without workers has no `systemComponents`.")
        .why(NODES)
        .fix("Remove `systemComponents`, or add a worker pool.");
    GDN_SYS_002 = Rule::error("GDN-SYS-002", SHOOT, Both)
        .summary("CoreDNS scales `horizontal` or `cluster-proportional`.")
        .why("Gardener knows no other mode.")
        .fix("Choose one of the listed modes.");
    GDN_SYS_003 = Rule::error("GDN-SYS-003", SHOOT, Both)
        .summary("A common suffix has a dot that does not stand at its beginning.")
        .why(DNS)
        .fix("Write a suffix of two labels at least, for example `example.com`.");
    GDN_SYS_004 = Rule::error("GDN-SYS-004", SHOOT, Both)
        .summary("A common suffix is there once, with a dot in front of it or without.")
        .why(DNS)
        .fix("Remove the suffix.");
    GDN_SYS_005 = Rule::error("GDN-SYS-005", SHOOT, Both)
        .summary("A common suffix is a DNS subdomain.")
        .why(DNS)
        .fix("Write lower-case letters, digits, `-` and `.`, for example `example.com`.");
    GDN_SPEC_010 = Rule::error("GDN-SPEC-010", SHOOT, Both)
        .summary("`exposureClassName` is a DNS subdomain.")
        .why("It is the name of an ExposureClass.")
        .fix("Write the name of an ExposureClass, or remove `exposureClassName`.");
    GDN_SPEC_011 = Rule::error("GDN-SPEC-011", SHOOT, Both)
        .summary("A self-hosted Shoot has no seed.")
        .why(SELF_HOSTED)
        .fix("Remove `seedName`, or `controlPlane` of the worker pool.");
    GDN_SPEC_012 = Rule::error("GDN-SPEC-012", SHOOT, Both)
        .summary("A self-hosted Shoot is in the namespace `garden`.")
        .why(SELF_HOSTED)
        .fix("Set `metadata.namespace: garden`, or remove `controlPlane` of the worker pool.");
    GDN_SPEC_013 = Rule::error("GDN-SPEC-013", SHOOT, Both)
        .summary("`schedulerName` is a DNS label.")
        .why("A scheduler of that name chooses the seed.")
        .fix("Remove `schedulerName`: `default-scheduler` is the scheduler of Gardener.");
    GDN_HA_001 = Rule::error("GDN-HA-001", SHOOT, Both)
        .summary("A control plane tolerates the failure of a `node` or of a `zone`.")
        .why("Gardener spreads its replicas by it.")
        .fix("Write `node` or `zone`, or remove `highAvailability`.");
    GDN_FD_001 = Rule::error("GDN-FD-001", SHOOT, Both)
        .summary("Nobody forces the deletion of a Shoot that nobody deletes.")
        .why("A forced deletion leaves resources in the cloud behind.")
        .fix("Remove the annotation, or delete the Shoot before you set it.");
    GDN_FD_002 = Rule::error("GDN-FD-002", SHOOT, Create)
        .summary("Nobody forces the deletion of a new Shoot.")
        .why("Force is for a deletion that failed with an error of the user or the cloud.")
        .fix("Remove the annotation.");
    GDN_META_020 = Rule::error("GDN-META-020", SHOOT, Create)
        .summary("A new Shoot has no finalizer of Gardener's own controllers.")
        .why("Gardener sets its finalizers itself.")
        .fix("Remove the finalizer.");
    GDN_WRK_080 = Rule::error("GDN-WRK-080", SHOOT, Create)
        .summary("A worker pool is updated in place only where the operators turned the feature on.")
        .why("The API server's feature gate `InPlaceNodeUpdates` is off where nobody turned it on.")
        .fix("Write `updateStrategy: AutoRollingUpdate`, or leave out `updateStrategy`.");
    GDN_CPZ_001 = Rule::error("GDN-CPZ-001", SHOOT, Both)
        .since(150)
        .summary("The zones of a control plane are different ones.")
        .why(CONTROL_PLANE_ZONES)
        .fix("Remove the repeated zone.");
    GDN_CPZ_002 = Rule::error("GDN-CPZ-002", SHOOT, Both)
        .since(150)
        .summary("A control plane that tolerates the failure of a zone has three zones.")
        .why(CONTROL_PLANE_ZONES)
        .fix("Name three zones, or leave out `controlPlane.zones`.");
    GDN_CPZ_003 = Rule::error("GDN-CPZ-003", SHOOT, Both)
        .since(150)
        .summary("A control plane that does not tolerate the failure of a zone has one zone.")
        .why(CONTROL_PLANE_ZONES)
        .fix("Name one zone, or leave out `controlPlane.zones`.");
    ADM_SCH_002 = Rule::error("ADM-SCH-002", SHOOT, Update)
        .since(144)
        .summary("A Shoot that has a Seed keeps `spec.seedName`.")
        .why(MOVE)
        .fix("Write the Seed that the Shoot has, or apply the manifest instead of replacing the Shoot.");
    ADM_SCH_004 = Rule::error("ADM-SCH-004", SHOOT, Update)
        .since(144)
        .summary("An update of a Shoot does not choose its Seed.")
        .why(MOVE)
        .fix("Leave `spec.seedName` as it is; operators move a Shoot by its subresource `binding`.");
    ADM_LIV_001 = Rule::error("ADM-LIV-001", SHOOT, Both)
        .since(148)
        .summary("A control plane migrates while it runs only where the API server has the feature gate `LiveControlPlaneMigration`.")
        .why(MIGRATION)
        .fix("Remove the annotation.");
    ADM_LIV_002 = Rule::error("ADM-LIV-002", SHOOT, Both)
        .since(148)
        .summary("A new Shoot does not ask for a migration of its control plane.")
        .why("It has no control plane yet.")
        .fix("Remove the annotation.");
    ADM_LIV_003 = Rule::error("ADM-LIV-003", SHOOT, Update)
        .since(148)
        .summary("A control plane that migrates while it runs is highly available.")
        .why(MIGRATION)
        .fix("Set `controlPlane.highAvailability` first, or remove the annotation.");
    ADM_LIV_004 = Rule::error("ADM-LIV-004", SHOOT, Update)
        .since(148)
        .summary("A control plane that migrates while it runs is not hibernated.")
        .why(MIGRATION)
        .fix("Wake the Shoot up first, or remove the annotation.");
    ADM_LIV_006 = Rule::error("ADM-LIV-006", SHOOT, Update)
        .since(148)
        .summary("Both Seeds are of one provider, run one version of gardenlet and are near each other.")
        .why(MIGRATION)
        .fix("Choose another Seed.")
        .informative("What the Seeds allow, nobody judges here: the rule stands for the question.");
}
