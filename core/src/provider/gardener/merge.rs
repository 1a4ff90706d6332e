//! What `kubectl apply` makes of a stored object: the manifest, and what it leaves as it is stored.

use std::borrow::Cow;

use super::fields::text;
use crate::document::{JsonText, PatchOperation, Value, parse, push_segment};
use crate::policy::{MergeRequest, Merged, RequestError};

/// Where `kubectl apply` writes down the manifest of its last run.
const LAST_APPLIED: &[&str] = &["metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration"];

/// The lists of Gardener's objects whose entries a key identifies, and that key. All other lists are replaced.
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

/// Merges the manifest of a request with the object that is stored: a three-way merge where `kubectl apply` wrote
/// down what it applied last, or where the stored object is an old manifest itself; else all that the manifest
/// does not name stays.
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
    /// Adds to a value of the manifest what is stored at its place, and what nobody takes away: `last` is the
    /// value that was applied last, whose parts belong to the manifest. Names are looked for one by one, because
    /// no list and no object that is read has more than some thousand entries.
    fn complete(&mut self, written: &mut Value<'v>, live: &'v Value<'v>, last: Option<&Value<'_>>) {
        match (written, live) {
            (Value::Object(written), Value::Object(live)) => {
                for (key, live) in live {
                    let length = self.pointer.len();
                    self.keys.push(key);
                    push_segment(&mut self.pointer, key);
                    let last = last.and_then(|last| last.get(key));
                    match written.iter_mut().rev().find(|(own, _)| own == key) {
                        Some((_, Value::Null)) => {
                            written.retain(|(own, _)| own != key);
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
            }
            (Value::Array(written), Value::Array(live)) => {
                let Some((_, key)) = KEYED.iter().find(|(keys, _)| *keys == self.keys.as_slice()) else { return };
                for live in live {
                    let length = self.pointer.len();
                    let name = text(live, &[key]);
                    let named = |entry: &Value<'_>| text(entry, &[key]) == name;
                    let last = last.and_then(|last| last.items().iter().find(|entry| named(entry)));
                    let index = written.iter().position(&named);
                    push_segment(&mut self.pointer, &index.unwrap_or(written.len()).to_string());
                    match index.and_then(|index| written.get_mut(index)) {
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
            _ => {}
        }
    }

    fn add(&mut self, value: &Value<'_>) {
        self.patch.push(PatchOperation::add(self.pointer.clone(), value));
    }
}

#[cfg(test)]
mod tests;
