//! Which cloud a command works on, and with whose credentials.

use std::fmt;
use std::io;
use std::net::IpAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use clap::Args;

#[derive(Args, Clone, Debug)]
pub(super) struct CloudArguments {
    /// Which cloud: `simulated`, with its world in the state directory; the address of a `trellis simulate`; or `real`.
    ///
    /// The real cloud is never chosen unless it is named here.
    #[arg(long, value_name = "CLOUD", default_value = "simulated")]
    cloud: Choice,

    /// A file with the Secret that has the access key; with a role in front, such as `imageOwner=FILE`, that of another
    /// account.
    ///
    /// Without this: the Secret among the files that the Shoot's binding or the Infrastructure names; else the environment
    /// variables `ALIBABA_CLOUD_ACCESS_KEY_ID`, `ALIBABA_CLOUD_ACCESS_KEY_SECRET` and `ALIBABA_CLOUD_SECURITY_TOKEN`.
    #[arg(long, value_name = "[ROLE=]FILE")]
    credentials: Vec<Credentials>,

    /// A file with certificates of further authorities to trust, in PEM: for a `trellis simulate --tls`.
    #[arg(long, value_name = "FILE")]
    authority: Option<PathBuf>,

    /// How many seconds of the simulated cloud pass in a second.
    #[arg(long, value_name = "RATE", default_value_t = 10.0)]
    clock: f64,
}

/// Where the cloud is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Choice {
    /// In this process, with its world in a file.
    Simulated,
    /// At an address: a simulator that runs already.
    Url(String),
    /// Where its provider runs it.
    Real,
}

impl FromStr for Choice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "simulated" => Ok(Self::Simulated),
            "real" => Ok(Self::Real),
            url if host(url).is_some() => Ok(Self::Url(url.trim_end_matches('/').to_owned())),
            _ => Err("write `simulated`, `real`, or an address such as `http://127.0.0.1:8751`".to_owned()),
        }
    }
}

/// The host of an address that has no path.
fn host(url: &str) -> Option<&str> {
    let rest = url.strip_prefix("http://").or_else(|| url.strip_prefix("https://"))?;
    let authority = rest.strip_suffix('/').unwrap_or(rest);
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-.:[]".contains(&byte);
    if authority.is_empty() || !authority.bytes().all(is_plain) {
        return None;
    }
    match authority.strip_prefix('[') {
        Some(rest) => rest.split_once(']').map(|(host, _)| host),
        None => Some(authority.split_once(':').map_or(authority, |(host, _)| host)),
    }
}

fn is_loopback(url: &str) -> bool {
    host(url).is_some_and(|host| {
        host == "localhost" || host.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
    })
}

/// A file with a Secret, and the role of the account whose it is.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Credentials {
    role: String,
    file: PathBuf,
}

/// Role of the Shoot's own account.
const SHOOT: &str = "shoot";

impl FromStr for Credentials {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (role, file) = match text.split_once('=') {
            Some((role, file)) if role.bytes().all(|byte| byte.is_ascii_alphanumeric()) => (role, file),
            _ => (SHOOT, text),
        };
        if role.is_empty() || file.is_empty() {
            return Err("write a file, or a role, `=` and a file".to_owned());
        }
        Ok(Self { role: role.to_owned(), file: PathBuf::from(file) })
    }
}
