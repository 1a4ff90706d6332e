//! What a person reads of an answer: each finding in a line, with its value, its rule and what to do.

use std::fmt::Write as _;

use trellis_policies::answer::{Failure, Finding, Severity, Undecided};
use trellis_policies::headline::{headline, nearest};

/// Most bytes of a message. It goes through the API server into a terminal, an event or a page.
const MOST: usize = 32 << 10;

/// A finding in one line.
pub fn line(finding: &Finding) -> String {
    let mut line = headline(finding, None);
    if let Some(rule) = &finding.rule {
        let _ = write!(line, " ({rule})");
    }
    for help in [Some(finding.remedy.clone()), nearest(finding)].into_iter().flatten() {
        if !help.is_empty() {
            let _ = write!(line, ". {}", help.trim_end_matches('.'));
        }
    }
    line
}

/// What is wrong, as one text: a line where it is one thing, else a list. Findings that the text has no room for
/// are counted.
pub fn list(lines: &[String]) -> String {
    if let [only] = lines {
        return cut(only).to_owned();
    }
    let mut text = format!("{} errors", lines.len());
    for (at, line) in lines.iter().enumerate() {
        let line = cut(line);
        if text.len() + line.len() > MOST {
            let _ = write!(text, "\n- and {} more", lines.len() - at);
            break;
        }
        let _ = write!(text, "\n- {line}");
    }
    text
}

/// The lines of the findings of a severity.
pub fn lines(findings: &[Finding], severity: Severity) -> Vec<String> {
    findings.iter().filter(|finding| finding.severity == severity).map(line).collect()
}

/// The ids of the rules of the findings of a severity, each once.
pub fn rules(findings: &[Finding], severity: Severity) -> String {
    let of = findings.iter().filter(|finding| finding.severity == severity);
    let mut rules: Vec<&str> = of.filter_map(|finding| finding.rule.as_deref()).collect();
    rules.sort_unstable();
    rules.dedup();
    rules.join(",")
}

/// What could not be decided, and why.
pub fn undecided(open: &[Undecided], unanswered: &[String]) -> Vec<String> {
    let mut lines: Vec<String> = open.iter().map(|one| format!("{} ({})", one.why, one.rule)).collect();
    lines.extend(unanswered.iter().cloned());
    lines.dedup();
    lines
}

/// The refusal for what could not be decided.
pub fn try_again(lines: &[String]) -> String {
    format!("this could not be decided in time, try again: {}", cut(&lines.join("; ")))
}

/// A policy's own refusal.
pub fn failure(failure: &Failure) -> String {
    let Failure { message, pointer, .. } = failure;
    match pointer.as_deref().filter(|pointer| !pointer.is_empty()) {
        Some(pointer) => cut(&format!("{pointer}: {message}")).to_owned(),
        None => cut(message).to_owned(),
    }
}

/// A text within the limit.
fn cut(text: &str) -> &str {
    let mut end = text.len().min(MOST);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn finding(field: &str, remedy: &str) -> Finding {
        let document = json!({
            "rule": "R-1", "severity": "error", "type": "FieldValueInvalid", "field": field, "pointer": "/a",
            "detail": "must be canonical", "remedy": remedy,
        });
        let text = document.to_string().replacen('{', "{\"badValue\":\"10.0.0.1/8\",", 1);
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn a_finding_has_field_value_detail_rule_and_remedy() {
        assert_eq!(
            line(&finding("a.b", "Write `10.0.0.0/8`.")),
            "a.b: Invalid value: \"10.0.0.1/8\": must be canonical (R-1). Write `10.0.0.0/8`"
        );
        let one = lines(&[finding("a", "")], Severity::Error);
        assert_eq!(list(&one), "a: Invalid value: \"10.0.0.1/8\": must be canonical (R-1)");
        assert!(lines(&[finding("a", "")], Severity::Warning).is_empty());
        let two = lines(&[finding("a", ""), finding("b", "")], Severity::Error);
        assert_eq!(list(&two).lines().count(), 3);
        assert!(list(&two).starts_with("2 errors\n- a: "));
        assert_eq!(rules(&[finding("a", ""), finding("b", "")], Severity::Error), "R-1");
    }

    #[test]
    fn a_text_has_room_for_so_many_findings_and_counts_the_others() {
        let lines: Vec<String> = (0..1_000).map(|at| format!("{at} {}", "ü".repeat(100))).collect();
        let text = list(&lines);
        assert!(text.len() < MOST + 100, "{}", text.len());
        let last = text.lines().last().unwrap();
        let more: usize = last.trim_start_matches("- and ").trim_end_matches(" more").parse().unwrap();
        assert_eq!(text.lines().count() - 2 + more, 1_000);
        assert!(list(&["ü".repeat(MOST)]).len() <= MOST);
    }
}
