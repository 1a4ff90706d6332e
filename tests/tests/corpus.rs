//! Every case of the corpus is answered as expected, and every rule has cases.
//!
//! `UPDATE_CORPUS=1 cargo test --workspace --test corpus` writes the expectations again; read the difference.

#![expect(clippy::panic, reason = "a mistake in the corpus must fail the tests")]
#![expect(clippy::unwrap_used, reason = "a broken answer must fail the test")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

use serde_json::Value;
use trellis_core::report::{Effect, Operation, Rule};
use trellis_tests::corpus::{self, Case};

/// The cases, after their expectations have been written again where that is wanted.
static CASES: LazyLock<Vec<Case>> = LazyLock::new(|| {
    if std::env::var_os("UPDATE_CORPUS").is_some() {
        let updated = corpus::update(&corpus::folder()).unwrap_or_else(|error| panic!("{error}"));
        for path in updated {
            println!("wrote {}", path.display());
        }
    }
    corpus::cases()
});

fn parse(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

fn rules(provider: &str) -> Vec<&'static Rule> {
    trellis_core::provider::policy(provider).unwrap().rules()
}

#[test]
fn every_case_is_answered_as_expected() {
    let answer = |case: &Case| trellis_core::call(&case.provider, &case.function, &case.request);
    let different: Vec<String> = CASES
        .iter()
        .map(|case| (case, answer(case)))
        .filter(|(case, answer)| *answer != case.expected())
        .map(|(case, answer)| format!("{}:\n  expected {}\n  found    {answer}", case.path(), case.expected()))
        .collect();
    assert!(different.is_empty(), "{} cases differ:\n{}", different.len(), different.join("\n"));
}

#[test]
fn rules_that_hold_say_nothing() {
    for case in CASES.iter().filter(|case| !case.holds.is_empty()) {
        assert!(
            parse(&case.expected())["error"].is_null(),
            "{}: nothing holds where there is no answer",
            case.path()
        );
        for id in &case.holds {
            assert!(!case.fires.contains(id), "{}: {id} does not hold", case.path());
        }
    }
}

#[test]
fn every_rule_has_a_case_that_accepts_and_one_that_rejects() {
    let mut lacking = Vec::new();
    for provider in trellis_core::policies() {
        let mut judged: BTreeMap<&str, [usize; 2]> = BTreeMap::new();
        for case in CASES.iter().filter(|case| case.provider == provider) {
            for (index, ids) in [&case.fires, &case.holds].into_iter().enumerate() {
                for id in ids {
                    judged.entry(id).or_default()[index] += 1;
                }
            }
        }
        // Whole control planes and Workers are no text to read: the rules of `render` and `workers` have their
        // cases in `tests/tests/rendering` and `tests/tests/workers`.
        let is_rendered = |rule: &Rule| rule.kinds == ["ControlPlane"] || rule.kinds == ["Worker"];
        for rule in rules(provider).iter().filter(|rule| !rule.informative && !is_rendered(rule)) {
            let id = rule.id;
            let [fires, holds] = judged.remove(id).unwrap_or_default();
            if fires == 0 || holds == 0 {
                lacking.push(format!("{id}: fires in {fires} cases, holds in {holds}"));
            }
        }
        let informative: BTreeSet<&str> = rules(provider).iter().map(|rule| rule.id).collect();
        for id in judged.keys() {
            assert!(informative.contains(id), "a case names {id}, which is no rule of {provider}");
        }
    }
    assert!(lacking.is_empty(), "{} rules lack cases:\n{}", lacking.len(), lacking.join("\n"));
}

/// A case that says that a rule holds must be one that the rule looks at.
#[test]
fn rules_hold_in_cases_of_their_kind_and_operation() {
    for provider in trellis_core::policies() {
        let rules = rules(provider);
        for case in CASES.iter().filter(|case| case.provider == provider && !case.holds.is_empty()) {
            let request = parse(&case.request);
            let kind = match case.function.as_str() {
                "plan" if request["request"]["backupBucket"].is_object() => "BackupBucket",
                "plan" if request["request"]["backupEntry"].is_object() => "BackupEntry",
                "plan" if request["request"]["dnsRecord"].is_object() => "DNSRecord",
                "plan" if request["request"]["bastion"].is_object() => "Bastion",
                "plan" => "Infrastructure",
                _ => request["object"]["kind"].as_str().unwrap_or_default(),
            };
            let last_operation = &request["request"]["infrastructure"]["status"]["lastOperation"]["type"];
            let update =
                !request["oldObject"].is_null() || last_operation.as_str().is_some_and(|last| last != "Create");
            for id in &case.holds {
                let rule = rules.iter().find(|rule| rule.id == id).unwrap();
                assert!(rule.kinds.contains(&kind), "{}: {id} does not judge a {kind}", case.path());
                let fits = match rule.operation {
                    Operation::Create => !update,
                    Operation::Update => update,
                    Operation::Both => true,
                };
                assert!(fits, "{}: {id} does not run on this operation", case.path());
                let effect = if ["default", "mutate"].contains(&case.function.as_str()) {
                    Effect::Default
                } else {
                    Effect::Validate
                };
                assert_eq!(rule.effect, effect, "{}: {id} is no rule of {}", case.path(), case.function);
            }
        }
    }
}

/// Providers whose fact sheets list no rules by id.
const WITHOUT_SHEET: [&str; 1] = ["equinixmetal"];

/// The lines of a file next to the fact sheets; none where there is no such file.
fn sheet(provider: &str, extension: &str) -> Option<Vec<String>> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("sheets").join(provider).with_extension(extension);
    fs::read_to_string(path).ok().map(|text| text.lines().map(str::to_owned).collect())
}

/// `sheets/<policy>.txt` lists the rules of a fact sheet, an id a line. `sheets/<policy>.not-judged.txt` lists
/// those of them that the policy does not judge: an id, or the beginning of ids up to a `-`, a line.
#[test]
fn every_rule_of_a_fact_sheet_is_described_once() {
    for provider in trellis_core::policies() {
        let described: Vec<&str> = rules(provider).iter().map(|rule| rule.id).collect();
        let unique: BTreeSet<&str> = described.iter().copied().collect();
        assert_eq!(unique.len(), described.len(), "{provider} describes an id twice");
        if WITHOUT_SHEET.contains(&provider) {
            continue;
        }
        let not_judged = sheet(provider, "not-judged.txt").unwrap_or_default();
        for id in sheet(provider, "txt").unwrap() {
            let is_left_out =
                not_judged.iter().any(|left| *left == id || left.ends_with('-') && id.starts_with(left.as_str()));
            assert!(unique.contains(id.as_str()) || is_left_out, "{provider} does not describe {id}");
            assert!(!unique.contains(id.as_str()) || !is_left_out, "{provider} describes {id}, and leaves it out");
        }
    }
}

/// Reads a corpus of one file, with a base next to it.
fn read_as(function: &str, cases: &str) -> Result<Vec<Case>, String> {
    let root = tempfile::tempdir().unwrap();
    let provider = root.path().join("alicloud");
    fs::create_dir_all(provider.join("bases")).unwrap();
    fs::write(provider.join("bases/secret.yaml"), "{ kind: Secret, metadata: { name: a } }").unwrap();
    fs::write(provider.join("section.yaml"), format!("function: {function}\nbase: secret\ncases:\n{cases}"))
        .unwrap();
    corpus::read(root.path()).map_err(|error| error.to_string())
}

fn read(cases: &str) -> Result<Vec<Case>, String> {
    read_as("validate", cases)
}

#[test]
fn mistakes_in_a_file_are_reported_with_their_place() {
    let case = "  - name: a\n    promise: p\n";
    for (text, words) in [
        (format!("{case}    colour: red\n"), vec!["section.yaml", "colour"]),
        (format!("{case}    base: shoot\n"), vec!["section.yaml", "case `a`", "no base `shoot`"]),
        (format!("{case}    base: b\nbases: {{ b: {{ base: b }} }}\n"), vec!["case `a`", "`b` is made of itself"]),
        (format!("{case}    old: {{ base: none }}\n"), vec!["case `a`", "no base `none`"]),
        (format!("{case}    edits: [{{ op: remove, path: /spec }}]\n"), vec!["case `a`", "edit", "/spec"]),
        (format!("{case}    edits: [{{ op: fix, path: /spec }}]\n"), vec!["case `a`", "RFC 6902", "fix"]),
        (format!("{case}    text: [{{ replace: blue, with: red }}]\n"), vec!["case `a`", "`blue`"]),
        (format!("{case}    expect: fine\n"), vec!["case `a`", "`expect`", "fine"]),
        (
            format!("{case}    expect: {{ findings: [{{ detail: d }}] }}\n"),
            vec!["case `a`", "`error` or `warning`"],
        ),
        (format!("{case}    expect: {{ changes: [] }}\n"), vec!["case `a`", "`changes`"]),
        (format!("{case}    like: b\n"), vec!["case `a`", "`like`", "`b`"]),
        (format!("{case}{case}"), vec!["two cases", "alicloud/validate/a"]),
        ("  - name: a\n".to_owned(), vec!["section.yaml", "promise"]),
    ] {
        let error = read(&text).unwrap_err();
        for word in words {
            assert!(error.contains(word), "`{word}` is not in `{error}`");
        }
    }
}

#[test]
fn every_base_is_used() {
    for provider in trellis_core::policies() {
        let folder = corpus::folder().join(provider);
        let texts = |folder: &Path| -> Vec<(String, String)> {
            let paths =
                fs::read_dir(folder).unwrap().flatten().map(|entry| entry.path()).filter(|path| path.is_file());
            let name = |path: &Path| path.file_stem().unwrap().to_string_lossy().into_owned();
            paths.map(|path| (name(&path), fs::read_to_string(&path).unwrap())).collect()
        };
        let (sections, bases) = (texts(&folder), texts(&folder.join("bases")));
        for (name, _) in &bases {
            let names = |text: &String| {
                let rest = text.split("base: ").skip(1);
                rest.filter_map(|rest| rest.split([' ', ',', '\n']).next()).any(|used| used == name)
            };
            let is_used = sections.iter().chain(&bases).any(|(_, text)| names(text));
            assert!(is_used, "no case of {provider} uses the base `{name}`");
        }
    }
}

#[test]
fn a_case_is_its_base_with_its_edits() {
    let edits = "edits: [{ op: replace, path: /metadata/name, value: b }]";
    let text = "text: [{ replace: '\"b\"', with: '0', times: 3 }]";
    let case =
        read(&format!("  - name: a\n    promise: p\n    {edits}\n    {text}\n    old: []\n    expect: accept\n"));
    let case = case.unwrap().pop().unwrap();
    let object = |name: &str| format!(r#"{{"kind":"Secret","metadata":{{"name":{name}}}}}"#);
    assert_eq!(case.request, format!(r#"{{"object":{},"oldObject":{}}}"#, object("000"), object("\"a\"")));
    let scope = r#"{"checked":["provider-alicloud v1.72.0-dev"],"notChecked":["gardener"]}"#;
    let accepted = format!(r#"{{"verdict":"accept","findings":[],"undecided":[],"scope":{scope}}}"#);
    assert_eq!(case.expected(), accepted);
}

/// A plan of one step, and one that names the step of the first.
#[test]
fn a_plan_may_name_what_it_has_in_common_with_another() {
    let plan = |name: &str, further: &str, steps: &str| {
        let plan =
            format!("{{ resources: [{{ id: vpc, kind: VPC }}], changes: [{{ id: vpc }}], steps: [{steps}] }}");
        format!(
            "  - name: {name}\n    promise: p\n    {further}\n    request: '{{}}'\n    expect: {{ plan: {plan} }}\n"
        )
    };
    let step = "{ id: vpc/create, call: vpc CreateVpc, parameters: {}, after: [] }";
    let cases =
        read_as("plan", &[plan("a", "holds: []", step), plan("b", "like: a", "vpc/create")].concat()).unwrap();
    let [first, second] = [0, 1].map(|index| parse(&cases[index].expected()));
    assert_eq!(first, second);
    assert_eq!(first["plan"]["changes"][0]["kind"], "VPC");
    assert_eq!(first["plan"]["changes"][0]["steps"][0], "vpc/create");
    assert_eq!(first["plan"]["steps"][0]["call"]["action"], "CreateVpc");
    let unknown =
        read_as("plan", &[plan("a", "holds: []", step), plan("b", "like: a", "vpc/delete")].concat()).unwrap_err();
    assert!(unknown.contains("case `b`") && unknown.contains("vpc/delete"), "{unknown}");
}

#[test]
fn an_update_writes_expectations_and_leaves_all_other_lines() {
    let root = tempfile::tempdir().unwrap();
    let file = root.path().join("equinixmetal/section.yaml");
    fs::create_dir_all(root.path().join("equinixmetal/bases")).unwrap();
    let [head, first, second] = [
        "# Why.\nfunction: classify\ncases:\n",
        "  - name: a   # said\n    promise: p\n    request: '[]'\n",
        "\n  - name: b\n    promise: p\n    request: 'null'\n    expect:\n      text: old\n    # The end.\n",
    ];
    fs::write(&file, [head, first, second].concat()).unwrap();
    assert_eq!(corpus::update(root.path()).unwrap(), std::slice::from_ref(&file));
    let written = fs::read_to_string(&file).unwrap();
    assert!(written.starts_with(&[head, first, "    expect:\n      error:"].concat()), "{written}");
    assert!(written.ends_with("    # The end.\n") && !written.contains("text: old"), "{written}");
    assert_eq!(corpus::update(root.path()).unwrap(), Vec::<std::path::PathBuf>::new());
}
