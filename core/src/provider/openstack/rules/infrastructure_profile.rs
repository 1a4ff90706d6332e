//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    INFCP_001 = Rule::error("OS-INFCP-001", SHOOT, Both).summary("x").why("x").fix("x");
}
