//! A map that owns its names, in order of the names.

use serde::{Serialize, Serializer};

/// Values by owned names. A recorded state has a few dozen entries: for these a sorted list is fast enough, and
/// small in a compiled policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entries<V>(Vec<(String, V)>);

impl<V> Entries<V> {
    /// A map without entries.
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        let place = self.place(name).ok()?;
        self.0.get(place).map(|(_, value)| value)
    }

    /// Sets the value of a name.
    pub fn insert(&mut self, name: impl Into<String>, value: V) {
        let name = name.into();
        match self.place(&name) {
            Ok(place) => {
                if let Some((_, known)) = self.0.get_mut(place) {
                    *known = value;
                }
            }
            Err(place) => self.0.insert(place, (name, value)),
        }
    }

    /// Removes a name, and gives its value; `None` where the map does not have the name.
    pub fn remove(&mut self, name: &str) -> Option<V> {
        self.place(name).ok().map(|place| self.0.remove(place).1)
    }

    /// Names with their values, in order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &V)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value))
    }

    /// The place of a name, or the place where it belongs.
    fn place(&self, name: &str) -> Result<usize, usize> {
        self.0.binary_search_by(|(known, _)| known.as_str().cmp(name))
    }
}

impl<V> Default for Entries<V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N: Into<String>, V> FromIterator<(N, V)> for Entries<V> {
    fn from_iter<I: IntoIterator<Item = (N, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (name, value) in entries {
            map.insert(name, value);
        }
        map
    }
}

impl<V> Extend<(String, V)> for Entries<V> {
    fn extend<I: IntoIterator<Item = (String, V)>>(&mut self, entries: I) {
        for (name, value) in entries {
            self.insert(name, value);
        }
    }
}

impl<V> IntoIterator for Entries<V> {
    type Item = (String, V);
    type IntoIter = std::vec::IntoIter<(String, V)>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl<V: Serialize> Serialize for Entries<V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(feature = "schema")]
impl<V: schemars::JsonSchema> schemars::JsonSchema for Entries<V> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> std::borrow::Cow<'static, str> {
        std::collections::BTreeMap::<String, V>::schema_name()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        std::collections::BTreeMap::<String, V>::json_schema(generator)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_sorted_and_a_name_has_its_last_value() {
        let mut map: Entries<u8> = [("b", 1), ("a", 2), ("b", 3)].into_iter().collect();
        assert_eq!(map.iter().collect::<Vec<_>>(), [("a", &2), ("b", &3)]);
        assert_eq!((map.get("b"), map.get("c")), (Some(&3), None));
        assert_eq!((map.remove("a"), map.remove("a")), (Some(2), None));
        assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"b":3}"#);
    }
}
