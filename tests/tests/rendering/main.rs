//! Control planes: the same objects as the existing extension renders.
#![expect(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing, reason = "helpers of tests may panic")]

mod cases;
mod damaged;
mod findings;
mod handlebars;
mod hostile;
mod kinds;
mod language;
mod oracle;
mod preview;
mod random;
mod recorded;
mod shape;
mod strict;
mod table;
mod toggles;
