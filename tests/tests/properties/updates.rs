//! An update with a new error is rejected.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use serde_json::Value;

use crate::requests::{Asked, CORPUS, RECORDINGS, Request, UPDATES, assert_policies, entries, errors, read};

/// What an error says, whichever entry of a list the error is about.
fn claim(finding: &Value) -> (String, String, String) {
    let text = |member: &str| finding[member].as_str().unwrap_or_default();
    let field = text("field").split(['[', ']']).step_by(2).collect();
    (text("rule").to_owned(), field, text("detail").to_owned())
}

/// What an answer says.
struct Said {
    verdict: Value,
    errors: Vec<(String, String, String)>,
    findings: BTreeSet<String>,
}

impl Said {
    /// What an answer says that judges.
    fn read(answer: &str) -> Option<Self> {
        let answer = read(answer);
        let finding = |finding: &Value| format!("{:?} {}", claim(finding), finding["pointer"]);
        answer["error"].is_null().then(|| Self {
            verdict: answer["verdict"].clone(),
            errors: errors(&answer).map(claim).collect(),
            findings: entries(&answer["findings"]).map(finding).collect(),
        })
    }

    fn claims(&self) -> BTreeSet<&(String, String, String)> {
        self.errors.iter().collect()
    }
}

/// An update: what is said of the old object, and of the new one with and without `ratchet`.
struct Update {
    asked: &'static Asked,
    old: Said,
    strict: Said,
    ratcheted: Said,
}

/// Every update that is judged.
static JUDGED: LazyLock<Vec<Update>> = LazyLock::new(|| {
    let asked = CORPUS.iter().chain(RECORDINGS.iter()).chain(UPDATES.iter());
    let judged = |asked: &'static Asked| {
        let before = asked.request.member("oldObject");
        if asked.function != "validate" || !before.is_object() {
            return None;
        }
        let strict = asked.request.with("ratchet", &false);
        let of = |request: &Request| Said::read(&asked.ask(request));
        Some(Update {
            asked,
            old: of(&strict.with("object", &before))?,
            strict: of(&strict)?,
            ratcheted: of(&asked.request.with("ratchet", &true))?,
        })
    };
    asked.filter_map(judged).collect()
});

#[test]
fn a_new_error_rejects_an_update_ratcheted_or_not() {
    let (mut new_errors, mut tried) = (0, BTreeSet::new());
    for Update { asked, old, strict, ratcheted } in JUDGED.iter() {
        for error in strict.claims().difference(&old.claims()) {
            new_errors += 1;
            tried.insert(asked.provider.clone());
            assert_eq!(strict.verdict, "reject", "{}: {error:?}", asked.name);
            assert_eq!(ratcheted.verdict, "reject", "{}: {error:?}", asked.name);
            assert!(ratcheted.claims().contains(error), "{}: {error:?} is no error with `ratchet`", asked.name);
        }
    }
    assert!(new_errors > 2_000, "only {new_errors} new errors were tried");
    assert_policies(&tried, |rule| rule["severity"] == "error");
}

#[test]
fn a_ratchet_hides_no_finding_and_adds_none() {
    let mut softened = 0;
    for Update { asked, strict, ratcheted, .. } in JUDGED.iter() {
        assert_eq!(strict.findings, ratcheted.findings, "{}", asked.name);
        softened += strict.errors.len() - ratcheted.errors.len();
    }
    assert!(softened > 100, "only {softened} errors became warnings");
}
