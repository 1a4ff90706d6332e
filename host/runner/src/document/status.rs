//! Which documents are a status.

use std::collections::BTreeMap;

use serde_json::value::RawValue;

use super::SubjectStatus;

impl SubjectStatus {
    /// Whether a text has nothing but the members of a status.
    pub fn is_status(text: &[u8]) -> bool {
        const MEMBERS: [&str; 6] = ["egressCIDRs", "etcdBackup", "ingress", "providerStatus", "state", "zone"];
        let members: Option<BTreeMap<String, &RawValue>> = serde_json::from_slice(text).ok();
        members.is_some_and(|members| {
            members.contains_key("state") && members.keys().all(|member| MEMBERS.contains(&member.as_str()))
        })
    }
}
