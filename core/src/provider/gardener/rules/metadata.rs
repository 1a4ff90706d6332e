//! The metadata of a Shoot, and the profile that it names.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{ALL_KINDS, KINDS};

const SHOOT: &[&str] = &["Shoot"];
const OF_KUBERNETES: &str = "The Kubernetes API demands it of every object.";
const HOSTS: &str = "Gardener makes host names of it.";
const LABEL: &str =
    "Write lower case letters, digits and `-`; begin and end with a letter or a digit; 63 characters at most.";
const KEY: &str =
    "Write a key such as `name` or `example.com/name`: letters, digits, `-`, `_` and `.`, 63 at most.";

rules! {
    GDN_META_001 = Rule::error("GDN-META-001", KINDS, Both)
        .summary("`generateName` is the beginning of a DNS label; that of a profile is the beginning of a DNS subdomain.")
        .why(HOSTS)
        .fix(LABEL);
    GDN_META_002 = Rule::error("GDN-META-002", SHOOT, Both)
        .summary("An object has a name.")
        .why(OF_KUBERNETES)
        .fix("Set `metadata.name`.");
    GDN_META_003 = Rule::error("GDN-META-003", KINDS, Both)
        .summary("The name of a Shoot is a DNS label; that of a profile is a DNS subdomain.")
        .why(HOSTS)
        .fix(LABEL);
    GDN_META_004 = Rule::error("GDN-META-004", KINDS, Both)
        .summary("A Shoot and a NamespacedCloudProfile have a namespace, and a CloudProfile has none.")
        .why("A CloudProfile is for all projects. The API server takes the namespace from the address of the request, where the object has none.")
        .fix("Remove `metadata.namespace`.");
    GDN_META_005 = Rule::error("GDN-META-005", KINDS, Both)
        .summary("A namespace is a DNS label.")
        .why(OF_KUBERNETES)
        .fix(LABEL);
    GDN_META_006 = Rule::error("GDN-META-006", KINDS, Both)
        .summary("`generation` is not negative.")
        .why("The API server counts it.")
        .fix("Remove `metadata.generation`.");
    GDN_META_007 = Rule::error("GDN-META-007", KINDS, Both)
        .summary("Labels have keys and values that Kubernetes allows.")
        .why(OF_KUBERNETES)
        .fix("Correct the label: letters, digits, `-`, `_` and `.`, 63 at most; the key may begin with `example.com/`.");
    GDN_META_008 = Rule::error("GDN-META-008", KINDS, Both)
        .summary("Annotations have keys that Kubernetes allows, and 256 KiB at most.")
        .why(OF_KUBERNETES)
        .fix(KEY);
    GDN_META_009 = Rule::error("GDN-META-009", KINDS, Both)
        .summary("An owner reference has the version, kind, name and uid of the owner.")
        .why(OF_KUBERNETES)
        .fix("Complete the owner reference, or remove it.");
    GDN_META_010 = Rule::error("GDN-META-010", KINDS, Both)
        .summary("No Event is an owner, and one owner at most is the controller.")
        .why(OF_KUBERNETES)
        .fix("Remove the owner reference, or its `controller`.");
    GDN_META_011 = Rule::error("GDN-META-011", KINDS, Both)
        .summary("A finalizer has a name that Kubernetes allows.")
        .why(OF_KUBERNETES)
        .fix(KEY);
    GDN_META_012 = Rule::error("GDN-META-012", KINDS, Both)
        .summary("An object has one of the finalizers `orphan` and `foregroundDeletion` at most.")
        .why("They contradict each other.")
        .fix("Remove one of them.");
    GDN_META_015 = Rule::error("GDN-META-015", KINDS, Both)
        .summary("Managed fields have an operation, a type and a manager that Kubernetes knows.")
        .why("The API server writes them.")
        .fix("Remove `metadata.managedFields`.");
    GDN_META_021 = Rule::error("GDN-META-021", ALL_KINDS, Create)
        .summary("A new object has no `resourceVersion`.")
        .why("The API server counts the versions of an object, and refuses to create one that has a version already.")
        .fix("Remove `metadata.resourceVersion`.");
    GDN_META_022 = Rule::error("GDN-META-022", ALL_KINDS, Update)
        .summary("`uid` and `resourceVersion`, where an update has them, are those of the stored object.")
        .why("By them a person says which object, and which version of it, the update is for.")
        .fix("Remove `metadata.uid` and `metadata.resourceVersion`, or start from the stored object.");
    GDN_META_023 = Rule::error("GDN-META-023", SHOOT, Both)
        .summary("The types of DNS providers and the names of machine images are names that a label may have.")
        .why("Gardener labels a Shoot with each of them, and with the kind of extension in front.")
        .fix("Write letters, digits, `-`, `_` and `.`; begin and end with a letter or a digit; 63 characters at most.");
    GDN_META_013 = Rule::error("GDN-META-013", SHOOT, Both)
        .summary("The name of a Shoot has no two hyphens side by side.")
        .why("Gardener names the Shoot's own namespace `shoot--PROJECT--NAME`, and reads the name out of that again.")
        .fix("Write one hyphen.");
    GDN_CP_001 = Rule::error("GDN-CP-001", SHOOT, Both)
        .summary("From Kubernetes 1.34 on, a Shoot names its profile in `cloudProfile`.")
        .why("Gardener removes `cloudProfileName`.")
        .fix("Remove `cloudProfileName`, and set `cloudProfile.name`.");
    GDN_CP_002 = Rule::error("GDN-CP-002", SHOOT, Both)
        .summary("A Shoot names a profile.")
        .why("All that a Shoot may choose stands there.")
        .fix("Set `spec.cloudProfile.name`.");
    GDN_CP_003 = Rule::error("GDN-CP-003", SHOOT, Both)
        .summary("A profile is a CloudProfile or a NamespacedCloudProfile.")
        .why("There are no others.")
        .fix("Write `CloudProfile` or `NamespacedCloudProfile`.");
    ADM_PRJ_002 = Rule::error("ADM-PRJ-002", SHOOT, Create)
        .summary("The name of a Shoot and the name of its project have at most 21 bytes together.")
        .why(HOSTS)
        .fix("Choose a shorter name.");
}
