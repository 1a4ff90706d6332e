//! `status`: what goes into the status of a subject.

use serde::Serialize;

use super::subject::{request, state};
use super::{PlanSubject, Planning, State};
use crate::collections::Entries;
use crate::document::{JsonText, Value, parse};
use crate::policy::RequestError;
use crate::policy::answer::text;
use crate::policy::member::known_members;

pub(super) fn status(policy: &Planning, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let request = StatusRequest::read(&document)?;
    let subject = policy.of(&request.request)?;
    Ok(text(&(subject.status)(&request)?))
}

/// The input of `status`.
#[derive(Debug)]
pub struct StatusRequest<'r> {
    /// What somebody wants.
    pub request: PlanSubject<'r>,
    /// The recorded state; absent where nobody keeps one in addition to `status.state` of the object.
    pub state: Option<State>,
}

/// The answer of `status`: what goes into the status of a subject.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
pub struct SubjectStatus {
    /// `status.providerStatus`; absent where there is nothing to report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_status: Option<JsonText>,
    /// `status.state`: the recorded state in the provider's own form, which the existing extension can read.
    pub state: JsonText,
    /// `status.egressCIDRs`; absent where nothing shows any, and the present ones stay.
    #[serde(rename = "egressCIDRs", skip_serializing_if = "Option::is_none")]
    pub egress_cidrs: Option<Vec<String>>,
    /// `status.zone` of a DNSRecord; absent where nothing shows it, and the present one stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zone: Option<String>,
    /// `status.ingress` of a Bastion: the address at which people reach it. Absent where it has none yet, and the
    /// present one stays.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ingress: Option<Ingress>,
    /// What etcd's backups need of a BackupEntry in addition to the credentials and the name of the bucket: texts of
    /// the Secret `etcd-backup`, by key. Absent where nothing is needed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub etcd_backup: Option<Entries<String>>,
}

/// An address at which people reach a Bastion.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Ingress {
    /// Its IP address.
    pub ip: String,
}

impl SubjectStatus {
    /// A status that has only the recorded state.
    pub const fn of(state: JsonText) -> Self {
        Self { provider_status: None, state, egress_cidrs: None, zone: None, ingress: None, etcd_backup: None }
    }
}

impl<'r> StatusRequest<'r> {
    /// Reads a request document.
    pub fn read(document: &'r Value<'r>) -> Result<Self, RequestError> {
        known_members(document, "the request", &["request", "state"])?;
        Ok(Self { request: request(document)?, state: state(document)? })
    }
}

/// What the JSON Schema is made of.
#[cfg(feature = "schema")]
pub mod shape {
    #![expect(dead_code, reason = "only the schemas are of use")]

    use std::collections::BTreeMap;

    use schemars::JsonSchema;

    use crate::policy::planning::subject::shape::PlanSubject;

    /// The request of `status`.
    #[derive(JsonSchema)]
    #[serde(rename_all = "camelCase", deny_unknown_fields)]
    pub struct StatusRequest {
        /// What was wanted.
        request: PlanSubject,
        /// The recorded state, texts by key; absent where `status.state` of the object is the only record.
        state: Option<BTreeMap<String, String>>,
    }
}
