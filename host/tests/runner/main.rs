//! Plans carried out against a cloud of scripted answers, in a time that passes at once.

mod cloud;
mod faults;
mod order;
mod probes;
