//! What every cloud's policy does in the same way with Gardener's objects. What differs between clouds is a
//! parameter: the rules, their words, what identifies a machine image.
//!
//! | folder | what it holds |
//! |---|---|
//! | [`types`] | the parts of Gardener's objects that policies read |
//! | [`provider_config`] | how the configuration kinds of a provider are read, and how mistakes in them are fixed |
//! | [`reads`] | what policies read of the context where they do not say otherwise |
//! | [`images`] | machine images: mappings of profiles, capabilities, the choice of an image for a worker pool |
//! | [`checks`] | rules on address ranges, worker pools, backups and credentials |
//! | [`shoot`] | the provider's parts of a Shoot, its worker pools, defaults of its network |
//! | [`addresses`] | the address space of a Shoot |
//! | [`planning`] | the frame of a plan, facts, the recorded state, steps and findings |
//! | [`infrastructure`] | the configuration of an infrastructure, and the state that Terraform left |
//! | [`extension_objects`] | the ControlPlane, Worker and Cluster that gardenlet creates from a Shoot |
//! | [`mutation`] | what every provider's webhooks do in the same way: dispatch, containers, flags, units, the kubelet |
//! | [`rendering`] | what every control plane has: its frame, ManagedResources, access Secrets, images, hibernation |
//! | [`worker`] | what every worker pool has: the frame that makes machines, hashes, deployments, what an edit rolls |
//!
//! A rule that one cloud alone has stands in `provider/<name>/validate/`, in the file of its object or of its part
//! of a Shoot; so do the ids and the words that a cloud gives to a rule of this folder. What a rule says in the
//! reference stands in `provider/<name>/rules/`.

pub mod addresses;
pub mod checks;
pub mod extension_objects;
mod finding;
pub mod images;
pub mod infrastructure;
pub mod mutation;
pub mod planning;
pub mod provider_config;
pub mod reads;
pub mod rendering;
pub mod shoot;
pub mod types;
pub mod worker;
