//! The client of the seed's API server.

use std::path::PathBuf;

use kube::client::ClientBuilder;
use kube::config::{KubeConfigOptions, Kubeconfig, KubeconfigError};
use kube::{Client, Config};
use zeroize::Zeroizing;

use crate::metrics::Metrics;

/// The variable with the kubeconfig of the garden, as Gardener injects it into extensions.
pub const GARDEN: &str = "GARDEN_KUBECONFIG";

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
            Some(file) => of(Kubeconfig::read_from(file).map_err(|error| unreadable(&error, Some(file)))?).await?,
            None => inferred(self.master.is_some()).await?,
        };
        if let Some(master) = &self.master {
            config.cluster_url = master.parse().map_err(|error| ClientError::new(&error))?;
        }
        let layer = metrics.client_layer(&config.cluster_url);
        let builder = ClientBuilder::try_from(config).map_err(|error| ClientError::new(&error))?;
        Ok(builder.with_layer(&layer).build())
    }
}

/// The way that a kubeconfig describes.
pub(in crate::controller) async fn of(kubeconfig: Kubeconfig) -> Result<Config, ClientError> {
    // The client would break off at a token that no header can have.
    for user in &kubeconfig.auth_infos {
        let token = serde_json::to_value(&user.auth_info)
            .ok()
            .and_then(|user| Some(user.get("token")?.as_str()?.to_owned()));
        if token.map(Zeroizing::new).is_some_and(|token| !token.bytes().all(|byte| byte.is_ascii_graphic())) {
            let words = format!("the token of the user `{}` has a space or a line break", user.name);
            return Err(ClientError(words));
        }
    }
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    config.map_err(|error| unreadable(&error, None))
}

/// Where nobody names a kubeconfig: `$KUBECONFIG`, the pod's own, the home folder's. An address alone needs none.
async fn inferred(has_master: bool) -> Result<Config, ClientError> {
    if let Some(kubeconfig) = Kubeconfig::from_env().map_err(|error| unreadable(&error, None))? {
        return of(kubeconfig).await;
    }
    match Config::incluster() {
        Ok(config) => Ok(config),
        Err(_) if has_master => Ok(Config::new(hyper::Uri::from_static("https://localhost"))),
        Err(_) => of(Kubeconfig::read().map_err(|error| unreadable(&error, None))?).await,
    }
}

/// What is wrong with a kubeconfig, without its text, which has secrets.
fn unreadable(error: &KubeconfigError, file: Option<&PathBuf>) -> ClientError {
    let place = file.map_or_else(|| "the kubeconfig".to_owned(), |file| format!("`{}`", file.display()));
    match error {
        KubeconfigError::Parse(_) => ClientError(format!(
            "{place} is no kubeconfig, or has a mistake: `kubectl config view --kubeconfig FILE` shows where"
        )),
        error => ClientError(format!("{place}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    async fn refused(text: &str) -> String {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("kubeconfig");
        std::fs::write(&file, text).unwrap();
        let access = Access { kubeconfig: Some(file.clone()), master: None };
        let error = access.client(&Metrics::new()).await.err().unwrap().to_string();
        error.replace(&file.display().to_string(), "FILE")
    }

    #[tokio::test]
    async fn a_kubeconfig_with_a_mistake_is_reported_without_its_text() {
        let reported =
            refused("apiVersion: v1\nusers:\n- name: a\n  user:\n    token: CANARY\n   extra: x\n").await;
        assert!(reported.contains("`FILE` is no kubeconfig") && !reported.contains("CANARY"), "{reported}");
        let reported = refused("users: CANARY\n").await;
        assert!(!reported.contains("CANARY"), "{reported}");
    }

    #[tokio::test]
    async fn a_token_with_a_line_break_is_reported() {
        let reported = refused(
            "apiVersion: v1\nkind: Config\ncurrent-context: c\ncontexts:\n- name: c\n  context: { cluster: c, user: u }\n\
             clusters:\n- name: c\n  cluster: { server: 'http://127.0.0.1:1' }\nusers:\n- name: u\n  user:\n    token: |\n      CANARY\n",
        )
        .await;
        assert!(reported.contains("the token of the user `u` has a space or a line break"), "{reported}");
    }
}
