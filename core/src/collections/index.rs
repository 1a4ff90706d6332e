//! Places by name, in order of the names.

use std::slice;

/// Most names of a block.
const BLOCK: usize = 64;

/// Places by name: sorted names in sorted blocks, so that a further name moves few others. The tree of the
/// standard library would be 2 KB more of a browser's download.
#[derive(Clone)]
pub(super) struct Index<'a>(Vec<Vec<(&'a str, usize)>>);

impl<'a> Index<'a> {
    /// An index without names.
    pub(super) const fn new() -> Self {
        Self(Vec::new())
    }

    /// The place of a name.
    pub(super) fn get(&self, name: &str) -> Option<usize> {
        let block = self.0.get(self.block(name))?;
        let found = block.binary_search_by(|(known, _)| (*known).cmp(name)).ok()?;
        block.get(found).map(|(_, place)| *place)
    }

    /// The place of a name. A name without one gets `place`.
    pub(super) fn get_or_insert(&mut self, name: &'a str, place: usize) -> usize {
        let number = self.block(name);
        let Some(block) = self.0.get_mut(number) else {
            self.0.push(vec![(name, place)]);
            return place;
        };
        match block.binary_search_by(|(known, _)| (*known).cmp(name)) {
            Ok(found) => block.get(found).map_or(place, |(_, place)| *place),
            Err(between) => {
                block.insert(between, (name, place));
                if block.len() > BLOCK {
                    let upper = block.split_off(BLOCK / 2);
                    self.0.insert(number + 1, upper);
                }
                place
            }
        }
    }

    /// Names with their places, in order of the names.
    pub(super) fn iter(&self) -> Iter<'_, 'a> {
        Iter { block: [].iter(), rest: self.0.iter() }
    }

    /// The number of the block that a name belongs to: the last one that starts before it.
    fn block(&self, name: &str) -> usize {
        let starts_before = |block: &Vec<(&str, usize)>| block.first().is_some_and(|(first, _)| *first <= name);
        self.0.partition_point(starts_before).saturating_sub(1)
    }
}

/// Not `Flatten`, which has more code for each of its uses.
pub(super) struct Iter<'i, 'a> {
    block: slice::Iter<'i, (&'a str, usize)>,
    rest: slice::Iter<'i, Vec<(&'a str, usize)>>,
}

impl<'a> Iterator for Iter<'_, 'a> {
    type Item = (&'a str, usize);

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(entry) = self.block.next() {
                return Some(*entry);
            }
            self.block = self.rest.next()?.iter();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        #[test]
        fn an_index_has_what_a_tree_has(numbers in prop::collection::vec(0_u16..600, 0..1_000)) {
            let names: Vec<String> = numbers.iter().map(u16::to_string).collect();
            let (mut index, mut tree) = (Index::new(), BTreeMap::new());
            for (place, name) in names.iter().enumerate() {
                let expected = *tree.entry(name.as_str()).or_insert(place);
                prop_assert_eq!(index.get_or_insert(name, place), expected);
            }
            prop_assert!(index.iter().eq(tree.iter().map(|(name, place)| (*name, *place))));
            for number in 0..700_u16 {
                let name = number.to_string();
                prop_assert_eq!(index.get(&name), tree.get(name.as_str()).copied());
            }
        }
    }
}
