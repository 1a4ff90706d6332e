//! What plans of a few resources look like. `tests/plan` tests that plans converge, on a model of a cloud.

mod records;

use super::*;
use crate::call::Call;
use crate::policy::{Action, Condition, Note, Probe, ResourceChange, Step};

const NETWORK: ResourceKind = ResourceKind { name: "network", billed: false, association: false };
const GATEWAY: ResourceKind = ResourceKind { name: "gateway", billed: true, association: false };
const BINDING: ResourceKind = ResourceKind { name: "binding", billed: false, association: true };

fn step(id: &str) -> Step {
    let token = id.ends_with("/create").then(String::new);
    Step { id: id.to_owned(), call: Call { token, ..Call::default() }, ..Step::default() }
}

/// A resource with steps, under a key of its own.
fn resource(id: &str, kind: &'static ResourceKind) -> Resource {
    Resource {
        key: Some(id.to_owned()),
        create: vec![step(&format!("{id}/create"))],
        delete: vec![step(&format!("{id}/delete"))],
        disruption: Some(format!("{id} stops.")),
        ..Resource::new(id, kind, &format!("the-{id}"))
    }
}

fn wanted(id: &str, kind: &'static ResourceKind) -> Resource {
    Resource { wanted: true, ..resource(id, kind) }
}

fn found(id: &str, kind: &'static ResourceKind) -> Resource {
    Resource { found: Some(format!("{id}-1")), uses: Vec::new(), ..resource(id, kind) }
}

fn kept(id: &str, kind: &'static ResourceKind) -> Resource {
    Resource { wanted: true, ..found(id, kind) }
}

fn attribute(name: &'static str, difference: Difference) -> Attribute {
    Attribute { name, wanted: Some("new".to_owned()), found: Some("old".to_owned()), difference }
}

fn update(id: &str, name: &'static str) -> Attribute {
    attribute(name, Difference::Update(vec![step(&format!("{id}/{name}"))], Some(format!("{name} stops."))))
}

fn ids(ids: &[&str]) -> Vec<String> {
    ids.iter().map(|id| (*id).to_owned()).collect()
}

/// State that has the id of every resource found, and more.
fn state(ids: &[&str]) -> State {
    ids.iter().map(|id| (*id, format!("{id}-1"))).collect()
}

/// Somebody who agrees to everything.
fn agreed(recorded: &State) -> Caller<'_> {
    Caller { recorded, account: None, may_adopt: true, is_known: false, may_forget: true, has_waited: false }
}

fn made(state: State, resources: Vec<Resource>) -> Plan {
    let recorded = state.clone();
    plan("me", state, resources, &agreed(&recorded)).unwrap()
}

/// Steps with what they wait for.
fn steps(plan: &Plan) -> Vec<(&str, Vec<&str>)> {
    plan.steps.iter().map(|step| (step.id.as_str(), step.after.iter().map(String::as_str).collect())).collect()
}

fn actions(plan: &Plan) -> Vec<(&str, Action)> {
    plan.changes.iter().map(|change| (change.id.as_str(), change.action)).collect()
}

fn only(plan: &Plan) -> &ResourceChange {
    let [change] = plan.changes.as_slice() else { unreachable!("{:?}", plan.changes) };
    change
}

#[test]
fn what_is_wanted_is_made_after_what_it_needs_and_waits_for_nothing_twice() {
    let plan = made(
        State::new(),
        vec![
            Resource { needs: ids(&["a", "b"]), ..wanted("c", &BINDING) },
            Resource { needs: ids(&["a"]), ..wanted("b", &GATEWAY) },
            wanted("a", &NETWORK),
        ],
    );
    let expected = [("a/create", vec![]), ("b/create", vec!["a/create"]), ("c/create", vec!["b/create"])];
    assert_eq!(steps(&plan), expected);
    assert_eq!(actions(&plan), [("a", Action::Create), ("b", Action::Create), ("c", Action::Associate)]);
    assert_eq!(plan.resources.iter().map(|resource| resource.billed).collect::<Vec<_>>(), [false, true, false]);
}

#[test]
fn what_is_there_as_wanted_and_recorded_is_no_change() {
    let attribute = Attribute { wanted: None, ..attribute("address", Difference::Replace) };
    let plan = made(state(&["a"]), vec![Resource { attributes: vec![attribute], ..kept("a", &NETWORK) }]);
    assert!(plan.changes.is_empty() && plan.steps.is_empty() && plan.notes.is_empty());
    assert_eq!((plan.state, plan.resources.len()), (state(&["a"]), 1));
}

#[test]
fn what_is_not_wanted_goes_after_what_uses_it_and_before_what_it_uses() {
    let plan = made(
        state(&["a", "b", "c"]),
        vec![
            found("a", &NETWORK),
            Resource { uses: ids(&["a"]), ..found("b", &GATEWAY) },
            Resource { uses: ids(&["a", "b"]), ..found("c", &BINDING) },
        ],
    );
    let expected = [("c/delete", vec![]), ("b/delete", vec!["c/delete"]), ("a/delete", vec!["b/delete"])];
    assert_eq!(steps(&plan), expected);
    assert_eq!(actions(&plan), [("c", Action::Delete), ("b", Action::Delete), ("a", Action::Delete)]);
    let concluded = |step: &Step| step.conclude.clone().into_iter().collect::<Vec<_>>();
    let deleted = |id: &str, last: &str| {
        vec![
            (format!("Deleting/{id}"), None),
            (last.to_owned(), Some(format!("{id}-1"))),
            (id.to_owned(), Some(DELETED.to_owned())),
        ]
    };
    assert_eq!(concluded(&plan.steps[0]), deleted("c", "Last/c"));
}

#[test]
fn what_is_within_another_goes_with_it_and_its_records_too() {
    let rule = Resource {
        uses: ids(&["address"]),
        within: Some("gateway".to_owned()),
        keys: ids(&["rule", "rule-address"]),
        ..found("rule", &BINDING)
    };
    let user = Resource { uses: ids(&["rule"]), ..found("user", &BINDING) };
    let mut gateway = found("gateway", &GATEWAY);
    gateway.delete.insert(0, step("gateway/release"));
    let resources = vec![found("address", &NETWORK), gateway, rule, user];
    let plan = made(state(&["address", "gateway", "rule", "user"]), resources);
    let expected = [
        ("user/delete", vec![]),
        ("gateway/release", vec!["user/delete"]),
        ("gateway/delete", vec!["gateway/release"]),
        ("address/delete", vec!["gateway/delete"]),
    ];
    assert_eq!(steps(&plan), expected);
    assert_eq!(
        plan.changes.iter().map(|change| change.id.as_str()).collect::<Vec<_>>(),
        ["user", "rule", "gateway", "address"]
    );
    let conclude = &plan.steps[2].conclude;
    assert_eq!(conclude.get("rule"), Some(&None));
    assert_eq!(conclude.get("rule-address"), Some(&None));
    assert_eq!(conclude.get("Last/rule"), Some(&Some("rule-1".to_owned())));
    assert_eq!(conclude.get("gateway"), Some(&Some(DELETED.to_owned())));
}

#[test]
fn what_is_within_another_goes_by_itself_where_what_it_uses_has_to_go_before() {
    let table = found("table", &NETWORK);
    let subnet = Resource { uses: ids(&["table"]), ..found("subnet", &NETWORK) };
    let gateway = Resource { uses: ids(&["subnet"]), ..found("gateway", &GATEWAY) };
    let route = Resource {
        uses: ids(&["table", "gateway"]),
        within: Some("table".to_owned()),
        ..found("route", &BINDING)
    };
    let plan = made(state(&["table", "subnet", "gateway", "route"]), vec![table, subnet, gateway, route]);
    let expected = [
        ("route/delete", vec![]),
        ("gateway/delete", vec!["route/delete"]),
        ("subnet/delete", vec!["gateway/delete"]),
        ("table/delete", vec!["subnet/delete"]),
    ];
    assert_eq!(steps(&plan), expected);
}

#[test]
fn a_replacement_shows_what_differs_and_which_difference_forces_it() {
    let same = |name| Attribute { found: Some("new".to_owned()), ..attribute(name, Difference::Replace) };
    let attributes = vec![attribute("range", Difference::Replace), same("kind"), update("network", "tags")];
    let plan = made(state(&["network"]), vec![Resource { attributes, ..kept("network", &NETWORK) }]);
    let change = only(&plan);
    assert_eq!((change.action, change.forces_replacement.as_slice()), (Action::Replace, &["range"][..]));
    for values in [&change.before, &change.after] {
        let values = values.as_ref().unwrap();
        assert!(values.get("range").is_some() && values.get("tags").is_some());
        assert!(values.get("kind").is_none(), "it stays as it is");
    }
}

#[test]
fn what_is_replaced_takes_along_what_stands_on_it() {
    let network =
        Resource { attributes: vec![attribute("range", Difference::Replace)], ..kept("network", &NETWORK) };
    let gateway = Resource { needs: ids(&["network"]), uses: ids(&["network"]), ..kept("gateway", &GATEWAY) };
    let rule = Resource { needs: ids(&["gateway"]), within: Some("gateway".to_owned()), ..kept("rule", &BINDING) };
    let plan = made(state(&["network", "gateway", "rule"]), vec![network, gateway, rule, kept("other", &NETWORK)]);
    let expected = [
        ("gateway/delete", vec![]),
        ("network/delete", vec!["gateway/delete"]),
        ("network/create", vec!["network/delete"]),
        ("gateway/create", vec!["network/create"]),
        ("rule/create", vec!["gateway/create"]),
    ];
    assert_eq!(steps(&plan), expected);
    let change = &plan.changes[0];
    assert_eq!((change.action, change.disruption.as_deref()), (Action::Replace, Some("network stops.")));
    assert_eq!(change.steps, ["network/delete", "network/create"]);
    assert_eq!(plan.steps[2].call.token.as_deref(), Some("me/network/network-1"));
    assert_eq!(plan.steps[2].remember.get("Pending/network"), Some(&Some("network-1".to_owned())));
    assert_eq!(
        plan.steps[2].conclude.get("Pending/network"),
        None,
        "without a probe, it is remembered until it is seen"
    );
}

#[test]
fn it_takes_along_what_needs_it_what_uses_it_and_what_is_within_it() {
    let network =
        Resource { attributes: vec![attribute("range", Difference::Replace)], ..kept("network", &NETWORK) };
    let plan = made(
        state(&["network", "a", "b", "c", "d"]),
        vec![
            network,
            Resource { needs: ids(&["network"]), ..kept("a", &NETWORK) },
            Resource { uses: ids(&["network"]), ..kept("b", &NETWORK) },
            Resource { within: Some("network".to_owned()), ..kept("c", &NETWORK) },
            kept("d", &NETWORK),
        ],
    );
    assert_eq!(actions(&plan), ["network", "a", "b", "c"].map(|id| (id, Action::Replace)));
    assert!(plan.steps.iter().all(|step| step.id != "c/delete"));
}

#[test]
fn a_change_shows_what_was_and_what_will_be() {
    let range = |found: bool, wanted: bool| Attribute {
        found: found.then(|| "old".to_owned()),
        wanted: wanted.then(|| "new".to_owned()),
        ..attribute("range", Difference::Replace)
    };
    let reported = |resource: Resource, attributes: Vec<Attribute>| {
        let resource = Resource { attributes, ..resource };
        let plan = made(state(&["a"]), vec![resource]);
        let change = serde_json::to_value(&plan.changes[0]).unwrap();
        (change["before"].to_string(), change["after"].to_string(), plan.notes.len())
    };
    let report = || attribute("name", Difference::Report);
    let text = |text: &str| text.to_owned();
    let made = reported(wanted("a", &NETWORK), vec![range(false, false)]);
    assert_eq!(made, (text("null"), text(r#"{"range":null}"#), 0));
    let replaced = reported(kept("a", &NETWORK), vec![range(true, true), report()]);
    let (old, new) = (text(r#"{"name":"old","range":"old"}"#), text(r#"{"name":"new","range":"new"}"#));
    assert_eq!(replaced, (old, new, 0));
    let deleted = reported(
        found("a", &NETWORK),
        vec![range(true, false), Attribute { name: "other", ..range(false, true) }],
    );
    assert_eq!(deleted, (text(r#"{"range":"old"}"#), text("null"), 0));
}

#[test]
fn a_resource_shows_what_it_stands_on() {
    let relate = |resource| Resource { needs: ids(&["wanted", "absent"]), uses: ids(&["found"]), ..resource };
    let plan = made(
        state(&["found", "goes"]),
        vec![
            wanted("wanted", &NETWORK),
            resource("absent", &NETWORK),
            found("found", &NETWORK),
            relate(wanted("comes", &NETWORK)),
            relate(found("goes", &NETWORK)),
        ],
    );
    let of =
        |id: &str| plan.resources.iter().find(|resource| resource.id == id).map(|resource| resource.needs.clone());
    assert_eq!((of("absent"), of("comes"), of("goes")), (None, Some(ids(&["wanted"])), Some(ids(&["found"]))));
}

#[test]
fn what_is_updated_lets_go_of_what_it_used() {
    let user = Resource {
        needs: ids(&["new"]),
        uses: ids(&["old"]),
        attributes: vec![update("user", "target"), update("user", "name"), update("user", "name")],
        ..kept("user", &GATEWAY)
    };
    let plan = made(state(&["user", "old"]), vec![found("old", &NETWORK), user, wanted("new", &NETWORK)]);
    let expected = [
        ("new/create", vec![]),
        ("user/target", vec!["new/create"]),
        ("user/name", vec!["user/target"]),
        ("old/delete", vec!["user/name"]),
    ];
    assert_eq!(steps(&plan), expected);
    let change = &plan.changes[1];
    assert_eq!(change.disruption.as_deref(), Some("target stops. name stops."));
    assert_eq!(
        change.before.as_ref().map(|before| before.names().collect::<Vec<_>>()),
        Some(vec!["name", "target"])
    );
}

#[test]
fn what_comes_waits_until_what_it_takes_the_place_of_is_gone() {
    let plan = made(
        state(&["old"]),
        vec![Resource { needs: ids(&["old"]), ..wanted("new", &NETWORK) }, found("old", &NETWORK)],
    );
    assert_eq!(steps(&plan), [("old/delete", vec![]), ("new/create", vec!["old/delete"])]);
}
