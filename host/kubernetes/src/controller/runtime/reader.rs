//! Reads objects of Kubernetes for a policy.

use serde_json::Value;

use crate::api_server::objects::Objects;
use crate::api_server::requests::WriteError;
use crate::controller::runtime::granted::Granted;
use trellis_runner::call::CallFailure;
use trellis_runner::run::reads::Read;
use trellis_runner::run::world::Reader;
use trellis_runner::state::object::ApiError;

/// Reads the objects that are granted to a policy from an API server.
#[derive(Debug)]
pub struct GrantedReader {
    /// The objects of the API server.
    pub objects: Objects,
    /// What is granted.
    pub granted: &'static Granted,
}

impl Reader for GrantedReader {
    async fn get(&self, read: &Read) -> Result<Option<Value>, CallFailure> {
        let failure = |code: &str, message: String, http_status: u16| CallFailure {
            code: code.to_owned(),
            message,
            http_status,
            ..CallFailure::default()
        };
        let of = self.granted.read(read).map_err(|error| failure("Refused", error.to_string(), 403))?;
        let namespace = read.namespace.as_deref().unwrap_or_default();
        match self.objects.get(of, namespace, &read.name).await {
            Ok(found) => Ok(found),
            Err(WriteError::Api(ApiError::Refused { status, message })) => {
                Err(failure("Refused", message, status))
            }
            Err(error) => Err(failure("ApiServer", error.to_string(), 503)),
        }
    }
}
