//! Objects that nobody plans, or that the API server would refuse.

use serde_json::json;

use super::planner::Planner;
use super::{ENTRY, INFRASTRUCTURE, planner};

#[test]
fn an_object_that_no_policy_plans_is_left_to_others_and_no_rules_are_promised() {
    let bucket = |provider: &str| ENTRY.replace("Entry", "Bucket").replace("acme", provider);
    let record = ENTRY.replace("BackupEntry", "DNSRecord");
    for (input, problem, help) in [
        (
            bucket("umbra"),
            "BackupBucket of the type `umbra`",
            "where `spec.type` is `acme`: correct the type, or leave it to",
        ),
        (bucket("aws"), "BackupBucket of the type `aws`", "where `spec.type` is `acme`"),
        (bucket("acne"), "BackupBucket of the type `acne`", "did you mean `acme`?"),
        (record, "DNSRecord of the type `acme`", "where `spec.type` is `acme-dns`"),
        (ENTRY.to_owned(), "BackupEntry of the type `acme`", "help: leave it to the extension of its provider"),
        (INFRASTRUCTURE.replace("acme", "aws"), "Infrastructure of the type `aws`", "where `spec.type` is `acme`"),
    ] {
        let outcome = planner().trellis(&["plan", "--baseline", "empty"], &input);
        assert_eq!((outcome.status.code(), outcome.stdout.as_str()), (1, ""), "{problem}");
        let said = outcome.stderr;
        assert!(said.contains(problem) && said.contains(help) && said.contains("<stdin>:4:"), "{said}");
        assert!(!said.contains("validate") && !said.contains("--provider"), "{said}");
    }
}

#[test]
fn a_provider_that_is_not_the_one_of_the_object_is_left_out() {
    let outcome = planner()
        .trellis(&["plan", "--baseline", "empty", "--provider", "umbra"], &ENTRY.replace("Entry", "Bucket"));
    let said = outcome.stderr;
    assert!(said.contains("of `umbra` yet") && said.contains("leave out `--provider`"), "{said}");
}

#[test]
fn a_form_that_the_api_server_refuses_is_an_error_at_its_place_that_says_what_to_write() {
    let bucket = ENTRY
        .replace("Entry", "Bucket")
        .replace("bucketName: pail, secretRef: {name: entry", "secretRef: {name: s");
    let metadata = |more: &str| bucket.replace("{name: shoot--dev--crazy--1", &format!("{{name: pail, {more}"));
    let map = "`kubectl get -o yaml` shows";
    let quotes = "put quotes around the value";
    for (input, line, problem, help) in [
        (
            bucket.replace("v1alpha1", "v1beta1"),
            "1",
            "`apiVersion` must be `extensions.gardener.cloud/v1alpha1`",
            "correct",
        ),
        (
            bucket.replace("extensions.", "core."),
            "1",
            "is not of `extensions.gardener.cloud/v1alpha1`",
            "in the seed",
        ),
        (
            bucket.replace("shoot--dev--crazy--1", "1"),
            "3",
            "`metadata.name` must be a text, and is a number",
            quotes,
        ),
        (metadata("uid: [1]"), "3", "`metadata.uid` must be a text, and is a list", "write a text"),
        (metadata("labels: x"), "3", "`metadata.labels` must be a map, and is a text", "write `key: \"value\"`"),
        (
            metadata("annotations: {a/b: true}"),
            "3",
            "`metadata.annotations.a/b` must be a text, and is `true`",
            quotes,
        ),
        (bucket.replace("eu-1", "1"), "4", "`spec.region` must be a text, and is a number", quotes),
        (
            bucket.replace("{name: s, namespace: garden}", "s"),
            "4",
            "`spec.secretRef` must be a map",
            "of the Secret",
        ),
        (
            bucket.replace("name: s, ", ""),
            "4",
            "`spec.secretRef.name` is missing",
            "of the Secret below `spec.secretRef`",
        ),
        (bucket.replace("name: s,", "name: '',"), "4", "`spec.secretRef.name` is missing", "of the Secret"),
        (
            bucket.replace(", secretRef: {name: s, namespace: garden}", ""),
            "4",
            "`spec.secretRef.name` is missing",
            "of the Secret",
        ),
        (bucket.replace("name: s,", "name: 7,"), "4", "`spec.secretRef.name` must be a text", quotes),
        (format!("{bucket}status: foo\n"), "5", "`status` must be a map, and is a text", map),
        (format!("{bucket}status: {{state: foo}}\n"), "5", "`status.state` must be a map, and is a text", map),
    ] {
        let outcome = planner().trellis(&["plan", "--baseline", "empty"], &input);
        assert_eq!((outcome.status.code(), outcome.stdout.as_str()), (1, ""), "{problem}");
        let said = outcome.stderr;
        let words = [problem, help, &format!("<stdin>:{line}:")];
        assert!(words.iter().all(|word| said.contains(word)), "{words:?}: {said}");
    }
    let both = metadata("labels: 1, annotations: 1");
    let said = planner().trellis(&["plan", "--baseline", "empty"], &both).stderr;
    assert!(said.contains("`metadata.labels` must") && said.contains("`metadata.annotations` must"), "{said}");
    let taken = metadata("labels: null, annotations: {a/b: null}") + "status: {}\n";
    let outcome = planner().trellis(&["plan", "--baseline", "empty"], &taken);
    assert_eq!(outcome.stderr, "", "what the API server takes passes");
}

#[test]
fn a_state_that_nobody_can_read_has_its_place() {
    let input = ENTRY.replace("Entry", "Bucket") + "status: {state: {kind: foo}}\n";
    let failure =
        json!({ "error": { "code": "Malformed", "message": "unknown kind", "pointer": "/status/state" } });
    let said = Planner::new(failure).trellis(&["plan", "--baseline", "empty"], &input).stderr;
    let words = ["could not be planned: unknown kind", "<stdin>:5:10\n", "correct the value at this place"];
    assert!(words.iter().all(|word| said.contains(word)), "{said}");
}
