//! Mappings of images, in CloudProfiles and NamespacedCloudProfiles (OS-CPROF-014…023).
