//! What programs read of a command that fails, and how calls are counted.

use serde_json::Value;

use super::{ended, manifest, trellis};
use crate::infrastructure::site::{Site, done};

fn error(stdout: &str) -> Value {
    let document: Value = serde_json::from_str(stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"));
    document["error"].clone()
}

#[test]
fn every_failure_is_a_document_for_programs() {
    for (arguments, code) in [
        (&["plan", "missing.yaml", "-o", "json"][..], 1),
        (&["plan", "missing.yaml", "--clock", "0", "-o", "json"], 1),
        (&["plan", "missing.yaml", "--format=json", "--baseline", "empty", "--out", "plan.json"], 1),
        (&["apply", "missing.yaml", "-o", "json"], 1),
        (&["apply", "--no-such-option", "-ojson"], 1),
        (&["destroy", "missing.yaml", "-o", "json"], 1),
        (&["zones", "missing.yaml", "-o", "json"], 2),
        (&["zones", "--no-such-option", "-o", "json"], 2),
        (&["state", "export", "--state-dir", "/no/such/folder"], 1),
        (&["ram-policy", "--provider", "aws"], 1),
    ] {
        let (ended, stdout, stderr) = ended(&trellis(arguments).output().unwrap());
        assert_eq!(ended, Some(code), "{arguments:?}: {stdout}{stderr}");
        let error = error(&stdout);
        assert_eq!(error["code"], "Failed", "{arguments:?}");
        let message = error["message"].as_str().unwrap();
        assert!(!message.is_empty() && stderr.contains(message.lines().next().unwrap()), "{message}: {stderr}");
        let is_run = ["apply", "destroy"].contains(&arguments[0]);
        assert_eq!(stdout.contains("\"event\":\"result\""), is_run, "{stdout}");
    }
}

#[test]
fn a_clock_that_does_not_go_on_is_refused_with_what_to_write() {
    for clock in ["0", "-1", "inf", "NaN", "fast"] {
        let clock = format!("--clock={clock}");
        let (code, stdout, stderr) = ended(&trellis(&["apply", "shoot.yaml", &clock]).output().unwrap());
        assert_eq!((code, stdout.as_str()), (Some(1), ""), "{clock}: {stderr}");
        assert!(stderr.contains("write a number above 0, such as `1` for real time"), "{stderr}");
    }
}

#[test]
fn plan_progress_and_result_count_the_same_calls() {
    let site = Site::new();
    let manifest = manifest(&site);
    let plan = site.plan(&manifest)["plan"]["steps"].as_array().unwrap().len();
    let reported = site.apply(&manifest);
    for expected in [
        format!("\n{plan} calls to make:\n"),
        format!("({plan} of {plan})\n"),
        format!("\nDone: {plan} calls made, with "),
    ] {
        assert!(reported.contains(&expected), "{expected}: {reported}");
    }
    let destroyed = done(site.command(&["destroy", "--yes", "-o", "json"], &manifest).output().unwrap());
    let done = destroyed.lines().filter(|line| line.contains("\"stepDone\"")).count();
    let result: Value = serde_json::from_str(destroyed.lines().last().unwrap()).unwrap();
    assert_eq!(result["steps"], done);
}
