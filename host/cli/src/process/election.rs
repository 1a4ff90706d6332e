//! The flags of leader election.

use clap::{ArgAction, Args};

use super::forms::boolean;
use super::named;
use trellis_kubernetes::controller::process::options::Election;

/// Names the namespace of the Lease where no option does.
const NAMESPACE: &str = "LEADER_ELECTION_NAMESPACE";

/// Which Lease one of several processes holds.
#[derive(Args, Debug)]
pub(crate) struct Flags {
    /// Whether one of several processes is the leader, by a Lease.
    #[arg(long = "leader-election", value_name = "BOOL", default_value_t = true, num_args = 0..=1, require_equals = true, default_missing_value = "true", value_parser = boolean, action = ArgAction::Set)]
    is_wanted: bool,

    /// The name of the Lease; without this, that of the existing extension.
    #[arg(long = "leader-election-id", value_name = "NAME")]
    lease_name: Option<String>,

    /// The namespace of the Lease; also in `LEADER_ELECTION_NAMESPACE`.
    #[arg(long = "leader-election-namespace", value_name = "NAMESPACE")]
    lease_namespace: Option<String>,
}

/// The flags do not say where the Lease is.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("nothing names the namespace of the Lease")]
pub(crate) struct NoNamespace;

impl NoNamespace {
    /// What to do about it.
    pub(crate) fn help() -> String {
        "set --leader-election-namespace or LEADER_ELECTION_NAMESPACE; one process alone needs no Lease: \
         --leader-election=false"
            .to_owned()
    }
}

/// The namespace of the process's Leases, where the environment names it.
pub(crate) fn namespace() -> Option<String> {
    std::env::var(NAMESPACE).ok().filter(|namespace| !namespace.is_empty())
}

impl Flags {
    /// The Lease, whose name is this one where no flag names it; none where there is one process alone.
    pub(crate) fn election(&self, name: String) -> Result<Option<Election>, NoNamespace> {
        if !self.is_wanted {
            return Ok(None);
        }
        let namespace = named(self.lease_namespace.as_ref()).or_else(namespace).ok_or(NoNamespace)?;
        Ok(Some(Election { namespace, name: named(self.lease_name.as_ref()).unwrap_or(name) }))
    }
}
