//! The answers of a policy, as far as the host looks into them.

mod failure;
mod finding;
mod generated;
mod joint;
mod machines;
mod rendering;
mod rollout;
mod rule;
mod scope;

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

pub use failure::read;
pub use generated::{
    AddedZones, AddressConflict, AddressGap, AddressRange, AddressSpace, Addresses, DefaultChange, Defaulting,
    Effect, Failure, Finding, FindingCause, Info, Joined, Machines, ManagedResource, ManifestSecret, Merged,
    Mutation, NodeChange, ObjectName, PatchOperation, PlannedKind, PoolRollout, Rendering, Restart, Rollout, Rule,
    RuleOperation, RuleWords, Rules, Scope, Severity, Undecided, UnreadableRange, Validation, Verdict, ZoneChoice,
};
pub use joint::{Answered, Defaults, JoinRequest, Opinion, World};
pub use machines::deployment as machine_deployment;
pub use scope::Section;

/// Reads any JSON value that is there: `null` is a value, and not the absence of one.
pub fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::deserialize(deserializer).map(Some)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_null_bad_value_is_distinguished_from_none() {
        let finding = |rest: &str| {
            let text = format!(
                r#"{{"rule":"A","severity":"error","type":"T","field":"","pointer":"","detail":"","remedy":""{rest}}}"#
            );
            serde_json::to_string(&read::<Finding>(&text).unwrap()).unwrap()
        };
        assert!(finding(r#","badValue":null"#).contains(r#""badValue":null"#));
        assert!(finding(r#","badValue":1.30"#).contains(r#""badValue":1.30"#));
        assert!(!finding("").contains("badValue"));
    }

    #[test]
    fn a_rename_and_choices_are_handed_on() {
        let rest = r#","fix":[{"op":"move","from":"/a","path":"/b"}],"choices":["c","d"]}"#;
        let text = r#"{"rule":"A","severity":"error","type":"T","field":"","pointer":"","detail":"","remedy":"""#;
        let text = format!("{text}{rest}");
        assert_eq!(serde_json::to_string(&read::<Finding>(&text).unwrap()).unwrap(), text);
    }

    #[test]
    fn failures_and_foreign_answers_are_failures() {
        let denied = read::<Validation>(r#"{"error":{"code":"Denied","message":"no"}}"#).unwrap_err();
        assert_eq!(denied.code, Failure::DENIED);
        assert_eq!(read::<Validation>("nonsense").unwrap_err().code, "UnknownAnswer");
    }

    #[test]
    fn answers_of_older_policies_and_null_in_the_place_of_an_object_are_read() {
        let rendering =
            read::<Rendering>(r#"{"managedResources":[{"name":"a","objects":[]}],"values":null}"#).unwrap();
        let resource = &rendering.managed_resources.unwrap()[0];
        assert!(resource.spec.is_empty() && resource.secret.is_none() && rendering.values.is_none());
        let info = read::<Info>("{}").unwrap();
        assert!(info.functions.is_empty() && info.provider.is_empty());
        let validation = read::<Validation>(r#"{"findings":[],"verdict":"accept"}"#).unwrap();
        assert!(validation.undecided.is_empty());
        let open = read::<Undecided>(r#"{"rule":"A","why":"","query":null}"#).unwrap();
        assert!(open.query.is_none());
        assert!(read::<Machines>(r#"{"machineDeployments":["a"],"objects":[]}"#).is_err());
    }
}
