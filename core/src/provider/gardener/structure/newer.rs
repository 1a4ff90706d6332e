//! Fields that not all releases of Gardener have that the policy knows.

use super::removed::is_at;
use crate::document::Path;
use crate::provider::gardener::garden::Garden;

/// The kind of object, the pointer to a field, with `*` for any entry of a list, and the minor version of Gardener
/// that brought it.
const NEWER: [(&str, &str, u64); 13] = [
    ("CloudProfile", "/spec/controlPlane", 150),
    ("NamespacedCloudProfile", "/status/cloudProfileSpec/controlPlane", 150),
    ("Seed", "/spec/settings/persistentVolumeClaimAutoscaler", 145),
    ("Seed", "/status/constraints", 150),
    ("Shoot", "/spec/controlPlane/zones", 150),
    ("Shoot", "/spec/kubernetes/clusterAutoscaler/autoscaling", 147),
    ("Shoot", "/spec/kubernetes/kubeAPIServer/tlsMinVersion", 149),
    ("Shoot", "/spec/kubernetes/kubelet/imagePullCredentialsVerificationPolicy", 149),
    ("Shoot", "/spec/kubernetes/kubelet/preloadedImagesVerificationAllowlist", 149),
    ("Shoot", "/spec/provider/workers/*/kubernetes/kubelet/imagePullCredentialsVerificationPolicy", 149),
    ("Shoot", "/spec/provider/workers/*/kubernetes/kubelet/preloadedImagesVerificationAllowlist", 149),
    ("Shoot", "/spec/provider/workers/*/machineControllerManager/autoPreserveFailedMachineMax", 147),
    ("Shoot", "/spec/provider/workers/*/machineControllerManager/machinePreserveTimeout", 147),
];

/// The minor version of Gardener that brought a field which the garden does not have yet.
pub fn brought_later(garden: Garden, kind: &str, key: &str, path: &Path<'_>) -> Option<u64> {
    let is_named = |place: &str| place.rsplit('/').next() == Some(key);
    let later =
        NEWER.iter().filter(|(of, place, minor)| *of == kind && !garden.is_from(*minor) && is_named(place));
    later.filter(|(_, place, _)| is_at(place, &path.pointer())).map(|(_, _, minor)| *minor).next()
}

#[cfg(test)]
mod tests {
    use super::NEWER;
    use crate::provider::gardener::structure::{Type, field, fields_of};

    #[test]
    fn each_is_a_field_of_the_table() {
        for (kind, place, _) in NEWER {
            let (parents, key) = place.rsplit_once('/').unwrap();
            let parents = parents.split('/').skip(1).filter(|key| *key != "*");
            let fields = parents.fold(fields_of(kind), |fields, key| match field(fields, key) {
                Some(Type::Object(fields) | Type::List(Type::Object(fields))) => fields,
                other => panic!("{place}: {other:?}"),
            });
            assert!(field(fields, key).is_some(), "{place}");
        }
    }
}
