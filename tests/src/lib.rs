//! What the tests share: the corpus, and recorded answers of existing extensions.

#![expect(clippy::panic, reason = "broken fixtures must fail the tests")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

pub mod corpus;
pub mod vectors;
