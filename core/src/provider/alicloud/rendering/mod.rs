//! The control plane of a Shoot on Alibaba Cloud (`alicloud-manifests` 1 to 6, `alicloud-policy` 5.7).

mod credentials;
mod digests;
pub(super) mod status;
pub(super) mod templates;
mod values;

use crate::document::decode::{DecodeError, Mode, Typed};
use crate::document::{Value, write};
use crate::gardener::rendering::{
    CertificateAuthority, ControlPlaneDraft, ControlPlaneParts, ControlPlanes, Delivery, corrections,
    feature_gates, pod_network, shoot_access,
};
use crate::policy::{ClusterObjects, KeptSecret, RequestError};
use crate::provider::alicloud::api::{Config as _, ControlPlaneConfig};
use crate::provider::alicloud::rules::rendering as rules;

pub(super) use templates::IMAGES;
use values::{NoValues, SeedImages, SeedValues, ShootImages, ShootValues};

/// How control planes are rendered.
pub const CONTROL_PLANES: ControlPlanes =
    ControlPlanes { preview_status: status::preview, parts, placeholders: &rules::RND_008 };

/// The certificate authority of the control plane.
const AUTHORITY: CertificateAuthority = CertificateAuthority {
    name: "ca-provider-alicloud-controlplane",
    bundle: "ca-provider-alicloud-controlplane-bundle",
    identity: "provider-alicloud-controlplane",
};

/// What reaches the Shoot's API server with a token.
const COMPONENTS: [&str; 7] = [
    "cloud-controller-manager",
    "csi-attacher",
    "csi-controller-ali-plugin",
    "csi-provisioner",
    "csi-resizer",
    "csi-snapshot-controller",
    "csi-snapshotter",
];

/// What earlier releases of the CSI controller left behind.
const LEFTOVERS: &[(&str, &str, &str)] = &[
    ("apps/v1", "Deployment", "csi-snapshot-validation"),
    ("v1", "Service", "csi-snapshot-validation"),
    ("policy/v1", "PodDisruptionBudget", "csi-snapshot-validation"),
    ("autoscaling.k8s.io/v1", "VerticalPodAutoscaler", "csi-snapshot-webhook-vpa"),
];

/// The correction by which the Deployment `csi-plugin-controller` has its labels. Then it gets the treatment of
/// what has to be highly available, and its pods restart.
const LABELS_CORRECTION: &str = "csiPluginControllerLabels";

/// What a control plane consists of.
fn parts(draft: &mut ControlPlaneDraft<'_>) -> Result<Option<ControlPlaneParts>, RequestError> {
    let (request, control_plane) = (draft.request, draft.control_plane);
    let config = config(draft);
    let network = status::network(draft);
    draft.preview.keep(|placeholder| network.as_ref().is_some_and(|network| network.has(placeholder)));
    let credentials = credentials::read(draft);
    let replicas = draft.replicas(&rules::RND_006);
    let images = draft.images(&rules::RND_005, IMAGES, |vector, seed, shoot| {
        Ok((SeedImages::find(vector, seed, shoot)?, ShootImages::find(vector, shoot, shoot)?))
    });
    let corrections = corrections(request.configuration, &[LABELS_CORRECTION])?;
    let (Some(config), Some(network), Some(credentials), Some(replicas), Some((seed_images, shoot_images))) =
        (config, network, credentials, replicas, images)
    else {
        return Ok(None);
    };
    let enable_ad_controller =
        enables(request.configuration) || config.csi.and_then(|csi| csi.enable_ad_controller) == Some(true);
    let (cloud_provider_config, cloud_provider_config_checksum) =
        digests::cloud_provider_config(draft, &network, &credentials);
    let credentials_file_checksum = digests::credentials_file(draft, &credentials.file);
    let shoot = request.cluster.shoot;
    let seed = SeedValues {
        namespace: control_plane.namespace,
        cluster_name: control_plane.namespace,
        replicas,
        generic_token_kubeconfig_secret_name: &draft.kubeconfig(),
        pod_network: pod_network(shoot),
        network: reach(&request.cluster),
        feature_gates: config
            .cloud_controller_manager
            .map(|manager| feature_gates(&manager.feature_gates))
            .unwrap_or_default(),
        cloud_provider_config,
        cloud_provider_config_checksum,
        cloudprovider_checksum: credentials.checksum,
        region: control_plane.region,
        volume_prefix: shoot.text_at(&["metadata", "name"]),
        enable_ad_controller,
        label_csi_plugin_controller: corrections.contains(&LABELS_CORRECTION),
        images: seed_images,
    };
    let in_shoot = ShootValues {
        credentials_file: credentials.file,
        credentials_file_checksum,
        enable_ad_controller,
        images: shoot_images,
    };
    Ok(Some(ControlPlaneParts {
        deliveries: vec![
            (Delivery::seed(templates::SEED_CONTROLPLANE), write(&seed)),
            (Delivery::shoot(templates::SHOOT_SYSTEM_COMPONENTS), write(&in_shoot)),
            (Delivery::crds(templates::SHOOT_CRDS), write(&NoValues {})),
            (Delivery::storage_classes(templates::SHOOT_STORAGECLASSES), write(&NoValues {})),
        ],
        secrets: kept_secrets(control_plane.namespace, shoot),
        leftovers: LEFTOVERS,
    }))
}

/// The provider's configuration of the control plane. One without `apiVersion` is empty, as the existing extension
/// reads it.
fn config<'r>(draft: &mut ControlPlaneDraft<'r>) -> Option<ControlPlaneConfig<'r>> {
    let Some(value) = draft.control_plane.config else { return Some(ControlPlaneConfig::default()) };
    match ControlPlaneConfig::read_typed(value, Mode::Lenient, Typed::ByVersion) {
        Ok(config) => Some(config),
        Err(DecodeError::ApiVersionMissing) => Some(ControlPlaneConfig::default()),
        Err(error) => {
            draft.undecodable(&rules::RND_003, "providerConfig", draft.control_plane.config_pointer, &error);
            None
        }
    }
}

/// Whether the extension's own configuration lets the controller attach disks.
fn enables(configuration: Option<&Value<'_>>) -> bool {
    let value = configuration.and_then(|configuration| configuration.at(&["csi", "enableADController"]));
    matches!(value, Some(Value::Bool(true)))
}

/// How the cloud controller manager reaches the cloud: in its own network where the seed is in the same region of
/// the same cloud.
fn reach(cluster: &ClusterObjects<'_>) -> &'static str {
    let seed = |key| cluster.seed.and_then(|seed| seed.at(&["spec", "provider", key])).and_then(Value::as_str);
    let region = cluster.shoot.at(&["spec", "region"]).and_then(Value::as_str);
    let is_near =
        seed("type") == Some(super::TYPE) && seed("region").unwrap_or_default() == region.unwrap_or_default();
    if is_near { "vpc" } else { "public" }
}

fn kept_secrets(namespace: &str, shoot: &Value<'_>) -> Vec<KeptSecret> {
    let mut secrets = Vec::from(AUTHORITY.secrets(shoot));
    let server = "cloud-controller-manager";
    secrets.push(AUTHORITY.server_certificate("cloud-controller-manager-server", server, namespace));
    secrets.extend(COMPONENTS.map(shoot_access));
    secrets
}
