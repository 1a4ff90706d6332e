//! Rules.

use crate::report::{Operation::Both, Rule};
use crate::rules;

use super::SHOOT;

rules! {
    SEED_001 = Rule::error("OS-SEED-001", SHOOT, Both).summary("x").why("x").fix("x");
    BUCKET_001 = Rule::error("OS-BUCKET-001", SHOOT, Both).summary("x").why("x").fix("x");
}
