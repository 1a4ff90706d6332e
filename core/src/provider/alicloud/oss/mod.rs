//! What the plans of buckets and of what they hold have in common: how OSS is asked, and how objects are deleted a page
//! at a time (`alicloud-cloud` 4.1, 4.2, B.1, B.2).

mod bucket;
mod lifecycle;
mod listing;
mod retention;
mod sweep;
#[cfg(test)]
pub mod testing;

pub use bucket::{Answer, Bucket, api, name_fault, region_fault};
pub use lifecycle::{AbortRule, Rule, abort_rule, aborts, is_abort_rule, put_rules, rules, rules_query};
pub use listing::{Uploads, uploads};
pub use retention::{Retention, RetentionState, retention, retention_query};
pub use sweep::{LEFT, MARKER, PASS, Place, Sweep, finish, observe};
