//! CloudProfiles and NamespacedCloudProfiles (AWS-CPROF, AWS-NSCP).
