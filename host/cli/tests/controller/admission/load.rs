//! Reviews without end: Shoots that are sent to a garden, and reviews that are sent as its API server sends them,
//! over connections that are always new ones.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::task::JoinSet;
use tokio::time::sleep;

use super::stage::{Answer, Person, Stage, broken, good};
use super::{VALIDATE, review_of};
use crate::support::reviewer::Reviewer;
use crate::wait::{LIMIT, until};

/// How many Shoots are on their way at the same time, and how many reviews.
const SENDERS: usize = 2;
/// Between two of a sender: the machine has other work too.
const PAUSE: Duration = Duration::from_millis(20);
/// How many reviews a connection has: the API server keeps its own.
const OF_A_CONNECTION: usize = 5;
/// What is wrong with a broken Shoot.
const RULES: [&str; 3] = ["(ALI-INF-003)", "(ALI-INF-007)", "(ALI-INF-016)"];

/// Sends until it is dropped.
pub struct Load {
    shared: Arc<Shared>,
    _senders: JoinSet<()>,
}

#[derive(Default)]
struct Shared {
    /// Verdicts that are right.
    right: AtomicUsize,
    /// Verdicts that are wrong.
    wrong: Mutex<Vec<String>>,
    /// Reviews without an answer that may have been on their way to a process that was killed.
    lost: AtomicUsize,
    /// Counts up when a process is killed, and when nothing is sent to it any more: odd in between.
    kills: AtomicUsize,
}

/// Why a review has no right verdict.
enum Failure {
    /// Nobody answered.
    Lost(String),
    Wrong(String),
}

impl Load {
    /// Starts to send Shoots to a garden, and reviews to the processes of admission at this address.
    pub fn start(stage: &Arc<Stage>, admission: SocketAddr) -> Self {
        let shared = Arc::new(Shared::default());
        let mut senders = JoinSet::new();
        for _ in 0..SENDERS {
            senders.spawn(Arc::clone(&shared).send_shoots(stage.person()));
            senders.spawn(Arc::clone(&shared).send_reviews(Arc::clone(stage), admission));
        }
        Self { shared, _senders: senders }
    }

    /// Waits for further verdicts. Up to now, all were right.
    pub async fn goes_on(&self) {
        let before = self.right();
        until("reviews are answered", LIMIT, async || (self.right() > before + 20).then_some(())).await;
        let wrong = self.shared.wrong.lock().unwrap();
        assert!(wrong.is_empty(), "{} reviews: {wrong:#?}", wrong.len());
    }

    /// How many verdicts were right.
    pub fn right(&self) -> usize {
        self.shared.right.load(Ordering::SeqCst)
    }

    /// How many reviews were lost with a process that was killed.
    pub fn lost(&self) -> usize {
        self.shared.lost.load(Ordering::SeqCst)
    }

    /// A process is about to be killed, or nothing is sent to it any more.
    pub fn kill(&self) {
        self.shared.kills.fetch_add(1, Ordering::SeqCst);
    }
}

impl Shared {
    async fn send_shoots(self: Arc<Self>, person: Person) {
        loop {
            self.count(async || is_completed(&person.dry_run(&good("load")).await)).await;
            self.count(async || is_refused(&person.dry_run(&broken("load")).await)).await;
        }
    }

    async fn send_reviews(self: Arc<Self>, stage: Arc<Stage>, admission: SocketAddr) {
        loop {
            self.count(async || converse(&stage.trusted().await.concat(), admission).await).await;
        }
    }

    async fn count(&self, send: impl AsyncFnOnce() -> Result<(), Failure>) {
        let before = self.kills.load(Ordering::SeqCst);
        let reported = send().await;
        let is_killed = before % 2 == 1 || before < self.kills.load(Ordering::SeqCst);
        match reported {
            Ok(()) => _ = self.right.fetch_add(1, Ordering::SeqCst),
            Err(Failure::Lost(_)) if is_killed => _ = self.lost.fetch_add(1, Ordering::SeqCst),
            Err(Failure::Lost(why) | Failure::Wrong(why)) => self.wrong.lock().unwrap().push(why),
        }
        sleep(PAUSE).await;
    }
}

/// What the API server says of a good Shoot.
fn is_completed(reported: &Answer) -> Result<(), Failure> {
    let completed = &reported.object["spec"]["provider"]["controlPlaneConfig"]["csi"]["enableADController"];
    if reported.code == 201 && *completed == true { Ok(()) } else { Err(failure(reported)) }
}

/// What it says of a broken one.
fn is_refused(reported: &Answer) -> Result<(), Failure> {
    let is_right = reported.code == 403 && RULES.iter().all(|rule| reported.refusal().contains(rule));
    if is_right { Ok(()) } else { Err(failure(reported)) }
}

fn failure(reported: &Answer) -> Failure {
    let text = format!("{} {}", reported.code, reported.refusal());
    if text.contains("failed calling webhook") { Failure::Lost(text) } else { Failure::Wrong(text) }
}

/// Sends some reviews over a new connection, to a server for which these authorities vouch.
async fn converse(authorities: &str, admission: SocketAddr) -> Result<(), Failure> {
    let lost = |what: &str| Failure::Lost(format!("over TLS: {what}"));
    let reviewer = Reviewer::new(authorities, admission);
    let mut connection = reviewer.connect().await.ok_or_else(|| lost("no connection"))?;
    for at in 0..OF_A_CONNECTION {
        let (shoot, is_good) = if at % 2 == 0 { (good("load"), true) } else { (broken("load"), false) };
        let reported = connection.try_post(VALIDATE, review_of(&shoot)).await;
        let reported = reported.map_err(|error| lost(&error.to_string()))?;
        let text = String::from_utf8_lossy(&reported.body);
        let is_right = if is_good {
            text.contains(r#""allowed":true"#)
        } else {
            text.contains(r#""allowed":false"#) && RULES.iter().all(|rule| text.contains(rule))
        };
        if reported.status != 200 || !is_right {
            return Err(Failure::Wrong(format!("{} {text}", reported.status)));
        }
        if reported.is_last {
            break;
        }
    }
    Ok(())
}
