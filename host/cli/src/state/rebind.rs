//! `trellis state rebind`

use clap::Args;

use super::StateCommandError;
use crate::cloud::named;
use crate::output::clean;
use crate::{CommandError, Streams};
use trellis_runner::state::{ACCOUNT, REBOUND, StateDirectory};

#[derive(Args, Debug)]
pub(super) struct RebindArguments {
    /// The name of the state, as `trellis state show` lists it.
    name: String,

    /// The cloud that it is in, as `--cloud` of the other commands names it.
    #[arg(long, value_name = "CLOUD", value_parser = named, required_unless_present_any = ["account", "uid"])]
    cloud: Option<String>,

    /// The id of the account that it is in.
    #[arg(long, value_name = "ID", value_parser = id)]
    account: Option<String>,

    /// The uid of the object that somebody made again under the same name.
    #[arg(long, value_name = "UID", value_parser = id)]
    uid: Option<String>,
}

/// An id as clouds have them.
fn id(text: &str) -> Result<String, String> {
    let is_plain = |character: char| character.is_ascii_alphanumeric() || "-_.".contains(character);
    if !text.is_empty() && text.len() <= 100 && text.chars().all(is_plain) {
        Ok(text.to_owned())
    } else {
        Err("write an id: letters, digits, `-`, `_` and `.`".to_owned())
    }
}

impl RebindArguments {
    pub(super) fn run(&self, directory: &StateDirectory, streams: &mut Streams<'_>) -> Result<(), CommandError> {
        if directory.read(&self.name)?.is_none() {
            return Err(StateCommandError::Unknown(self.name.clone()).into());
        }
        let lock = directory.lock(&self.name, "trellis state rebind")?;
        let (mut before, mut after) = (String::new(), String::new());
        lock.change(|document| {
            let reported = |identity: &trellis_runner::state::SubjectId, account: Option<&String>| {
                format!("{identity}, account {}", account.map_or("unknown", String::as_str))
            };
            before = reported(&document.identity, document.state.get(ACCOUNT));
            if let Some(cloud) = &self.cloud {
                document.identity.cloud = Some(cloud.clone());
            }
            if let Some(uid) = &self.uid {
                document.identity.uid = Some(uid.clone());
            }
            if let Some(account) = &self.account {
                document.state.insert(ACCOUNT.to_owned(), account.clone());
                document.state.insert(REBOUND.to_owned(), "true".to_owned());
            }
            after = reported(&document.identity, document.state.get(ACCOUNT));
        })?;
        streams.print(&format!("was of {}\nis of {}\n", clean(&before), clean(&after)))
    }
}
