//! The identity of a workload in GCP.

use crate::document::decode::Raw;
use crate::record;

record! {
    /// What a workload may do in GCP: `spec.targetSystem.providerConfig` of a WorkloadIdentity.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct WorkloadIdentityConfig<'a> {
        /// `gcp.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `WorkloadIdentityConfig`
        pub kind: &'a str,
        /// Id of the project.
        #[name = "projectID"]
        pub project_id: &'a str,
        /// Credentials of an external account, as Google's libraries read them.
        pub credentials_config: Raw<'a>,
    }
}
