//! The simulated cloud of the page: the program carries out plans in a simulator in this process, whose world ends
//! with the process. A run belongs to the program, so every tab can follow it.

mod applier;
mod guard;
mod networks;
mod run;
mod secrets;

use std::sync::Arc;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Path, Request, State as Shared};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::middleware;
use axum::response::{IntoResponse as _, Response};
use axum::routing::{get, post};
use serde::Deserialize;
use serde_json::value::RawValue;

use applier::Applier;
use run::Run;

use trellis_policies::engine::Engine;
use trellis_policies::source::MAX_BYTES;

/// Media type of events, a line each.
const EVENTS: &str = "application/x-ndjson";

/// What the page asks for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RunRequest {
    manifests: Vec<Box<RawValue>>,
    operation: RequestedOperation,
}

#[derive(Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum RequestedOperation {
    Reconcile,
    Delete,
}

/// The routes of the simulated cloud.
pub(super) fn routes(engine: Arc<dyn Engine>) -> Router {
    Router::new()
        .route("/apply", post(apply))
        .route("/apply/state", get(state))
        .route("/apply/run/{id}", get(follow))
        .route_layer(middleware::from_fn(guard::guarded))
        .with_state(Arc::new(Applier::new(engine)))
}

/// All networks, and which one has a run that goes on.
async fn state(Shared(applier): Shared<Arc<Applier>>) -> Response {
    ([(CONTENT_TYPE, "application/json")], applier.networks().to_json()).into_response()
}

/// The events of the last run of a network, from its first one to its end.
async fn follow(Shared(applier): Shared<Arc<Applier>>, Path(id): Path<String>) -> Response {
    match applier.networks().run(&id) {
        Some(run) => events(&run),
        None => (StatusCode::NOT_FOUND, "Nothing was run for this network.\n").into_response(),
    }
}

/// Starts a run, and answers with its events.
async fn apply(Shared(applier): Shared<Arc<Applier>>, request: Request) -> Response {
    let Ok(body) = to_bytes(request.into_body(), MAX_BYTES).await else {
        let words = format!("Trellis reads manifests of at most {} MiB.\n", MAX_BYTES >> 20);
        return (StatusCode::PAYLOAD_TOO_LARGE, words).into_response();
    };
    let run_request: RunRequest = match serde_json::from_slice(&body) {
        Ok(run_request) => run_request,
        Err(error) => {
            let words = format!(
                "Write {{\"manifests\": [objects], \"operation\": \"reconcile\" or \"delete\"}}: {error}.\n"
            );
            return (StatusCode::BAD_REQUEST, words).into_response();
        }
    };
    let Ok(turn) = applier.turn() else {
        return (StatusCode::CONFLICT, "Another run goes on; wait until that run ends.\n").into_response();
    };
    let run = Arc::new(Run::default());
    let answer = events(&run);
    // The run goes on when the page is closed: half a network is of no use to anybody.
    tokio::spawn(async move { applier.carry_out(run_request, turn, run).await });
    answer
}

fn events(run: &Run) -> Response {
    ([(CONTENT_TYPE, EVENTS)], Body::from_stream(run.follow())).into_response()
}
