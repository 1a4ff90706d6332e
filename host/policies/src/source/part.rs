//! The parts of a text that have limits of their own.

use std::fmt;

/// The part of a text that has limits of its own, counted from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// A document without the items of its list.
    Document(usize),
    /// An item of the list that a document is.
    Item(usize),
}

/// `item 17 of the list`
impl fmt::Display for Part {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Document(number) => write!(formatter, "document {number}"),
            Self::Item(number) => write!(formatter, "item {number} of the list"),
        }
    }
}
