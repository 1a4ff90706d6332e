//! Alibaba Cloud on loopback: its wire protocol, with state, time and faults.

pub mod signature;
