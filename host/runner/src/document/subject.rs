//! The subject of a request: an object that stands for something in the cloud.

use serde_json::value::RawValue;

use super::{Cluster, Operation, SubjectRequest};

/// The kinds of subjects, each with the member of a request that holds one.
pub const SUBJECTS: [(&str, &str); 5] = [
    (INFRASTRUCTURE, "infrastructure"),
    ("BackupBucket", "backupBucket"),
    ("BackupEntry", "backupEntry"),
    (DNS_RECORD, "dnsRecord"),
    (BASTION, "bastion"),
];

/// The kind that a Shoot stands for, too.
pub const INFRASTRUCTURE: &str = "Infrastructure";
/// The kind of a name in the DNS, which is in no region.
pub const DNS_RECORD: &str = "DNSRecord";
/// The kind of a host by which people reach nodes, which is in the network of a Shoot.
pub const BASTION: &str = "Bastion";

/// Whether the objects of a kind have no namespace.
pub fn is_cluster_scoped(kind: &str) -> bool {
    matches!(kind, "BackupBucket" | "BackupEntry")
}

/// Whether the objects of a kind mean nothing without the Cluster of their namespace.
pub fn is_of_cluster(kind: &str) -> bool {
    matches!(kind, INFRASTRUCTURE | BASTION)
}

impl SubjectRequest {
    /// A request without an object, of the Infrastructure of a Shoot.
    pub fn new(operation: Operation, cluster: Cluster, configuration: Option<Box<RawValue>>) -> Self {
        Self {
            operation,
            infrastructure: None,
            backup_bucket: None,
            backup_entry: None,
            dns_record: None,
            bastion: None,
            infrastructure_status: None,
            cluster,
            configuration,
        }
    }

    /// The request, with an object of that kind.
    pub fn with(mut self, kind: &str, object: Option<Box<RawValue>>) -> Self {
        match kind {
            "BackupBucket" => self.backup_bucket = object,
            "BackupEntry" => self.backup_entry = object,
            DNS_RECORD => self.dns_record = object,
            BASTION => self.bastion = object,
            _ => self.infrastructure = object,
        }
        self
    }

    /// The object that the person wrote: the subject, else the Shoot.
    pub fn written(&self) -> Option<&RawValue> {
        let objects =
            [&self.infrastructure, &self.backup_bucket, &self.backup_entry, &self.dns_record, &self.bastion];
        objects.into_iter().flatten().next().or(self.cluster.shoot.as_ref()).map(AsRef::as_ref)
    }
}
