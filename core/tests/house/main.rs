//! The house from outside: a toy provider and a toy function, added as `docs/architecture/adding.md` says.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests may panic")]

mod engines;
mod function;
mod provider;
mod subjects;
#[expect(clippy::unnecessary_wraps, reason = "engines let providers fail, and the toy does not")]
mod toy;
