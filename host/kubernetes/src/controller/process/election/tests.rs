use hyper::Method;
use serde_json::json;

use super::server::{Fault, Server};
use super::*;
use trellis_runner::limits::stop::stop;

const SECOND: Duration = Duration::from_secs(1);
const NAME: &str = "trellis-leader-election";

fn options(identity: &str) -> Options {
    Options::new("garden".to_owned(), NAME.to_owned(), identity.to_owned())
}

async fn lead(server: &Server, identity: &str) -> Leadership {
    acquire(server.client(), options(identity), StopSignal::never()).await.unwrap().unwrap()
}

fn writes(server: &Server) -> usize {
    server.seen().iter().filter(|seen| seen.method != Method::GET && seen.status == Some(200)).count()
}

#[tokio::test(start_paused = true)]
async fn the_first_candidate_creates_the_lease_as_client_go_does() {
    let server = Server::default();
    let leadership = lead(&server, "one").await;
    let spec = server.spec(NAME).unwrap();
    assert_eq!(spec["holderIdentity"], "one");
    assert_eq!((&spec["leaseDurationSeconds"], &spec["leaseTransitions"]), (&json!(15), &json!(0)));
    assert_eq!(spec["acquireTime"], spec["renewTime"]);
    assert_eq!(digits_as_d(spec["renewTime"].as_str().unwrap()), "dddd-dd-ddTdd:dd:dd.ddddddZ");
    assert!(leadership.lease_signal().holds_for(Duration::from_millis(9_999)));
    assert!(!leadership.lease_signal().holds_for(10 * SECOND));
}

fn digits_as_d(text: &str) -> String {
    text.chars().map(|char| if char.is_ascii_digit() { 'd' } else { char }).collect()
}

#[tokio::test(start_paused = true)]
async fn a_holder_renews_every_retry_period_and_a_second_candidate_waits() {
    let server = Server::default();
    let mut first = lead(&server, "one").await;
    let second = acquire(server.client(), options("two"), StopSignal::never());
    assert!(timeout(600 * SECOND, second).await.is_err());
    assert!(timeout(SECOND, first.lost()).await.is_err());
    let spec = server.spec(NAME).unwrap();
    assert_eq!((&spec["holderIdentity"], &spec["leaseTransitions"]), (&json!("one"), &json!(0)));
    assert!((295..=301).contains(&writes(&server)), "{} writes", writes(&server));
}

#[tokio::test(start_paused = true)]
async fn a_lease_is_taken_over_once_it_was_not_seen_to_change_for_its_duration() {
    let server = Server::default();
    drop(lead(&server, "one").await);
    let began = Instant::now();
    let second = lead(&server, "two").await;
    assert!(began.elapsed() >= 15 * SECOND && began.elapsed() < 20 * SECOND, "{:?}", began.elapsed());
    let spec = server.spec(NAME).unwrap();
    assert_eq!((&spec["holderIdentity"], &spec["leaseTransitions"]), (&json!("two"), &json!(1)));
    assert!(second.lease_signal().holds());
}

#[tokio::test(start_paused = true)]
async fn clocks_of_other_machines_do_not_count() {
    for time in ["2001-01-01T00:00:00.000000Z", "2999-01-01T00:00:00.000000Z"] {
        let server = Server::default();
        server.edit(NAME, |lease| {
            lease["spec"] = json!({
                "holderIdentity": "go_1", "leaseDurationSeconds": 30, "leaseTransitions": 6,
                "acquireTime": time, "renewTime": time,
            });
        });
        let began = Instant::now();
        drop(lead(&server, "two").await);
        assert!(began.elapsed() >= 30 * SECOND && began.elapsed() < 35 * SECOND, "{time}: {:?}", began.elapsed());
        assert_eq!(server.spec(NAME).unwrap()["leaseTransitions"], 7);
    }
}

#[tokio::test(start_paused = true)]
async fn a_lease_without_a_holder_is_taken_at_once() {
    for holder in [json!(null), json!("")] {
        let server = Server::default();
        server.edit(NAME, |lease| {
            lease["spec"] =
                json!({ "holderIdentity": holder, "leaseDurationSeconds": 3600, "leaseTransitions": 2 });
        });
        let began = Instant::now();
        drop(lead(&server, "two").await);
        assert_eq!(
            (began.elapsed(), &server.spec(NAME).unwrap()["leaseTransitions"]),
            (Duration::ZERO, &json!(3))
        );
    }
}

#[tokio::test(start_paused = true)]
async fn of_two_candidates_at_once_one_leads() {
    let server = Server::default();
    let candidates = ["one", "two"].map(|identity| {
        let (client, options) = (server.client(), options(identity));
        tokio::spawn(timeout(60 * SECOND, acquire(client, options, StopSignal::never())))
    });
    let mut leaders = 0;
    let mut kept = Vec::new();
    for candidate in candidates {
        if let Ok(leadership) = candidate.await.unwrap() {
            leaders += 1;
            kept.push(leadership);
        }
    }
    assert_eq!(leaders, 1);
    assert!(server.seen().iter().any(|seen| seen.status == Some(409)), "both tried to create it");
}

#[tokio::test(start_paused = true)]
async fn trouble_of_the_api_server_is_waited_out() {
    let server = Server::default();
    let faults = [Fault::Status(429), Fault::Status(503), Fault::Silence, Fault::LostAnswer, Fault::Status(409)];
    server.fail(faults);
    let leadership = lead(&server, "one").await;
    assert!(leadership.lease_signal().holds());
    assert_eq!(server.spec(NAME).unwrap()["leaseTransitions"], 0);
}

#[tokio::test(start_paused = true)]
async fn lost_answers_and_edits_by_others_cost_no_leadership() {
    let server = Server::default();
    let mut leadership = lead(&server, "one").await;
    server.fail([Fault::LostAnswer, Fault::Status(500)]);
    assert!(timeout(30 * SECOND, leadership.lost()).await.is_err());
    server.fail([Fault::Silence]);
    assert!(timeout(30 * SECOND, leadership.lost()).await.is_err());
    server.edit(NAME, |lease| lease["metadata"]["labels"] = json!({ "by": "hand" }));
    assert!(timeout(30 * SECOND, leadership.lost()).await.is_err());
    server.delete(NAME);
    assert!(timeout(30 * SECOND, leadership.lost()).await.is_err());
    assert_eq!(server.spec(NAME).unwrap()["holderIdentity"], "one");
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_is_not_renewed_is_lost_at_the_deadline_that_counts_from_the_last_request_sent() {
    let server = Server::default();
    let mut leadership = lead(&server, "one").await;
    // A renewal that succeeds, but whose answer takes 3 seconds.
    server.fail([Fault::Slow(3 * SECOND)]);
    tokio::time::sleep(6 * SECOND).await;
    server.fail_always(Some((vec![Method::GET, Method::PUT], Fault::Status(500))));
    leadership.lost().await;
    let renewed = server.seen().iter().rfind(|seen| seen.status == Some(200)).unwrap().at;
    let lost_after = renewed.elapsed();
    assert!(lost_after <= 10 * SECOND && lost_after > 9 * SECOND, "{lost_after:?}");
    assert!(!leadership.lease_signal().holds());
    let sent = server.seen().len();
    tokio::time::sleep(60 * SECOND).await;
    assert_eq!(server.seen().len(), sent, "whoever lost the Lease sends no renewal any more");
}

#[tokio::test(start_paused = true)]
async fn another_holder_ends_the_leadership_at_once() {
    for holder in ["go_1", ""] {
        let server = Server::default();
        let mut leadership = lead(&server, "one").await;
        server.edit(NAME, |lease| lease["spec"]["holderIdentity"] = json!(holder));
        timeout(3 * SECOND, leadership.lost()).await.unwrap();
        assert!(!leadership.lease_signal().holds());
        assert_eq!(server.spec(NAME).unwrap()["holderIdentity"], holder, "what another wrote stays");
    }
}

#[tokio::test(start_paused = true)]
async fn a_process_that_was_frozen_beyond_the_deadline_does_not_renew() {
    let server = Server::default();
    let mut leadership = lead(&server, "one").await;
    // The answer is ready long before the process wakes up.
    server.fail([Fault::Slow(SECOND)]);
    tokio::time::sleep(2 * SECOND + SECOND / 2).await;
    // As a frozen process has it: time goes by, and nothing runs.
    tokio::time::advance(3600 * SECOND).await;
    leadership.lost().await;
    assert!(!leadership.lease_signal().holds());
    let puts = writes(&server);
    tokio::time::sleep(60 * SECOND).await;
    assert_eq!(writes(&server), puts);
    assert!(!leadership.lease_signal().holds());
}

#[tokio::test(start_paused = true)]
async fn a_lease_that_is_given_back_is_free_at_once() {
    let server = Server::default();
    let first = lead(&server, "one").await;
    let lease_signal = first.lease_signal();
    tokio::time::sleep(5 * SECOND).await;
    // A renewal that was still on its way when the leadership ended.
    server.fail([Fault::Slow(Duration::ZERO), Fault::Status(409)]);
    first.release().await;
    assert!(!lease_signal.holds());
    let spec = server.spec(NAME).unwrap();
    assert_eq!(
        (&spec["holderIdentity"], &spec["leaseDurationSeconds"], &spec["leaseTransitions"]),
        (&json!(""), &json!(1), &json!(0))
    );
    let began = Instant::now();
    drop(lead(&server, "two").await);
    assert_eq!((began.elapsed(), &server.spec(NAME).unwrap()["leaseTransitions"]), (Duration::ZERO, &json!(1)));
}

#[tokio::test(start_paused = true)]
async fn giving_back_takes_no_longer_than_the_deadline_and_takes_nothing_from_others() {
    let server = Server::default();
    let leadership = lead(&server, "one").await;
    server.fail_always(Some((vec![Method::GET], Fault::Silence)));
    let began = Instant::now();
    leadership.release().await;
    assert!(began.elapsed() <= 10 * SECOND);
    server.fail_always(None);

    let server = Server::default();
    let leadership = lead(&server, "one").await;
    server.edit(NAME, |lease| lease["spec"]["holderIdentity"] = json!("go_1"));
    leadership.release().await;
    assert_eq!(server.spec(NAME).unwrap()["holderIdentity"], "go_1");
}

#[tokio::test(start_paused = true)]
async fn a_candidate_that_is_stopped_holds_nothing() {
    let server = Server::default();
    drop(lead(&server, "one").await);
    let (stopper, signal) = stop();
    let waiting = tokio::spawn(acquire(server.client(), options("two"), signal));
    tokio::time::sleep(SECOND).await;
    stopper.stop(Stop::Gracefully);
    assert!(waiting.await.unwrap().unwrap().is_none());

    // The stop comes while the request that takes the Lease is under way.
    let server = Server::default();
    server.fail([Fault::Status(404), Fault::Slow(2 * SECOND)]);
    let (stopper, signal) = stop();
    let taking = tokio::spawn(acquire(server.client(), options("two"), signal));
    tokio::time::sleep(SECOND).await;
    stopper.stop(Stop::Gracefully);
    assert!(taking.await.unwrap().unwrap().is_none());
    assert_eq!(server.spec(NAME).unwrap()["holderIdentity"], "");
}

#[tokio::test(start_paused = true)]
async fn refusals_that_last_are_an_error_and_others_are_not() {
    let server = Server::default();
    server.fail([Fault::Status(403), Fault::Status(403)]);
    drop(lead(&server, "one").await);

    server.fail_always(Some((vec![Method::GET], Fault::Status(403))));
    let error = acquire(server.client(), options("two"), StopSignal::never()).await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the API server refuses the Lease `garden/trellis-leader-election` of the leader election: as the test says (HTTP 403)"
    );
}

#[tokio::test(start_paused = true)]
async fn times_that_cannot_work_are_refused() {
    let broken: [fn(&mut Options); 4] = [
        |options| options.identity.clear(),
        |options| options.lease_duration = options.renew_deadline,
        |options| options.renew_deadline = options.retry_period,
        |options| options.retry_period = Duration::ZERO,
    ];
    for change in broken {
        let mut options = options("one");
        change(&mut options);
        let refused = acquire(Server::default().client(), options, StopSignal::never()).await;
        assert!(matches!(refused, Err(ElectionError::Options(_))));
    }
}

#[test]
fn no_two_processes_have_the_same_identity() {
    let identity = identity();
    assert!(identity.len() > 33 && identity.rfind('_') == Some(identity.len() - 33), "{identity}");
    assert_ne!(identity, super::identity());
}
