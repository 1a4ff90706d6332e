//! The recorded workers.

use std::collections::BTreeMap;

use serde_json::Value;

use super::cases::{cases, details, live, made_cases, request, workers};

/// Objects by kind and name.
fn by_name(objects: &Value) -> BTreeMap<String, &Value> {
    let name = |object: &Value| format!("{} {}", object["kind"], object["metadata"]["name"]);
    objects.as_array().unwrap().iter().map(|object| (name(object), object)).collect()
}

#[test]
fn machines_are_those_of_the_existing_extension() {
    let (mut compared, mut differences) = (0, Vec::new());
    // Names of machine classes, of pools with the Secret of a node agent as newer gardenlets name it, and without.
    let mut classes = [0, 0];
    for case in made_cases() {
        let (answer, out) = (workers(&request(case), &live(case)), &case["out"]);
        let mut differ = |what: &str, ours: &Value, theirs: &Value| {
            compared += 1;
            if ours != theirs {
                differences.push(format!("{} {what}\n  ours   {ours}\n  theirs {theirs}", case["id"]));
            }
        };
        let machines = &answer["machineDeployments"];
        assert!(machines.is_array(), "{}: {} {}", case["id"], answer["findings"], answer["undecided"]);
        let pools = case["in"]["worker"]["spec"]["pools"].as_array().unwrap();
        for machines in machines.as_array().unwrap() {
            let pool = pools.iter().find(|pool| pool["name"] == machines["poolName"]).unwrap();
            classes[usize::from(pool["nodeAgentSecretName"].is_null())] += 1;
        }
        let all = machines.as_array().unwrap().iter().zip(out["deployments"].as_array().unwrap());
        all.for_each(|(ours, theirs)| differ("deployment", ours, theirs));
        let (own, other) = (by_name(&answer["objects"]), by_name(&out["objects"]));
        assert!(own.keys().eq(other.keys()), "{}", case["id"]);
        for (name, own) in &own {
            differ(name, own, other[name]);
        }
        differ("status", &answer["providerStatus"], &out["providerStatus"]);
        let mut pools = answer["pools"].clone();
        for pool in pools.as_array_mut().unwrap() {
            pool.as_object_mut().unwrap().remove("inPlaceHash");
        }
        differ("pools", &pools, &out["pools"]);
    }
    assert!(
        differences.is_empty(),
        "{} differ:\n{}",
        differences.len(),
        differences[..differences.len().min(12)].join("\n")
    );
    assert!(compared >= 4_000, "{compared} parts are compared");
    assert!(classes.iter().all(|count| *count >= 100), "{classes:?}");
}

#[test]
fn what_the_existing_extension_refuses_or_crashes_on_is_refused_in_its_words() {
    let (mut refused, mut crashed) = (0, 0);
    for case in cases() {
        let (answer, out) = (workers(&request(case), &live(case)), &case["out"]);
        let details = details(&answer);
        if let Some(error) = out["error"].as_str() {
            let words = |detail: &&str| match error {
                // The words of a Go parser.
                "strconv.Atoi: parsing \"\": invalid syntax" => detail.contains("does not begin with a number"),
                _ => {
                    detail.contains(error)
                        || error.contains(*detail)
                        || error.ends_with(detail.rsplit(": ").next().unwrap())
                }
            };
            assert!(details.iter().any(words), "{} {error}\n{details:?}", case["id"]);
            refused += 1;
        } else if !out["panic"].is_null() {
            crashed += 1;
        } else {
            assert_eq!(details, [""; 0], "{}", case["id"]);
            continue;
        }
        assert!(!details.is_empty(), "{}", case["id"]);
        for member in ["machineDeployments", "pools", "objects", "providerStatus"] {
            assert!(answer[member].is_null(), "{member}");
        }
    }
    assert_eq!((refused, crashed), (61, 7));
}
