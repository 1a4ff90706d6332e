//! Flags of Gardener's extensions for what Trellis does not do. They are known, so that the command lines of charts
//! start the program, and have no effect.

use std::ffi::OsString;

use clap::Args;

use crate::process::forms::number;

#[derive(Args, Debug)]
#[command(next_help_heading = "Options without effect, which charts of Gardener's extensions set")]
pub(super) struct Flags {
    /// The version of Gardener: nothing depends on it.
    #[arg(long, value_name = "VERSION")]
    gardener_version: Option<String>,

    /// The folder for the certificate of the webhooks: it is kept in memory, and in Secrets.
    #[arg(long, value_name = "FOLDER")]
    webhook_config_cert_dir: Option<OsString>,

    /// The most SelfHostedShootExposures that are reconciled at a time: none are.
    #[arg(long, value_name = "COUNT", value_parser = number::<u32>)]
    selfhostedshootexposure_max_concurrent_reconciles: Option<u32>,

    /// The most heartbeats that are renewed at a time: there is one.
    #[arg(long, value_name = "COUNT", value_parser = number::<u32>)]
    heartbeat_max_concurrent_reconciles: Option<u32>,
}
