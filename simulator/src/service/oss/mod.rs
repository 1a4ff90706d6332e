//! Buckets and their objects.
//!
//! OSS is REST with XML; [`crate::oss`] turns its requests into calls of these actions. A parameter is named as it
//! is on the wire: `bucket` and `key` of the address, a name of the query, of a header, or of an element under the
//! root of an XML body, where `.` stands between an element and one within it. Of an answer's fields, a record is
//! the XML body with that root, and every other is a header.

pub mod acl;
pub mod buckets;
mod conditions;
pub mod content;
pub mod copies;
pub mod encryption;
pub mod errors;
pub mod lifecycle;
pub mod listing;
pub mod multipart;
pub mod objects;
pub mod removal;
pub mod tagging;
pub mod uploads;
pub mod worm;

use jiff::Timestamp;

use crate::action::{Call, CloudError, Form, Parameter, Rule, Service, TEXT, optional, required};
use crate::world::World;
use crate::world::oss::Bucket;
use acl::Permission;
use errors::{ACCESS_DENIED, INVALID_BUCKET_NAME, INVALID_OBJECT_NAME, NO_SUCH_BUCKET};

/// The service.
pub const SERVICE: Service = Service {
    name: "Oss",
    version: "2019-05-17",
    code: "oss",
    actions: &[
        buckets::ACTIONS,
        acl::ACTIONS,
        encryption::ACTIONS,
        lifecycle::ACTIONS,
        worm::ACTIONS,
        listing::ACTIONS,
        objects::ACTIONS,
        removal::ACTIONS,
        copies::ACTIONS,
        tagging::ACTIONS,
        multipart::ACTIONS,
        uploads::ACTIONS,
    ],
    quotas: &[&buckets::QUOTA, &content::QUOTA, &content::COUNT_QUOTA],
};

/// The name of a parameter, and of a field of an answer, that holds the elements which an action leaves out, as XML.
/// An action without it refuses them.
pub const KEPT: &str = "*";

/// The bucket.
const BUCKET: Parameter = required(
    "bucket",
    Form::Text(&Rule {
        what: "3 to 63 lower-case letters, digits and hyphens, neither beginning nor ending with a hyphen",
        check: |name| {
            (3..=63).contains(&name.len())
                && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
                && !name.starts_with('-')
                && !name.ends_with('-')
        },
    }),
)
.malformed(&INVALID_BUCKET_NAME);

/// The name of an object.
const NAME: Form = Form::Text(&Rule {
    what: "1 to 1023 bytes that do not begin with a slash or a backslash",
    check: |name| (1..=1023).contains(&name.len()) && !name.starts_with(['/', '\\']),
});
/// The object.
const KEY: Parameter = required("key", NAME).malformed(&INVALID_OBJECT_NAME);
/// The region of the endpoint, where the host of the request names one: another than the bucket's is refused.
const ENDPOINT: Parameter = optional("endpoint", TEXT);

/// The public endpoint of a region.
fn endpoint(region: &str) -> String {
    format!("oss-{region}.aliyuncs.com")
}

/// The account that has the bucket of a call, if the caller has a permission on the bucket.
fn owner(world: &World, call: &Call<'_>, want: Permission) -> Result<String, CloudError> {
    let name = call.text("bucket");
    let (owner, bucket) = world
        .accounts()
        .find_map(|(account, has)| Some((account, has.oss.buckets.get(name)?)))
        .ok_or_else(|| CloudError::from(&NO_SUCH_BUCKET).with("BucketName", name))?;
    if owner != call.caller.account && !bucket.acl.gives(want) {
        return Err((&ACCESS_DENIED).into());
    }
    if call.given("endpoint").is_some_and(|region| region != bucket.region) {
        return Err(ACCESS_DENIED
            .because(
                "The bucket you are attempting to access must be addressed using the specified endpoint. Please \
                 send all future requests to this endpoint.",
            )
            .with("Endpoint", endpoint(&bucket.region)));
    }
    Ok(owner.to_owned())
}

/// The bucket of a call.
fn bucket<'a>(world: &'a World, call: &Call<'_>, want: Permission) -> Result<&'a Bucket, CloudError> {
    let owner = owner(world, call, want)?;
    let mut accounts = world.accounts().filter(|(account, _)| *account == owner);
    accounts
        .find_map(|(_, account)| account.oss.buckets.get(call.text("bucket")))
        .ok_or_else(|| (&NO_SUCH_BUCKET).into())
}

/// The bucket of a call, to be changed.
fn bucket_mut<'a>(world: &'a mut World, call: &Call<'_>, want: Permission) -> Result<&'a mut Bucket, CloudError> {
    let owner = owner(world, call, want)?;
    let buckets = &mut world.account_mut(&owner).oss.buckets;
    buckets.get_mut(call.text("bucket")).ok_or_else(|| (&NO_SUCH_BUCKET).into())
}

/// A time as it stands in XML, such as `2026-01-02T03:04:05.000Z`.
fn instant(time: Timestamp) -> String {
    time.strftime("%Y-%m-%dT%H:%M:%S.000Z").to_string()
}

/// A time as it stands in headers, such as `Fri, 02 Jan 2026 03:04:05 GMT`.
fn date(time: Timestamp) -> String {
    time.strftime("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

#[cfg(test)]
mod testing;
