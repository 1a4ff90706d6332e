//! A second replica takes over from one that ends in the middle.

use rustix::process::Signal;

use super::{CONVERGE, MANY, all_are_gone, all_are_settled, create_all, delete_all, each, one, shoots};
use crate::frozen::Frozen;
use crate::further;
use crate::machines::Machines;
use crate::secrets::Secrets;
use crate::stage::Stage;
use crate::supervisor::Supervisor;
use crate::wait::until;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "make verify"]
async fn a_second_replica_takes_over_in_the_middle() {
    let one = one().await;
    for signal in [Signal::TERM, Signal::KILL] {
        let count = 4;
        let stage = Stage::new(count).await;
        // All Shoots have one API server, in which they would fight for names; and what nobody applies, nobody
        // holds.
        let frozen = ["shoot-resource-manager", "seed-resource-manager"]
            .map(|name| Frozen::new(stage.landscape.server(name)));
        let (machines, secrets) = (Machines::start(&stage.seed), Secrets::watch(&stage.seed));
        let shoots = shoots(count);
        let mut first = stage.trellis(&MANY).await;
        further::prepare(&stage).await;
        stage.site.trouble();
        let mut second = None;
        let takeover = async {
            // Networks, certificates and machines are being made.
            let begun = async || {
                let made = shoots.iter().filter(|shoot| secrets.made(&shoot.namespace)[0] > 0).count();
                (made >= 2).then_some(())
            };
            until("some certificates are there", CONVERGE, begun).await;
            second = Some(Supervisor::start(stage.settings(&MANY)));
            first.signal(signal);
            let status = first.exit().await;
            assert_eq!(status.success(), signal == Signal::TERM, "{status}");
        };
        tokio::join!(takeover, each(&shoots, async |shoot| create_all(&stage, &shoot).await));
        let second = second.unwrap();
        stage.site.cloud().delete_faults(None);
        all_are_settled(&stage, &shoots, &one, &secrets).await;
        secrets.are_reported_nowhere(&stage, &second).await;
        each(&shoots, async |shoot| delete_all(&stage, &shoot).await).await;
        all_are_gone(&stage, &shoots).await;
        assert!(second.ended().is_empty(), "{:?}", second.ended());
        second.end().await;
        drop((machines, frozen));
        stage.close().await;
    }
}
