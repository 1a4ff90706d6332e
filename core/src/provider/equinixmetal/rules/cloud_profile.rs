//! `CloudProfileConfig`: which operating system an image stands for.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::PROFILES;

rules! {
    CPROF_001 = Rule::warning("EQX-CPROF-001", PROFILES, Both)
        .summary("`providerConfig.machineImages` has at least one image.")
        .why("Without a mapping no worker pool finds its image.")
        .fix("Add an entry with `name` and `versions` for every image of `spec.machineImages`.");
    CPROF_002 = Rule::warning("EQX-CPROF-002", PROFILES, Both)
        .summary("A mapped image has a `name`.")
        .why("Worker pools find the mapping by the name of their image.")
        .fix("Set `name` to that of the image in `spec.machineImages`.");
    CPROF_003 = Rule::warning("EQX-CPROF-003", PROFILES, Both)
        .summary("A mapped image has at least one version.")
        .why("An image without versions maps nothing.")
        .fix("Add an entry with `version` and `id` to `versions`, or remove the image.");
    CPROF_004 = Rule::warning("EQX-CPROF-004", PROFILES, Both)
        .summary("A version of a mapped image has a `version`.")
        .why("Worker pools find the mapping by the version of their image.")
        .fix("Set `version` to that of the image version in `spec.machineImages`.");
    CPROF_005 = Rule::warning("EQX-CPROF-005", PROFILES, Both)
        .summary("A version of a mapped image has an `id`.")
        .why("Equinix Metal knows operating systems by a slug; without one, machines boot by iPXE script or not at all.")
        .fix("Set `id` to the slug, for example `flatcar_stable`.");
}
