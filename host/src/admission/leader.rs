//! What one of several processes does: it registers the webhooks, and renews their certificates.

use std::time::Duration;

use kube::Client;
use tokio::time::sleep;

use crate::controller::election::{self, identity};
use crate::controller::metrics::Metrics;
use crate::controller::seed::Election;
use crate::controller::webhooks::upkeep::Upkeep;
use crate::plan::leave::Leave;
use crate::plan::stop::{Stop, StopSignal};
use crate::plan::tenure::Tenure;

/// How long to wait after a failure.
const AGAIN: Duration = Duration::from_secs(20);

/// Registers webhooks and renews certificates whenever this process is the leader, until it is to stop. A process that is the leader no
/// longer goes on answering reviews, and waits for its turn.
pub async fn lead(upkeep: Upkeep, client: Client, election: Option<Election>, metrics: Metrics, stop: StopSignal) {
    let Some(Election { namespace, name }) = election else {
        return work(&upkeep, &Leave { stop, tenure: Tenure::unlimited() }).await;
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
        let leave = Leave { stop: stop.clone(), tenure: leadership.tenure() };
        let is_lost = tokio::select! {
            () = leadership.lost() => true,
            () = work(&upkeep, &leave) => false,
        };
        if is_lost {
            tracing::warn!("another process may be the leader now; this one waits for its turn");
        } else {
            leadership.release().await;
        }
        metrics.leader(&name, false);
    }
}

/// Registers the webhooks, and keeps certificates and registration, until there is no leave any more.
async fn work(upkeep: &Upkeep, leave: &Leave) {
    while leave.to_read().is_ok() {
        match upkeep.register(leave).await {
            Ok(shoots) => return upkeep.clone().lead(leave.clone(), shoots).await,
            Err(error) => tracing::error!("{error}"),
        }
        pause(&leave.stop).await;
    }
}

async fn pause(stop: &StopSignal) {
    tokio::select! {
        () = stop.asked(Stop::Gracefully) => {}
        () = sleep(AGAIN) => {}
    }
}
