//! What every provider's webhooks do in the same way (`gardener-contract` 5.3).

mod change;
mod containers;
mod file;
mod flags;
mod kubelet;
mod named;
mod operating_system_config;
mod sidecar;
mod unit;
mod webhook;

pub use change::Change;
pub use containers::{CONTAINERS, ensure_flag};
pub use file::{Encoding, EncodingError};
pub use flags::{command_line, ensure_prefix, from_command_line};
pub use kubelet::{KubeletError, with_members};
pub use named::{named, position};
pub use operating_system_config::{Content, OperatingSystemConfig, effective_version};
pub use sidecar::{Sidecar, add_sidecar, autoscale_sidecar};
pub use unit::{Unit, UnitError};
pub use webhook::{Handler, SeenKind, Webhook, mutate, names};
