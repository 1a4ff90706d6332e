//! What the tests share: the recorded answers of existing extensions.

pub mod vectors;
