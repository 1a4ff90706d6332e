//! `trellis ram-policy`

use clap::Args;

use super::session::unknown_provider;
use super::{CommandError, Streams};
use trellis_policies::engine::Engine;
use trellis_policies::policy::Policy;
use trellis_runner::transport::AllowedCalls;

const AFTER_HELP: &str = "\
Examples:
  trellis ram-policy > policy.json
  aliyun ram CreatePolicy --PolicyName trellis --PolicyDocument \"$(trellis ram-policy)\"";

/// Print the least RAM policy for the calls that plans of a provider can make.
///
/// It is for the RAM user whose access key the Shoot's Secret has.
#[derive(Args, Debug)]
#[command(after_help = AFTER_HELP)]
pub(super) struct RamPolicyArguments {
    /// The provider; by default the one that makes such calls.
    #[arg(long, value_name = "NAME")]
    provider: Option<String>,
}

/// Why there is no RAM policy.
#[derive(Debug, thiserror::Error)]
pub(super) enum RamPolicyError {
    #[error("the policy of `{0}` names no calls that it makes")]
    NoCalls(String),
    #[error("no policy names the calls that it makes")]
    Nobody,
    #[error("several policies name the calls that they make: {0}")]
    Several(String),
}

impl RamPolicyArguments {
    pub(super) fn run(&self, engine: &dyn Engine, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        let calls = self.calls(engine)?;
        streams.print(&format!("{}\n", AllowedCalls::least(&calls)))
    }

    fn calls(&self, engine: &dyn Engine) -> Result<Vec<String>, CommandError> {
        let known = engine.providers();
        if let Some(name) = &self.provider {
            if !known.contains(name) {
                return Err(unknown_provider(name, &known));
            }
            let calls = calls_of(engine, name)?;
            return if calls.is_empty() { Err(RamPolicyError::NoCalls(name.clone()).into()) } else { Ok(calls) };
        }
        let mut found = Vec::new();
        for name in known {
            let calls = calls_of(engine, &name)?;
            if !calls.is_empty() {
                found.push((name, calls));
            }
        }
        match found.len() {
            0 => Err(RamPolicyError::Nobody.into()),
            1 => Ok(found.pop().map(|(_, calls)| calls).unwrap_or_default()),
            _ => {
                let names: Vec<String> = found.iter().map(|(name, _)| format!("`{name}`")).collect();
                Err(RamPolicyError::Several(names.join(", ")).into())
            }
        }
    }
}

fn calls_of(engine: &dyn Engine, provider: &str) -> Result<Vec<String>, CommandError> {
    let policy = Policy::load(engine, provider)
        .map_err(|failure| CommandError::NoInfo { provider: provider.to_owned(), failure })?;
    Ok(policy.info().calls.clone())
}

impl RamPolicyError {
    /// What the person can do.
    pub(super) fn help(&self) -> Option<String> {
        match self {
            Self::Several(_) => Some("choose one with `--provider NAME`".to_owned()),
            Self::NoCalls(_) | Self::Nobody => None,
        }
    }
}
