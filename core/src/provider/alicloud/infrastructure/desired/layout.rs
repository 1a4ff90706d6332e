//! Finds out which resource of the cloud belongs to which zone of the configuration.

use crate::collections::sorted;
use crate::gardener::planning::state_form::{suffixes, zone_of};
use crate::plan::recorded_value;
use crate::policy::{RequestError, State};
use crate::provider::alicloud::infrastructure::input::{Input, InputZone};
use crate::provider::alicloud::infrastructure::names::{Names, are_gardeners, zone_key};
use crate::provider::alicloud::infrastructure::pool_images::{self, PoolImages};
use crate::provider::alicloud::infrastructure::select;
use crate::provider::alicloud::infrastructure::steps::Region;
use crate::provider::alicloud::infrastructure::world::{
    Eip, NatGateway, RouteTable, SnatEntry, Tags, VSwitch, World,
};

/// The configuration, and for each part of it what the cloud has.
#[derive(Debug)]
pub struct Layout<'a> {
    /// What the request wants.
    pub input: &'a Input<'a>,
    /// What the cloud has.
    pub world: &'a World,
    /// Names and tags.
    pub names: Names<'a>,
    /// Makes calls in the region.
    pub region: Region<'a>,
    /// Whether the network has to exist; otherwise the plan deletes it.
    pub wanted: bool,
    /// The configured zones in their order, then zones that were configured before.
    pub zones: Vec<Zone<'a>>,
    /// VSwitches of ours that no zone has a place for.
    pub surplus: Vec<&'a VSwitch>,
    /// The NAT gateway in use.
    pub nat_gateway: Option<&'a NatGateway>,
    /// The custom route table in use.
    pub route_table: Option<&'a RouteTable>,
    /// Images of the worker pools.
    pub images: PoolImages<'a>,
}

/// A zone that is configured, or was before.
#[derive(Debug)]
pub struct Zone<'a> {
    /// Its name.
    pub name: String,
    /// Its suffix in names, such as `z0`; empty where nothing shows it any more.
    pub suffix: String,
    /// Its configuration, where it is configured.
    pub config: Option<&'a InputZone<'a>>,
    /// Whether its resources have to exist.
    pub wanted: bool,
    /// Its VSwitch, or another one in its place, which the plan replaces.
    pub vswitch: Option<&'a VSwitch>,
    /// Its managed elastic IP.
    pub eip: Option<&'a Eip>,
    /// The elastic IP that the person brings for it.
    pub own_eip: Option<&'a Eip>,
    /// Allocation id of an elastic IP that the person brought for this zone before, and that is still associated.
    pub former_eip: Option<String>,
}

impl<'a> Zone<'a> {
    fn new(name: &str, config: Option<&'a InputZone<'a>>, wanted: bool) -> Self {
        Self {
            name: name.to_owned(),
            suffix: String::new(),
            config,
            wanted,
            vswitch: None,
            eip: None,
            own_eip: None,
            former_eip: None,
        }
    }

    /// Id in the plan of one of its resources.
    pub fn id(&self, what: &str) -> String {
        format!("zones/{}/{what}", self.name)
    }

    /// The name of the zone that a resource of the plan belongs to, by the id of that resource.
    pub fn of_id(id: &str) -> Option<&str> {
        id.strip_prefix("zones/")?.split('/').next()
    }

    /// Key of the state for something about it.
    pub fn key(&self, what: &str) -> String {
        zone_key(&self.name, what)
    }

    /// Whether its VSwitch exists, and the plan neither deletes nor replaces it.
    pub fn stays(&self) -> bool {
        self.wanted
            && self.vswitch.is_some_and(|vswitch| self.config.is_some_and(|config| config.cidr == vswitch.cidr))
    }

    /// Allocation id of the elastic IP that the configuration names.
    pub fn own_eip_id(&self) -> Option<&'a str> {
        self.config?.eip
    }
}

/// Names of the zones of which the state has more than a suffix.
fn recorded_zones(state: &State) -> Vec<String> {
    let mut zones: Vec<String> = Vec::new();
    for (key, _) in state.iter() {
        let Some((zone, what)) = zone_of(key) else { continue };
        if what != "Suffix" && recorded_value(state, key).is_some() && zones.iter().all(|known| known != zone) {
            zones.push(zone.to_owned());
        }
    }
    zones
}

impl<'a> Layout<'a> {
    /// Finds out what belongs to which zone, and records the suffixes of zones.
    pub fn new(input: &'a Input<'a>, world: &'a World, state: &mut State) -> Result<Self, RequestError> {
        let names = input.names();
        let wanted = !input.is_delete();
        let mut zones: Vec<Zone<'a>> =
            input.zones.iter().map(|config| Zone::new(config.name, Some(config), wanted)).collect();
        let mut others = recorded_zones(state);
        let is_recorded =
            |id: &str| others.iter().any(|zone| recorded_value(state, &zone_key(zone, "VSwitch")) == Some(id));
        let mut ours: Vec<&VSwitch> = world.vswitches.iter().collect();
        ours.retain(|vswitch| names.are_ours(&vswitch.tags) || is_recorded(&vswitch.id));
        others.extend(ours.iter().map(|vswitch| vswitch.zone.clone()));
        for name in &sorted(others) {
            if zones.iter().all(|zone| zone.name != *name) {
                zones.push(Zone::new(name, None, false));
            }
        }
        let mut layout = Self {
            input,
            world,
            names,
            region: Region(input.region),
            wanted,
            zones,
            surplus: ours,
            nat_gateway: select::nat_gateway(input, state, &world.nat_gateways),
            route_table: select::route_table(input, state, &world.route_tables),
            images: if wanted { pool_images::wanted(&input.request, state)? } else { PoolImages::default() },
        };
        layout.place_vswitches(state);
        layout.name_zones(state);
        layout.place_eips(state);
        Ok(layout)
    }

    /// Whether the VPC is managed.
    pub fn has_managed_vpc(&self) -> bool {
        self.input.vpc().is_none()
    }

    /// Id in the plan of a VSwitch of ours.
    pub fn vswitch(&self, id: &str) -> Option<String> {
        let zone = self.zones.iter().find(|zone| zone.vswitch.is_some_and(|vswitch| vswitch.id == id));
        let surplus = || self.surplus.iter().any(|vswitch| vswitch.id == id).then(|| format!("vswitches/{id}"));
        zone.map(|zone| zone.id("vswitch")).or_else(surplus)
    }

    /// SNAT entries of a VSwitch.
    pub fn snat_entries(&self, vswitch: Option<&VSwitch>) -> impl Iterator<Item = &'a SnatEntry> {
        let id = vswitch.map(|vswitch| vswitch.id.clone());
        self.world.snat_entries.iter().filter(move |entry| id.as_ref() == Some(&entry.vswitch))
    }

    /// Whether the Shoot owns a resource, by its tags or its name.
    pub fn is_ours(&self, tags: &Tags, name: &str, own_name: &str) -> bool {
        self.names.are_ours(tags) || name == own_name
    }

    /// Whether tags are those that a plan gives to the resource of a name.
    pub fn are_tags_of(&self, tags: &Tags, name: &str) -> bool {
        self.names.are_ours(tags) && tags.iter().any(|(key, value)| key == "Name" && value == name)
    }

    /// Whether an elastic IP is associated with the NAT gateway in use, or the cloud is associating it.
    pub fn is_associated(&self, eip: &Eip) -> bool {
        self.nat_gateway.is_some_and(|gateway| gateway.id == eip.instance)
            && matches!(eip.status.as_str(), "InUse" | "Associating")
    }

    /// Takes out of our VSwitches the one of each zone: the one with its range, else another one of that zone,
    /// which the plan replaces.
    fn place_vswitches(&mut self, state: &State) {
        for zone in &mut self.zones {
            let recorded = recorded_value(state, &zone_key(&zone.name, "VSwitch"));
            let cidr = zone.config.map(|config| config.cidr);
            let name = self.names.name(&format!("{}-vsw", zone.name));
            // The lower, the better; of several that are as good, the first one counts.
            let mut lowest = u8::MAX;
            for vswitch in self.world.vswitches.iter().filter(|vswitch| vswitch.zone == zone.name) {
                let fits = cidr.is_some_and(|cidr| vswitch.cidr == cidr);
                let is_recorded = recorded == Some(vswitch.id.as_str());
                let rank = match self.surplus.iter().any(|ours| ours.id == vswitch.id) {
                    true if fits => u8::from(!is_recorded),
                    false if fits && vswitch.name == name && !are_gardeners(&vswitch.tags) => 2,
                    true => 3 + u8::from(!is_recorded),
                    false => continue,
                };
                if rank < lowest {
                    (lowest, zone.vswitch) = (rank, Some(vswitch));
                }
            }
            let found = zone.vswitch;
            self.surplus.retain(|vswitch| found.is_none_or(|found| found.id != vswitch.id));
        }
    }

    /// Gives each zone its suffix: the recorded one, else the one in the tags of its VSwitch, else a new one.
    fn name_zones(&mut self, state: &mut State) {
        for zone in &self.zones {
            let key = zone_key(&zone.name, "Suffix");
            let nodes = self.names.name("nodes-");
            let name = zone.vswitch.and_then(|vswitch| vswitch.tags.iter().find(|(key, _)| key == "Name"));
            if let Some(suffix) = name.and_then(|(_, name)| name.strip_prefix(&nodes))
                && recorded_value(state, &key).is_none()
                && state.iter().all(|(key, value)| value != suffix || !key.ends_with("/Suffix"))
            {
                state.insert(key, suffix.to_owned());
            }
        }
        if self.wanted {
            suffixes(state, self.zones.iter().filter(|zone| zone.wanted).map(|zone| zone.name.as_str()));
        }
        for zone in &mut self.zones {
            recorded_value(state, &zone_key(&zone.name, "Suffix"))
                .unwrap_or_default()
                .clone_into(&mut zone.suffix);
        }
    }

    /// The address of an elastic IP that is associated with the NAT gateway in use.
    pub fn address(&self, eip: Option<&str>) -> Option<&'a str> {
        let mut associated = self.nat_gateway?.addresses.iter();
        associated.find(|(id, _)| Some(id.as_str()) == eip).map(|(_, address)| address.as_str())
    }

    /// Whether SNAT entries of others lead through an address too: the NAT gateway that a person brings may have
    /// some.
    pub fn is_shared(&self, address: &str) -> bool {
        let mut entries = self.world.snat_entries.iter().filter(|entry| entry.leads_through(address));
        entries.any(|entry| self.vswitch(&entry.vswitch).is_none())
    }

    /// Finds the elastic IPs of each zone.
    fn place_eips(&mut self, state: &State) {
        let present = || self.world.eips.iter().filter(|eip| eip.status != "Releasing");
        let find = |id: Option<&str>| id.and_then(|id| present().find(|eip| eip.id == id));
        let mut zones = std::mem::take(&mut self.zones);
        for zone in &mut zones {
            let name = self.names.name(&format!("eip-natgw-{}", zone.suffix));
            let tagged = || {
                let mut eips = present().filter(|_| !zone.suffix.is_empty());
                eips.find(|eip| self.are_tags_of(&eip.tags, &name))
            };
            let managed =
                find(recorded_value(state, &zone_key(&zone.name, "NATGatewayElasticIP"))).or_else(tagged);
            // Where the configuration names it by now as brought by the person, the Shoot gives it up, and the
            // plan does not release it.
            zone.eip = managed.filter(|eip| self.input.zones.iter().all(|zone| zone.eip != Some(eip.id.as_str())));
            zone.own_eip = find(zone.own_eip_id());
        }
        self.zones = zones;
        let former: Vec<_> = self.zones.iter().map(|zone| self.former_eip(zone, state)).collect();
        for (zone, former) in self.zones.iter_mut().zip(former) {
            zone.former_eip = former;
        }
    }

    /// The elastic IP that the person brought for a zone before: the one that the state remembers, else the one
    /// through which its SNAT entry leads. Of several, the recorded one, as somebody has added the others. It is
    /// associated, the configuration names it for no zone, and no SNAT entry of others needs it.
    fn former_eip(&self, zone: &Zone<'_>, state: &State) -> Option<String> {
        let associated = &self.nat_gateway?.addresses;
        let remembered = recorded_value(state, &zone_key(&zone.name, "FormerElasticIP"));
        let by_id = |id: &str| associated.iter().find(|(known, _)| known == id);
        let by_address = |address: &str| associated.iter().find(|(_, known)| known == address);
        let recorded = recorded_value(state, &zone.key("NATGatewayElasticIPAddress"));
        let through = |entry: &'a SnatEntry| match entry.addresses.as_slice() {
            [only] => Some(only.as_str()),
            _ => recorded.filter(|address| entry.leads_through(address)),
        };
        let mut entries = self.snat_entries(zone.vswitch);
        let (id, address) = remembered
            .and_then(by_id)
            .or_else(|| entries.find_map(|entry| through(entry).and_then(by_address)))?;
        let mut zones = self.zones.iter();
        let is_known = zones.any(|other| {
            (other.eip.is_some_and(|eip| eip.id == *id))
                || (other.own_eip_id() == Some(id.as_str()) && (other.wanted || other.name == zone.name))
        });
        (!is_known && !self.is_shared(address)).then(|| id.clone())
    }
}
