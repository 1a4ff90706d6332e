//! What a request wants of a BackupEntry. The form of the object is checked before the first call.

use crate::document::Path;
use crate::gardener::planning::errors::Errors;
use crate::policy::PlanSubject;
use crate::provider::alicloud::oss::{Bucket, name_fault, region_fault};
use crate::provider::alicloud::rules::backup_entry_plan as rules;
use crate::report::{ErrorType, Report};

/// What the name of an entry begins with while a control plane moves: the copy names the same objects in the bucket of
/// the other seed.
const SOURCE: &str = "source-";

/// What is wanted.
#[derive(Clone, Debug)]
pub struct Input<'r> {
    /// The request.
    pub request: PlanSubject<'r>,
    /// The bucket.
    pub bucket: Bucket<'r>,
    /// What the keys of the objects begin with, with its `/`.
    pub prefix: String,
}

impl<'r> Input<'r> {
    /// Reads a request.
    pub fn read(request: &PlanSubject<'r>) -> Result<Self, Errors> {
        let object = request.document();
        let name = object.text_at(&["metadata", "name"]);
        let bucket = object.text_at(&["spec", "bucketName"]);
        let plain = name.strip_prefix(SOURCE).unwrap_or(name);
        let mut report = Report::new(object);
        let faults = [
            ("metadata.name", "/metadata/name", entry_fault(plain)),
            ("spec.bucketName", "/spec/bucketName", name_fault(bucket)),
            ("spec.region", "/spec/region", region_fault(request.region())),
        ];
        for (field, pointer, fault) in faults {
            if let Some(fault) = fault {
                report.error(&rules::ENT_001, &Path::root(field, pointer), ErrorType::Invalid, fault);
            }
        }
        let (findings, _) = report.into_parts();
        if !findings.is_empty() {
            return Err(Errors::unreadable(findings));
        }
        Ok(Self {
            request: *request,
            bucket: Bucket { region: request.region(), name: bucket, unreadable: &rules::ENT_002 },
            prefix: [plain, "/"].concat(),
        })
    }
}

/// What is wrong with the name of an entry, without what the name of a copy begins with; `None` where it may be one.
fn entry_fault(name: &str) -> Option<&'static str> {
    let is_part = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"-.".contains(&byte);
    let has_both = name.rsplit_once("--").is_some_and(|(id, uid)| !id.is_empty() && !uid.is_empty());
    let is_name = has_both && name.bytes().all(is_part);
    (!is_name).then_some("must be `<technical id>--<uid>`, of lower case letters, digits, `-` and `.`")
}
