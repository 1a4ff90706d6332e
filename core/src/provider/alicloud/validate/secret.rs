//! Secrets with an access key (ALI-SEC).

use std::borrow::Cow;

use super::advice;
use crate::gardener::credentials::Secret;
use crate::gardener::{read, read_old};
use crate::policy::{Refusal, Request};
use crate::provider::alicloud::credentials::{Values, validate};
use crate::report::{Path, Report};

/// Judges a Secret. One whose data did not change is accepted as it is.
pub fn secret(request: &Request<'_>, report: &mut Report<'_>) -> Result<(), Refusal> {
    let secret: Secret<'_> = read(request.object)?;
    let values = Values::of(&secret)?;
    if let Some(old) = request.old_object {
        let old: Secret<'_> = read_old(old)?;
        if Values::of(&old)?.same(&values) {
            return Ok(());
        }
    }
    let place = |key: &str| -> Cow<'static, str> {
        let member = if secret.string_data.contains_key(key) { "/stringData" } else { "/data" };
        Path::root("", member).key(key).pointer().into()
    };
    validate(&secret, &values, place, report);
    advice::secret(&values, place, report);
    Ok(())
}
