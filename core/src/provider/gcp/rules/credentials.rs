//! Service account keys in Secrets, `WorkloadIdentities`, and the bindings that refer to them.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{SECRET, WORKLOAD_IDENTITY};

/// Kinds by which the content of a Secret is judged.
const KEYS: &[&str] = &["Secret", "SecretBinding", "CredentialsBinding"];
const SECRET_BINDING: &[&str] = &["SecretBinding"];
const CREDENTIALS_BINDING: &[&str] = &["CredentialsBinding"];
/// Kinds by which the configuration of a WorkloadIdentity is judged.
const IDENTITIES: &[&str] = &["WorkloadIdentity", "CredentialsBinding"];

/// What the key is for.
const KEY: &str = "Gardener calls GCP as this service account.";
/// Where a service account key comes from.
const DOWNLOAD: &str = "Put the JSON file that `gcloud iam service-accounts keys create` writes into `serviceaccount.json`, unchanged \
                        and base64-encoded.";
/// Why URLs are restricted.
const HTTPS: &str = "Credentials go to this URL; without TLS anybody on the way could read them.";
/// Why operators restrict URLs.
const ALLOWED: &str = "The token of the WorkloadIdentity goes to this URL; operators say which URLs may get it.";
/// How to make a `WorkloadIdentityConfig` readable.
const DECODE: &str = "Set `apiVersion: gcp.provider.extensions.gardener.cloud/v1alpha1` and `kind: WorkloadIdentityConfig`, and \
                      correct the field that is named.";
/// Where the configuration of an external account comes from.
const EXTERNAL: &str = "Copy the file that `gcloud iam workload-identity-pools create-cred-config` writes, without \
                        `credential_source`.";
/// Why a member of the configuration is needed.
const LIBRARIES: &str = "Google's libraries read the document, and refuse one without it.";
/// Why a row about what is not judged rejects nothing.
const ACCEPTED: &str = "The row says what is accepted without checks; it rejects nothing.";

rules! {
    SEC_001 = Rule::error("GCP-SEC-001", KEYS, Both)
        .summary("The Secret has `serviceaccount.json`, perhaps `storageAPIEndpoint`, and nothing else.")
        .why("Nothing reads another key, which is mostly misspelt.")
        .fix("Remove the other keys, or correct their spelling.");
    SEC_002 = Rule::error("GCP-SEC-002", KEYS, Both)
        .summary("The Secret has `serviceaccount.json`.")
        .why(KEY)
        .fix(DOWNLOAD);
    SEC_003 = Rule::error("GCP-SEC-003", KEYS, Both)
        .summary("`serviceaccount.json` is not empty.")
        .why(KEY)
        .fix(DOWNLOAD);
    SEC_004 = Rule::error("GCP-SEC-004", KEYS, Both)
        .summary("`serviceaccount.json` is a JSON object of texts.")
        .why("Google's libraries read a service account key in this form only.")
        .fix(DOWNLOAD);
    SEC_005 = Rule::error("GCP-SEC-005", KEYS, Both)
        .summary("The service account key has `type`, `project_id`, `client_email`, `private_key_id`, `private_key` and \
                  `token_uri`.")
        .why(KEY)
        .fix(DOWNLOAD);
    SEC_006 = Rule::error("GCP-SEC-006", KEYS, Both)
        .summary("The required members of the service account key are not empty.")
        .why(KEY)
        .fix(DOWNLOAD);
    SEC_007 = Rule::error("GCP-SEC-007", KEYS, Both)
        .summary("The service account key has no other members than those that GCP writes.")
        .why("Other members make Google's libraries read files or call URLs that somebody chose.")
        .fix(DOWNLOAD);
    SEC_008 = Rule::error("GCP-SEC-008", KEYS, Both)
        .summary("`type` of the service account key is `service_account`.")
        .why("Other types of credentials make Google's libraries read files or call URLs that somebody chose.")
        .fix("Create a service account key, or use a WorkloadIdentity for an external account.");
    SEC_009 = Rule::error("GCP-SEC-009", KEYS, Both)
        .summary("`project_id` is the id of a project.")
        .why("Gardener creates everything in this project.")
        .fix(DOWNLOAD);
    SEC_010 = Rule::error("GCP-SEC-010", KEYS, Both)
        .summary("`client_email` is the address of a service account.")
        .why(KEY)
        .fix(DOWNLOAD);
    SEC_011 = Rule::error("GCP-SEC-011", KEYS, Both)
        .summary("`client_id` has digits only.")
        .why("GCP gives out no other ids.")
        .fix(DOWNLOAD);
    SEC_012 = Rule::error("GCP-SEC-012", KEYS, Both)
        .summary("`private_key_id` has 40 hexadecimal digits.")
        .why("GCP gives out no other ids.")
        .fix(DOWNLOAD);
    SEC_013 = Rule::error("GCP-SEC-013", KEYS, Both)
        .summary("`private_key` begins as a private key in PEM.")
        .why("Every request for a token is signed with the key.")
        .fix(DOWNLOAD);
    SEC_014 = Rule::error("GCP-SEC-014", KEYS, Both)
        .summary("`private_key` ends as a private key in PEM.")
        .why("Every request for a token is signed with the key.")
        .fix(DOWNLOAD);
    SEC_015 = Rule::error("GCP-SEC-015", KEYS, Both)
        .summary("URLs in the service account key begin with `https://`.")
        .why(HTTPS)
        .fix(DOWNLOAD);
    SEC_016 = Rule::error("GCP-SEC-016", SECRET, Update)
        .summary("A Secret with unchanged `data` is not judged again.")
        .why("Labels and finalizers of Secrets from before these rules must stay changeable.")
        .fix("Change `data` to have it judged.")
        .informative(ACCEPTED);
    CRED_001 = Rule::error("GCP-CRED-001", SECRET_BINDING, Update)
        .summary("A SecretBinding that keeps its `provider.type` is not judged again.")
        .why("Its Secret is fixed and was judged when the binding was created.")
        .fix("Change the Secret itself to have its content judged.")
        .informative(ACCEPTED);
    CRED_002 = Rule::error("GCP-CRED-002", SECRET_BINDING, Both)
        .summary("The Secret of `secretRef` exists.")
        .why("Shoots that use the binding call GCP with its service account key.")
        .fix("Create the Secret, or correct `secretRef.name` and `secretRef.namespace`.");
    CRED_003 = Rule::error("GCP-CRED-003", CREDENTIALS_BINDING, Update)
        .summary("A changed CredentialsBinding is not judged again.")
        .why("`credentialsRef` is fixed and was judged when the binding was created.")
        .fix("Change the credentials themselves to have them judged.")
        .informative(ACCEPTED);
    CRED_004 = Rule::error("GCP-CRED-004", CREDENTIALS_BINDING, Create)
        .summary("The credentials that `credentialsRef` refers to exist.")
        .why("Shoots that use the binding call GCP with them.")
        .fix("Create the Secret, the `InternalSecret` or the WorkloadIdentity, or correct `credentialsRef`.");
    CRED_005 = Rule::error("GCP-CRED-005", CREDENTIALS_BINDING, Create)
        .summary("A WorkloadIdentity that `credentialsRef` refers to has a `providerConfig`.")
        .why("It says how a token of the garden becomes one of GCP.")
        .fix("Add `spec.targetSystem.providerConfig` to the WorkloadIdentity.");
    CRED_006 = Rule::error("GCP-CRED-006", CREDENTIALS_BINDING, Create)
        .summary("A WorkloadIdentity that `credentialsRef` refers to has a readable `providerConfig`.")
        .why("It says how a token of the garden becomes one of GCP.")
        .fix("Fix `spec.targetSystem.providerConfig` of the WorkloadIdentity.");
    CRED_007 = Rule::error("GCP-CRED-007", CREDENTIALS_BINDING, Create)
        .summary("A WorkloadIdentity that `credentialsRef` refers to is well-formed.")
        .why("It says how a token of the garden becomes one of GCP.")
        .fix("Fix `spec.targetSystem.providerConfig` of the WorkloadIdentity.")
        .informative("Findings about the WorkloadIdentity have the ids of its own rules, GCP-WI-006 to GCP-WI-018.");
    CRED_008 = Rule::error("GCP-CRED-008", CREDENTIALS_BINDING, Create)
        .summary("`credentialsRef` refers to a Secret, an `InternalSecret` or a WorkloadIdentity.")
        .why("GCP is called with a service account key or a token, which only these have.")
        .fix("Set `credentialsRef` to `apiVersion: v1` and `kind: Secret`, or to `apiVersion: security.gardener.cloud/v1alpha1` \
              and `kind: WorkloadIdentity`.");
    WI_001 = Rule::error("GCP-WI-001", WORKLOAD_IDENTITY, Both)
        .summary("`spec.targetSystem` has a `providerConfig`.")
        .why("It says how a token of the garden becomes one of GCP.")
        .fix("Add `providerConfig` of kind `WorkloadIdentityConfig` with `projectID` and `credentialsConfig`.");
    WI_002 = Rule::error("GCP-WI-002", WORKLOAD_IDENTITY, Both)
        .summary("`providerConfig` is a `WorkloadIdentityConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would ask for other rights than you meant.")
        .fix(DECODE);
    WI_003 = Rule::error("GCP-WI-003", WORKLOAD_IDENTITY, Update)
        .summary("The old WorkloadIdentity's `providerConfig` is readable.")
        .why("Whether the project changes shows only against the old one.")
        .fix("Compare with the object as the garden stores it; if that one is broken, create a new WorkloadIdentity.");
    WI_004 = Rule::error("GCP-WI-004", WORKLOAD_IDENTITY, Both)
        .summary("The message of the existing extension begins with `validation of target system's configuration failed`.")
        .why("The existing extension reports all findings in one text.")
        .fix("Follow each finding.")
        .informative("The row is about the text of a refusal; findings have ids of their own.");
    WI_005 = Rule::error("GCP-WI-005", WORKLOAD_IDENTITY, Update)
        .summary("`projectID` stays as it is.")
        .why("Shoots that use the identity have everything in this project.")
        .fix("Restore the old `projectID`, or create a new WorkloadIdentity.");
    WI_006 = Rule::error("GCP-WI-006", IDENTITIES, Both)
        .summary("`projectID` is the id of a project.")
        .why("Gardener creates everything in this project.")
        .fix("Write the id as `gcloud projects list` shows it: 6 to 30 lower-case letters, digits and hyphens.");
    WI_007 = Rule::error("GCP-WI-007", IDENTITIES, Both)
        .summary("`credentialsConfig` is set.")
        .why("It says how a token of the garden becomes one of GCP.")
        .fix(EXTERNAL);
    WI_008 = Rule::error("GCP-WI-008", IDENTITIES, Both)
        .summary("`credentialsConfig` is an object.")
        .why("Google's libraries read the credentials in this form only.")
        .fix(EXTERNAL);
    WI_009 = Rule::error("GCP-WI-009", IDENTITIES, Both)
        .summary("`credentialsConfig` has no other members than the allowed ones.")
        .why("Other members make Google's libraries run programs, read files or call URLs that somebody chose.")
        .fix("Remove all members but those that are listed; Gardener adds `credential_source` itself.");
    WI_010 = Rule::error("GCP-WI-010", IDENTITIES, Both)
        .summary("`credentialsConfig` has `audience`, `subject_token_type`, `token_url`, `type` and `universe_domain`.")
        .why(LIBRARIES)
        .fix(EXTERNAL);
    WI_011 = Rule::error("GCP-WI-011", IDENTITIES, Both)
        .summary("`type` of `credentialsConfig` is `external_account`.")
        .why("The identity is one that the garden gives out, and not one of GCP.")
        .fix("Set `type: external_account`.");
    WI_012 = Rule::error("GCP-WI-012", IDENTITIES, Both)
        .summary("`subject_token_type` is that of a JSON Web Token.")
        .why("The garden gives out tokens in this form.")
        .fix("Set `subject_token_type: urn:ietf:params:oauth:token-type:jwt`.");
    WI_013 = Rule::error("GCP-WI-013", IDENTITIES, Both)
        .summary("`token_url` is a text.")
        .why(LIBRARIES)
        .fix("Set `token_url: https://sts.googleapis.com/v1/token`, or what your operator allows.");
    WI_014 = Rule::error("GCP-WI-014", IDENTITIES, Both)
        .summary("`token_url` begins with `https://`.")
        .why(HTTPS)
        .fix("Set `token_url: https://sts.googleapis.com/v1/token`, or what your operator allows.");
    WI_015 = Rule::error("GCP-WI-015", IDENTITIES, Both)
        .summary("`token_url` is one that the operator allows.")
        .why(ALLOWED)
        .fix("Set `token_url` to one of the allowed values.");
    WI_016 = Rule::error("GCP-WI-016", IDENTITIES, Both)
        .summary("`service_account_impersonation_url` is a text.")
        .why(LIBRARIES)
        .fix("Write the URL, or remove the member to use the identity itself.");
    WI_017 = Rule::error("GCP-WI-017", IDENTITIES, Both)
        .summary("`service_account_impersonation_url` is one that the operator allows.")
        .why(ALLOWED)
        .fix("Write \
              `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/EMAIL:generateAccessToken` with the address of \
              your service account.");
    WI_018 = Rule::error("GCP-WI-018", IDENTITIES, Both)
        .summary("`service_account_impersonation_url` begins with `https://`.")
        .why(HTTPS)
        .fix("Write \
              `https://iamcredentials.googleapis.com/v1/projects/-/serviceAccounts/EMAIL:generateAccessToken` with the address of \
              your service account.");
}
