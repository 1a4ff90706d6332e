//! What `kubectl apply` makes of a stored object: the manifest, and what it leaves as it is stored.

use std::borrow::Cow;

use super::fields::text;
use crate::collections::{NameMap, NameSet};
use crate::document::{JsonText, Member, PatchOperation, Value, parse, push_segment};
use crate::policy::{MergeRequest, Merged, RequestError};

/// Where `kubectl apply` writes down the manifest of its last run.
const LAST_APPLIED: &[&str] = &["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"];

/// The lists of Gardener's objects whose entries are told apart by a key, and that key. All other lists are replaced.
const KEYED: &[(&[&str], &str)] = &[
    (&["spec", "dns", "providers"], "type"),
    (&["spec", "kubernetes", "kubeAPIServer", "admissionPlugins"], "name"),
    (&["spec", "kubernetes", "versions"], "version"),
    (&["spec", "machineImages"], "name"),
    (&["spec", "machineImages", "versions"], "version"),
    (&["spec", "machineTypes"], "name"),
    (&["spec", "provider", "workers"], "name"),
    (&["spec", "regions"], "name"),
    (&["spec", "regions", "zones"], "name"),
    (&["spec", "tolerations"], "key"),
    (&["spec", "volumeTypes"], "name"),
];

/// Merges the manifest of a request with the object that is stored: a three-way merge where `kubectl apply` wrote down what it
/// applied last; else all that the manifest does not name stays.
pub fn merge(request: &MergeRequest<'_>) -> Result<Merged, RequestError> {
    let MergeRequest { live, manifest } = *request;
    let last = match text(live, LAST_APPLIED) {
        // An old manifest is what was applied last.
        "" if text(live, &["metadata", "uid"]).is_empty() => Some(live.clone()),
        "" => None,
        applied => Some(parse(applied).map_err(|error| RequestError::Malformed {
            message: format!("`live`: the annotation {} is not JSON: {error}", LAST_APPLIED.join(".")),
            pointer: None,
        })?),
    };
    let mut object = manifest.clone();
    let mut merge = Merge { patch: Vec::new(), pointer: String::new(), keys: Vec::new() };
    merge.complete(&mut object, live, last.as_ref());
    Ok(Merged { object: JsonText::from(&object), patch: merge.patch })
}

/// A merge at some place of the object.
struct Merge<'v> {
    /// What changed so far.
    patch: Vec<PatchOperation>,
    /// The place.
    pointer: String,
    /// The keys that lead to the place; the entries of a list have that of their list.
    keys: Vec<&'v str>,
}

impl<'v> Merge<'v> {
    /// Adds to a value of the manifest what is stored at its place, and what nobody takes away: `last` is the value that was applied
    /// last, whose parts belong to the manifest.
    fn complete(&mut self, written: &mut Value<'v>, live: &'v Value<'v>, last: Option<&Value<'_>>) {
        match (written, live) {
            (Value::Object(written), Value::Object(live)) => self.members(written, live, last),
            (Value::Array(written), Value::Array(live)) => {
                if let Some((_, key)) = KEYED.iter().find(|(keys, _)| *keys == self.keys.as_slice()) {
                    self.entries(written, live, last, key);
                }
            }
            _ => {}
        }
    }

    fn members(&mut self, written: &mut Vec<Member<'v>>, live: &'v [Member<'v>], last: Option<&Value<'_>>) {
        let own = {
            let members = written.iter().enumerate();
            let places: NameMap<'_, usize> = members.map(|(at, (key, _))| (key.as_ref(), at)).collect();
            live.iter().map(|(key, _)| places.get(key).copied()).collect::<Vec<_>>()
        };
        let applied: NameMap<'_, &Value<'_>> = match last {
            Some(Value::Object(members)) => members.iter().map(|(key, value)| (key.as_ref(), value)).collect(),
            _ => NameMap::new(),
        };
        let mut gone = NameSet::new();
        for ((key, live), own) in live.iter().zip(own) {
            let length = self.pointer.len();
            self.keys.push(key);
            push_segment(&mut self.pointer, key);
            let last = applied.get(key).copied().filter(|value| !matches!(value, Value::Null));
            match own.and_then(|at| written.get_mut(at)) {
                Some((_, Value::Null)) => {
                    gone.insert(key);
                    self.patch.push(PatchOperation::remove(self.pointer.clone()));
                }
                Some((_, own)) => self.complete(own, live, last),
                None if last.is_none() => {
                    self.add(live);
                    written.push((Cow::Borrowed(key), live.clone()));
                }
                None => {}
            }
            self.pointer.truncate(length);
            self.keys.pop();
        }
        if !gone.is_empty() {
            written.retain(|(key, _)| !gone.contains(key));
        }
    }

    /// Completes a list whose entries have names in the member `key`.
    fn entries(
        &mut self,
        written: &mut Vec<Value<'v>>,
        live: &'v [Value<'v>],
        last: Option<&Value<'_>>,
        key: &'static str,
    ) {
        let own = {
            let mut places = NameMap::new();
            for (at, entry) in written.iter().enumerate() {
                places.or_insert_with(text(entry, &[key]), || at);
            }
            live.iter().map(|entry| places.get(text(entry, &[key])).copied()).collect::<Vec<_>>()
        };
        let mut applied = NameMap::new();
        for entry in last.map(Value::items).unwrap_or_default() {
            applied.or_insert_with(text(entry, &[key]), || entry);
        }
        for (live, own) in live.iter().zip(own) {
            let length = self.pointer.len();
            push_segment(&mut self.pointer, &own.unwrap_or(written.len()).to_string());
            let last = applied.get(text(live, &[key])).copied();
            match own.and_then(|at| written.get_mut(at)) {
                Some(own) => self.complete(own, live, last),
                None if last.is_none() => {
                    self.add(live);
                    written.push(live.clone());
                }
                None => {}
            }
            self.pointer.truncate(length);
        }
    }

    fn add(&mut self, value: &Value<'_>) {
        self.patch.push(PatchOperation::add(self.pointer.clone(), value));
    }
}

#[cfg(test)]
mod tests;
