//! The Lease by which gardenlet sees that the extension is alive.

use std::time::Duration;

use jiff::Timestamp;
use k8s_openapi::api::coordination::v1::{Lease, LeaseSpec};
use k8s_openapi::apimachinery::pkg::apis::meta::v1::MicroTime;
use kube::api::{ObjectMeta, Patch, PatchParams, PostParams};
use kube::{Api, Client};
use serde_json::json;
use tokio::time::{MissedTickBehavior, interval};
use tracing::warn;

use crate::controller::runtime::request_error::{RequestError, answer};
use trellis_runner::limits::lease::LeaseSignal;
use trellis_runner::limits::stop::{Stop, StopSignal};

/// Name of the Lease; gardenlet looks for it in the namespace of the extension.
pub const NAME: &str = "gardener-extension-heartbeat";

/// Where, for whom and how often the heartbeat is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Namespace of the extension.
    pub namespace: String,
    /// Name of the extension.
    pub holder: String,
    /// Time between two heartbeats. What is shorter than a second counts as a second.
    pub interval: Duration,
}

/// Writes the heartbeat until this process is no longer the leader, or is to stop. A heartbeat that cannot be
/// written is logged; gardenlet waits for several.
pub async fn beat(client: Client, options: Options, lease_signal: LeaseSignal, stop: StopSignal) {
    let leases: Api<Lease> = Api::namespaced(client, &options.namespace);
    let every = options.interval.max(Duration::from_secs(1));
    let mut beats = interval(every);
    beats.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let beat = async {
            beats.tick().await;
            write(&leases, &options.holder, every).await
        };
        let written = tokio::select! {
            biased;
            () = lease_signal.lost() => return,
            () = stop.asked(Stop::Gracefully) => return,
            written = beat => written,
        };
        if let Err(error) = written {
            warn!(namespace = options.namespace, lease = NAME, %error, "could not write the heartbeat");
        }
    }
}

async fn write(leases: &Api<Lease>, holder: &str, every: Duration) -> Result<(), RequestError> {
    let spec = LeaseSpec {
        holder_identity: Some(holder.to_owned()),
        lease_duration_seconds: Some(i32::try_from(every.as_secs()).unwrap_or(i32::MAX)),
        renew_time: Some(MicroTime(Timestamp::now())),
        ..LeaseSpec::default()
    };
    let patch = Patch::Merge(json!({ "spec": spec }));
    match answer(every, leases.patch(NAME, &PatchParams::default(), &patch)).await {
        Err(RequestError::Missing(_)) => {
            let metadata = ObjectMeta { name: Some(NAME.to_owned()), ..ObjectMeta::default() };
            let lease = Lease { metadata, spec: Some(spec) };
            answer(every, leases.create(&PostParams::default(), &lease)).await.map(|_| ())
        }
        patched => patched.map(|_| ()),
    }
}

#[cfg(test)]
mod tests {
    use hyper::Method;
    use tokio::time::{Instant, sleep};

    use super::super::election::server::{Fault, Server};
    use super::*;
    use trellis_runner::limits::lease::lease;
    use trellis_runner::limits::stop::stop;

    const SECOND: Duration = Duration::from_secs(1);

    fn options() -> Options {
        let (namespace, holder) = ("garden".to_owned(), "provider-alicloud".to_owned());
        Options { namespace, holder, interval: 30 * SECOND }
    }

    #[tokio::test(start_paused = true)]
    async fn the_heartbeat_is_created_and_then_patched_every_interval_for_as_long_as_this_process_leads() {
        let server = Server::default();
        let began = Instant::now();
        let (_lease, lease_signal) = lease(began + 100 * SECOND);
        beat(server.client(), options(), lease_signal, StopSignal::never()).await;
        assert_eq!(began.elapsed(), 100 * SECOND);
        let methods: Vec<_> = server.seen().iter().map(|seen| seen.method.clone()).collect();
        assert_eq!(methods, [Method::PATCH, Method::POST, Method::PATCH, Method::PATCH, Method::PATCH]);
        let spec = server.spec(NAME).unwrap();
        assert_eq!(
            (&spec["holderIdentity"], &spec["leaseDurationSeconds"]),
            (&json!("provider-alicloud"), &json!(30))
        );
        assert_eq!(spec["renewTime"].as_str().unwrap().len(), "2026-01-01T00:00:00.000000Z".len());
    }

    #[tokio::test(start_paused = true)]
    async fn the_heartbeat_goes_on_after_failures_and_keeps_what_others_wrote() {
        let server = Server::default();
        server.edit(NAME, |lease| lease["spec"]["leaseTransitions"] = json!(4));
        server.fail([
            Fault::Status(500),
            Fault::Status(403),
            Fault::Silence,
            Fault::LostAnswer,
            Fault::Status(409),
        ]);
        let (stopper, signal) = stop();
        let beating = tokio::spawn(beat(server.client(), options(), LeaseSignal::unlimited(), signal));
        sleep(400 * SECOND).await;
        stopper.stop(Stop::Gracefully);
        beating.await.unwrap();
        assert!(server.seen().iter().filter(|seen| seen.status == Some(200)).count() >= 6);
        assert_eq!(server.spec(NAME).unwrap()["leaseTransitions"], 4);
        let count = server.seen().len();
        sleep(100 * SECOND).await;
        assert_eq!(server.seen().len(), count);
    }
}
