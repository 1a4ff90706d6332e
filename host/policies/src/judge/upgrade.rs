//! What must change before a Shoot goes to another version of Kubernetes.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use serde::Serialize;
use serde_json::{Map, Value};

use super::lookup::Lookup;
use super::panel::Panel;
use super::{Case, Prepared, Settings};
use crate::answer::{DefaultChange, Effect, Rollout};
use crate::engine::Function;
use crate::manifest::{Document, Manifests};
use crate::policy::GARDENER;

/// Where the version of a Shoot is.
const VERSION: &str = "/spec/kubernetes/version";

const NO_VERSION: &str = "write a version of Kubernetes such as `1.35` or `1.35.2`";

/// The version of Kubernetes to which a Shoot is to go: `1.35`, of which the newest supported patch counts, or
/// `1.35.2`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Target {
    minor: u16,
    patch: Option<u16>,
}

impl FromStr for Target {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let number =
            |part: &str| part.parse::<u16>().ok().filter(|_| part.bytes().all(|byte| byte.is_ascii_digit()));
        let parts: Vec<Option<u16>> = text.strip_prefix('v').unwrap_or(text).split('.').map(number).collect();
        match parts.as_slice() {
            [Some(1), Some(minor)] => Ok(Self { minor: *minor, patch: None }),
            [Some(1), Some(minor), Some(patch)] => Ok(Self { minor: *minor, patch: Some(*patch) }),
            _ => Err(NO_VERSION),
        }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "1.{}", self.minor)?;
        self.patch.map_or(Ok(()), |patch| write!(formatter, ".{patch}"))
    }
}

/// What an upgrade does, besides what it needs.
#[derive(Debug, Serialize)]
pub struct Upgrade {
    /// The version of the Shoot; empty where nobody knows it.
    pub from: String,
    /// The version to which it goes.
    pub to: String,
    /// The minor versions between, such as `1.34`: Gardener takes one after the other.
    pub between: Vec<String>,
    /// What Gardener and the provider change by default.
    pub changes: Vec<DefaultChange>,
    /// What happens to the nodes; none where the policy of the provider does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<Rollout>,
}

impl Upgrade {
    /// Where the version goes: up (`Greater`), nowhere or down; up where nobody knows the version before.
    pub fn direction(&self) -> Ordering {
        let numbers =
            |version: &str| version.split('.').map(|number| number.parse().ok()).collect::<Option<Vec<u64>>>();
        numbers(&self.to).cmp(&numbers(&self.from))
    }
}

impl<'m> Case<'m> {
    /// Whether an object can go to another version of Kubernetes: it is a Shoot, and no version in it is of
    /// another type.
    pub fn can_upgrade(document: &Document) -> bool {
        let version = document.root.at(&["spec", "kubernetes", "version"]);
        document.kind() == "Shoot" && version.is_none_or(|version| version.as_str().is_some())
    }

    /// A Shoot on its way to another version of Kubernetes: an update of itself.
    pub fn upgrade(document: &'m Document, manifests: &'m Manifests, target: &'m Target) -> Self {
        Self { target: Some(target), ..Self::new(document, Some(document), manifests) }
    }

    /// What the upgrade does; none for an object that is no Shoot on its way to another version.
    pub fn upgraded(&self, panel: &Panel<'_>, settings: Settings<'_>) -> Option<Upgrade> {
        self.target?;
        let mut lookup = self.lookup(settings);
        let Prepared { object, old, opinions, .. } = self.prepare(panel, settings, &mut lookup);
        let old = old.unwrap_or_default();
        let mut changes: Vec<DefaultChange> = Vec::new();
        // What the Shoot lacks before does not come with the upgrade: some policy refused to set its defaults.
        if self.is_complete(&old, panel, settings, &mut lookup) {
            let defaults = opinions.into_iter().filter_map(|opinion| opinion.default?.into_result().ok());
            changes.extend(defaults.flat_map(|defaults| defaults.changes));
        }
        let (from, to) = (version(&old), version(&object));
        let policy = panel.policies().iter().find(|policy| policy.answers(Function::Rollout));
        // A Shoot that the rules refuse may have pools that nobody can read.
        let nodes = policy.and_then(|policy| policy.rollout(&object, &old).ok());
        Some(Upgrade { between: between(&from, &to), from, to, changes, nodes })
    }

    /// Whether no policy sets a further default of a stored object.
    fn is_complete(
        &self,
        stored: &str,
        panel: &Panel<'_>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> bool {
        let setting =
            panel.policies().iter().filter(|policy| policy.has_rules(self.document.kind(), Effect::Default));
        setting.into_iter().all(|policy| {
            let ask = |facts: &[String]| policy.default(&self.request(stored, Some(stored), settings, facts));
            lookup.ask(ask, |answer| &answer.undecided).is_ok_and(|answer| answer.changes.is_empty())
        })
    }

    /// The given Shoot as it is stored, with the version of the target, both as JSON texts. Without a profile,
    /// nobody knows the patches of a minor version: the first one counts.
    pub(super) fn with_target(
        &self,
        given: &str,
        target: &Target,
        panel: &Panel<'_>,
        settings: Settings<'_>,
        lookup: &mut Lookup<'_>,
    ) -> String {
        let stored = self.stored(given, panel, settings, lookup);
        let sent = as_applied(&stored, given);
        let wanted = with_version(&sent, &target.to_string());
        if target.patch.is_some() {
            return wanted;
        }
        let gardener = panel.policies().iter().find(|policy| policy.provider() == GARDENER);
        let gardener = gardener.filter(|policy| policy.has_rules(self.document.kind(), Effect::Default));
        let completed = gardener.and_then(|policy| {
            let ask = |facts: &[String]| policy.default(&self.request(&wanted, Some(&stored), settings, facts));
            lookup.ask(ask, |answer| &answer.undecided).ok()
        });
        let chosen = completed.map(|answer| version(answer.object.get())).unwrap_or_default();
        let is_whole = chosen.split('.').count() == 3;
        with_version(&sent, &if is_whole { chosen } else { format!("{target}.0") })
    }
}

/// The version of a Shoot, given as JSON text; empty where it has none.
fn version(shoot: &str) -> String {
    let shoot: Value = serde_json::from_str(shoot).unwrap_or_default();
    shoot.pointer(VERSION).and_then(Value::as_str).unwrap_or_default().to_owned()
}

/// A Shoot with another version, as JSON text; the same where it has no place for one.
fn with_version(shoot: &str, version: &str) -> String {
    let mut changed: Value = serde_json::from_str(shoot).unwrap_or_default();
    let spec = changed.pointer_mut("/spec").and_then(Value::as_object_mut);
    let kubernetes =
        spec.and_then(|spec| spec.entry("kubernetes").or_insert_with(|| Map::new().into()).as_object_mut());
    match kubernetes {
        Some(kubernetes) => {
            kubernetes.insert("version".to_owned(), version.into());
            changed.to_string()
        }
        None => shoot.to_owned(),
    }
}

/// A stored Shoot after the next `kubectl apply` of its manifest, both as JSON texts: without what the manifest
/// takes away by `null`, and with what it has and the API server took away before.
fn as_applied(stored: &str, written: &str) -> String {
    let [mut sent, written] = [stored, written].map(|text| serde_json::from_str(text).unwrap_or_default());
    apply(&mut sent, &written);
    sent.to_string()
}

fn apply(stored: &mut Value, written: &Value) {
    match (stored, written) {
        (Value::Object(stored), Value::Object(written)) => {
            for (key, value) in written {
                if value.is_null() {
                    stored.remove(key);
                } else if let Some(stored) = stored.get_mut(key) {
                    apply(stored, value);
                } else {
                    stored.insert(key.clone(), value.clone());
                }
            }
        }
        (Value::Array(stored), Value::Array(written)) if stored.len() == written.len() => {
            stored.iter_mut().zip(written).for_each(|(stored, written)| apply(stored, written));
        }
        _ => {}
    }
}

/// The minor versions between two versions.
fn between(from: &str, to: &str) -> Vec<String> {
    let minor = |version: &str| version.split('.').nth(1).and_then(|minor| minor.parse::<u16>().ok());
    match (minor(from), minor(to)) {
        (Some(from), Some(to)) => (from.saturating_add(1)..to).map(|minor| format!("1.{minor}")).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_is_a_minor_version_or_a_patch_of_it() {
        for (text, target) in [("1.35", Some("1.35")), ("v1.35.2", Some("1.35.2")), ("1.0.0", Some("1.0.0"))] {
            assert_eq!(text.parse::<Target>().ok().map(|target| target.to_string()).as_deref(), target, "{text}");
        }
        for text in ["", "1", "2.1", "1.35.x", "1.35.1.2", "1.-3", "1.+3", "1.65536", "1.99999999999", "latest"] {
            assert!(text.parse::<Target>().is_err(), "{text}");
        }
    }

    #[test]
    fn minor_versions_between_are_those_that_gardener_does_not_skip() {
        for (from, to, expected) in [
            ("1.32.1", "1.35.0", &["1.33", "1.34"][..]),
            ("1.34.0", "1.35.0", &[]),
            ("1.35.0", "1.33.0", &[]),
            ("", "1.35.0", &[]),
            ("1.x.0", "1.35.0", &[]),
            ("1.4294967296.0", "1.35.0", &[]),
        ] {
            assert_eq!(between(from, to), expected, "{from} {to}");
        }
    }

    #[test]
    fn an_upgrade_goes_up() {
        for (from, to, direction) in [
            ("1.33.9", "1.33.10", Ordering::Greater),
            ("1.33.9", "1.33.9", Ordering::Equal),
            ("1.34.0", "1.33.9", Ordering::Less),
            ("", "1.33.9", Ordering::Greater),
            ("one", "1.33.9", Ordering::Greater),
        ] {
            let upgrade =
                Upgrade { from: from.into(), to: to.into(), between: vec![], changes: vec![], nodes: None };
            assert_eq!(upgrade.direction(), direction, "{from} {to}");
        }
    }

    #[test]
    fn a_manifest_takes_away_and_adds_to_what_is_stored() {
        for (stored, written, expected) in [
            (r#"{"a":{"b":1,"c":2}}"#, r#"{"a":{"b":null}}"#, r#"{"a":{"c":2}}"#),
            (r#"{"a":[{"b":1},{"b":2}]}"#, r#"{"a":[{},{"b":null}]}"#, r#"{"a":[{"b":1},{}]}"#),
            (r#"{"a":[{"b":1}]}"#, r#"{"a":[]}"#, r#"{"a":[{"b":1}]}"#),
            (r#"{"a":1}"#, r#"{"b":null}"#, r#"{"a":1}"#),
            (r#"{"a":1}"#, r#"{"b":2}"#, r#"{"a":1,"b":2}"#),
            (r#"{"a":1}"#, r#"{"a":2}"#, r#"{"a":1}"#),
            (r#"{"a":[{"b":1}]}"#, r#"{"a":[{"c":{"d":3}}]}"#, r#"{"a":[{"b":1,"c":{"d":3}}]}"#),
        ] {
            assert_eq!(as_applied(stored, written), expected, "{written}");
        }
    }

    #[test]
    fn a_version_is_put_where_there_is_a_place_for_it() {
        for (shoot, expected) in [
            (
                r#"{"spec":{"kubernetes":{"version":"1.33.2","a":1}}}"#,
                r#"{"spec":{"kubernetes":{"a":1,"version":"1.35.0"}}}"#,
            ),
            (r#"{"spec":{}}"#, r#"{"spec":{"kubernetes":{"version":"1.35.0"}}}"#),
            (r#"{"spec":{"kubernetes":1}}"#, r#"{"spec":{"kubernetes":1}}"#),
            ("{}", "{}"),
        ] {
            let changed: Value = serde_json::from_str(&with_version(shoot, "1.35.0")).unwrap();
            assert_eq!(changed, serde_json::from_str::<Value>(expected).unwrap());
        }
    }
}
