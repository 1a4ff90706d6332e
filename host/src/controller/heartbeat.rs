//! The Lease by which gardenlet sees that the extension is alive.
