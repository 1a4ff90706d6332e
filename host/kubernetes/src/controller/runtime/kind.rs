//! Kinds of extension resources: their names, finalizers, and the words of their operations.

mod rules;

use std::time::Duration;

use kube::core::ApiResource;

use crate::api_server::resource::Resource;
pub use rules::{ClusterNeed, Follows, Machines, Metadata, Migration, Rules};

/// The API group of extension resources.
pub const GROUP: &str = "extensions.gardener.cloud";
/// Its version.
pub const VERSION: &str = "v1alpha1";

/// A kind of extension resources.
#[derive(Debug)]
pub struct Kind {
    /// Such as `Infrastructure`.
    pub name: &'static str,
    /// Such as `infrastructures`.
    pub plural: &'static str,
    /// The name of its controller.
    pub controller: &'static str,
    /// The finalizer of the objects that the extension has under way.
    pub finalizer: &'static str,
    /// The longest time for one attempt.
    pub limit: Duration,
    /// Whether the policy plans what is changed, so that a process that only reads has a plan to report.
    pub is_planned: bool,
    /// How its objects are reconciled.
    pub rules: Rules,
    reconcile: Words,
    restore: Words,
    delete: Words,
    migrate: Words,
}

/// What the status of an object says of an operation. Operators and tests of Gardener know these texts.
#[derive(Debug)]
pub struct Words {
    /// While the operation goes on.
    pub processing: &'static str,
    /// Before the reason why the configuration is refused.
    pub refused: &'static str,
    /// Before the reason why the operation failed.
    pub failed: &'static str,
    /// Once the operation is done.
    pub succeeded: &'static str,
}

/// What the controller does with an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// Makes it, for the first time.
    Create,
    /// Brings it to what is wanted.
    Reconcile,
    /// Deletes it.
    Delete,
    /// Leaves it for another seed.
    Migrate,
    /// Takes it over from another seed.
    Restore,
}

impl Operation {
    /// As in `lastOperation.type`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Create => "Create",
            Self::Reconcile => "Reconcile",
            Self::Delete => "Delete",
            Self::Migrate => "Migrate",
            Self::Restore => "Restore",
        }
    }
}

impl Kind {
    /// The words of an operation.
    pub fn words(&self, operation: Operation) -> &Words {
        match operation {
            Operation::Create | Operation::Reconcile => &self.reconcile,
            Operation::Delete => &self.delete,
            Operation::Migrate => &self.migrate,
            Operation::Restore => &self.restore,
        }
    }

    /// `apiVersion` of its objects.
    pub fn api_version() -> String {
        format!("{GROUP}/{VERSION}")
    }

    /// Its API.
    pub fn resource(&self) -> ApiResource {
        ApiResource {
            group: GROUP.to_owned(),
            version: VERSION.to_owned(),
            api_version: Self::api_version(),
            kind: self.name.to_owned(),
            plural: self.plural.to_owned(),
        }
    }

    /// How requests name its objects.
    pub fn objects(&self) -> Resource {
        Resource { group: GROUP, version: VERSION, kind: self.name, plural: self.plural }
    }
}

/// All kinds that there are controllers of.
pub static KINDS: [&Kind; 7] =
    [&BACKUP_BUCKET, &BACKUP_ENTRY, &BASTION, &CONTROL_PLANE, &DNS_RECORD, &INFRASTRUCTURE, &WORKER];

/// Infrastructure (reference: gardener-contract 1.3, 2.2, 2.3).
pub static INFRASTRUCTURE: Kind = Kind {
    name: "Infrastructure",
    plural: "infrastructures",
    controller: "infrastructure",
    finalizer: "extensions.gardener.cloud/infrastructure",
    limit: Duration::from_mins(20),
    is_planned: true,
    rules: Rules { has_labelled_credentials: true, ..Rules::OF_SHOOT },
    reconcile: Words {
        processing: "Reconciling the infrastructure",
        refused: "Error checking infrastructure config",
        failed: "Error reconciling infrastructure",
        succeeded: "Successfully reconciled infrastructure",
    },
    restore: Words {
        processing: "Restoring the Infrastructure",
        refused: "Error checking Infrastructure config",
        failed: "Error restoring Infrastructure",
        succeeded: "Successfully restored Infrastructure",
    },
    delete: Words {
        processing: "Deleting the Infrastructure",
        refused: "Error deleting Infrastructure",
        failed: "Error deleting Infrastructure",
        succeeded: "Successfully deleted Infrastructure",
    },
    migrate: Words {
        processing: "Starting migration of the Infrastructure",
        refused: "Error migrating Infrastructure",
        failed: "Error migrating Infrastructure",
        succeeded: "Successfully migrated Infrastructure",
    },
};

/// ControlPlane (reference: gardener-contract 1.4, 2.2, 2.3).
pub static CONTROL_PLANE: Kind = Kind {
    name: "ControlPlane",
    plural: "controlplanes",
    controller: "controlplane",
    finalizer: "extensions.gardener.cloud/controlplane",
    limit: Duration::from_mins(3),
    is_planned: false,
    rules: Rules::OF_SHOOT,
    reconcile: Words {
        processing: "Reconciling the ControlPlane",
        refused: "Error reconciling ControlPlane",
        failed: "Error reconciling ControlPlane",
        succeeded: "Successfully reconciled ControlPlane",
    },
    restore: Words {
        processing: "Restoring the ControlPlane",
        refused: "Error restoring ControlPlane",
        failed: "Error restoring ControlPlane",
        succeeded: "Successfully restored ControlPlane",
    },
    delete: Words {
        processing: "Deleting the ControlPlane",
        refused: "Error deleting ControlPlane",
        failed: "Error deleting ControlPlane",
        succeeded: "Successfully deleted ControlPlane",
    },
    migrate: Words {
        processing: "Migrating the ControlPlane",
        refused: "Error migrating ControlPlane",
        failed: "Error migrating ControlPlane",
        succeeded: "Successfully migrated ControlPlane",
    },
};

/// Worker (reference: gardener-contract 1.5, 2.2, 2.3).
pub static WORKER: Kind = Kind {
    name: "Worker",
    plural: "workers",
    controller: "worker",
    finalizer: "extensions.gardener.cloud/worker",
    limit: Duration::from_mins(20),
    is_planned: false,
    rules: Rules { machines: Machines::Watched, ..Rules::OF_SHOOT },
    reconcile: Words {
        processing: "Reconciling the Worker",
        refused: "Error reconciling Worker",
        failed: "Error reconciling Worker",
        succeeded: "Successfully reconciled Worker",
    },
    restore: Words {
        processing: "Restoring the Worker",
        refused: "Error restoring Worker",
        failed: "Error restoring Worker",
        // Gardener's own word.
        succeeded: "Successfully reconciled Worker",
    },
    delete: Words {
        processing: "Deleting the Worker",
        refused: "Error deleting Worker",
        failed: "Error deleting Worker",
        succeeded: "Successfully deleted Worker",
    },
    migrate: Words {
        processing: "Starting migration of the Worker",
        refused: "Error migrating Worker",
        failed: "Error migrating Worker",
        succeeded: "Successfully migrated Worker",
    },
};

/// BackupBucket (reference: gardener-contract 1.6, A.1).
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

/// BackupEntry (reference: gardener-contract 1.7, A.2).
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

/// DNSRecord (reference: gardener-contract 1.8, 2.2, 2.3).
pub static DNS_RECORD: Kind = Kind {
    name: "DNSRecord",
    plural: "dnsrecords",
    controller: "dnsrecord",
    finalizer: "extensions.gardener.cloud/dnsrecord",
    limit: Duration::from_mins(3),
    is_planned: true,
    rules: Rules {
        cluster: ClusterNeed::OfShootNamespace,
        migration: Migration::AllFinalizers,
        shows_creation: true,
        call_limit: Some(Duration::from_secs(20)),
        ..Rules::OF_SHOOT
    },
    reconcile: Words {
        processing: "Reconciling the DNSRecord",
        refused: "Error reconciling DNSRecord",
        failed: "Error reconciling DNSRecord",
        succeeded: "Successfully reconciled DNSRecord",
    },
    restore: Words {
        processing: "Restoring the DNSRecord",
        refused: "Error restoring DNSRecord",
        failed: "Error restoring DNSRecord",
        succeeded: "Successfully restored DNSRecord",
    },
    delete: Words {
        processing: "Deleting the DNSRecord",
        refused: "Error deleting DNSRecord",
        failed: "Error deleting DNSRecord",
        succeeded: "Successfully deleted DNSRecord",
    },
    migrate: Words {
        processing: "Migrating the DNSRecord",
        refused: "Error migrating DNSRecord",
        failed: "Error migrating DNSRecord",
        succeeded: "Successfully migrated DNSRecord",
    },
};

/// Bastion (reference: gardener-contract 1.9, 2.2, 2.3, A.5).
pub static BASTION: Kind = Kind {
    name: "Bastion",
    plural: "bastions",
    controller: "bastion",
    finalizer: "extensions.gardener.cloud/bastion",
    limit: Duration::from_mins(20),
    is_planned: true,
    rules: Rules {
        migration: Migration::Never,
        follows: Follows::Itself,
        has_labelled_credentials: true,
        ..Rules::OF_SHOOT
    },
    reconcile: RECONCILED_BASTION,
    restore: RECONCILED_BASTION,
    delete: Words {
        processing: "Deleting the Bastion",
        refused: "Error deleting Bastion",
        failed: "Error deleting Bastion",
        // Gardener's own word.
        succeeded: "Successfully reconciled Bastion",
    },
    migrate: RECONCILED_BASTION,
};

const RECONCILED_BASTION: Words = Words {
    processing: "Reconciling the Bastion",
    refused: "Error checking bastion config",
    failed: "Error reconciling Bastion",
    succeeded: "Successfully reconciled Bastion",
};

#[cfg(test)]
mod tests;
