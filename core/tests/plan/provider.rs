//! A provider of the model: a network with subnets, a gateway, addresses, and what binds them.

use std::collections::BTreeSet;

use trellis_core::call::{Argument, Call};
use trellis_core::collections::Entries;
use trellis_core::plan::{Attribute, Difference, Resource, ResourceKind, recorded_value};
use trellis_core::policy::{Condition, Item, Probe, State, Step};

use crate::cloud::{Cloud, Object};

pub const ME: &str = "me";
pub const GIVEN_NETWORK: &str = "given-network";

/// What is wanted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wish {
    /// The range of a network of its own; else the given one is used.
    pub network: Option<&'static str>,
    pub label: &'static str,
    pub size: &'static str,
    pub table: bool,
    pub zones: Vec<Zone>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Zone {
    pub name: &'static str,
    pub range: &'static str,
    /// Bandwidth and line of an address of its own; else the given one is used.
    pub address: Option<(&'static str, &'static str)>,
}

/// The address that is given for a zone.
pub fn given_address(zone: &str) -> String {
    format!("given-address-{zone}")
}

static NETWORK: ResourceKind = ResourceKind { name: "network", billed: false, association: false };
static SUBNET: ResourceKind = ResourceKind { name: "subnet", billed: false, association: false };
static TABLE: ResourceKind = ResourceKind { name: "table", billed: false, association: false };
static GATEWAY: ResourceKind = ResourceKind { name: "gateway", billed: true, association: false };
static ADDRESS: ResourceKind = ResourceKind { name: "address", billed: true, association: false };
static BINDING: ResourceKind = ResourceKind { name: "binding", billed: false, association: true };
static RULE: ResourceKind = ResourceKind { name: "rule", billed: false, association: false };
static ROUTE: ResourceKind = ResourceKind { name: "route", billed: false, association: false };

/// What something is to be set to.
#[derive(Clone)]
struct Setting {
    /// What is compared.
    text: String,
    argument: Argument,
    /// The resource that is referred to.
    resource: Option<String>,
}

/// What a difference means.
#[derive(Clone, Copy)]
enum OnDifference {
    Update,
    Replace,
    Report,
}

impl From<&str> for Setting {
    fn from(text: &str) -> Self {
        Self { text: text.to_owned(), argument: text.into(), resource: None }
    }
}

struct Provider<'a> {
    state: &'a State,
    objects: Vec<&'a Object>,
    resources: Vec<Resource>,
}

/// What is wanted and what is seen, with the steps between them. Nothing is wanted of what is to go.
pub fn resources(wish: Option<&Wish>, state: &mut State, cloud: &Cloud) -> Vec<Resource> {
    let mut provider = Provider { state, objects: cloud.visible().collect(), resources: Vec::new() };
    provider.declare(wish);
    provider.relate();
    let resources = provider.resources;
    // What is recorded in addition to ids is observed too.
    for resource in &resources {
        let object = cloud.visible().find(|object| Some(&object.id) == resource.found.as_ref());
        if let (Some(ip), [key]) = (object.and_then(|object| object.field("ip")), resource.keys.as_slice()) {
            state.insert(key.as_str(), ip.to_owned());
        }
    }
    resources
}

impl Provider<'_> {
    fn declare(&mut self, wish: Option<&Wish>) {
        use OnDifference::{Replace, Report, Update};
        let label: Setting = wish.map_or("", |wish| wish.label).into();
        let range = wish.and_then(|wish| wish.network);
        let range = (range.is_some(), range.unwrap_or_default().into());
        let mut network = self.ours(
            &NETWORK,
            "network",
            range.0,
            vec![("range", range.1, Replace), ("label", label.clone(), Update)],
        );
        if wish.is_some_and(|wish| wish.network.is_none()) {
            network = self.given(&NETWORK, GIVEN_NETWORK);
        }

        let has_table = wish.is_some_and(|wish| wish.table);
        let table = vec![("network", network.clone(), Replace), ("label", label.clone(), Report)];
        let table = self.ours(&TABLE, "table", has_table, table);
        let used_table = if has_table { table.clone() } else { "main".into() };

        let zones = self.zones(wish);
        let mut subnets = Vec::new();
        for (name, zone) in &zones {
            let key = format!("zones/{name}/subnet");
            let subnet = vec![
                ("network", network.clone(), Replace),
                ("range", zone.map_or("", |zone| zone.range).into(), Replace),
                ("label", label.clone(), Update),
                ("table", used_table.clone(), Update),
            ];
            subnets.push(self.ours(&SUBNET, &key, zone.is_some(), subnet));
            // Nothing remains of a zone that goes.
            self.last().keys = vec![key];
        }

        let has_gateway = wish.is_some_and(|wish| !wish.zones.is_empty());
        let first = zones.iter().zip(&subnets).find(|((_, zone), _)| zone.is_some());
        let size: Setting = wish.map_or("", |wish| wish.size).into();
        let gateway = vec![
            ("network", network, Replace),
            ("subnet", first.map_or_else(|| "".into(), |(_, subnet)| subnet.clone()), Replace),
            ("size", size.clone(), Update),
        ];
        let gateway = self.ours(&GATEWAY, "gateway", has_gateway, gateway);
        let resource = self.last();
        if let Some(create) = resource.create.first_mut() {
            // It is made in two steps, and may be half made.
            create.call.parameters.insert("size", "none".into());
            let key = Argument::Reference { key: "gateway".to_owned() };
            resource.create.push(update("gateway/create/size", key, "size", size.argument));
        }
        if let Some(id) = resource.found.clone() {
            resource.delete.insert(0, update("gateway/unprotect", id.into(), "protected", "no".into()));
        }

        for ((name, zone), subnet) in zones.iter().zip(subnets) {
            self.declare_way_out(name, *zone, &gateway, subnet);
        }
        self.ours(
            &ROUTE,
            "route",
            has_table && has_gateway,
            vec![("table", table, Replace), ("gateway", gateway, Replace)],
        );
        // The cloud takes no token for it, and would make it twice.
        for create in &mut self.last().create {
            create.call.token = None;
            let mut look = probe("route".into(), Condition::Present { present: "/id" });
            look.item.iter_mut().for_each(|item| item.key = "role");
            look.record.insert("route", "/id");
            create.look_again = Some(look);
        }
    }

    /// What lets a zone out: an address, bound to the gateway, and a rule that uses it.
    fn declare_way_out(&mut self, name: &str, zone: Option<&Zone>, gateway: &Setting, subnet: Setting) {
        use OnDifference::{Replace, Update};
        let own = zone.and_then(|zone| zone.address);
        let (bandwidth, line) = own.unwrap_or_default();
        let address = vec![("bandwidth", bandwidth.into(), Update), ("line", line.into(), Replace)];
        let mut address = self.ours(&ADDRESS, &format!("zones/{name}/address"), own.is_some(), address);
        let ip = format!("zones/{name}/address/ip");
        if let Some(probe) = self.last().create.first_mut().and_then(|create| create.until.as_mut()) {
            probe.record.insert(ip.as_str(), "/ip");
        }
        self.last().keys = vec![ip];
        if zone.is_some() && own.is_none() {
            address = self.given(&ADDRESS, &given_address(name));
        }

        let bound = format!("zones/{name}/binding");
        let binding = vec![("gateway", gateway.clone(), Replace), ("address", address.clone(), Replace)];
        let binding = self.ours(&BINDING, &bound, zone.is_some(), binding);
        // Nobody records it, and to make it twice is no harm.
        self.last().key = None;
        for create in &mut self.last().create {
            create.call.token = None;
            create.record = Entries::new();
            if let Some(item) = create.until.as_mut().and_then(|probe| probe.item.as_mut()) {
                (item.key, item.value) = ("role", bound.as_str().into());
            }
        }

        let rule =
            vec![("gateway", gateway.clone(), Replace), ("subnet", subnet, Replace), ("address", address, Update)];
        self.ours(&RULE, &format!("zones/{name}/rule"), zone.is_some(), rule);
        self.last().needs.extend(binding.resource);
    }

    /// The zones that are wanted, recorded or seen.
    fn zones<'w>(&self, wish: Option<&'w Wish>) -> Vec<(String, Option<&'w Zone>)> {
        let wanted: &[Zone] = wish.map_or(&[], |wish| &wish.zones);
        let keys = self.state.iter().map(|(key, _)| key.strip_prefix("Last/").unwrap_or(key));
        let keys = keys.map(|key| key.strip_prefix("Pending/").unwrap_or(key));
        let roles = self.objects.iter().filter(|object| object.owner == ME).map(|object| object.role.as_str());
        let known = keys.chain(roles).filter_map(|key| key.strip_prefix("zones/")?.split('/').next());
        let names: BTreeSet<String> =
            known.chain(wanted.iter().map(|zone| zone.name)).map(str::to_owned).collect();
        let zone = |name: String| {
            let zone = wanted.iter().find(|zone| zone.name == name);
            (name, zone)
        };
        names.into_iter().map(zone).collect()
    }

    fn last(&mut self) -> &mut Resource {
        self.resources.last_mut().unwrap()
    }

    /// A resource of somebody else.
    fn given(&mut self, kind: &'static ResourceKind, id: &str) -> Setting {
        let found = self.objects.iter().find(|object| object.id == id).map(|object| object.id.clone());
        self.resources.push(Resource { wanted: true, foreign: true, found, ..Resource::new(id, kind, id) });
        Setting { resource: Some(id.to_owned()), ..id.into() }
    }

    /// A resource of ours, after whatever else is marked as it.
    fn ours(
        &mut self,
        kind: &'static ResourceKind,
        role: &str,
        wanted: bool,
        settings: Vec<(&'static str, Setting, OnDifference)>,
    ) -> Setting {
        let id = recorded_value(self.state, role);
        let is_marked = |object: &Object| object.owner == ME && object.role == role;
        let is_recorded = |object: &&&Object| Some(object.id.as_str()) == id;
        let marked = || self.objects.iter().filter(|object| is_marked(object));
        let found = self.objects.iter().find(is_recorded).or_else(|| marked().next()).copied();
        let others: Vec<&Object> = marked().copied().filter(|object| Some(*object) != found).collect();
        for other in others {
            self.resources.push(Resource {
                found: Some(other.id.clone()),
                delete: vec![delete(&other.id, &other.id)],
                ..Resource::new(&format!("{role}#{}", other.id), kind, role)
            });
        }

        let mut create = Call {
            service: "model",
            action: "Create",
            parameters: [("kind", kind.name), ("owner", ME), ("role", role)]
                .map(|(name, text)| (name, text.into()))
                .into(),
            account: None,
            token: Some(String::new()),
        };
        let mut resource = Resource {
            wanted,
            found: found.map(|object| object.id.clone()),
            key: Some(role.to_owned()),
            unmarked: found.is_some_and(|object| !is_marked(object)),
            ..Resource::new(role, kind, role)
        };
        for (name, setting, on_difference) in settings {
            create.parameters.insert(name, setting.argument.clone());
            resource.needs.extend(setting.resource);
            let update_it = || {
                update(
                    &format!("{role}/{name}"),
                    found.map_or("", |object| &object.id).into(),
                    name,
                    setting.argument,
                )
            };
            resource.attributes.push(Attribute {
                name,
                wanted: Some(setting.text),
                found: found.and_then(|object| object.field(name)).map(str::to_owned),
                difference: match on_difference {
                    OnDifference::Update => Difference::Update(vec![update_it()], None),
                    OnDifference::Replace => Difference::Replace,
                    OnDifference::Report => Difference::Report,
                },
            });
        }
        if let Some(object) = found {
            let mut mark = update(&format!("{role}/mark"), object.id.as_str().into(), "owner", ME.into());
            mark.call.parameters.insert("role", role.into());
            resource.attributes.push(Attribute {
                name: "mark",
                wanted: Some(ME.to_owned()),
                found: Some(object.owner.clone()),
                difference: Difference::Update(vec![mark], None),
            });
            resource.delete.push(delete(role, &object.id));
        }
        if wanted {
            let key = Argument::Reference { key: role.to_owned() };
            resource.create.push(Step {
                id: format!("{role}/create"),
                call: create,
                record: [(role, "/id")].into_iter().collect(),
                until: Some(probe(key, Condition::Present { present: "/id" })),
                ..Step::default()
            });
        }
        self.resources.push(resource);
        Setting {
            text: found.map_or_else(|| format!("<{role}>"), |object| object.id.clone()),
            argument: Argument::Reference { key: role.to_owned() },
            resource: Some(role.to_owned()),
        }
    }

    /// Fills in what uses what, and what is within what.
    fn relate(&mut self) {
        let places: Vec<(String, String)> = self
            .resources
            .iter()
            .filter_map(|resource| Some((resource.found.clone()?, resource.id.clone())))
            .collect();
        for resource in &mut self.resources {
            let Some(object) = self.objects.iter().find(|object| Some(&object.id) == resource.found.as_ref())
            else {
                continue;
            };
            let at = |id: &str| places.iter().find(|(found, _)| found == id).map(|(_, resource)| resource.clone());
            resource.uses = object.fields.values().filter_map(|value| at(value)).collect();
            let container = match resource.kind.name {
                "binding" | "rule" => object.field("gateway"),
                "route" => object.field("table"),
                _ => None,
            };
            resource.within = container.and_then(at);
            if resource.kind.name == "rule" {
                // It sends by an address that is bound.
                let binding = resource.id.replace("/rule", "/binding");
                resource.uses.push(binding);
            }
        }
    }
}

fn update(id: &str, object: Argument, name: &'static str, value: Argument) -> Step {
    let parameters = [("id", object), (name, value)].into();
    Step {
        id: id.to_owned(),
        call: Call { service: "model", action: "Update", parameters, ..Call::default() },
        ..Step::default()
    }
}

fn delete(resource: &str, object: &str) -> Step {
    let parameters = [("id", object.into())].into();
    Step {
        id: format!("{resource}/delete"),
        call: Call { service: "model", action: "Delete", parameters, ..Call::default() },
        until: Some(probe(object.into(), Condition::Gone { gone: true })),
        ..Step::default()
    }
}

fn probe(id: Argument, success: Condition) -> Probe {
    Probe {
        call: Call { service: "model", action: "Describe", ..Call::default() },
        item: Some(Item { list: "/objects", key: "id", value: id }),
        success: vec![success],
        failure: Vec::new(),
        record: Entries::new(),
        interval: 1,
        limit: 60,
    }
}
