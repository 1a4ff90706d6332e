//! What goes on while webhooks are served: each process takes certificates that were renewed; the leader renews
//! them, and reports them to API servers (reference: gardener-contract 5.4).

use std::sync::Arc;
use std::time::Duration;

use jiff::Timestamp;
use kube::Client;
use tokio::sync::watch;
use tokio::time::{Instant, sleep};

use super::shoots::{rendered, renew_all};
use super::{Clients, Shoots, WebhooksError};
use crate::api_server::objects::Objects;
use crate::certificates::Keeper;
use crate::certificates::issue::{FreshKeys, Keys};
use crate::controller::runtime::secret_store::SecretsOf;
use crate::webhook::Certificates;
use crate::webhook::certificates::{Managed, Served, unmanaged};
use crate::webhook::registration::Registration;
use trellis_policies::answer::ManagedResource;
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::Stop;

/// How often certificates are looked at, if nobody says otherwise, in seconds.
pub const PERIOD: u16 = 300;
/// The part of that for which a new certificate waits while there is another one.
const HOLD: u32 = 5;
/// How long after a failure.
const AGAIN: Duration = Duration::from_secs(20);
/// The longest time for the certificates at the start, and for the first registration.
const START: Duration = Duration::from_secs(30);
/// The longest time for one look.
const LOOK: Duration = Duration::from_mins(4);

/// What vouches for the server.
#[derive(Clone, Debug)]
pub(super) enum Authorities {
    /// The Secrets of a namespace hold certificates, and the leader renews them.
    Managed(String),
    /// The process has made a certificate for itself alone: this is the authority, in PEM.
    Own(Arc<[u8]>),
}

/// Keeps certificates and registrations.
#[derive(Clone)]
pub struct Upkeep {
    /// The API server that sends the reviews.
    pub(super) client: Client,
    /// The API server of the Secrets with certificates.
    pub(super) secrets: Client,
    pub(super) provider: String,
    pub(super) registration: Registration,
    pub(super) authorities: Authorities,
    /// How often certificates are looked at.
    pub(super) period: Duration,
}

impl Upkeep {
    /// Takes a certificate into use: the one of the Secrets of a namespace, which the process makes where there is
    /// none; without a namespace one for the process itself alone. Then certificates are looked at in this period.
    pub async fn start(
        clients: Clients,
        provider: String,
        registration: Registration,
        namespace: Option<&str>,
        period: Duration,
        certificates: &Certificates,
    ) -> Result<(Self, Served), WebhooksError> {
        let Clients { own: client, secrets } = clients;
        let authorities = Authorities::Own([].into());
        let mut upkeep = Self { client, secrets, provider, registration, authorities, period };
        let first = if let Some(namespace) = namespace {
            upkeep.authorities = Authorities::Managed(namespace.to_owned());
            upkeep.first(namespace).await?
        } else {
            tracing::warn!(
                "no Secret holds the certificate of the webhooks, and nobody renews it: this is for one process alone"
            );
            let keys: Arc<dyn Keys> = Arc::new(FreshKeys);
            let Registration { extension, reach, .. } = &upkeep.registration;
            let (first, bundle) = unmanaged(extension, reach, &keys, Timestamp::now())?;
            upkeep.authorities = Authorities::Own(bundle.into());
            first
        };
        certificates.set(first.certificate(), first.key())?;
        Ok((upkeep, first))
    }

    /// The certificate to serve at the start. The process makes it where there is none.
    async fn first(&self, namespace: &str) -> Result<Served, WebhooksError> {
        let managed = self.managed(&Permit::unlimited(), START, namespace);
        Ok(managed.first(Timestamp::now()).await?)
    }

    /// The certificates in the Secrets of a namespace.
    fn managed(&self, permit: &Permit, limit: Duration, namespace: &str) -> Managed<SecretsOf> {
        let objects = Objects::new(self.secrets.clone(), permit.clone(), Instant::now() + limit);
        let keeper = Keeper::new(SecretsOf { objects, namespace: namespace.to_owned() });
        let Registration { extension, reach, .. } = &self.registration;
        Managed::new(keeper, namespace, extension, reach, self.period / HOLD)
    }

    /// Takes certificates into use that the leader has renewed. Goes on for ever.
    pub async fn reload(self, mut serving: Served, certificates: Certificates) {
        let Authorities::Managed(namespace) = &self.authorities else { return };
        loop {
            sleep(self.period).await;
            serving = self.newest(namespace, serving, &certificates).await;
        }
    }

    /// Takes the newest certificate into use, where it is another one. Returns the one in use then.
    async fn newest(&self, namespace: &str, serving: Served, certificates: &Certificates) -> Served {
        let managed = self.managed(&Permit::unlimited(), LOOK, namespace);
        let found = managed.served(Some(&serving.secret), Timestamp::now()).await;
        let newest = match found {
            Ok(Some(newest)) if newest != serving => newest,
            Ok(_) => return serving,
            Err(error) => {
                tracing::warn!("the certificate in use stays: {error}");
                return serving;
            }
        };
        if let Err(error) = certificates.set(newest.certificate(), newest.key()) {
            tracing::error!(secret = newest.secret, "the certificate in use stays: {error}");
            return serving;
        }
        tracing::info!(secret = newest.secret, "webhooks have another certificate");
        newest
    }

    /// Registers the webhooks in the seed, and returns what registers those of Shoots. The leader does so once at
    /// the start.
    pub async fn register(&self, permit: &Permit) -> Result<Shoots, WebhooksError> {
        let objects = Objects::new(self.client.clone(), permit.clone(), Instant::now() + START);
        let bundle = match &self.authorities {
            Authorities::Own(bundle) => bundle.to_vec(),
            Authorities::Managed(namespace) => {
                self.managed(permit, START, namespace).keep(Timestamp::now()).await?.0
            }
        };
        self.registration.write(&objects, &bundle).await?;
        Ok(Shoots(rendered(&self.in_shoots(&bundle)).map(watch::Sender::new)))
    }

    /// Renews what is due, and reports it to the API servers of the seed and of Shoots, until the permit ends.
    pub async fn lead(self, permit: Permit, shoots: Shoots) {
        loop {
            let pause = match self.look(&permit, &shoots).await {
                Ok(()) => self.period,
                Err(error) => {
                    tracing::warn!("{error}");
                    AGAIN
                }
            };
            tokio::select! {
                _ = permit.ended() => return,
                () = permit.stop.asked(Stop::Gracefully) => return,
                () = sleep(pause) => {}
            }
        }
    }

    async fn look(&self, permit: &Permit, shoots: &Shoots) -> Result<(), WebhooksError> {
        let objects = Objects::new(self.client.clone(), permit.clone(), Instant::now() + LOOK);
        let (bundle, kept) = match &self.authorities {
            Authorities::Own(bundle) => (bundle.to_vec(), None),
            Authorities::Managed(namespace) => {
                let managed = self.managed(permit, LOOK, namespace);
                let (bundle, kept) = managed.keep(Timestamp::now()).await?;
                (bundle, Some((managed, kept)))
            }
        };
        self.registration.write(&objects, &bundle).await?;
        if let (Some(sender), Some(webhooks)) = (&shoots.0, rendered(&self.in_shoots(&bundle))) {
            sender.send_replace(Arc::clone(&webhooks));
            renew_all(&objects, &self.provider, &webhooks).await.map_err(WebhooksError::Shoots)?;
        }
        if let Some((managed, kept)) = kept {
            managed.clean(&kept).await?;
        }
        Ok(())
    }

    fn in_shoots(&self, bundle: &[u8]) -> Vec<serde_json::Value> {
        self.registration.in_shoots(bundle).into_iter().map(|(_, object)| object).collect()
    }
}

impl Shoots {
    /// What registers the webhooks in a Shoot, as it is at any time; none where no webhook sees objects of Shoots.
    pub fn watch(&self) -> Option<watch::Receiver<Arc<ManagedResource>>> {
        self.0.as_ref().map(watch::Sender::subscribe)
    }
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use serde_json::{Value, json};

    use super::super::Options;
    use super::super::shoots::NAME;
    use super::*;
    use crate::api_server::resource::{MANAGED_RESOURCES, MUTATING_WEBHOOKS, NAMESPACES, SECRETS};
    use crate::controller::runtime::granted::Granted;
    use crate::controller::runtime::testing::Server;
    use crate::webhook::registration::{Extension, Reach};

    const OBJECT: &str = "gardener-extension-provider-alicloud";

    fn options() -> Options {
        Options {
            webhooks: Granted::of("alicloud").webhooks.iter().collect(),
            address: ([127, 0, 0, 1], 0).into(),
            extension: Extension::new("provider-alicloud", "n"),
            reach: Reach::Service { namespace: "n".to_owned(), port: 443 },
            namespace: Some("n".to_owned()),
            owner: Some("n".to_owned()),
            is_self_hosted: false,
            period: Duration::from_secs(PERIOD.into()),
            drain: Duration::ZERO,
        }
    }

    fn upkeep(server: &Server) -> Upkeep {
        let options = options();
        let registration = Registration {
            extension: options.extension,
            reach: options.reach,
            webhooks: options.webhooks.iter().map(|webhook| webhook.entry("alicloud")).collect(),
            owner: options.owner,
            is_self_hosted: false,
        };
        let authorities = Authorities::Managed("n".to_owned());
        let [client, secrets] = [server.client(), server.client()];
        Upkeep {
            client,
            secrets,
            provider: "alicloud".to_owned(),
            registration,
            authorities,
            period: options.period,
        }
    }

    fn seed() -> Server {
        let labels = json!({ "gardener.cloud/role": "shoot", "shoot.gardener.cloud/provider": "alicloud" });
        let webhooks = json!({ "metadata": { "name": NAME, "namespace": "shoot" }, "spec": { "secretRefs": [] } });
        Server::default()
            .with(&NAMESPACES, json!({ "metadata": { "name": "n", "uid": "u" } }))
            .with(&NAMESPACES, json!({ "metadata": { "name": "shoot", "labels": labels } }))
            .with(&MANAGED_RESOURCES, webhooks)
    }

    /// How many authorities API servers trust: that of the seed, and that of the Shoot.
    fn trusted(server: &Server) -> [usize; 2] {
        let count = |object: &Value| {
            let bundle = object["webhooks"][0]["clientConfig"]["caBundle"].as_str().unwrap();
            String::from_utf8(STANDARD.decode(bundle).unwrap()).unwrap().matches("BEGIN").count()
        };
        let resource = server.object(&MANAGED_RESOURCES, "shoot", NAME).unwrap();
        let secret = resource["spec"]["secretRefs"][0]["name"].as_str().unwrap();
        let secret = server.object(&SECRETS, "shoot", secret).unwrap();
        let text = STANDARD.decode(secret["data"]["webhooks.yaml"].as_str().unwrap()).unwrap();
        let text = String::from_utf8(text).unwrap();
        let in_shoot = serde_json::from_str(text.strip_prefix("---\n").unwrap()).unwrap();
        [count(&server.object(&MUTATING_WEBHOOKS, "", OBJECT).unwrap()), count(&in_shoot)]
    }

    #[tokio::test]
    async fn api_servers_learn_of_an_authority_that_is_renewed_before_the_old_certificate_goes() {
        let server = seed();
        let (upkeep, permit) = (upkeep(&server), Permit::unlimited());
        let first = upkeep.first("n").await.unwrap();
        let shoots = upkeep.register(&permit).await.unwrap();
        let registered = shoots.watch().unwrap();
        upkeep.look(&permit, &shoots).await.unwrap();
        assert_eq!(trusted(&server), [1, 1]);
        server.requests();
        upkeep.look(&permit, &shoots).await.unwrap();
        let reads = server.requests();
        let is_read = |request: &String| request.starts_with("GET") || request.starts_with("LIST");
        assert!(reads.iter().all(is_read), "nothing differs: {reads:?}");

        // The authority has come of age.
        let secrets = server.objects().list(&SECRETS, "n", "name=ca-provider-alicloud-webhook").await.unwrap();
        let mut authority = secrets[0].clone();
        for label in ["issued-at-time", "valid-until-time"] {
            let second: i64 = authority["metadata"]["labels"][label].as_str().unwrap().parse().unwrap();
            authority["metadata"]["labels"][label] = json!((second - 21 * 24 * 3_600).to_string());
        }
        let server = server.with(&SECRETS, authority);
        let before = Arc::clone(&registered.borrow());
        upkeep.look(&permit, &shoots).await.unwrap();
        assert_eq!(trusted(&server), [2, 2]);
        assert!(!Arc::ptr_eq(&before, &registered.borrow()), "new Shoots get the new authority too");
        let requests = server.requests();
        let at = |verb: &str, name: &str| {
            let is = |request: &String| request.starts_with(verb) && request.ends_with(name);
            requests.iter().position(is).unwrap()
        };
        let last = at("DELETE", &first.secret);
        assert!(at("PATCH", OBJECT) < last && at("PATCH", NAME) < last, "{requests:?}");

        // Each process takes the new certificate, and stays with the one in use where its Secret is gone.
        let certificates = Certificates::none();
        let newest = upkeep.newest("n", first.clone(), &certificates).await;
        assert!(newest != first && certificates.is_set());
        assert_eq!(upkeep.newest("n", newest.clone(), &certificates).await, newest);
        let upkeep = Upkeep { secrets: Server::default().client(), ..upkeep };
        assert_eq!(upkeep.newest("n", newest.clone(), &certificates).await, newest);
    }
}
