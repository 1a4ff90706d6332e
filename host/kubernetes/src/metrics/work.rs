//! Work of controllers: what waits, what is under way, and what came of it.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric as _};
use prometheus_client::metrics::MetricType;
use prometheus_client::metrics::gauge::ConstGauge;
use tokio::time::Instant;

use super::families::{Families, Labels, labels};

/// What came of a reconcile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// It is done.
    Success,
    /// It failed.
    Error,
    /// It is to run again at once.
    Requeue,
    /// It is to run again later.
    RequeueAfter,
    /// It panicked, which is a failure too.
    Panicked,
}

impl Outcome {
    /// The words of controller-runtime.
    const RESULTS: [&'static str; 4] = ["success", "error", "requeue", "requeue_after"];

    fn result(self) -> &'static str {
        match self {
            Self::Success => "success",
            Self::Error | Self::Panicked => "error",
            Self::Requeue => "requeue",
            Self::RequeueAfter => "requeue_after",
        }
    }
}

/// The metrics of a controller and of its queue. A key names an object. Clones are the same metrics.
#[derive(Clone, Debug)]
pub struct ControllerMetrics {
    name: String,
    families: Families,
    queue: Arc<Mutex<Queue>>,
}

/// Objects by their keys, and since when they are where they are.
#[derive(Debug, Default)]
struct Queue {
    waiting: HashMap<String, Instant>,
    working: HashMap<String, Instant>,
}

impl ControllerMetrics {
    /// As controller-runtime has it, all rows are there from the beginning.
    pub(super) fn new(name: &str, max_concurrent: usize, families: &Families, work: &Work) -> Self {
        let metrics = Self { name: name.to_owned(), families: families.clone(), queue: work.queue(name) };
        let controller = [("controller", name)];
        for result in Outcome::RESULTS {
            families.reconciles.add([("controller", name), ("result", result)], 0);
        }
        for counters in [&families.reconcile_errors, &families.reconcile_panics] {
            counters.add(controller, 0);
        }
        families.max_concurrent.set(controller, i64::try_from(max_concurrent).unwrap_or(i64::MAX));
        families.reconcile_time.row(controller);
        for counters in [&families.adds, &families.retries] {
            counters.add(metrics.of_queue(), 0);
        }
        for histograms in [&families.queue_time, &families.work_time] {
            histograms.row(metrics.of_queue());
        }
        metrics
    }

    /// An object waits for a worker. One that waits already does not count again.
    pub fn added(&self, key: impl Into<String>) {
        let mut is_new = false;
        lock(&self.queue).waiting.entry(key.into()).or_insert_with(|| {
            is_new = true;
            Instant::now()
        });
        if is_new {
            self.families.adds.add(self.of_queue(), 1);
        }
    }

    /// An object waits no longer, and no worker takes it: for example, the object is gone.
    pub fn dropped(&self, key: impl AsRef<str>) {
        lock(&self.queue).waiting.remove(key.as_ref());
    }

    /// A worker takes an object.
    pub fn started(&self, key: impl Into<String>) {
        let (key, now) = (key.into(), Instant::now());
        let mut queue = lock(&self.queue);
        let added = queue.waiting.remove(&key);
        queue.working.insert(key, now);
        drop(queue);
        if let Some(added) = added {
            self.families.queue_time.row(self.of_queue()).observe((now - added).as_secs_f64());
        }
    }

    /// A worker is done with an object.
    pub fn finished(&self, key: impl AsRef<str>, outcome: Outcome) {
        let started = lock(&self.queue).working.remove(key.as_ref());
        let (families, controller) = (&self.families, [("controller", self.name.as_str())]);
        if let Some(started) = started {
            let seconds = started.elapsed().as_secs_f64();
            families.work_time.row(self.of_queue()).observe(seconds);
            families.reconcile_time.row(controller).observe(seconds);
        }
        families.reconciles.add([("controller", &self.name), ("result", outcome.result())], 1);
        if matches!(outcome, Outcome::Error | Outcome::Panicked) {
            families.reconcile_errors.add(controller, 1);
        }
        if outcome == Outcome::Panicked {
            families.reconcile_panics.add(controller, 1);
        }
    }

    /// An object is to wait for a worker again after a failure.
    pub fn retried(&self) {
        self.families.retries.add(self.of_queue(), 1);
    }

    fn of_queue(&self) -> [(&'static str, &str); 2] {
        of_queue(&self.name)
    }
}

/// The queues of all controllers, by the names of the controllers.
#[derive(Clone, Debug, Default)]
pub(super) struct Work(Arc<Mutex<BTreeMap<String, Arc<Mutex<Queue>>>>>);

impl Work {
    fn queue(&self, name: &str) -> Arc<Mutex<Queue>> {
        Arc::clone(lock(&self.0).entry(name.to_owned()).or_default())
    }
}

/// What of a queue is a matter of the moment.
struct Moment {
    depth: f64,
    active: f64,
    unfinished: f64,
    longest: f64,
}

impl Moment {
    fn of(queue: &Queue, now: Instant) -> Self {
        let times = || queue.working.values().map(|started| (now - *started).as_secs_f64());
        // Counts of objects are far below where a float loses units.
        #[expect(clippy::cast_precision_loss, reason = "numbers of objects are small")]
        let [depth, active] = [&queue.waiting, &queue.working].map(|keys| keys.len() as f64);
        Self {
            depth,
            active,
            unfinished: times().fold(0.0, |sum, time| sum + time),
            longest: times().fold(0.0, f64::max),
        }
    }
}

impl Collector for Work {
    fn encode(&self, mut encoder: DescriptorEncoder) -> Result<(), fmt::Error> {
        let now = Instant::now();
        let moments: Vec<_> =
            lock(&self.0).iter().map(|(name, queue)| (name.clone(), Moment::of(&lock(queue), now))).collect();
        let mut gauge = |name: &str, help: &str, row: fn(&str) -> Labels, value: fn(&Moment) -> f64| {
            let mut metric = encoder.encode_descriptor(name, help, None, MetricType::Gauge)?;
            for (controller, moment) in &moments {
                ConstGauge::new(value(moment)).encode(metric.encode_family(&row(controller))?)?;
            }
            Ok(())
        };
        let of_queue = |name: &str| labels(of_queue(name));
        gauge("workqueue_depth", "Current depth of workqueue.", of_queue, |moment| moment.depth)?;
        gauge(
            "workqueue_unfinished_work_seconds",
            "How many seconds of work is in progress and has not been observed by work_duration.",
            of_queue,
            |moment| moment.unfinished,
        )?;
        gauge(
            "workqueue_longest_running_processor_seconds",
            "How many seconds the longest running processor of workqueue has been running.",
            of_queue,
            |moment| moment.longest,
        )?;
        gauge(
            "controller_runtime_active_workers",
            "Number of currently used workers per controller.",
            |name| labels([("controller", name)]),
            |moment| moment.active,
        )
    }
}

/// A queue has the name of its controller, as in controller-runtime.
fn of_queue(name: &str) -> [(&'static str, &str); 2] {
    [("name", name), ("controller", name)]
}

/// Nothing panics while it holds one of these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
