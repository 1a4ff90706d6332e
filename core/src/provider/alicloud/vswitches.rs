//! What the facts of a request tell of the VSwitches of an existing VPC.

use super::queries::{self, VSwitch};
use super::rules::shoot as rules;
use crate::call::{FactAnswer, Query};
use crate::policy::{Request, RequestError};
use crate::report::Rule;

/// What the facts tell of the VSwitches of a VPC.
#[derive(Debug)]
pub enum VSwitches<'r> {
    /// All of them.
    Known(Vec<VSwitch<'r>>),
    /// Nobody could list them: the rule that this breaks, and what the finding says.
    Failed(&'static Rule, String),
    /// Nobody has listed them yet.
    Unknown(Query),
}

/// Reads the VSwitches of a VPC from the facts of a request.
pub fn vswitches<'r>(request: &Request<'r>, region: &str, vpc: &str) -> Result<VSwitches<'r>, RequestError> {
    let query = queries::vswitches(region, vpc);
    Ok(match request.fact(&query) {
        Some(FactAnswer::Response(response)) => VSwitches::Known(queries::vswitches_in(&query, response)?),
        Some(FactAnswer::Error { code, message, .. }) => match code {
            queries::CREDENTIALS_UNAVAILABLE => {
                VSwitches::Failed(&rules::SHOOT_009, format!("could not get Alicloud credentials: {message}"))
            }
            queries::CLIENT_UNAVAILABLE => {
                VSwitches::Failed(&rules::SHOOT_010, format!("could not create Alicloud client: {message}"))
            }
            _ => VSwitches::Failed(&rules::SHOOT_011, format!("could not list vswitches in VPC {vpc}: {message}")),
        },
        None => VSwitches::Unknown(query),
    })
}
