//! The images of worker pools, and those in use (`alicloud-policy` 5.1 to 5.3).

use crate::document::{JsonText, Value};
use crate::gardener::images::{OfferError, Offers, RequestedImage};
use crate::gardener::types::capabilities::{AMD64, ARCHITECTURE, Capabilities, Definition};
use crate::gardener::worker::Pool;
use crate::provider::alicloud::api::{API_VERSION, MachineImage};
use crate::provider::alicloud::image_mapping::{Profile, capabilities_of};

/// Looks for the images of pools, and keeps what it found.
pub struct Images<'c, 'r> {
    region: &'r str,
    profile: Option<&'c Profile<'r>>,
    offers: Option<Offers<'c, 'r>>,
    /// The capabilities that the CloudProfile defines.
    definitions: &'c [Definition<'r>],
    /// The images in the status of the infrastructure.
    known: &'c [MachineImage<'r>],
    used: Vec<MachineImage<'r>>,
}

impl<'c, 'r> Images<'c, 'r> {
    /// The images of a CloudProfile in a region, where there is one, and of the status of an infrastructure.
    pub fn of(profile: Option<&'c Profile<'r>>, known: &'c [MachineImage<'r>], region: &'r str) -> Self {
        Self {
            region,
            profile,
            offers: profile.map(|profile| profile.offers(region)),
            definitions: profile.map(|profile| profile.spec.machine_capabilities.as_slice()).unwrap_or_default(),
            known,
            used: Vec::new(),
        }
    }

    /// Whether there is a CloudProfile that maps images.
    pub fn has_profile(&self) -> bool {
        self.profile.is_some()
    }

    /// The id of the image of a pool. The error is what the existing extension says.
    pub fn find(&mut self, pool: &Pool<'r>) -> Result<&'r str, String> {
        let encrypted = pool.volume.is_some_and(|volume| volume.encrypted == Some(true));
        let offered = if encrypted { None } else { self.offered(pool)? };
        let Some(image) = offered.or_else(|| self.in_status(pool, encrypted)) else {
            return Err(missing(pool, encrypted));
        };
        let id = image.id;
        self.use_image(image);
        Ok(id)
    }

    /// The image that the CloudProfile offers; none where it offers none. A machine type that the CloudProfile
    /// lacks is an error.
    fn offered(&mut self, pool: &Pool<'r>) -> Result<Option<MachineImage<'r>>, String> {
        let (Some(offers), Some(profile)) = (&mut self.offers, self.profile) else { return Ok(None) };
        let (name, version) = (pool.machine_image.name, pool.machine_image.version);
        let id = match offers.image_id(RequestedImage { name, version }, pool.machine_type) {
            Ok("") | Err(OfferError::Image(_)) => return Ok(None),
            Err(OfferError::MachineType(unknown)) => return Err(unknown.to_string()),
            Ok(id) => id,
        };
        let capabilities = if self.definitions.is_empty() {
            Capabilities::default()
        } else {
            capabilities_of(&profile.config, [name, version, self.region, id])
        };
        Ok(Some(MachineImage { name, version, id, encrypted: Some(false), capabilities }))
    }

    /// The image of that name and version in the status of the infrastructure.
    fn in_status(&self, pool: &Pool<'r>, encrypted: bool) -> Option<MachineImage<'r>> {
        let image = self.known.iter().find(|known| {
            (known.encrypted == Some(true), known.version, known.name)
                == (encrypted, pool.machine_image.version, pool.machine_image.name)
        })?;
        Some(self.uniform(image.clone()))
    }

    /// An image with capabilities where the CloudProfile defines some, and without where it does not.
    fn uniform(&self, mut image: MachineImage<'r>) -> MachineImage<'r> {
        if self.definitions.is_empty() {
            image.capabilities = Capabilities::default();
        } else if image.capabilities.is_empty() {
            image.capabilities = Capabilities::from([(ARCHITECTURE, vec![AMD64])]);
        }
        image
    }

    /// Takes up an image among those in use, unless it is there.
    fn use_image(&mut self, image: MachineImage<'r>) {
        let is_known = self.used.iter().any(|used| {
            (used.encrypted == Some(true), used.version, used.name)
                == (image.encrypted == Some(true), image.version, image.name)
                && self.definitions.iter().all(|definition| {
                    let [one, other] = [used, &image].map(|image| image.capabilities.get(definition.name));
                    one.unwrap_or(&definition.values) == other.unwrap_or(&definition.values)
                })
        });
        if !is_known {
            // The existing extension makes the images of its list uniform before it appends the next one.
            let used = std::mem::take(&mut self.used);
            self.used = used.into_iter().map(|used| self.uniform(used)).collect();
            self.used.push(image);
        }
    }

    /// `status.providerStatus` of the Worker.
    pub fn status(&self) -> JsonText {
        let images = self.used.iter().map(member).collect();
        JsonText::from(&Value::object([
            ("apiVersion", Value::string(API_VERSION)),
            ("kind", Value::string("WorkerStatus")),
            ("machineImages", Value::Array(images)),
        ]))
    }
}

fn missing(pool: &Pool<'_>, encrypted: bool) -> String {
    let (name, version) = (pool.machine_image.name, pool.machine_image.version);
    let kind = if encrypted { "encrypted" } else { "unencrypted" };
    format!(
        "could not find machine image for {name}/{version}/{kind} neither in cloud profile nor in worker status"
    )
}

/// An image as a member of a status.
fn member<'r>(image: &MachineImage<'r>) -> Value<'r> {
    let mut members = vec![
        ("name".into(), Value::string(image.name)),
        ("version".into(), Value::string(image.version)),
        ("id".into(), Value::string(image.id)),
    ];
    if let Some(encrypted) = image.encrypted {
        members.push(("encrypted".into(), Value::Bool(encrypted)));
    }
    if !image.capabilities.is_empty() {
        let values = |list: &[_]| Value::Array(list.iter().copied().map(Value::string).collect());
        let capabilities = image.capabilities.iter().map(|(name, list)| (name.into(), values(list))).collect();
        members.push(("capabilities".into(), Value::Object(capabilities)));
    }
    Value::Object(members)
}
