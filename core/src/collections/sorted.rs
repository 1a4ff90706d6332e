//! Lists in order.

use std::collections::BinaryHeap;

/// A list in order. The standard library's sorts are fast on long lists and large for each type: here lists are short, and
/// every type of entry would be a hundredth of a browser's download.
pub(crate) fn sorted<T: Ord>(list: Vec<T>) -> Vec<T> {
    BinaryHeap::from(list).into_sorted_vec()
}

/// A list in order, each entry once.
pub(crate) fn sorted_once<T: Ord>(list: Vec<T>) -> Vec<T> {
    let mut list = sorted(list);
    list.dedup();
    list
}
