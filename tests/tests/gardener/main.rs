//! The answers of the policy `gardener` against recorded answers of Gardener itself.

#![expect(clippy::unwrap_used, reason = "a broken recording must fail the tests")]
#![expect(clippy::indexing_slicing, reason = "an index into a JSON value yields null where there is nothing")]

mod cases;
mod choices;
mod cloud_profile;
mod default;
mod doubles;
mod prepare;
mod profile;
mod shoot;
mod structure;
