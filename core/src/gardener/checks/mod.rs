//! Rules that every cloud has, with the words of the existing extensions. A provider names its own rule ids.

pub mod backup;
pub mod bindings;
pub mod choice;
pub mod cidr;
pub mod credentials_fault;
pub mod dns;
pub mod feature_gates;
pub mod gathered;
pub mod immutable;
pub mod kinds;
pub mod kubernetes_version;
pub mod node_ranges;
pub mod node_template;
pub mod overlay;
pub mod retention;
pub mod rolling;
pub mod secrets;
pub mod spelling;
pub mod worker_configs;
pub mod workload_identity;
