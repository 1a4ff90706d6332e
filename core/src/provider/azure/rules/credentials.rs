//! Credentials, and objects that refer to them.

use crate::report::Rule;

/// Every rule of the section.
pub const ALL: &[&Rule] = &[];
