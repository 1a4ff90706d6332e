//! Images of OpenStack: an id in each region.
