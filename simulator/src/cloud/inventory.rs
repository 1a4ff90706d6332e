//! The inventory: all that exists, for people and tests.

use serde_json::{Map, Value};

use super::secret::{HIDDEN, is_secret};
use crate::world::World;

/// Which part of the inventory is wanted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Of this account.
    pub account: Option<String>,
    /// Of this region; resources without a region are in [`GLOBAL`].
    pub region: Option<String>,
    /// Of this kind, such as `vpc:vpcs`; `vpc:*` means all of a service.
    pub kind: Option<String>,
    /// Without resources that existed at the start and are still the same, such as declared images.
    pub added: bool,
}

/// Stands in place of a region for resources without one, such as roles and buckets.
pub const GLOBAL: &str = "global";

impl Filter {
    fn wants_kind(&self, service: &str, kind: &str) -> bool {
        let Some(wanted) = self.kind.as_deref().filter(|wanted| *wanted != "*") else { return true };
        wanted.split_once(':').is_some_and(|(code, name)| code == service && (name == "*" || name == kind))
    }
}

/// What exists: `{account: {region: {"vpc:vpcs": [...]}}}`, without what is empty, secrets and contents of
/// objects.
pub(super) fn inventory(world: &World, start: &World, filter: &Filter) -> Value {
    let start = filter.added.then_some(start);
    let mut accounts = Map::new();
    for (account, has) in world.accounts() {
        if filter.account.as_ref().is_some_and(|wanted| wanted != account) {
            continue;
        }
        let had = start.and_then(|start| start.accounts().find(|(number, _)| *number == account));
        let had = had.map(|(_, had)| plain(had)).unwrap_or_default();
        let mut regions = Map::new();
        let mut has = plain(has);
        let of_regions = has.remove("regions").map(fields).unwrap_or_default();
        let all = of_regions.into_iter().map(|(region, has)| {
            let had = had.get("regions").and_then(|regions| regions.get(&region));
            (region, fields(has), had.and_then(Value::as_object))
        });
        for (region, has, had) in all.chain([(GLOBAL.to_owned(), has, Some(&had))]) {
            if filter.region.as_ref().is_some_and(|wanted| *wanted != region) {
                continue;
            }
            let kinds = kinds(has, had, filter);
            if !kinds.is_empty() {
                regions.insert(region, Value::Object(kinds));
            }
        }
        if !regions.is_empty() {
            accounts.insert(account.to_owned(), Value::Object(regions));
        }
    }
    Value::Object(accounts)
}

/// How many there are of each kind in an inventory.
pub(super) fn summary(inventory: Value) -> Value {
    let count = |kinds: Value| {
        let counts = fields(kinds).into_iter().map(|(kind, things)| (kind, Value::from(length(&things))));
        Value::Object(counts.collect())
    };
    let accounts = fields(inventory).into_iter().map(|(account, regions)| {
        let regions = fields(regions).into_iter().map(|(region, kinds)| (region, count(kinds)));
        (account, Value::Object(regions.collect()))
    });
    Value::Object(accounts.collect())
}

/// The kinds of all services, as in a state file. A member that is a single value or a counter is no kind.
fn kinds(services: Map<String, Value>, had: Option<&Map<String, Value>>, filter: &Filter) -> Map<String, Value> {
    let mut kinds = Map::new();
    for (service, state) in services {
        for (kind, mut things) in fields(state) {
            if !filter.wants_kind(&service, &kind) {
                continue;
            }
            let had = had.and_then(|had| had.get(&service)).and_then(|state| state.get(&kind));
            match (&mut things, had) {
                (Value::Array(things), Some(Value::Array(had))) => things.retain(|thing| !had.contains(thing)),
                (Value::Object(things), Some(Value::Object(had))) => {
                    things.retain(|name, thing| had.get(name) != Some(thing));
                }
                _ => {}
            }
            if length(&things) > 0 {
                hide(&mut things);
                kinds.insert(format!("{service}:{kind}"), things);
            }
        }
    }
    kinds
}

fn length(things: &Value) -> usize {
    match things {
        Value::Array(things) => things.len(),
        Value::Object(things) => things.len(),
        _ => 0,
    }
}

/// Removes secrets and the contents of objects.
fn hide(value: &mut Value) {
    match value {
        Value::Array(values) => values.iter_mut().for_each(hide),
        Value::Object(fields) => {
            fields.remove("Bytes");
            for (name, value) in fields {
                match value {
                    // People choose the names of tags, so that a name says nothing about a secret.
                    _ if name == "Tags" => {}
                    Value::String(text) if is_secret(name) => HIDDEN.clone_into(text),
                    value => hide(value),
                }
            }
        }
        _ => {}
    }
}

fn plain(value: &impl serde::Serialize) -> Map<String, Value> {
    // The world can always be written as JSON, as state files are.
    serde_json::to_value(value).map(fields).unwrap_or_default()
}

fn fields(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::action::Principal;
    use crate::testing::{ACCOUNT, TestCloud, operation};

    #[test]
    fn an_inventory_has_what_exists_with_its_status_and_nothing_else() {
        let test = TestCloud::new();
        let all = || test.cloud.inventory(&Filter::default());
        assert_eq!(all(), json!({}));
        let id = test.text("vpc", "CreateVpc", &[("Tag.1.Key", "Password"), ("Tag.1.Value", "v")], "VpcId");
        let vpc = all().pointer(&format!("/{ACCOUNT}/cn-shanghai/vpc:vpcs/0")).cloned().unwrap();
        assert_eq!((&vpc["VpcId"], &vpc["Status"]), (&json!(id), &json!("Pending")));
        assert_eq!(vpc["Tags"], json!({ "Password": "v" }));
        assert_eq!(
            test.cloud.summary(&Filter { kind: Some("vpc:vpcs".to_owned()), ..Filter::default() }),
            json!({ ACCOUNT: { "cn-shanghai": { "vpc:vpcs": 1 } } })
        );
        test.step(3);
        test.call("vpc", "DeleteVpc", &[("VpcId", &id)]);
        test.step(3);
        assert_eq!(all(), json!({}));
    }

    #[test]
    fn an_inventory_is_filtered() {
        let test = TestCloud::new();
        test.call("vpc", "CreateVpc", &[]);
        test.call("vpc", "CreateVpc", &[("RegionId", "cn-beijing")]);
        let some = |text: &str| Some(text.to_owned());
        let all = Filter::default;
        for (filter, regions) in [
            (all(), &["cn-beijing", "cn-shanghai"][..]),
            (Filter { region: some("cn-beijing"), ..all() }, &["cn-beijing"]),
            (Filter { region: some("global"), ..all() }, &[]),
            (Filter { account: some(ACCOUNT), ..all() }, &["cn-beijing", "cn-shanghai"]),
            (Filter { account: some("2"), ..all() }, &[]),
            (Filter { kind: some("vpc:vpcs"), ..all() }, &["cn-beijing", "cn-shanghai"]),
            (Filter { kind: some("vpc:*"), ..all() }, &["cn-beijing", "cn-shanghai"]),
            (Filter { kind: some("vpc:eips"), ..all() }, &[]),
            (Filter { kind: some("ecs:*"), ..all() }, &[]),
            (Filter { kind: some("vpcs"), ..all() }, &[]),
            (Filter { added: true, ..all() }, &["cn-beijing", "cn-shanghai"]),
        ] {
            let inventory = fields(test.cloud.inventory(&filter));
            let found = inventory.get(ACCOUNT).map(|regions| fields(regions.clone())).unwrap_or_default();
            assert_eq!(found.keys().collect::<Vec<_>>(), regions, "{filter:?}");
        }
    }

    #[test]
    fn what_was_there_at_the_start_can_be_left_out() {
        let seeded = TestCloud::new();
        seeded.call("vpc", "CreateVpc", &[("VpcName", "seed")]);
        seeded.step(3);
        let start = seeded.cloud.world();
        seeded.call("vpc", "CreateVpc", &[("VpcName", "new")]);
        let added = inventory(&seeded.cloud.world(), &start, &Filter { added: true, ..Filter::default() });
        let pointer = format!("/{ACCOUNT}/cn-shanghai/vpc:vpcs");
        assert_eq!(length(added.pointer(&pointer).unwrap()), 1);
        assert_eq!(inventory(&start, &start, &Filter { added: true, ..Filter::default() }), json!({}));
        assert_ne!(inventory(&start, &start, &Filter::default()), json!({}));
    }

    #[test]
    fn credentials_of_sessions_are_not_shown() {
        let test = TestCloud::new();
        let trust = format!(
            r#"{{ "Version": "1", "Statement": [{{ "Action": "sts:AssumeRole", "Effect": "Allow",
                "Principal": {{ "RAM": ["acs:ram::{ACCOUNT}:root"] }} }}] }}"#
        );
        test.call("ram", "CreateRole", &[("RoleName", "one"), ("AssumeRolePolicyDocument", &trust)]);
        let arn = format!("acs:ram::{ACCOUNT}:role/one");
        let mut assume = operation("sts", "AssumeRole", &[("RoleArn", &arn), ("RoleSessionName", "session")]);
        assume.caller.principal = Principal::User("alice".to_owned());
        let answer = Value::Object(test.cloud.execute(&assume).unwrap().fields);
        let given = |field: &str| answer["Credentials"][field].as_str().unwrap().to_owned();
        let shown = test.cloud.inventory(&Filter::default()).to_string();
        assert!(shown.contains(&given("AccessKeyId")), "{shown}");
        assert!(!shown.contains(&given("AccessKeySecret")) && !shown.contains(&given("SecurityToken")), "{shown}");
    }

    #[test]
    fn secrets_and_contents_are_not_shown() {
        let mut value = json!([{ "AccessKeySecret": "s", "Content": { "Bytes": "YQ==", "ETag": "e" } }]);
        hide(&mut value);
        assert_eq!(value, json!([{ "AccessKeySecret": HIDDEN, "Content": { "ETag": "e" } }]));
    }
}
