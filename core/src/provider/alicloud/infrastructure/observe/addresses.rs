//! Elastic IPs.

use super::Observation;
use crate::call::Query;
use crate::collections::sorted_once;
use crate::gardener::planning::entry::Entry;
use crate::gardener::planning::facts::OnFailure;
use crate::plan::recorded_value;
use crate::provider::alicloud::api::Zone;
use crate::provider::alicloud::infrastructure::names::zone_key;
use crate::provider::alicloud::infrastructure::steps::EIPS;
use crate::provider::alicloud::infrastructure::world::{Eip, World};
use crate::provider::alicloud::rules::infrastructure_checks as rules;
use crate::provider::alicloud::tags::tags_of;

/// How the keys of the state end that hold ids of elastic IPs.
const KEYS: [&str; 2] = ["/NATGatewayElasticIP", "/FormerElasticIP"];

impl Observation<'_, '_> {
    pub fn eips(&mut self, world: &mut World) {
        let configured = self.input.config.networks.zones.iter().filter_map(Zone::eip);
        let mut ids: Vec<&str> = configured.filter(|id| !id.is_empty()).collect();
        let recorded = self.state.iter().filter(|(key, _)| KEYS.iter().any(|end| key.ends_with(end)));
        ids.extend(recorded.filter_map(|(key, _)| recorded_value(self.state, key)));
        for query in self.queries.eips(&sorted_once(ids)) {
            self.eips_of(query, world);
        }
        let is_unrecorded =
            |zone: &&str| recorded_value(self.state, &zone_key(zone, "NATGatewayElasticIP")).is_none();
        let managed = self.input.zones.iter().filter(|zone| zone.eip.is_none()).map(|zone| zone.name);
        // A run may have allocated an elastic IP right before a crash, and not recorded it. A deletion leaves none
        // behind.
        if self.input.is_delete() || managed.into_iter().any(|zone| is_unrecorded(&zone)) {
            self.eips_of(self.queries.tagged_eips(), world);
        }
    }

    fn eips_of(&mut self, query: Query, world: &mut World) {
        let configured = self.input.zones.iter().find_map(|zone| zone.eip);
        let on_failure = OnFailure {
            rule: &rules::ICV_019,
            place: ("networks.zones[].natGateway.eipAllocationID", "/networks/zones"),
            doing: "validateEIP GetEIP",
            what: configured.unwrap_or_default(),
        };
        let on_failure = self.needed_by_rule(configured.is_some(), on_failure);
        for eip in self.facts.list(query, EIPS.list, on_failure, eip).unwrap_or_default() {
            if world.eips.iter().all(|known| known.id != eip.id) {
                world.eips.push(eip);
            }
        }
    }
}

fn eip(entry: &Entry<'_>) -> Eip {
    Eip {
        id: entry.id("AllocationId").to_owned(),
        name: entry.text(&["Name"]).to_owned(),
        address: entry.text(&["IpAddress"]).to_owned(),
        bandwidth: entry.text(&["Bandwidth"]).to_owned(),
        charge_type: entry.text(&["InternetChargeType"]).to_owned(),
        status: entry.text(&["Status"]).to_owned(),
        instance: entry.text(&["InstanceId"]).to_owned(),
        instance_type: entry.text(&["InstanceType"]).to_owned(),
        tags: tags_of(entry),
    }
}
