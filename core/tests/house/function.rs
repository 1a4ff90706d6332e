//! "Adding a function": one entry of a table, and what answers it.

use serde_json::{Value, json};
use trellis_core::document::parse;
use trellis_core::gardener::cloud::Judging;
use trellis_core::policy::{COMMON, Function, Module, Provider, RequestError, Table};

use crate::toy::JUDGING;

/// What a provider implements for the function.
trait Counting: Provider {
    /// Counts the worker pools of a Shoot.
    fn count(&self, shoot: &Value) -> usize;
}

impl Counting for Judging {
    fn count(&self, shoot: &Value) -> usize {
        shoot["spec"]["provider"]["workers"].as_array().map_or(0, Vec::len)
    }
}

fn call(policy: &dyn Counting, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let shoot: Value = serde_json::from_str(&document.to_string()).unwrap_or_default();
    Ok(json!({ "pools": policy.count(&shoot) }).to_string())
}

#[cfg(feature = "schema")]
fn schema() -> schemars::Schema {
    schemars::Schema::default()
}

const COUNTING: &[Function<dyn Counting>] = trellis_core::functions! {
    "count": "Counts the worker pools of a Shoot.", call, Some(schema) => schema;
};

#[test]
fn a_module_answers_a_function_of_its_table_and_tells_it() {
    let ask = |function: &str, request: &str| -> Value {
        let table = Table::of(COUNTING, &JUDGING);
        let module = Module { common: COMMON, parts: vec![Box::new(table)] };
        serde_json::from_str(&module.call(function, request)).unwrap()
    };
    let shoot = json!({ "spec": { "provider": { "workers": [{}, {}] } } });
    assert_eq!(ask("count", &shoot.to_string()), json!({ "pools": 2 }));
    assert_eq!(ask("info", "{}")["functions"], json!(["count", "info"]));
    assert_eq!(ask("count", "{")["error"]["code"], "Malformed");
    let message = &ask("validate", "{}")["error"]["message"];
    assert_eq!(message, "there is no function `validate` here; there are count and info");
}
