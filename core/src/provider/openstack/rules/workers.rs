//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    WRK_001 = Rule::error("OS-WRK-001", SHOOT, Both).summary("x").why("x").fix("x");
    WRK_002 = Rule::error("OS-WRK-002", SHOOT, Both).summary("x").why("x").fix("x");
    WRK_003 = Rule::error("OS-WRK-003", SHOOT, Both).summary("x").why("x").fix("x");
    WRK_004 = Rule::error("OS-WRK-004", SHOOT, Both).summary("x").why("x").fix("x");
    WRKU_001 = Rule::error("OS-WRKU-001", SHOOT, Both).summary("x").why("x").fix("x");
    WRKU_002 = Rule::error("OS-WRKU-002", SHOOT, Both).summary("x").why("x").fix("x");
    WRKU_003 = Rule::error("OS-WRKU-003", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_001 = Rule::error("OS-WRKC-001", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_002 = Rule::error("OS-WRKC-002", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_003 = Rule::error("OS-WRKC-003", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_004 = Rule::error("OS-WRKC-004", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_005 = Rule::error("OS-WRKC-005", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_006 = Rule::error("OS-WRKC-006", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_007 = Rule::error("OS-WRKC-007", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_008 = Rule::error("OS-WRKC-008", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_009 = Rule::error("OS-WRKC-009", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_010 = Rule::error("OS-WRKC-010", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_011 = Rule::error("OS-WRKC-011", SHOOT, Both).summary("x").why("x").fix("x");
    WRKC_012 = Rule::error("OS-WRKC-012", SHOOT, Both).summary("x").why("x").fix("x");
}
