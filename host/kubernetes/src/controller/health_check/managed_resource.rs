//! Health of `ManagedResource`s, as Gardener judges it (reference: gardener-contract 6.1).

use serde_json::Value;

use super::condition;
use crate::api_server::member::{number, text};
use crate::api_server::objects::{name, namespace};

/// The code of a configuration that people have to correct.
const CONFIGURATION_PROBLEM: &str = "ERR_CONFIGURATION_PROBLEM";

/// Why a `ManagedResource` is not healthy.
pub fn check(object: &Value) -> Result<(), String> {
    let place = format!("{}/{}", namespace(object), name(object));
    let (observed, generation) =
        (number(object, "/status/observedGeneration"), number(object, "/metadata/generation"));
    if observed != generation {
        return Err(format!("observed generation of managed resource {place} outdated ({observed}/{generation})"));
    }
    for kind in ["ResourcesApplied", "ResourcesHealthy"] {
        let condition = condition(object, kind)
            .ok_or_else(|| format!("condition {kind} for managed resource {place} has not been reported yet"))?;
        let status = text(condition, "/status");
        if status != "True" {
            let message = text(condition, "/message");
            return Err(format!("condition {kind} of managed resource {place} is {status}: {message}"));
        }
    }
    Ok(())
}

/// The code for a detail that says that an object is refused.
pub fn code(detail: &str) -> Option<&'static str> {
    let is_refusal = |line: &str| {
        let after = line.split_once("error during apply of object ").map(|(_, after)| after);
        after.is_some_and(|after| after.contains(" is invalid:"))
    };
    detail.to_lowercase().lines().any(is_refusal).then_some(CONFIGURATION_PROBLEM)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn object(observed: i64, conditions: &[(&str, &str)]) -> Value {
        let conditions: Vec<_> = conditions
            .iter()
            .map(|(kind, status)| json!({ "type": kind, "status": status, "message": "words" }))
            .collect();
        json!({
            "metadata": { "namespace": "s", "name": "a", "generation": 2 },
            "status": { "observedGeneration": observed, "conditions": conditions },
        })
    }

    #[test]
    fn a_managed_resource_is_applied_and_healthy_and_its_status_is_about_its_spec() {
        for (observed, conditions, expected) in [
            (2, &[("ResourcesApplied", "True"), ("ResourcesHealthy", "True")][..], Ok(())),
            (1, &[], Err("observed generation of managed resource s/a outdated (1/2)")),
            (3, &[], Err("observed generation of managed resource s/a outdated (3/2)")),
            (2, &[], Err("condition ResourcesApplied for managed resource s/a has not been reported yet")),
            (
                2,
                &[("ResourcesApplied", "False"), ("ResourcesHealthy", "False")],
                Err("condition ResourcesApplied of managed resource s/a is False: words"),
            ),
            (
                2,
                &[("ResourcesApplied", "True")],
                Err("condition ResourcesHealthy for managed resource s/a has not been reported yet"),
            ),
            (
                2,
                &[("ResourcesApplied", "True"), ("ResourcesHealthy", "Progressing")],
                Err("condition ResourcesHealthy of managed resource s/a is Progressing: words"),
            ),
        ] {
            assert_eq!(check(&object(observed, conditions)), expected.map_err(str::to_owned), "{conditions:?}");
        }
    }

    #[test]
    fn an_object_that_is_refused_is_a_problem_of_the_configuration() {
        for (detail, has_code) in [
            ("Error during apply of object \"v1/Service/a/b\" is invalid: spec", true),
            ("error during apply of object x", false),
            ("error during apply of object x\n is invalid: y", false),
            ("x is invalid: y", false),
        ] {
            assert_eq!(code(detail).is_some(), has_code, "{detail}");
        }
    }
}
