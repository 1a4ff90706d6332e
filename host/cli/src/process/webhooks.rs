//! The flags of webhooks.

use std::net::{IpAddr, Ipv6Addr, SocketAddr, ToSocketAddrs as _};
use std::time::Duration;

use clap::Args;

use super::forms::{List, number};
use super::named;
use trellis_kubernetes::controller::runtime::granted::{Granted, SeedWebhook};
use trellis_kubernetes::controller::webhooks::Options;
use trellis_kubernetes::controller::webhooks::upkeep::PERIOD;
use trellis_kubernetes::webhook::registration::{Extension, Reach, UrlError};

/// Names the namespace of the webhooks where no option does.
const NAMESPACE: &str = "WEBHOOK_CONFIG_NAMESPACE";
/// Disables all webhooks.
const ALL: &str = "*";

/// How API servers reach webhooks.
#[derive(Args, Debug)]
pub(crate) struct Flags {
    /// The address at which webhooks are served, or a name of it; without this, all addresses of this machine.
    #[arg(long, value_name = "HOST")]
    webhook_config_server_host: Option<String>,

    /// The port at which webhooks are served.
    #[arg(long, value_name = "PORT", default_value_t = 9443, value_parser = number::<u16>)]
    webhook_config_server_port: u16,

    /// How API servers reach the webhooks: by the `service` of the extension, by a `url`, or by the host name of
    /// its Service (`url-service`).
    #[arg(long, value_name = "MODE", default_value = "service", value_parser = ["service", "url", "url-service", ""])]
    webhook_config_mode: String,

    /// With `--webhook-config-mode=url`: the host, and a port where it is not 443.
    #[arg(long, value_name = "HOST")]
    webhook_config_url: Option<String>,

    /// The port of the Service; without this, that of the server.
    #[arg(long, value_name = "PORT", default_value_t = 0, value_parser = number::<u16>)]
    webhook_config_service_port: u16,

    /// The namespace of the Service and of the Secrets with certificates; also in `WEBHOOK_CONFIG_NAMESPACE`.
    /// Without it, and with a URL, the process makes a certificate for itself alone, which nobody renews.
    #[arg(long, value_name = "NAMESPACE")]
    webhook_config_namespace: Option<String>,

    /// The namespace that owns what is registered; without this, that of the Service.
    #[arg(long, value_name = "NAMESPACE")]
    webhook_config_owner_namespace: Option<String>,

    /// Webhooks that are not served and not registered; `*` stands for all.
    #[arg(long, value_name = "NAMES")]
    disable_webhooks: Vec<List>,

    /// How long webhooks are served after SIGTERM, in seconds: until no API server sends reviews any more.
    #[arg(long, value_name = "SECONDS", default_value_t = 15, value_parser = clap::value_parser!(u16).range(..=40))]
    shutdown_delay_seconds: u16,

    /// How often certificates are looked at, in seconds; for tests, which wait for no minutes.
    #[arg(long, value_name = "SECONDS", default_value_t = PERIOD, value_parser = clap::value_parser!(u16).range(1..), hide = true)]
    webhook_config_cert_period_seconds: u16,
}

/// Why the flags cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FlagsError {
    #[error("cannot disable unknown webhook {0:?}")]
    Disable(String),
    #[error("nothing names the namespace of the webhooks")]
    NoNamespace,
    #[error("nothing names the URL of the webhooks")]
    NoUrl,
    #[error(transparent)]
    Url(#[from] UrlError),
    #[error("`{host}` is no address to serve webhooks at, as `127.0.0.1` and `::1` are, and no name of one{}", reason(error.as_ref()))]
    Host { host: String, error: Option<std::io::Error> },
}

impl FlagsError {
    /// What to do about it, where there are webhooks of these names.
    pub(crate) fn help(&self, known: &[&str]) -> Option<String> {
        match self {
            Self::Disable(_) => Some(format!("there are {}; `{ALL}` stands for all", known.join(", "))),
            Self::NoNamespace => Some(
                "set --webhook-config-namespace or WEBHOOK_CONFIG_NAMESPACE, or leave the webhooks out: --disable-webhooks='*'"
                    .to_owned(),
            ),
            Self::NoUrl => Some("set --webhook-config-url".to_owned()),
            Self::Url(_) | Self::Host { .. } => None,
        }
    }
}

/// Where webhooks are served, and how API servers reach them.
#[derive(Clone, Debug)]
pub(crate) struct Place {
    /// Where they are served.
    pub(crate) address: SocketAddr,
    /// The extension that registers them.
    pub(crate) extension: Extension,
    /// How API servers reach them.
    pub(crate) reach: Reach,
    /// The namespace of the Secrets with certificates.
    pub(crate) namespace: Option<String>,
    /// The namespace that owns what is registered.
    pub(crate) owner: Option<String>,
}

/// The names of the webhooks of a provider in a seed.
pub(crate) fn names(provider: &str) -> Vec<&'static str> {
    Granted::of(provider).webhooks.iter().map(|webhook| webhook.name).collect()
}

/// The namespace of the webhooks that the environment names; empty where it names none.
fn variable() -> String {
    std::env::var(NAMESPACE).unwrap_or_default()
}

/// The address of a host.
fn found(host: String, port: u16) -> Result<SocketAddr, FlagsError> {
    let all: Vec<SocketAddr> = match (host.as_str(), port).to_socket_addrs() {
        Ok(all) => all.collect(),
        Err(error) => return Err(FlagsError::Host { host, error: Some(error) }),
    };
    // As Go chooses of several.
    let first = all.iter().find(|address| address.is_ipv4()).or(all.first()).copied();
    first.ok_or(FlagsError::Host { host, error: None })
}

/// Why a name is none of an address, after what comes before.
fn reason(error: Option<&std::io::Error>) -> String {
    error.map_or_else(String::new, |error| format!(": {error}"))
}

impl Flags {
    /// How webhooks are served; none where there are none, or all are disabled.
    pub(crate) fn options(&self, provider: &str, is_self_hosted: bool) -> Result<Option<Options>, FlagsError> {
        self.with_variable(provider, is_self_hosted, &variable())
    }

    fn with_variable(
        &self,
        provider: &str,
        is_self_hosted: bool,
        variable: &str,
    ) -> Result<Option<Options>, FlagsError> {
        let enabled = self.enabled(&names(provider))?;
        let known = Granted::of(provider).webhooks.iter();
        let webhooks: Vec<&'static SeedWebhook> =
            known.filter(|webhook| enabled.contains(&webhook.name)).collect();
        if webhooks.is_empty() {
            return Ok(None);
        }
        let Place { address, extension, reach, namespace, owner } =
            self.place_with(&format!("provider-{provider}"), variable)?;
        let (drain, period) = (self.drain(), self.period());
        Ok(Some(Options { webhooks, address, extension, reach, namespace, owner, is_self_hosted, period, drain }))
    }

    /// Where the webhooks of an extension are served, and how API servers reach them.
    pub(crate) fn place(&self, extension: &str) -> Result<Place, FlagsError> {
        self.place_with(extension, &variable())
    }

    /// The address at which webhooks are served.
    pub(crate) fn address(&self) -> Result<SocketAddr, FlagsError> {
        let port = self.webhook_config_server_port;
        match named(self.webhook_config_server_host.as_ref()) {
            None => Ok(SocketAddr::new(IpAddr::V6(Ipv6Addr::UNSPECIFIED), port)),
            Some(host) => found(host, port),
        }
    }

    /// How long webhooks are served after the process was asked to stop.
    pub(crate) fn drain(&self) -> Duration {
        Duration::from_secs(self.shutdown_delay_seconds.into())
    }

    /// How often certificates are looked at.
    pub(crate) fn period(&self) -> Duration {
        Duration::from_secs(self.webhook_config_cert_period_seconds.into())
    }

    fn place_with(&self, extension: &str, variable: &str) -> Result<Place, FlagsError> {
        let namespace = named(self.webhook_config_namespace.as_ref())
            .or_else(|| Some(variable.to_owned()).filter(|variable| !variable.is_empty()));
        let port = self.webhook_config_server_port;
        let service_port = Some(self.webhook_config_service_port).filter(|port| *port > 0).unwrap_or(port);
        let of_service = || namespace.clone().ok_or(FlagsError::NoNamespace);
        let reach = match self.webhook_config_mode.as_str() {
            "url" => {
                let url = named(self.webhook_config_url.as_ref()).ok_or(FlagsError::NoUrl)?;
                Reach::url(&url)?
            }
            "url-service" => Reach::ServiceUrl { namespace: of_service()?, port: service_port },
            _ => Reach::Service { namespace: of_service()?, port: service_port },
        };
        Ok(Place {
            address: self.address()?,
            extension: Extension::new(extension, variable),
            reach,
            owner: named(self.webhook_config_owner_namespace.as_ref()).or_else(|| namespace.clone()),
            namespace,
        })
    }

    /// Those of the known webhooks that are not disabled.
    pub(crate) fn enabled(&self, known: &[&'static str]) -> Result<Vec<&'static str>, FlagsError> {
        let disabled = List::all(&self.disable_webhooks);
        if disabled.iter().any(|name| name == ALL) {
            return Ok(Vec::new());
        }
        if let Some(name) = disabled.iter().find(|name| !known.contains(&name.as_str())) {
            return Err(FlagsError::Disable(name.clone()));
        }
        Ok(known.iter().copied().filter(|known| !disabled.iter().any(|name| name == known)).collect())
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(clap::Parser)]
    struct Line {
        #[command(flatten)]
        flags: Flags,
    }

    fn options(line: &[&str], variable: &str) -> Result<Option<Options>, String> {
        let line = Line::try_parse_from(["trellis"].iter().chain(line)).map_err(|error| error.to_string())?;
        line.flags.with_variable("alicloud", false, variable).map_err(|error| error.to_string())
    }

    #[test]
    fn the_command_line_of_the_existing_chart_serves_all_webhooks_by_a_service() {
        let chart = [
            "--webhook-config-namespace=n",
            "--webhook-config-service-port=443",
            "--webhook-config-server-port=10250",
        ];
        let options = options(&[&chart[..], &["--disable-webhooks="]].concat(), "").unwrap().unwrap();
        let names: Vec<&str> = options.webhooks.iter().map(|wanted| wanted.name).collect();
        assert_eq!(names, ["controlplane", "seedprovider", "cloudprovider", "shoot"]);
        assert_eq!(options.address, "[::]:10250".parse().unwrap());
        assert_eq!(options.reach, Reach::Service { namespace: "n".to_owned(), port: 443 });
        assert_eq!((options.namespace.as_deref(), options.owner.as_deref()), (Some("n"), Some("n")));
        assert_eq!(options.extension.name(), "provider-alicloud");
        assert_eq!(options.drain, Duration::from_secs(15));
    }

    #[test]
    fn webhooks_are_disabled_one_by_one_or_all_and_an_unknown_one_is_an_error() {
        let names = |disabled: &str| {
            let options =
                options(&["--webhook-config-namespace=n", &format!("--disable-webhooks={disabled}")], "");
            let names = |options: Options| options.webhooks.iter().map(|wanted| wanted.name).collect::<Vec<_>>();
            options.map(|options| options.map(names).unwrap_or_default())
        };
        assert_eq!(names("shoot,seedprovider").unwrap(), ["controlplane", "cloudprovider"]);
        for all in ["*", "\"*\"", "shoot,*"] {
            assert_eq!(names(all).unwrap(), [""; 0], "{all}");
        }
        assert_eq!(names("network").unwrap_err(), "cannot disable unknown webhook \"network\"");
    }

    #[test]
    fn the_place_of_the_server_is_a_service_or_a_host() {
        let namespace = "--webhook-config-namespace=n";
        let url = |url: &str| ["--webhook-config-mode=url".to_owned(), format!("--webhook-config-url={url}")];
        let line = |more: &[String]| options(&more.iter().map(String::as_str).collect::<Vec<_>>(), "");
        let unmanaged = line(&url("127.0.0.1:9443")).unwrap().unwrap();
        assert_eq!((unmanaged.namespace, unmanaged.owner), (None, None));
        assert_eq!(
            options(&["--webhook-config-mode=url"], "").unwrap_err(),
            "nothing names the URL of the webhooks"
        );
        assert!(line(&url("https://x")).unwrap_err().contains("`https://x` is no host"));
        assert_eq!(options(&[], "").unwrap_err(), "nothing names the namespace of the webhooks");
        let by_url = options(&[namespace, "--webhook-config-mode=url-service"], "").unwrap().unwrap();
        assert_eq!(
            by_url.reach,
            Reach::ServiceUrl { namespace: "n".to_owned(), port: 9443 },
            "that of the server"
        );
    }

    #[test]
    fn webhooks_are_served_at_an_address_or_at_a_name_of_one() {
        let at = |host: &str| {
            let host = format!("--webhook-config-server-host={host}");
            options(&["--webhook-config-namespace=n", &host], "")
                .map(|options| options.unwrap().address.to_string())
        };
        assert_eq!(at("127.0.0.2").unwrap(), "127.0.0.2:9443");
        assert_eq!(at("::1").unwrap(), "[::1]:9443");
        assert_eq!(at("localhost").unwrap(), "127.0.0.1:9443");
        // Longer than a name may be: nobody is asked for it.
        let long = "x".repeat(300);
        let reported = at(&long).unwrap_err();
        assert!(reported.starts_with(&format!("`{long}` is no address to serve webhooks at")), "{reported}");
    }

    #[test]
    fn in_the_runtime_cluster_of_a_garden_names_are_others() {
        let options = options(&[], "runtime-extension-provider-alicloud").unwrap().unwrap();
        assert_eq!(options.extension.name(), "provider-alicloud-runtime");
        assert_eq!(options.namespace.as_deref(), Some("runtime-extension-provider-alicloud"));
    }
}
