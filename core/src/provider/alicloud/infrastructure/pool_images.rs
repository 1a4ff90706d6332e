//! The machine images of a Shoot's worker pools (`alicloud-policy` 5.2 and 5.3, `alicloud-cloud` 2.8).

#[cfg(test)]
mod tests;

use crate::document::Value;

use crate::gardener::images::{Definitions, ImageError, OfferError, Offers, RequestedImage};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE, Capabilities};
use crate::gardener::types::shoot::Shoot;
use crate::plan::recorded_value;
use crate::policy::{PlanSubject, RequestError, State, read};
use crate::provider::alicloud::api::CloudProfileConfig;
use crate::provider::alicloud::image_mapping::{Profile, capabilities_of};
use crate::provider::alicloud::rules::defaults;

/// How the keys of the state begin that hold ids of encrypted copies.
pub const RECORDED: &str = "EncryptedImages/";

/// The images of all worker pools, each once.
#[derive(Debug, Default)]
pub struct PoolImages<'r> {
    /// Images that exist or that a plan can create, in the order of the worker pools.
    pub images: Vec<PoolImage<'r>>,
    /// Worker pools without a known image.
    pub missing: Vec<MissingImage>,
}

/// An image that a worker pool needs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PoolImage<'r> {
    /// Logical name.
    pub name: &'r str,
    /// Logical version.
    pub version: &'r str,
    /// Id of the image as the CloudProfile names it; empty where only its encrypted copy is known.
    pub source: &'r str,
    /// Whether the worker pool needs an encrypted copy.
    pub encrypted: bool,
    /// Id of the encrypted copy, where it is known: recorded, or in the status of the Infrastructure.
    pub copy: Option<String>,
    /// Whether the owner has to share the image with the account of the Shoot, where that account does not see it.
    /// An image with a known copy needs no sharing.
    pub share: bool,
    /// What the image offers, where the CloudProfile defines capabilities.
    pub capabilities: Option<Capabilities<'r>>,
}

/// A worker pool without a known image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MissingImage {
    /// Index of the worker pool in the Shoot.
    pub worker: usize,
    /// What is missing, as the existing extension words it.
    pub detail: String,
}

impl PoolImage<'_> {
    /// Key of the state that holds the id of the encrypted copy.
    pub fn key(&self) -> String {
        format!("{}{}", self.key_prefix(), self.source)
    }

    /// How the keys of all encrypted copies of this name and version begin.
    fn key_prefix(&self) -> String {
        format!("{RECORDED}{}/{}/", self.name, self.version)
    }

    /// Whether two images have the same name and version and are both encrypted, or both not.
    fn is_called(&self, other: &Self) -> bool {
        (self.encrypted, self.version, self.name) == (other.encrypted, other.version, other.name)
    }

    /// Name of the stack of ROS that makes the encrypted copy.
    pub fn stack(&self, region: &str) -> String {
        format!("encrypt_image_{}_{}_{region}_{}", self.name, self.version, self.source).replace('.', "-")
    }

    /// Name of the encrypted copy.
    pub fn destination(&self, region: &str) -> String {
        format!("{}-{}-{region}-{}-encrypted", self.name, self.version, self.source)
    }

    /// Description of the encrypted copy.
    pub fn description(&self) -> String {
        format!("copied from image {}", self.source)
    }

    /// What is wrong where Alibaba Cloud owns the image: nobody can encrypt such an image.
    pub fn owned_by_alibaba_cloud(&self) -> String {
        let Self { name, version, source, .. } = self;
        format!(
            "image ({name}-{version}/{source}) is owned by AliCloud. An encrypted image can't be created from this \
             image for the shoot"
        )
    }

    /// Id of the image that nodes get, where that image exists already.
    pub fn id(&self) -> Option<&str> {
        if self.encrypted { self.copy.as_deref() } else { Some(self.source) }
    }
}

/// The images that the worker pools of the Shoot need; none where the request has no Shoot, or no CloudProfile
/// with ids of images. A worker pool that does not name an image gets one when the Shoot is submitted.
pub fn wanted<'r>(request: &PlanSubject<'r>, state: &State) -> Result<PoolImages<'r>, RequestError> {
    Ok(of_workers(request, state)?.unwrap_or_default())
}

fn of_workers<'r>(request: &PlanSubject<'r>, state: &State) -> Result<Option<PoolImages<'r>>, RequestError> {
    let profile =
        request.cloud_profile.map(|profile| Profile::read(profile, &defaults::DEF_009)).transpose()?.flatten();
    let (Some(shoot), Some(profile)) = (request.shoot, profile) else { return Ok(None) };
    let shoot: Shoot<'r> = read(shoot)?;
    let definitions = Definitions::new(&profile.spec.machine_capabilities)?;
    let mut search = Search {
        region: request.region(),
        offers: profile.offers(request.region()),
        config: &profile.config,
        keys: CapabilityKeys(&definitions),
        known: Vec::new(),
        state,
    };
    search.known =
        of_status(request).into_iter().map(|known| (search.keys.of(known.capabilities.as_ref()), known)).collect();
    let to_be_shared =
        request.configuration.and_then(|it| it.get("toBeSharedImageIDs")).map(Value::items).unwrap_or_default();
    let mut missing = Vec::new();
    let mut images: Vec<(String, PoolImage<'r>)> = Vec::new();
    for (worker, pool) in shoot.spec.provider.workers.iter().enumerate() {
        let Some((name, version)) = pool.machine.image.and_then(|image| Some((image.name, image.version?))) else {
            continue;
        };
        let encrypted = pool.volume.is_some_and(|volume| volume.encrypted == Some(true));
        let image = PoolImage { name, version, encrypted, ..PoolImage::default() };
        match search.find(image, pool.machine.machine_type) {
            Ok(mut image) => {
                image.share =
                    image.copy.is_none() && to_be_shared.iter().any(|id| id.as_str() == Some(image.source));
                let key = search.keys.of(image.capabilities.as_ref());
                if !images.iter().any(|(known, other)| other.is_called(&image) && *known == key) {
                    images.push((key, image));
                }
            }
            Err(error) => missing.push(MissingImage { worker, detail: error.to_string() }),
        }
    }
    Ok(Some(PoolImages { images: images.into_iter().map(|(_, image)| image).collect(), missing }))
}

/// Makes texts of capabilities, which are equal where images offer the same.
struct CapabilityKeys<'d, 'r>(&'d Definitions<'d, 'r>);

impl<'r> CapabilityKeys<'_, 'r> {
    /// The text of capabilities. An image without capabilities is for amd64.
    fn of(&self, capabilities: Option<&Capabilities<'r>>) -> String {
        if self.0.is_empty() { String::new() } else { self.0.normalize(capabilities.unwrap_or(&amd64())) }
    }
}

/// Looks for images in the CloudProfile, the status and the state.
struct Search<'c, 'r> {
    region: &'r str,
    offers: Offers<'c, 'r>,
    config: &'c CloudProfileConfig<'r>,
    keys: CapabilityKeys<'c, 'r>,
    /// Images in the status, each with the text of its capabilities.
    known: Vec<(String, StatusImage<'r>)>,
    state: &'c State,
}

impl<'r> Search<'_, 'r> {
    /// Finds the image of a name and a version, and its encrypted copy where the worker pool needs one.
    fn find(&mut self, mut image: PoolImage<'r>, machine_type: &str) -> Result<PoolImage<'r>, OfferError> {
        let PoolImage { name, version, encrypted, .. } = image;
        let has_capabilities = !self.keys.0.is_empty();
        let mut key = None;
        let offered = self.offers.image_id(RequestedImage { name, version }, machine_type).and_then(|id| {
            let unknown = || ImageError::NotMapped { name: name.to_owned(), version: version.to_owned() };
            if id.is_empty() { Err(unknown().into()) } else { Ok(id) }
        });
        if let Ok(source) = offered {
            image.source = source;
            image.capabilities =
                has_capabilities.then(|| capabilities_of(self.config, [name, version, self.region, source]));
            key = Some(self.keys.of(image.capabilities.as_ref()));
        } else if let Some(known) = self.in_status(&PoolImage { encrypted: false, ..image.clone() }, None) {
            image.source = known.id;
            image.capabilities.clone_from(&known.capabilities);
        }
        if encrypted {
            let kept = self.in_status(&image, key.as_deref());
            let id = self.recorded_copy(&image, key.is_some() && has_capabilities).or(kept.map(|known| known.id));
            image.copy = id.map(str::to_owned);
            let offers = image.capabilities.take().or_else(|| kept.and_then(|known| known.capabilities.clone()));
            image.capabilities = offers;
        }
        if !has_capabilities {
            image.capabilities = None;
        }
        match offered {
            Err(error) if image.source.is_empty() && image.copy.is_none() => Err(error),
            _ => Ok(image),
        }
    }

    /// The image of that name and version in the status. Where `like` says what it must offer, one that offers
    /// the same.
    fn in_status(&self, image: &PoolImage<'r>, like: Option<&str>) -> Option<&StatusImage<'r>> {
        let is = |(key, known): &&(String, StatusImage<'r>)| {
            (known.encrypted, known.version, known.name) == (image.encrypted, image.version, image.name)
                && like.is_none_or(|like| like == key)
        };
        self.known.iter().find(is).map(|(_, known)| known)
    }

    /// Id of the encrypted copy that a plan has created: of the same source, else, where only name and version
    /// distinguish copies, of any source.
    fn recorded_copy(&self, image: &PoolImage<'_>, same_source: bool) -> Option<&str> {
        let prefix = image.key_prefix();
        let mut copies = self.state.iter().filter(|(key, _)| key.starts_with(&prefix));
        let mut any = || copies.find_map(|(key, _)| recorded_value(self.state, key));
        let exact = recorded_value(self.state, &image.key());
        exact.or_else(|| if same_source { None } else { any() })
    }
}

/// The capabilities of an image that lists none.
fn amd64<'r>() -> Capabilities<'r> {
    Capabilities::from([(ARCHITECTURE, vec![AMD64])])
}

/// An image in the status of an Infrastructure.
#[derive(Debug)]
struct StatusImage<'r> {
    name: &'r str,
    version: &'r str,
    id: &'r str,
    encrypted: bool,
    capabilities: Option<Capabilities<'r>>,
}

/// The images in the status of a request's Infrastructure.
fn of_status<'r>(request: &PlanSubject<'r>) -> Vec<StatusImage<'r>> {
    let Some(images) = request.object.and_then(images_in) else { return Vec::new() };
    let read = |image: &'r Value<'r>| {
        let text = |key| image.get(key).and_then(Value::as_str).filter(|text| !text.is_empty());
        let capabilities = match image.get("capabilities") {
            Some(Value::Object(members)) if !members.is_empty() => {
                let values = |values: &'r Value<'r>| values.items().iter().filter_map(Value::as_str).collect();
                Some(members.iter().map(|(name, list)| (name.as_ref(), values(list))).collect())
            }
            _ => None,
        };
        Some(StatusImage {
            name: text("name")?,
            version: text("version")?,
            id: text("id")?,
            encrypted: image.get("encrypted") == Some(&Value::Bool(true)),
            capabilities,
        })
    };
    images.items().iter().filter_map(read).collect()
}

/// The list of images in the status of an Infrastructure.
fn images_in<'r>(infrastructure: &'r Value<'r>) -> Option<&'r Value<'r>> {
    infrastructure.at(&["status", "providerStatus", "machineImages"])
}

/// What goes into `machineImages` of the status: the images that exist and that worker pools use. Where the
/// request does not list the worker pools, the images of the present status stay.
pub fn status<'r>(request: &PlanSubject<'r>, state: &State) -> Result<Vec<Value<'r>>, RequestError> {
    Ok(match of_workers(request, state)? {
        Some(wanted) => wanted.images.into_iter().filter_map(member).collect(),
        None => request.object.and_then(images_in).map(Value::items).unwrap_or_default().to_vec(),
    })
}

/// An image as a member of the status.
fn member(image: PoolImage<'_>) -> Option<Value<'_>> {
    let id = Value::string(image.id()?.to_owned());
    let mut members = vec![
        ("name".into(), Value::string(image.name)),
        ("version".into(), Value::string(image.version)),
        ("id".into(), id),
    ];
    // The existing extension reports an image that is not encrypted only together with capabilities.
    if image.encrypted || image.capabilities.is_some() {
        members.push(("encrypted".into(), Value::Bool(image.encrypted)));
    }
    if let Some(capabilities) = image.capabilities {
        let values = |list: &[_]| Value::Array(list.iter().copied().map(Value::string).collect());
        let capabilities = capabilities.iter().map(|(name, list)| (name.into(), values(list))).collect();
        members.push(("capabilities".into(), Value::Object(capabilities)));
    }
    Some(Value::Object(members))
}
