//! Advice on profiles, credentials and backups, beyond what rejects: what fails later, or weakens backups.

use crate::report::Operation::{Both, Update};
use crate::report::Rule;
use crate::rules;

use super::{CLOUD_PROFILE, PROFILES};

rules! {
    ADV_031 = Rule::warning("AWS-ADV-031", CLOUD_PROFILE, Both)
        .summary("`providerConfig` names regions of `spec.regions`.")
        .why("No Shoot can be in another region; mostly the name is misspelt and the right region lacks the entry.")
        .fix("Correct each region in `providerConfig`, or add the region to `spec.regions`.");
    ADV_032 = Rule::warning("AWS-ADV-032", PROFILES, Both)
        .summary("`ami` is `ami-` with 8 or 17 hexadecimal digits.")
        .why("AWS gives out no other ids of AMIs, and refuses to start nodes from one.")
        .fix("Set `ami` to the AMI's id in that region, for example `ami-034fd8c3f4026eb39`.");
    ADV_033 = Rule::warning("AWS-ADV-033", &["Secret", "SecretBinding", "CredentialsBinding"], Both)
        .summary("The access key is a long-term one, whose id begins with `AKIA`.")
        .why("An access key that begins with `ASIA` expires within hours, and works with a session token only, which the \
              Secret cannot hold.")
        .fix("Create an access key for an IAM user, or use a WorkloadIdentity instead of the Secret.");
    ADV_034 = Rule::warning("AWS-ADV-034", &["SecretBinding", "CredentialsBinding"], Both)
        .summary("The Secret of a binding has `accessKeyID` and `secretAccessKey`, not the keys for DNS.")
        .why("Control planes read the standard keys alone; Shoots that use the binding cannot be created.")
        .fix("Rename `AWS_ACCESS_KEY_ID` to `accessKeyID`, `AWS_SECRET_ACCESS_KEY` to `secretAccessKey` and \
              `AWS_REGION` to `region`.");
    ADV_035 = Rule::warning("AWS-ADV-035", &["Seed", "BackupBucket"], Update)
        .summary("`immutability` stays where it is.")
        .why("Without it the bucket loses its default retention, and nothing protects new backups.")
        .fix("Restore `immutability`, unless new backups may be changed and deleted.");
}
