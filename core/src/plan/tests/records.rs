//! What is recorded: adopted, foreign, pending and gone resources, and tokens.

use super::*;

#[test]
fn what_is_found_without_marks_or_record_is_adopted() {
    let unmarked = Resource { unmarked: true, attributes: vec![update("a", "tags")], ..kept("a", &NETWORK) };
    let plan = made(state(&["a"]), vec![unmarked]);
    assert_eq!((only(&plan).action, only(&plan).steps.as_slice()), (Action::Adopt, &ids(&["a/tags"])[..]));

    let plan = made(State::new(), vec![kept("a", &NETWORK)]);
    assert_eq!((only(&plan).action, plan.steps.len()), (Action::Adopt, 0));
    assert_eq!(plan.state, state(&["a"]));
}

#[test]
fn what_is_foreign_is_recorded_and_left_alone() {
    let foreign = |wanted| Resource {
        foreign: true,
        wanted,
        unmarked: true,
        attributes: vec![attribute("range", Difference::Replace), update("a", "tags")],
        ..found("a", &NETWORK)
    };
    let plan = made(State::new(), vec![foreign(true)]);
    assert!(plan.changes.is_empty() && plan.steps.is_empty());
    assert_eq!(plan.state, state(&["a"]));
    let note = |attribute| Note {
        id: "a".to_owned(),
        attribute,
        wanted: Some("new".to_owned()),
        found: Some("old".to_owned()),
    };
    assert_eq!(plan.notes, [note("range"), note("tags")]);
    assert!(made(State::new(), vec![foreign(false)]).changes.is_empty());
}

#[test]
fn all_obstacles_are_reported() {
    let refused = plan(
        "me",
        State::new(),
        vec![
            Resource { foreign: true, ..wanted("missing", &NETWORK) },
            Resource { protected: Some("release it".to_owned()), ..found("protected", &NETWORK) },
            Resource {
                attributes: vec![attribute("range", Difference::Refuse("change it back".to_owned()))],
                ..kept("fixed", &NETWORK)
            },
            found("container", &GATEWAY),
            Resource { foreign: true, within: Some("container".to_owned()), ..kept("inside", &NETWORK) },
        ],
        &agreed(&State::new()),
    );
    let Err(Forbidden::Obstacles(obstacles)) = refused else { unreachable!("{refused:?}") };
    let reported: Vec<_> = obstacles.iter().map(|obstacle| (obstacle.id.as_str(), obstacle.cause)).collect();
    let expected = [
        ("missing", Cause::Missing),
        ("protected", Cause::Protected),
        ("fixed", Cause::Attribute("range")),
        ("inside", Cause::GoesWithContainer),
    ];
    assert_eq!(reported, expected);
    assert_eq!(obstacles[1].remedy, "release it");
}

#[test]
fn a_token_distinguishes_what_is_made_again_from_what_was_there_before() {
    let token = |state: &[(&str, &str)]| {
        let state = state.iter().map(|(key, id)| (*key, (*id).to_owned())).collect();
        made(state, vec![wanted("a", &NETWORK)]).steps[0].call.token.clone().unwrap()
    };
    assert_eq!(token(&[]), "me/a/none");
    assert_eq!(token(&[("a", "a-1")]), "me/a/a-1");
    assert_eq!(token(&[("a", DELETED), ("Last/a", "a-1")]), "me/a/a-1");
    assert_eq!(token(&[("a", "a-2"), ("Last/a", "a-1"), ("Pending/a", "a-1")]), "me/a/a-1");
    assert_eq!(token(&[("a", "a-2"), ("Pending/a", "none")]), "me/a/none");
}

#[test]
fn which_token_is_sent_is_forgotten_when_the_resource_is_seen_or_given_up_and_not_before() {
    let number = |entries: &[(&str, &str)], resource: Resource| {
        let entries = entries.iter().chain(&[("Token/a/create", "2"), ("Token/a/b/create", "1")]);
        let state: State = entries.map(|(key, value)| (*key, (*value).to_owned())).collect();
        let others = [kept("other", &NETWORK)];
        let plan = made(state, others.into_iter().chain([resource]).collect());
        assert_eq!(plan.state.get("Token/a/b/create").map(String::as_str), Some("1"), "it is another resource's");
        plan.state.get("Token/a/create").cloned()
    };
    let two = Some("2".to_owned());
    assert_eq!(number(&[("Pending/a", "none")], wanted("a", &NETWORK)), two);
    assert_eq!(number(&[("Pending/a", "none")], resource("a", &NETWORK)), two);
    assert_eq!(number(&[("a", "a-1")], wanted("a", &NETWORK)), two, "a read may be behind");
    assert_eq!(number(&[("Pending/a", "none")], kept("a", &NETWORK)), None);
    assert_eq!(number(&[("a", "a-1")], resource("a", &NETWORK)), None);
}

#[test]
fn a_creation_without_a_token_is_remembered_so_that_a_later_run_looks_before_it_creates() {
    let probe = || Probe {
        call: Call::default(),
        item: None,
        success: vec![Condition::Present { present: "/id" }],
        failure: Vec::new(),
        record: [("a", "/id")].into_iter().collect(),
        interval: 1,
        limit: 5,
    };
    let creation =
        |look_again| Step { id: "a/create".to_owned(), look_again, until: Some(probe()), ..Step::default() };
    let made = |look_again| {
        let create = vec![creation(look_again)];
        let mut plan = made(State::new(), vec![Resource { create, ..wanted("a", &NETWORK) }]);
        plan.steps.remove(0)
    };
    let step = made(Some(probe()));
    assert_eq!(step.call.token, None);
    assert_eq!(step.remember.get("Pending/a"), Some(&Some("none".to_owned())));
    assert_eq!(step.conclude.get("Pending/a"), Some(&None));
    assert_eq!(serde_json::to_value(&step).unwrap()["lookAgain"]["record"]["a"], "/id");
    let step = made(None);
    assert!(step.remember.is_empty() && step.conclude.is_empty());
    assert!(serde_json::to_value(&step).unwrap().get("lookAgain").is_none());
}

#[test]
fn records_of_what_is_gone_are_cleaned_unless_it_may_still_appear() {
    let gone = || Resource { keys: ids(&["address"]), ..resource("a", &NETWORK) };
    let known: State = [("a", "a-1"), ("address", "1.2.3.4"), ("other", "x")]
        .map(|(k, v)| (k, v.to_owned()))
        .into_iter()
        .collect();
    let plan = made(known.clone(), vec![gone()]);
    let cleaned = [("Last/a", "a-1"), ("a", DELETED), ("other", "x")].map(|(k, v)| (k, v.to_owned()));
    assert_eq!(plan.state, cleaned.into_iter().collect());
    assert!(plan.changes.is_empty() && plan.resources.is_empty());

    let mut pending = known;
    pending.insert("Pending/a", "none".to_owned());
    assert_eq!(made(pending.clone(), vec![gone()]).state, pending);
    assert_eq!(made(pending, vec![kept("a", &NETWORK)]).state.get("Pending/a"), None);
}
