//! The VSwitches of a VPC that the person brings.

use super::queries::{self, VSwitch};
use super::rules::shoot as rules;
use crate::call::{FactAnswer, Known};
use crate::policy::{Request, RequestError};
use crate::report::Rule;

/// What is known of the VSwitches of a VPC; a failure comes with the rule that reports it.
pub type VSwitches<'r> = Known<Vec<VSwitch<'r>>, (&'static Rule, String)>;

/// Reads the VSwitches of a VPC from the fact of a request.
pub fn vswitches<'r>(request: &Request<'r>, region: &str, vpc: &str) -> Result<VSwitches<'r>, RequestError> {
    let query = queries::vswitches(region, vpc);
    Ok(match request.fact(&query) {
        Some(FactAnswer::Response(response)) => Known::Found(queries::vswitches_in(&query, response)?),
        Some(FactAnswer::Error { code, message, .. }) => Known::Failed(match code {
            queries::CREDENTIALS_UNAVAILABLE => {
                (&rules::SHOOT_009, format!("could not get Alicloud credentials: {message}"))
            }
            queries::CLIENT_UNAVAILABLE => {
                (&rules::SHOOT_010, format!("could not create Alicloud client: {message}"))
            }
            _ => (&rules::SHOOT_011, format!("could not list vswitches in VPC {vpc}: {message}")),
        }),
        None => Known::Unknown(query),
    })
}
