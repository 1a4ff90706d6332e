//! The cloud that a command calls, and the credentials that it uses.

use std::io;
use std::path::Path;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use clap::Args;

use super::Streams;
use super::output::clean;
use super::world::{World, WorldError};
use trellis_policies::file;
use trellis_policies::manifest::Document;
use trellis_policies::source::MAX_BYTES;
use trellis_runner::credentials::{Accounts, CredentialError, CredentialSource, SecretData};
use trellis_runner::transport::family::Family;
use trellis_runner::transport::{
    AllowedCalls, Endpoint, EndpointError, NoFamily, Options, Session, TlsError, Url, Wire, family_of,
};

#[derive(Args, Clone, Debug)]
pub(super) struct CloudArguments {
    /// Which cloud: `simulated`, with its world in the state directory; the address of a `trellis simulate`; or
    /// `real`.
    ///
    /// The real cloud is never chosen unless it is named here.
    #[arg(long, value_name = "CLOUD")]
    cloud: Option<CloudChoice>,

    /// A file with the Secret that has the access key; with a role in front, such as `imageOwner=FILE`, that of
    /// another account.
    ///
    /// Without this: the Secret among the files that the Shoot's binding or the object's `spec.secretRef` names; else
    /// environment variables, which for `alicloud` are `ALIBABA_CLOUD_ACCESS_KEY_ID`,
    /// `ALIBABA_CLOUD_ACCESS_KEY_SECRET` and `ALIBABA_CLOUD_SECURITY_TOKEN`.
    #[arg(long, value_name = "[ROLE=]FILE")]
    credentials: Vec<Credentials>,

    /// A file with certificates of further authorities to trust, in PEM: for a `trellis simulate --tls`.
    #[arg(long, value_name = "FILE")]
    authority: Option<PathBuf>,

    /// Let plans make this call too, such as `vpc:CreateVpc`. Without this, plans make the calls that this release
    /// knows of their provider, which `trellis ram-policy` lists.
    #[arg(long, value_name = "SERVICE:ACTION", value_parser = call)]
    allow_call: Vec<String>,

    /// Let plans make calls for other regions at this host too, or at all hosts of a domain, such as
    /// `*.aliyuncs.com`.
    #[arg(long, value_name = "HOST")]
    allow_host: Vec<String>,

    /// How many seconds of the simulated cloud pass in a second.
    #[arg(long, value_name = "RATE", default_value_t = 10.0, value_parser = rate)]
    clock: f64,
}

/// A service and an action.
pub(super) fn call(text: &str) -> Result<String, String> {
    match text.split_once(':') {
        Some((service, action)) if !service.is_empty() && !action.is_empty() => Ok(text.to_owned()),
        _ => Err("write a service, `:` and an action, such as `vpc:CreateVpc`".to_owned()),
    }
}

/// The rate of a clock that goes on: a run waits for what takes time.
fn rate(text: &str) -> Result<f64, String> {
    let rate = text.parse::<f64>().ok().filter(|rate| rate.is_finite() && *rate > 0.0);
    rate.ok_or_else(|| {
        "write a number above 0, such as `1` for real time or `60` for a minute in a second".to_owned()
    })
}

/// Where the cloud is.
#[derive(Clone, Debug, PartialEq, Eq)]
enum CloudChoice {
    /// In this process, with its world in a file.
    Simulated,
    /// At an address: a simulator that runs already.
    Url(Url),
    /// The cloud that the provider runs.
    Real,
}

impl FromStr for CloudChoice {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "simulated" => Ok(Self::Simulated),
            "real" => Ok(Self::Real),
            url if url.contains("://") => {
                url.parse().map(Self::Url).map_err(|error: EndpointError| error.to_string())
            }
            _ => Err("write `simulated`, `real`, or an address such as `http://127.0.0.1:8751`".to_owned()),
        }
    }
}

/// The name of a cloud in recorded states, from the value of an option `--cloud`.
pub(super) fn named(text: &str) -> Result<String, String> {
    text.parse::<CloudChoice>().map(|choice| choice.name())
}

impl CloudChoice {
    /// The name of the cloud in recorded states.
    fn name(&self) -> String {
        match self {
            Self::Simulated => "simulated".to_owned(),
            Self::Url(url) => url.to_string(),
            Self::Real => "real".to_owned(),
        }
    }
}

/// A file with a Secret, and the role of the account that the Secret is for.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Credentials {
    /// The Shoot's own account where absent.
    role: Option<String>,
    file: PathBuf,
}

impl FromStr for Credentials {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (role, file) = match text.split_once('=') {
            Some((role, file)) if role.bytes().all(|byte| byte.is_ascii_alphanumeric()) => (Some(role), file),
            _ => (None, text),
        };
        if role.is_some_and(str::is_empty) || file.is_empty() {
            return Err("write a file, or a role, `=` and a file".to_owned());
        }
        Ok(Self { role: role.map(str::to_owned), file: PathBuf::from(file) })
    }
}

/// Why no cloud can be called.
#[derive(Debug, thiserror::Error)]
pub(super) enum CloudError {
    #[error("credentials are given, but no cloud is named")]
    NoCloud,
    #[error("nobody listens at `{url}`: {error}")]
    NobodyListens { url: String, error: io::Error },
    #[error("there are no credentials for {cloud}")]
    NoCredentials { cloud: String, variables: &'static [&'static str] },
    #[error("there is no simulator of the cloud of `{0}`")]
    NoSimulator(String),
    #[error("the Secret cannot be used to call {cloud}: {error}")]
    Secret { cloud: String, error: CredentialError },
    #[error(transparent)]
    NoFamily(#[from] NoFamily),
    #[error(transparent)]
    Credentials(#[from] CredentialError),
    #[error("cannot read the authorities in `{}`: {error}", file.display())]
    Authority { file: PathBuf, error: io::Error },
    #[error(transparent)]
    Tls(#[from] TlsError),
    #[error(transparent)]
    World(#[from] WorldError),
}

/// A pace that holds no call of a simulator in this process back.
pub(super) const UNHURRIED: trellis_runner::transport::Rate =
    trellis_runner::transport::Rate { burst: 10_000, per_second: 10_000 };

/// A cloud that can be called.
pub(super) struct Cloud {
    /// Sends calls to it.
    pub(super) session: Session,
    world: Option<World>,
}

/// What a command knows of its cloud in addition to the options.
pub(super) struct CloudContext<'w> {
    /// The provider, whose plans make the calls.
    pub(super) provider: &'w str,
    /// The region of calls that name none.
    pub(super) region: &'w str,
    /// The Secret among the files.
    pub(super) secret: Option<&'w Document>,
    /// Other Secrets among the files, whose credentials a person may expect to be used.
    pub(super) unused: Vec<String>,
    /// The state directory, next to whose states the simulated world is kept.
    pub(super) states: PathBuf,
    /// What the command does with the cloud.
    pub(super) access: Access,
}

/// What a command does with its cloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// It reads alone, also while another command changes the cloud.
    Read,
    /// It changes the cloud.
    Change,
}

impl CloudArguments {
    /// The name of the cloud in recorded states.
    pub(super) fn name(&self) -> String {
        self.cloud.as_ref().unwrap_or(&CloudChoice::Simulated).name()
    }

    /// Opens the cloud that the options name, and prints which one that is. Runs in the runtime that calls the
    /// cloud.
    pub(super) async fn open(
        &self,
        wanted: &CloudContext<'_>,
        streams: &mut Streams<'_>,
    ) -> Result<Cloud, CloudError> {
        let choice = match &self.cloud {
            Some(choice) => choice,
            None if self.credentials.iter().any(|credentials| credentials.role.is_none()) => {
                return Err(CloudError::NoCloud);
            }
            None => &CloudChoice::Simulated,
        };
        let authority = match &self.authority {
            Some(path) => {
                let text = file::read(path, MAX_BYTES as u64).and_then(file::text);
                Some(text.map_err(|error| CloudError::Authority { file: path.clone(), error })?)
            }
            None => None,
        };
        let (endpoint, what) = match choice {
            CloudChoice::Simulated => return self.simulated(wanted, streams).await,
            CloudChoice::Url(url) => (Endpoint::Url(url.clone()), format!("the cloud at {url}")),
            CloudChoice::Real if wanted.region.is_empty() => (Endpoint::Cloud, "the real cloud".to_owned()),
            CloudChoice::Real => (Endpoint::Cloud, format!("the real cloud, {}", wanted.region)),
        };
        let family = family_of(wanted.provider)?;
        for secret in &wanted.unused {
            let words = "is not used: nothing among the files names it; `--credentials FILE` does";
            streams.say(&format!("the {} {words}\n", clean(secret)));
        }
        let (shoot, whose) = self.shoot(choice, wanted, &what, &family)?;
        streams.say(&format!("calling {}, with {whose}\n", clean(&what)));
        let wire = Wire::new(Options { authority, ..Options::default() });
        let session = self.session(family, &wire, endpoint, wanted, shoot)?;
        if let CloudChoice::Url(url) = choice {
            url.greet().await.map_err(|error| CloudError::NobodyListens { url: url.to_string(), error })?;
        }
        Ok(Cloud { session, world: None })
    }

    async fn simulated(&self, wanted: &CloudContext<'_>, streams: &mut Streams<'_>) -> Result<Cloud, CloudError> {
        let family = family_of(wanted.provider)?;
        let own = family.simulated().ok_or_else(|| CloudError::NoSimulator(wanted.provider.to_owned()))?;
        let (world, file, is_used) = match wanted.access {
            Access::Read => World::copy(&wanted.states, self.clock).await?,
            Access::Change => {
                let world = World::open(&wanted.states, self.clock).await?;
                let file = world.file().map(Path::to_owned).unwrap_or_default();
                (world, file, false)
            }
        };
        let file = clean(&file.display().to_string());
        streams.say(&format!("calling a simulated cloud, whose world is in `{file}`\n"));
        if is_used {
            streams.say("another command changes this world; the plan is of the world and the state as they were saved last\n");
        }
        let wire = Wire::new(Options { rate: UNHURRIED, ..Options::default() });
        let endpoint = Endpoint::Url(world.url().clone());
        let own = CredentialSource::fixed(own);
        let session = self.session(family, &wire, endpoint, wanted, own)?;
        Ok(Cloud { session, world: Some(world) })
    }

    fn session(
        &self,
        family: Arc<dyn Family>,
        wire: &Wire,
        endpoint: Endpoint,
        wanted: &CloudContext<'_>,
        shoot: CredentialSource,
    ) -> Result<Session, CloudError> {
        let mut accounts = Accounts::new(shoot);
        for Credentials { role, file } in &self.credentials {
            if let Some(role) = role {
                accounts = accounts.with(role, CredentialSource::file(file, family.clone())?);
            }
        }
        let allowed_calls = AllowedCalls::of(wanted.provider);
        let allowed_calls = self.allow_call.iter().fold(allowed_calls, |allowed, call| allowed.with_call(call));
        let allowed_calls = self.allow_host.iter().fold(allowed_calls, |allowed, host| allowed.with_host(host));
        Ok(Session::new(family, wire, endpoint, wanted.region, accounts, allowed_calls)?)
    }

    /// The credentials of the Shoot's account, and where they are from.
    fn shoot(
        &self,
        choice: &CloudChoice,
        wanted: &CloudContext<'_>,
        what: &str,
        family: &Arc<dyn Family>,
    ) -> Result<(CredentialSource, String), CloudError> {
        let own = self.credentials.iter().rfind(|credentials| credentials.role.is_none());
        if let Some(Credentials { file, .. }) = own {
            let whose = format!("the credentials in `{}`", clean(&file.display().to_string()));
            return Ok((CredentialSource::file(file, family.clone())?, whose));
        }
        if let Some(secret) = wanted.secret {
            let name = secret.input.name();
            let credential = family
                .of_secret(&SecretData::of_manifest(&secret.root, name))
                .map_err(|error| CloudError::Secret { cloud: what.to_owned(), error })?;
            return Ok((
                CredentialSource::fixed(credential),
                clean(&format!("the credentials of {}", secret.identity())),
            ));
        }
        if let Some(credential) = family.of_environment(&|name| std::env::var(name).ok())? {
            return Ok((CredentialSource::fixed(credential), "the credentials of the environment".to_owned()));
        }
        let is_near = matches!(choice, CloudChoice::Url(url) if url.is_loopback());
        match family.simulated().filter(|_| is_near) {
            // These credentials open nothing but a simulator.
            Some(credential) => {
                Ok((CredentialSource::fixed(credential), "the credentials of every simulator".to_owned()))
            }
            None => Err(CloudError::NoCredentials { cloud: what.to_owned(), variables: family.variables() }),
        }
    }
}

impl Cloud {
    /// Ends the simulator, where the command started one.
    pub(super) async fn close(self) -> Result<(), CloudError> {
        if let Some(world) = self.world {
            drop(self.session);
            world.close().await?;
        }
        Ok(())
    }
}

impl CloudError {
    /// What the person can do.
    pub(super) fn help(&self) -> Option<String> {
        let text = match self {
            Self::NoCloud => {
                "say which: `--cloud real`, or the address of a `trellis simulate`; a simulated cloud needs none"
            }
            Self::NoCredentials { variables, .. } => {
                let set = format!("; or set `{}`", variables.join("` and `"));
                let set = if variables.is_empty() { "" } else { &set };
                return Some(format!("name a file with the Secret: `--credentials FILE`{set}"));
            }
            Self::NobodyListens { .. } => {
                "start a simulator with `trellis simulate` and take the address that it prints, or correct the address"
            }
            Self::World(error) => return error.help(),
            _ => return None,
        };
        Some(text.to_owned())
    }
}
