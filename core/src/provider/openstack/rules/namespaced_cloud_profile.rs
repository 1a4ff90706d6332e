//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    NSCP_001 = Rule::error("OS-NSCP-001", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_002 = Rule::error("OS-NSCP-002", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_003 = Rule::error("OS-NSCP-003", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_004 = Rule::error("OS-NSCP-004", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_005 = Rule::error("OS-NSCP-005", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_006 = Rule::error("OS-NSCP-006", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_007 = Rule::error("OS-NSCP-007", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_008 = Rule::error("OS-NSCP-008", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_009 = Rule::error("OS-NSCP-009", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_010 = Rule::error("OS-NSCP-010", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_011 = Rule::error("OS-NSCP-011", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_012 = Rule::error("OS-NSCP-012", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_013 = Rule::error("OS-NSCP-013", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_014 = Rule::error("OS-NSCP-014", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_015 = Rule::error("OS-NSCP-015", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_016 = Rule::error("OS-NSCP-016", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_017 = Rule::error("OS-NSCP-017", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_018 = Rule::error("OS-NSCP-018", SHOOT, Both).summary("x").why("x").fix("x");
    NSCP_019 = Rule::error("OS-NSCP-019", SHOOT, Both).summary("x").why("x").fix("x");
}
