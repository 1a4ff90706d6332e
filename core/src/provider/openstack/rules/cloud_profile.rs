//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    CPROF_001 = Rule::error("OS-CPROF-001", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_002 = Rule::error("OS-CPROF-002", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_003 = Rule::error("OS-CPROF-003", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_004 = Rule::error("OS-CPROF-004", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_005 = Rule::error("OS-CPROF-005", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_006 = Rule::error("OS-CPROF-006", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_007 = Rule::error("OS-CPROF-007", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_008 = Rule::error("OS-CPROF-008", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_009 = Rule::error("OS-CPROF-009", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_010 = Rule::error("OS-CPROF-010", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_011 = Rule::error("OS-CPROF-011", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_012 = Rule::error("OS-CPROF-012", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_013 = Rule::error("OS-CPROF-013", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_014 = Rule::error("OS-CPROF-014", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_015 = Rule::error("OS-CPROF-015", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_016 = Rule::error("OS-CPROF-016", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_017 = Rule::error("OS-CPROF-017", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_018 = Rule::error("OS-CPROF-018", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_019 = Rule::error("OS-CPROF-019", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_020 = Rule::error("OS-CPROF-020", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_021 = Rule::error("OS-CPROF-021", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_022 = Rule::error("OS-CPROF-022", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_023 = Rule::error("OS-CPROF-023", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_024 = Rule::error("OS-CPROF-024", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_025 = Rule::error("OS-CPROF-025", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_026 = Rule::error("OS-CPROF-026", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_027 = Rule::error("OS-CPROF-027", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_028 = Rule::error("OS-CPROF-028", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_029 = Rule::error("OS-CPROF-029", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_030 = Rule::error("OS-CPROF-030", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_031 = Rule::error("OS-CPROF-031", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_032 = Rule::error("OS-CPROF-032", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_033 = Rule::error("OS-CPROF-033", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_034 = Rule::error("OS-CPROF-034", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_035 = Rule::error("OS-CPROF-035", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_036 = Rule::error("OS-CPROF-036", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_037 = Rule::error("OS-CPROF-037", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_038 = Rule::error("OS-CPROF-038", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_039 = Rule::error("OS-CPROF-039", SHOOT, Both).summary("x").why("x").fix("x");
    CPROF_040 = Rule::error("OS-CPROF-040", SHOOT, Both).summary("x").why("x").fix("x");
}
