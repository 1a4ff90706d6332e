//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    DEF_001 = Rule::default("OS-DEF-001", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_002 = Rule::default("OS-DEF-002", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_003 = Rule::default("OS-DEF-003", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_004 = Rule::default("OS-DEF-004", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_005 = Rule::default("OS-DEF-005", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_006 = Rule::default("OS-DEF-006", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_007 = Rule::default("OS-DEF-007", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_008 = Rule::default("OS-DEF-008", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_009 = Rule::default("OS-DEF-009", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_010 = Rule::default("OS-DEF-010", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_011 = Rule::default("OS-DEF-011", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_012 = Rule::default("OS-DEF-012", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_020 = Rule::default("OS-DEF-020", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_021 = Rule::default("OS-DEF-021", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_022 = Rule::default("OS-DEF-022", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_023 = Rule::default("OS-DEF-023", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_030 = Rule::default("OS-DEF-030", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_031 = Rule::default("OS-DEF-031", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_032 = Rule::default("OS-DEF-032", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_033 = Rule::default("OS-DEF-033", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_034 = Rule::default("OS-DEF-034", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_035 = Rule::default("OS-DEF-035", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_040 = Rule::default("OS-DEF-040", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_041 = Rule::default("OS-DEF-041", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_042 = Rule::default("OS-DEF-042", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_043 = Rule::default("OS-DEF-043", SHOOT, Both).summary("x").why("x").fix("x");
    DEF_044 = Rule::default("OS-DEF-044", SHOOT, Both).summary("x").why("x").fix("x");
}
