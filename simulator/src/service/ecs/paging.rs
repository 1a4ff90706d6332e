//! Pages by `NextToken` and `MaxResults`, or by `PageNumber` and `PageSize`.

use serde_json::{Map, Value, json};

use crate::action::{Call, CloudError, ErrorCode, Field, Shape, field, page, slice, start};

/// The token is none that the action gave.
pub(super) const BAD_TOKEN: ErrorCode =
    ErrorCode::new(400, "InvalidParameter.NextToken", "The specified parameter NextToken is not valid.");

/// How many rows a page has that is asked for without a size.
const USUAL: i64 = 10;

/// The fields of a page, next to the list.
pub(super) const TOTAL: Field = field("TotalCount", Shape::Integer);
pub(super) const NUMBER: Field = field("PageNumber", Shape::Integer);
pub(super) const SIZE: Field = field("PageSize", Shape::Integer);
pub(super) const TOKEN: Field = field("NextToken", Shape::Text);

/// The page that is asked for in one way or the other, the rows as `<list>: {<item>: [...]}`.
///
/// A call with neither gets the first page, and a token to go on with. Sizes beyond `sizes` are taken as the
/// nearest.
pub(super) fn pages<T>(
    call: &Call<'_>,
    sizes: std::ops::RangeInclusive<i64>,
    (list, item): (&str, &str),
    rows: Vec<T>,
    mut answer: impl FnMut(T) -> Value,
) -> Result<Value, CloudError> {
    let by_number = call.has("PageNumber") || call.has("PageSize");
    let by_token = call.has("NextToken") || call.has("MaxResults");
    if by_number && !by_token {
        return Ok(page(call, rows.into_iter(), answer).answer(list, item));
    }
    let most = call.integer("MaxResults").unwrap_or(USUAL).clamp(*sizes.start(), *sizes.end());
    let start = start(call, &BAD_TOKEN)?;
    let (rows, total, token) = slice(call, start, usize::try_from(most).unwrap_or_default(), rows);
    let rows: Vec<Value> = rows.into_iter().map(&mut answer).collect();
    let mut answer = Map::new();
    if !by_token {
        answer.insert("PageNumber".to_owned(), json!(1));
        answer.insert("PageSize".to_owned(), json!(most));
    }
    answer.insert("TotalCount".to_owned(), json!(total));
    answer.insert("NextToken".to_owned(), json!(token.unwrap_or_default()));
    answer.insert(list.to_owned(), json!({ item: rows }));
    Ok(Value::Object(answer))
}
