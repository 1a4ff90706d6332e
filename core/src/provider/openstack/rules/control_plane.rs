//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    CPC_001 = Rule::error("OS-CPC-001", SHOOT, Both).summary("x").why("x").fix("x");
    CPC_002 = Rule::error("OS-CPC-002", SHOOT, Both).summary("x").why("x").fix("x");
    CPC_003 = Rule::error("OS-CPC-003", SHOOT, Both).summary("x").why("x").fix("x");
    CPC_004 = Rule::error("OS-CPC-004", SHOOT, Both).summary("x").why("x").fix("x");
    CPC_005 = Rule::error("OS-CPC-005", SHOOT, Both).summary("x").why("x").fix("x");
    CPCP_001 = Rule::error("OS-CPCP-001", SHOOT, Both).summary("x").why("x").fix("x");
    CPCP_002 = Rule::error("OS-CPCP-002", SHOOT, Both).summary("x").why("x").fix("x");
    CPCP_003 = Rule::error("OS-CPCP-003", SHOOT, Both).summary("x").why("x").fix("x");
    CPCP_004 = Rule::error("OS-CPCP-004", SHOOT, Both).summary("x").why("x").fix("x");
}
