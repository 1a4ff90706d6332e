//! Advice on profiles, credentials and backups, beyond what rejects: what fails later, or weakens backups.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::CLOUD_PROFILE;

/// Kinds with the advice on backups.
const BACKUPS: &[&str] = &["Seed", "BackupBucket"];

rules! {
    ADV_031 = Rule::warning("AZ-ADV-031", CLOUD_PROFILE, Both)
        .summary("`countFaultDomains` and `countUpdateDomains` name regions of `spec.regions`.")
        .why("No Shoot can be in another region; mostly the name is misspelt and the right region lacks the entry.")
        .fix("Correct each region in `providerConfig`, or add the region to `spec.regions`.");
    ADV_032 = Rule::warning("AZ-ADV-032", CLOUD_PROFILE, Both)
        .summary("Every region of `spec.regions` has an entry in `countFaultDomains`.")
        .why("A Shoot without zones cannot be created in a region whose fault domains nobody knows.")
        .fix("Add an entry with `region` and `count` to `countFaultDomains`.");
    ADV_033 = Rule::warning("AZ-ADV-033", CLOUD_PROFILE, Both)
        .summary("`providerConfig.machineTypes` names machine types of `spec.machineTypes`.")
        .why("Mostly the name is misspelt, and machines of the right type have no accelerated networking.")
        .fix("Correct `name`, or remove the machine type from `providerConfig`.");
    ADV_034 = Rule::warning("AZ-ADV-034", &["Secret", "SecretBinding", "CredentialsBinding"], Both)
        .summary("The Secret has `clientID` and `clientSecret`.")
        .why("Gardener cannot log in to Azure without them, and no Shoot that uses the Secret can be created.")
        .fix("Add the id of the application and one of its client secrets, or use a WorkloadIdentity instead of the Secret.");
    ADV_035 = Rule::warning("AZ-ADV-035", BACKUPS, Update)
        .summary("`immutability` of backups is not removed.")
        .why("New backups can be changed and deleted at once.")
        .fix("Restore `immutability`, or make sure that nobody needs the protection.");
    ADV_036 = Rule::warning("AZ-ADV-036", BACKUPS, Update)
        .summary("`immutability.locked` is set only once the retention is right.")
        .why("Nobody can unlock or shorten a locked retention, and the storage account cannot be deleted while blobs are \
              retained.")
        .fix("Set `locked: false` until you are sure of `retentionPeriod`.");
}
