//! Objects without `metadata.managedFields`, which nobody here reads, and which are often the larger part of an
//! object.

use std::fmt;

use serde::de::{IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::{Map, Value};

/// An object, or a list of objects.
#[derive(Debug, PartialEq)]
pub struct WithoutManagedFields(pub Value);

/// Metadata of an object.
struct Metadata(Value);

impl<'de> Deserialize<'de> for WithoutManagedFields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = WithoutManagedFields;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("an object of Kubernetes")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<WithoutManagedFields, A::Error> {
                let mut members = Map::new();
                while let Some(key) = map.next_key::<String>()? {
                    let value = match key.as_str() {
                        "metadata" => map.next_value::<Option<Metadata>>()?.map(|Metadata(value)| value),
                        "items" => map
                            .next_value::<Option<Vec<WithoutManagedFields>>>()?
                            .map(|items| items.into_iter().map(|WithoutManagedFields(item)| item).collect()),
                        _ => Some(map.next_value()?),
                    };
                    members.insert(key, value.unwrap_or_default());
                }
                Ok(WithoutManagedFields(members.into()))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl<'de> Deserialize<'de> for Metadata {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Metadata;

            fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                out.write_str("metadata")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Metadata, A::Error> {
                let mut members = Map::new();
                while let Some(key) = map.next_key::<String>()? {
                    if key == "managedFields" {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        members.insert(key, map.next_value()?);
                    }
                }
                Ok(Metadata(members.into()))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<String, serde_json::Error> {
        serde_json::from_str(text).map(|WithoutManagedFields(value)| value.to_string())
    }

    #[test]
    fn managed_fields_go_from_objects_and_lists_and_all_else_stays_in_its_order() {
        for (text, expected) in [
            (
                r#"{"spec":{"managedFields":[1]},"metadata":{"name":"a","managedFields":[{"f:a":{}}],"labels":{}}}"#,
                r#"{"spec":{"managedFields":[1]},"metadata":{"name":"a","labels":{}}}"#,
            ),
            (
                r#"{"metadata":{"continue":"x"},"items":[{"metadata":{"managedFields":[],"uid":"u"},"data":{"a":null}}]}"#,
                r#"{"metadata":{"continue":"x"},"items":[{"metadata":{"uid":"u"},"data":{"a":null}}]}"#,
            ),
            (r#"{"metadata":null,"items":null}"#, r#"{"metadata":null,"items":null}"#),
        ] {
            assert_eq!(read(text).unwrap(), expected);
        }
    }

    #[test]
    fn what_is_no_object_is_not_read() {
        for text in ["null", "[]", "\"a\"", r#"{"items":[1]}"#, r#"{"metadata":"a"}"#] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
