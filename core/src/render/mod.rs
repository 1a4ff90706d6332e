//! Objects from templates: trees with holes, which a build step compiles from `charts-templates`.
//!
//! A value fills a hole as data. What a value says never becomes a member, an item or another type of value,
//! unless the template has a hole for a whole value there.

mod error;
mod fill;

pub use error::{RenderError, RenderProblem};
pub use fill::fill;

/// The templates of some objects that belong together.
#[derive(Clone, Copy, Debug)]
pub struct Bundle {
    /// The name.
    pub name: &'static str,
    /// The templates, in the order in which their objects are created.
    pub templates: &'static [Template],
}

/// An object with holes.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The file that the template was compiled from.
    pub file: &'static str,
    /// The object.
    pub root: Node,
}

/// A value with holes.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// A value without holes, as JSON text.
    Json(&'static str),
    /// A text with holes.
    Text(&'static [Piece]),
    /// A hole that is a whole value.
    Value(Hole),
    /// An object.
    Object(&'static [Part]),
    /// A list.
    List(&'static [Part]),
}

/// A part of an object or of a list.
#[derive(Clone, Copy, Debug)]
pub enum Part {
    /// Members or items without holes, as JSON text with commas between them.
    Json(&'static str),
    /// A member of an object.
    Member(&'static [Piece], Node),
    /// An item of a list.
    Item(Node),
    /// Parts that depend on a value.
    Block(Block),
}

/// Parts that depend on a value.
#[derive(Clone, Copy, Debug)]
pub struct Block {
    /// How they depend on it.
    pub kind: BlockKind,
    /// The value.
    pub of: Hole,
    /// The parts.
    pub body: &'static [Part],
    /// The parts that stand there instead.
    pub otherwise: &'static [Part],
}

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

/// A piece of a text.
#[derive(Clone, Copy, Debug)]
pub enum Piece {
    /// Fixed text, escaped as in JSON.
    Json(&'static str),
    /// A hole.
    Hole(Hole),
}

/// A value that a template is filled with.
#[derive(Clone, Copy, Debug)]
pub struct Hole {
    /// How many blocks `each` and `with` the path leaves.
    pub up: u8,
    /// What the path begins with.
    pub name: Name,
    /// The keys of nested members.
    pub keys: &'static [&'static str],
    /// The line of the template, counted from 1.
    pub line: u16,
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
