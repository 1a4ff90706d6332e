//! User data: what a machine runs when it starts for the first time.

use super::Pool;
use crate::call::{FactAnswer, Query};
use crate::gardener::types::secret::{Secret, Values};
use crate::kube::query;
use crate::policy::WorkersRequest;
use crate::text::base64;

/// What is known of the user data of a pool. It has no `Debug`, so that no message can show user data.
pub enum UserData {
    /// The user data, in base64.
    Found(String),
    /// Nobody has looked it up: the query of its Secret.
    Unknown(Query),
    /// There is none: why.
    Missing(String),
}

/// Looks up the user data of a pool in the facts of a request.
pub fn user_data(request: &WorkersRequest<'_>, namespace: &str, pool: &Pool<'_>) -> UserData {
    let reference = pool.user_data_secret_ref;
    if reference.name.is_empty() || reference.key.is_empty() {
        let lacks = if reference.name.is_empty() { "a name" } else { "a key" };
        return UserData::Missing(format!("the userDataSecretRef of worker pool {} lacks {lacks}", pool.name));
    }
    let query = query::object("v1", "Secret", namespace, reference.name);
    let failed = |why: &str| {
        let message = "failed fetching user data secret";
        UserData::Missing(format!("{message} {} referenced in worker pool {}: {why}", reference.name, pool.name))
    };
    let object = match request.fact(&query) {
        None => return UserData::Unknown(query),
        Some(FactAnswer::Error { message, .. }) => return failed(message),
        Some(FactAnswer::Response(object)) => object,
    };
    let secret = match Secret::read(object) {
        Ok(secret) => secret,
        Err(error) => return failed(&error.to_string()),
    };
    let values = match Values::of(&secret) {
        Ok(values) => values,
        Err(error) => return failed(&error.to_string()),
    };
    match values.get(reference.key).filter(|value| !value.is_empty()) {
        Some(value) => UserData::Found(base64::encode(value)),
        None => UserData::Missing(format!(
            "user data secret {} for worker pool {} has no {} field or it's empty",
            reference.name, pool.name, reference.key
        )),
    }
}
