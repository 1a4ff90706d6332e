//! Workers of recorded cases: requests of `workers`, and what the seeds hold.

use serde_json::{Value, json};

use crate::asking::asked;
use crate::control_planes::secret;

/// The request of a recorded case.
pub fn request(case: &Value) -> Value {
    let input = &case["in"];
    let cluster = &input["cluster"];
    json!({
        "worker": input["worker"],
        "cluster": {
            "metadata": cluster["metadata"],
            "cloudProfile": cluster["spec"]["cloudProfile"],
            "seed": cluster["spec"]["seed"],
            "shoot": cluster["spec"]["shoot"],
        },
    })
}

/// What the seed of a recorded case holds: the Secrets with user data.
pub fn live(case: &Value) -> impl Fn(&Value) -> Option<Value> + use<'_> {
    |parameters| {
        let mut secrets = case["in"]["secrets"].as_array()?.iter();
        let held = secrets.find(|held| held["name"] == parameters["name"])?;
        Some(secret(&held["data"]))
    }
}

/// The last answer of `workers` to a request.
pub fn workers(request: &Value, live: &dyn Fn(&Value) -> Option<Value>) -> Value {
    asked("workers", request, live).pop().map(|(_, answer)| answer).unwrap_or_default()
}
