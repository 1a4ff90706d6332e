//! Advice beyond what rejects: what is deprecated, has no effect, replaces machines, or fails later.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{CLOUD_PROFILE, PROFILES, SECRET, SHOOT, WITH_CLASSES};

const WITH_KEYSTONE: &[&str] = &["CloudProfile", "Secret"];

rules! {
    ADV_001 = Rule::warning("OS-ADV-001", SHOOT, Create)
        .summary("A new Shoot uses `networks.workers` instead of the deprecated `worker`.")
        .why("`worker` is deprecated, and cannot become `workers` once the Shoot exists.")
        .fix("Rename `worker` to `workers` and keep the CIDR.");
    ADV_002 = Rule::warning("OS-ADV-002", SHOOT, Create)
        .summary("`networks` has one of `workers` and `worker`.")
        .why("`worker` has no effect next to `workers`, and neither can be removed once the Shoot exists.")
        .fix("Remove `worker`.");
    ADV_003 = Rule::warning("OS-ADV-003", SHOOT, Both)
        .summary("`controlPlaneConfig.zone` is not set.")
        .why("The field is deprecated, and nothing reads the field.")
        .fix("Remove `zone` from `controlPlaneConfig`.");
    ADV_004 = Rule::warning("OS-ADV-004", SHOOT, Create)
        .summary("Without overlay, pods of an existing network have a range of their own.")
        .why("Pods are reached by their addresses there; Shoots whose pod ranges overlap in one network do not work.")
        .fix("Choose a `spec.networking.pods` that no other cluster of the network uses, or set `overlay.enabled: \
              true`.");
    ADV_005 = Rule::warning("OS-ADV-005", SHOOT, Both)
        .summary("`loadBalancerClasses` is left out, or lists classes.")
        .why("An empty list hides all classes that the CloudProfile offers with the floating pool.")
        .fix("Remove `loadBalancerClasses` to have the pool's classes, or list those that you need.");
    ADV_006 = Rule::warning("OS-ADV-006", SHOOT, Both)
        .summary("Names of machine labels have letters, digits, blanks and `-` `_` `:` `.` only.")
        .why("Gardener writes `-` for every other character when the label becomes metadata of the server.")
        .fix("Rename the machine label, or look for the changed name on the server.");
    ADV_007 = Rule::warning("OS-ADV-007", SHOOT, Both)
        .summary("`serverGroup.policy` is a soft one.")
        .why("With `affinity` or `anti-affinity` OpenStack creates no server once hosts run out; soft policies only \
              prefer.")
        .fix("Choose `soft-affinity` or `soft-anti-affinity`, or make sure that hosts suffice for `maximum` and \
              `maxSurge`.");
    ADV_008 = Rule::warning("OS-ADV-008", SHOOT, Update)
        .summary("Server group, additional security groups and rolling machine labels of a pool stay as they are.")
        .why("Servers get them when OpenStack creates them, so all nodes of the pool are replaced.")
        .fix("Keep the old values, or plan the rolling update: check `maxSurge`, `maxUnavailable` and disruption \
              budgets.");
    ADV_009 = Rule::warning("OS-ADV-009", SECRET, Both)
        .summary("The application credential does not expire while Shoots use it.")
        .why("Only Keystone knows when an application credential expires; Shoots cannot be reconciled afterwards.")
        .fix("Look at `expires_at` of `openstack application credential show`, and renew the Secret in time.");
    ADV_010 = Rule::warning("OS-ADV-010", PROFILES, Both)
        .summary("Image versions are mapped by image IDs of `regions`, not by `image` alone.")
        .why("Names of images are not unique, and a name works for amd64 only.")
        .fix("Add an entry with `name`, `id` and `architecture` to `regions` for every region that offers the \
              image.");
    ADV_011 = Rule::warning("OS-ADV-011", WITH_KEYSTONE, Both)
        .summary("Certificates of OpenStack are checked.")
        .why("With `insecure` or `keystoneForceInsecure` anybody between client and OpenStack can read the \
              credentials.")
        .fix("Remove the setting, and provide the CA certificate in `caCert` or `keystoneCACert`.");
    ADV_012 = Rule::warning("OS-ADV-012", WITH_KEYSTONE, Both)
        .summary("Keystone is called by HTTPS.")
        .why("HTTP sends credentials in clear text.")
        .fix("Use Keystone's URL that begins with `https://`.");
    ADV_013 = Rule::warning("OS-ADV-013", CLOUD_PROFILE, Both)
        .summary("`providerConfig` names regions of `spec.regions`.")
        .why("No Shoot can be in another region; mostly the name is misspelt and the right region lacks the entry.")
        .fix("Correct each region in `providerConfig`, or add the region to `spec.regions`.");
    ADV_014 = Rule::warning("OS-ADV-014", CLOUD_PROFILE, Both)
        .summary("Every region of `spec.regions` has a Keystone URL.")
        .why("Without `keystoneURL` a Shoot in a region that `keystoneURLs` lacks cannot call OpenStack.")
        .fix("Add each region to `keystoneURLs`, or set `keystoneURL` for all other regions.");
    ADV_015 = Rule::warning("OS-ADV-015", CLOUD_PROFILE, Both)
        .summary("A floating pool's name has its `*` alone, at the beginning or at the end.")
        .why("A `*` elsewhere, or a second one, stands for itself and matches no other character.")
        .fix("Write a pattern such as `internet-*` or `*-internet`.");
    ADV_016 = Rule::warning("OS-ADV-016", WITH_CLASSES, Both)
        .summary("A load balancer class has a `subnetID` or a floating network, not both.")
        .why("`subnetID` has no effect next to a floating network or subnet.")
        .fix("Remove `subnetID`, or the fields that begin with `floating`.");
    ADV_017 = Rule::warning("OS-ADV-017", SHOOT, Both)
        .summary("The range of the workers has an address for every node that the pools may have.")
        .why("Every node takes an address of the subnet; the pools stop short of `maximum`.")
        .fix("Choose a larger `networks.workers` on a new Shoot, or lower `maximum`.");
    ADV_018 = Rule::warning("OS-ADV-018", SHOOT, Both)
        .summary("A Shoot for production sets no feature gates of the cloud controller manager.")
        .why("Alpha features or disabled stable ones can make the cluster unstable.")
        .fix("Remove `cloudControllerManager.featureGates`, or try them on a Shoot of another `purpose`.");
}
