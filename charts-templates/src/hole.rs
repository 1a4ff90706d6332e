//! Holes of templates, and how parts depend on a value.

/// How parts depend on a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlockKind {
    /// They are there if the value is neither false, empty, 0 nor null.
    If,
    /// They are there if it is.
    Unless,
    /// They are there for each item or member.
    Each,
    /// As `If`, with the value as what paths begin with.
    With,
}

/// A value that a template is filled with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hole {
    /// How many blocks `each` and `with` the path leaves.
    pub up: usize,
    /// What the path begins with.
    pub name: Name,
    /// The keys of nested members.
    pub keys: Vec<String>,
    /// The line of the template, counted from 1.
    pub line: usize,
}

/// What a path begins with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Name {
    /// The values, or what the block is about.
    Value,
    /// `@key`: the key of the member that `each` is at; `@../key` that of an outer block.
    Key,
    /// `@index`: the number of the item that `each` is at, from 0 on.
    Index,
}
