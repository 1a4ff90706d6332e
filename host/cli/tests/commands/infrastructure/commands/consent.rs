//! A person agrees to a plan: at the terminal, or by a plan that the person saved and read.

use std::fs;
use std::path::Path;

use serde_json::json;

use super::{ended, manifest, successes, vpc};
use crate::infrastructure::site::{Site, done, reported, shoot};

#[test]
fn nothing_is_changed_where_nobody_can_be_asked() {
    let site = Site::new();
    let manifest = manifest(&site);
    let (code, stdout, stderr) = ended(&site.command(&["apply"], &manifest).output().unwrap());
    assert_eq!(code, Some(1));
    assert!(stdout.contains("Created:"), "the plan is shown: {stdout}");
    assert!(stderr.contains("error: cannot ask for your agreement: there is no terminal"), "{stderr}");
    assert!(stderr.contains("`--yes`"), "{stderr}");
    assert_eq!(site.world(), json!({}));
}

#[cfg(feature = "native")]
#[test]
fn only_yes_is_an_agreement() {
    use crate::outcome::{Outcome, outcome};
    use trellis_cli::Opened;

    let site = Site::new();
    let manifest = manifest(&site);
    let apply = |answer: &str| {
        let (state, url) = (site.state(), site.url());
        let arguments =
            ["apply", "--cloud", &url, "--state-dir", state.to_str().unwrap(), manifest.to_str().unwrap()];
        let open = || Opened::new(trellis_policies::engine::Native);
        let Outcome { status, stderr, .. } = outcome(open, arguments, answer.as_bytes(), true);
        (status.code(), stderr)
    };
    for answer in ["y\n", "no\n", "", "YES\n"] {
        let (code, reported) = apply(answer);
        assert_eq!(code, 1);
        assert!(reported.contains("Only `yes` is taken for an answer"), "{reported}");
        assert!(reported.contains("you did not agree to the plan; nothing was changed"), "{reported}");
    }
    assert_eq!(site.world(), json!({}));
    assert_eq!(apply("yes\n").0, 0);
    site.assert_no_changes(&manifest);
}

#[test]
fn a_saved_plan_is_carried_out_as_it_was_looked_at_or_not_at_all() {
    let site = Site::new();
    let manifest = manifest(&site);
    let path = |name: &str| site.state().with_file_name(name);
    let save = |name: &str| {
        let path = path(name);
        let saved = site.command(&["plan", "--out", path.to_str().unwrap()], &manifest).output().unwrap();
        assert!(saved.status.success(), "{}", reported(&saved));
        path
    };
    let apply = |plan: &Path| ended(&site.command(&["apply", "--yes"], plan).output().unwrap());
    let refused = |plan: &Path, words: &str| {
        let changes = successes(&site, "CreateVpc");
        let (code, stdout, stderr) = apply(plan);
        assert_eq!(code, Some(1), "{words}: {stdout}{stderr}");
        assert!(stderr.contains(words), "{words}: {stderr}");
        assert_eq!(successes(&site, "CreateVpc"), changes);
    };
    let plan = save("plan.json");
    // Somebody edits it.
    let edited = path("edited.json");
    fs::write(&edited, fs::read_to_string(&plan).unwrap().replace("10.250.0.0/16", "10.251.0.0/16")).unwrap();
    refused(&edited, "it was changed since it was saved");
    // Something else is wanted now.
    let other = site.write("other.yaml", &shoot(2, &json!({})));
    let mut command = site.command(&["apply", "--yes"], &plan);
    let (code, _, stderr) = ended(&command.arg(&other).output().unwrap());
    assert_eq!(code, Some(1));
    assert!(stderr.contains("what is wanted has changed since the plan was made"), "{stderr}");
    // The cloud is another one now.
    let own = site.call("vpc", "CreateVpc", &[("VpcName", "own"), ("CidrBlock", "10.0.0.0/16")]);
    assert_eq!(apply(&plan).0, Some(0), "what others have is no concern of the plan");
    site.call("vpc", "DeleteVpc", &[("VpcId", own["VpcId"].as_str().unwrap())]);
    refused(&plan, "the recorded state has changed since the plan was made");
    let plan = save("none.json");
    site.call("vpc", "ModifyVpcAttribute", &[("VpcId", vpc(&site).as_str()), ("VpcName", "renamed")]);
    let (code, _, stderr) = apply(&plan);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("things have changed since the plan was made"), "{stderr}");
    // A plan to destroy.
    let plan = path("destroy.json");
    done(site.command(&["plan", "--destroy", "--out", plan.to_str().unwrap()], &manifest).output().unwrap());
    assert_eq!(apply(&plan).0, Some(0));
    site.assert_empty();
}
