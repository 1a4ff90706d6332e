//! What every provider's webhooks do in the same way (`gardener-contract` 5.3).

mod file;
mod flags;
mod kubelet;
mod named;
mod operating_system_config;
mod unit;

pub use file::{Encoding, EncodingError};
pub use flags::{command_line, ensure_prefix, from_command_line};
pub use kubelet::{KubeletError, with_members};
pub use named::{named, position};
pub use operating_system_config::{Content, OperatingSystemConfig, effective_version};
pub use unit::{Unit, UnitError};
