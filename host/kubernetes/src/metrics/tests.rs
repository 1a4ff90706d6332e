use std::collections::BTreeMap;
use std::time::Duration;

use hyper::{Request, Response, Uri};
use kube::client::{Body, ClientBuilder};
use tokio::time::advance;

use super::*;
use trellis_runner::call::tally::Tally;

/// The rows whose names begin so.
fn rows(metrics: &Metrics, prefix: &str) -> Vec<String> {
    let mut rows: Vec<_> =
        metrics.text().lines().filter(|line| line.starts_with(prefix)).map(str::to_owned).collect();
    rows.sort();
    rows
}

#[track_caller]
fn has(metrics: &Metrics, expected: &[&str]) {
    let text = metrics.text();
    for row in expected {
        assert!(text.lines().any(|line| line == *row), "no row `{row}` in:\n{text}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_controller_has_the_rows_of_controller_runtime_from_the_beginning() {
    let metrics = Metrics::new();
    let _controller = metrics.controller("infrastructure", 5);
    has(
        &metrics,
        &[
            "# TYPE controller_runtime_reconcile_total counter",
            "controller_runtime_reconcile_total{controller=\"infrastructure\",result=\"success\"} 0",
            "controller_runtime_reconcile_total{controller=\"infrastructure\",result=\"requeue_after\"} 0",
            "controller_runtime_reconcile_errors_total{controller=\"infrastructure\"} 0",
            "controller_runtime_reconcile_panics_total{controller=\"infrastructure\"} 0",
            "# TYPE controller_runtime_reconcile_time_seconds histogram",
            "controller_runtime_reconcile_time_seconds_bucket{le=\"0.005\",controller=\"infrastructure\"} 0",
            "controller_runtime_max_concurrent_reconciles{controller=\"infrastructure\"} 5",
            "controller_runtime_active_workers{controller=\"infrastructure\"} 0.0",
            "# TYPE workqueue_adds_total counter",
            "workqueue_adds_total{name=\"infrastructure\",controller=\"infrastructure\"} 0",
            "workqueue_retries_total{name=\"infrastructure\",controller=\"infrastructure\"} 0",
            "# TYPE workqueue_depth gauge",
            "workqueue_depth{name=\"infrastructure\",controller=\"infrastructure\"} 0.0",
        ],
    );
    let buckets = rows(&metrics, "controller_runtime_reconcile_time_seconds_bucket").len();
    assert_eq!((buckets, rows(&metrics, "workqueue_work_duration_seconds_bucket").len()), (41, 13));
}

#[tokio::test(start_paused = true)]
async fn work_is_seen_while_it_waits_while_it_lasts_and_when_it_is_over() {
    let metrics = Metrics::new();
    let controller = metrics.controller("infra", 5);
    let of_queue = "{name=\"infra\",controller=\"infra\"}";
    controller.added("a/b");
    controller.added("a/b".to_owned());
    controller.added("a/c");
    advance(Duration::from_secs(2)).await;
    controller.started("a/b");
    // It changed again meanwhile.
    controller.added("a/b");
    advance(Duration::from_secs(3)).await;
    has(
        &metrics,
        &[
            &format!("workqueue_adds_total{of_queue} 3"),
            &format!("workqueue_depth{of_queue} 2.0"),
            &format!("workqueue_queue_duration_seconds_sum{of_queue} 2.0"),
            &format!("workqueue_unfinished_work_seconds{of_queue} 3.0"),
            &format!("workqueue_longest_running_processor_seconds{of_queue} 3.0"),
            "controller_runtime_active_workers{controller=\"infra\"} 1.0",
        ],
    );
    controller.finished("a/b", Outcome::Success);
    controller.dropped("a/c");
    for outcome in [Outcome::Error, Outcome::Panicked, Outcome::Requeue, Outcome::RequeueAfter] {
        controller.started("a/b");
        controller.finished("a/b", outcome);
    }
    controller.retried();
    has(
        &metrics,
        &[
            &format!("workqueue_depth{of_queue} 0.0"),
            &format!("workqueue_unfinished_work_seconds{of_queue} 0.0"),
            &format!("workqueue_longest_running_processor_seconds{of_queue} 0.0"),
            &format!("workqueue_work_duration_seconds_sum{of_queue} 3.0"),
            &format!("workqueue_work_duration_seconds_count{of_queue} 5"),
            &format!("workqueue_retries_total{of_queue} 1"),
            "controller_runtime_active_workers{controller=\"infra\"} 0.0",
            "controller_runtime_reconcile_time_seconds_count{controller=\"infra\"} 5",
            "controller_runtime_reconcile_total{controller=\"infra\",result=\"success\"} 1",
            "controller_runtime_reconcile_total{controller=\"infra\",result=\"error\"} 2",
            "controller_runtime_reconcile_total{controller=\"infra\",result=\"requeue\"} 1",
            "controller_runtime_reconcile_total{controller=\"infra\",result=\"requeue_after\"} 1",
            "controller_runtime_reconcile_errors_total{controller=\"infra\"} 2",
            "controller_runtime_reconcile_panics_total{controller=\"infra\"} 1",
        ],
    );
}

#[test]
fn finished_runs_add_up() {
    let metrics = Metrics::new();
    let mut answers = Tally::default();
    answers.request("vpc", "CreateVpc", "");
    answers.request("vpc", "CreateVpc", "Throttling");
    let mut run = run::metrics::Metrics { answers, ..run::metrics::Metrics::default() };
    run.policy_calls = BTreeMap::from([("plan", 3)]);
    run.counts.plans = 2;
    run.counts.steps_done = 5;
    run.counts.saves = 7;
    metrics.run("alicloud", &run);
    metrics.run("alicloud", &run);
    metrics.held_back("paused");
    metrics.shadowed("alicloud", Shadowed::Differed, 4);
    has(
        &metrics,
        &[
            "trellis_policy_calls_total{provider=\"alicloud\",function=\"plan\"} 6",
            "trellis_cloud_requests_total{service=\"vpc\",action=\"CreateVpc\",code=\"\"} 2",
            "trellis_cloud_requests_total{service=\"vpc\",action=\"CreateVpc\",code=\"Throttling\"} 2",
            "trellis_plans_total 4",
            "trellis_steps_total{result=\"done\"} 10",
            "trellis_steps_total{result=\"failed\"} 0",
            "trellis_state_saves_total 14",
            "trellis_held_back_total{reason=\"paused\"} 1",
            "trellis_shadow_calls_total{provider=\"alicloud\",result=\"differed\"} 4",
        ],
    );
}

#[test]
fn a_policy_replaces_the_one_before_and_leadership_is_reported() {
    let metrics = Metrics::new();
    let [first, second] = [Digest::of(b"1"), Digest::of(b"2")];
    metrics.policy("alicloud", "1.0.0", &first);
    metrics.policy("alicloud", "1.1.0", &second);
    let row = format!("trellis_policy_info{{provider=\"alicloud\",version=\"1.1.0\",digest=\"{second}\"}} 1");
    assert_eq!(rows(&metrics, "trellis_policy_info"), [row]);
    metrics.leader("garden", true);
    metrics.leader("garden", false);
    assert_eq!(rows(&metrics, "leader_election"), ["leader_election_master_status{name=\"garden\"} 0"]);
}

#[tokio::test(start_paused = true)]
async fn requests_of_a_client_are_counted_whatever_comes_of_them() {
    let metrics = Metrics::new();
    let service = tower::service_fn(|request: Request<Body>| async move {
        let status = match request.uri().path() {
            "/slow" => return std::future::pending().await,
            "/broken" => return Err(std::io::Error::from(std::io::ErrorKind::ConnectionReset)),
            "/missing" => 404,
            _ => 200,
        };
        Ok(Response::builder().status(status).body(Body::from(b"{}".to_vec())).unwrap())
    });
    let server = Uri::from_static("https://user:secret@10.0.0.1:443/prefix");
    let client = ClientBuilder::new(service, "default").with_layer(&metrics.client_layer(&server)).build();
    for path in ["/good", "/good", "/missing", "/broken", "/slow"] {
        let request = Request::get(path).body(Vec::new()).unwrap();
        let _ = tokio::time::timeout(Duration::from_secs(1), client.request::<serde_json::Value>(request)).await;
    }
    let [good, missing, none] = ["200", "404", "<error>"]
        .map(|code| format!("rest_client_requests_total{{code=\"{code}\",host=\"10.0.0.1:443\",method=\"GET\"}}"));
    assert_eq!(
        rows(&metrics, "rest_client_requests_total"),
        [format!("{good} 2"), format!("{missing} 1"), format!("{none} 2")]
    );
    has(&metrics, &["rest_client_request_duration_seconds_count{verb=\"GET\",host=\"10.0.0.1:443\"} 5"]);
}

#[test]
fn both_formats_are_well_formed_whatever_the_labels_are() {
    let metrics = Metrics::new();
    metrics.held_back("a\"b\\c\nd");
    let row = "trellis_held_back_total{reason=\"a\\\"b\\\\c\\nd\"} 1";
    has(&metrics, &[row, "# HELP trellis_held_back_total Reconciliations that were held back."]);
    assert!(!metrics.text().contains("# EOF"));
    let open = metrics.open_metrics();
    assert!(
        open.contains("# TYPE trellis_held_back counter\n") && open.contains(row) && open.ends_with("# EOF\n")
    );
    // Each name is declared once, before its rows.
    let mut declared = Vec::new();
    for line in metrics.text().lines() {
        if let Some(declaration) = line.strip_prefix("# TYPE ") {
            let name = declaration.split(' ').next().unwrap().to_owned();
            assert!(!declared.contains(&name), "{name}");
            declared.push(name);
        } else if !line.starts_with('#') {
            let name = line.split(['{', ' ']).next().unwrap();
            let last = declared.last().unwrap();
            assert!(
                name.strip_prefix(last.as_str())
                    .is_some_and(|suffix| ["", "_sum", "_count", "_bucket"].contains(&suffix)),
                "{line}"
            );
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn the_process_is_seen() {
    let metrics = Metrics::new();
    for name in ["process_resident_memory_bytes ", "process_cpu_seconds_total ", "process_start_time_seconds "] {
        assert_eq!(rows(&metrics, name).len(), 1, "{name}");
    }
}
