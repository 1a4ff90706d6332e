//! The client of the seed's API server.

use std::path::PathBuf;

use kube::client::ClientBuilder;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};

use super::metrics::Metrics;

/// How to reach the API server.
#[derive(Clone, Debug, Default)]
pub struct Access {
    /// The kubeconfig; without it `$KUBECONFIG`, the pod's own, or the home folder's.
    pub kubeconfig: Option<PathBuf>,
    /// The address, in place of that of the kubeconfig.
    pub master: Option<String>,
}

/// Nothing says where the API server is, or how to call it.
#[derive(Debug, thiserror::Error)]
#[error("there is no API server to call: {0}; name a kubeconfig with --kubeconfig")]
pub struct ClientError(String);

impl ClientError {
    fn new(error: &impl std::fmt::Display) -> Self {
        Self(error.to_string())
    }
}

impl Access {
    /// A client whose requests are counted.
    pub async fn client(&self, metrics: &Metrics) -> Result<Client, ClientError> {
        let mut config = match &self.kubeconfig {
            Some(file) => {
                let kubeconfig = Kubeconfig::read_from(file).map_err(|error| ClientError::new(&error))?;
                of(kubeconfig).await?
            }
            None => inferred().await?,
        };
        if let Some(master) = &self.master {
            config.cluster_url = master.parse().map_err(|error| ClientError::new(&error))?;
        }
        let layer = metrics.client_layer(&config.cluster_url);
        let builder = ClientBuilder::try_from(config).map_err(|error| ClientError::new(&error))?;
        Ok(builder.with_layer(&layer).build())
    }
}

async fn of(kubeconfig: Kubeconfig) -> Result<Config, ClientError> {
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    config.map_err(|error| ClientError::new(&error))
}

async fn inferred() -> Result<Config, ClientError> {
    if let Some(kubeconfig) = Kubeconfig::from_env().map_err(|error| ClientError::new(&error))? {
        return of(kubeconfig).await;
    }
    match Config::incluster() {
        Ok(config) => Ok(config),
        Err(_) => of(Kubeconfig::read().map_err(|error| ClientError::new(&error))?).await,
    }
}
