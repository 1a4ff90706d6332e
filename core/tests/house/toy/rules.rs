//! The rules in words.

use trellis_core::report::Operation::{Both, Update};
use trellis_core::report::Rule;
use trellis_core::rules;

const SHOOT: &[&str] = &["Shoot"];

rules! {
    TOY_001 = Rule::error("TOY-001", SHOOT, Both).summary("A Shoot with workers has an `infrastructureConfig`.");
    TOY_002 = Rule::error("TOY-002", SHOOT, Both).summary("`infrastructureConfig` is readable.");
    TOY_003 = Rule::error("TOY-003", SHOOT, Both).summary("`cidr` is set.");
    TOY_004 = Rule::error("TOY-004", SHOOT, Both).summary("`cidr` is a range.");
    TOY_005 = Rule::error("TOY-005", SHOOT, Both).summary("`cidr` begins with the first address of the range.");
    TOY_006 = Rule::error("TOY-006", SHOOT, Both).summary("A worker pool has a zone.");
    TOY_007 = Rule::error("TOY-007", SHOOT, Both).summary("`minimum` is at most `maximum`.");
    TOY_008 = Rule::error("TOY-008", SHOOT, Both).summary("A worker pool has a volume.");
    TOY_009 = Rule::error("TOY-009", SHOOT, Update).summary("`cidr` stays as it is.");
    TOY_010 = Rule::default("TOY-010", SHOOT, Both).summary("A worker pool without a volume gets one of 20 GiB.");
    TOY_011 = Rule::error("TOY-011", SHOOT, Both).summary("What the Shoot asks for can be made.");
    TOY_012 = Rule::default("TOY-012", SHOOT, Both).summary("The kube-apiserver has toys.");
}
