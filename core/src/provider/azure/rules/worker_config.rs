//! `WorkerConfig` of a pool.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// What a node template is for.
const CAPACITY: &str = "The cluster autoscaler computes with it before a node exists.";
/// What a volume from an image needs.
const IMAGE: &str = "Azure finds the image by one of four addresses.";
/// What a capacity reservation is known by.
const RESERVATION: &str = "Azure finds the group by its resource id.";
/// Where the id of a capacity reservation group stands.
const SHOW_RESERVATION: &str = "Write the id as `az capacity reservation group list` shows it: `/subscriptions/…/resourceGroups/…/providers/Microsoft.Compute/capacityReservationGroups/…`.";
/// Where the id of an image stands.
const SHOW_IMAGE: &str = "Write the id as `az image list` shows it: `/subscriptions/…/resourceGroups/…/providers/Microsoft.Compute/images/…`.";

rules! {
    WRKC_001 = Rule::error("AZ-WRKC-001", SHOOT, Both)
        .summary("`diagnosticsProfile.storageURI` is the URI of a storage account's blobs, with a path.")
        .why("Azure writes the diagnostics of the machines there.")
        .fix("Write for example `https://mystorage.blob.core.windows.net/diagnostics`, or leave `storageURI` out.");
    WRKC_002 = Rule::error("AZ-WRKC-002", SHOOT, Both)
        .summary("`cpu`, `gpu` and `memory` of `nodeTemplate.capacity` are not negative.")
        .why(CAPACITY)
        .fix("Set the capacity that a machine of the pool has.");
    WRKC_003 = Rule::error("AZ-WRKC-003", SHOOT, Both)
        .summary("Resources of `nodeTemplate.virtualCapacity` are not negative.")
        .why(CAPACITY)
        .fix("Set a whole number of at least 0.");
    WRKC_004 = Rule::error("AZ-WRKC-004", SHOOT, Both)
        .summary("Resources of `nodeTemplate.virtualCapacity` are whole numbers.")
        .why("Nodes count such resources by the piece.")
        .fix("Set a whole number, for example `4`.");
    WRKC_005 = Rule::error("AZ-WRKC-005", SHOOT, Both)
        .summary("An entry of `dataVolumes` with an image has the name of a data volume of the pool.")
        .why("The entry says more about a data volume of the pool.")
        .fix("Write the `name` of one of the pool's `dataVolumes`.");
    WRKC_006 = Rule::error("AZ-WRKC-006", SHOOT, Both)
        .summary("`imageRef` names an image.")
        .why(IMAGE)
        .fix("Set `urn`, `id`, `communityGalleryImageID` or `sharedGalleryImageID`, or remove `imageRef`.");
    WRKC_007 = Rule::error("AZ-WRKC-007", SHOOT, Both)
        .summary("`imageRef.urn` is the URN of an image of the marketplace.")
        .why(IMAGE)
        .fix("Write `Publisher:Offer:Sku:Version`.");
    WRKC_008 = Rule::error("AZ-WRKC-008", SHOOT, Both)
        .summary("`imageRef.communityGalleryImageID` is the id of a version in a community gallery.")
        .why(IMAGE)
        .fix("Write `/CommunityGalleries/…/Images/…/Versions/…`.");
    WRKC_009 = Rule::error("AZ-WRKC-009", SHOOT, Both)
        .summary("`imageRef.sharedGalleryImageID` is the id of a version in a shared gallery.")
        .why(IMAGE)
        .fix("Write `/SharedGalleries/…/Images/…/Versions/…`.");
    WRKC_010 = Rule::error("AZ-WRKC-010", SHOOT, Both)
        .summary("`imageRef.id` is a resource id.")
        .why(IMAGE)
        .fix(SHOW_IMAGE);
    WRKC_011 = Rule::error("AZ-WRKC-011", SHOOT, Both)
        .summary("`imageRef.id` names a subscription and a resource group that can exist.")
        .why(IMAGE)
        .fix(SHOW_IMAGE);
    WRKC_012 = Rule::error("AZ-WRKC-012", SHOOT, Both)
        .summary("`volume.caching` is `None`, `ReadOnly` or `ReadWrite`.")
        .why("Azure caches a disk on its host in these ways.")
        .fix("Set one of the three, or leave `caching` out to have `None`.");
    WRKC_013 = Rule::error("AZ-WRKC-013", SHOOT, Both)
        .summary("`capacityReservationGroupID` is a resource id.")
        .why(RESERVATION)
        .fix(SHOW_RESERVATION);
    WRKC_014 = Rule::error("AZ-WRKC-014", SHOOT, Both)
        .summary("`capacityReservationGroupID` is the id of a capacity reservation group.")
        .why(RESERVATION)
        .fix(SHOW_RESERVATION);
}
