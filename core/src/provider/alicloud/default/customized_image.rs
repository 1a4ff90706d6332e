//! Whether the image of a worker pool is a customized one: the account's own or shared with it, not one of
//! Alibaba Cloud's. Only disks of such images can be encrypted.

use crate::decode::{DecodeError, Mode, Typed, decode};
use crate::gardener::capabilities::{limit_definitions, limit_flavors};
use crate::gardener::cloud_profile::CloudProfileSpec;
use crate::gardener::shoot::{Shoot, Worker};
use crate::gardener::{Metadata, kind_of};
use crate::policy::{FactAnswer, Query, Refusal, Request};
use crate::provider::alicloud::api::{CloudProfileConfig, Config};
use crate::provider::alicloud::images::{ImageIndex, Wanted};
use crate::provider::alicloud::queries;
use crate::report::quote;

/// What is known of an image.
pub enum Image {
    /// It is a customized one.
    Customized,
    /// It is one of Alibaba Cloud's.
    System,
    /// Nobody here knows.
    Unknown {
        /// What is missing.
        why: String,
        /// What to ask.
        query: Option<Query>,
    },
}

fn unknown(why: &str) -> Image {
    Image::Unknown { why: why.to_owned(), query: None }
}

fn deny(message: impl Into<String>, pointer: impl Into<String>) -> Refusal {
    Refusal::Denied { message: message.into(), pointer: pointer.into() }
}

/// Tells for each worker pool, given with its index, whether its image is a customized one.
pub fn customized_images<'p, 'r: 'p>(
    request: &Request<'r>,
    shoot: &Shoot<'r>,
    workers: impl Iterator<Item = (usize, &'p Worker<'r>)>,
) -> Result<Vec<(usize, &'r str, Image)>, Refusal> {
    let mut workers = workers.peekable();
    if workers.peek().is_none() {
        return Ok(Vec::new());
    }
    let profile = match read_profile(request)? {
        Ok(profile) => profile,
        Err(why) => return Ok(workers.map(|(index, worker)| (index, worker.name, unknown(why))).collect()),
    };
    let (spec, name, config) = &profile;
    let index = ImageIndex::of(config);
    workers
        .map(|(position, worker)| {
            let image = judge(request, shoot, spec, name, &index, (position, worker))?;
            Ok((position, worker.name, image))
        })
        .collect()
}

/// What a profile offers, its name, and the provider's mapping.
type Profile<'r> = (CloudProfileSpec<'r>, &'r str, CloudProfileConfig<'r>);

fn read_profile<'r>(request: &Request<'r>) -> Result<Result<Profile<'r>, &'static str>, Refusal> {
    let Some(profile) = request.context("cloudProfile") else {
        return Ok(Err("the CloudProfile is not known here; on submit it tells which image is used"));
    };
    // Of a NamespacedCloudProfile, the merged result counts.
    let spec = match kind_of(profile).0 {
        "NamespacedCloudProfile" => profile.at(&["status", "cloudProfileSpec"]),
        _ => profile.get("spec"),
    };
    let Some((spec, config)) = spec.and_then(|spec| Some((spec, spec.get("providerConfig")?))) else {
        return Ok(Err(
            "the CloudProfile is known here without image ids; on submit it tells which image is used",
        ));
    };
    let in_profile = |error: DecodeError| Refusal::Malformed {
        message: format!("context.cloudProfile: {error}"),
        pointer: None,
    };
    let spec: CloudProfileSpec<'r> = decode(spec, Mode::Lenient).map_err(in_profile)?;
    limit_definitions(&spec.machine_capabilities)?;
    let metadata: Metadata<'r> = match profile.get("metadata") {
        Some(metadata) => decode(metadata, Mode::Lenient).map_err(in_profile)?,
        None => Metadata::default(),
    };
    let config = CloudProfileConfig::read_typed(config, Mode::Strict, Typed::ByVersion).map_err(|error| {
        let of = format!("{}/{}", metadata.namespace, metadata.name);
        deny(
            format!("could not decode providerConfig of cloudProfile for '{of}': {error}"),
            "/spec/cloudProfileName",
        )
    })?;
    for version in config.machine_images.iter().flat_map(|image| &image.versions) {
        limit_flavors(version.capability_flavors.len())?;
    }
    Ok(Ok((spec, metadata.name, config)))
}

fn judge<'r>(
    request: &Request<'r>,
    shoot: &Shoot<'r>,
    profile: &CloudProfileSpec<'r>,
    profile_name: &str,
    images: &ImageIndex<'_, 'r>,
    (position, worker): (usize, &Worker<'r>),
) -> Result<Image, Refusal> {
    let Some((name, version)) = worker.machine.image.and_then(|image| Some((image.name, image.version?))) else {
        return Ok(unknown("the image is chosen on submit, and with it whether its disk is encrypted"));
    };
    let wanted = Wanted { name, version, region: shoot.spec.region };
    let place = format!("/spec/provider/workers/{position}/machine");
    let id = if profile.machine_capabilities.is_empty() {
        images.by_region(wanted)
    } else {
        let machine_type = worker.machine.machine_type;
        let Some(machine) = profile.machine_types.iter().find(|machine| machine.name == machine_type) else {
            let (machine_type, profile) = (quote(machine_type), quote(profile_name));
            let message = format!("machine type {machine_type} not found in cloud profile {profile}");
            return Err(deny(message, format!("{place}/type")));
        };
        images.by_capabilities(wanted, &machine.capabilities, &profile.machine_capabilities)
    };
    let id = id.map_err(|error| deny(error.to_string(), format!("{place}/image")))?;
    if id.is_empty() {
        return Ok(Image::System);
    }
    if shoot.spec.secret_binding_name.is_none() && shoot.spec.credentials_binding_name.is_none() {
        let message = "secretBindingName and credentialsBindingName cannot be both nil";
        return Err(deny(message, "/spec/credentialsBindingName"));
    }
    let query = queries::image(shoot.spec.region, id);
    match request.fact(&query) {
        Some(FactAnswer::Response(response)) => {
            let system = queries::is_system_image(&query, response)?;
            Ok(if system { Image::System } else { Image::Customized })
        }
        Some(FactAnswer::Error { message, .. }) => Err(deny(message, format!("{place}/image"))),
        None => {
            let why = format!("whether image {id} is a customized one is asked of Alibaba Cloud on submit");
            Ok(Image::Unknown { why, query: Some(query) })
        }
    }
}
