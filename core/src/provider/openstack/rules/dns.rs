//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    DNS_001 = Rule::error("OS-DNS-001", SHOOT, Both).summary("x").why("x").fix("x");
    DNS_002 = Rule::error("OS-DNS-002", SHOOT, Both).summary("x").why("x").fix("x");
    DNS_003 = Rule::error("OS-DNS-003", SHOOT, Both).summary("x").why("x").fix("x");
    DNS_004 = Rule::error("OS-DNS-004", SHOOT, Both).summary("x").why("x").fix("x");
    DNS_005 = Rule::error("OS-DNS-005", SHOOT, Both).summary("x").why("x").fix("x");
    DNS_006 = Rule::error("OS-DNS-006", SHOOT, Both).summary("x").why("x").fix("x");
    DNS_007 = Rule::error("OS-DNS-007", SHOOT, Both).summary("x").why("x").fix("x");
    DNS_008 = Rule::error("OS-DNS-008", SHOOT, Both).summary("x").why("x").fix("x");
}
