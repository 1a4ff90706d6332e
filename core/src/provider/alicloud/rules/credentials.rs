//! Access keys in Secrets, and the bindings that refer to them.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::{SECRET, other_kind};

/// Kinds by which the content of a Secret is judged.
const KEYS: &[&str] = &["Secret", "SecretBinding", "CredentialsBinding"];
const BINDINGS: &[&str] = &["SecretBinding", "CredentialsBinding"];
const SECRET_BINDING: &[&str] = &["SecretBinding"];
const CREDENTIALS_BINDING: &[&str] = &["CredentialsBinding"];

rules! {
    SEC_001 = Rule::error("ALI-SEC-001", KEYS, Both)
        .summary("The Secret has `accessKeyID`.")
        .why("Calls to Alibaba Cloud are signed with an access key of a RAM user.")
        .fix("Add `accessKeyID` to `data`, base64-encoded, with the ID of the RAM user's access key.");
    SEC_002 = Rule::error("ALI-SEC-002", KEYS, Both)
        .summary("`accessKeyID` has at least 16 characters.")
        .why("Alibaba Cloud gives no shorter IDs; a part is missing.")
        .fix("Copy the whole access key ID from the RAM console, and base64-encode it once.");
    SEC_003 = Rule::error("ALI-SEC-003", KEYS, Both)
        .summary("`accessKeyID` has at most 128 characters.")
        .why("Alibaba Cloud gives no longer IDs; something else is in the field.")
        .fix("Put only the access key ID there, and base64-encode it once.");
    SEC_004 = Rule::error("ALI-SEC-004", KEYS, Both)
        .summary("`accessKeyID` consists of letters, digits, `.`, `_` and `=`.")
        .why("Other characters, such as blanks or line ends, come from copying and spoil every signature.")
        .fix("Copy the ID again without quotes, blanks and line end (`echo -n`), and base64-encode it.");
    SEC_005 = Rule::error("ALI-SEC-005", KEYS, Both)
        .summary("The Secret has `accessKeySecret`.")
        .why("Calls to Alibaba Cloud are signed with it.")
        .fix("Add `accessKeySecret` to `data`, base64-encoded, with the secret of the RAM user's access key.");
    SEC_006 = Rule::error("ALI-SEC-006", KEYS, Both)
        .summary("`accessKeySecret` has at least 30 characters.")
        .why("Alibaba Cloud gives no shorter secrets; a part is missing.")
        .fix("Copy the whole access key secret, or create a new access key if it is lost.");
    SEC_007 = Rule::error("ALI-SEC-007", KEYS, Both)
        .summary("`accessKeySecret` neither begins nor ends with a line break.")
        .why("A line break counts as part of the secret, and Alibaba Cloud rejects every signature.")
        .fix("Encode the secret without line break, for example with `echo -n`.");
    SEC_008 = Rule::error("ALI-SEC-008", SECRET, Update)
        .summary("A Secret with unchanged `data` is not judged again.")
        .why("Labels and finalizers of Secrets from before these rules must stay changeable.")
        .fix("Change `data` to have it judged.")
        .informative("The row says what is accepted without checks; it rejects nothing.");
    SEC_009 = other_kind("ALI-SEC-009", SECRET);
    CRED_001 = other_kind("ALI-CRED-001", BINDINGS);
    CRED_002 = Rule::error("ALI-CRED-002", SECRET_BINDING, Update)
        .summary("A SecretBinding that keeps its `provider.type` is not judged again.")
        .why("Its Secret is fixed and was judged when the binding was created.")
        .fix("Change the Secret itself to have its content judged.")
        .informative("The row says what is accepted without checks; it rejects nothing.");
    CRED_003 = Rule::error("ALI-CRED-003", SECRET_BINDING, Both)
        .summary("The Secret of `secretRef` exists and can be read.")
        .why("Shoots that use the binding call Alibaba Cloud with its access key.")
        .fix("Create the Secret, or correct `secretRef.name` and `secretRef.namespace`.");
    CRED_004 = Rule::error("ALI-CRED-004", CREDENTIALS_BINDING, Update)
        .summary("A changed CredentialsBinding is not judged again.")
        .why("`credentialsRef` is fixed and was judged when the binding was created.")
        .fix("Change the Secret itself to have its content judged.")
        .informative("The row says what is accepted without checks; it rejects nothing.");
    CRED_005 = Rule::error("ALI-CRED-005", CREDENTIALS_BINDING, Create)
        .summary("The Secret of `credentialsRef` exists and can be read.")
        .why("Shoots that use the binding call Alibaba Cloud with its access key.")
        .fix("Create the Secret, or correct `credentialsRef.name` and `credentialsRef.namespace`.");
    CRED_006 = Rule::error("ALI-CRED-006", CREDENTIALS_BINDING, Create)
        .summary("`credentialsRef` refers to a Secret.")
        .why("Alibaba Cloud is called with an access key; workload identity is not supported.")
        .fix("Set `credentialsRef` to `apiVersion: v1`, `kind: Secret` and the Secret's name and namespace.");
}
