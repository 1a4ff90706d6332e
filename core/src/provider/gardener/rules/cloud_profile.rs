//! What a CloudProfile offers: its Kubernetes versions, regions and bastion. The parts of a NamespacedCloudProfile
//! follow the same rules.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

const CLOUD_PROFILE: &[&str] = &["CloudProfile"];
const PROFILES: &[&str] = &["CloudProfile", "NamespacedCloudProfile"];
const CAPABILITIES: &str = "Machine types and images describe themselves by these capabilities.";
const NAME: &str = "Write letters, digits, `-`, `_` and `.`, 63 at most; begin and end with a letter or a digit.";
const LATEST: &str =
    "Gardener updates Shoots to the latest version: one that expires leaves them nothing to go to.";
const CYCLE: &str = "Gardener says by the stages which versions a Shoot may use, and when.";
const TWICE: &str = "Gardener looks up entries by their name.";
const BASTION: &str = "Gardener makes the machine of a bastion of it.";

rules! {
    GDN_CPR_001 = Rule::error("GDN-CPR-001", CLOUD_PROFILE, Both)
        .summary("A CloudProfile has a provider type.")
        .why("By the type, Gardener finds the extension that speaks to the cloud.")
        .fix("Set `spec.type`, for example to `alicloud`.");
    GDN_CPR_002 = Rule::error("GDN-CPR-002", CLOUD_PROFILE, Both)
        .summary("A CloudProfile defines machine capabilities only where the feature gate `CloudProfileCapabilities` is on.")
        .why("The API server of the garden knows nothing of capabilities without the gate, which is on by default from Gardener 1.146 on.")
        .fix("Remove `spec.machineCapabilities`, or ask the operators of the garden to switch on the gate.");
    GDN_CPR_003 = Rule::error("GDN-CPR-003", CLOUD_PROFILE, Both)
        .summary("A capability is defined once.")
        .why(TWICE)
        .fix("Put all values into one definition, and remove the other.");
    GDN_CPR_009 = Rule::error("GDN-CPR-009", CLOUD_PROFILE, Both)
        .since(147)
        .summary("The name of a capability does not begin with `gardener-`.")
        .why("Gardener keeps such names for its own capabilities.")
        .fix("Choose another name.");
    GDN_CPR_004 = Rule::error("GDN-CPR-004", CLOUD_PROFILE, Both)
        .summary("Machine capabilities include `architecture`.")
        .why("Gardener chooses the image of a machine by its architecture.")
        .fix("Add `architecture` with the values that the cloud has, for example `amd64` and `arm64`.");
    GDN_CPR_005 = Rule::error("GDN-CPR-005", CLOUD_PROFILE, Both)
        .summary("The values of `architecture` are `amd64` and `arm64`.")
        .why("Gardener runs on no others.")
        .fix("Remove the other values.");
    GDN_CPR_006 = Rule::error("GDN-CPR-006", CLOUD_PROFILE, Both)
        .summary("The name of a capability is a qualified name without a prefix.")
        .why(CAPABILITIES)
        .fix(NAME);
    GDN_CPR_007 = Rule::error("GDN-CPR-007", CLOUD_PROFILE, Both)
        .summary("A capability has values.")
        .why(CAPABILITIES)
        .fix("List the values, or remove the capability.");
    GDN_CPR_008 = Rule::error("GDN-CPR-008", CLOUD_PROFILE, Both)
        .summary("A value of a capability is a qualified name without a prefix.")
        .why(CAPABILITIES)
        .fix(NAME);
    GDN_CPR_010 = Rule::error("GDN-CPR-010", CLOUD_PROFILE, Both)
        .summary("A CloudProfile offers a Kubernetes version.")
        .why("A Shoot needs one.")
        .fix("Add a version to `spec.kubernetes.versions`.");
    GDN_CPR_011 = Rule::error("GDN-CPR-011", CLOUD_PROFILE, Both)
        .summary("Gardener can tell which Kubernetes version is the latest.")
        .why(LATEST)
        .fix("List versions such as `1.33.7`, and nothing else.");
    GDN_CPR_012 = Rule::error("GDN-CPR-012", CLOUD_PROFILE, Both)
        .summary("The latest Kubernetes version has no expiration date.")
        .why(LATEST)
        .fix("Remove the `expirationDate` of this version, or add a later version.");
    GDN_CPR_013 = Rule::error("GDN-CPR-013", CLOUD_PROFILE, Both)
        .summary("The lifecycle of the latest Kubernetes version does not end with `expired`.")
        .why(LATEST)
        .fix("Remove the stage `expired` of this version, or add a later version.");
    GDN_CPR_014 = Rule::error("GDN-CPR-014", PROFILES, Both)
        .summary("A Kubernetes version has three numbers.")
        .why("A Shoot names it in full.")
        .fix("Write a version such as `1.33.7`.");
    GDN_CPR_015 = Rule::error("GDN-CPR-015", PROFILES, Both)
        .summary("A Kubernetes version is listed once.")
        .why(TWICE)
        .fix("Remove the other entry of the version.");
    GDN_CPR_016 = Rule::error("GDN-CPR-016", PROFILES, Both)
        .summary("A version has a lifecycle only where the feature gate `VersionClassificationLifecycle` is on.")
        .why("Without the gate, the API server knows only `classification` and `expirationDate`.")
        .fix("Write `classification` and `expirationDate` instead, or ask the operators of the garden to switch on the gate.");
    GDN_CPR_017 = Rule::error("GDN-CPR-017", PROFILES, Both)
        .summary("The classification of a version is `preview`, `supported`, `deprecated` or `expired`.")
        .why(CYCLE)
        .fix("Choose one of these, or remove `classification`.");
    GDN_CPR_018 = Rule::error("GDN-CPR-018", PROFILES, Both)
        .summary("A version without a lifecycle is not classified as `expired`.")
        .why("It expires by its `expirationDate`.")
        .fix("Write `deprecated`, and set `expirationDate`.");
    GDN_CPR_019 = Rule::error("GDN-CPR-019", PROFILES, Both)
        .summary("A version with a lifecycle has neither `classification` nor `expirationDate`.")
        .why("The lifecycle says both.")
        .fix("Remove `classification` and `expirationDate`, or remove `lifecycle`.");
    GDN_CPR_020 = Rule::error("GDN-CPR-020", PROFILES, Both)
        .summary("A stage of a lifecycle is `preview`, `supported`, `deprecated` or `expired`.")
        .why(CYCLE)
        .fix("Choose one of these.");
    GDN_CPR_021 = Rule::error("GDN-CPR-021", PROFILES, Both)
        .summary("A lifecycle has each stage once.")
        .why(CYCLE)
        .fix("Remove the other stage of this classification.");
    GDN_CPR_022 = Rule::error("GDN-CPR-022", PROFILES, Both)
        .summary("The stages of a lifecycle stand in the order `preview`, `supported`, `deprecated`, `expired`.")
        .why(CYCLE)
        .fix("Put the stages in that order.");
    GDN_CPR_023 = Rule::error("GDN-CPR-023", PROFILES, Both)
        .summary("Every stage of a lifecycle but the first has a start time, and no stage starts before the one in front of it.")
        .why(CYCLE)
        .fix("Set `startTime` to the start of the stage in front of it or later.");
    GDN_CPR_024 = Rule::error("GDN-CPR-024", PROFILES, Both)
        .summary("Of the versions with the same major and minor version, one is `supported` at a time.")
        .why("Gardener updates Shoots to the supported version.")
        .fix("Classify the older version as `deprecated`, or let its supported stage end before this one starts.");
    GDN_CPR_090 = Rule::error("GDN-CPR-090", CLOUD_PROFILE, Both)
        .summary("A CloudProfile has a region.")
        .why("A Shoot needs one.")
        .fix("Add a region to `spec.regions`.");
    GDN_CPR_091 = Rule::error("GDN-CPR-091", CLOUD_PROFILE, Both)
        .summary("A region has a name, which no other region has.")
        .why(TWICE)
        .fix("Write the name that the cloud gives the region, and list the region once.");
    GDN_CPR_092 = Rule::error("GDN-CPR-092", CLOUD_PROFILE, Both)
        .summary("A zone has a name, which no other zone of the region has.")
        .why(TWICE)
        .fix("Write the name that the cloud gives the zone, and list the zone once.");
    GDN_CPR_093 = Rule::error("GDN-CPR-093", CLOUD_PROFILE, Both)
        .summary("The labels of a region are labels that Kubernetes allows.")
        .why("The Kubernetes API demands it of every label.")
        .fix("Correct the label: letters, digits, `-`, `_` and `.`, 63 at most; the key may begin with `example.com/`.");
    GDN_CPR_094 = Rule::error("GDN-CPR-094", CLOUD_PROFILE, Both)
        .summary("The bastion has a machine type or a machine image.")
        .why(BASTION)
        .fix("Set `machineType` or `machineImage`, or remove `spec.bastion`.");
    GDN_CPR_095 = Rule::error("GDN-CPR-095", CLOUD_PROFILE, Both)
        .summary("The machine type of the bastion is one of the CloudProfile's.")
        .why(BASTION)
        .fix("Choose a machine type of `spec.machineTypes`.");
    GDN_CPR_096 = Rule::error("GDN-CPR-096", CLOUD_PROFILE, Both)
        .summary("The image of the bastion is one of the CloudProfile's.")
        .why(BASTION)
        .fix("Choose an image of `spec.machineImages`.");
    GDN_CPR_097 = Rule::error("GDN-CPR-097", CLOUD_PROFILE, Both)
        .summary("The image version of the bastion is one of the image's.")
        .why(BASTION)
        .fix("Choose a version of the image, or leave out `version`.");
    GDN_CPR_098 = Rule::error("GDN-CPR-098", CLOUD_PROFILE, Both)
        .summary("The image of the bastion has a version that is classified as `supported` and has the architecture of the machine type.")
        .why(BASTION)
        .fix("Choose another image, version or machine type, or classify the version as `supported`.");
    GDN_CPR_099 = Rule::error("GDN-CPR-099", PROFILES, Both)
        .summary("The limit of nodes is greater than 0.")
        .why("A Shoot with workers has a node.")
        .fix("Write a greater number, or remove the limit.");
    GDN_CPR_100 = Rule::error("GDN-CPR-100", CLOUD_PROFILE, Both)
        .summary("`seedSelector` is a label selector that Kubernetes allows.")
        .why("The scheduler looks for Seeds by it.")
        .fix("Correct labels, operator or values of the selector.");
    GDN_CPR_101 = Rule::error("GDN-CPR-101", PROFILES, Both)
        .summary("`caBundle` begins with a certificate in PEM.")
        .why("Every node trusts the bundle.")
        .fix("Write certificates, each from `-----BEGIN CERTIFICATE-----` to `-----END CERTIFICATE-----`.");
    GDN_CPR_060 = Rule::error("GDN-CPR-060", CLOUD_PROFILE, Update)
        .summary("The limit of nodes does not fall.")
        .why("A Shoot may have so many nodes already.")
        .fix("Write the limit of before, or a greater one.");
    GDN_CPR_061 = Rule::error("GDN-CPR-061", CLOUD_PROFILE, Update)
        .summary("A version that was available once does not become unavailable.")
        .why("A Shoot may use it already.")
        .fix("Let the first stage of the lifecycle start in the past, or without `startTime`.");
}
