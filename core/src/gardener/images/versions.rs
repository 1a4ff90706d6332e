//! An index of image versions.

use crate::collections::NameMap;

/// Values by the name and version of an image.
#[derive(Debug)]
pub struct Versions<'v, T>(NameMap<'v, NameMap<'v, T>>);

impl<'v, T: Copy> Versions<'v, T> {
    /// Of several images with one name the last counts, and of its versions with one name the last.
    pub fn last<V: IntoIterator<Item = (&'v str, T)>>(images: impl IntoIterator<Item = (&'v str, V)>) -> Self {
        Self(images.into_iter().map(|(name, versions)| (name, versions.into_iter().collect())).collect())
    }

    /// Of several entries with one name and version the first counts.
    pub fn first<V: IntoIterator<Item = (&'v str, T)>>(images: impl IntoIterator<Item = (&'v str, V)>) -> Self {
        let mut all = NameMap::new();
        for (name, versions) in images {
            let known: &mut NameMap<'_, _> = all.or_insert_with(name, NameMap::new);
            for (version, value) in versions {
                known.or_insert_with(version, || value);
            }
        }
        Self(all)
    }

    /// The versions of an image.
    pub fn image(&self, name: &str) -> Option<&NameMap<'v, T>> {
        self.0.get(name)
    }

    /// The value of an image version.
    pub fn get(&self, name: &str, version: &str) -> Option<T> {
        self.0.get(name)?.get(version).copied()
    }

    /// The images with their versions, in order of their names.
    pub fn iter(&self) -> impl Iterator<Item = (&'v str, &NameMap<'v, T>)> {
        self.0.iter()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_images_with_one_name_the_last_counts_or_the_first_entry_of_each_version() {
        let images = [("a", vec![("1", 0), ("2", 1), ("2", 2)]), ("a", vec![("2", 3), ("3", 4)])];
        let of = |index: &Versions<'_, u8>| ["1", "2", "3"].map(|version| index.get("a", version));
        assert_eq!(of(&Versions::last(images.clone())), [None, Some(3), Some(4)]);
        assert_eq!(of(&Versions::first(images)), [Some(0), Some(1), Some(4)]);
    }
}
