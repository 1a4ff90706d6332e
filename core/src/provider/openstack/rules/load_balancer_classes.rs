//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    LBC_001 = Rule::error("OS-LBC-001", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_002 = Rule::error("OS-LBC-002", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_003 = Rule::error("OS-LBC-003", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_004 = Rule::error("OS-LBC-004", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_005 = Rule::error("OS-LBC-005", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_006 = Rule::error("OS-LBC-006", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_007 = Rule::error("OS-LBC-007", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_008 = Rule::error("OS-LBC-008", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_009 = Rule::error("OS-LBC-009", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_010 = Rule::error("OS-LBC-010", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_011 = Rule::error("OS-LBC-011", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_012 = Rule::error("OS-LBC-012", SHOOT, Both).summary("x").why("x").fix("x");
    LBC_013 = Rule::error("OS-LBC-013", SHOOT, Both).summary("x").why("x").fix("x");
}
