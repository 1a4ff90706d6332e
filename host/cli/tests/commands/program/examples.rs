//! The examples do what they say, and so does the README.

#![cfg(feature = "native")]
#![expect(clippy::expect_used, reason = "helpers of tests may panic")]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the crate is in the workspace").to_owned()
}

fn trellis(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_trellis"));
    command.args(arguments).current_dir(root()).output().expect("the program runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("the output is text")
}

#[test]
fn a_plan_comes_with_the_warnings_of_the_rules() {
    let output = trellis(&["plan", "examples/existing-vpc-own-eip.yaml", "--baseline", "empty"]);
    assert_eq!(output.status.code(), Some(0));
    assert!(text(&output.stderr).contains("warning[ALI-ADV-010]"), "{}", text(&output.stderr));
    assert!(!text(&output.stdout).contains("ALI-ADV-010"), "{}", text(&output.stdout));
}

#[test]
fn a_zone_is_not_added_to_a_configuration_with_an_unknown_field() {
    let text_of = fs::read_to_string(root().join("examples/two-zones.yaml")).expect("the example is there");
    let file = std::env::temp_dir().join(format!("trellis-zonse-{}.yaml", std::process::id()));
    fs::write(&file, text_of.replace("        zones:", "        zonse:")).expect("the file is written");
    let outputs = [&["--add", "eu-central-1c"][..], &[]]
        .map(|add| trellis(&[&["zones", &file.display().to_string()][..], add].concat()));
    fs::remove_file(&file).expect("the file is removed");
    for output in outputs {
        assert_eq!(output.status.code(), Some(1));
        let reported = text(&output.stderr);
        assert!(reported.contains("cannot be read") && reported.contains("networks.zonse"), "{reported}");
    }
}

#[test]
fn a_word_that_yaml_takes_for_a_boolean_gets_the_remedy_to_quote_it() {
    let text = fs::read_to_string(root().join("examples/two-zones.yaml")).expect("the example is there");
    let file = std::env::temp_dir().join(format!("trellis-boolean-{}.yaml", std::process::id()));
    fs::write(&file, text.replace("namespace: garden-dev", "namespace: y")).expect("the file is written");
    let output = trellis(&["validate", &file.display().to_string()]);
    fs::remove_file(&file).expect("the file is removed");
    assert_eq!(output.status.code(), Some(1));
    let reported = self::text(&output.stdout);
    assert!(reported.contains("expected a string, found a boolean"), "{reported}");
    assert!(reported.contains("quotes make a text of a number or a boolean"), "{reported}");
}

/// How many errors, warnings and undecided rules a text such as `5 errors, 1 undecided` names.
fn numbers(reported: &str) -> Option<[usize; 3]> {
    let mut numbers = [0; 3];
    for part in reported.split(", ").filter(|part| !["accepted", "no errors"].contains(part)) {
        let (count, what) = part.split_once(' ')?;
        let words = [&["error", "errors"][..], &["warning", "warnings"], &["undecided"]];
        *numbers.get_mut(words.iter().position(|words| words.contains(&what))?)? = count.parse().ok()?;
    }
    Some(numbers)
}

#[test]
fn each_example_has_the_errors_warnings_and_undecided_rules_that_its_first_line_expects() {
    let mut names: Vec<String> = fs::read_dir(root().join("examples"))
        .expect("there are examples")
        .flatten()
        .map(|entry| entry.file_name().to_string_lossy().into_owned())
        .filter(|name| Path::new(name).extension().is_some_and(|extension| extension == "yaml"))
        .collect();
    names.sort();
    assert!(names.len() >= 48, "{names:?}");
    let mut rejected = 0;
    for name in names {
        let file = format!("examples/{name}");
        let manifest = fs::read_to_string(root().join(&file)).expect("the example is there");
        let first = manifest.lines().next().unwrap_or_default();
        let expected = first.strip_prefix("# expect: ").and_then(numbers);
        let expected = expected.unwrap_or_else(|| {
            panic!("{file}: the first line is `{first}`; write `# expect: accepted`, or `# expect: 5 errors, 1 undecided`")
        });
        let output = trellis(&["validate", &file]);
        let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
        let summary = stdout.lines().find_map(|line| line.split_once(" document")?.1.split_once(": "));
        let found = summary.and_then(|(_, found)| numbers(found));
        assert_eq!(found, Some(expected), "{file}, which expects `{first}`:\n{stdout}{stderr}");
        let [errors, _, undecided] = expected;
        assert_eq!(output.status.code(), Some(i32::from(errors > 0)), "{file}");
        // What is undecided comes with what decides it.
        assert_eq!(undecided > 0, stderr.contains("undecided["), "{file}: {stderr}");
        rejected += usize::from(errors > 0);
    }
    assert!(rejected >= 5, "{rejected} examples have errors");
}

#[test]
fn an_expectation_that_cannot_be_read_is_none() {
    assert_eq!(numbers("accepted"), Some([0, 0, 0]));
    assert_eq!(numbers("no errors, 1 warning, 2 undecided"), Some([0, 1, 2]));
    assert_eq!(numbers("5 errors, 1 undecided"), Some([5, 0, 1]));
    for unreadable in ["", "rejected", "five errors", "5 mistakes", "5 errors 1 undecided"] {
        assert_eq!(numbers(unreadable), None, "{unreadable}");
    }
}

#[test]
fn an_export_gets_no_defaults_of_creation() {
    let shoot = fs::read_to_string(root().join("examples/one-zone.yaml")).expect("the example is there");
    let export = tempfile::NamedTempFile::new().expect("there is room");
    let uid = shoot.replacen("metadata:\n", "metadata:\n  uid: 3b5c1b0e\n", 1);
    assert_ne!(uid, shoot);
    fs::write(export.path(), uid).expect("there is room");
    let path = export.path().to_string_lossy().into_owned();
    let sets_overlay = |arguments: &[&str]| text(&trellis(arguments).stdout).contains("overlay");
    assert!(sets_overlay(&["default", "-o", "patch", "--create", &path]));
    assert!(!sets_overlay(&["default", "-o", "patch", &path]));
    let output = trellis(&["validate", &path]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stdout));
    assert!(text(&output.stdout).contains("as an update of itself"), "{}", text(&output.stdout));
}

#[test]
fn five_mistakes_are_found_at_their_lines() {
    let output = trellis(&["validate", "-o", "json", "examples/five-mistakes.yaml"]);
    assert_eq!(output.status.code(), Some(1));
    let documents: serde_json::Value = serde_json::from_slice(&output.stdout).expect("the output is JSON");
    let manifest = fs::read_to_string(root().join("examples/five-mistakes.yaml")).expect("the example is there");
    let lines: Vec<&str> = manifest.lines().collect();
    let documents = documents.as_array().expect("an entry a document");
    assert_eq!(documents.len(), 2);
    let found: Vec<(&str, &str)> = documents
        .iter()
        .flat_map(|document| document["findings"].as_array().expect("findings"))
        .map(|finding| {
            assert!(!finding["remedy"].as_str().expect("a remedy").is_empty());
            let line = usize::try_from(finding["line"].as_u64().expect("a line")).expect("a small number");
            (finding["rule"].as_str().expect("a rule"), lines[line - 1].trim())
        })
        .collect();
    assert_eq!(
        found,
        [
            ("ALI-INF-003", "workers: 10.250.1.0/19"),
            ("ALI-INF-007", "workers: 10.250.128.0/19"),
            ("ALI-WRK-008", "- name: containerd"),
            ("ALI-WRK-010", "- eu-central-1c"),
            ("ALI-INF-016", "pods: 10.250.192.0/18"),
        ]
    );
}

/// `UPDATE_README=1 cargo test --workspace --test commands the_readme` writes the lines again.
#[test]
fn the_readme_shows_the_first_lines_of_what_is_printed() {
    const BEGIN: &str = "<!-- five-mistakes -->\n```text\n";
    const END: &str = "…\n```\n<!-- /five-mistakes -->";
    let path = root().join("README.md");
    let readme = fs::read_to_string(&path).expect("there is a README");
    let (before, rest) = readme.split_once(BEGIN).expect("the excerpt begins");
    let (shown, after) =
        rest.split_once(END).expect("the excerpt ends with a line that says that more is printed");
    let output = trellis(&["validate", "--color", "never", "examples/five-mistakes.yaml"]);
    let printed = text(&output.stdout);
    let first: String = printed.split_inclusive('\n').take(shown.lines().count()).collect();
    if std::env::var_os("UPDATE_README").is_some() {
        fs::write(&path, [before, BEGIN, &first, END, after].concat()).expect("the README is written");
    } else {
        assert_eq!(shown, first);
        assert!(shown.matches("error[").count() >= 2, "the README shows {shown}");
    }
}
