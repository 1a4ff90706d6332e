//! Plans carried out, against a cloud of scripted answers.

mod faults;
mod interrupted;
mod order;
mod permit;
mod probes;
mod tokens;
mod unknown;
