//! Plans carried out, against a cloud of scripted answers.

mod faults;
mod leave;
mod order;
mod probes;
mod tokens;
mod unknown;
