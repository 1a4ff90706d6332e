//! Keystone credentials in Secrets, and the bindings that refer to them.

use crate::report::Operation::{Both, Create, Update};
use crate::report::Rule;
use crate::rules;

use super::SECRET;

/// Kinds by which the content of a Secret is judged; a Shoot, by that of its DNS provider.
const KEYS: &[&str] = &["Secret", "SecretBinding", "CredentialsBinding", "Shoot"];
const SECRET_BINDING: &[&str] = &["SecretBinding"];
const CREDENTIALS_BINDING: &[&str] = &["CredentialsBinding"];

/// Why white space at the ends is wrong.
const BLANKS: &str = "White space counts as part of the value, and Keystone knows no such name.";
/// How to write a value without white space at its ends.
const TRIM: &str = "Encode the value again without white space around it, for example with `echo -n`.";
/// Why a certificate must be whole.
const WHOLE: &str = "Clients cannot check Keystone's certificate with a part of one.";
/// How to write a CA certificate.
const PEM: &str = "Encode the whole certificate in PEM form, or remove `caCert`.";
/// How to complete credentials.
const COMPLETE: &str = "Add the missing key to `data`, base64-encoded, or use another way to authenticate.";

rules! {
    SEC_001 = Rule::error("OS-SEC-001", KEYS, Both)
        .summary("The Secret has `domainName` and `tenantName`; for DNS, also `authURL`.")
        .why("Keystone finds the project by both, and DNS knows no CloudProfile to take the URL from.")
        .fix("Add the missing key to `data`, base64-encoded.");
    SEC_002 = Rule::error("OS-SEC-002", KEYS, Both)
        .summary("Required keys are not empty.")
        .why("Keystone finds the project by them.")
        .fix("Fill in the value, base64-encoded.");
    SEC_003 = Rule::error("OS-SEC-003", KEYS, Both)
        .summary("Optional keys are not empty.")
        .why("An empty value says nothing, and is mostly an oversight.")
        .fix("Fill in the value, base64-encoded, or remove the key.");
    SEC_004 = Rule::error("OS-SEC-004", KEYS, Both)
        .summary("`domainName` has no white space at its ends.")
        .why(BLANKS)
        .fix(TRIM);
    SEC_005 = Rule::error("OS-SEC-005", KEYS, Both)
        .summary("`tenantName` has at most 64 characters and no white space at its ends.")
        .why("Keystone knows no project of such a name.")
        .fix("Encode the name of the project again, without white space around it.");
    SEC_006 = Rule::error("OS-SEC-006", KEYS, Both)
        .summary("`username` has no white space at its ends.")
        .why(BLANKS)
        .fix(TRIM);
    SEC_007 = Rule::error("OS-SEC-007", KEYS, Both)
        .summary("`password` has no line break at its ends.")
        .why("A line break counts as part of the password, and Keystone rejects the password.")
        .fix("Encode the password without line break, for example with `echo -n`.");
    SEC_008 = Rule::error("OS-SEC-008", KEYS, Both)
        .summary("`applicationCredentialID` has no white space at its ends.")
        .why(BLANKS)
        .fix(TRIM);
    SEC_009 = Rule::error("OS-SEC-009", KEYS, Both)
        .summary("`applicationCredentialName` has no white space at its ends.")
        .why(BLANKS)
        .fix(TRIM);
    SEC_010 = Rule::error("OS-SEC-010", KEYS, Both)
        .summary("`applicationCredentialSecret` has no white space at its ends.")
        .why("White space counts as part of the secret, and Keystone rejects the secret.")
        .fix(TRIM);
    SEC_011 = Rule::error("OS-SEC-011", KEYS, Both)
        .summary("`authURL` is a URL of HTTP or HTTPS with a host.")
        .why("Every call to OpenStack begins at Keystone.")
        .fix("Set `authURL` to Keystone's URL, for example `https://keystone.example.com/v3`, base64-encoded.");
    SEC_012 = Rule::error("OS-SEC-012", KEYS, Both)
        .summary("`caCert` has the first line of a certificate.")
        .why(WHOLE)
        .fix(PEM);
    SEC_013 = Rule::error("OS-SEC-013", KEYS, Both)
        .summary("`caCert` has the last line of a certificate.")
        .why(WHOLE)
        .fix(PEM);
    SEC_014 = Rule::error("OS-SEC-014", KEYS, Both)
        .summary("`insecure` is `true` or `false`.")
        .why("Nobody should guess whether certificates are checked.")
        .fix("Set `insecure` to `true` or `false`, base64-encoded, or remove it.");
    SEC_015 = Rule::error("OS-SEC-015", KEYS, Both)
        .summary("The Secret has either a password or an application credential.")
        .why("Keystone takes one way to authenticate, and nothing says which one counts.")
        .fix("Remove `password` or `applicationCredentialSecret`.");
    SEC_016 = Rule::error("OS-SEC-016", KEYS, Both)
        .summary("An `applicationCredentialID` goes with an `applicationCredentialSecret`.")
        .why("Keystone asks for both.")
        .fix(COMPLETE);
    SEC_017 = Rule::error("OS-SEC-017", KEYS, Both)
        .summary("An `applicationCredentialName` goes with an `applicationCredentialSecret`.")
        .why("Keystone asks for both.")
        .fix(COMPLETE);
    SEC_018 = Rule::error("OS-SEC-018", KEYS, Both)
        .summary("An `applicationCredentialName` goes with a `username`.")
        .why("Names of application credentials are unique for a user only.")
        .fix(COMPLETE);
    SEC_019 = Rule::error("OS-SEC-019", KEYS, Both)
        .summary("A `password` goes with a `username`.")
        .why("Keystone asks for both.")
        .fix(COMPLETE);
    SEC_020 = Rule::error("OS-SEC-020", KEYS, Both)
        .summary("The Secret has one complete way to authenticate.")
        .why("Keystone answers nobody that it does not know.")
        .fix("Add `applicationCredentialID` and `applicationCredentialSecret`, or `username` and `password`.");
    SEC_021 = Rule::error("OS-SEC-021", KEYS, Both)
        .summary("The Secret has no other keys.")
        .why("Nothing reads another key, which is mostly misspelt.")
        .fix("Correct the key's spelling, or remove the key.");
    SEC_022 = Rule::error("OS-SEC-022", SECRET, Update)
        .summary("A Secret with unchanged `data` is not judged again.")
        .why("Labels and finalizers of Secrets from before these rules must stay changeable.")
        .fix("Change `data` to have it judged.")
        .informative("The row says what is accepted without checks; it rejects nothing.");
    CRED_001 = Rule::error("OS-CRED-001", SECRET_BINDING, Update)
        .summary("A SecretBinding that keeps its `provider.type` is not judged again.")
        .why("Its Secret is fixed and was judged when the binding was created.")
        .fix("Change the Secret itself to have its content judged.")
        .informative("The row says what is accepted without checks; it rejects nothing.");
    CRED_002 = Rule::error("OS-CRED-002", SECRET_BINDING, Both)
        .summary("The Secret of `secretRef` exists.")
        .why("Shoots that use the binding call OpenStack with its credentials.")
        .fix("Create the Secret, or correct `secretRef.name` and `secretRef.namespace`.");
    CRED_003 = Rule::error("OS-CRED-003", CREDENTIALS_BINDING, Update)
        .summary("A changed CredentialsBinding is not judged again.")
        .why("`credentialsRef` is fixed and was judged when the binding was created.")
        .fix("Change the Secret itself to have its content judged.")
        .informative("The row says what is accepted without checks; it rejects nothing.");
    CRED_004 = Rule::error("OS-CRED-004", CREDENTIALS_BINDING, Create)
        .summary("`credentialsRef` refers to a Secret or an `InternalSecret` that exists.")
        .why("OpenStack is called with the credentials in it; workload identity is not supported.")
        .fix("Set `credentialsRef` to `apiVersion: v1`, `kind: Secret` and the name and namespace of an existing \
              Secret.");
}
