//! The recorded state of a BackupEntry.

use crate::collections::Entries;
use crate::gardener::planning::state_form::StateKind;
use crate::policy::{PlanOperation, PlanSubject, RequestError, State, StatusRequest, SubjectStatus};
use crate::provider::alicloud::api;
use crate::provider::alicloud::oss::region_fault;

const KIND: StateKind = StateKind {
    kind: "BackupEntryState",
    group: "alicloud.provider.extensions.gardener.cloud",
    api_version: api::API_VERSION,
};

/// The state that a request is about.
pub fn recorded(request: &PlanSubject<'_>, given: Option<&State>) -> Result<State, RequestError> {
    KIND.recorded(
        request,
        given,
        |_, _| Err("the state of a BackupEntry says its `kind` and `apiVersion`".to_owned()),
        &[],
    )
}

/// Reports the status from the recorded state, and where the backups of etcd go.
pub fn status(request: &StatusRequest<'_>) -> Result<SubjectStatus, RequestError> {
    let StatusRequest { request, state } = request;
    let status = SubjectStatus::of(KIND.write(&recorded(request, state.as_ref())?));
    if request.operation == PlanOperation::Delete {
        return Ok(status);
    }
    let region = request.region();
    if let Some(fault) = region_fault(region) {
        let pointer = Some("/request/backupEntry/spec/region".to_owned());
        return Err(RequestError::Malformed { message: ["`spec.region` ", fault].concat(), pointer });
    }
    let mut texts = Entries::new();
    texts.insert("storageEndpoint", ["https://oss-", region, ".aliyuncs.com/"].concat());
    Ok(SubjectStatus { etcd_backup: Some(texts), ..status })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    /// The status for an operation and a region, as JSON.
    fn of(operation: &str, region: &str) -> Result<String, String> {
        let entry = format!(
            r#"{{"metadata":{{"name":"shoot--a--b--u"}},"spec":{{"bucketName":"b","region":"{region}"}}}}"#
        );
        let text = format!(r#"{{"request":{{"operation":"{operation}","backupEntry":{entry}}}}}"#);
        let document = parse(&text).unwrap();
        let status = status(&StatusRequest::read(&document).unwrap());
        status.map(|status| crate::document::write(&status)).map_err(|error| error.to_string())
    }

    #[test]
    fn etcd_learns_where_the_storage_of_the_region_is() {
        let expected = r#""etcdBackup":{"storageEndpoint":"https://oss-eu-central-1.aliyuncs.com/"}"#;
        for operation in ["reconcile", "restore"] {
            let status = of(operation, "eu-central-1").unwrap();
            assert!(status.contains(expected), "{status}");
            assert!(of(operation, "a.example/").unwrap_err().contains("`spec.region`"));
        }
        let deleted = of("delete", "a.example/").unwrap();
        assert!(!deleted.contains("etcdBackup"), "{deleted}");
    }
}
