//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    INF_001 = Rule::error("OS-INF-001", SHOOT, Both).summary("x").why("x").fix("x");
    INF_002 = Rule::error("OS-INF-002", SHOOT, Both).summary("x").why("x").fix("x");
    INF_003 = Rule::error("OS-INF-003", SHOOT, Both).summary("x").why("x").fix("x");
    INF_004 = Rule::error("OS-INF-004", SHOOT, Both).summary("x").why("x").fix("x");
    INF_005 = Rule::error("OS-INF-005", SHOOT, Both).summary("x").why("x").fix("x");
    INF_006 = Rule::error("OS-INF-006", SHOOT, Both).summary("x").why("x").fix("x");
    INF_007 = Rule::error("OS-INF-007", SHOOT, Both).summary("x").why("x").fix("x");
    INF_008 = Rule::error("OS-INF-008", SHOOT, Both).summary("x").why("x").fix("x");
    INF_009 = Rule::error("OS-INF-009", SHOOT, Both).summary("x").why("x").fix("x");
    INF_010 = Rule::error("OS-INF-010", SHOOT, Both).summary("x").why("x").fix("x");
    INF_011 = Rule::error("OS-INF-011", SHOOT, Both).summary("x").why("x").fix("x");
    INF_012 = Rule::error("OS-INF-012", SHOOT, Both).summary("x").why("x").fix("x");
    INF_013 = Rule::error("OS-INF-013", SHOOT, Both).summary("x").why("x").fix("x");
    INF_014 = Rule::error("OS-INF-014", SHOOT, Both).summary("x").why("x").fix("x");
    INF_015 = Rule::error("OS-INF-015", SHOOT, Both).summary("x").why("x").fix("x");
    INF_016 = Rule::error("OS-INF-016", SHOOT, Both).summary("x").why("x").fix("x");
    INF_017 = Rule::error("OS-INF-017", SHOOT, Both).summary("x").why("x").fix("x");
    INF_018 = Rule::error("OS-INF-018", SHOOT, Both).summary("x").why("x").fix("x");
    INF_019 = Rule::error("OS-INF-019", SHOOT, Both).summary("x").why("x").fix("x");
    INF_020 = Rule::error("OS-INF-020", SHOOT, Both).summary("x").why("x").fix("x");
    INF_021 = Rule::error("OS-INF-021", SHOOT, Both).summary("x").why("x").fix("x");
}
