//! Elastic IPs.

use super::Look;
use crate::call::Query;
use crate::collections::sorted_once;
use crate::policy::RequestError;
use crate::provider::alicloud::api::Zone;
use crate::provider::alicloud::infrastructure::facts::{Entry, Means};
use crate::provider::alicloud::infrastructure::names::zone_key;
use crate::provider::alicloud::infrastructure::state::valid;
use crate::provider::alicloud::infrastructure::world::{Eip, World};
use crate::provider::alicloud::rules::infrastructure_checks as rules;

/// Ends of the keys of the state that hold ids of elastic IPs.
const KEYS: [&str; 2] = ["/NATGatewayElasticIP", "/FormerElasticIP"];

impl Look<'_> {
    pub fn eips(&mut self, world: &mut World) -> Result<(), RequestError> {
        let configured = self.input.config.networks.zones.iter().filter_map(Zone::eip);
        let mut ids: Vec<&str> = configured.filter(|id| !id.is_empty()).collect();
        let recorded = self.state.iter().filter(|(key, _)| KEYS.iter().any(|end| key.ends_with(end)));
        ids.extend(recorded.filter_map(|(key, _)| valid(self.state, key)));
        for query in self.queries.eips(&sorted_once(ids)) {
            self.eips_of(query, world)?;
        }
        let is_unrecorded = |zone: &&str| valid(self.state, &zone_key(zone, "NATGatewayElasticIP")).is_none();
        let managed = self.input.zones.iter().filter(|zone| zone.eip.is_none()).map(|zone| zone.name);
        // What is not recorded may have been made right before a crash. Nothing of it may stay when all goes.
        if self.input.is_delete() || managed.into_iter().any(|zone| is_unrecorded(&zone)) {
            self.eips_of(self.queries.tagged_eips(), world)?;
        }
        Ok(())
    }

    fn eips_of(&mut self, query: Query, world: &mut World) -> Result<(), RequestError> {
        let configured = self.input.zones.iter().find_map(|zone| zone.eip);
        let means = Means {
            rule: &rules::ICV_019,
            place: ("networks.zones[].natGateway.eipAllocationID", "/networks/zones"),
            doing: "validateEIP GetEIP",
            what: configured.unwrap_or_default(),
        };
        let means = self.means(configured.is_some(), means);
        for eip in self.facts.list(query, &["EipAddresses", "EipAddress"], means, eip)?.unwrap_or_default() {
            if world.eips.iter().all(|known| known.id != eip.id) {
                world.eips.push(eip);
            }
        }
        Ok(())
    }
}

fn eip(entry: &Entry<'_>) -> Eip {
    Eip {
        id: entry.id("AllocationId"),
        name: entry.text(&["Name"]),
        address: entry.text(&["IpAddress"]),
        bandwidth: entry.text(&["Bandwidth"]),
        charge_type: entry.text(&["InternetChargeType"]),
        status: entry.text(&["Status"]),
        instance: entry.text(&["InstanceId"]),
        instance_type: entry.text(&["InstanceType"]),
        tags: entry.tags(),
    }
}
