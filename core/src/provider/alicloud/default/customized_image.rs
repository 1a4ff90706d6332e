//! Whether the image of a worker pool is a customized one: the account's own or shared with it, not one of
//! Alibaba Cloud's. Only disks of such images can be encrypted.

use crate::decode::{DecodeError, Mode, Typed, decode};
use crate::gardener::capabilities::{limit_definitions, limit_flavors, limit_machine};
use crate::gardener::cloud_profile::CloudProfileSpec;
use crate::gardener::shoot::{Shoot, Worker};
use crate::gardener::{Metadata, kind_of};
use crate::names::NameMap;
use crate::policy::{FactAnswer, Query, Refusal, Request};
use crate::provider::alicloud::api::{CloudProfileConfig, Config};
use crate::provider::alicloud::images::{ImageIndex, Machine, Wanted};
use crate::provider::alicloud::queries;
use crate::report::quote;

/// Most bytes of the image ids of all worker pools, each with its region: each pool's query holds them.
const MAX_QUERIES: usize = 1 << 20;

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
    let region = shoot.spec.region;
    let mut machines = NameMap::new();
    for machine in &spec.machine_types {
        machines.or_insert_with(machine.name, || {
            Machine::of(machine.name, &machine.capabilities, &spec.machine_capabilities)
        });
    }
    let images = ImageIndex::of(config, &spec.machine_capabilities, region);
    let mut profile = Offers { name, has_capabilities: !spec.machine_capabilities.is_empty(), machines, images };
    let mut asked = 0;
    workers
        .map(|(position, worker)| {
            let place = format!("/spec/provider/workers/{position}/machine");
            let Some(id) = profile.image_id(worker, &place)? else {
                let why = "the image is chosen on submit, and with it whether its disk is encrypted";
                return Ok((position, worker.name, unknown(why)));
            };
            asked += id.len() + region.len();
            if asked > MAX_QUERIES {
                let what = "the list of the image ids of all worker pools, each with its region,";
                return Err(Refusal::TooMany { what, count: asked, unit: "bytes", limit: MAX_QUERIES });
            }
            Ok((position, worker.name, judge(request, shoot, id, &place)?))
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
    for machine in &spec.machine_types {
        limit_machine(&machine.capabilities)?;
    }
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

/// A profile, indexed for many worker pools.
struct Offers<'c, 'r> {
    name: &'c str,
    has_capabilities: bool,
    machines: NameMap<'r, Machine<'c, 'r>>,
    images: ImageIndex<'c, 'r>,
}

impl<'r> Offers<'_, 'r> {
    /// The id of a worker pool's image, which may be empty; none where the pool does not say which image it wants.
    fn image_id(&mut self, worker: &Worker<'r>, place: &str) -> Result<Option<&'r str>, Refusal> {
        let Some((name, version)) = worker.machine.image.and_then(|image| Some((image.name, image.version?)))
        else {
            return Ok(None);
        };
        let wanted = Wanted { name, version };
        let id = if self.has_capabilities {
            let name = worker.machine.machine_type;
            let Some(machine) = self.machines.get(name) else {
                let message =
                    format!("machine type {} not found in cloud profile {}", quote(name), quote(self.name));
                return Err(deny(message, format!("{place}/type")));
            };
            self.images.by_capabilities(wanted, machine)
        } else {
            self.images.by_region(wanted)
        };
        id.map(Some).map_err(|error| deny(error.to_string(), format!("{place}/image")))
    }
}

fn judge(request: &Request<'_>, shoot: &Shoot<'_>, id: &str, place: &str) -> Result<Image, Refusal> {
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
