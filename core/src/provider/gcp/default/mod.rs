//! What `default` fills in where a person wrote nothing.

mod shoot;

pub use shoot::shoot;

use crate::policy::ReadsByKind;

/// What `default` reads of the context, by kind of object.
pub const READS: ReadsByKind = &[("Shoot", &[])];
