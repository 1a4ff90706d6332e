//! Machine images, the stacks that copy them, and the legacy key pair.

use super::Observation;
use crate::collections::sorted_once;
use crate::gardener::planning::entry::Entry;
use crate::provider::alicloud::infrastructure::pool_images;
use crate::provider::alicloud::infrastructure::steps::IMAGES;
use crate::provider::alicloud::infrastructure::world::{Image, Stack, World};
use crate::provider::alicloud::queries;

impl Observation<'_, '_> {
    pub fn images(&mut self, world: &mut World) {
        let wanted = match pool_images::wanted(&self.input.request, self.state) {
            Ok(wanted) => wanted.images,
            Err(error) => return self.facts.fail(error),
        };
        let copied = || wanted.iter().filter(|image| image.encrypted && image.copy.is_none());
        let shared = wanted.iter().filter(|image| image.share);
        if shared.clone().next().is_some() {
            // The owner of an image shares it with the account, whose id has to be known.
            let _ = self.facts.response(&self.queries.account(), None);
        }
        let mut ids: Vec<&str> = shared.chain(copied()).map(|image| image.source).collect();
        ids.retain(|id| !id.is_empty());
        let ids = sorted_once(ids);
        let mut found = Vec::new();
        for query in queries::images(self.input.region, &ids) {
            found.extend(self.facts.list(query, IMAGES.list, None, queries::Image::read).unwrap_or_default());
        }
        for id in ids {
            let owner = found.iter().find(|image| image.id == id).map(|image| image.owner.to_owned());
            world.images.push(Image {
                id: id.to_owned(),
                visible: owner.is_some(),
                owner: owner.unwrap_or_default(),
            });
        }
        let names = sorted_once(copied().map(|image| image.stack(self.input.region)).collect());
        for query in self.queries.stacks(&names) {
            let read = |entry: &Entry<'_>| {
                let stack = Stack { name: entry.id("StackName").to_owned(), id: entry.id("StackId").to_owned() };
                (stack, entry.text(&["Status"]) != "DELETE_COMPLETE")
            };
            let stacks = self.facts.list(query, "/Stacks", None, read).unwrap_or_default();
            let kept = stacks.into_iter().filter(|(_, is_there)| *is_there);
            world.stacks.extend(kept.map(|(stack, _)| stack));
        }
    }

    pub fn key_pair(&mut self, world: &mut World) {
        if !self.input.key_pair.is_empty() {
            let query = self.queries.key_pair_instances(self.input.key_pair);
            let found =
                self.facts.list(query, "/Instances/Instance", None, |entry| entry.id("InstanceId").to_owned());
            world.key_pair_instances = found.unwrap_or_default();
        }
    }
}
