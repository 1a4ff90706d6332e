//! How an API server reaches a webhook server.

use std::net::IpAddr;

use hyper::http::uri::Authority;
use serde_json::{Value, json};

use super::{Extension, Target};

/// How an API server reaches a webhook server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// By the Service of the extension, which the API server looks up: server and Service are in its cluster.
    Service {
        /// The namespace of the Service.
        namespace: String,
        /// Its port.
        port: u16,
    },
    /// By the host name of that Service: the API server runs in the cluster of the Service, and serves another
    /// one.
    ServiceUrl {
        /// The namespace of the Service.
        namespace: String,
        /// Its port.
        port: u16,
    },
    /// By a host, and a port where it is not 443: the server runs anywhere.
    Url(Authority),
}

/// A text is no host.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{0}` is no host: write a host name or an address, and a port where it is not 443, such as `10.0.0.7:9443`"
)]
pub struct UrlError(String);

impl Reach {
    /// By a host, such as `webhooks.example.org`, `10.0.0.7:9443` or `[2001:db8::1]:9443`.
    pub fn url(text: &str) -> Result<Self, UrlError> {
        let refused = || UrlError(text.to_owned());
        let host: Authority = text.parse().map_err(|_| refused())?;
        let has_port = host.as_str().len() == host.host().len() || host.port_u16().is_some();
        if host.host().is_empty() || host.as_str().contains('@') || !has_port {
            return Err(refused());
        }
        Ok(Self::Url(host))
    }

    /// What the certificate of the server names: host names, and addresses.
    pub fn names(&self, extension: &Extension) -> (Vec<String>, Vec<IpAddr>) {
        match self {
            Self::Service { namespace, .. } | Self::ServiceUrl { namespace, .. } => {
                let name = extension.object();
                let within = [format!("{name}.{namespace}"), format!("{name}.{namespace}.svc")];
                let within = within.into_iter().filter(|_| !namespace.is_empty());
                (std::iter::once(name.clone()).chain(within).collect(), Vec::new())
            }
            Self::Url(host) => {
                let host = host.host();
                let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
                match bare.parse() {
                    Ok(address) => (Vec::new(), vec![address]),
                    Err(_) => (vec![host.to_owned()], Vec::new()),
                }
            }
        }
    }

    /// The member `clientConfig` of a webhook, with the authorities in base64.
    pub(super) fn client(&self, extension: &Extension, into: Target, path: &str, bundle: &str) -> Value {
        let url = match (self, into) {
            (Self::Service { namespace, port }, Target::Own) => {
                let name = extension.object();
                let service = json!({ "namespace": namespace, "name": name, "path": path, "port": port });
                return json!({ "service": service, "caBundle": bundle });
            }
            // The API server of a Shoot runs in the seed, and does not know its Services.
            (Self::Service { namespace, port }, Target::Shoots) | (Self::ServiceUrl { namespace, port }, _) => {
                format!("https://{}.{namespace}:{port}{path}", extension.object())
            }
            (Self::Url(host), _) => format!("https://{host}{path}"),
        };
        json!({ "url": url, "caBundle": bundle })
    }
}
