//! What the tests share: the recorded answers of existing extensions.

#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

pub mod vectors;
