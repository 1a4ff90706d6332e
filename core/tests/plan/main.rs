//! Plans converge: whatever is wanted, whatever is there, and wherever a run is stopped.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "helpers of tests may panic")]

mod cloud;
mod provider;
mod runner;

use proptest::collection::vec;
use proptest::prelude::*;
use trellis_core::plan::{ACCOUNT, Caller, DELETED, plan};
use trellis_core::policy::{Action, Plan, State};

use cloud::Cloud;
use provider::{GIVEN_NETWORK, ME, Wish, Zone, given_address};
use runner::{End, run};

const ZONES: [&str; 3] = ["a", "b", "c"];

/// Turns that no run needs.
const ENOUGH: usize = 10_000;

/// A cloud, our record of it, and what others have there.
#[derive(Clone)]
struct World {
    cloud: Cloud,
    state: State,
    seed: u64,
    /// Whether our record was lost, or somebody deleted what is ours: only then a person has to agree.
    was_meddled: bool,
}

impl World {
    fn new(lag: u64) -> Self {
        let mut cloud = Cloud::new(lag);
        cloud.place(GIVEN_NETWORK, "network", "them", "network", &[("range", "r9"), ("label", "theirs")]);
        cloud.place("their-subnet", "subnet", "them", "subnet", &[("network", GIVEN_NETWORK), ("range", "r8")]);
        // A neighbour whose name begins like ours, with the same names for its own.
        cloud.place("their-network", "network", "me2", "network", &[("range", "r0")]);
        for zone in ZONES {
            cloud.place(&given_address(zone), "address", "them", "address", &[("bandwidth", "7")]);
        }
        Self { cloud, state: State::new(), seed: 1, was_meddled: false }
    }

    fn plan(&self, wish: Option<&Wish>) -> Plan {
        let mut state = self.state.clone();
        let resources = provider::resources(wish, &mut state, &self.cloud);
        let consent = self.was_meddled;
        let recorded = &self.state;
        let caller = Caller {
            recorded,
            account: Some(ME),
            may_adopt: consent,
            is_known: false,
            may_forget: consent,
            has_waited: false,
        };
        plan(ME, state, resources, &caller).unwrap()
    }

    /// Plans, and runs for so many turns; the plan and how it ended.
    fn apply(&mut self, wish: Option<&Wish>, turns: usize) -> (Plan, End) {
        let plan = self.plan(wish);
        check(&plan);
        let foreign = self.cloud.foreign();
        let mut random = self.seed;
        let pick = |count: usize| {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            usize::try_from(random >> 33).unwrap() % count
        };
        let end = run(&plan, &mut self.cloud, &mut self.state, turns, pick);
        assert_eq!(self.cloud.foreign(), foreign, "what is somebody else's was touched");
        if let End::Refused(error) = &end {
            panic!("{error}\n{}", text(&plan));
        }
        (plan, end)
    }

    /// Applies until there is nothing to do. Where everything is seen, once is enough.
    fn converge(&mut self, wish: Option<&Wish>) {
        for round in 0.. {
            let (plan, end) = self.apply(wish, ENOUGH);
            if end == End::Done && plan.changes.is_empty() {
                assert_eq!(plan.state, self.state);
                break;
            }
            assert!(round < 4, "there is always something to do:\n{}", text(&plan));
            if end == End::Done {
                let next = self.plan(wish);
                assert!(next.changes.is_empty() && next.steps.is_empty(), "{}", text(&next));
                // Whose it was is forgotten by the plan that finds nothing left.
                let mut state = self.state.clone();
                if next.state.get(ACCOUNT).is_none() {
                    state.remove(ACCOUNT);
                }
                assert_eq!(next.state, state, "the record is not what is found");
            }
        }
        self.check_inventory(wish);
    }

    /// Everything wanted is there once, as it is wanted, recorded, and nothing else of ours is.
    fn check_inventory(&self, wish: Option<&Wish>) {
        let mut roles: Vec<String> = Vec::new();
        if let Some(wish) = wish {
            let table = wish.table.then_some("table");
            let gateway = (!wish.zones.is_empty()).then_some("gateway");
            roles.extend(
                [wish.network.map(|_| "network"), table, gateway, table.and(gateway).map(|_| "route")]
                    .into_iter()
                    .flatten()
                    .map(str::to_owned),
            );
            for Zone { name, address, .. } in &wish.zones {
                let parts = ["subnet", "binding", "rule"].into_iter().chain(address.map(|_| "address"));
                roles.extend(parts.map(|part| format!("zones/{name}/{part}")));
            }
        }
        roles.sort();
        let mut ours: Vec<_> = self.cloud.live().filter(|object| !object.foreign).collect();
        ours.sort_by_key(|object| &object.role);
        assert_eq!(ours.iter().map(|object| &object.role).collect::<Vec<_>>(), roles.iter().collect::<Vec<_>>());
        for object in &ours {
            assert_eq!(object.owner, ME);
            let recorded = self.state.get(&object.role);
            assert!(object.kind == "binding" || recorded == Some(&object.id), "{recorded:?} of {object:?}");
        }
        let recorded = self.state.iter().filter(|(key, _)| !key.starts_with("Last/"));
        for (key, value) in recorded.filter(|(key, _)| *key != ACCOUNT) {
            let role = key.strip_suffix("/ip").unwrap_or(key);
            let role = role.strip_prefix("Pending/").unwrap_or(role);
            assert!(!role.starts_with("Deleting/"), "{key} remains");
            let is_wanted = roles.iter().any(|known| known == role);
            // What was being made when it ceased to be wanted may still appear.
            let is_pending = self.state.get(&format!("Pending/{role}")).is_some();
            assert!(is_wanted != is_pending || value == DELETED, "{key}: {value} remains");
        }
        let Some(wish) = wish else { return };
        let field = |role: &str, name: &str| {
            ours.iter().find(|object| object.role == role).and_then(|object| object.field(name)).map(str::to_owned)
        };
        let id = |role: &str| ours.iter().find(|object| object.role == role).map(|object| object.id.clone());
        let network = wish.network.map_or_else(|| Some(GIVEN_NETWORK.to_owned()), |_| id("network"));
        assert_eq!(field("network", "range").as_deref(), wish.network);
        for zone in &wish.zones {
            let of = |part: &str| format!("zones/{}/{part}", zone.name);
            let address = zone.address.map_or_else(|| Some(given_address(zone.name)), |_| id(&of("address")));
            let table = if wish.table { id("table") } else { Some("main".to_owned()) };
            assert_eq!(field(&of("subnet"), "network"), network);
            assert_eq!(field(&of("subnet"), "range").as_deref(), Some(zone.range));
            assert_eq!(field(&of("subnet"), "table"), table);
            assert_eq!(
                field(&of("address"), "bandwidth").as_deref(),
                zone.address.map(|(bandwidth, _)| bandwidth)
            );
            assert_eq!(field(&of("address"), "line").as_deref(), zone.address.map(|(_, line)| line));
            let is_known = self.state.get(&of("address/ip")).is_some();
            // What was being made when it ceased to be wanted may still appear: what is known of it stays
            // recorded, too.
            let is_pending = self.state.get(&format!("Pending/{}", of("address"))).is_some();
            assert!(if zone.address.is_some() { is_known } else { !is_known || is_pending }, "{}", zone.name);
            assert_eq!(field(&of("binding"), "address"), address);
            assert_eq!(field(&of("rule"), "address"), address);
            assert_eq!(field(&of("rule"), "subnet"), id(&of("subnet")));
            assert_eq!(field("gateway", "size").as_deref(), Some(wish.size));
        }
    }
}

fn text(plan: &Plan) -> String {
    serde_json::to_string_pretty(plan).unwrap()
}

/// What holds of every plan.
fn check(plan: &Plan) {
    for (place, step) in plan.steps.iter().enumerate() {
        let earlier = &plan.steps[..place];
        assert!(earlier.iter().all(|other| other.id != step.id), "two steps are {}", step.id);
        for id in &step.after {
            let before = earlier.iter().find(|other| other.id == *id);
            assert!(before.is_some(), "{} comes after {id}, which is no earlier step", step.id);
            let mut further: Vec<&String> = before.iter().flat_map(|before| &before.after).collect();
            while let Some(id) = further.pop() {
                assert!(!step.after.contains(id), "{} waits for {id} twice", step.id);
                further.extend(earlier.iter().filter(|other| other.id == *id).flat_map(|other| &other.after));
            }
        }
    }
    let mut of_changes: Vec<&String> = plan.changes.iter().flat_map(|change| &change.steps).collect();
    let mut all: Vec<&String> = plan.steps.iter().map(|step| &step.id).collect();
    of_changes.sort();
    all.sort();
    assert_eq!(of_changes, all, "every step is of one change");
    for change in &plan.changes {
        let resource = plan.resources.iter().find(|resource| resource.id == change.id).unwrap();
        assert!(!resource.foreign && resource.action == Some(change.action));
    }
    let mut listed =
        plan.resources.iter().filter(|resource| resource.action.is_some()).map(|resource| &resource.id);
    assert!(
        plan.changes.iter().all(|change| listed.next() == Some(&change.id)),
        "changes are in the order of resources"
    );
}

/// A run of a wish, stopped after so many turns, and then again; to the end, if it is to be.
#[derive(Clone, Debug)]
enum Event {
    Run { wish: Option<Wish>, stops: Vec<usize>, is_finished: bool },
    Meddle(Meddling, usize),
}

/// What somebody else does to the n-th object of ours, or to our record.
#[derive(Clone, Copy, Debug)]
enum Meddling {
    Delete,
    Edit,
    Unmark,
    LoseState,
}

fn wish() -> impl Strategy<Value = Wish> {
    let choice = |choices: [&'static str; 2]| prop::sample::select(choices.to_vec());
    let zone = move || {
        let address = prop::option::of((choice(["5", "10"]), choice(["l1", "l2"])));
        prop::option::of((choice(["r1", "r2"]), address))
    };
    let network = prop::option::weighted(0.8, choice(["r1", "r2"]));
    (network, choice(["x", "y"]), choice(["small", "large"]), any::<bool>(), [zone(), zone(), zone()]).prop_map(
        |(network, label, size, table, zones)| {
            let zone = |(name, zone): (&'static str, Option<_>)| {
                zone.map(|(range, address)| Zone { name, range, address })
            };
            Wish { network, label, size, table, zones: ZONES.into_iter().zip(zones).filter_map(zone).collect() }
        },
    )
}

fn event() -> impl Strategy<Value = Event> {
    let meddling =
        prop::sample::select(vec![Meddling::Delete, Meddling::Edit, Meddling::Unmark, Meddling::LoseState]);
    prop_oneof![
        3 => (prop::option::weighted(0.85, wish()), vec(0_usize..150, 0..3), any::<bool>())
            .prop_map(|(wish, stops, is_finished)| Event::Run { wish, stops, is_finished }),
        2 => (meddling, any::<prop::sample::Index>()).prop_map(|(meddling, index)| Event::Meddle(meddling, index.index(64))),
    ]
}

impl World {
    fn happens(&mut self, event: &Event) {
        match event {
            Event::Run { wish, stops, is_finished } => {
                for stop in stops {
                    self.apply(wish.as_ref(), *stop);
                }
                if *is_finished {
                    self.converge(wish.as_ref());
                }
                // Nobody has another wish before the cloud shows what it did.
                self.cloud.wait();
            }
            Event::Meddle(meddling, place) => self.meddle(*meddling, *place),
        }
    }

    fn meddle(&mut self, meddling: Meddling, place: usize) {
        let ours: Vec<_> = self.cloud.live().filter(|object| !object.foreign).cloned().collect();
        let is_marked = ours.iter().all(|object| object.owner == ME);
        let object = ours.get(place % ours.len().max(1));
        match (meddling, object) {
            (Meddling::LoseState, _) if is_marked => {
                self.was_meddled = true;
                self.state = State::new();
                self.cloud.forget_tokens();
            }
            (Meddling::Delete, Some(object)) => {
                self.was_meddled = true;
                self.cloud.wreck(&object.id);
            }
            (Meddling::Edit, Some(object)) => {
                let object = self.cloud.meddle(&object.id).unwrap();
                for name in ["range", "label", "size", "bandwidth"] {
                    if let Some(value) = object.fields.get_mut(name) {
                        "edited".clone_into(value);
                    }
                }
            }
            // What is neither recorded nor marked nor within something of ours is nobody's.
            (Meddling::Unmark, Some(object)) if self.state.get(&object.role) == Some(&object.id) => {
                "nobody".clone_into(&mut self.cloud.meddle(&object.id).unwrap().owner);
            }
            _ => {}
        }
        self.cloud.wait();
    }
}

proptest! {
    #[test]
    fn plans_converge_whatever_happened_before(
        lag in 0_u64..6,
        seed in any::<u64>(),
        events in vec(event(), 0..6),
        last in prop::option::weighted(0.8, wish()),
    ) {
        let mut world = World { seed, ..World::new(lag) };
        for event in &events {
            world.happens(event);
        }
        world.converge(last.as_ref());
    }

    #[test]
    fn a_plan_is_the_same_bytes_for_the_same_input(seed in any::<u64>(), events in vec(event(), 0..4), last in wish()) {
        let mut world = World { seed, ..World::new(1) };
        for event in &events {
            world.happens(event);
        }
        prop_assert_eq!(text(&world.plan(Some(&last))), text(&world.plan(Some(&last))));
    }

    #[test]
    fn what_is_made_is_removed_in_the_reverse_order(wish in wish()) {
        let mut world = World::new(0);
        let made = world.plan(Some(&wish));
        world.converge(Some(&wish));
        let removed = world.plan(None);
        let at = |plan: &Plan, id: &str| plan.changes.iter().position(|change| change.id == id);
        for resource in made.resources.iter().filter(|resource| !resource.foreign) {
            let (first, last) = (at(&made, &resource.id).unwrap(), at(&removed, &resource.id).unwrap());
            for needed in resource.needs.iter().filter_map(|id| Some((at(&made, id)?, at(&removed, id)?))) {
                prop_assert!(needed.0 < first && last < needed.1);
            }
        }
    }
}

fn wish_of(zones: &[&'static str], line: &'static str, table: bool) -> Wish {
    let zone = |name: &&'static str| Zone { name, range: "r1", address: Some(("5", line)) };
    Wish { network: Some("r1"), label: "x", size: "small", table, zones: zones.iter().map(zone).collect() }
}

/// Stops a run after every single effect, and once more soon after it is resumed.
fn stop_everywhere(before: Option<&Wish>, wish: Option<&Wish>, lag: u64) {
    let mut start = World::new(lag);
    start.converge(before);
    for again in [None, Some(1), Some(7)] {
        for turns in (0..).step_by(if again.is_some() { 3 } else { 1 }) {
            let mut world = World { seed: turns as u64, ..start.clone() };
            if world.apply(wish, turns).1 == End::Done {
                break;
            }
            if let Some(again) = again {
                world.apply(wish, again);
            }
            world.converge(wish);
        }
    }
}

#[test]
fn a_create_goes_on_wherever_it_was_stopped() {
    stop_everywhere(None, Some(&wish_of(&["a"], "l1", false)), 0);
    stop_everywhere(None, Some(&wish_of(&ZONES, "l1", true)), 4);
}

#[test]
fn an_update_goes_on_wherever_it_was_stopped() {
    let before = wish_of(&["a", "b"], "l1", true);
    stop_everywhere(Some(&before), Some(&wish_of(&["b", "c"], "l2", false)), 4);
    // Everything is replaced.
    stop_everywhere(Some(&before), Some(&Wish { network: Some("r2"), ..before.clone() }), 4);
    stop_everywhere(Some(&before), Some(&Wish { network: None, ..before.clone() }), 0);
}

#[test]
fn a_delete_goes_on_wherever_it_was_stopped() {
    stop_everywhere(Some(&wish_of(&ZONES, "l1", true)), None, 4);
}

#[test]
fn what_was_deleted_is_made_again() {
    let mut world = World::new(0);
    let wish = wish_of(&["a"], "l1", false);
    world.converge(Some(&wish));
    world.converge(None);
    assert_eq!(world.cloud.live().filter(|object| !object.foreign).count(), 0);
    let plan = world.plan(Some(&wish));
    assert!(plan.changes.iter().all(|change| matches!(change.action, Action::Create | Action::Associate)));
    world.converge(Some(&wish));
}
