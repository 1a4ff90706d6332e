//! Kinds for tests whose rules are not those of a Shoot's control plane: of the cluster or of a namespace, with and
//! without a Cluster.

use std::time::Duration;

pub use super::{BACKUP_BUCKET, BACKUP_ENTRY};
use super::{ClusterNeed, Kind, Migration, Rules, Words};

/// With a Cluster in the namespace of a Shoot alone; tells whether it was made.
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
        tells_creation: true,
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
