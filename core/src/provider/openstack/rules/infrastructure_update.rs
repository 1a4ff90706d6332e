//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    INFU_001 = Rule::error("OS-INFU-001", SHOOT, Both).summary("x").why("x").fix("x");
    INFU_002 = Rule::error("OS-INFU-002", SHOOT, Both).summary("x").why("x").fix("x");
    INFU_003 = Rule::error("OS-INFU-003", SHOOT, Both).summary("x").why("x").fix("x");
    INFU_004 = Rule::error("OS-INFU-004", SHOOT, Both).summary("x").why("x").fix("x");
    INFU_005 = Rule::error("OS-INFU-005", SHOOT, Both).summary("x").why("x").fix("x");
    INFU_006 = Rule::error("OS-INFU-006", SHOOT, Both).summary("x").why("x").fix("x");
    INFU_007 = Rule::error("OS-INFU-007", SHOOT, Both).summary("x").why("x").fix("x");
    INFU_008 = Rule::error("OS-INFU-008", SHOOT, Both).summary("x").why("x").fix("x");
    INFU_009 = Rule::error("OS-INFU-009", SHOOT, Both).summary("x").why("x").fix("x");
}
