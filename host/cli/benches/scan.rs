//! `trellis scan` of 10,000 Shoots: processor time and memory of the process.
//!
//! The garden is served by this process, and `trellis` is one of its own. With `TRELLIS_POLICIES` the sandbox runs
//! the policies.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "the inputs are our own")]

#[path = "../tests/support/mod.rs"]
mod support;

use std::fs;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use trellis_policies::source::read;

use support::garden::Garden;

const PROFILES: &str = "apis/core.gardener.cloud/v1beta1/cloudprofiles";
const SHOOTS: &str = "apis/core.gardener.cloud/v1beta1/shoots";

/// The object of an example.
fn example(name: &str) -> Value {
    let path = format!("{}/../../examples/{name}", env!("CARGO_MANIFEST_DIR"));
    let (_, roots) = read(name, &fs::read(path).unwrap()).unwrap();
    serde_json::from_str(&roots[0].to_json()).unwrap()
}

/// What the API server says of who wrote which field: about as long as the object.
fn managed(value: &Value) -> Value {
    match value {
        Value::Object(members) => members
            .iter()
            .map(|(key, value)| (format!("f:{key}"), managed(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        Value::Array(items) => {
            let key = |at: usize| format!(r#"k:{{"name":"{at}"}}"#);
            items
                .iter()
                .enumerate()
                .map(|(at, value)| (key(at), managed(value)))
                .collect::<serde_json::Map<_, _>>()
                .into()
        }
        _ => json!({}),
    }
}

fn filled(shoots: usize) -> Garden {
    let garden = Garden::new(&[PROFILES, SHOOTS]);
    let mut profile = example("cloudprofile-regions.yaml");
    let machine = profile["spec"]["machineTypes"][0].clone();
    let machines = (0..300).map(|at| {
        let mut machine = machine.clone();
        machine["name"] = json!(if at == 0 { "ecs.g7.large".to_owned() } else { format!("ecs.g{at}.large") });
        machine
    });
    profile["spec"]["machineTypes"] = machines.collect();
    garden.add(PROFILES, profile);
    let mut shoot = example("two-zones.yaml");
    let condition = json!({ "type": "APIServerAvailable", "status": "True", "reason": "HealthzRequestSucceeded", "message": "API server /healthz endpoint responded with success status code." });
    shoot["status"] = json!({ "technicalID": "shoot--dev--s", "conditions": vec![condition; 6] });
    let fields = json!({ "manager": "kubectl", "operation": "Update", "fieldsV1": managed(&shoot) });
    shoot["metadata"]["managedFields"] = json!([fields.clone(), fields]);
    for number in 0..shoots {
        shoot["metadata"]["name"] = json!(format!("s{number}"));
        shoot["metadata"]["namespace"] = json!(format!("garden-p{}", number / 20));
        garden.add(SHOOTS, shoot.clone());
    }
    println!("{shoots} Shoots of {} bytes each", shoot.to_string().len());
    garden
}

/// The processor time and the most memory of a process, in milliseconds and KiB, once it has ended.
fn watch(child: &Child) -> (u64, u64) {
    let folder = format!("/proc/{}", child.id());
    let mut peak = 0;
    loop {
        let status = fs::read_to_string(format!("{folder}/status")).unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.and_then(|line| line.trim().strip_suffix(" kB")?.trim().parse().ok()).unwrap_or(0).max(peak);
        let stat = fs::read_to_string(format!("{folder}/stat")).unwrap_or_default();
        let fields: Vec<&str> = stat.rsplit(") ").next().unwrap_or_default().split(' ').collect();
        if fields.first().is_none_or(|state| *state == "Z") {
            let ticks = |at: usize| fields.get(at).and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
            // A tick has ten milliseconds on Linux.
            return ((ticks(11) + ticks(12)) * 10, peak);
        }
        sleep(Duration::from_millis(20));
    }
}

fn measure(what: &str, garden: &Garden, format: &str) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command.args(["scan", "-o", format, "--kind", "Shoot", "--kubeconfig"]).arg(garden.kubeconfig());
    let began = Instant::now();
    let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    let (milliseconds, kib) = watch(&child);
    let status = child.wait().unwrap();
    println!(
        "{what}: {milliseconds} ms of processor time, {} ms, peak {} MiB, {status}, {} requests",
        began.elapsed().as_millis(),
        kib >> 10,
        garden.requests().len()
    );
}

fn main() {
    for shoots in [1_000, 10_000] {
        let garden = filled(shoots);
        measure("table", &garden, "table");
        measure("json", &garden, "json");
    }
}
