//! Security groups and their rules.

use super::{KnownVpc, Observation};
use crate::plan::recorded_value;
use crate::provider::alicloud::infrastructure::names;
use crate::provider::alicloud::infrastructure::world::World;
use crate::provider::alicloud::queries::Region;
use crate::provider::alicloud::security_groups::{self, SecurityGroup, SecurityGroupRule, groups_by};

impl Observation<'_, '_> {
    pub fn security_groups(&mut self, vpc: Option<&KnownVpc>, world: &mut World) {
        let region = Region(self.input.region);
        let recorded = recorded_value(self.state, names::SECURITY_GROUP);
        if let Some(id) = recorded.filter(|_| !self.input.is_delete()) {
            // The query goes together with the one for the group, not after it.
            let rules = self.rules(id);
            let Some(found) = security_groups::groups(self.facts, groups_by(region, "SecurityGroupId", id)) else {
                return;
            };
            if !found.is_empty() {
                world.security_groups =
                    found.into_iter().map(|group| SecurityGroup { rules: rules.clone(), ..group }).collect();
                return;
            }
        }
        let Some(KnownVpc::Id(vpc)) = vpc else { return };
        let Some(found) = security_groups::groups(self.facts, groups_by(region, "VpcId", vpc)) else { return };
        let names = self.input.names();
        let name = names.name("sg");
        for mut group in found {
            let is_ours = Some(group.id.as_str()) == recorded
                || names.are_ours(&group.tags)
                || (group.name == name && !names::are_gardeners(&group.tags));
            if is_ours {
                if !self.input.is_delete() {
                    group.rules = self.rules(&group.id);
                }
                world.security_groups.push(group);
            } else if self.input.is_delete() {
                world.foreign_security_groups.push(group);
            }
        }
    }

    fn rules(&mut self, group: &str) -> Option<Vec<SecurityGroupRule>> {
        security_groups::rules(self.facts, Region(self.input.region), group)
    }
}
