//! Long walks of calls that are right, nearly right and wrong: whatever is called, the world stays whole.
#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests may panic")]

use std::time::Duration;

use jiff::Timestamp;
use proptest::prelude::*;
use serde_json::Value;
use trellis_simulator::action::{Action, Caller, Form, Parameter, Principal, Run, Service};
use trellis_simulator::cloud::{Clock, Cloud, Operation, replay};
use trellis_simulator::service::SERVICES;
use trellis_simulator::settings::Settings;
use trellis_simulator::world::{Region, World};

const REGION: &str = "cn-shanghai";
const CALLS: usize = 400;

/// Texts that fit somewhere, and some that fit nowhere.
const TEXTS: &[&str] = &[
    "cn-shanghai",
    "cn-shanghai-a",
    "cn-shanghai-b",
    "10.0.0.0/8",
    "10.1.0.0/16",
    "10.1.1.0/24",
    "10.1.2.0/24",
    "172.16.0.0/12",
    "0.0.0.0/0",
    "::/0",
    "192.168.0.5",
    "2408:4000::/56",
    "name",
    "other",
    "VPC",
    "VSWITCH",
    "EIP",
    "NATGATEWAY",
    "securitygroup",
    "instance",
    "Nat",
    "NatGateway",
    "EcsInstance",
    "TCP",
    "22/22",
    "-1/-1",
    "ALL",
    "Enhanced",
    "accept",
    "1",
    "http://x",
    "",
    "\u{0}",
    "ä\u{ffff}",
    "a,b",
    "[\"a\"]",
    "{}",
    "example.com",
    "www",
    "A",
    "bucket-one",
    "2026-01-02T03:04:05Z",
    "nat.aliyuncs.com",
    "AliyunServiceRoleForNatgw",
    "x86_64",
];

/// SplitMix64, so that a walk is known by its seed.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.next() % u64::try_from(count.max(1)).unwrap()).unwrap()
    }

    fn once_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> Option<&'a T> {
        from.get(self.below(from.len()))
    }
}

/// A walk: the identifiers that it met, and the names of all kinds.
struct Walk {
    dice: Dice,
    cloud: Cloud,
    met: Vec<String>,
}

impl Walk {
    fn new(seed: u64) -> Self {
        let mut clock = Clock::at("2026-01-02T03:04:05Z".parse::<Timestamp>().unwrap());
        clock.set_rate(0.0).unwrap();
        let cloud = Cloud::new(World::default(), clock, Settings::default());
        Self { dice: Dice(seed), cloud, met: Vec::new() }
    }

    fn text(&mut self) -> String {
        if self.met.is_empty() || self.dice.once_in(3) {
            return (*self.dice.pick(TEXTS).unwrap()).to_owned();
        }
        // What was met last is most likely to be of use.
        let count = self.met.len();
        let back = if self.dice.once_in(2) { self.dice.below(count.min(12)) } else { self.dice.below(count) };
        self.met[count - 1 - back].clone()
    }

    fn value(&mut self, form: Form) -> String {
        match form {
            Form::Integer(least, most) => match self.dice.below(4) {
                0 => least.to_string(),
                1 => most.to_string(),
                2 => most.wrapping_add(1).to_string(),
                _ => least.saturating_add(i64::try_from(self.dice.below(100)).unwrap()).min(most).to_string(),
            },
            Form::Boolean => ["true", "false", "maybe"][self.dice.below(5) % 3].to_owned(),
            Form::OneOf(_) if self.dice.once_in(10) => self.text(),
            Form::OneOf(words) => (*self.dice.pick(words).unwrap()).to_owned(),
            Form::Json(_) => serde_json::to_string(&[self.text()]).unwrap(),
            _ => self.text(),
        }
    }

    fn give(&mut self, declared: &[Parameter], prefix: &str, given: &mut Vec<(String, String)>) {
        for parameter in declared {
            if self.dice.once_in(if parameter.required { 40 } else { 2 })
                || (!parameter.required && self.dice.once_in(2))
            {
                continue;
            }
            let name = format!("{prefix}{}", parameter.name);
            match parameter.form {
                Form::List { of, .. } => {
                    for number in 1..=1 + self.dice.below(2) {
                        let value = self.value(*of);
                        given.push((format!("{name}.{number}"), value));
                    }
                }
                Form::Records { of, .. } => {
                    for number in 1..=1 + self.dice.below(2) {
                        self.give(of, &format!("{name}.{number}."), given);
                    }
                }
                _ if parameter.name == "DryRun" && !self.dice.once_in(8) => {}
                form => {
                    let value = self.value(form);
                    given.push((name, value));
                }
            }
        }
    }

    fn step(&mut self) {
        let actions: Vec<(&'static Service, &'static Action)> =
            SERVICES.iter().flat_map(|service| service.actions().map(move |action| (service, action))).collect();
        // Creations first, else there is nothing to delete.
        let (service, action) = loop {
            let (service, action) = *self.dice.pick(&actions).unwrap();
            let ends =
                ["Delete", "Release", "Unassociate", "Revoke"].iter().any(|start| action.name.starts_with(start));
            if !ends || self.dice.once_in(4) {
                break (service, action);
            }
        };
        let mut parameters = Vec::new();
        self.give(action.parameters, "", &mut parameters);
        if let Some(region) = parameters.iter_mut().find(|(name, _)| name == "RegionId") {
            REGION.clone_into(&mut region.1);
        }
        let caller = Caller {
            account: "1000000000000001".to_owned(),
            access_key: "key".to_owned(),
            principal: Principal::Account,
            sees_nothing: false,
        };
        let region = REGION.to_owned();
        let body = [&b""[..], b"<a/>", b"text"][self.dice.below(3)].to_vec();
        let operation = Operation { service, action, caller, region, parameters, body: body.into() };
        let before = self.cloud.world();
        match self.cloud.execute(&operation) {
            Ok(answer) => {
                if matches!(action.run, Run::Read(_)) {
                    assert!(before == self.cloud.world(), "{} changed the world", action.name);
                }
                self.meet(&Value::Object(answer.fields));
            }
            Err(refused) => {
                assert!(before == self.cloud.world(), "{} refused and changed the world: {refused}", action.name);
                assert!(refused.error.status < 500, "{}: {refused}", action.name);
            }
        }
        self.check_references(action);
        if self.dice.once_in(3) {
            self.cloud.step(Duration::from_secs(u64::try_from(self.dice.below(90)).unwrap())).unwrap();
        }
    }

    /// What is there leads to nothing that is gone.
    fn check_references(&self, action: &Action) {
        let world = self.cloud.world();
        for (_, region) in world.accounts().flat_map(|(_, account)| account.regions()) {
            assert_eq!(dangling(region), [], "after {}, one leads to another that is gone", action.name);
        }
    }

    /// Remembers the texts of an answer for later calls.
    fn meet(&mut self, value: &Value) {
        match value {
            Value::String(text) if text.len() < 64 && !self.met.contains(text) => self.met.push(text.clone()),
            Value::Array(values) => values.iter().for_each(|value| self.meet(value)),
            Value::Object(fields) => fields.values().for_each(|value| self.meet(value)),
            _ => {}
        }
    }
}

/// What leads to something that is not there.
fn dangling(region: &Region) -> Vec<(String, String)> {
    let Region { vpc, ecs, slb, nlb, .. } = region;
    let there = |id: &str| {
        id.is_empty()
            || vpc.vpcs.get(id).is_some()
            || vpc.vswitches.get(id).is_some()
            || vpc.nat_gateways.get(id).is_some()
            || vpc.ipv6_gateways.get(id).is_some()
            || vpc.route_tables.get(id).is_some()
            || ecs.security_groups.get(id).is_some()
            || ecs.instances.get(id).is_some()
            || ecs.instances.iter().any(|instance| instance.network_interface_id == id)
    };
    let mut leads: Vec<(&str, &str)> = Vec::new();
    for vswitch in &vpc.vswitches {
        leads.extend(
            [&vswitch.vpc_id, &vswitch.route_table_id].map(|to| (vswitch.v_switch_id.as_str(), to.as_str())),
        );
    }
    for gateway in &vpc.nat_gateways {
        leads.extend(
            [&gateway.vpc_id, &gateway.v_switch_id].map(|to| (gateway.nat_gateway_id.as_str(), to.as_str())),
        );
    }
    for entry in &vpc.snat_entries {
        let to = [&entry.nat_gateway_id, &entry.source_v_switch_id];
        leads.extend(to.map(|to| (entry.snat_entry_id.as_str(), to.as_str())));
    }
    for entry in &vpc.route_entries {
        let to = [&entry.route_table_id, &entry.next_hop_id];
        leads.extend(to.map(|to| (entry.route_entry_id.as_str(), to.as_str())));
    }
    leads.extend(vpc.eips.iter().map(|eip| (eip.allocation_id.as_str(), eip.instance_id.as_str())));
    leads.extend(vpc.route_tables.iter().map(|table| (table.route_table_id.as_str(), table.vpc_id.as_str())));
    leads.extend(
        vpc.ipv6_gateways.iter().map(|gateway| (gateway.ipv6_gateway_id.as_str(), gateway.vpc_id.as_str())),
    );
    for group in &ecs.security_groups {
        let to = group.rules.iter().map(|rule| rule.group_id.as_str()).chain([group.vpc_id.as_str()]);
        leads.extend(to.map(|to| (group.security_group_id.as_str(), to)));
    }
    for instance in &ecs.instances {
        let to = instance.security_group_ids.iter().chain([&instance.vpc_id, &instance.v_switch_id]);
        leads.extend(to.map(|to| (instance.instance_id.as_str(), to.as_str())));
    }
    for balancer in &slb.load_balancers {
        let to = [&balancer.vpc_id, &balancer.v_switch_id];
        leads.extend(to.map(|to| (balancer.load_balancer_id.as_str(), to.as_str())));
    }
    for balancer in &nlb.load_balancers {
        let to = balancer.zones.iter().map(|zone| &zone.v_switch_id).chain([&balancer.vpc_id]);
        leads.extend(to.map(|to| (balancer.load_balancer_id.as_str(), to.as_str())));
    }
    let gone = leads.into_iter().filter(|(_, to)| !there(to));
    gone.map(|(from, to)| (from.to_owned(), to.to_owned())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 0, ..ProptestConfig::default() })]

    #[test]
    fn whatever_is_called_the_world_stays_whole(seed: u64) {
        let mut walk = Walk::new(seed);
        let folder = tempfile::tempdir().unwrap();
        let session = folder.path().join("session");
        walk.cloud.record(&session).unwrap();
        for _ in 0..CALLS {
            walk.step();
        }
        let world = walk.cloud.world();
        let text = serde_json::to_string(&world).unwrap();
        let read: World = serde_json::from_str(&text).unwrap();
        prop_assert!(read == world, "the world is another after it was written and read");
        let replay = replay(&session).unwrap();
        prop_assert!(replay.cloud.world() == world, "the session leads to another world");
        prop_assert_eq!(replay.cloud.now(), walk.cloud.now());
        walk.cloud.step(Duration::from_secs(1_000_000)).unwrap();
        prop_assert_eq!(walk.cloud.world().due(), None);
    }
}
