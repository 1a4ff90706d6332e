//! The rules of a cloud on the images of its profiles.

use super::mapping::MappingRules;
use super::mismatch::MismatchWords;
use super::missing::MissingWords;
use super::regions::RegionRules;
use crate::report::Rule;

/// The rules on images of profiles, in a cloud whose images have an id in each region, and what differs between such clouds.
#[derive(Debug)]
pub struct ImageRules {
    /// What every mapping has.
    pub mapping: MappingRules,
    /// How a version lists its images.
    pub regions: RegionRules,
    /// What a CloudProfile offers is mapped.
    pub missing: MissingWords,
    /// The parent of a NamespacedCloudProfile is a CloudProfile.
    pub parent_kind: &'static Rule,
    /// The parent of a NamespacedCloudProfile can be read.
    pub parent: &'static Rule,
    /// What a NamespacedCloudProfile offers is mapped, and nothing else.
    pub mismatch: MismatchWords,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::document::Path;
    use crate::gardener::images::OneForm;
    use crate::report::Operation::Both;

    static TOY: Rule = Rule::error("TOY-001", &["CloudProfile"], Both);

    /// The rules of a cloud whose images are all for amd64.
    pub(in crate::gardener::images) const RULES: ImageRules = ImageRules {
        mapping: MappingRules {
            place: Path::root("images", "/images"),
            name: &TOY,
            versions: &TOY,
            version: &TOY,
            name_of: str::to_owned,
        },
        regions: RegionRules {
            one_form: OneForm { rule: &TOY, key: None, detail: "" },
            capabilities: &TOY,
            regions: Some(&TOY),
            region: &TOY,
            id: &TOY,
            id_key: "id",
            id_missing: "",
            architectures: None,
            flavors: &TOY,
        },
        missing: |missing, _| (&TOY, missing.to_string()),
        parent_kind: &TOY,
        parent: &TOY,
        mismatch: |mismatch| (&TOY, mismatch.to_string()),
    };
}
