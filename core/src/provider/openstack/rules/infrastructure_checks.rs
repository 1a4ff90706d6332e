//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    CFGV_001 = Rule::error("OS-CFGV-001", SHOOT, Both).summary("x").why("x").fix("x");
    CFGV_002 = Rule::error("OS-CFGV-002", SHOOT, Both).summary("x").why("x").fix("x");
    CFGV_003 = Rule::error("OS-CFGV-003", SHOOT, Both).summary("x").why("x").fix("x");
    CFGV_004 = Rule::error("OS-CFGV-004", SHOOT, Both).summary("x").why("x").fix("x");
    CFGV_005 = Rule::error("OS-CFGV-005", SHOOT, Both).summary("x").why("x").fix("x");
}
