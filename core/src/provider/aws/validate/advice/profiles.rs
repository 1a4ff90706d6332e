//! Advice on CloudProfiles and NamespacedCloudProfiles.

use crate::gardener::images::{KnownRegions, MAPPINGS, MappedImage, Mapping, each_region};
use crate::gardener::types::cloud_profile::CloudProfile;
use crate::provider::aws::rules::profile_advice as rules;
use crate::report::{Report, Severity};

/// Looks at a CloudProfile, whose configuration maps `images`.
pub fn cloud_profile<'v>(
    profile: &CloudProfile<'v>,
    images: &[MappedImage<'v, Mapping<'_, 'v>>],
    report: &mut Report<'_>,
) {
    let mut known = KnownRegions::of(profile, &rules::ADV_031);
    known.check_images(images, &MAPPINGS);
    known.report(report);
    amis(images, report);
}

/// Looks for ids that are none of an AMI.
pub fn amis<'v>(images: &[MappedImage<'v, Mapping<'_, 'v>>], report: &mut Report<'_>) {
    each_region(images, &MAPPINGS, |image, path| {
        if !image.id.is_empty() && !is_ami(image.id) && !report.is_full(Severity::Warning) {
            let detail = format!("{} is no id of an AMI", image.id);
            report.warn(&rules::ADV_032, &path.key("ami"), detail);
        }
    });
}

/// Whether a text has the form of an AMI's id: `ami-` and 8 or 17 hexadecimal digits.
fn is_ami(id: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    id.strip_prefix("ami-").is_some_and(|digits| matches!(digits.len(), 8 | 17) && digits.bytes().all(is_digit))
}

#[cfg(test)]
mod tests {
    use super::is_ami;

    #[test]
    fn an_ami_has_eight_or_seventeen_digits() {
        for (id, expected) in [
            ("ami-034fd8c3f4026eb39", true),
            ("ami-1a2b3c4d", true),
            ("ami-1a2b3c4", false),
            ("ami-034FD8C3F4026EB39", false),
            ("ami-zzzzzzzz", false),
            ("AMI-1a2b3c4d", false),
            ("", false),
        ] {
            assert_eq!(is_ami(id), expected, "{id}");
        }
    }
}
