//! Runs whose state is in a Kubernetes object are ended at any event, call or patch; another process goes on.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use serde_json::Value;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use trellis_simulator::cloud::{Query, When};

use super::objects::{Case, Kill, Site};
use crate::api_server::Last;
use trellis_testing::points::chosen;
use trellis_testing::world;

/// Sites at a time. Most of their time they wait for reads that may be behind.
const AT_ONCE: usize = 32;

/// An operation: what a run calls when nobody kills it, and what comes of it.
struct Ground {
    case: Case,
    zones: usize,
    events: usize,
    actions: Vec<String>,
    patches: usize,
    world: Value,
}

impl Ground {
    async fn new(case: Case, zones: usize) -> Arc<Self> {
        let site = Site::before(case, zones).await;
        let cloud = site.simulator.gateway.cloud();
        let (after, patches) = (cloud.last_record(), site.server.requests().1);
        site.run(None).await.unwrap();
        let calls = cloud.records(&Query { after, ..Query::default() });
        let actions = calls.iter().filter_map(|record| record.action.clone()).collect();
        let (events, patches) = (site.events.load(Ordering::Relaxed), site.server.requests().1 - patches);
        let world = site.finish("uninterrupted", false).await;
        Arc::new(Self { case, zones, events, actions, patches, world })
    }

    /// Each n-th moment at which a run can be killed.
    fn points(self: &Arc<Self>, stride: usize, twice: bool) -> Vec<Point> {
        let mut kills: Vec<Kill> = (1..=self.events).step_by(stride).map(Kill::Event).collect();
        for when in [When::Before, When::After] {
            kills.extend((1..=self.actions.len()).step_by(stride).map(|nth| Kill::Call(nth, when)));
        }
        for last in [Last::Forgotten, Last::Unanswered, Last::Late(1), Last::Late(20), Last::Late(60)] {
            kills.extend((1..=self.patches).step_by(stride.div_ceil(2)).map(|nth| Kill::Patch(nth, last)));
        }
        kills.into_iter().map(|kill| Point { ground: Arc::clone(self), kill, twice }).collect()
    }
}

struct Point {
    ground: Arc<Ground>,
    kill: Kill,
    /// The process that goes on is killed, too.
    twice: bool,
}

impl Point {
    fn kinds(&self) -> Vec<String> {
        let Self { ground, kill, twice } = self;
        let of_kill = match kill {
            Kill::Event(_) => vec!["event".to_owned()],
            Kill::Call(nth, when) => vec![format!("{when:?}"), ground.actions[nth - 1].clone()],
            Kill::Patch(_, last) => vec![format!("{last:?}")],
        };
        [of_kill, vec![format!("{:?} {} {twice}", ground.case, ground.zones)]].concat()
    }

    /// Kills a run; the world must become what it becomes without. Returns whether the run came to the point.
    async fn survives(&self) -> bool {
        let Self { ground, kill, twice } = self;
        let at = format!("{:?} of {} zones, killed at {kill:?}", ground.case, ground.zones);
        let site = Site::before(ground.case, ground.zones).await;
        let is_killed = site.run(Some(*kill)).await.is_none();
        if *twice {
            site.run(Some(*kill)).await;
        }
        let world = site.finish(&at, matches!(kill, Kill::Patch(_, Last::Late(_)))).await;
        assert!(world == ground.world, "{at}: another world\n{}", world::difference(&ground.world, &world));
        is_killed
    }
}

async fn survive(points: Vec<Point>) {
    let count = points.len();
    let permits = Arc::new(Semaphore::new(AT_ONCE));
    let mut tests = JoinSet::new();
    for point in points {
        let permits = Arc::clone(&permits);
        tests.spawn(async move {
            let _permit = permits.acquire().await.unwrap();
            point.survives().await
        });
    }
    let killed = tests.join_all().await.into_iter().filter(|is_killed| *is_killed).count();
    // Steps of one time come in any order, and a run may need a call or an event less than the one before it.
    assert!(killed + count.div_ceil(10) >= count, "{killed} of {count} runs were killed");
}

#[tokio::test]
async fn a_create_that_is_killed_goes_on_from_the_object() {
    survive(Ground::new(Case::Create, 1).await.points(7, false)).await;
}

#[tokio::test]
async fn an_update_that_is_killed_goes_on_from_the_object() {
    survive(Ground::new(Case::Update, 1).await.points(7, false)).await;
}

#[tokio::test]
async fn a_delete_that_is_killed_goes_on_from_the_object() {
    survive(Ground::new(Case::Delete, 1).await.points(7, false)).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a quarter of the crash points: make verify"]
async fn runs_on_an_object_survive_crash_points() {
    let mut points = Vec::new();
    for zones in [1, 3] {
        for case in [Case::Create, Case::Update, Case::Delete] {
            let ground = Ground::new(case, zones).await;
            points.extend([false, true].into_iter().flat_map(|twice| ground.points(1, twice)));
        }
    }
    survive(chosen("runs on an object", points, Point::kinds)).await;
}
