//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    ADV_001 = Rule::warning("OS-ADV-001", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_002 = Rule::warning("OS-ADV-002", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_003 = Rule::warning("OS-ADV-003", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_004 = Rule::warning("OS-ADV-004", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_005 = Rule::warning("OS-ADV-005", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_006 = Rule::warning("OS-ADV-006", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_007 = Rule::warning("OS-ADV-007", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_008 = Rule::warning("OS-ADV-008", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_009 = Rule::warning("OS-ADV-009", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_010 = Rule::warning("OS-ADV-010", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_011 = Rule::warning("OS-ADV-011", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_012 = Rule::warning("OS-ADV-012", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_013 = Rule::warning("OS-ADV-013", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_014 = Rule::warning("OS-ADV-014", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_015 = Rule::warning("OS-ADV-015", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_016 = Rule::warning("OS-ADV-016", SHOOT, Both).summary("x").why("x").fix("x");
    ADV_017 = Rule::warning("OS-ADV-017", SHOOT, Both).summary("x").why("x").fix("x");
}
