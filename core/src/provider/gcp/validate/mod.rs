//! What `validate` judges, a file for each kind of object and for each part of a Shoot.

use crate::policy::ReadsByKind;

/// What `validate` reads of the context, by kind of object.
pub const READS: ReadsByKind = &[];
