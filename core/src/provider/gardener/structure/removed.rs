//! Fields that Gardener removed, and what stands in their place.

/// The pointer to a field of a Shoot, with `*` for any entry of a list, and what a person does instead.
const REMOVED: [(&str, &str); 8] = [
    (
        "/spec/kubernetes/allowPrivilegedContainers",
        "Remove the field: PodSecurity admission decides which containers are privileged.",
    ),
    (
        "/spec/kubernetes/enableStaticTokenKubeconfig",
        "Remove the field: get a kubeconfig from the Shoot's `adminkubeconfig` or `viewerkubeconfig` subresource.",
    ),
    (
        "/spec/kubernetes/kubeAPIServer/enableBasicAuthentication",
        "Remove the field: Kubernetes has no basic authentication.",
    ),
    (
        "/spec/kubernetes/kubeAPIServer/oidcConfig",
        "Remove the field, and name a ConfigMap with an AuthenticationConfiguration in `structuredAuthentication.configMapName`.",
    ),
    (
        "/spec/kubernetes/kubelet/imagePullProgressDeadline",
        "Remove the field: it was for Docker as container runtime.",
    ),
    (
        "/spec/kubernetes/kubeAPIServer/serviceAccountConfig/signingKeySecretName",
        "Remove the field: Gardener makes the key itself.",
    ),
    ("/spec/kubernetes/kubelet/systemReserved", SYSTEM_RESERVED),
    ("/spec/provider/workers/*/kubernetes/kubelet/systemReserved", SYSTEM_RESERVED),
];

const SYSTEM_RESERVED: &str = "Remove the field, and reserve what it reserved in `kubeReserved` too.";

/// What a person does instead of setting the removed field at a pointer into a Shoot; none for a field that was
/// never there.
pub fn replacement(pointer: &str) -> Option<&'static str> {
    REMOVED.iter().find(|(removed, _)| is_at(removed, pointer)).map(|(_, instead)| *instead)
}

/// Whether a pointer leads to a place, in which `*` stands for any entry of a list.
pub fn is_at(place: &str, pointer: &str) -> bool {
    let mut tokens = pointer.split('/');
    place.split('/').all(|token| tokens.next().is_some_and(|own| own == token || token == "*"))
        && tokens.next().is_none()
}
