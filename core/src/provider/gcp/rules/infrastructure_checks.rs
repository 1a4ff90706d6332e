//! What the existing extension asks GCP before it creates an infrastructure or a bastion.

use crate::report::{Operation::Both, Rule};
use crate::rules;

const INFRASTRUCTURE: &[&str] = &["Infrastructure"];
const BASTION: &[&str] = &["Bastion"];

/// Why the rules judge nothing.
const CLOUD: &str = "The check needs answers of GCP, which no function of the policy asks for.";

rules! {
    CFGV_001 = Rule::error("GCP-CFGV-001", INFRASTRUCTURE, Both)
        .summary("The infrastructure has a readable `InfrastructureConfig`, and credentials that GCP takes.")
        .why("Nothing can be created on GCP without them.")
        .fix("Correct this field, or the credentials.")
        .informative(CLOUD);
    CFGV_002 = Rule::error("GCP-CFGV-002", INFRASTRUCTURE, Both)
        .summary("The external addresses of the project can be listed.")
        .why("The addresses that `natIPNames` names are among them.")
        .fix("Allow the service account to list addresses (`compute.addresses.list`).")
        .informative(CLOUD);
    CFGV_003 = Rule::error("GCP-CFGV-003", INFRASTRUCTURE, Both)
        .summary("Each of `natIPNames` is an external address in the Shoot's region.")
        .why("Cloud NAT is regional, as its addresses are.")
        .fix("Reserve the address in the Shoot's region: `gcloud compute addresses create NAME --region REGION`.")
        .informative(CLOUD);
    CFGV_004 = Rule::error("GCP-CFGV-004", INFRASTRUCTURE, Both)
        .summary("Nothing else uses the addresses of `natIPNames`.")
        .why("An external address serves one resource.")
        .fix("Name an address that is free, or release it from what has it.")
        .informative(CLOUD);
    CFGV_010 = Rule::error("GCP-CFGV-010", BASTION, Both)
        .summary("The network of the cluster is there when a bastion is created.")
        .why("A bastion is an instance in the subnet of the nodes.")
        .fix("Wait until the Shoot is reconciled.")
        .informative(CLOUD);
}
