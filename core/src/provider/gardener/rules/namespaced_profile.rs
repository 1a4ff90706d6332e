//! NamespacedCloudProfiles, and what they may change of their parent.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

const NAMESPACED: &[&str] = &["NamespacedCloudProfile"];
const EXTENDED: &str =
    "The parent says what the version is; a NamespacedCloudProfile only lets a project use it longer.";
const OWN: &str = "Shoots of the project may use what the NamespacedCloudProfile offers.";

rules! {
    GDN_NCP_001 = Rule::error("GDN-NCP-001", NAMESPACED, Both)
        .summary("Name, labels and annotations of a NamespacedCloudProfile are those that Kubernetes allows.")
        .why("The Kubernetes API demands it of every object.")
        .informative("GDN-META-001 to GDN-META-012 say it.");
    GDN_NCP_002 = Rule::error("GDN-NCP-002", NAMESPACED, Both)
        .summary("The parent of a NamespacedCloudProfile is a CloudProfile.")
        .why("There are no other parents.")
        .fix("Set `spec.parent.kind` to `CloudProfile`.");
    GDN_NCP_003 = Rule::error("GDN-NCP-003", NAMESPACED, Both)
        .summary("A NamespacedCloudProfile names its parent.")
        .why("It adds to what the parent offers.")
        .fix("Set `spec.parent.name` to the name of a CloudProfile.");
    GDN_NCP_004 = Rule::error("GDN-NCP-004", NAMESPACED, Both)
        .summary("A NamespacedCloudProfile does not classify Kubernetes versions.")
        .why("The parent does; a NamespacedCloudProfile only sets another expiration date.")
        .fix("Remove `classification`.");
    GDN_NCP_005 = Rule::error("GDN-NCP-005", NAMESPACED, Both)
        .summary("Kubernetes versions of a NamespacedCloudProfile follow the rules of those of a CloudProfile.")
        .why(OWN)
        .informative("GDN-CPR-014 to GDN-CPR-024 say it.");
    GDN_NCP_006 = Rule::error("GDN-NCP-006", NAMESPACED, Both)
        .summary("Machine images of a NamespacedCloudProfile follow the rules of those of a CloudProfile.")
        .why(OWN)
        .informative("GDN-CPR-031 to GDN-CPR-046 say it.");
    GDN_NCP_007 = Rule::error("GDN-NCP-007", NAMESPACED, Both)
        .summary("Machine types and volume types of a NamespacedCloudProfile follow the rules of those of a CloudProfile.")
        .why(OWN)
        .informative("GDN-CPR-071 to GDN-CPR-087 say it.");
    GDN_NCP_008 = Rule::error("GDN-NCP-008", NAMESPACED, Both)
        .summary("CA bundle and limits of a NamespacedCloudProfile follow the rules of those of a CloudProfile.")
        .why(OWN)
        .informative("GDN-CPR-099 and GDN-CPR-101 say it.");
    GDN_NCP_009 = Rule::error("GDN-NCP-009", NAMESPACED, Update)
        .summary("A NamespacedCloudProfile stays with its parent.")
        .why("Shoots use what the parent offers.")
        .fix("Write the parent of before, or create another NamespacedCloudProfile.");
    ADM_NCP_001 = Rule::error("ADM-NCP-001", NAMESPACED, Both)
        .summary("The parent of a NamespacedCloudProfile exists.")
        .why("The NamespacedCloudProfile adds to what the parent offers.")
        .fix("Set `spec.parent.name` to the name of a CloudProfile of the garden.");
    ADM_NCP_002 = Rule::error("ADM-NCP-002", NAMESPACED, Both)
        .until(145)
        .summary("A NamespacedCloudProfile adds no machine type that the parent has.")
        .why("Both would offer the type.")
        .fix("Remove the machine type, or give it another name.");
    ADM_NCP_003 = Rule::error("ADM-NCP-003", NAMESPACED, Both)
        .summary("A NamespacedCloudProfile changes only Kubernetes versions that the parent has.")
        .why("It sets another expiration date, and nothing else.")
        .fix("Remove the version, or choose one of the parent's.");
    ADM_NCP_004 = Rule::error("ADM-NCP-004", NAMESPACED, Both)
        .summary("A Kubernetes version of a NamespacedCloudProfile has an expiration date.")
        .why("The date is all that a NamespacedCloudProfile changes of the version.")
        .fix("Set `expirationDate`, or remove the version.");
    ADM_NCP_005 = Rule::error("ADM-NCP-005", NAMESPACED, Update)
        .summary("The expiration date of a Kubernetes version lies in the future where it changes.")
        .why("A version that is over helps nobody.")
        .fix("Write a later date, or remove the version.");
    ADM_NCP_006 = Rule::error("ADM-NCP-006", NAMESPACED, Both)
        .summary("Of a version of an image that the parent has, a NamespacedCloudProfile sets the expiration date, and nothing else.")
        .why(EXTENDED)
        .fix("Set `expirationDate` alone, or choose a version that the parent lacks.");
    ADM_NCP_007 = Rule::error("ADM-NCP-007", NAMESPACED, Update)
        .summary("Once the parent has a version of an image, a NamespacedCloudProfile changes its expiration date alone, to one in the future.")
        .why(EXTENDED)
        .fix("Write what the NamespacedCloudProfile had before, or remove the version.");
    ADM_NCP_008 = Rule::error("ADM-NCP-008", NAMESPACED, Both)
        .summary("A version of an image that the parent lacks is described in full, by the capabilities of the parent.")
        .why(OWN)
        .informative("GDN-CPR-016 to GDN-CPR-053 say it.");
    ADM_NCP_009 = Rule::error("ADM-NCP-009", NAMESPACED, Both)
        .summary("Parent and NamespacedCloudProfile together follow the rules of a CloudProfile.")
        .why("Gardener puts both together into the status of the NamespacedCloudProfile, and Shoots are judged by that.")
        .fix("Correct what is named.");
}
