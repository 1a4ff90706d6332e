//! What one of several processes does: it registers the webhooks, and renews their certificates.

use std::time::Duration;

use kube::Client;
use tokio::time::sleep;

use crate::controller::process::election::{self, identity};
use crate::controller::process::options::Election;
use crate::controller::webhooks::upkeep::Upkeep;
use crate::metrics::Metrics;
use trellis_runner::limits::lease::LeaseSignal;
use trellis_runner::limits::permit::Permit;
use trellis_runner::limits::stop::{Stop, StopSignal};

/// How long to wait after a failure.
const AGAIN: Duration = Duration::from_secs(20);

/// Registers webhooks and renews certificates whenever this process is the leader, until it is to stop. A process
/// that is the leader no longer goes on answering reviews, and waits for its turn.
pub async fn lead(upkeep: Upkeep, client: Client, election: Option<Election>, metrics: Metrics, stop: StopSignal) {
    let Some(Election { namespace, name }) = election else {
        return work(&upkeep, &Permit { stop, lease_signal: LeaseSignal::unlimited() }).await;
    };
    while stop.now() == Stop::No {
        let wanted = election::Options::new(namespace.clone(), name.clone(), identity());
        let mut leadership = match election::acquire(client.clone(), wanted, stop.clone()).await {
            Ok(None) => return,
            Ok(Some(leadership)) => leadership,
            Err(error) => {
                tracing::error!("certificates are not renewed: {error}");
                pause(&stop).await;
                continue;
            }
        };
        metrics.leader(&name, true);
        let permit = Permit { stop: stop.clone(), lease_signal: leadership.lease_signal() };
        let is_lost = tokio::select! {
            () = leadership.lost() => true,
            () = work(&upkeep, &permit) => false,
        };
        if is_lost {
            tracing::warn!("another process may be the leader now; this one waits for its turn");
        } else {
            leadership.release().await;
        }
        metrics.leader(&name, false);
    }
}

/// Registers the webhooks, and keeps certificates and registration, until the permit ends.
async fn work(upkeep: &Upkeep, permit: &Permit) {
    while permit.to_read().is_ok() {
        match upkeep.register(permit).await {
            Ok(shoots) => return upkeep.clone().lead(permit.clone(), shoots).await,
            Err(error) => tracing::error!("{error}"),
        }
        pause(&permit.stop).await;
    }
}

async fn pause(stop: &StopSignal) {
    tokio::select! {
        () = stop.asked(Stop::Gracefully) => {}
        () = sleep(AGAIN) => {}
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::admission::registered::{NAMES, entries};
    use crate::api_server::resource::{MUTATING_WEBHOOKS, NAMESPACES, SECRETS, VALIDATING_WEBHOOKS};
    use crate::controller::runtime::testing::Server;
    use crate::controller::webhooks::Clients;
    use crate::webhook::Certificates;
    use crate::webhook::registration::{Extension, Reach, Registration};
    use trellis_runner::limits::stop::stop;

    #[tokio::test]
    async fn webhooks_are_registered_in_the_garden_and_certificates_are_kept_where_the_process_runs() {
        let (runtime, own) = (Server::default(), json!({ "metadata": { "name": "extension-p", "uid": "u" } }));
        let garden = Server::default().with(&NAMESPACES, own);
        let registration = Registration {
            extension: Extension::new("admission-p", "garden"),
            reach: Reach::url("gardener-extension-admission-p.garden").unwrap(),
            webhooks: entries("p", &NAMES),
            owner: Some("extension-p".to_owned()),
            is_self_hosted: false,
        };
        let clients = Clients { own: garden.client(), secrets: runtime.client() };
        let certificates = Certificates::none();
        let period = Duration::from_mins(5);
        let started =
            Upkeep::start(clients, "p".to_owned(), registration, Some("garden"), period, &certificates).await;
        let (upkeep, _) = started.unwrap();
        assert!(certificates.is_set());
        let (stopper, signal) = stop();
        let leading = tokio::spawn(lead(upkeep, runtime.client(), None, Metrics::new(), signal));
        let name = "gardener-extension-admission-p";
        for of in [&MUTATING_WEBHOOKS, &VALIDATING_WEBHOOKS] {
            let registered = async {
                loop {
                    match garden.object(of, "", name) {
                        Some(object) => return object,
                        None => sleep(Duration::from_millis(10)).await,
                    }
                }
            };
            let registered = tokio::time::timeout(Duration::from_mins(1), registered).await.unwrap();
            assert!(registered["webhooks"][0]["clientConfig"]["caBundle"].is_string(), "{registered}");
            assert_eq!(registered["metadata"]["ownerReferences"][0]["name"], "extension-p");
        }
        assert!(garden.objects().list(&SECRETS, "garden", "").await.unwrap().is_empty());
        assert!(!runtime.objects().list(&SECRETS, "garden", "").await.unwrap().is_empty());
        stopper.stop(Stop::Gracefully);
        tokio::time::timeout(Duration::from_mins(1), leading).await.unwrap().unwrap();
    }
}
