//! An image, by one of its four addresses.

use crate::record;

record! {
    /// An image, by one of its four addresses. Where one is inline, its fields stand among those of the object.
    #[derive(Clone, Copy, Debug, Default, PartialEq)]
    pub struct Image<'a> {
        /// Image of the marketplace: `Publisher:Offer:Sku:Version`.
        pub urn: Option<&'a str>,
        /// Resource id of a managed image, or of a gallery's image.
        pub id: Option<&'a str>,
        /// Image of a community gallery: `/CommunityGalleries/…/Images/…/Versions/…`.
        #[name = "communityGalleryImageID"]
        pub community_gallery_image_id: Option<&'a str>,
        /// Image of a shared gallery: `/SharedGalleries/…/Images/…/Versions/…`.
        #[name = "sharedGalleryImageID"]
        pub shared_gallery_image_id: Option<&'a str>,
    }
}

impl<'a> Image<'a> {
    /// The addresses that are there, with their fields.
    pub fn addresses(&self) -> impl Iterator<Item = (&'static str, &'a str)> + use<'a> {
        [
            ("urn", self.urn),
            ("id", self.id),
            ("communityGalleryImageID", self.community_gallery_image_id),
            ("sharedGalleryImageID", self.shared_gallery_image_id),
        ]
        .into_iter()
        .filter_map(|(field, address)| Some((field, address?)))
    }
}
