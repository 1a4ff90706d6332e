//! The identity of a workload in AWS.

use crate::record;

record! {
    /// What a workload may do in AWS: `spec.targetSystem.providerConfig` of a WorkloadIdentity.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct WorkloadIdentityConfig<'a> {
        /// `aws.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `WorkloadIdentityConfig`
        pub kind: &'a str,
        /// ARN of the IAM role that Gardener assumes.
        #[name = "roleARN"]
        pub role_arn: &'a str,
    }
}
