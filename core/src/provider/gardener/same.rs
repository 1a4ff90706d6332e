//! Whether the API server sees a difference between two values.

use crate::collections::NameMap;
use crate::document::Value;
use crate::kube::duration::Duration;
use crate::kube::quantity::Quantity;
use crate::kube::time::Time;
use crate::provider::gardener::structure::{SHOOT, Type};

/// The type of the value at a path of keys of a Shoot. Of a list, the type of its entries.
pub fn type_at(path: &[&str]) -> &'static Type {
    type_of(&SHOOT, path)
}

/// The type of the value at a path of keys of an object of such a type. Of a list, the type of its entries.
pub fn type_of(object: &'static Type, path: &[&str]) -> &'static Type {
    path.iter().fold(object, |found, key| entry(member(found, key)))
}

/// The type of a member of a value.
fn member(of: &'static Type, key: &str) -> &'static Type {
    match of {
        Type::Object(fields) => fields.iter().find(|(name, _)| *name == key).map_or(&Type::Any, |(_, of)| of),
        _ => &Type::Any,
    }
}

/// The type of the entries of a list; of another value, its own type.
fn entry(of: &'static Type) -> &'static Type {
    match of {
        Type::List(of) => entry(of),
        of => of,
    }
}

/// Whether two Shoots, or the same parts of two Shoots, have the same value at a path of keys. `part` is the path
/// of the part.
pub fn is_same_at(part: &[&str], path: &[&str], one: &Value<'_>, other: &Value<'_>) -> bool {
    let (parents, key) = match path {
        [parents @ .., key] => (parents, *key),
        [] => return is_same(type_at(part), Some(one), Some(other)),
    };
    let of = member(type_at(&[part, parents].concat()), key);
    is_same(of, one.at(path), other.at(path))
}

/// Whether two values of a type are the same. A text, a number and a boolean that are absent are empty, 0 and
/// false; a list and a map that are absent are empty.
pub fn is_same(of: &Type, one: Option<&Value<'_>>, other: Option<&Value<'_>>) -> bool {
    match of {
        Type::List(of) => {
            let (ones, others) = (entries(one), entries(other));
            ones.len() == others.len()
                && ones.iter().zip(others).all(|(one, other)| is_same(of, Some(one), Some(other)))
        }
        Type::Map(of) => {
            let (ones, others) = (map(one), map(other));
            ones.len() == others.len()
                && ones
                    .iter()
                    .all(|(key, one)| others.get(key).is_some_and(|other| is_same(of, Some(one), Some(other))))
        }
        Type::Object(fields) => match (given(one), given(other)) {
            (Some(one), Some(other)) => fields.iter().all(|(key, of)| is_same(of, one.get(key), other.get(key))),
            (one, other) => one.is_none() && other.is_none(),
        },
        Type::Any => match (given(one), given(other)) {
            (Some(one), Some(other)) => one == other || one.canonical(false) == other.canonical(false),
            (one, other) => one.is_none() && other.is_none(),
        },
        Type::Duration => is_equal(one, other, |text| Duration::parse(text).ok()),
        Type::Quantity => is_equal(one, other, |text| Quantity::parse(text.trim()).ok()),
        Type::Time => is_equal(one, other, Time::parse),
        Type::Boolean | Type::Float | Type::IntOrText | Type::Integer32 | Type::Integer64 | Type::Text => {
            scalar(one) == scalar(other)
        }
    }
}

fn given<'v>(value: Option<&'v Value<'v>>) -> Option<&'v Value<'v>> {
    value.filter(|value| !matches!(value, Value::Null))
}

fn entries<'v>(list: Option<&'v Value<'v>>) -> &'v [Value<'v>] {
    list.map(Value::items).unwrap_or_default()
}

fn map<'v>(map: Option<&'v Value<'v>>) -> NameMap<'v, &'v Value<'v>> {
    let mut entries = NameMap::default();
    if let Some(Value::Object(members)) = map {
        for (key, value) in members {
            entries.insert(key, value);
        }
    }
    entries
}

/// Whether two texts are the same, or mean the same.
fn is_equal<T: PartialEq>(
    one: Option<&Value<'_>>,
    other: Option<&Value<'_>>,
    read: impl Fn(&str) -> Option<T>,
) -> bool {
    let (one, other) = (scalar(one), scalar(other));
    one == other || read(one).is_some_and(|one| read(other) == Some(one))
}

/// The text of a scalar, which is empty for a zero.
fn scalar<'v>(value: Option<&'v Value<'v>>) -> &'v str {
    match value {
        Some(Value::Bool(true)) => "true",
        Some(Value::Number(number)) if number != "0" => number,
        Some(Value::String(text)) => text,
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::parse;

    #[test]
    fn what_is_spelled_in_another_way_is_the_same() {
        const POOLS: &[&str] = &["spec", "provider", "workers"];
        const KUBELET: &[&str] = &["spec", "kubernetes", "kubelet"];
        for (path, one, other, wanted) in [
            (POOLS, r#"{"name": "a", "minimum": 0}"#, r#"{"name": "a", "zones": [], "labels": {}}"#, true),
            (POOLS, r#"{"labels": {"a": "1", "b": "2"}}"#, r#"{"labels": {"b": "2", "a": "1"}}"#, true),
            (POOLS, r#"{"labels": {"a": "1"}}"#, r#"{"labels": {"b": "1"}}"#, false),
            (POOLS, r#"{"zones": ["a", "b"]}"#, r#"{"zones": ["b", "a"]}"#, false),
            (POOLS, r#"{"minimum": 1}"#, r#"{"minimum": 2}"#, false),
            (POOLS, r#"{"providerConfig": {"a": 1, "b": 2}}"#, r#"{"providerConfig": {"b": 2, "a": 1}}"#, true),
            (POOLS, r#"{"providerConfig": {"a": 1}}"#, r#"{"providerConfig": {"a": 2}}"#, false),
            (POOLS, r#"{"volume": {}}"#, r#"{"volume": null}"#, false),
            (POOLS, r#"{"maxSurge": 1}"#, r#"{"maxSurge": "10%"}"#, false),
            (KUBELET, r#"{"kubeReserved": {"cpu": "1"}}"#, r#"{"kubeReserved": {"cpu": "1000m"}}"#, true),
            (KUBELET, r#"{"kubeReserved": {"cpu": "1"}}"#, r#"{"kubeReserved": {"cpu": "2"}}"#, false),
            (KUBELET, r#"{"imageMinimumGCAge": "1h"}"#, r#"{"imageMinimumGCAge": "60m"}"#, true),
            (KUBELET, r#"{"imageMinimumGCAge": "1h"}"#, r#"{"imageMinimumGCAge": "1m"}"#, false),
        ] {
            let (first, second) = (parse(one).unwrap(), parse(other).unwrap());
            assert_eq!(is_same(type_at(path), Some(&first), Some(&second)), wanted, "{one} {other}");
            assert_eq!(is_same(type_at(path), Some(&second), Some(&first)), wanted, "{other} {one}");
        }
    }
}
