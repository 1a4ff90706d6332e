//! Fields that Gardener removed, and what stands in their place.

/// The pointer to a field of a Shoot, and what a person does instead.
const REMOVED: [(&str, &str); 5] = [
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
];

/// What a person does instead of setting the removed field at a pointer into a Shoot; none for a field that was never there.
pub fn replacement(pointer: &str) -> Option<&'static str> {
    REMOVED.iter().find(|(removed, _)| *removed == pointer).map(|(_, instead)| *instead)
}
