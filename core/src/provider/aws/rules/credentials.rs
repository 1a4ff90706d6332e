//! Access keys in Secrets, roles of `WorkloadIdentities`, and the bindings that refer to them.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{SECRET, WORKLOAD_IDENTITY};

/// Kinds by which the content of a Secret is judged.
const KEYS: &[&str] = &["Secret", "SecretBinding", "CredentialsBinding"];
const SECRET_BINDING: &[&str] = &["SecretBinding"];
const CREDENTIALS_BINDING: &[&str] = &["CredentialsBinding"];
/// Kinds by which the role of a WorkloadIdentity is judged.
const ROLES: &[&str] = &["WorkloadIdentity", "CredentialsBinding"];

/// Why a part of the access key is needed.
const SIGNED: &str = "Every call of AWS is signed with the access key.";
/// How to write a value.
const ENCODE: &str = "Encode the value again without line break, for example with `echo -n`.";
/// How to make a `WorkloadIdentityConfig` readable.
const DECODE: &str = "Set `apiVersion: aws.provider.extensions.gardener.cloud/v1alpha1` and `kind: \
                      WorkloadIdentityConfig`, and correct the field that is named.";
/// Why a row about what is not judged rejects nothing.
const ACCEPTED: &str = "The row says what is accepted without checks; it rejects nothing.";

rules! {
    SEC_001 = Rule::error("AWS-SEC-001", KEYS, Both)
        .summary("A value is under its standard key or under its key for DNS, not under both.")
        .why("Nothing says which of the two counts.")
        .fix("Remove `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY` and `AWS_REGION`, or use these alone.");
    SEC_002 = Rule::error("AWS-SEC-002", KEYS, Both)
        .summary("The Secret has no other keys.")
        .why("Nothing reads another key, which is mostly misspelt.")
        .fix("Correct the key's spelling, or remove the key.");
    SEC_003 = Rule::error("AWS-SEC-003", KEYS, Both)
        .summary("The Secret has `accessKeyID`.")
        .why(SIGNED)
        .fix("Add `accessKeyID` to `data`, base64-encoded.");
    SEC_004 = Rule::error("AWS-SEC-004", KEYS, Both)
        .summary("`accessKeyID` is not empty.")
        .why(SIGNED)
        .fix("Fill in the access key's id, base64-encoded.");
    SEC_005 = Rule::error("AWS-SEC-005", KEYS, Both)
        .summary("`accessKeyID` has 20 capital letters and digits.")
        .why("AWS gives out no other ids.")
        .fix(ENCODE);
    SEC_006 = Rule::error("AWS-SEC-006", KEYS, Both)
        .summary("The Secret has `secretAccessKey`.")
        .why(SIGNED)
        .fix("Add `secretAccessKey` to `data`, base64-encoded.");
    SEC_007 = Rule::error("AWS-SEC-007", KEYS, Both)
        .summary("`secretAccessKey` is not empty.")
        .why(SIGNED)
        .fix("Fill in the access key's secret, base64-encoded.");
    SEC_008 = Rule::error("AWS-SEC-008", KEYS, Both)
        .summary("`secretAccessKey` has 40 letters, digits, `/`, `+` and `=`.")
        .why("AWS gives out no other secrets.")
        .fix(ENCODE);
    SEC_009 = Rule::error("AWS-SEC-009", KEYS, Both)
        .summary("`region` is the name of a region.")
        .why("Calls go to the endpoints of this region.")
        .fix("Set `region` to a region such as `eu-central-1`, base64-encoded, or remove it.");
    SEC_010 = Rule::error("AWS-SEC-010", SECRET, Update)
        .summary("A Secret with unchanged `data` is not judged again.")
        .why("Labels and finalizers of Secrets from before these rules must stay changeable.")
        .fix("Change `data` to have it judged.")
        .informative(ACCEPTED);
    CRED_001 = Rule::error("AWS-CRED-001", SECRET_BINDING, Update)
        .summary("A SecretBinding that keeps its `provider.type` is not judged again.")
        .why("Its Secret is fixed and was judged when the binding was created.")
        .fix("Change the Secret itself to have its content judged.")
        .informative(ACCEPTED);
    CRED_002 = Rule::error("AWS-CRED-002", SECRET_BINDING, Both)
        .summary("The Secret of `secretRef` exists.")
        .why("Shoots that use the binding call AWS with its access key.")
        .fix("Create the Secret, or correct `secretRef.name` and `secretRef.namespace`.");
    CRED_003 = Rule::error("AWS-CRED-003", CREDENTIALS_BINDING, Update)
        .summary("A changed CredentialsBinding is not judged again.")
        .why("`credentialsRef` is fixed and was judged when the binding was created.")
        .fix("Change the credentials themselves to have them judged.")
        .informative(ACCEPTED);
    CRED_004 = Rule::error("AWS-CRED-004", CREDENTIALS_BINDING, Create)
        .summary("A Secret that `credentialsRef` refers to exists.")
        .why("Shoots that use the binding call AWS with its access key.")
        .fix("Create the Secret, or correct `credentialsRef.name` and `credentialsRef.namespace`.");
    CRED_005 = Rule::error("AWS-CRED-005", CREDENTIALS_BINDING, Create)
        .summary("An `InternalSecret` that `credentialsRef` refers to exists.")
        .why("Shoots that use the binding call AWS with its access key.")
        .fix("Create the `InternalSecret`, or correct `credentialsRef.name` and `credentialsRef.namespace`.");
    CRED_006 = Rule::error("AWS-CRED-006", CREDENTIALS_BINDING, Create)
        .summary("A WorkloadIdentity that `credentialsRef` refers to exists, and has a readable `providerConfig`.")
        .why("Shoots that use the binding assume the role that is named there.")
        .fix("Create the WorkloadIdentity, or fix its `spec.targetSystem.providerConfig`.");
    CRED_007 = Rule::error("AWS-CRED-007", CREDENTIALS_BINDING, Create)
        .summary("`credentialsRef` refers to a Secret, an `InternalSecret` or a WorkloadIdentity.")
        .why("AWS is called with an access key or as a role, which only these have.")
        .fix("Set `credentialsRef` to `apiVersion: v1` and `kind: Secret`, or to `apiVersion: \
              security.gardener.cloud/v1alpha1` and `kind: WorkloadIdentity`.");
    WID_001 = Rule::error("AWS-WID-001", WORKLOAD_IDENTITY, Both)
        .summary("`spec.targetSystem` has a `providerConfig`.")
        .why("It names the role that Gardener assumes.")
        .fix("Add `providerConfig` of kind `WorkloadIdentityConfig` with `roleARN`.");
    WID_002 = Rule::error("AWS-WID-002", WORKLOAD_IDENTITY, Both)
        .summary("`providerConfig` is a `WorkloadIdentityConfig` of a supported version.")
        .why("A field that is unknown, given twice or of the wrong type would name another role than you meant.")
        .fix(DECODE);
    WID_003 = Rule::error("AWS-WID-003", WORKLOAD_IDENTITY, Update)
        .summary("The old WorkloadIdentity's `providerConfig` is readable.")
        .why("The existing extension reads the old configuration, too.")
        .fix("Compare with the object as the garden stores it; if that one is broken, create a new WorkloadIdentity.");
    WID_004 = Rule::error("AWS-WID-004", ROLES, Both)
        .summary("`roleARN` is the ARN of an IAM role.")
        .why("Gardener assumes this role with the token of the WorkloadIdentity.")
        .fix("Set `roleARN` to the role's ARN, such as `arn:aws:iam::123456789012:role/gardener`.");
}
