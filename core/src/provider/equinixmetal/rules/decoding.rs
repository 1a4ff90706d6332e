//! Reading of provider configurations.

use crate::report::Operation::Both;
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

const WITH_MAPPINGS: &[&str] = &["CloudProfile", "NamespacedCloudProfile", "Shoot"];

rules! {
    DEC_001 = Rule::warning("EQX-DEC-001", SHOOT, Both)
        .summary("`infrastructureConfig` and `controlPlaneConfig` are of the kind and version of their place.")
        .why("Another kind, or a text for an object, is not readable.")
        .fix("Correct or leave out `apiVersion` and `kind`; both are taken from the place.");
    DEC_002 = Rule::warning("EQX-DEC-002", SHOOT, Both)
        .summary("`infrastructureConfig` and `controlPlaneConfig` have no fields besides `apiVersion` and `kind`.")
        .why("There is nothing to set: a field has no effect, or stops the program that reads it.")
        .fix("Remove the field.");
    DEC_003 = Rule::warning("EQX-DEC-003", WITH_MAPPINGS, Both)
        .summary("The CloudProfile's `providerConfig` is a readable `CloudProfileConfig`.")
        .why("An unknown or doubled field or a wrong type stops the workers of every Shoot that uses it.")
        .fix("Correct this field.");
    DEC_004 = Rule::warning("EQX-DEC-004", SHOOT, Both)
        .summary("A Shoot with workers has an `infrastructureConfig`.")
        .why("The Infrastructure is expected to have one, though nothing is set in it.")
        .fix("Add `infrastructureConfig` with `apiVersion` and `kind: InfrastructureConfig`.");
    DEC_005 = Rule::warning("EQX-DEC-005", SHOOT, Both)
        .summary("A worker pool's `providerConfig` is a readable `WorkerConfig`.")
        .why("An unknown or doubled field or a wrong type stops the Shoot's workers from being reconciled.")
        .fix("Correct this field.");
    DEC_006 = Rule::warning("EQX-DEC-006", &["ControllerConfiguration"], Both)
        .summary("The extension is started with a configuration file.")
        .why("It does not run without one; unknown fields in it are dropped.")
        .fix("Pass `--config-file`.")
        .informative("It is about the extension's command line, which no object shows.");
}
