//! Security groups and their rules.

use super::{Known, Look};
use crate::call::Query;
use crate::policy::RequestError;
use crate::provider::alicloud::infrastructure::facts::Entry;
use crate::provider::alicloud::infrastructure::names;
use crate::provider::alicloud::infrastructure::state::valid;
use crate::provider::alicloud::infrastructure::world::{SecurityGroup, SecurityGroupRule, World};

impl Look<'_> {
    pub fn security_groups(&mut self, vpc: Option<&Known>, world: &mut World) -> Result<(), RequestError> {
        let recorded = valid(self.state, names::SECURITY_GROUP);
        if let Some(id) = recorded.filter(|_| !self.input.is_delete()) {
            // Asked beside the group, not after it.
            let rules = self.rules(id)?;
            let Some(found) = self.groups(self.queries.security_group(id))? else { return Ok(()) };
            if !found.is_empty() {
                world.security_groups =
                    found.into_iter().map(|group| SecurityGroup { rules: rules.clone(), ..group }).collect();
                return Ok(());
            }
        }
        let Some(Known::Id(vpc)) = vpc else { return Ok(()) };
        let Some(found) = self.groups(self.queries.security_groups(vpc))? else { return Ok(()) };
        let names = self.input.names();
        let name = names.name("sg");
        for mut group in found {
            let is_ours = Some(group.id.as_str()) == recorded
                || names.are_ours(&group.tags)
                || (group.name == name && !names::are_gardeners(&group.tags));
            if is_ours {
                if !self.input.is_delete() {
                    group.rules = self.rules(&group.id)?;
                }
                world.security_groups.push(group);
            }
        }
        Ok(())
    }

    fn groups(&mut self, query: Query) -> Result<Option<Vec<SecurityGroup>>, RequestError> {
        let read = |entry: &Entry<'_>| SecurityGroup {
            id: entry.id("SecurityGroupId"),
            name: entry.text(&["SecurityGroupName"]),
            vpc: entry.text(&["VpcId"]),
            rules: None,
            tags: entry.tags(),
        };
        self.facts.list(query, &["SecurityGroups", "SecurityGroup"], None, read)
    }

    fn rules(&mut self, group: &str) -> Result<Option<Vec<SecurityGroupRule>>, RequestError> {
        let read = |entry: &Entry<'_>| SecurityGroupRule {
            id: entry.text(&["SecurityGroupRuleId"]),
            direction: entry.text(&["Direction"]),
            policy: entry.text(&["Policy"]),
            priority: entry.text(&["Priority"]),
            protocol: entry.text(&["IpProtocol"]),
            ports: entry.text(&["PortRange"]),
            source: entry.first(&["SourceCidrIp", "Ipv6SourceCidrIp", "SourceGroupId", "SourcePrefixListId"]),
            destination: entry.first(&["DestCidrIp", "Ipv6DestCidrIp", "DestGroupId", "DestPrefixListId"]),
        };
        let query = self.queries.security_group_rules(group);
        self.facts.list(query, &["Permissions", "Permission"], None, read)
    }
}
