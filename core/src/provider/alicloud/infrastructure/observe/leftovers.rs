//! Load balancers that a Shoot's cloud controller manager created and did not delete.

use super::Observation;
use crate::gardener::planning::entry::Entry;
use crate::provider::alicloud::infrastructure::queries::LOAD_BALANCER_TAG;
use crate::provider::alicloud::infrastructure::steps::LOAD_BALANCERS;
use crate::provider::alicloud::infrastructure::world::{LoadBalancer, LoadBalancerKind, Tags, World};
use crate::provider::alicloud::tags::tags_of;

impl Observation<'_, '_> {
    pub fn load_balancers(&mut self, world: &mut World) {
        let read = |entry: &Entry<'_>| {
            let balancer = LoadBalancer {
                kind: LoadBalancerKind::Slb,
                id: entry.id("LoadBalancerId").to_owned(),
                name: entry.text(&["LoadBalancerName"]).to_owned(),
                protected: entry.text(&["DeleteProtection"]) == "on",
            };
            (balancer, tags_of(entry))
        };
        let query = self.queries.slb_load_balancers();
        let found = self.facts.list(query, "/LoadBalancers/LoadBalancer", None, read);
        for (balancer, tags) in found.unwrap_or_default() {
            if self.is_ours(&balancer.id, &tags) {
                world.load_balancers.push(balancer);
            }
        }
        let read = |entry: &Entry<'_>| {
            let balancer = LoadBalancer {
                kind: LoadBalancerKind::Nlb,
                id: entry.id("LoadBalancerId").to_owned(),
                name: entry.text(&["LoadBalancerName"]).to_owned(),
                protected: entry.flag(&["DeletionProtectionConfig", "Enabled"]),
            };
            (balancer, entry.text(&["LoadBalancerStatus"]).to_owned())
        };
        let found = self.facts.list(self.queries.nlb_load_balancers(), LOAD_BALANCERS.list, None, read);
        let there = found.unwrap_or_default().into_iter().filter(|(_, status)| !status.starts_with("Delet"));
        world.load_balancers.extend(there.map(|(balancer, _)| balancer));
    }

    /// Whether a load balancer belongs to the Shoot: its tag names the cluster, or, where it has no such tag, the
    /// name of its first server group ends with the cluster.
    fn is_ours(&mut self, balancer: &str, tags: &Tags) -> bool {
        let cluster = self.input.names().technical_id;
        if let Some((_, value)) = tags.iter().find(|(key, _)| key == LOAD_BALANCER_TAG) {
            return value == cluster;
        }
        let query = self.queries.slb_server_groups(balancer);
        let read = |entry: &Entry<'_>| entry.text(&["VServerGroupName"]).to_owned();
        let groups = self.facts.list(query, "/VServerGroups/VServerGroup", None, read);
        let first = groups.unwrap_or_default().into_iter().next().unwrap_or_default();
        first.rsplit_once('/').is_some_and(|(_, of)| of == cluster)
    }
}
