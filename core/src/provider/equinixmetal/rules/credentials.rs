//! API tokens in Secrets.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SECRETS;

rules! {
    SEC_001 = Rule::warning("EQX-SEC-001", SECRETS, Both)
        .summary("The Secret has data.")
        .why("Shoots call Equinix Metal with the token in it.")
        .fix("Add `apiToken` and `projectID` to `data`, base64-encoded.");
    SEC_002 = Rule::warning("EQX-SEC-002", SECRETS, Both)
        .summary("The Secret has `apiToken`.")
        .why("Shoots call Equinix Metal with it.")
        .fix("Add `apiToken` to `data`, base64-encoded, with an API token that may write to the project.");
    SEC_003 = Rule::warning("EQX-SEC-003", SECRETS, Both)
        .summary("The Secret has `projectID`.")
        .why("Machines and SSH keys are created in that project.")
        .fix("Add `projectID` to `data`, base64-encoded, with the ID of the project.");
    SEC_004 = Rule::warning("EQX-SEC-004", SECRETS, Both)
        .summary("`apiToken` is not blank.")
        .why("No client for Equinix Metal is made without a token.")
        .fix("Copy the API token again, and base64-encode it once.");
    SEC_005 = Rule::warning("EQX-SEC-005", SECRETS, Both)
        .summary("An empty `apiToken` or `projectID` counts as present.")
        .why("Only the keys are looked for.")
        .fix("Fill in both values.")
        .informative("It says what EQX-SEC-002 and EQX-SEC-003 let pass; EQX-SEC-004 and EQX-ADV-010 find it.");
}
