//! Sorts lists.

use std::collections::BinaryHeap;

/// The list in order. The sorts of the standard library are fast on long lists, and large: each type of entry
/// would add a hundredth to a browser's download. Lists are short here.
pub(crate) fn sorted<T: Ord>(list: Vec<T>) -> Vec<T> {
    BinaryHeap::from(list).into_sorted_vec()
}

/// The list in order, with each entry once.
pub(crate) fn sorted_once<T: Ord>(list: Vec<T>) -> Vec<T> {
    let mut list = sorted(list);
    list.dedup();
    list
}
