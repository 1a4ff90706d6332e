//! Before a BackupBucket is planned, and what a person should know of its plan.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

use super::BACKUP_BUCKET;

rules! {
    BKT_001 = Rule::error("ALI-BKT-001", BACKUP_BUCKET, Both)
        .summary("A BackupBucket has a name that OSS takes for a bucket, a region, and a retention that OSS can keep.")
        .why("OSS would refuse it, or ask somewhere else.")
        .fix("Correct the field that is named. A Seed's bucket has the uid of the Seed as its name; a Garden's has the one of \
              `spec.virtualCluster.etcd.main.backup.bucketName`.");
    BKT_002 = Rule::error("ALI-BKT-002", BACKUP_BUCKET, Both)
        .summary("OSS answers what there is of the bucket.")
        .why("An answer that is an error or not complete does not mean that the bucket is not there, or that it is empty.")
        .fix("Read the cloud's words in the finding. Names of buckets are taken for all accounts: where the bucket belongs to another \
              account, choose another name. Else allow the credentials `oss:GetBucketInfo`, `oss:GetBucketLifecycle`, \
              `oss:GetBucketWorm`, `oss:ListObjects` and `oss:ListMultipartUploads`.");
    BKT_003 = Rule::error("ALI-BKT-003", BACKUP_BUCKET, Both)
        .summary("The bucket belongs to the account of the credentials.")
        .why("A bucket of another account may vanish or be read at any time, even where it lets these credentials in.")
        .fix("Give credentials of the account that the bucket belongs to, or choose another name.");
    BKT_004 = Rule::error("ALI-BKT-004", BACKUP_BUCKET, Both)
        .summary("The bucket is in the region of the BackupBucket.")
        .why("A bucket cannot move, and backups are read and written in the region that the object names.")
        .fix("Choose another name for the bucket, or create the BackupBucket again with the region of the bucket: `spec.region` cannot \
              change. The BackupBucket of a Seed has the region of the Seed's `spec.backup`.");
    BKT_005 = Rule::error("ALI-BKT-005", BACKUP_BUCKET, Both)
        .summary("The account of the credentials is known before something is changed.")
        .why("A state belongs to an account. Without knowing whose the credentials are, nobody can say whether what is recorded is \
              theirs.")
        .fix("Allow the credentials `sts:GetCallerIdentity`, and see to it that the service STS can be reached.");
    BKT_006 = Rule::error("ALI-BKT-006", BACKUP_BUCKET, Both)
        .summary("The credentials belong to the account that the state names.")
        .why("With credentials of another account the bucket of the state is out of reach, and would be left where it is.")
        .fix("Give credentials of the account that the state names.");
    BKT_007 = Rule::error("ALI-BKT-007", BACKUP_BUCKET, Both)
        .summary("A retention that is locked, or that is to be locked, does not become shorter.")
        .why("OSS only makes a locked retention longer, and locks one with the days that it has.")
        .fix("Set `immutability.retentionPeriod` to the days that are there, or to more.");
    BKT_008 = Rule::warning("ALI-BKT-008", BACKUP_BUCKET, Both)
        .summary("A retention is locked, with the days that are wanted.")
        .why("OSS drops a retention that nobody locks within a day: without a lock it protects a day at a time, with gaps. And it \
              takes other days only once it is locked.")
        .fix("Set `immutability.locked: true` where backups have to be protected.");
    BKT_009 = Rule::warning("ALI-BKT-009", BACKUP_BUCKET, Both)
        .summary("A bucket that was there before its BackupBucket stays when that is deleted.")
        .why("It may be a person's own, and hold what nobody else has.")
        .fix("Leave it where it is. To have it emptied and deleted, annotate the BackupBucket with \
              `backupbucket.trellis.gardener.cloud/adopt=true`.");
    BKT_010 = Rule::error("ALI-BKT-010", BACKUP_BUCKET, Both)
        .summary("A bucket is deleted once no retention keeps its objects.")
        .why("OSS deletes no object under retention, and no bucket with objects.")
        .fix("Wait until the time that is named: what is kept is marked, and a rule of the bucket deletes it after its time. Then run \
              again; a seed does so by itself.");
    BKT_011 = Rule::error("ALI-BKT-011", BACKUP_BUCKET, Both)
        .summary("A bucket that the state records is found, or is known to be gone.")
        .why("With wrong credentials a bucket is not found either, and would be left where it is.")
        .fix("Give the credentials of the account in which the bucket was created. Where somebody deleted it, run with \
              `--forget`, or annotate the BackupBucket with `backupbucket.trellis.gardener.cloud/forget=true`.");
    BKT_012 = Rule::error("ALI-BKT-012", BACKUP_BUCKET, Both)
        .summary("A BackupBucket has the name that its state records.")
        .why("What the state says of one bucket does not hold for another one: that one would be taken for ours, and nobody would know \
              of the first.")
        .fix("Restore `metadata.name`, or give the BackupBucket of another name a state of its own.");
}
