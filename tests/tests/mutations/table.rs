//! Objects a case each.

use serde_json::{Value, json};
use trellis_tests::mutations::mutate;
