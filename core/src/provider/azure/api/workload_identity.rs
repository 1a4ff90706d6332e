//! The identity of a workload in Azure.

use crate::record;

record! {
    /// What a workload may do in Azure: `spec.targetSystem.providerConfig` of a WorkloadIdentity.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct WorkloadIdentityConfig<'a> {
        /// `azure.provider.extensions.gardener.cloud/v1alpha1`
        pub api_version: &'a str,
        /// `WorkloadIdentityConfig`
        pub kind: &'a str,
        /// Id of the application.
        #[name = "clientID"]
        pub client_id: &'a str,
        /// Id of the tenant.
        #[name = "tenantID"]
        pub tenant_id: &'a str,
        /// Id of the subscription.
        #[name = "subscriptionID"]
        pub subscription_id: &'a str,
    }
}
