//! Kinds for tests whose rules are not those of a Shoot's control plane: of the cluster or of a namespace, with and
//! without a Cluster.

use std::time::Duration;

use super::{ClusterNeed, Kind, Metadata, Migration, Rules, Words};

/// Without a namespace, a Cluster and a migration.
pub static BACKUP_BUCKET: Kind = Kind {
    name: "BackupBucket",
    plural: "backupbuckets",
    controller: "backupbucket",
    finalizer: "extensions.gardener.cloud/backupbucket",
    limit: Duration::from_mins(3),
    is_planned: true,
    rules: Rules {
        cluster: ClusterNeed::Never,
        migration: Migration::Never,
        caps_deletion: true,
        woken_by: &[Metadata::Secrets],
        ..Rules::OF_SHOOT
    },
    reconcile: RECONCILED_BUCKET,
    restore: RECONCILED_BUCKET,
    delete: Words {
        processing: "Deleting the BackupBucket",
        refused: "Error deleting BackupBucket",
        failed: "Error deleting BackupBucket",
        succeeded: "Successfully deleted BackupBucket",
    },
    migrate: RECONCILED_BUCKET,
};

const RECONCILED_BUCKET: Words = Words {
    processing: "Reconciling the backupbucket",
    refused: "Error reconciling backupbucket",
    failed: "Error reconciling backupbucket",
    succeeded: "Successfully reconciled backupbucket",
};

/// Without a namespace and a Cluster; gives up all finalizers.
pub static BACKUP_ENTRY: Kind = Kind {
    name: "BackupEntry",
    plural: "backupentries",
    controller: "backupentry",
    finalizer: "extensions.gardener.cloud/backupentry",
    limit: Duration::from_mins(3),
    is_planned: false,
    rules: Rules {
        cluster: ClusterNeed::Never,
        migration: Migration::AllFinalizers,
        caps_deletion: true,
        woken_by: &[Metadata::Secrets, Metadata::Namespaces],
        ..Rules::OF_SHOOT
    },
    reconcile: Words {
        processing: "Reconciling the BackupEntry",
        refused: "Error reconciling BackupEntry",
        failed: "Error reconciling BackupEntry",
        succeeded: "Successfully reconciled BackupEntry",
    },
    restore: Words {
        processing: "Restoring the BackupEntry",
        refused: "Error restoring BackupEntry",
        failed: "Error restoring BackupEntry",
        succeeded: "Successfully restored BackupEntry",
    },
    delete: Words {
        processing: "Deleting the BackupEntry",
        refused: "Error deleting BackupEntry",
        failed: "Error deleting BackupEntry",
        succeeded: "Successfully deleted BackupEntry",
    },
    migrate: Words {
        processing: "Migrating the BackupEntry",
        refused: "Error migrating BackupEntry",
        failed: "Error migrating BackupEntry",
        succeeded: "Successfully migrated BackupEntry",
    },
};
