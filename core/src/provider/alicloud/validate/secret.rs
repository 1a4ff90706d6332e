//! Secrets with an access key (ALI-SEC).

use std::borrow::Cow;

use super::advice;
use crate::document::decode::DecodeError;
use crate::gardener::credentials::{Secret, Values};
use crate::policy::{Request, RequestError, wrong_old_type, wrong_type};
use crate::provider::alicloud::credentials::validate;
use crate::report::Report;

/// Judges a Secret. One whose data did not change is accepted as it is.
pub fn secret(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), RequestError> {
    let malformed = |error: DecodeError| wrong_type(&error);
    let secret = Secret::read(request.object).map_err(malformed)?;
    let values = Values::of(&secret).map_err(malformed)?;
    if let Some(old) = request.old_object {
        let old = Secret::read(old).map_err(|error| wrong_old_type(&error))?;
        if Values::of(&old).map_err(|error| wrong_old_type(&error))?.same(&values) {
            return Ok(());
        }
    }
    let place = |key: &str| -> Cow<'static, str> { secret.pointer(key).into() };
    validate(&secret, &values, place, report);
    advice::secret(&values, place, report);
    Ok(())
}
