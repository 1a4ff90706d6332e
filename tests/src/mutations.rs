//! Recorded webhooks as requests of `mutate`.

use serde_json::{Value, json};

/// The request of a recorded case, without facts.
pub fn request(case: &Value) -> Value {
    let input = &case["in"];
    let mut request = json!({ "webhook": case["kind"], "object": input["object"] });
    if !input["old"].is_null() {
        request["oldObject"] = input["old"].clone();
    }
    let cluster = &input["cluster"];
    if cluster.is_object() {
        let part = |name: &str| cluster["spec"][name].clone();
        request["cluster"] = json!({
            "metadata": cluster["metadata"],
            "cloudProfile": part("cloudProfile"),
            "seed": part("seed"),
            "shoot": part("shoot"),
        });
    }
    let config = &input["config"];
    if config.is_object() {
        request["configuration"] = json!({
            "etcd": { "storage": config["etcdStorage"] },
            "service": { "backendLoadBalancerSpec": config["backendLoadBalancerSpec"] },
        });
    }
    request
}

/// The request with answers to what the policy asks: the Cluster, or that there is none.
pub fn with_facts(request: &Value, cluster: Option<&Value>) -> Value {
    let mut request = request.clone();
    let answer = mutate(&request);
    let queries = answer["undecided"].as_array().into_iter().flatten().map(|undecided| &undecided["query"]);
    let facts: Vec<Value> = queries
        .map(|query| {
            let name = query["call"]["parameters"]["name"].as_str().unwrap_or_default();
            let message = format!("clusters.extensions.gardener.cloud \"{name}\" not found");
            let answer = match cluster {
                Some(cluster) => json!({ "response": cluster }),
                None => json!({ "error": { "code": "NotFound", "message": message, "httpStatus": 404 } }),
            };
            json!({ "query": query["id"], "answer": answer })
        })
        .collect();
    request["facts"] = facts.into();
    request
}

/// What the policy answers.
///
/// # Panics
///
/// Where the answer is no JSON.
#[expect(clippy::expect_used, reason = "an answer that is no JSON must fail the test")]
pub fn mutate(request: &Value) -> Value {
    serde_json::from_str(&trellis_core::call("alicloud", "mutate", &request.to_string()))
        .expect("an answer is JSON")
}
