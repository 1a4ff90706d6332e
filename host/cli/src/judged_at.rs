//! The time at which policies judge objects.

use clap::Args;
use jiff::Timestamp;

#[derive(Args, Clone, Copy, Debug, Default)]
pub(super) struct JudgedAt {
    /// The time at which the objects are judged, such as `2026-06-01T00:00:00Z`, for versions that expire; without
    /// it, now.
    #[arg(long, value_name = "TIME")]
    now: Option<Timestamp>,
}

impl JudgedAt {
    /// The time, as RFC 3339 has it.
    pub(super) fn text(self) -> String {
        self.now.unwrap_or_else(Timestamp::now).to_string()
    }
}
