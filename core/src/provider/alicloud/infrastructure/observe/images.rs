//! Machine images, the stacks that copy them, and the legacy key pair.

use super::Look;
use crate::collections::sorted_once;
use crate::policy::RequestError;
use crate::provider::alicloud::infrastructure::facts::Entry;
use crate::provider::alicloud::infrastructure::images;
use crate::provider::alicloud::infrastructure::world::{Image, Stack, World};

impl Look<'_> {
    pub fn images(&mut self, world: &mut World) -> Result<(), RequestError> {
        let wanted = images::wanted(&self.input.request, self.state)?.images;
        let copied = || wanted.iter().filter(|image| image.encrypted && image.copy.is_none());
        let shared = wanted.iter().filter(|image| image.share);
        if shared.clone().next().is_some() {
            // An image is shared with the account, so it has to be known.
            let _ = self.facts.answer(&self.queries.account(), None);
        }
        let mut ids: Vec<&str> = shared.chain(copied()).map(|image| image.source).collect();
        ids.retain(|id| !id.is_empty());
        let ids = sorted_once(ids);
        let mut found = Vec::new();
        for query in self.queries.images(&ids) {
            let read = |entry: &Entry<'_>| (entry.id("ImageId"), entry.text(&["ImageOwnerAlias"]));
            found.extend(self.facts.list(query, &["Images", "Image"], None, read)?.unwrap_or_default());
        }
        for id in ids {
            let owner = found.iter().find(|(found, _)| found == id).map(|(_, owner)| owner.clone());
            world.images.push(Image {
                id: id.to_owned(),
                visible: owner.is_some(),
                owner: owner.unwrap_or_default(),
            });
        }
        let names = sorted_once(copied().map(|image| image.stack(self.input.region)).collect());
        for query in self.queries.stacks(&names) {
            let read = |entry: &Entry<'_>| {
                let stack = Stack { name: entry.id("StackName"), id: entry.id("StackId") };
                (stack, entry.text(&["Status"]))
            };
            let stacks = self.facts.list(query, &["Stacks"], None, read)?.unwrap_or_default();
            let kept = stacks.into_iter().filter(|(_, status)| status != "DELETE_COMPLETE");
            world.stacks.extend(kept.map(|(stack, _)| stack));
        }
        Ok(())
    }

    pub fn key_pair(&mut self, world: &mut World) -> Result<(), RequestError> {
        if !self.input.key_pair.is_empty() {
            let query = self.queries.key_pair_instances(self.input.key_pair);
            let found =
                self.facts.list(query, &["Instances", "Instance"], None, |entry| entry.id("InstanceId"))?;
            world.key_pair_instances = found.unwrap_or_default();
        }
        Ok(())
    }
}
