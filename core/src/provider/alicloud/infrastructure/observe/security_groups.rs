//! Security groups and their rules.

use super::{KnownVpc, Observation};
use crate::call::Query;
use crate::gardener::planning::entry::Entry;
use crate::plan::recorded_value;
use crate::provider::alicloud::infrastructure::names;
use crate::provider::alicloud::infrastructure::responses::tags;
use crate::provider::alicloud::infrastructure::steps::SECURITY_GROUPS;
use crate::provider::alicloud::infrastructure::world::{SecurityGroup, SecurityGroupRule, World};

impl Observation<'_, '_> {
    pub fn security_groups(&mut self, vpc: Option<&KnownVpc>, world: &mut World) {
        let recorded = recorded_value(self.state, names::SECURITY_GROUP);
        if let Some(id) = recorded.filter(|_| !self.input.is_delete()) {
            // The query goes together with the one for the group, not after it.
            let rules = self.rules(id);
            let Some(found) = self.groups(self.queries.security_group(id)) else { return };
            if !found.is_empty() {
                world.security_groups =
                    found.into_iter().map(|group| SecurityGroup { rules: rules.clone(), ..group }).collect();
                return;
            }
        }
        let Some(KnownVpc::Id(vpc)) = vpc else { return };
        let Some(found) = self.groups(self.queries.security_groups(vpc)) else { return };
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

    fn groups(&mut self, query: Query) -> Option<Vec<SecurityGroup>> {
        let read = |entry: &Entry<'_>| SecurityGroup {
            id: entry.id("SecurityGroupId").to_owned(),
            name: entry.text(&["SecurityGroupName"]).to_owned(),
            vpc: entry.text(&["VpcId"]).to_owned(),
            rules: None,
            tags: tags(entry),
        };
        self.facts.list(query, SECURITY_GROUPS.list, None, read)
    }

    fn rules(&mut self, group: &str) -> Option<Vec<SecurityGroupRule>> {
        let read = |entry: &Entry<'_>| SecurityGroupRule {
            id: entry.text(&["SecurityGroupRuleId"]).to_owned(),
            direction: entry.text(&["Direction"]).to_owned(),
            policy: entry.text(&["Policy"]).to_owned(),
            priority: entry.text(&["Priority"]).to_owned(),
            protocol: entry.text(&["IpProtocol"]).to_owned(),
            ports: entry.text(&["PortRange"]).to_owned(),
            source: entry
                .first(&["SourceCidrIp", "Ipv6SourceCidrIp", "SourceGroupId", "SourcePrefixListId"])
                .to_owned(),
            destination: entry
                .first(&["DestCidrIp", "Ipv6DestCidrIp", "DestGroupId", "DestPrefixListId"])
                .to_owned(),
        };
        let query = self.queries.security_group_rules(group);
        self.facts.list(query, "/Permissions/Permission", None, read)
    }
}
