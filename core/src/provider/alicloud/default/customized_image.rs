//! Whether the image of a worker pool is a customized one: the account owns it, or somebody shares it with the
//! account. Alibaba Cloud encrypts disks of customized images only, and not those of its own images.

use crate::call::{FactAnswer, Query};
use crate::gardener::images::{OfferError, Offers, RequestedImage};
use crate::gardener::types::shoot::Shoot;
use crate::gardener::types::worker::Worker;
use crate::policy::{Request, RequestError};
use crate::provider::alicloud::image_mapping::Profile;
use crate::provider::alicloud::queries;
use crate::provider::alicloud::rules::defaults as rules;

/// Most bytes of the image ids of all worker pools, each with its region. The query of each pool holds both.
const MAX_QUERIES: usize = 1 << 20;

/// Who owns an image, as far as the request says.
pub enum Image {
    /// The image is a customized one.
    Customized,
    /// Alibaba Cloud owns the image.
    System,
    /// The request does not say.
    Unknown {
        /// What is missing.
        why: String,
        /// The query that would show it.
        query: Option<Query>,
    },
}

fn unknown(why: &str) -> Image {
    Image::Unknown { why: why.to_owned(), query: None }
}

fn deny(message: impl Into<String>, pointer: impl Into<String>) -> RequestError {
    RequestError::denied(&rules::DEF_009, message, pointer)
}

/// Reports for each worker pool, given with its index, whether its image is a customized one.
pub fn customized_images<'r>(
    request: &Request<'r>,
    shoot: &Shoot<'r>,
    workers: &[(usize, &Worker<'r>)],
) -> Result<Vec<(usize, &'r str, Image)>, RequestError> {
    let mut images = Vec::with_capacity(workers.len());
    if workers.is_empty() {
        return Ok(images);
    }
    let profile = match read_profile(request)? {
        Ok(profile) => profile,
        Err(why) => {
            for (position, worker) in workers {
                images.push((*position, worker.name, unknown(why)));
            }
            return Ok(images);
        }
    };
    let region = shoot.spec.region;
    let mut offers = profile.offers(region);
    let mut asked = 0;
    for (position, worker) in workers {
        let place = format!("/spec/provider/workers/{position}/machine");
        let image = if let Some(id) = image_id(&mut offers, worker, &place)? {
            asked += id.len() + region.len();
            if asked > MAX_QUERIES {
                let what = "the list of the image ids of all worker pools, each with its region,";
                return Err(RequestError::TooMany { what, count: asked, unit: "bytes", limit: MAX_QUERIES });
            }
            judge(request, shoot, id, &place)?
        } else {
            unknown("the image is chosen on submit, and with it whether its disk is encrypted")
        };
        images.push((*position, worker.name, image));
    }
    Ok(images)
}

fn read_profile<'r>(request: &Request<'r>) -> Result<Result<Profile<'r>, &'static str>, RequestError> {
    let Some(profile) = request.context("cloudProfile") else {
        return Ok(Err("the CloudProfile is not known here; on submit it says which image is used"));
    };
    let profile = Profile::read(profile, &rules::DEF_009)?;
    Ok(profile.ok_or("the CloudProfile is known here without image ids; on submit it says which image is used"))
}

/// The id of a worker pool's image, which may be empty; none where the pool names no image with a version.
fn image_id<'r>(
    offers: &mut Offers<'_, 'r>,
    worker: &Worker<'r>,
    place: &str,
) -> Result<Option<&'r str>, RequestError> {
    let Some((name, version)) = worker.machine.image.and_then(|image| Some((image.name, image.version?))) else {
        return Ok(None);
    };
    let id = offers.image_id(RequestedImage { name, version }, worker.machine.machine_type);
    id.map(Some).map_err(|error| {
        let member = match error {
            OfferError::MachineType { .. } => "type",
            OfferError::Image(_) => "image",
        };
        deny(error.to_string(), format!("{place}/{member}"))
    })
}

fn judge(request: &Request<'_>, shoot: &Shoot<'_>, id: &str, place: &str) -> Result<Image, RequestError> {
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
