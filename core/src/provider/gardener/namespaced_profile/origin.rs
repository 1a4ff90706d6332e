//! Which part of a NamespacedCloudProfile became a part of what it offers together with its parent.

use crate::document::{Value, push_segment};
use crate::provider::gardener::fields::text;

/// The pointer into a NamespacedCloudProfile to what stands at `pointer` in what it offers together with its
/// parent; none where that comes from the parent alone.
pub fn origin(pointer: &str, merged: &Value<'_>, object: &Value<'_>) -> Option<String> {
    let below = pointer.strip_prefix("/status/cloudProfileSpec/")?;
    let (mut from, mut to) = (Some(merged), object.get("spec")?);
    let mut place = String::from("/spec");
    let mut is_inside = false;
    for segment in below.split('/') {
        let key = segment.replace("~1", "/").replace("~0", "~");
        let found = if let (Some(Value::Array(all)), Value::Array(own)) = (from, to) {
            let entry = all.get(key.parse::<usize>().ok()?)?;
            let index = own.iter().position(|one| is_named_alike(one, entry))?;
            is_inside = true;
            push_segment(&mut place, &index.to_string());
            from = Some(entry);
            own.get(index)
        } else {
            push_segment(&mut place, &key);
            from = from.and_then(|from| from.get(&key));
            to.get(&key)
        };
        match found {
            Some(value) => to = value,
            None => break,
        }
    }
    is_inside.then_some(place)
}

/// Whether entries of two lists are about the same, by their name or version. Entries without either are the same
/// where they are equal.
fn is_named_alike(one: &Value<'_>, other: &Value<'_>) -> bool {
    let key = ["name", "version"].into_iter().find(|key| other.get(key).is_some());
    match key {
        Some(key) => one.get(key).is_some() && text(one, &[key]) == text(other, &[key]),
        None => one == other,
    }
}
