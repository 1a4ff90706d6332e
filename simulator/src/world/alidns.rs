//! Domains and their records.

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::resource::{Resource, Table};

/// The state of the service in an account.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    /// Domains.
    pub domains: Table<Domain>,
    /// The records of all domains.
    pub records: Table<Record>,
}

/// A domain.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Domain {
    /// Its identifier.
    pub domain_id: String,
    /// Its name, in small letters.
    pub domain_name: String,
    /// When it was added.
    pub create_time: Timestamp,
}

impl Resource for Domain {
    fn id(&self) -> &str {
        &self.domain_id
    }
}

/// A record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "PascalCase")]
pub struct Record {
    /// Its identifier, a number.
    pub record_id: String,
    /// Its domain.
    pub domain_id: String,
    /// Its name within the domain.
    #[serde(rename = "RR")]
    pub rr: String,
    /// Its type, such as `A`.
    #[serde(rename = "Type")]
    pub kind: String,
    /// Its value.
    pub value: String,
    /// Its time to live, in seconds.
    #[serde(rename = "TTL")]
    pub ttl: i64,
    /// The line that it is for: `default`, or a network.
    pub line: String,
    /// The priority of a mail server.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub priority: Option<i64>,
    /// When it was added.
    pub created: Timestamp,
    /// When it was changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub updated: Option<Timestamp>,
}

impl Resource for Record {
    fn id(&self) -> &str {
        &self.record_id
    }
}

impl Record {
    /// Whether both records have the same name and line.
    pub fn shares_line(&self, other: &Self) -> bool {
        self.domain_id == other.domain_id && self.rr.eq_ignore_ascii_case(&other.rr) && self.line == other.line
    }
}
