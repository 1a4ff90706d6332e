//! Programs that end at random moments, and an API server that fails.

use std::time::Duration;

use kube::api::DeleteParams;
use rustix::process::Signal;
use tokio::time::sleep;

use crate::proxy::{Fault, On, Order};
use crate::seed::resource;
use crate::stage::Stage;
use crate::supervisor::Supervisor;

/// Ends the leader at random moments.
pub struct LeaderKiller<'s> {
    stage: &'s Stage,
    program: &'s Supervisor,
    random: fastrand::Rng,
}

impl<'s> LeaderKiller<'s> {
    /// The moments follow from the seed.
    pub fn new(stage: &'s Stage, program: &'s Supervisor, seed: u64) -> Self {
        Self { stage, program, random: fastrand::Rng::with_seed(seed) }
    }

    /// Ends one leader after the other, each within this time, with these signals in any order.
    pub async fn strike(&mut self, signals: &[Signal], within: Duration) {
        let mut signals = signals.to_vec();
        self.random.shuffle(&mut signals);
        for signal in signals {
            self.program.leads().await;
            let most = u64::try_from(within.as_millis()).unwrap();
            sleep(Duration::from_millis(self.random.u64(0..most))).await;
            let count = self.program.ended().len();
            self.program.signal(signal);
            self.program.ends(count + 1).await;
            if signal == Signal::KILL {
                self.end_lease().await;
            }
        }
    }

    /// Ends the Lease of a leader that has gone. Others would wait for fifteen seconds: that they do, another test
    /// shows.
    async fn end_lease(&self) {
        let leases =
            self.stage.seed.namespaced(&self.stage.namespace, &resource("coordination.k8s.io", "v1", "Lease"));
        // It may be gone: nobody led yet.
        let _ = leases.delete("provider-alicloud-leader-election", &DeleteParams::default()).await;
    }
}

/// Lets the API server refuse requests and lose answers.
pub fn refuse(stage: &Stage) {
    for (on, every, fault) in [
        (On::Writes, 7, Fault::Conflict),
        (On::Writes, 11, Fault::AnswerLost),
        (On::Requests, 13, Fault::TooMany(1)),
        (On::Requests, 17, Fault::Internal),
    ] {
        stage.proxy.order(Order { on, every, fault });
    }
}

/// Takes that back. Each of it happened.
pub fn accept(stage: &Stage) {
    let met = stage.proxy.calm();
    assert!(met.iter().all(|(_, hit)| *hit > 0), "{met:?} met nothing");
}

/// All processes ended when they were asked to.
pub fn ended_as_asked(program: &Supervisor) {
    let ended = program.ended();
    assert!(ended.iter().all(|status| status.success() || status.code().is_none()), "{ended:?}");
}
