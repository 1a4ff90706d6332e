//! What the plug-in `ShootMutator` fills in when a Shoot is submitted (MUT).

use super::network::{self, Seed};
use super::submission::{Offer, Submission};
use super::{architecture, image, tasks, version};
use crate::call::Known;
use crate::document::Value;
use crate::gardener::shoot::named_profile;
use crate::gardener::types::cloud_profile::offering;
use crate::gardener::types::shoot::Shoot;
use crate::policy::{CORE, Defaulted, Request, RequestError, read};
use crate::provider::gardener::fields;
use crate::provider::gardener::garden::Garden;
use crate::provider::gardener::rules::default as rules;

/// Fills in what the plug-in fills in.
pub fn default<'r>(
    request: &Request<'r>,
    garden: Garden,
    old: Option<&Value<'r>>,
    defaulted: Defaulted<'r>,
) -> Result<Defaulted<'r>, RequestError> {
    let shoot: Shoot<'_> = read(request.object)?;
    let has_name = shoot.spec.cloud_profile_name.is_some_and(|name| !name.is_empty());
    if old.is_none() && has_name && shoot.spec.cloud_profile.is_some() {
        let message = "new shoot can only specify either cloudProfileName or cloudProfile reference";
        return Err(RequestError::denied(&rules::MUT_000, message, "/spec/cloudProfileName"));
    }
    // The plug-in leaves the requests of the scheduler, and those about the status, alone.
    if request.context("subresource").is_some() || !has_name && shoot.spec.cloud_profile.is_none() {
        return Ok(defaulted);
    }
    let profile = match named_profile(request, &shoot) {
        Known::Found(profile) => match offering(profile) {
            Some(offer) => Offer::Known(offer),
            None => Offer::Open(None),
        },
        Known::Unknown(query) => Offer::Open(Some(query)),
        // The API server refuses the Shoot; `validate` says so.
        Known::Failed(_) => return Ok(defaulted),
    };
    let seed = match fields::text(request.object, &["spec", "seedName"]) {
        "" => None,
        name => match request.object(CORE, "Seed", "", name) {
            Known::Found(seed) => Some(Seed::Known(seed)),
            Known::Unknown(query) => Some(Seed::Open(query)),
            Known::Failed(_) => return Ok(defaulted),
        },
    };
    let mut submission =
        Submission { defaulted, garden, old, profile, now: request.now()?, is_ahead: request.is_ahead() };
    tasks::default(&mut submission);
    if old.is_none() {
        tasks::rotation(&mut submission.defaulted);
    }
    if let Some(seed) = seed {
        network::default(&seed, &mut submission.defaulted);
    }
    version::default(&mut submission);
    if garden.is_from(149) {
        architecture::default(&mut submission);
    }
    image::default(&mut submission);
    Ok(submission.defaulted)
}
