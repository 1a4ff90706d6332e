//! Before a BackupEntry is planned, and what a person should know of its plan.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

use super::BACKUP_ENTRY;

rules! {
    ENT_001 = Rule::error("ALI-ENT-001", BACKUP_ENTRY, Both)
        .summary("A BackupEntry has a name with `--`, a bucket and a region.")
        .why("Its name is the beginning of the keys of its objects. Without a name all objects of the bucket would be deleted.")
        .fix("Correct the field that is named. The name is `<technical id>--<uid>` of a Shoot, perhaps after `source-`.");
    ENT_002 = Rule::error("ALI-ENT-002", BACKUP_ENTRY, Both)
        .summary("OSS answers which objects a BackupEntry has.")
        .why("An answer that is an error or not complete does not mean that there are none.")
        .fix("Read the cloud's words in the finding. Allow the credentials `oss:ListObjects`, and where a retention keeps objects \
              `oss:GetBucketWorm` and `oss:GetBucketLifecycle` too.");
    ENT_003 = Rule::error("ALI-ENT-003", BACKUP_ENTRY, Both)
        .summary("The account of the credentials is known, and is the one that the state names.")
        .why("A deletion that was begun with the credentials of one account is not finished with those of another one.")
        .fix("Allow the credentials `sts:GetCallerIdentity`. Where they are of another account than the state names, give those of \
              that one.");
    ENT_004 = Rule::warning("ALI-ENT-004", BACKUP_ENTRY, Both)
        .summary("Objects under retention stay when their BackupEntry is deleted.")
        .why("OSS deletes no object under retention. What is kept is marked, and a rule of the bucket deletes it after its time.")
        .fix("Nothing has to be done: 4 days after an object was written, and once its retention is over, OSS deletes it.");
}
