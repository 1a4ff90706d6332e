//! A list whose items refer to each other by ids, which only the list hands out.

use std::cmp::Ordering;
use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::{slice, vec};

/// The id of an item, in the arena whose items are `K` and in every arena that is made [parallel](Arena::parallel)
/// to that one.
pub(super) struct Id<K> {
    place: usize,
    of: PhantomData<fn() -> K>,
}

/// Items under ids. An item stays where it is as long as the arena exists.
pub(super) struct Arena<T, K = T> {
    items: Vec<T>,
    of: PhantomData<fn() -> K>,
}

impl<T, K> Arena<T, K> {
    /// Adds an item; its id.
    pub fn push(&mut self, item: T) -> Id<K> {
        self.items.push(item);
        Id::new(self.items.len() - 1)
    }

    /// The ids of all items, in their order.
    pub fn ids(&self) -> impl DoubleEndedIterator<Item = Id<K>> + use<T, K> {
        (0..self.items.len()).map(Id::new)
    }

    /// How many items there are.
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// All items, in their order.
    pub fn iter(&self) -> slice::Iter<'_, T> {
        self.items.iter()
    }

    /// All items, in their order, to be changed.
    pub fn iter_mut(&mut self) -> slice::IterMut<'_, T> {
        self.items.iter_mut()
    }

    /// An arena with a value for each item, under the id of the item.
    pub fn parallel<V>(&self, value: impl FnMut(Id<K>) -> V) -> Arena<V, K> {
        Arena { items: self.ids().map(value).collect(), of: PhantomData }
    }
}

impl<T, K> Default for Arena<T, K> {
    fn default() -> Self {
        Self { items: Vec::new(), of: PhantomData }
    }
}

#[expect(clippy::indexing_slicing, reason = "an id is handed out for an item, and no item is ever taken out")]
impl<T, K> Index<Id<K>> for Arena<T, K> {
    type Output = T;

    fn index(&self, id: Id<K>) -> &T {
        &self.items[id.place]
    }
}

#[expect(clippy::indexing_slicing, reason = "an id is handed out for an item, and no item is ever taken out")]
impl<T, K> IndexMut<Id<K>> for Arena<T, K> {
    fn index_mut(&mut self, id: Id<K>) -> &mut T {
        &mut self.items[id.place]
    }
}

impl<T, K> IntoIterator for Arena<T, K> {
    type Item = T;
    type IntoIter = vec::IntoIter<T>;

    fn into_iter(self) -> Self::IntoIter {
        self.items.into_iter()
    }
}

impl<'a, T, K> IntoIterator for &'a Arena<T, K> {
    type Item = &'a T;
    type IntoIter = slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

impl<K> Id<K> {
    fn new(place: usize) -> Self {
        Self { place, of: PhantomData }
    }
}

// A derive would put the same bound on `K`.
impl<K> Clone for Id<K> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<K> Copy for Id<K> {}

impl<K> PartialEq for Id<K> {
    fn eq(&self, other: &Self) -> bool {
        self.place == other.place
    }
}

impl<K> Eq for Id<K> {}

impl<K> PartialOrd for Id<K> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<K> Ord for Id<K> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.place.cmp(&other.place)
    }
}

impl<K> fmt::Debug for Id<K> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.place.fmt(formatter)
    }
}
