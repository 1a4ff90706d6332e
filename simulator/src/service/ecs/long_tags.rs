//! Tags as most answers of this service have them.

use crate::action::{Shape, field, items, record};

/// How tags stand in the answers of this service: `Tags.Tag[]` with `TagKey` and `TagValue`.
pub(super) const LONG_TAGS: Shape =
    record(&[field("Tag", items(&record(&[field("TagKey", Shape::Text), field("TagValue", Shape::Text)])))]);
