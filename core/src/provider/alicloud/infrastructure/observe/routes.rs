//! Custom route tables and their entries.

use super::{KnownVpc, Observation};
use crate::call::Query;
use crate::gardener::planning::entry::Entry;
use crate::plan::{is_pending, recorded_value};
use crate::provider::alicloud::infrastructure::desired::routes;
use crate::provider::alicloud::infrastructure::steps::{ROUTE_ENTRIES, ROUTE_TABLES};
use crate::provider::alicloud::infrastructure::world::{RouteEntry, RouteTable, World};
use crate::provider::alicloud::infrastructure::{names, select};
use crate::provider::alicloud::tags::tags_of;

impl Observation<'_, '_> {
    pub fn route_tables(&mut self, vpc: Option<&KnownVpc>, world: &mut World) {
        let recorded = recorded_value(self.state, names::ROUTE_TABLE);
        let is_wanted = self.input.has_custom_route_table();
        // A run may have created one before a crash, although the configuration no longer asks for it.
        if !is_wanted && recorded.is_none() && !is_pending(self.state, routes::ID) {
            return;
        }
        let mut found = None;
        if let Some(id) = recorded {
            found = self.tables(self.queries.route_table(id));
            if found.is_none() {
                // The query goes together with the one for the table, not after it.
                self.entries(id);
                return;
            }
        }
        let mut found = found.unwrap_or_default();
        if let (true, Some(KnownVpc::Id(vpc))) = (found.is_empty(), vpc) {
            let names = self.input.names();
            let name = names.name("rt");
            let is_ours = |table: &RouteTable| {
                names.are_ours(&table.tags) || (table.name == name && !names::are_gardeners(&table.tags))
            };
            let all = self.tables(self.queries.route_tables(vpc)).unwrap_or_default();
            found = all.into_iter().filter(is_ours).collect();
        }
        if let Some(table) = select::route_table(self.input, self.state, &found) {
            world.route_entries = self.entries(&table.id);
        }
        world.route_tables = found;
    }

    fn tables(&mut self, query: Query) -> Option<Vec<RouteTable>> {
        let read = |entry: &Entry<'_>| RouteTable {
            id: entry.id("RouteTableId").to_owned(),
            name: entry.text(&["RouteTableName"]).to_owned(),
            status: entry.text(&["Status"]).to_owned(),
            vswitches: entry.texts(&["VSwitchIds", "VSwitchId"]),
            tags: tags_of(entry),
        };
        self.facts.list(query, ROUTE_TABLES.list, None, read)
    }

    /// The entries of a table; none of a table that the configuration no longer asks for, of which the plan
    /// changes nothing.
    fn entries(&mut self, table: &str) -> Vec<RouteEntry> {
        if !self.input.has_custom_route_table() && !self.input.is_delete() {
            return Vec::new();
        }
        let read = |entry: &Entry<'_>| RouteEntry {
            id: entry.id("RouteEntryId").to_owned(),
            destination: entry.text(&["DestinationCidrBlock"]).to_owned(),
            next_hop: entry
                .each(&["NextHops", "NextHop"], |hop| hop.text(&["NextHopId"]))
                .into_iter()
                .find(|hop| !hop.is_empty())
                .unwrap_or_else(|| entry.text(&["InstanceId"]))
                .to_owned(),
            status: entry.text(&["Status"]).to_owned(),
        };
        let query = self.queries.route_entries(table);
        self.facts.list(query, ROUTE_ENTRIES.list, None, read).unwrap_or_default()
    }
}
