//! The house from outside: a toy provider and a toy function, added as `docs/architecture.md` tells.

#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests may panic")]

mod function;
mod provider;
mod toy;
