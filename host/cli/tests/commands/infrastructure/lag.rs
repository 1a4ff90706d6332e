//! The cloud shows what was so some seconds ago.

use serde_json::json;
use trellis_simulator::cloud::When;

use crate::infrastructure::side_by_side::{SOME, side_by_side};
use crate::infrastructure::site::{Site, settings};
use crate::infrastructure::stage::{Ground, Network, Operation, Stage};
use trellis_testing::points::chosen;

/// Every read is five seconds behind, of a clock that goes five times as fast as real time.
fn cloud() -> Site {
    let site = Site::new();
    site.cloud().set_rate(5.0).unwrap();
    site
}

/// Lets reads be behind, or not.
fn lag(stage: &Stage, seconds: u64) {
    stage.site.cloud().set_settings(settings(json!({ "delays": { "*": 0 }, "lag": { "*": seconds } }))).unwrap();
}

/// A stage whose reads will be behind. They see what there is.
fn stage(network: Network, operation: Operation) -> Stage {
    Stage::new(cloud(), network, operation)
}

/// Reads see all.
fn catch_up(stage: &Stage) {
    lag(stage, 0);
}

/// Carries the operation out among late reads, killed at some call where wanted, and again at once: the same comes
/// of it.
fn survives(stage: &Stage, kill: Option<(u64, When)>) {
    let what = format!("late reads, killed at {kill:?}");
    stage.reset();
    lag(stage, 5);
    let before = stage.site.cloud().last_record();
    if let Some((nth, when)) = kill {
        let is_killed = stage.site.kill_at(stage.command(), nth, when);
        // Late reads make calls more, never less.
        assert!(is_killed || nth > stage.calls.len() as u64, "{what}: it ended before");
    }
    stage.succeed(&what);
    // Once more, while what was done is not seen yet.
    stage.succeed(&what);
    let calls = stage.site.calls(before).len();
    assert!(calls <= 8 * stage.calls.len(), "{what}: {calls} calls");
    catch_up(stage);
    stage.assert_wanted(&what);
}

#[test]
fn a_create_survives_late_reads() {
    survives(&stage(Network::Plain, Operation::Create), None);
}

#[test]
fn an_update_survives_late_reads() {
    survives(&stage(Network::Plain, Operation::Update), None);
}

#[test]
fn a_delete_survives_late_reads() {
    survives(&stage(Network::Plain, Operation::Delete), None);
}

#[test]
fn a_delete_that_is_killed_at_its_end_survives_late_reads() {
    let stage = stage(Network::Plain, Operation::Delete);
    let last = stage.calls.iter().position(|call| call == "vpc:DeleteVpc").unwrap();
    survives(&stage, Some((last as u64 + 1, When::After)));
}

#[test]
fn a_create_that_is_killed_survives_late_reads() {
    survives(&stage(Network::Plain, Operation::Create), Some((9, When::After)));
}

#[test]
#[ignore = "a quarter of the kills of all operations: make verify"]
fn every_operation_survives_late_reads_and_kills() {
    let mut points = Vec::new();
    for ground in Ground::all() {
        points.push((ground, None));
        let kills = (2..40).step_by(5).flat_map(|nth| [(nth, When::Before), (nth + 2, When::After)]);
        points.extend(kills.map(|kill| (ground, Some(kill))));
    }
    let kinds = |(ground, kill): &(Ground, Option<(u64, When)>)| {
        vec![format!("{ground:?}"), kill.map_or("no kill".to_owned(), |(_, when)| format!("{when:?}"))]
    };
    side_by_side(
        SOME,
        chosen("late reads and kills", points, kinds),
        |ground| stage(ground.network, ground.operation),
        survives,
    );
}
