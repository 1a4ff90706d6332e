//! What `trellis validate` prints, in every format.

use std::path::Path;

use serde_json::Value;
use trellis_cli::Status;

use super::toy::trellis;
use super::{CLOUD_PROFILE, CONFIG_MAP, SECRET, SHOOT, broken_shoot, joined, json};

#[test]
fn people_see_every_mistake_at_its_place_with_its_remedy() {
    let shoot = broken_shoot()
        .replace("1.30.1", "1.30")
        .replace("region: north", "region: north\n  purpose: testing\n  image: mine");
    let input = joined(&[&shoot, CONFIG_MAP, CLOUD_PROFILE, SECRET]);
    let outcome = trellis(&["validate"], &input);
    assert_eq!(outcome.status, Status::Rejected);
    insta::assert_snapshot!("human_stdout", outcome.stdout);
    insta::assert_snapshot!("human_stderr", outcome.stderr);
}

#[test]
fn a_misspelt_key_has_its_right_name_and_a_wrong_value_the_nearest_ones() {
    let profile = CLOUD_PROFILE.replace("[south]", "[northeast, northwest]");
    let shoot = SHOOT.replace("region: north", "region: north\n  regoin: south");
    let input = joined(&[&shoot, &profile]);
    let human = trellis(&["validate"], &input).stdout;
    for reported in [
        "8 |   region: north\n  |           ^^^^^\n  |\n  = help: fix spec.region\n  = help: the nearest: `northeast`, `northwest`\n",
        "9 |   regoin: south\n  |   ^^^^^^\n  |\n  = help: fix \n  = help: rename `/spec/regoin` to `region`\n",
    ] {
        assert!(human.contains(reported), "{human}");
    }
    let entries = json(&trellis(&["validate", "-o", "json"], &input));
    let findings = &entries[0]["findings"];
    assert_eq!(findings[0]["choices"], serde_json::json!(["northeast", "northwest"]));
    assert_eq!(
        findings[1]["fix"],
        serde_json::json!([{ "op": "move", "from": "/spec/regoin", "path": "/spec/region" }])
    );
    assert!(findings[1].get("choices").is_none());
    let sarif = trellis(&["validate", "-o", "sarif"], &input).stdout;
    let github = trellis(&["validate", "-o", "github"], &input).stdout;
    assert!(
        sarif.contains("\\nthe nearest: `northeast`, `northwest`")
            && github.contains("%0Athe nearest: `northeast`, ")
    );
}

#[test]
fn colors_come_and_go_as_asked() {
    let colored = trellis(&["validate", "--color", "always"], &broken_shoot()).stdout;
    let plain = trellis(&["--color", "never", "validate"], &broken_shoot()).stdout;
    assert!(colored.contains("\x1b[") && !plain.contains('\x1b'));
    let colored = trellis(&["default", "--color", "always"], SHOOT).stdout;
    assert!(colored.contains("\x1b[32m+    controlPlaneConfig:\x1b[0m"));
}

const SPEC_IN_ONE_LINE: &str =
    r#"{"provider":{"type":"acme","infrastructureConfig":{"networks":{"cidr":"10.0.0.7/16"}}}}}"#;

#[test]
fn columns_count_characters_in_every_format() {
    let shoot = format!("{{\"kind\":\"Shoot\",\"metadata\":{{\"name\":\"é😀\"}},\"spec\":{SPEC_IN_ONE_LINE}");
    let human = trellis(&["validate"], &shoot).stdout;
    let column = shoot.chars().position(|character| character == '7').unwrap() - "\"10.0.0.".len() + 1;
    assert!(human.contains(&format!("--> <stdin>:1:{column}\n")), "{human}");
    let entry = &json(&trellis(&["validate", "-o", "json"], &shoot))[0]["findings"][0];
    assert_eq!(entry["column"], column);
    let region = "/runs/0/results/0/locations/0/physicalLocation/region/startColumn";
    let sarif = json(&trellis(&["validate", "-o", "sarif"], &shoot));
    assert_eq!(sarif.pointer(region).unwrap(), column + 1, "one character is two units of UTF-16");
}

#[test]
fn programs_get_one_entry_an_object_with_places() {
    let input = joined(&[&broken_shoot(), CLOUD_PROFILE]);
    let entries = json(&trellis(&["validate", "-o", "json"], &input));
    assert_eq!(entries[0]["verdict"], "reject");
    assert_eq!(entries[0]["operation"], "create");
    assert_eq!(entries[0]["line"], 1);
    let findings = entries[0]["findings"].as_array().unwrap();
    let lines: Vec<&Value> = findings.iter().map(|finding| &finding["line"]).collect();
    assert!(lines.is_sorted_by_key(|line| line.as_u64()), "the order is that of the text: {lines:?}");
    let finding = findings.iter().find(|finding| finding["rule"] == "ACM-NET-001").unwrap();
    assert_eq!(finding["source"], "acme");
    assert_eq!([&finding["line"], &finding["column"]], [15, 15]);
    assert_eq!([&finding["endLine"], &finding["endColumn"]], [15, 26]);
    assert_eq!(finding["fix"][0]["op"], "replace");
    assert_eq!(entries[0]["changes"][0]["rule"], "ACM-DEF-001");
    assert_eq!(entries[1]["kind"], "CloudProfile");
    assert_eq!(entries[1]["verdict"], "accept");
    assert_eq!(entries[1]["line"], 17);
}

#[test]
fn yaml_output_says_the_same_as_json() {
    let input = joined(&[&broken_shoot(), CLOUD_PROFILE]);
    let yaml = trellis(&["validate", "-o", "yaml"], &input).stdout;
    let (_, nodes) = trellis_policies::source::read("yaml", yaml.as_bytes()).unwrap();
    let from_yaml: Value = serde_json::from_str(&nodes[0].to_json()).unwrap();
    assert_eq!(from_yaml, json(&trellis(&["validate", "-o", "json"], &input)));
}

#[test]
fn sarif_follows_its_schema() {
    let text =
        std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures/sarif-2.1.0.json"))
            .unwrap();
    // The pattern of language tags has a stray bracket, with which it is no regular expression.
    let text = text.replace("{2}]?$", "{2}?$");
    let schema: Value = serde_json::from_str(&text).unwrap();
    let schema = jsonschema::validator_for(&schema).unwrap();
    let undecided = SHOOT.replace("region: north", "region: north\n  image: mine");
    let unknown = SHOOT.replace("type: acme", "type: other");
    let inputs = [
        joined(&[&broken_shoot(), CLOUD_PROFILE, SECRET]),
        SHOOT.to_owned(),
        undecided,
        unknown,
        "a: b: c".to_owned(),
    ];
    for input in inputs {
        let log = json(&trellis(&["validate", "-o", "sarif"], &input));
        let errors: Vec<_> = schema.iter_errors(&log).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:#?}");
        assert_eq!(log["runs"][0]["columnKind"], "utf16CodeUnits");
    }
}

#[test]
fn sarif_results_refer_to_the_rules_they_come_from() {
    let input = joined(&[&broken_shoot().replace("region: north", "region: north\n  image: mine"), CLOUD_PROFILE]);
    let log = json(&trellis(&["validate", "-o", "sarif"], &input));
    let run = &log["runs"][0];
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        assert_eq!(run["tool"]["driver"]["rules"][index]["id"], result["ruleId"]);
    }
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    let ids: Vec<_> = rules.iter().map(|rule| rule["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["ACM-NET-001", "ACM-REG-001", "ACM-IMG-001"], "no rule without a result");
    assert_eq!(rules[0]["help"]["text"], "How to fix ACM-NET-001.");
    assert_eq!(
        rules[0].get("helpUri").or(run["tool"]["driver"].get("informationUri")),
        None,
        "no address is made up"
    );
    assert_eq!(run["results"][0]["level"], "error");
    assert_eq!(run["results"][2]["kind"], "open");
    assert_eq!(run["invocations"][0]["executionSuccessful"], true);
}

#[test]
fn sarif_shows_what_could_not_be_judged() {
    let log = json(&trellis(&["validate", "-o", "sarif"], "kind: Shoot\nspec:\n  provider:\n    type: other\n"));
    let invocation = &log["runs"][0]["invocations"][0];
    assert_eq!(invocation["executionSuccessful"], false);
    let location = "/toolExecutionNotifications/0/locations/0/physicalLocation/region/startLine";
    assert_eq!(invocation.pointer(location).unwrap(), 4);
}

#[test]
fn github_gets_workflow_commands() {
    let shoot = broken_shoot().replace("region: north", "region: north\n  image: mine");
    let outcome = trellis(&["validate", "-o", "github"], &joined(&[&shoot, CLOUD_PROFILE]));
    insta::assert_snapshot!("github", outcome.stdout);
    let outcome = trellis(&["validate", "-o", "github"], "kind: Shoot\nkind: Shoot\n");
    assert_eq!(outcome.status, Status::Failed);
    assert!(outcome.stdout.starts_with("::error file=<stdin>,line=2,col=1,"), "{}", outcome.stdout);
}

#[test]
fn every_format_says_that_findings_were_left_out() {
    let warned = broken_shoot().replace("1.30.1", "1.30");
    let shoot = warned.replace("region: north", "region: north\n  purpose: evaluation");
    let note = "Shoot garden-dev/crazy has more errors and warnings than are listed";
    for format in ["human", "json", "yaml", "sarif", "github"] {
        let says = |shoot: &str| {
            let text = trellis(&["validate", "-o", format], shoot).stdout;
            text.contains(note) || text.contains("truncated")
        };
        assert!(says(&shoot), "{format}");
        assert!(!says(&warned), "{format}");
    }
    let entry = &json(&trellis(&["validate", "-o", "json"], &shoot))[0];
    assert_eq!(entry["truncated"], serde_json::json!(["error", "warning"]));
}

#[test]
fn warnings_are_left_out_of_every_format_where_errors_alone_are_asked_for() {
    let warned = SHOOT.replace("1.30.1", "1.30");
    let both =
        broken_shoot().replace("1.30.1", "1.30").replace("region: north", "region: north\n  purpose: evaluation");
    for format in ["human", "json", "yaml", "sarif", "github"] {
        let all = trellis(&["validate", "-o", format], &both).stdout;
        assert!(all.contains("ACM-ADV-001") && all.contains("warning"), "{format}: {all}");
        let errors = trellis(&["validate", "-o", format, "--errors"], &both).stdout;
        assert!(errors.contains("ACM-NET-001") && !errors.contains("ACM-ADV-001"), "{format}: {errors}");
        assert!(!errors.contains("errors and warnings"), "{format}: {errors}");
        for further in [&[][..], &["--fail-on", "warning"]] {
            let status = |options: &[&str]| {
                trellis(&[&["validate", "-o", format], further, options].concat(), &warned).status
            };
            assert_eq!(status(&["--errors"]), status(&[]), "{format}: {further:?}");
        }
    }
    assert_eq!(trellis(&["validate", "--errors", "--strict"], &warned).status, Status::Rejected);
    let human = trellis(&["validate", "--errors"], &both).stdout;
    assert!(human.contains("\n1 document: 1 error, 1 warning not shown\n"), "{human}");
}

#[test]
fn values_of_secrets_never_appear() {
    let secrets = [
        SECRET.to_owned(),
        SECRET.replace("key: hunter2", "key: hunter2\n  key: hunter2"),
        SECRET.replace("key: hunter2", "key: hunter2: hunter2"),
        SECRET.replace("key: hunter2", "key: @hunter2"),
        SECRET.replace("metadata:", "data: hunter2\nmetadata:"),
        SECRET.replace("kind: Secret", "kind: Secret\nkind: hunter2"),
        format!("{{\"kind\":\"Secret\",\"data\":{{\"key\":\"hunter2\"}}{}", "}}"),
        format!("kind: List\nitems:\n- {}", SECRET.replace('\n', "\n  ")),
        SECRET.replace("kind: Secret", "kind: InternalSecret"),
        SECRET.replace("kind: Secret", "kind: SecretList\nitems: [{data: {key: hunter2}}]"),
    ];
    for secret in secrets {
        for format in ["human", "json", "yaml", "sarif", "github"] {
            let outcome = trellis(&["validate", "-o", format, "--provider", "acme"], &secret);
            assert_ne!(outcome.status, Status::Success, "{format}: {secret}");
            assert!(!outcome.stdout.contains("hunter2"), "{format}: {}", outcome.stdout);
            assert!(!outcome.stderr.contains("hunter2"), "{format}: {}", outcome.stderr);
        }
        for format in ["human", "json", "yaml", "patch"] {
            let outcome = trellis(&["default", "-o", format, "--provider", "acme"], &secret);
            assert!(!(outcome.stdout + &outcome.stderr).contains("hunter2"), "{format}: {secret}");
        }
    }
}
