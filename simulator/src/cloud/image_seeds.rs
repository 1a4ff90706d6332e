//! The custom images that accounts have from the start.

use std::collections::BTreeMap;

use super::Accounts;
use crate::resource::{Phase, Status, Tags};
use crate::world::World;
use crate::world::ecs::Image;

/// The creation time of images that exist from the start.
const BEFORE: &str = "2024-01-01T00:00:00Z";

/// Adds the images that accounts have from the start. An image that exists already stays as it is.
pub fn seed(world: &mut World, accounts: &Accounts) {
    for account in &accounts.accounts {
        world.declare(&account.id);
        let has = world.account_mut(&account.id);
        for image in &account.images {
            let images = &mut has.region_mut(&image.region).ecs.images;
            if images.get(&image.id).is_some() {
                continue;
            }
            images.insert(Image {
                image_id: image.id.clone(),
                image_name: image.name.clone(),
                description: String::new(),
                architecture: image.architecture.clone(),
                os_name: "Customized Linux".to_owned(),
                os_type: "linux".to_owned(),
                platform: "Customized Linux".to_owned(),
                size: 20,
                is_copied: false,
                encrypted: false,
                kms_key_id: String::new(),
                shared: BTreeMap::new(),
                creation_time: BEFORE.to_owned(),
                tags: Tags::default(),
                phase: Phase::stay(Status::Available),
            });
        }
    }
}
