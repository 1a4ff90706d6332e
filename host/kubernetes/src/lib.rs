//! Works for gardens and seeds: controllers, webhooks, admission and scans.

pub mod admission;
pub mod api_server;
pub mod certificates;
pub mod controller;
pub mod health;
pub mod metrics;
pub mod scan;
pub mod webhook;
