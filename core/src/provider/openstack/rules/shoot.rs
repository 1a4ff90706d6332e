//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    SHOOT_001 = Rule::error("OS-SHOOT-001", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_002 = Rule::error("OS-SHOOT-002", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_003 = Rule::error("OS-SHOOT-003", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_004 = Rule::error("OS-SHOOT-004", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_005 = Rule::error("OS-SHOOT-005", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_006 = Rule::error("OS-SHOOT-006", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_007 = Rule::error("OS-SHOOT-007", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_008 = Rule::error("OS-SHOOT-008", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_009 = Rule::error("OS-SHOOT-009", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_010 = Rule::error("OS-SHOOT-010", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_011 = Rule::error("OS-SHOOT-011", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_012 = Rule::error("OS-SHOOT-012", SHOOT, Both).summary("x").why("x").fix("x");
    SHOOT_013 = Rule::error("OS-SHOOT-013", SHOOT, Both).summary("x").why("x").fix("x");
}
