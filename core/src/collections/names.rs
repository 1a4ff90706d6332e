//! Maps and sets of names, in order of the names.
//!
//! Every map has an index from names to places, and a list of values. So a compiled policy holds the code of one
//! index, and not of a tree for each type of value, because those would be a seventh of a browser's download.

use std::fmt;

use serde::{Serialize, Serializer};

use super::index::Index;

/// Values by name.
#[derive(Clone)]
pub struct NameMap<'a, V> {
    index: Index<'a>,
    values: Vec<V>,
}

impl<'a, V> NameMap<'a, V> {
    /// A map without entries.
    pub const fn new() -> Self {
        Self { index: Index::new(), values: Vec::new() }
    }

    /// Number of entries.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a name.
    pub fn get(&self, name: &str) -> Option<&V> {
        self.values.get(self.index.get(name)?)
    }

    /// Whether the name has a value.
    pub fn contains(&self, name: &str) -> bool {
        self.index.get(name).is_some()
    }

    /// Sets the value of a name, and says whether the name is new. The last value counts.
    pub fn insert(&mut self, name: &'a str, value: V) -> bool {
        let place = self.index.get_or_insert(name, self.values.len());
        if let Some(known) = self.values.get_mut(place) {
            *known = value;
            return false;
        }
        self.values.push(value);
        true
    }

    /// The value of a name. Makes the value where the name has none; the first value counts.
    pub fn or_insert_with(&mut self, name: &'a str, value: impl FnOnce() -> V) -> &mut V {
        let place = self.index.get_or_insert(name, self.values.len());
        if place == self.values.len() {
            self.values.push(value());
        }
        #[expect(clippy::indexing_slicing, reason = "the index holds no place without a value")]
        &mut self.values[place]
    }

    /// Names with their values, in order of the names.
    pub fn iter(&self) -> impl Iterator<Item = (&'a str, &V)> {
        self.index.iter().filter_map(|(name, place)| Some((name, self.values.get(place)?)))
    }

    /// Names in their order.
    pub fn names(&self) -> impl Iterator<Item = &'a str> {
        self.index.iter().map(|(name, _)| name)
    }
}

impl<V> Default for NameMap<'_, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<V: PartialEq> PartialEq for NameMap<'_, V> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<V: Eq> Eq for NameMap<'_, V> {}

impl<V: fmt::Debug> fmt::Debug for NameMap<'_, V> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_map().entries(self.iter()).finish()
    }
}

impl<'a, V> FromIterator<(&'a str, V)> for NameMap<'a, V> {
    fn from_iter<I: IntoIterator<Item = (&'a str, V)>>(entries: I) -> Self {
        let mut map = Self::new();
        for (name, value) in entries {
            map.insert(name, value);
        }
        map
    }
}

impl<'a, V, const N: usize> From<[(&'a str, V); N]> for NameMap<'a, V> {
    fn from(entries: [(&'a str, V); N]) -> Self {
        // As a list, so that a compiled policy holds the loop once, and not once for each length.
        Vec::from(entries).into_iter().collect()
    }
}

impl<V: Serialize> Serialize for NameMap<'_, V> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(feature = "schema")]
impl<V: schemars::JsonSchema> schemars::JsonSchema for NameMap<'_, V> {
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

/// Names, each of them once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NameSet<'a>(NameMap<'a, ()>);

impl<'a> NameSet<'a> {
    /// A set without names.
    pub const fn new() -> Self {
        Self(NameMap::new())
    }

    /// Number of names.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no name.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether the set has the name.
    pub fn contains(&self, name: &str) -> bool {
        self.0.contains(name)
    }

    /// Adds a name, and says whether the name is new.
    pub fn insert(&mut self, name: &'a str) -> bool {
        self.0.insert(name, ())
    }

    /// Names in their order.
    pub fn iter(&self) -> impl Iterator<Item = &'a str> {
        self.0.names()
    }
}

impl<'a> Extend<&'a str> for NameSet<'a> {
    fn extend<I: IntoIterator<Item = &'a str>>(&mut self, names: I) {
        for name in names {
            self.insert(name);
        }
    }
}

impl<'a> FromIterator<&'a str> for NameSet<'a> {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let mut set = Self::new();
        set.extend(names);
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_in_order_of_their_names_whatever_the_order_of_insertion() {
        let map = NameMap::from([("b", 1), ("a", 2), ("c", 3)]);
        assert_eq!(map.iter().collect::<Vec<_>>(), [("a", &2), ("b", &1), ("c", &3)]);
        assert_eq!(map, NameMap::from([("a", 2), ("c", 3), ("b", 1)]));
        assert_ne!(map, NameMap::from([("a", 2), ("b", 1)]));
    }

    #[test]
    fn the_last_value_inserted_counts_and_the_first_one_made() {
        let mut map = NameMap::new();
        assert!(map.insert("a", 1));
        assert!(!map.insert("a", 2));
        assert_eq!(*map.or_insert_with("a", || 3), 2);
        assert_eq!(*map.or_insert_with("b", || 4), 4);
        assert_eq!((map.len(), map.get("a"), map.get("c")), (2, Some(&2), None));
    }

    #[test]
    fn a_map_is_written_as_a_json_object() {
        let map = NameMap::from([("b", 1), ("a", 2)]);
        assert_eq!(serde_json::to_string(&map).unwrap(), r#"{"a":2,"b":1}"#);
    }
}
