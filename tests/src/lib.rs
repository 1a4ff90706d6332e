//! What the tests share: the corpus, recorded answers of existing extensions, and the questions that every engine
//! answers with the same bytes.

#![expect(clippy::panic, reason = "broken fixtures must fail the tests")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

pub mod asking;
#[cfg(feature = "engines")]
pub mod choosing;
pub mod cloud;
pub mod control_planes;
pub mod corpus;
pub mod gardener;
pub mod hostile;
pub mod mutations;
pub mod networks;
#[cfg(feature = "engines")]
pub mod program;
#[cfg(feature = "engines")]
pub mod questions;
pub mod session;
pub mod vectors;
pub mod workers;
