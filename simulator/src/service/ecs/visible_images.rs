//! The images that an account sees: its own, those that others share with it, and the cloud's.

use super::system_images::{SYSTEM_IMAGES, SystemImage};
use crate::resource::Status;
use crate::world::World;
use crate::world::ecs::Image;

/// An image that an account sees.
#[derive(Clone, Copy, Debug)]
pub(super) enum VisibleImage<'a> {
    /// One of its own.
    Own(&'a Image),
    /// One that another account shares with it.
    Shared(&'a Image, &'a str),
    /// One of the cloud's.
    System(&'static SystemImage),
}

/// The images that an account sees in a region: its own, those that others share, and the cloud's.
pub(super) fn visible<'a>(
    world: &'a World,
    account: &'a str,
    region: &'a str,
) -> impl Iterator<Item = VisibleImage<'a>> {
    let custom = |own: bool| {
        world
            .in_region(region)
            .filter(move |(owner, _)| (*owner == account) == own)
            .flat_map(move |(owner, region)| region.ecs.images.iter().map(move |image| (owner, image)))
    };
    let own = custom(true).map(|(_, image)| VisibleImage::Own(image));
    let shared = custom(false)
        .filter(move |(_, image)| image.shared.contains_key(account))
        .map(|(owner, image)| VisibleImage::Shared(image, owner));
    own.chain(shared).chain(SYSTEM_IMAGES.iter().map(VisibleImage::System))
}

impl<'a> VisibleImage<'a> {
    /// The image of this identifier.
    pub(super) fn find(world: &'a World, account: &'a str, region: &'a str, id: &str) -> Option<Self> {
        visible(world, account, region).find(|image| image.id() == id)
    }

    pub(super) fn custom(self) -> Option<&'a Image> {
        match self {
            Self::Own(image) | Self::Shared(image, _) => Some(image),
            Self::System(_) => None,
        }
    }

    pub(super) fn id(self) -> &'a str {
        match self {
            Self::Own(image) | Self::Shared(image, _) => &image.image_id,
            Self::System(image) => image.id,
        }
    }

    pub(super) fn architecture(self) -> &'a str {
        match self {
            Self::Own(image) | Self::Shared(image, _) => &image.architecture,
            Self::System(image) => image.architecture,
        }
    }

    pub(super) fn status(self) -> Status {
        self.custom().map_or(Status::Available, |image| image.phase.status)
    }

    /// In GiB.
    pub(super) fn size(self) -> i64 {
        match self {
            Self::Own(image) | Self::Shared(image, _) => image.size,
            Self::System(image) => image.size,
        }
    }

    /// Its operating system and the kind of that.
    pub(super) fn os(self) -> (&'a str, &'a str) {
        match self {
            Self::Own(image) | Self::Shared(image, _) => (&image.os_name, &image.os_type),
            Self::System(image) => (image.os_name, image.os_type),
        }
    }

    pub(super) fn name(self) -> &'a str {
        match self {
            Self::Own(image) | Self::Shared(image, _) => &image.image_name,
            Self::System(image) => image.id,
        }
    }

    pub(super) fn alias(self) -> &'static str {
        match self {
            Self::Own(_) => "self",
            Self::Shared(..) => "others",
            Self::System(_) => "system",
        }
    }

    pub(super) fn owner(self, caller: &'a str) -> Option<i64> {
        match self {
            Self::Own(_) => caller.parse().ok(),
            Self::Shared(_, owner) => owner.parse().ok(),
            Self::System(_) => None,
        }
    }

    pub(super) fn family(self) -> &'static str {
        if let Self::System(image) = self { image.family } else { "" }
    }
}
