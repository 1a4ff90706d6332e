//! A fix mends its finding.

use std::collections::BTreeSet;

use crate::requests::{assert_every_provider, entries, of_corpus, of_pairs, of_recordings, patched};

#[test]
fn a_fix_removes_its_finding() {
    let (mut fixes, mut tried) = (0, BTreeSet::new());
    for asked in of_corpus().into_iter().chain(of_recordings()).chain(of_pairs()) {
        if asked.function != "validate" {
            continue;
        }
        let answer = asked.answer();
        for finding in entries(&answer["findings"]).filter(|finding| !finding["fix"].is_null()) {
            fixes += 1;
            tried.insert(asked.provider.clone());
            let mut request = asked.request.clone();
            request["object"] = patched(&asked.request["object"], &finding["fix"]);
            let again = asked.ask(&request);
            assert!(again["error"].is_null(), "{}: {}", asked.name, again["error"]);
            let left = entries(&again["findings"])
                .find(|other| ["rule", "field", "detail"].iter().all(|member| other[member] == finding[member]));
            assert!(left.is_none(), "{}: {} is not mended by {}", asked.name, finding["rule"], finding["fix"]);
        }
    }
    assert!(fixes > 1_000, "only {fixes} fixes were tried");
    assert_every_provider(&tried);
}
