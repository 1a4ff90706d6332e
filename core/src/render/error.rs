//! What is wrong with the values of a template.

use std::fmt;

use super::{Hole, Name};
use crate::text::join;

/// A template cannot be filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RenderError {
    /// The template's file.
    pub file: &'static str,
    /// The line, counted from 1.
    pub line: u16,
    /// The path of the value.
    pub path: String,
    /// What is wrong with the value.
    pub problem: RenderProblem,
}

/// What is wrong with a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RenderProblem {
    /// It is absent, or null where a text is wanted.
    Missing,
    /// It is a list or an object where a text is wanted.
    NoText,
    /// It is neither a list nor an object, and a block asks for each item.
    NoItems,
    /// It names a member that the object has.
    DuplicateKey,
}

impl RenderError {
    pub(super) fn new(file: &'static str, hole: &Hole, problem: RenderProblem) -> Self {
        let up = "../".repeat(usize::from(hole.up));
        let path = match hole.name {
            Name::Key => format!("@{up}key"),
            Name::Index => format!("@{up}index"),
            Name::Value if hole.keys.is_empty() => up + "this",
            Name::Value => up + &join(hole.keys, "."),
        };
        Self { file, line: hole.line, path, problem }
    }
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, line, path, problem } = self;
        let what = match problem {
            RenderProblem::Missing => "is missing",
            RenderProblem::NoText => "is no text, number or boolean",
            RenderProblem::NoItems => "is neither a list nor an object",
            RenderProblem::DuplicateKey => "names a member that the object has already",
        };
        write!(f, "{file}:{line}: the value `{path}` {what}")
    }
}

impl std::error::Error for RenderError {}
