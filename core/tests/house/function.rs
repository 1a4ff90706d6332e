//! "Adding a function": what answers it, and a line of a table.

use serde_json::{Value, json};
use trellis_core::document::parse;
use trellis_core::functions;
use trellis_core::policy::{About, COMMON, Function, Module, Part, RequestError, call};

use crate::toy::ABOUT;

/// A part of a policy that counts.
struct Counting {
    /// Counts the worker pools of a Shoot.
    count: fn(&Value) -> usize,
}

static TOY: Counting =
    Counting { count: |shoot| shoot["spec"]["provider"]["workers"].as_array().map_or(0, Vec::len) };

const COUNTING: &[Function<Counting>] = functions! {
    "count": "Counts the worker pools of a Shoot.", count, Some(schema) => schema;
};

impl Part for Counting {
    fn about(&self) -> About {
        ABOUT
    }

    fn names(&self) -> Vec<&'static str> {
        COUNTING.iter().map(|function| function.name).collect()
    }

    fn call(&self, function: &str, request: &str) -> Option<Result<String, RequestError>> {
        call(COUNTING, self, function, request)
    }
}

fn count(policy: &Counting, request: &str) -> Result<String, RequestError> {
    let document = parse(request)?;
    let shoot: Value = serde_json::from_str(&document.to_string()).unwrap_or_default();
    Ok(json!({ "pools": (policy.count)(&shoot) }).to_string())
}

#[cfg(feature = "schema")]
fn schema() -> schemars::Schema {
    schemars::Schema::default()
}

#[test]
fn a_module_answers_a_function_of_its_table_and_lists_it() {
    let ask = |function: &str, request: &str| -> Value {
        let module = Module { common: COMMON, parts: vec![&TOY] };
        serde_json::from_str(&module.call(function, request)).unwrap()
    };
    let shoot = json!({ "spec": { "provider": { "workers": [{}, {}] } } });
    assert_eq!(ask("count", &shoot.to_string()), json!({ "pools": 2 }));
    assert_eq!(ask("info", "{}")["functions"], json!(["count", "info"]));
    assert_eq!(ask("count", "{")["error"]["code"], "Malformed");
    let message = &ask("validate", "{}")["error"]["message"];
    assert_eq!(message, "there is no function `validate` here; there are count and info");
}
