//! Who may change what.

use super::super::{DELETED, Forbidden, ResourceKind, plan};
use super::*;
use crate::call::Call;
use crate::policy::{Plan, Step};

const THING: ResourceKind = ResourceKind { name: "thing", billed: false, association: false };

fn step(id: String) -> Step {
    Step { id, call: Call::default(), ..Step::default() }
}

fn thing(id: &str, wanted: bool, found: Option<&str>) -> Resource {
    Resource {
        wanted,
        found: found.map(str::to_owned),
        key: Some(id.to_owned()),
        create: vec![step(format!("{id}/create"))],
        delete: vec![step(format!("{id}/delete"))],
        ..Resource::new(id, &THING, &format!("the-{id}"))
    }
}

fn state(entries: &[(&str, &str)]) -> State {
    entries.iter().map(|(key, value)| (*key, (*value).to_owned())).collect()
}

/// Who asks, and agrees to what.
#[derive(Clone, Copy, Default)]
#[expect(clippy::struct_excessive_bools, reason = "as many as a caller has")]
struct Asking {
    account: Option<&'static str>,
    adopt: bool,
    is_known: bool,
    forget: bool,
    has_waited: bool,
}

const ME: Asking = Asking { account: Some("me"), adopt: false, is_known: false, forget: false, has_waited: false };

fn planned(entries: &[(&str, &str)], resources: Vec<Resource>, asking: Asking) -> Result<Plan, Unowned> {
    let Asking { account, adopt, is_known, forget, has_waited } = asking;
    let recorded = state(entries);
    let caller =
        Caller { recorded: &recorded, account, may_adopt: adopt, is_known, may_forget: forget, has_waited };
    // What observation adds is no record.
    let mut state = recorded.clone();
    if resources.iter().any(|resource| resource.id == "seen") {
        state.insert("seen", "seen-1".to_owned());
    }
    match plan("me", state, resources, &caller) {
        Ok(plan) => Ok(plan),
        Err(Forbidden::Unowned(unowned)) => Err(unowned),
        Err(other) => unreachable!("{other:?}"),
    }
}

fn ids(gone: &[Gone]) -> Vec<&str> {
    gone.iter().map(|one| one.resource_id.as_str()).collect()
}

#[test]
fn what_is_found_without_any_record_is_taken_over_or_deleted_only_with_consent() {
    for wanted in [true, false] {
        let resources = || vec![thing("a", wanted, Some("a-1")), thing("seen", wanted, Some("seen-1"))];
        for nothing in [&[][..], &[("Zone/Suffix", "z0")], &[("a", DELETED), ("Last/a", "a-0")]] {
            let Err(Unowned::Unrecorded(found)) = planned(nothing, resources(), ME) else {
                unreachable!("{nothing:?}")
            };
            assert_eq!(ids(&found)[0], "a-1");
            let agreed = Asking { adopt: true, ..ME };
            assert_eq!(planned(nothing, resources(), agreed).unwrap().state.get(ACCOUNT), Some(&"me".to_owned()));
        }
    }
}

#[test]
fn what_is_found_as_recorded_or_begun_shows_that_all_is_ours() {
    for record in [("b", "b-1"), ("Pending/a", "none"), ("Deleting/b", "b-1"), ("Last/b", "b-1")] {
        for wanted in [true, false] {
            let resources = vec![thing("a", wanted, Some("a-1")), thing("b", wanted, Some("b-1"))];
            let plan = planned(&[record], resources, ME);
            assert!(plan.is_ok(), "{record:?}: {plan:?}");
        }
    }
}

#[test]
fn nothing_found_and_nothing_recorded_needs_no_consent() {
    let plan = planned(&[], vec![thing("a", true, None)], ME).unwrap();
    assert_eq!((plan.changes.len(), plan.state.get(ACCOUNT)), (1, Some(&"me".to_owned())));
    let plan = planned(&[], vec![thing("a", false, None)], ME).unwrap();
    assert!(plan.changes.is_empty() && plan.state.is_empty(), "{plan:?}");
}

#[test]
fn what_is_recorded_and_not_found_is_reported_unless_it_comes_or_goes() {
    let entries = [
        ("a", "a-1"),
        ("b", "b-1"),
        ("c", "c-1"),
        ("d", "d-1"),
        ("e", "e-1"),
        ("f", DELETED),
        (ACCOUNT, "me"),
        ("Pending/c", "none"),
        ("Deleting/d", "d-1"),
        ("Deleting/e", "e-0"),
    ];
    for wanted in [true, false] {
        let mut resources = vec![thing("a", wanted, Some("a-1")), thing("b", wanted, Some("b-2"))];
        resources.extend(["c", "d", "e", "f"].map(|id| thing(id, wanted, None)));
        let plan = planned(&entries, resources, ME).unwrap();
        assert_eq!(ids(&plan.gone), ["b-1", "e-1"]);
    }
}

#[test]
fn a_network_of_which_nothing_is_found_is_given_up_only_with_consent() {
    let entries = [("a", "a-1"), ("b", DELETED), (ACCOUNT, "me")];
    let resources = || vec![thing("a", false, None), thing("b", false, None)];
    let Err(Unowned::Nothing(gone)) = planned(&entries, resources(), ME) else { unreachable!() };
    assert_eq!(ids(&gone), ["a-1"]);
    let plan = planned(&entries, resources(), Asking { forget: true, ..ME }).unwrap();
    assert!(plan.changes.is_empty());
    assert_eq!((plan.state.get("a"), plan.state.get(ACCOUNT)), (Some(&DELETED.to_owned()), None));
    assert_eq!(ids(&plan.gone), ["a-1"]);
}

#[test]
fn a_delete_that_ended_in_a_crash_ends_without_consent() {
    let before = planned(&[("a", "a-1"), (ACCOUNT, "me")], vec![thing("a", false, Some("a-1"))], ME).unwrap();
    let mut crashed = before.state.clone();
    for (key, value) in before.steps.iter().flat_map(|step| step.remember.iter()) {
        crashed.insert(key, value.clone().unwrap());
    }
    let crashed: Vec<_> = crashed.iter().map(|(key, value)| (key, value.as_str())).collect();
    let after = planned(&crashed, vec![thing("a", false, None)], ME).unwrap();
    assert!(after.changes.is_empty() && after.gone.is_empty());
    assert_eq!(after.state, state(&[("a", DELETED), ("Last/a", "a-1")]));
}

#[test]
fn a_state_without_an_account_is_bound_by_what_is_found_of_it() {
    let entries = [("a", "a-1"), ("b", "b-1")];
    for wanted in [true, false] {
        let found = vec![thing("a", wanted, Some("a-1")), thing("b", wanted, None)];
        let plan = planned(&entries, found, ME).unwrap();
        assert_eq!(plan.state.get(ACCOUNT), Some(&"me".to_owned()));
    }
    let nothing = || vec![thing("a", true, None), thing("b", true, None)];
    let Err(Unowned::Unbound(gone)) = planned(&entries, nothing(), ME) else { unreachable!() };
    assert_eq!(ids(&gone), ["a-1", "b-1"]);
    assert!(planned(&entries, nothing(), Asking { adopt: true, ..ME }).is_ok());
    // What is found by its tag alone does not show that the rest of the state is of this account.
    let tagged = vec![thing("a", false, None), thing("b", false, Some("b-2"))];
    assert!(matches!(planned(&entries, tagged, ME), Err(Unowned::Nothing(_))));
}

#[test]
fn an_account_that_is_none_or_that_a_person_has_named_is_confirmed_by_what_is_found() {
    for account in [&[(ACCOUNT, DELETED)][..], &[(ACCOUNT, "me"), (REBOUND, "true")]] {
        let entries = [account, &[("a", "a-1")]].concat();
        let nothing = planned(&entries, vec![thing("a", true, None)], ME);
        assert!(matches!(nothing, Err(Unowned::Unbound(_))), "{nothing:?}");
        let plan = planned(&entries, vec![thing("a", true, Some("a-1"))], ME).unwrap();
        assert_eq!(plan.state, state(&[("a", "a-1"), (ACCOUNT, "me")]));
        let forgotten = planned(&entries, vec![thing("a", false, None)], Asking { forget: true, ..ME }).unwrap();
        assert_eq!(forgotten.state, state(&[("a", DELETED), ("Last/a", "a-1")]));
    }
}

#[test]
fn a_state_of_an_account_that_is_not_reported_stays_as_it_is() {
    let entries = [("a", "a-1"), (ACCOUNT, "me")];
    let plan = planned(&entries, vec![thing("a", true, Some("a-1"))], Asking::default()).unwrap();
    assert_eq!(plan.state, state(&entries));
}

#[test]
fn a_record_of_something_else_that_is_gone_lets_nothing_be_taken() {
    for record in [("b", "b-9"), ("Pending/b", "none"), ("Deleting/b", "b-9"), ("Pending/other", "none")] {
        let entries = [record, (ACCOUNT, "me")];
        for is_known in [false, true] {
            let forgetting = Asking { forget: true, is_known, ..ME };
            for (wanted, asking) in [(true, Asking { is_known, ..ME }), (false, forgetting)] {
                let resources = vec![thing("a", wanted, Some("a-1")), thing("b", wanted, None)];
                let planned = planned(&entries, resources, asking);
                // A seed knows what is its own as long as nothing is recorded.
                let may = is_known && record.0 != "b";
                assert_eq!(planned.is_ok(), may, "{record:?} {wanted} {is_known}: {planned:?}");
            }
        }
    }
}

#[test]
fn a_seed_knows_what_is_its_own_and_not_whose_account_a_state_is() {
    let found = || vec![thing("a", true, Some("a-1"))];
    assert!(planned(&[], found(), Asking { is_known: true, ..ME }).is_ok());
    let nothing = vec![thing("a", true, None)];
    let unbound = planned(&[("a", "a-1")], nothing, Asking { is_known: true, ..ME });
    assert!(matches!(unbound, Err(Unowned::Unbound(_))), "{unbound:?}");
}

#[test]
fn what_was_being_made_is_waited_for_before_its_record_goes() {
    let entries = [
        ("Pending/a", "none"),
        ("Pending/other", "none"),
        ("Token/other/create", "1"),
        ("a", DELETED),
        (ACCOUNT, "me"),
    ];
    let resources = || vec![thing("a", false, None)];
    let first = planned(&entries, resources(), ME).unwrap();
    assert!(first.changes.is_empty());
    assert_eq!((first.awaited, first.state), (vec!["a".to_owned(), "other".to_owned()], state(&entries)));
    let second = planned(&entries, resources(), Asking { has_waited: true, ..ME }).unwrap();
    assert_eq!((second.awaited, second.state), (Vec::new(), state(&[("a", DELETED)])));
    // What is wanted is made with the token that it had.
    let again = planned(&entries, vec![thing("a", true, None)], ME).unwrap();
    assert!(again.awaited.is_empty() && again.state.get("Pending/a").is_some());
}

#[test]
fn the_id_of_what_is_made_again_is_kept() {
    let plan =
        planned(&[("a", "a-1"), ("b", "b-1")], vec![thing("a", true, None), thing("b", true, Some("b-1"))], ME);
    assert_eq!(plan.unwrap().state.get("Last/a"), Some(&"a-1".to_owned()));
}
