//! Client secrets in Secrets, `WorkloadIdentities`, and the bindings that refer to them.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{SECRET, SHOOT, WORKLOAD_IDENTITY};

/// Kinds by which the content of a Secret is judged.
const KEYS: &[&str] = &["Secret", "SecretBinding", "CredentialsBinding"];
const SECRET_BINDING: &[&str] = &["SecretBinding"];
const CREDENTIALS_BINDING: &[&str] = &["CredentialsBinding"];
/// Kinds by which the configuration of a WorkloadIdentity is judged.
const IDENTITIES: &[&str] = &["WorkloadIdentity", "CredentialsBinding"];

/// What the keys are for.
const LOGIN: &str = "Gardener logs in to Azure with these values.";
/// Where the ids are shown.
const SHOWN: &str =
    "`az account show` shows `id`, the subscription, and `tenantId`; `az ad app list` shows `appId`, the client.";
/// What the configuration of a WorkloadIdentity says.
const TRUST: &str = "It says which application of Azure trusts the garden's token.";
/// How to make a `WorkloadIdentityConfig` readable.
const DECODE: &str = "Set `apiVersion: azure.provider.extensions.gardener.cloud/v1alpha1` and `kind: WorkloadIdentityConfig`, \
                      and correct the field that is named.";
/// How to fix the WorkloadIdentity behind a binding.
const FIX: &str = "Fix `spec.targetSystem.providerConfig` of the WorkloadIdentity.";
/// Why a row about what is not judged rejects nothing.
const ACCEPTED: &str = "The row says what is accepted without checks; it rejects nothing.";

rules! {
    SEC_001 = Rule::error("AZ-SEC-001", KEYS, Both)
        .summary("The Secret has `subscriptionID` and `tenantID`.")
        .why(LOGIN)
        .fix("Add the key. `az account show` shows `id`, the subscription, and `tenantId`.");
    SEC_002 = Rule::error("AZ-SEC-002", KEYS, Both)
        .summary("The required keys of the Secret are not empty.")
        .why(LOGIN)
        .fix(SHOWN);
    SEC_003 = Rule::error("AZ-SEC-003", KEYS, Both)
        .summary("`subscriptionID`, `tenantID` and `clientID` are GUIDs.")
        .why("Azure gives out no other ids.")
        .fix(SHOWN);
    SEC_004 = Rule::error("AZ-SEC-004", KEYS, Both)
        .summary("The values of the Secret have no white space at their ends.")
        .why("Azure takes the space for a part of the value. Mostly it is a line break that an editor or `echo` added.")
        .fix("Remove the space, and encode the value again, for example with `printf %s … | base64`.");
    SEC_005 = Rule::error("AZ-SEC-005", KEYS, Both)
        .summary("The Secret has `subscriptionID`, `tenantID`, `clientID`, `clientSecret` and nothing else.")
        .why("Nothing reads another key, which is mostly misspelt.")
        .fix("Remove the key, or correct its spelling. The `AZURE_…` keys and `azureCloud` are for DNS only.");
    SEC_006 = Rule::error("AZ-SEC-006", KEYS, Both)
        .summary("A key with predefined values has one of them.")
        .why("Azure has no other clouds.")
        .fix("Use one of the listed values.")
        .informative("Only Secrets for DNS have such a key; their findings are those of AZ-DNS-003.");
    SEC_007 = Rule::error("AZ-SEC-007", SECRET, Update)
        .summary("`subscriptionID` and `tenantID` of a Secret stay as they are.")
        .why("Shoots that use the Secret have everything in this subscription.")
        .fix("Restore the old value, or create a new Secret.");
    SEC_010 = Rule::error("AZ-SEC-010", KEYS, Both)
        .summary("`clientID` and `clientSecret` may be missing or empty.")
        .why("The extension's rules leave open how Gardener logs in.")
        .fix("Add both, unless a WorkloadIdentity is used.")
        .informative(ACCEPTED);
    SEC_020 = Rule::error("AZ-SEC-020", SECRET, Both)
        .summary("The object, and the old one, is a Secret.")
        .why("Rules on Secrets read nothing else.")
        .fix("Send a Secret.")
        .informative("Another kind is judged by its own rules, and an unknown one refused before any rule runs.");
    SEC_021 = Rule::error("AZ-SEC-021", SECRET, Update)
        .summary("A Secret with unchanged `data` is not judged again.")
        .why("Labels and finalizers of Secrets from before these rules must stay changeable.")
        .fix("Change `data` to have it judged.")
        .informative(ACCEPTED);
    SEC_022 = Rule::error("AZ-SEC-022", SECRET, Both)
        .summary("Any other Secret is judged, with the old values where there are any.")
        .why(LOGIN)
        .fix("Follow each finding.")
        .informative("Its findings are reported as AZ-SEC-001 to AZ-SEC-007.");
    DNS_001 = Rule::error("AZ-DNS-001", SHOOT, Both)
        .summary("A Secret for DNS with an `AZURE_…` key has `AZURE_SUBSCRIPTION_ID`, `AZURE_TENANT_ID`, `AZURE_CLIENT_ID` and \
                  `AZURE_CLIENT_SECRET`.")
        .why("The external DNS management logs in to Azure with these values.")
        .fix("Write all keys in this spelling, or all as `subscriptionID`, `tenantID`, `clientID` and `clientSecret`.")
        .informative("Its findings are those of the rule on the DNS provider's Secret.");
    DNS_002 = Rule::error("AZ-DNS-002", SHOOT, Both)
        .summary("Any other Secret for DNS has `subscriptionID`, `tenantID`, `clientID` and `clientSecret`.")
        .why("The external DNS management logs in to Azure with these values.")
        .fix("Add the missing key.")
        .informative("Its findings are those of the rule on the DNS provider's Secret.");
    DNS_003 = Rule::error("AZ-DNS-003", SHOOT, Both)
        .summary("The cloud of a Secret for DNS is `AzurePublic`, `AzureChina` or `AzureGovernment`.")
        .why("Azure has no other clouds.")
        .fix("Use one of the values, or remove the key for `AzurePublic`.")
        .informative("Its findings are those of the rule on the DNS provider's Secret.");
    CRED_001 = Rule::error("AZ-CRED-001", SECRET_BINDING, Update)
        .summary("A SecretBinding that keeps its `provider.type` is not judged again.")
        .why("Its Secret is fixed and was judged when the binding was created.")
        .fix("Change the Secret itself to have its content judged.")
        .informative(ACCEPTED);
    CRED_002 = Rule::error("AZ-CRED-002", SECRET_BINDING, Both)
        .summary("The Secret of `secretRef` exists.")
        .why("Shoots that use the binding log in to Azure with it.")
        .fix("Create the Secret, or correct `secretRef.name` and `secretRef.namespace`.");
    CRED_010 = Rule::error("AZ-CRED-010", CREDENTIALS_BINDING, Update)
        .summary("A changed CredentialsBinding is not judged again.")
        .why("`credentialsRef` is fixed and was judged when the binding was created.")
        .fix("Change the credentials themselves to have them judged.")
        .informative(ACCEPTED);
    CRED_011 = Rule::error("AZ-CRED-011", CREDENTIALS_BINDING, Create)
        .summary("The credentials that `credentialsRef` refers to exist.")
        .why("Shoots that use the binding log in to Azure with them.")
        .fix("Create the Secret, the `InternalSecret` or the WorkloadIdentity, or correct `credentialsRef`.");
    CRED_012 = Rule::error("AZ-CRED-012", CREDENTIALS_BINDING, Create)
        .summary("A WorkloadIdentity that `credentialsRef` refers to has a `providerConfig`.")
        .why(TRUST)
        .fix("Add `spec.targetSystem.providerConfig` to the WorkloadIdentity.");
    CRED_013 = Rule::error("AZ-CRED-013", CREDENTIALS_BINDING, Create)
        .summary("A WorkloadIdentity that `credentialsRef` refers to has a readable `providerConfig`.")
        .why(TRUST)
        .fix(FIX);
    CRED_014 = Rule::error("AZ-CRED-014", CREDENTIALS_BINDING, Create)
        .summary("A WorkloadIdentity that `credentialsRef` refers to is well-formed.")
        .why(TRUST)
        .fix(FIX)
        .informative("Findings about the WorkloadIdentity have the ids of its own rules, AZ-WI-010 and AZ-WI-011.");
    CRED_015 = Rule::error("AZ-CRED-015", CREDENTIALS_BINDING, Create)
        .summary("`credentialsRef` refers to a Secret, an `InternalSecret` or a WorkloadIdentity.")
        .why("Azure is called with a client secret or a token, which only these have.")
        .fix("Set `credentialsRef` to `apiVersion: v1` and `kind: Secret`, or to `apiVersion: security.gardener.cloud/v1alpha1` \
              and `kind: WorkloadIdentity`.");
    WI_001 = Rule::error("AZ-WI-001", WORKLOAD_IDENTITY, Both)
        .summary("`spec.targetSystem` has a `providerConfig`.")
        .why(TRUST)
        .fix("Add `providerConfig` of kind `WorkloadIdentityConfig` with `clientID`, `tenantID` and `subscriptionID`.");
    WI_002 = Rule::error("AZ-WI-002", WORKLOAD_IDENTITY, Both)
        .summary("`providerConfig` is a `WorkloadIdentityConfig` of a supported version, and so is the old one.")
        .why("A field that is unknown, given twice or of the wrong type would ask for other rights than you meant.")
        .fix(DECODE);
    WI_003 = Rule::error("AZ-WI-003", WORKLOAD_IDENTITY, Both)
        .summary("The message of the existing extension begins with `validation of target system's configuration failed`.")
        .why("The existing extension reports all findings in one text.")
        .fix("Follow each finding.")
        .informative("The row is about the text of a refusal; findings have ids of their own.");
    WI_010 = Rule::error("AZ-WI-010", IDENTITIES, Both)
        .summary("`clientID`, `tenantID` and `subscriptionID` are set.")
        .why(TRUST)
        .fix(SHOWN);
    WI_011 = Rule::error("AZ-WI-011", IDENTITIES, Both)
        .summary("`clientID`, `tenantID` and `subscriptionID` are GUIDs.")
        .why("Azure gives out no other ids.")
        .fix(SHOWN);
    WI_020 = Rule::error("AZ-WI-020", WORKLOAD_IDENTITY, Update)
        .summary("`subscriptionID` and `tenantID` stay as they are.")
        .why("Shoots that use the identity have everything in this subscription.")
        .fix("Restore the old value, or create a new WorkloadIdentity.");
}
