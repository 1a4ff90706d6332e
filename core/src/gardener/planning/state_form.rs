//! The recorded state in the form of the existing extensions: a document of a kind whose `data` is a flat map of
//! texts.

use crate::document::{JsonText, Value};
use crate::plan::recorded_value;
use crate::policy::{PlanSubject, RequestError, State};

/// Where an object holds the state.
pub const POINTER: &str = "/status/state";

/// What is recorded of a zone: its suffix in names.
const SUFFIX: &str = "Suffix";

/// The kind of the document that holds the state of one extension.
#[derive(Debug)]
pub struct StateKind {
    /// Its kind, such as `FlowState`.
    pub kind: &'static str,
    /// The group of its API.
    pub group: &'static str,
    /// Group and version of its API.
    pub api_version: &'static str,
}

impl StateKind {
    /// Whether a document says what it is. One of Terraform does not.
    pub fn is_typed(document: &Value<'_>) -> bool {
        let says = |key| document.get(key).and_then(Value::as_str).is_some_and(|text| !text.is_empty());
        says("kind") || says("apiVersion")
    }

    /// Reads a document.
    pub fn read(&self, document: &Value<'_>) -> Result<State, String> {
        let Self { kind, api_version, .. } = self;
        let text = |key| document.get(key).and_then(Value::as_str).unwrap_or_default();
        let (found_kind, found_version) = (text("kind"), text("apiVersion"));
        if found_kind != *kind || !found_version.starts_with(self.group) {
            return Err(format!(
                "unknown kind or group: kind={found_kind}, apiVersion={found_version}; expected is `{kind}` of \
                 `{api_version}`"
            ));
        }
        if found_version != *api_version {
            return Err(format!(
                "unsupported APIVersion {found_version} for kind {kind}; a state of `{api_version}` can be read"
            ));
        }
        let members = match document.get("data") {
            None => return Ok(State::new()),
            Some(Value::Object(members)) => members,
            Some(other) => return Err(format!("`data` of a {kind} must be an object, not {}", other.kind())),
        };
        let entry = |(key, value): &(std::borrow::Cow<'_, str>, Value<'_>)| match value {
            Value::String(text) => Ok((key.to_string(), text.to_string())),
            Value::Null => Ok((key.to_string(), String::new())),
            other => Err(format!("`data` of a {kind} must have texts, `{key}` is {}", other.kind())),
        };
        members.iter().map(entry).collect()
    }

    /// The state that a request is about: the given one, else the one that `status.state` of the object holds,
    /// which may still be of the predecessor of the existing extension, Terraform, and which `migrate` then reads with
    /// the configuration. What the configuration says of a key counts more.
    pub fn recorded(
        &self,
        request: &PlanSubject<'_>,
        given: Option<&State>,
        migrate: fn(&Value<'_>, Option<&Value<'_>>) -> Result<State, String>,
        configured: &[(&'static str, Option<&str>)],
    ) -> Result<State, RequestError> {
        let recorded = request.object.and_then(|object| object.pointer(POINTER));
        let mut state = match (given, recorded) {
            (Some(given), _) => given.clone(),
            (None, None | Some(Value::Null)) => State::new(),
            (None, Some(document)) if Self::is_typed(document) => self.read(document).map_err(unreadable)?,
            (None, Some(document)) => migrate(document, request.config()).map_err(unreadable)?,
        };
        for (key, id) in configured {
            if let Some(id) = id {
                state.insert(*key, (*id).to_owned());
            }
        }
        // The existing extensions read an empty value as none, and write none.
        Ok(state.into_iter().filter(|(_, value)| !value.is_empty()).collect())
    }

    /// Writes the document that goes into the status of an object.
    pub fn write(&self, state: &State) -> JsonText {
        let data = state.iter().map(|(key, value)| (key.into(), Value::string(value.as_str()))).collect();
        let document = Value::object([
            ("kind", Value::string(self.kind)),
            ("apiVersion", Value::string(self.api_version)),
            ("data", Value::Object(data)),
        ]);
        JsonText::from(&document)
    }
}

/// The error of a request whose object holds a state that nobody can read.
pub fn unreadable(message: String) -> RequestError {
    RequestError::Malformed { message, pointer: Some(POINTER.to_owned()) }
}

/// Key of something about a zone, such as its `Suffix`.
pub fn zone_key(zone: &str, what: &str) -> String {
    format!("Zones/{zone}/{what}")
}

/// The zone that a key is about, and what it is about; `None` for a key that is about no zone.
pub fn zone_of(key: &str) -> Option<(&str, &str)> {
    key.strip_prefix("Zones/")?.split_once('/')
}

/// What is recorded of zones under keys that end in `what`, with the names of the zones, sorted by these.
pub fn of_zones<'s>(state: &'s State, what: &str) -> impl Iterator<Item = (&'s str, &'s str)> {
    state.iter().filter_map(move |(key, _)| {
        let (zone, last) = zone_of(key)?;
        (last == what).then_some((zone, recorded_value(state, key)?))
    })
}

/// The suffix of each zone in names, such as `z0`: the recorded one, else the smallest that no recorded zone has,
/// which is then recorded.
pub fn suffixes<'z>(state: &mut State, zones: impl IntoIterator<Item = &'z str>) -> Vec<String> {
    let taken: Vec<String> = of_zones(state, SUFFIX).map(|(_, suffix)| suffix.to_owned()).collect();
    let mut free = (0_usize..).map(|index| format!("z{index}")).filter(|suffix| !taken.contains(suffix));
    let suffix = |zone| {
        let key = zone_key(zone, SUFFIX);
        if let Some(suffix) = recorded_value(state, &key) {
            return suffix.to_owned();
        }
        let suffix = free.next().unwrap_or_default();
        state.insert(key, suffix.clone());
        suffix
    };
    zones.into_iter().map(suffix).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::DELETED;
    use proptest::prelude::*;

    #[test]
    fn a_zone_keeps_its_suffix_and_a_new_one_gets_the_smallest_that_is_free() {
        let recorded = [("Zones/b/Suffix", "z1"), ("Zones/gone/Suffix", "z0"), ("Zones/d/Suffix", DELETED)];
        let mut state: State = recorded.map(|(key, value)| (key, value.to_owned())).into_iter().collect();
        assert_eq!(suffixes(&mut state, ["a", "b", "c", "a", "d"]), ["z2", "z1", "z3", "z2", "z4"]);
        assert_eq!(recorded_value(&state, "Zones/a/Suffix"), Some("z2"));
        let before = state.clone();
        assert_eq!(suffixes(&mut state, ["d", "c", "b"]), ["z4", "z3", "z1"]);
        assert_eq!(state, before);
        assert_eq!(suffixes(&mut State::new(), ["x", "y"]), ["z0", "z1"]);
    }

    #[test]
    fn what_is_recorded_of_zones_is_reported_by_zone() {
        let state: State = ["Zones/b/VSwitch", "Zones/a/VSwitch", "Zones/a/b/VSwitch", "Zones/VSwitch", "VSwitch"]
            .map(|key| (key, "v".to_owned()))
            .into_iter()
            .collect();
        assert_eq!(of_zones(&state, "VSwitch").map(|(zone, _)| zone).collect::<Vec<_>>(), ["a", "b"]);
    }

    proptest! {
        #[test]
        fn no_two_zones_have_the_same_suffix(
            recorded in prop::collection::btree_map("[a-d]", 0..6_u8, 0..4),
            zones in prop::collection::vec("[a-h]", 0..12),
        ) {
            let mut state = State::new();
            let mut taken = Vec::new();
            for (zone, index) in recorded {
                if !taken.contains(&index) {
                    taken.push(index);
                    state.insert(zone_key(&zone, SUFFIX), format!("z{index}"));
                }
            }
            let found = suffixes(&mut state, zones.iter().map(String::as_str));
            for (zone, suffix) in zones.iter().zip(&found) {
                prop_assert_eq!(recorded_value(&state, &zone_key(zone, SUFFIX)), Some(suffix.as_str()));
            }
            let mut all: Vec<_> = of_zones(&state, SUFFIX).map(|(_, suffix)| suffix).collect();
            let count = all.len();
            all.sort_unstable();
            all.dedup();
            prop_assert_eq!(all.len(), count);
        }
    }
}
