//! `spec.networking` of a Shoot and its changes.

use crate::report::Operation::{Create, Update};
use crate::report::Rule;
use crate::rules;

use super::SHOOT;

/// Why a range must stay clear of 100.64.0.0/10.
const RESERVED: &str = "DNS, time and metadata services of Alibaba Cloud answer from 100.64.0.0/10; \
                        the cluster would shadow them.";

rules! {
    NET_001 = Rule::error("ALI-NET-001", SHOOT, Create)
        .summary("`spec.networking` is set.")
        .why("Nodes, pods and Services need address ranges and a network plugin.")
        .fix("Add `spec.networking` with `type` and `nodes`.");
    NET_002 = Rule::error("ALI-NET-002", SHOOT, Create)
        .summary("`spec.networking.nodes` is set.")
        .why("The VSwitches of all zones, also of later ones, are taken from this range.")
        .fix("Set `spec.networking.nodes` to a CIDR that covers every zone, for example `10.250.0.0/16`.");
    NET_003 = Rule::error("ALI-NET-003", SHOOT, Create)
        .summary("`spec.networking.nodes` is a CIDR clear of 100.64.0.0/10.")
        .why(RESERVED)
        .fix("Choose a private range for `nodes`, for example `10.250.0.0/16`.");
    NET_004 = Rule::error("ALI-NET-004", SHOOT, Create)
        .summary("`spec.networking.pods` is a CIDR clear of 100.64.0.0/10.")
        .why(RESERVED)
        .fix("Choose a private range for `pods`, for example `172.16.0.0/13`.");
    NET_005 = Rule::error("ALI-NET-005", SHOOT, Create)
        .summary("`spec.networking.services` is a CIDR clear of 100.64.0.0/10.")
        .why(RESERVED)
        .fix("Choose a private range for `services`, for example `172.24.0.0/13`.");
    NETU_001 = Rule::error("ALI-NETU-001", SHOOT, Update)
        .summary("`spec.networking` is not removed.")
        .why("Nodes, pods and Services of the running cluster hold addresses of its ranges.")
        .fix("Restore `spec.networking` as it was.");
    NETU_002 = Rule::error("ALI-NETU-002", SHOOT, Update)
        .summary("`spec.networking.nodes` keeps its value once it is set.")
        .why("VSwitches and nodes hold addresses of this range and cannot be moved to another.")
        .fix("Restore the old `nodes`, or create a new Shoot with the other range.");
    NETU_003 = Rule::error("ALI-NETU-003", SHOOT, Update)
        .summary("`spec.networking.pods` keeps its value once it is set.")
        .why("Every node has its share of this range, and the VPC's routes lead there.")
        .fix("Restore the old `pods`, or create a new Shoot with the other range.")
        .doubles(&["GDN-UPD-062"]);
    NETU_004 = Rule::error("ALI-NETU-004", SHOOT, Update)
        .summary("`spec.networking.services` keeps its value once it is set.")
        .why("Services keep their cluster IP for life, and the cluster's DNS has one of them.")
        .fix("Restore the old `services`, or create a new Shoot with the other range.")
        .doubles(&["GDN-UPD-063"]);
}
