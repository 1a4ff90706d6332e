//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    SEC_001 = Rule::error("OS-SEC-001", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_002 = Rule::error("OS-SEC-002", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_003 = Rule::error("OS-SEC-003", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_004 = Rule::error("OS-SEC-004", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_005 = Rule::error("OS-SEC-005", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_006 = Rule::error("OS-SEC-006", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_007 = Rule::error("OS-SEC-007", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_008 = Rule::error("OS-SEC-008", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_009 = Rule::error("OS-SEC-009", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_010 = Rule::error("OS-SEC-010", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_011 = Rule::error("OS-SEC-011", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_012 = Rule::error("OS-SEC-012", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_013 = Rule::error("OS-SEC-013", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_014 = Rule::error("OS-SEC-014", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_015 = Rule::error("OS-SEC-015", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_016 = Rule::error("OS-SEC-016", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_017 = Rule::error("OS-SEC-017", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_018 = Rule::error("OS-SEC-018", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_019 = Rule::error("OS-SEC-019", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_020 = Rule::error("OS-SEC-020", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_021 = Rule::error("OS-SEC-021", SHOOT, Both).summary("x").why("x").fix("x");
    SEC_022 = Rule::error("OS-SEC-022", SHOOT, Both).summary("x").why("x").fix("x");
    CRED_001 = Rule::error("OS-CRED-001", SHOOT, Both).summary("x").why("x").fix("x");
    CRED_002 = Rule::error("OS-CRED-002", SHOOT, Both).summary("x").why("x").fix("x");
    CRED_003 = Rule::error("OS-CRED-003", SHOOT, Both).summary("x").why("x").fix("x");
    CRED_004 = Rule::error("OS-CRED-004", SHOOT, Both).summary("x").why("x").fix("x");
}
