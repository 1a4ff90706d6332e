//! What a report shows, and what it leaves out.

use super::*;
use crate::document::parse;
use crate::report::Operation;
use crate::text::TextRule;

static ERROR: Rule = Rule::error("T-001", &["Shoot"], Operation::Both);
static WARNING: Rule = Rule::warning("T-002", &["Shoot"], Operation::Both);

fn shown_at(object: &Value<'_>, pointer: &str) -> Option<String> {
    let mut report = Report::new(object);
    report.deny(&ERROR, pointer, "");
    report.into_parts().0.first()?.bad_value.as_ref().map(|value| value.as_str().to_owned())
}

#[test]
fn a_value_is_shown_as_it_was_written_unless_it_has_parts() {
    let object = parse(r#"{"number":1.30,"text":"a\"b","null":null,"list":[1],"object":{"a":{}}}"#).unwrap();
    for (pointer, shown) in [
        ("/number", Some("1.30")),
        ("/text", Some(r#""a\"b""#)),
        ("/null", Some("null")),
        ("/absent", Some("null")),
        ("/list", None),
        ("/object", None),
        ("/object/a", None),
        ("", None),
    ] {
        assert_eq!(shown_at(&object, pointer).as_deref(), shown, "{pointer}");
    }
    let mut secret = Report::of_secret(&object);
    secret.deny(&ERROR, "/number", "");
    assert_eq!(secret.into_parts().0[0].bad_value, None);
}

#[test]
fn only_a_rule_that_may_reject_leaves_a_report_open() {
    let object = Value::Null;
    let mut report = Report::new(&object);
    report.undecided(&WARNING, "the Secret is missing", None);
    assert!(!report.is_open());
    report.undecided(&ERROR, "the Secret is missing", None);
    assert!(report.is_open());
    assert_eq!(report.into_parts().1.len(), 2);
}

#[test]
fn a_long_text_is_cut_at_a_character_and_says_so() {
    for (text, shown) in [
        ("x".repeat(256), "x".repeat(256)),
        ("x".repeat(257), "x".repeat(256) + "…"),
        (format!("{}é", "x".repeat(255)), "x".repeat(255) + "…"),
        (format!("{}é", "x".repeat(254)), "x".repeat(254) + "é"),
    ] {
        let object = Value::object([("a", Value::string(text))]);
        assert_eq!(shown_at(&object, "/a"), Some(format!("\"{shown}\"")));
    }
}

#[test]
fn words_are_cut_too() {
    let object = Value::Object(Vec::new());
    let mut report = Report::new(&object);
    report.deny(&ERROR, "", "x".repeat(MAX_WORDS + 1)).remedy("y".repeat(MAX_WORDS + 1));
    let finding = &report.into_parts().0[0];
    assert_eq!(finding.detail, "x".repeat(MAX_WORDS) + "…");
    assert_eq!(finding.remedy, "y".repeat(MAX_WORDS) + "…");
}

#[test]
fn a_report_says_of_which_severity_it_left_findings_out() {
    let object = Value::Object(Vec::new());
    let mut report = Report::new(&object);
    for number in 0..MAX_FINDINGS {
        report.deny(&ERROR, "", number.to_string());
        report.deny(&ERROR, "", "0");
    }
    assert_eq!(report.truncated(), []);
    assert!(!report.is_full(Severity::Error));
    report.deny(&ERROR, "", "one more");
    assert_eq!(report.truncated(), [Severity::Error]);
    assert!(report.is_full(Severity::Error));
    assert_eq!(report.into_parts().0.len(), MAX_FINDINGS);
}

#[test]
fn warnings_never_push_errors_out() {
    let object = Value::Object(Vec::new());
    let mut report = Report::new(&object);
    for number in 0..2 * MAX_FINDINGS {
        report.warn(&WARNING, &Path::root("", ""), format!("{number} {}", "x".repeat(MAX_WORDS - 10)));
    }
    report.deny(&ERROR, "", "wrong");
    assert_eq!(report.truncated(), [Severity::Warning]);
    let (findings, _) = report.into_parts();
    assert_eq!(findings.last().unwrap().detail, "wrong");
}

#[test]
fn what_a_finding_gets_later_takes_room_too() {
    let object = Value::object([("a", Value::Null)]);
    let fix = Value::string("x".repeat(MAX_BYTES));
    let mut report = Report::new(&object);
    report.error(&ERROR, &Path::root("a", "/a"), ErrorType::Invalid, "").fix_value(&fix);
    assert_eq!(report.truncated(), []);
    report.deny(&ERROR, "", "one more");
    assert_eq!(report.truncated(), [Severity::Error]);
}

#[test]
fn errors_that_were_there_before_take_no_room_of_new_ones() {
    let object = parse(r#"{"a":1,"b":1}"#).unwrap();
    let old_object = parse(r#"{"a":1,"b":2}"#).unwrap();
    let mut old = Report::new(&old_object);
    for number in 0..MAX_FINDINGS {
        old.deny(&ERROR, "/a", number.to_string());
    }
    old.deny(&ERROR, "/b", "changed");
    let (known, _) = old.into_parts();
    let mut report = Report::new(&object).since(Before { object: &old_object, findings: &known });
    for number in 0..2 * MAX_FINDINGS {
        report.deny(&ERROR, "/a", number.to_string());
    }
    report.deny(&ERROR, "/b", "changed");
    assert_eq!(report.truncated(), [Severity::Error]);
    let (findings, _) = report.into_parts();
    assert!(findings.iter().take(MAX_FINDINGS).all(|finding| finding.is_old));
    assert_eq!(findings.iter().filter(|finding| !finding.is_old).count(), MAX_FINDINGS);
}

#[test]
fn a_text_that_is_wrong_in_two_ways_has_two_errors_and_a_hidden_one_is_not_shown() {
    const KEY: TextRule = TextRule::pattern("^[A-Z]+$").required("cannot be empty").length(0, 2);
    let object = parse(r#"{"data":{"key":"abc","none":""}}"#).unwrap();
    let mut report = Report::new(&object);
    let data = Path::root("secret.data", "/data");
    report.text(&ERROR, &data.entry("key"), "abc", &KEY.hidden());
    report.text(&ERROR, &data.entry("none"), "", &KEY);
    let findings = report.into_parts().0;
    let reported: Vec<_> = findings.iter().map(|finding| (finding.error_type, finding.detail.as_str())).collect();
    assert_eq!(
        reported,
        [
            (ErrorType::Invalid, "does not match expected regex ^[A-Z]+$"),
            (ErrorType::Invalid, "must not be more than 2 characters, got 3"),
            (ErrorType::Required, "cannot be empty"),
        ]
    );
    assert_eq!(findings[0].field, "secret.data[key]");
    assert!(findings[0].bad_value.is_none() && findings[2].bad_value.is_some());
}
