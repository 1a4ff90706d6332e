//! `trellis run` in a seed: a real API server, gardenlet's requests and waits, and a cloud on loopback.
//!
//! A [`stage`](crate::stage) is what a test runs in: the landscape, a simulator, a proxy before the API server
//! that counts requests and injects faults, and the access that the ClusterRole of the program gives. One test of
//! this process at a time has the shared landscape, as two programs in one seed would reconcile each other's
//! objects.

#![cfg(all(feature = "cluster", unix))]
#![expect(
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "tests may panic, the inputs are our own"
)]

mod access;
mod frozen;
mod further;
mod gardenlet;
mod history;
mod landscape;
mod machines;
mod process;
mod proxy;
mod secrets;
mod seed;
mod service;
mod shoot;
mod simulated;
mod stage;
mod supervisor;
#[path = "../support/mod.rs"]
mod support;
mod wait;
mod whole;

mod admission;
mod backups;
mod backups_and_records;
mod bastions;
mod deployments;
mod dns_records;
mod existing_rights;
mod faults;
mod figures;
mod garbage;
mod garden;
mod harness;
mod life;
mod lifecycle;
mod protocol;
mod safeguards;
mod survive;
mod takeover;
#[cfg(feature = "native")]
mod webhooks;
